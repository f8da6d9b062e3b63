// SPDX-License-Identifier: MIT
// Numbers are formatted eight digits at a time.
#include "graph/format/text/text_writer.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/base/bytes.hpp"
#include "graph/format/numbers/weight_text.hpp"
#include "graph/format/numbers/written_value.hpp"

namespace emgraph::graph::format {
namespace {

/// Two ids and a weight, two separators, a line break.
constexpr std::size_t max_written_line_bytes = 3 * (longest_number_bytes + 1);

template <class Id>
char* put_edge(char* at, const std::byte* record, WeightType weight, char separator) {
  at = put(at, value_at<Id>(record));
  *at++ = separator;
  at = put(at, value_at<Id>(record + sizeof(Id)));
  if (weight != WeightType::none) {
    *at++ = separator;
    at = put_weight(at, weight, record + 2 * sizeof(Id));
  }
  *at++ = '\n';
  return at;
}

/// Where there is memory, all that a reader of 4-byte ids gives at a time: 1 MiB of pairs, 22 bytes each.
std::size_t lines_bytes(const core::MemoryBudget& budget) {
  return std::clamp<std::size_t>(budget.available() / 32, 32 * core::KiB, 3 * core::MiB);
}

}  // namespace

TextEncoder::TextEncoder(core::MemoryBudget& budget, const EdgeLayout& layout, char separator)
    : layout_(layout), separator_(separator), lines_(budget, lines_bytes(budget), "lines of text") {}

std::size_t TextEncoder::encode(const core::PairShape& shape, const std::byte* records, std::size_t count) {
  if (shape.attachment_bytes < weight_bytes(layout_.weight)) {
    throw std::logic_error("records with fewer attached bytes than a weight");
  }
  char* const start = reinterpret_cast<char*>(lines_.data());
  const char* const limit = start + lines_.size() - max_written_line_bytes;
  char* at = start;
  std::size_t taken = 0;
  for (; taken < count && at <= limit; ++taken, records += shape.row_bytes) {
    at = shape.integer_bytes == 4 ? put_edge<std::uint32_t>(at, records, layout_.weight, separator_)
                                  : put_edge<std::uint64_t>(at, records, layout_.weight, separator_);
  }
  encoded_ = lines_.bytes().first(static_cast<std::size_t>(at - start));
  records_ = taken;
  return taken;
}

TextWriter::TextWriter(core::Environment& environment, std::unique_ptr<TextOutput> output,
                       const EdgeLayout& layout, char separator)
    : budget_(environment.memory), output_(std::move(output)), layout_(layout), separator_(separator) {}

std::unique_ptr<RecordEncoder> TextWriter::encoder() {
  return std::make_unique<TextEncoder>(budget_, layout_, separator_);
}

void TextWriter::append_encoded(const RecordEncoder& encoder) {
  output_->append(encoder.encoded());
  edges_ += encoder.records();
}

void TextWriter::append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) {
  if (own_ == nullptr) own_ = encoder();
  while (count > 0) {
    const std::size_t taken = own_->encode(shape, records, count);
    append_encoded(*own_);
    records += taken * shape.row_bytes;
    count -= taken;
  }
}

}  // namespace emgraph::graph::format
