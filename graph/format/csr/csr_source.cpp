// SPDX-License-Identifier: MIT
// Assigns stretches of entries to lanes, and follows the row ends.
#include "graph/format/csr/csr_source.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/source/laned_source.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t most_stretch_entries = 64 * core::KiB;
constexpr std::size_t least_stretch_entries = core::KiB;
constexpr std::size_t end_bytes = sizeof(std::uint64_t);
/// Most bytes of row ends read at once.
constexpr std::size_t most_ends_bytes = 256 * core::KiB;

/// Number of places of a sample; each costs a search of the row ends.
constexpr std::uint64_t sample_places = 64;
constexpr std::size_t sample_entries = 2048;
constexpr std::size_t sample_nodes = 512;

std::size_t choose_stretch(const core::MemoryBudget& budget, const CsrLayout& layout, unsigned lanes) {
  std::size_t entries = most_stretch_entries;
  while (entries > least_stretch_entries &&
         entries * CsrRows::bytes_per_entry(layout) * (1 + std::size_t{lanes}) > budget.available() / 4) {
    entries /= 2;
  }
  return entries;
}

/// Equal pieces of a part. Each, except the first, begins with the last `lead` bytes of the previous one.
auto pieces(std::uint64_t offset, std::uint64_t bytes, std::uint64_t piece_bytes, std::uint64_t lead) {
  return [=](std::uint64_t i) -> std::optional<core::FileExtent> {
    const std::uint64_t at = i * piece_bytes;
    if (at >= bytes) return std::nullopt;
    const std::uint64_t before = i == 0 ? 0 : lead;
    return core::FileExtent{offset + at - before, std::min(piece_bytes, bytes - at) + before};
  };
}

}  // namespace

/// The readers, one for each part of the file, and the current row ends.
struct CsrSource::Parts {
  Parts(CsrSource& source, unsigned lanes) {
    core::MemoryBudget& budget = source.environment_.memory;
    const CsrLayout& layout = source.layout_;
    const auto open = [&](std::uint64_t offset, std::uint64_t bytes, std::size_t piece_bytes,
                          std::size_t lead, unsigned holders) {
      return std::make_unique<core::ExtentReader>(
          source.input_.disk(), budget, pieces(offset, bytes, piece_bytes, lead), piece_bytes + lead,
          read_depth(budget, piece_bytes + lead, holders), holders);
    };
    const std::size_t entries = source.stretch_entries_;
    neighbours = open(layout.neighbours_offset, layout.entries * layout.entry_bytes,
                      entries * layout.entry_bytes, layout.entry_bytes, lanes);
    if (layout.own_weight_bytes() != 0) {
      weights = open(layout.weights_offset, layout.entries * layout.weight_bytes,
                     entries * layout.weight_bytes, 0, lanes);
    }
    ends = open(layout.ends_offset, layout.nodes * end_bytes,
                std::min(most_ends_bytes, entries * layout.entry_bytes), 0, 1);
    held_ends.emplace(held, *ends);
  }

  void rewind() {
    held.release_all();
    ends_loaded = nullptr;
    for (core::ExtentReader* reader : {neighbours.get(), weights.get(), ends.get()}) {
      if (reader != nullptr) reader->rewind();
    }
  }

  std::unique_ptr<core::ExtentReader> neighbours;
  std::unique_ptr<core::ExtentReader> weights;
  std::unique_ptr<core::ExtentReader> ends;
  HeldExtents held;
  std::optional<HeldExtent> held_ends;
  const core::ExtentReader::Loaded* ends_loaded = nullptr;
};

class CsrSource::Lane final : public WorkingLane {
 public:
  Lane(CsrSource& source, const core::PairShape& shape)
      : source_(source),
        rows_(source.environment_.memory, source.facts_.name, source.layout_, shape, source.stretch_entries_),
        neighbours_(source.parts_->held, *source.parts_->neighbours) {
    if (source.parts_->weights != nullptr) weights_.emplace(source.parts_->held, *source.parts_->weights);
  }

  RecordBatch next() override {
    const CsrLayout& layout = source_.layout_;
    const core::ExtentReader::Loaded* neighbours = nullptr;
    const core::ExtentReader::Loaded* weights = nullptr;
    // Buffers are returned before the lock is taken, because the thread with the lock may wait for a free
    // buffer.
    neighbours_.release();
    if (weights_) weights_->release();
    std::size_t lead = 0;
    {
      const std::lock_guard lock(source_.mutex_);
      if (source_.failed_) return {};
      source_.failed_ = true;  // remains true if an exception is thrown
      neighbours = neighbours_.next();
      if (weights_) weights = weights_->next();
      if (neighbours == nullptr) {
        source_.walk_rest_locked();
        source_.failed_ = false;
        return {};
      }
      first_edge_ = neighbours->index * source_.stretch_entries_;
      lead = first_edge_ == 0 ? 0 : layout.entry_bytes;
      const std::uint64_t end = std::min(first_edge_ + source_.stretch_entries_, layout.entries);
      source_.walk_locked(rows_, first_edge_, end);
      source_.failed_ = false;
    }
    check_whole(*neighbours, lead + rows_.entries() * layout.entry_bytes);
    if (weights != nullptr) check_whole(*weights, rows_.entries() * layout.weight_bytes);
    return rows_.make(neighbours->bytes.data(), weights == nullptr ? nullptr : weights->bytes.data());
  }

 private:
  void check_whole(const core::ExtentReader::Loaded& loaded, std::uint64_t bytes) const {
    if (loaded.bytes.size() == bytes) return;
    throw became_shorter(source_.facts_.name, loaded.offset + loaded.bytes.size());
  }

  CsrSource& source_;
  CsrRows rows_;
  HeldExtent neighbours_;
  std::optional<HeldExtent> weights_;
};

CsrSource::CsrSource(core::Environment& environment, core::InputFile input, const CsrLayout& layout,
                     const EdgeFacts& facts, unsigned max_lanes)
    : LanedSource(environment, facts), input_(std::move(input)), layout_(layout) {
  facts_.name = input_.name();
  facts_.nodes = layout_.nodes;
  facts_.edges = layout_.entries;
  stretch_entries_ = choose_stretch(environment_.memory, layout_, max_lanes);
  open_lanes(max_lanes, 2 * stretch_entries_ * CsrRows::bytes_per_entry(layout_));
}

CsrSource::~CsrSource() = default;

std::unique_ptr<WorkingLane> CsrSource::make_lane(const core::PairShape& shape) {
  if (parts_ == nullptr) parts_ = std::make_unique<Parts>(*this, working_lanes());
  return std::make_unique<Lane>(*this, shape);
}

void CsrSource::rewind() {
  if (parts_ != nullptr) parts_->rewind();
  ends_used_ = 0;
  next_node_ = 0;
  row_end_ = 0;
  failed_ = false;
}

std::uint64_t CsrSource::check_end(std::uint64_t node, std::uint64_t before, std::uint64_t end) const {
  if (end >= before && end <= layout_.entries) return end;
  throw core::DataError::at_offset(facts_.name, layout_.ends_offset + node * end_bytes,
                                   "the neighbours of node " + std::to_string(node) + " end at " +
                                       std::to_string(end) + ", expected " + std::to_string(before) + " to " +
                                       std::to_string(layout_.entries));
}

std::uint64_t CsrSource::next_end_locked() {
  Parts& parts = *parts_;
  if (parts.ends_loaded == nullptr || (ends_used_ + 1) * end_bytes > parts.ends_loaded->bytes.size()) {
    const std::uint64_t offset = layout_.ends_offset + next_node_ * end_bytes;
    parts.ends_loaded = parts.held_ends->next();
    ends_used_ = 0;
    if (parts.ends_loaded == nullptr || parts.ends_loaded->offset != offset ||
        parts.ends_loaded->bytes.size() < end_bytes) {
      throw became_shorter(facts_.name, offset);
    }
  }
  std::uint64_t end;
  std::memcpy(&end, &parts.ends_loaded->bytes[ends_used_ * end_bytes], sizeof(end));
  ++ends_used_;
  row_end_ = check_end(next_node_, row_end_, end);
  ++next_node_;
  return row_end_;
}

void CsrSource::walk_locked(CsrRows& rows, std::uint64_t first_entry, std::uint64_t end_entry) {
  rows.begin(first_entry, row_end_ > first_entry);
  for (std::uint64_t entry = first_entry; entry < end_entry;) {
    while (row_end_ <= entry) {
      if (next_node_ == layout_.nodes) walk_rest_locked();
      next_end_locked();
    }
    entry = std::min(row_end_, end_entry);
    rows.add_run(next_node_ - 1, static_cast<std::size_t>(entry - first_entry));
  }
}

/// Follows the row ends of nodes without neighbours at the end, and checks that all entries were assigned.
void CsrSource::walk_rest_locked() {
  while (next_node_ < layout_.nodes) next_end_locked();
  if (row_end_ == layout_.entries) return;
  throw core::DataError::at_offset(
      facts_.name,
      layout_.ends_offset + (layout_.nodes - std::min<std::uint64_t>(layout_.nodes, 1)) * end_bytes,
      "the neighbours of all nodes end at " + std::to_string(row_end_) + ", expected " +
          std::to_string(layout_.entries));
}

std::vector<std::uint64_t> CsrSource::read_ends(std::uint64_t node, std::size_t count) {
  std::vector<std::uint64_t> ends(count);
  read_exactly(input_, layout_.ends_offset + node * end_bytes, std::as_writable_bytes(std::span(ends)));
  return ends;
}

/// A node at most sample_nodes before the node of `entry`, if the row ends are valid.
std::uint64_t CsrSource::node_of(std::uint64_t entry) {
  std::uint64_t first = 0;
  std::uint64_t last = layout_.nodes;
  while (last - first > sample_nodes) {
    const std::uint64_t middle = first + (last - first) / 2;
    if (read_ends(middle, 1)[0] <= entry) {
      first = middle + 1;
    } else {
      last = middle + 1;
    }
  }
  return first;
}

std::vector<std::byte> CsrSource::sample(const core::PairShape& shape, std::size_t count) {
  std::vector<std::byte> records;
  if (layout_.entries == 0) return records;
  const SamplePlan plan = plan_sample(layout_.entries, sample_places, count, environment_.seed);
  CsrRows rows(environment_.memory, facts_.name, layout_, shape, sample_entries);
  std::vector<std::byte> neighbours((sample_entries + 1) * layout_.entry_bytes);
  std::vector<std::byte> weights(sample_entries * layout_.own_weight_bytes());
  const auto read = [&](std::vector<std::byte>& part, std::uint64_t offset, std::uint64_t bytes) {
    read_exactly(input_, offset, std::span(part).first(bytes));
  };
  for (const std::uint64_t place : plan.places) {
    const std::uint64_t node = node_of(place);
    const auto ends = read_ends(node, std::min<std::uint64_t>(sample_nodes, layout_.nodes - node));
    rows.begin(place, false);
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < ends.size() && rows.entries() < sample_entries; ++i) {
      before = check_end(node + i, before, ends[i]);
      if (before <= place + rows.entries()) continue;
      rows.add_run(node + i,
                   static_cast<std::size_t>(std::min<std::uint64_t>(before - place, sample_entries)));
    }
    const std::uint64_t lead = place == 0 ? 0 : 1;
    read(neighbours, layout_.neighbours_offset + (place - lead) * layout_.entry_bytes,
         (rows.entries() + lead) * layout_.entry_bytes);
    if (!weights.empty()) {
      read(weights, layout_.weights_offset + place * layout_.weight_bytes,
           rows.entries() * layout_.weight_bytes);
    }
    take_sample(rows.make(neighbours.data(), weights.data()), shape, plan.records_per_place, records);
  }
  return records;
}

}  // namespace emgraph::graph::format
