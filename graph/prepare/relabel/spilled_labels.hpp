// SPDX-License-Identifier: MIT
// Numbers labels for which a table has no space.
//
// Problem: given the hashes of the labels of edge ends, number the labels in the order of their first
// occurrence. Method: three sorts. The spilled ends are counted 0, 1, 2, … and sorted by (hash, end). The
// first end of each hash is the first occurrence of its label. The (first, end) pairs are sorted; a scan
// counts the different values of first, and the count is the number of the label. The (end, number) pairs are
// sorted by end and merged with the rows, which have a mark in place of each spilled end. The texts of all
// spilled ends are stored on the temporary disks; those of first occurrences are copied to the map. No two
// keys are equal, so frequent labels need no special case.
//
// The probability that two of n different labels have equal hashes is below n² / 2^89; for 10^9 labels this
// is 2 · 10^-9. Such labels become one node, whatever the memory. The hash depends on the seed: if a run with
// another --seed gives the same n, no labels had equal hashes.
//
// I/O for S spilled ends: up to three sorts of S pairs (16, 8 and 8 bytes below 2^32 ends); with a map their
// labels are written and read once; the rows are read and written once. Memory: all free memory. Threads: one
// adds and joins, all sort. Throws: MemoryLimitError, EnvironmentError, DataError (2^40 spilled ends or
// more).
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

/// The mark in rows in place of a spilled end.
inline constexpr std::uint32_t spilled_end = ~std::uint32_t{0};

/// The hash of a label whose number the caller needs.
struct AskedLabel {
  core::uint128 hash = 0;
  std::optional<std::uint64_t> number;
};

class SpilledLabels {
 public:
  /// `keep_texts`: there is a map. Reserves little; the first call of add() takes all free memory.
  SpilledLabels(core::Environment& environment, bool keep_texts);

  /// Adds the next spilled end.
  void add(core::uint128 hash, std::string_view label);
  std::uint64_t ends() const { return ends_; }

  struct Numbered {
    RowRun rows;
    std::size_t id_bytes = 4;
    std::uint64_t nodes = 0;
  };
  /// Numbers the labels from `first_number` on. `rows`: edges with ids of 4 bytes, and spilled_end in place
  /// of each end that was added. `facts`: of `rows`. `map` may be null.
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
  /// The first ends with the labels of asked_, in the order of asked_.
  std::vector<std::optional<std::uint64_t>> asked_firsts_;
  std::vector<std::size_t> asked_order_;  ///< indices of asked_, by hash and then by first end
};

}  // namespace emgraph::graph::relabel
