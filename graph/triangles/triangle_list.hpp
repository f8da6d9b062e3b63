// SPDX-License-Identifier: MIT
// Converts triangles of ranks to triples of ids.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/block/run.hpp"
#include "core/memory/buffer.hpp"
#include "graph/sinks.hpp"
#include "graph/triangles/degree_ranks.hpp"
#include "graph/triangles/external_ranks.hpp"
#include "graph/triangles/run_sort.hpp"
#include "graph/triangles/triple_sort.hpp"

namespace emgraph::graph::triangles {

/// Sends all triples, sorted, to the sink.
template <class Id>
void write_list(TripleSort& triples, NodeSink<Id>& sink) {
  std::array<Id, 3 * 1024> batch;
  triples.drain([&](std::span<const std::uint64_t> ids) {
    std::transform(ids.begin(), ids.end(), batch.begin(),
                   [](std::uint64_t id) { return static_cast<Id>(id); });
    sink.append(std::span<const Id>(batch.data(), ids.size()));
  });
}

/// The ids of the nodes with an edge, by rank. Memory: an Id each.
template <class Id>
core::Array<Id> ids_by_rank(core::MemoryBudget& budget, const DegreeRanks& ranks, std::uint64_t count) {
  core::Array<Id> ids(budget, static_cast<std::size_t>(count), "an id per node");
  for (std::uint64_t node = 0; node < ranks.size(); ++node) {
    if (ranks[node] != no_rank) ids[ranks[node]] = static_cast<Id>(node);
  }
  return ids;
}

/// Looks ids up in memory.
template <class Id>
class IdTriples final : public TriangleSink {
 public:
  IdTriples(core::Array<Id> ids, TripleSort& triples) : ids_(std::move(ids)), triples_(triples) {}
  void take(unsigned thread, Rank u, Rank v, std::span<const Rank> thirds) override {
    std::array<std::uint64_t, 256> ids;
    while (!thirds.empty()) {
      const std::size_t here = std::min(thirds.size(), ids.size());
      for (std::size_t i = 0; i < here; ++i) ids[i] = ids_[thirds[i]];
      triples_.push(thread, ids_[u], ids_[v], std::span(ids).first(here));
      thirds = thirds.subspan(here);
    }
  }

 private:
  const core::Array<Id> ids_;
  TripleSort& triples_;
};

/// Collects triples of ranks and converts them by sorting: by w, then v, then u, each time merged with the
/// ids by rank. I/O: three sorts of triples of ids. Memory: as given, then all free memory. Threads: all may
/// call `take`.
template <class Id>
class RankTriples final : public TriangleSink {
 public:
  RankTriples(core::Environment& environment, std::uint64_t ranks, std::size_t memory_bytes)
      : environment_(environment), ranks_(ranks), sorter_(make(std::nullopt, memory_bytes)) {}

  void take(unsigned thread, Rank u, Rank v, std::span<const Rank> thirds) override {
    auto lane = sorter_->lane(thread);
    for (const Rank w : thirds) lane.push(record(w, v, u));
  }

  /// Ends the input.
  std::unique_ptr<TripleSort> translate(const core::Run<Id>& ids, std::uint64_t nodes) {
    sorter_->finish();
    const std::uint64_t triples = sorter_->records();
    for (int round = 0; round < 2; ++round) {
      auto next = make(triples, environment_.memory.available() / 4 * 3);
      translate_keys(ids, [&](Id id, Id second, Id third) { next->lane(0).push(record(second, third, id)); });
      sorter_ = std::move(next);
      sorter_->finish();
    }
    auto sorted = make_triple_sort(environment_, nodes, triples, environment_.memory.available() / 4 * 3);
    translate_keys(ids, [&](Id id, Id second, Id third) {
      const std::uint64_t last = third;
      sorted->push(0, id, second, {&last, 1});
    });
    sorter_.reset();
    sorted->finish();
    return sorted;
  }

 private:
  // Ranks have 32 bits, so both widths of ids can hold them.
  using Sorter = RunSort<std::uint64_t, 2 * sizeof(Id)>;

  static typename Sorter::Record record(Id key, Id second, Id third) {
    typename Sorter::Record record;
    record.key = key;
    std::memcpy(record.attachment.data(), &second, sizeof second);
    std::memcpy(record.attachment.data() + sizeof second, &third, sizeof third);
    return record;
  }
  std::unique_ptr<Sorter> make(const std::optional<std::uint64_t>& triples, std::size_t memory_bytes) const {
    typename Sorter::Options options;
    options.range = {0, ranks_};
    options.records = triples;
    options.memory_bytes = memory_bytes;
    options.threads = environment_.threads;
    return std::make_unique<Sorter>(environment_, options);
  }

  /// Reads the sorter to its end: `visit(id of the key's rank, second, third)`.
  template <class Visit>
  void translate_keys(const core::Run<Id>& ids, Visit&& visit) {
    core::RunCursor<Id> id(environment_, ids);
    std::uint64_t at = 0;
    for (auto batch = sorter_->next(); !batch.empty(); batch = sorter_->next()) {
      for (const auto& triple : batch) {
        for (; at < triple.key; ++at) id.next();
        Id second = 0;
        Id third = 0;
        std::memcpy(&second, triple.attachment.data(), sizeof second);
        std::memcpy(&third, triple.attachment.data() + sizeof second, sizeof third);
        visit(*id, second, third);
      }
    }
  }

  core::Environment& environment_;
  const std::uint64_t ranks_;
  std::unique_ptr<Sorter> sorter_;
};

/// Combines several sinks; null if there is none.
class Sinks final : public TriangleSink {
 public:
  void add(TriangleSink* sink) {
    if (sink != nullptr) sinks_[count_++] = sink;
  }
  TriangleSink* get() { return count_ == 0 ? nullptr : this; }
  void take(unsigned thread, Rank u, Rank v, std::span<const Rank> thirds) override {
    for (std::size_t i = 0; i < count_; ++i) sinks_[i]->take(thread, u, v, thirds);
  }

 private:
  std::array<TriangleSink*, 2> sinks_{};
  std::size_t count_ = 0;
};

}  // namespace emgraph::graph::triangles
