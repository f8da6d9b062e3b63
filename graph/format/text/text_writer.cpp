// SPDX-License-Identifier: MIT
// Numbers are formatted straight into the output's window.
#include "graph/format/text/text_writer.hpp"

#include <charconv>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace emgraph::graph::format {
namespace {

/// Two ids of 20 digits, a weight of at most 25 characters (shortest double), two separators, a line break.
constexpr std::size_t max_written_line_bytes = 68;

template <class T>
char* put(char* at, const std::byte* value) {
  T number;
  std::memcpy(&number, value, sizeof(T));
  return std::to_chars(at, at + max_written_line_bytes, number).ptr;
}

char* put_weight(char* at, WeightType type, const std::byte* value) {
  switch (type) {
    case WeightType::none:
      return at;
    case WeightType::u32:
      return put<std::uint32_t>(at, value);
    case WeightType::i64:
      return put<std::int64_t>(at, value);
    case WeightType::f32:
      return put<float>(at, value);
    case WeightType::f64:
      return put<double>(at, value);
  }
  return at;
}

}  // namespace

TextWriter::TextWriter(std::unique_ptr<core::OutputFile> output, const EdgeLayout& layout, char separator)
    : output_(std::move(output)), layout_(layout), separator_(separator) {}

void TextWriter::append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) {
  if (shape.attachment_bytes < weight_bytes(layout_.weight)) {
    throw std::logic_error("records with fewer attached bytes than a weight");
  }
  edges_ += count;
  while (count > 0) {
    const std::span<std::byte> window = output_->window();
    char* const start = reinterpret_cast<char*>(window.data());
    char* at = start;
    const char* const limit = start + window.size() - max_written_line_bytes;
    for (; count > 0 && at <= limit; --count, records += shape.row_bytes) {
      if (shape.integer_bytes == 4) {
        at = put<std::uint32_t>(at, records);
        *at++ = separator_;
        at = put<std::uint32_t>(at, records + 4);
      } else {
        at = put<std::uint64_t>(at, records);
        *at++ = separator_;
        at = put<std::uint64_t>(at, records + 8);
      }
      if (layout_.weight != WeightType::none) {
        *at++ = separator_;
        at = put_weight(at, layout_.weight, records + 2 * shape.integer_bytes);
      }
      *at++ = '\n';
    }
    output_->commit(static_cast<std::size_t>(at - start));
  }
}

}  // namespace emgraph::graph::format
