// SPDX-License-Identifier: MIT
// Writes edges as lines of text: source, target and, if the edges have one, weight. Formats eight digits at a
// time.
#include "graph/format/text/edge_list.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/numbers/number_text.hpp"
#include "graph/format/numbers/weight_text.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/source/edge_writer.hpp"
#include "graph/format/table/extension.hpp"

namespace emgraph::graph::format {
namespace {

/// Encodes records as lines, without payload. Memory: 3 MiB, or less with little memory.
class TextEncoder final : public RecordEncoder {
 public:
  TextEncoder(core::MemoryBudget& budget, const EdgeLayout& layout, char separator);
  std::size_t encode(const core::PairShape& shape, const std::byte* records, std::size_t count) override;

 private:
  const EdgeLayout layout_;
  const char separator_;
  core::Buffer lines_;
};

/// Measured: formatting takes 4 to 5 ns per edge of 15 bytes on one core (AMD EPYC); threads can format in
/// parallel with encoder().
class TextWriter final : public EdgeWriter {
 public:
  /// `separator`: '\t', ' ', or ',' for CSV.
  TextWriter(core::Environment& environment, std::unique_ptr<TextOutput> output, const EdgeLayout& layout,
             char separator);

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override;
  void reserve_buffers() override {
    if (own_ == nullptr) own_ = encoder();
  }
  std::unique_ptr<RecordEncoder> encoder() override;
  void append_encoded(const RecordEncoder& encoder) override;
  bool resumable() const override {
    core::OutputFile* const file = output_->plain_file();
    return file != nullptr && file->resumable();
  }
  void save(core::StateWriter& state) override {
    output_->plain_file()->save(state);
    state.value(edges_);
  }
  void restore(core::StateReader& state) override {
    output_->plain_file()->restore(state);
    edges_ = state.value<std::uint64_t>();
  }
  void finish() override { output_->finish(); }
  std::uint64_t edges() const override { return edges_; }
  std::uint64_t bytes() const override { return output_->size(); }

 private:
  core::MemoryBudget& budget_;
  std::unique_ptr<TextOutput> output_;
  const EdgeLayout layout_;
  const char separator_;
  std::unique_ptr<RecordEncoder> own_;  // encoder of append_records
  std::uint64_t edges_ = 0;
};

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

/// With enough memory, the lines of a whole batch of a reader of 4-byte ids: 1 MiB of pairs, 22 bytes each.
std::size_t lines_bytes(const core::MemoryBudget& budget) {
  return std::clamp<std::size_t>(budget.available() / 32, 32 * core::KiB, 3 * core::MiB);
}

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
  reserve_buffers();
  while (count > 0) {
    const std::size_t taken = own_->encode(shape, records, count);
    append_encoded(*own_);
    records += taken * shape.row_bytes;
    count -= taken;
  }
}

}  // namespace

std::unique_ptr<EdgeWriter> create_text(const Creation& creation, const Format& format) {
  const std::string extension = extension_of(unpacked_name(creation.path));
  const std::string& called = creation.options.format.value_or(extension);
  EdgeLayout layout = creation.facts.layout;
  if (!stores_weights(creation.path, creation.options.format)) layout.weight = WeightType::none;
  if (format.name == "wel" && layout.weight == WeightType::none) {
    throw core::UsageError(creation.path + ": a .wel file holds weights, and the edges have none");
  }
  const bool blank = format.name == "wel" || called == "el" || called == "e";
  const char separator = called == "csv" || extension == "csv" ? ',' : blank ? ' ' : '\t';
  auto output = open_text_output(creation);
  if (const auto& names = creation.options.column_names; !names.empty()) {
    std::string line = names[0] + separator + names[1];
    if (layout.weight != WeightType::none) line.append(1, separator).append(names[2]);
    line += '\n';
    output->append(std::as_bytes(std::span(line)));
  }
  return std::make_unique<TextWriter>(creation.environment, std::move(output), layout, separator);
}

}  // namespace emgraph::graph::format
