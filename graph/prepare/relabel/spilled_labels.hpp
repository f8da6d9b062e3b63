// SPDX-License-Identifier: MIT
// Numbers for the labels that a table has no room for.
//
// Problem: ends of edges whose labels are known by their hashes; numbers in the order of first appearance.
// Method: the spilled ends, counted 0, 1, 2, …, are sorted by (hash, end). The first end of each hash is
// where its label comes first; (first, end) pairs are sorted again, and a scan counts the firsts: that is the
// number of the label. (end, number) pairs are sorted back by end and meet the rows, which have a mark where
// an end was spilled. The texts of all spilled ends wait on the disks, those at the first places go to the
// map. No two keys are equal, so a label that occurs often is no special case.
//
// Two different labels of n fall together with a probability below n² / 2^89: of 10^9 labels 2 · 10^-9. Then
// they are one node, whatever the memory. The hash depends on the seed: a run with another --seed that gives
// the same n shows that it did not happen.
//
// I/O: with S spilled ends: up to three sorts of S pairs (16, 8 and 8 bytes below 2^32 ends), their labels
// once out and in if there is a map, the rows once in and out. Memory: what is free. Threads: one adds and
// joins, all sort. Throws: MemoryLimitError, EnvironmentError, DataError (2^40 spilled ends and more).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/environment.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "graph/edge_facts.hpp"
#include "graph/prepare/edge_keys.hpp"
#include "graph/prepare/relabel/label_spool.hpp"
#include "graph/prepare/relabel/row_run.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::relabel {

/// Stands in rows in place of a spilled end.
inline constexpr std::uint32_t spilled_end = ~std::uint32_t{0};

/// A hash whose number is to be told.
struct AskedLabel {
  core::uint128 hash = 0;
  std::optional<std::uint64_t> number;
};

class SpilledLabels {
 public:
  /// `keep_texts`: there is a map. Reserves little; add() takes what is free when it is called first.
  SpilledLabels(core::Environment& environment, bool keep_texts);

  /// The next end.
  void add(core::uint128 hash, std::string_view label);
  std::uint64_t ends() const { return ends_; }

  struct Numbered {
    RowRun rows;
    std::size_t id_bytes = 4;
    std::uint64_t nodes = 0;
  };
  /// Numbers the labels from `first_number` on. `facts`: of `rows`, which have ids of 4 bytes, spilled_end in
  /// place of each end that was added. `map` may be null.
  Numbered number(std::uint64_t first_number, const EdgeFacts& facts, RowRun rows,
                  std::span<AskedLabel> asked, LabelSink* map);

 private:
  using HashSorter = core::DistributionSorter<core::uint128>;
  template <class Key>
  using Sorter = core::DistributionSorter<Key>;

  void open();
  template <class Key>
  void find_firsts(const prepare::EdgeKeys<Key>& pairs, Sorter<Key>& by_first);
  template <class Key, class ValueKey>
  void count_firsts(const prepare::EdgeKeys<Key>& pairs, Sorter<Key>& by_first,
                    const prepare::EdgeKeys<ValueKey>& values, Sorter<ValueKey>& by_end);
  template <class ValueKey>
  RowRun fill_in(const prepare::EdgeKeys<ValueKey>& values, Sorter<ValueKey>& by_end, RowRunSource& rows,
                 format::RecordLane& lane, const EdgeLayout& layout);

  core::Environment& environment_;
  std::optional<LabelSpoolWriter> spool_;
  std::unique_ptr<HashSorter> by_hash_;
  std::uint64_t ends_ = 0;
  std::uint64_t next_number_ = 0;
  LabelSink* map_ = nullptr;
  std::span<AskedLabel> asked_;
  /// Where asked labels come first, by their places in asked_.
  std::vector<std::optional<std::uint64_t>> asked_firsts_;
};

}  // namespace emgraph::graph::relabel
