// SPDX-License-Identifier: MIT
// Formats numbers directly into the window of the output.
#include "graph/format/text/edge_line_writer.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/numbers/number_text.hpp"

namespace emgraph::graph::format {
namespace {

/// Prefix, two ids and a weight, blanks, a line break.
constexpr std::size_t longest_written_line_bytes = 16 + 3 * longest_number_bytes;

}  // namespace

EdgeLineWriter::EdgeLineWriter(const Creation& creation, const EdgeLineStyle& style,
                               CountedHeader::Text header)
    : output_(creation.open_output()),
      layout_(creation.facts.layout),
      style_(style),
      header_(*output_, creation.facts, std::move(header)) {}

char* EdgeLineWriter::weight(char* at, const std::byte* value) const {
  const auto real = [&](double number) {
    if (!std::isfinite(number)) {
      throw core::DataError::in_file(output_->path(), "the weight of edge " + std::to_string(edges_) +
                                                          " is " +
                                                          (std::isnan(number) ? "not a number" : "infinite") +
                                                          ", expected a finite one");
    }
    return put(at, number);
  };
  switch (layout_.weight) {
    case WeightType::none:
      return put_text(at, style_.weight_if_none);
    case WeightType::u32:
      return put(at, value_at<std::uint32_t>(value));
    case WeightType::i64:
      return put(at, value_at<std::int64_t>(value));
    case WeightType::f32:
      return real(value_at<float>(value));
    case WeightType::f64:
      return real(value_at<double>(value));
  }
  return at;
}

template <class Id>
char* EdgeLineWriter::line(char* at, const std::byte* record) {
  const auto source = std::uint64_t{value_at<Id>(record)};
  const auto target = std::uint64_t{value_at<Id>(record + sizeof(Id))};
  header_.see(source, edges_);
  header_.see(target, edges_);
  if (style_.oriented_low && target < source) {
    throw std::logic_error("edge " + std::to_string(edges_) +
                           " breaks what its writer declared: low id first");
  }
  at = put_text(at, style_.prefix);
  at = put(at, (style_.oriented_low ? target : source) + 1);
  *at++ = ' ';
  at = put(at, (style_.oriented_low ? source : target) + 1);
  if (layout_.weight != WeightType::none || !style_.weight_if_none.empty()) {
    *at++ = ' ';
    at = weight(at, record + 2 * sizeof(Id));
  }
  *at++ = '\n';
  return at;
}

void EdgeLineWriter::append_records(const core::PairShape& shape, const std::byte* records,
                                    std::size_t count) {
  if (shape.attachment_bytes < weight_bytes(layout_.weight)) {
    throw std::logic_error("records with fewer attached bytes than a weight");
  }
  while (count > 0) {
    const std::span<std::byte> window = output_->window();
    char* const start = reinterpret_cast<char*>(window.data());
    char* at = start;
    const char* const limit = start + window.size() - longest_written_line_bytes;
    for (; count > 0 && at <= limit; --count, records += shape.row_bytes, ++edges_) {
      at = shape.integer_bytes == 4 ? line<std::uint32_t>(at, records) : line<std::uint64_t>(at, records);
    }
    output_->commit(static_cast<std::size_t>(at - start));
  }
}

void EdgeLineWriter::finish() {
  header_.complete(edges_);
  output_->finish();
}

}  // namespace emgraph::graph::format
