// SPDX-License-Identifier: MIT
// Writes a line per node with its neighbours, numbered from 1, directly into the window of the output.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "core/base/error.hpp"
#include "core/io/output_file.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/numbers/number_text.hpp"
#include "graph/format/source/edge_writer.hpp"
#include "graph/format/text/header_lines.hpp"
#include "graph/format/text/metis.hpp"

namespace emgraph::graph::format {
namespace {

/// An id and a weight, each after a blank.
constexpr std::size_t longest_entry_bytes = 2 * (1 + longest_number_bytes);

/// Most consecutive nodes without edges. Ids with larger gaps would fill the disk with empty lines.
constexpr std::uint64_t most_empty_lines = std::uint64_t{1} << 32;

void check(const Creation& creation) {
  const EdgeFacts& facts = creation.facts;
  if (facts.order != EdgeOrder::source_target || !facts.unique || !facts.no_loops || !facts.symmetric) {
    throw core::UsageError(creation.path +
                           ": a METIS graph holds undirected edges without loops and duplicates, sorted, in "
                           "both directions; emgraph convert makes it of any edges, without --directed");
  }
  if (facts.layout.weight == WeightType::f32 || facts.layout.weight == WeightType::f64) {
    throw core::UsageError(creation.path +
                           ": the weights of a METIS graph are integers, these edges have fractions");
  }
}

std::unique_ptr<core::OutputFile> open_checked(const Creation& creation) {
  check(creation);
  return creation.open_output();
}

/// Takes sorted edges without loops and duplicates, each in both directions. Drops payload. Throws DataError
/// for an id not below n, a negative weight, and 2^32 consecutive nodes without edges.
class MetisWriter final : public EdgeWriter {
 public:
  /// Throws UsageError if the facts do not declare such edges or weights are not integers, and as
  /// CountedHeader.
  explicit MetisWriter(const Creation& creation);

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override;
  void at_least_nodes(std::uint64_t nodes) override { header_.at_least_nodes(nodes); }
  void finish() override;
  std::uint64_t edges() const override { return edges_; }
  std::uint64_t bytes() const override { return output_->size(); }

 private:
  template <class Id>
  char* entry(char* at, const std::byte* record);
  char* weight(char* at, const std::byte* value) const;
  void end_lines(std::uint64_t lines);

  const std::unique_ptr<core::OutputFile> output_;
  const EdgeLayout layout_;
  CountedHeader header_;
  std::uint64_t line_ = 0;  // node of the current line
  bool line_is_empty_ = true;
  std::uint64_t last_target_ = 0;  // last target in the current line
  std::uint64_t edges_ = 0;
};

MetisWriter::MetisWriter(const Creation& creation)
    : output_(open_checked(creation)),
      layout_(creation.facts.layout),
      header_(*output_, creation.facts,
              [weighted = layout_.weight != WeightType::none](std::uint64_t nodes, std::uint64_t entries) {
                return std::to_string(nodes) + " " + std::to_string(entries / 2) + (weighted ? " 001" : "");
              }) {}

char* MetisWriter::weight(char* at, const std::byte* value) const {
  const std::int64_t number = layout_.weight == WeightType::u32 ? std::int64_t{value_at<std::uint32_t>(value)}
                                                                : value_at<std::int64_t>(value);
  if (number < 0) {
    throw core::DataError::in_file(output_->path(), "the weight of edge " + std::to_string(edges_) + " is " +
                                                        std::to_string(number) +
                                                        ", expected 0 or more in a METIS graph");
  }
  return put(at, number);
}

template <class Id>
char* MetisWriter::entry(char* at, const std::byte* record) {
  const auto target = std::uint64_t{value_at<Id>(record + sizeof(Id))};
  header_.see(line_, edges_);
  header_.see(target, edges_);
  if (target == line_ || (!line_is_empty_ && target <= last_target_)) {
    throw std::logic_error("edge " + std::to_string(edges_) +
                           " breaks what its writer declared: sorted and unique, no loops");
  }
  if (!line_is_empty_) *at++ = ' ';
  at = put(at, target + 1);
  if (layout_.weight != WeightType::none) {
    *at++ = ' ';
    at = weight(at, record + 2 * sizeof(Id));
  }
  line_is_empty_ = false;
  last_target_ = target;
  ++edges_;
  return at;
}

void MetisWriter::end_lines(std::uint64_t lines) {
  if (lines > most_empty_lines) {
    throw core::DataError::in_file(
        output_->path(), std::to_string(lines) + " nodes from " + std::to_string(line_ + 1) +
                             " on have no edges, and a METIS graph has a line for each: expected at most " +
                             std::to_string(most_empty_lines) + "; --relabel numbers nodes without gaps");
  }
  while (lines > 0) {
    const std::span<std::byte> window = output_->window();
    const auto take = static_cast<std::size_t>(std::min<std::uint64_t>(lines, window.size()));
    std::memset(window.data(), '\n', take);
    output_->commit(take);
    lines -= take;
    line_ += take;
    line_is_empty_ = true;
  }
}

void MetisWriter::append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) {
  if (shape.attachment_bytes < weight_bytes(layout_.weight)) {
    throw std::logic_error("records with fewer attached bytes than a weight");
  }
  const auto source_at = [&](const std::byte* record) {
    return shape.integer_bytes == 4 ? std::uint64_t{value_at<std::uint32_t>(record)}
                                    : value_at<std::uint64_t>(record);
  };
  while (count > 0) {
    const std::uint64_t source = source_at(records);
    if (source < line_) {
      throw std::logic_error("edge " + std::to_string(edges_) + " breaks what its writer declared: sorted");
    }
    header_.see(source, edges_);
    end_lines(source - line_);
    const std::span<std::byte> window = output_->window();
    char* const start = reinterpret_cast<char*>(window.data());
    char* const limit = start + window.size() - longest_entry_bytes;
    char* at = start;
    for (; count > 0 && at <= limit; --count, records += shape.row_bytes) {
      const std::uint64_t step = source_at(records) - line_;
      if (step > 1) break;
      // Most nodes have edges, so there is no gap.
      if (step == 1) {
        *at++ = '\n';
        ++line_;
        line_is_empty_ = true;
      }
      at = shape.integer_bytes == 4 ? entry<std::uint32_t>(at, records) : entry<std::uint64_t>(at, records);
    }
    output_->commit(static_cast<std::size_t>(at - start));
  }
}

void MetisWriter::finish() {
  end_lines(header_.nodes() - line_);
  header_.complete(edges_);
  output_->finish();
}

}  // namespace

std::unique_ptr<EdgeWriter> create_metis(const Creation& creation, const Format& /*format*/) {
  return std::make_unique<MetisWriter>(creation);
}

}  // namespace emgraph::graph::format
