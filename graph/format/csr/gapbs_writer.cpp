// SPDX-License-Identifier: MIT
// Writes head, offsets and neighbours, and for directed graphs also the reversed edges.
#include "graph/format/csr/gapbs.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/block/run.hpp"
#include "core/io/output_file.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "core/sort/sorter_memory.hpp"
#include "graph/forecast.hpp"
#include "graph/format/source/ascending_rows.hpp"
#include "graph/format/source/edge_writer.hpp"

namespace emgraph::graph::format {
namespace {

/// I/O: writes 8 bytes per node and an Entry per edge once, and reads them once for each use.
/// Memory: four blocks of at most 256 KiB, two more for each part that is read.
template <class Entry>
class CsrSpool {
 public:
  explicit CsrSpool(core::Environment& environment)
      : environment_(environment),
        block_bytes_(choose_block_bytes(environment.memory)),
        offset_writer_(environment, block_bytes_),
        entry_writer_(environment, block_bytes_) {}

  /// Adds an edge. Requires: sources ascend.
  void push(std::uint64_t source, const Entry& entry) {
    reach(source + 1);
    entry_writer_.push(entry);
    ++entries_;
  }
  std::uint64_t entries() const { return entries_; }

  /// Ends the input. `nodes`: greater than all sources.
  void close(std::uint64_t nodes) {
    reach(nodes + 1);
    offsets_ = offset_writer_.finish();
    entries_run_ = entry_writer_.finish();
  }

  /// Calls `visit(source, entry)` for each edge, in order. Requires: close() was called.
  template <class Visit>
  void for_each(Visit&& visit) const {
    core::RunReader<std::uint64_t> offsets(environment_, offsets_);
    core::RunReader<Entry> entries(environment_, entries_run_);
    std::uint64_t source = 0;
    std::uint64_t begin = 0;
    std::span<const Entry> left;
    bool first = true;
    for (auto batch = offsets.next(); !batch.empty(); batch = offsets.next()) {
      for (const std::uint64_t end : batch.subspan(first ? 1 : 0)) {
        for (; begin < end; ++begin) {
          if (left.empty()) left = entries.next();
          visit(source, left.front());
          left = left.subspan(1);
        }
        ++source;
      }
      first = false;
    }
  }

  std::size_t block_bytes() const { return block_bytes_; }

  /// Writes nodes + 1 offsets, then the entries, and frees the spool. Requires: close() was called.
  void move_to(core::OutputFile& output) {
    append(output, std::move(offsets_));
    append(output, std::move(entries_run_));
  }

 private:
  static std::size_t choose_block_bytes(const core::MemoryBudget& memory) {
    std::size_t bytes = 256 * core::KiB;
    while (bytes > core::BlockManager::granularity_bytes && bytes > memory.available() / 64) bytes /= 2;
    return bytes;
  }

  /// Writes the offsets of the nodes before `nodes`.
  void reach(std::uint64_t nodes) {
    for (; reached_ < nodes; ++reached_) offset_writer_.push(entries_);
  }

  template <class T>
  void append(core::OutputFile& output, core::Run<T>&& run) {
    core::RunReader<T> reader(environment_, std::move(run));
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next())
      output.append(std::as_bytes(batch));
  }

  core::Environment& environment_;
  const std::size_t block_bytes_;
  core::RunWriter<std::uint64_t> offset_writer_;
  core::RunWriter<Entry> entry_writer_;
  core::Run<std::uint64_t> offsets_;
  core::Run<Entry> entries_run_;
  std::uint64_t entries_ = 0;
  std::uint64_t reached_ = 0;
};

struct Neighbour {
  std::uint32_t id;
};
struct WeightedNeighbour {
  std::uint32_t id;
  std::int32_t weight;
};
static_assert(sizeof(Neighbour) == 4 && sizeof(WeightedNeighbour) == 8);

/// Sorts edges by target, then source.
using Reversed = core::DistributionSorter<std::uint64_t>;

Reversed::Options reversed_options(core::Environment& environment, std::uint64_t nodes, std::uint64_t edges,
                                   std::size_t attached) {
  Reversed::Options options;
  options.attachment_bytes = attached;
  const std::uint64_t last = nodes == 0 ? 0 : nodes - 1;
  options.range = {0, last << 32 | last};
  options.records = edges;
  options.memory_bytes = core::sorter_memory(environment.memory);
  return options;
}

template <class Entry>
class GapbsWriter final : public EdgeWriter {
 public:
  explicit GapbsWriter(const Creation& creation)
      : environment_(creation.environment),
        facts_(creation.facts),
        rows_(creation.facts.nodes.value_or(gapbs_most_nodes)),
        directed_(directed_adjacency(creation.facts, creation.path)),
        output_(creation.open_output()),
        spool_(std::make_unique<CsrSpool<Entry>>(environment_)) {
    check_nodes(facts_.nodes.value_or(0));
  }

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override {
    if (weighted && shape.attachment_bytes < weight_bytes(facts_.layout.weight)) {
      throw std::logic_error("records with fewer attached bytes than a weight");
    }
    for (std::size_t i = 0; i < count; ++i, records += shape.row_bytes) {
      if (shape.integer_bytes == 4) {
        push<std::uint32_t>(records);
      } else {
        push<std::uint64_t>(records);
      }
    }
  }

  void at_least_nodes(std::uint64_t nodes) override { least_nodes_ = nodes; }
  std::uint64_t edges() const override { return edges_; }
  std::uint64_t bytes() const override { return output_->size(); }

  void finish() override {
    check_declared_edges(facts_.edges, edges_);
    const std::uint64_t nodes = facts_.nodes.value_or(std::max(least_nodes_, rows_.nodes()));
    check_nodes(nodes);  // dropped edges may have had larger ids
    spool_->close(nodes);
    write_head(nodes);
    if (directed_) {
      write_both(nodes);
    } else {
      spool_->move_to(*output_);
    }
    output_->finish();
  }

 private:
  static constexpr bool weighted = sizeof(Entry) == sizeof(WeightedNeighbour);
  static constexpr std::size_t attached = sizeof(Entry) - sizeof(std::uint32_t);

  void check_nodes(std::uint64_t nodes) const {
    if (nodes <= gapbs_most_nodes) return;
    throw core::DataError::in_file(output_->path(), std::to_string(nodes) + " nodes, expected at most " +
                                                        std::to_string(gapbs_most_nodes));
  }

  template <class RowId>
  void push(const std::byte* record) {
    std::array<RowId, 2> row;
    std::memcpy(row.data(), record, sizeof(row));
    const std::uint64_t source = row[0];
    const std::uint64_t target = row[1];
    rows_.take(output_->path(), edges_, source, target);
    Entry entry;
    entry.id = static_cast<std::uint32_t>(target);
    if constexpr (weighted) entry.weight = weight_of(record + sizeof(row));
    spool_->push(source, entry);
    ++edges_;
  }

  std::int32_t weight_of(const std::byte* attachment) const {
    std::int64_t weight = 0;
    if (facts_.layout.weight == WeightType::u32) {
      std::uint32_t narrow;
      std::memcpy(&narrow, attachment, sizeof(narrow));
      weight = narrow;
    } else {
      std::memcpy(&weight, attachment, sizeof(weight));
    }
    if (weight != static_cast<std::int32_t>(weight)) {
      throw core::DataError::in_file(output_->path(), "weight " + std::to_string(weight) + " of edge " +
                                                          std::to_string(edges_) +
                                                          ", expected one of 32 bits with sign");
    }
    return static_cast<std::int32_t>(weight);
  }

  void write_head(std::uint64_t nodes) {
    std::array<std::byte, gapbs_head_bytes> head{};
    head[0] = std::byte{directed_};
    std::memcpy(&head[1], &edges_, sizeof(edges_));
    std::memcpy(&head[9], &nodes, sizeof(nodes));
    output_->append(head);
  }

  /// Writes the edges, then the reversed edges.
  void write_both(std::uint64_t nodes) {
    CsrSpool<Entry> reversed(environment_);
    {
      Reversed sorter(environment_, reversed_options(environment_, nodes, edges_, attached));
      spool_->for_each([&](std::uint64_t source, const Entry& entry) {
        const std::uint64_t key = std::uint64_t{entry.id} << 32 | source;
        if constexpr (weighted) {
          sorter.lane(0).push_with(key, entry.weight);
        } else {
          sorter.lane(0).push(key);
        }
      });
      core::run_on_threads(sorter.lanes(), [&](unsigned thread) { sorter.lane(thread).finish(); });
      sorter.finish();
      for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
        for (std::size_t i = 0; i < batch.size(); ++i) {
          Entry entry;
          entry.id = static_cast<std::uint32_t>(batch[i]);
          if constexpr (weighted) {
            std::memcpy(&entry.weight, sorter.attachments() + i * attached, sizeof(entry.weight));
          }
          reversed.push(batch[i] >> 32, entry);
        }
      }
    }
    spool_->move_to(*output_);
    reversed.close(nodes);
    reversed.move_to(*output_);
  }

  core::Environment& environment_;
  const EdgeFacts facts_;
  AscendingRows rows_;
  const bool directed_;
  const std::unique_ptr<core::OutputFile> output_;
  const std::unique_ptr<CsrSpool<Entry>> spool_;
  std::uint64_t edges_ = 0;
  std::uint64_t least_nodes_ = 0;
};

}  // namespace

std::unique_ptr<EdgeWriter> make_gapbs_writer(const Creation& creation, bool weighted) {
  if (weighted) return std::make_unique<GapbsWriter<WeightedNeighbour>>(creation);
  return std::make_unique<GapbsWriter<Neighbour>>(creation);
}

GapbsSpace rehearse_gapbs(core::Environment& environment, const GapbsSize& size) {
  const CsrSpool<Neighbour> reversed(environment);
  const std::uint64_t spool =
      core::size_sum(size.part_bytes(), 2 * core::BlockManager::granularity_bytes);  // the last blocks
  GapbsSpace space{.appended_bytes = spool, .finish_moves = spool};
  space.finishing = {.most_bytes = spool, .expected_bytes = spool};
  if (!size.directed) return space;
  Reversed::Options options = reversed_options(environment, size.nodes, size.edges, size.entry_bytes() - 4);
  options.rehearse = options.ordered = true;  // the first edges are the sample
  Reversed sorter(environment, std::move(options));
  core::Reservation readers =
      environment.memory.reserve(4 * reversed.block_bytes(), "reading the edges that were written");
  const core::SpillForecast sort = sorter.rehearse_distribution(size.edges);
  readers.release();
  sorter.rehearse_sorting(size.edges);
  const auto beside = [&](std::uint64_t spilled) {
    return core::size_sum(spool, peak_while_sort_is_read(spilled, sort.whole_bytes, spool));
  };
  space.finishing.cover(beside(sort.most_bytes), beside(sort.expected_bytes));
  space.finish_moves =
      core::size_sum(core::size_product(4, spool), core::size_product(2, sort.expected_bytes));
  return space;
}

}  // namespace emgraph::graph::format
