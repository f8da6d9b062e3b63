// SPDX-License-Identifier: MIT
// Keeps a sort, and what its caller makes of the sorted keys, in a checkpoint.
//
// Problem: a run of hours that reads, sorts and scans edges is killed, and goes on in another process, with
// any memory and threads. Method: all threads stop reading when the period of the checkpoint is over; what
// they have read is on disk then, and the journal names every block with its seal. When all is read, the
// places of the blocks go to a state file. While the keys are consumed, the journal names the last key that
// was consumed and how many records of this key: key ranges below it are not sorted again. The caller adds
// what it knows to each state. I/O: as without a checkpoint, but every block is written once. Memory,
// threads: as without.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "core/base/integers.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::graph::prepare {

/// Writes a part of a state.
using SaveState = std::function<void(core::StateWriter&)>;

/// A state is: what `head` writes; the place of the sort; what `tail` writes, once keys are consumed. One
/// keeper belongs to one sort. Not thread-safe.
class SortKeeper {
 public:
  struct Options {
    SaveState head;                      ///< writes what the caller needs before it makes the sort
    core::StateReader* state = nullptr;  ///< of an earlier run, after what `head` wrote; null: from the start
    std::string phase = "sort";          ///< for people
    /// Called before a state is sealed while keys are consumed: may write state files. May be null.
    std::function<void()> prepare = {};
    /// Part of a period after which the edges read are kept at the end of reading, if none were kept before.
    /// Shorter readings are made again, with what was made of their keys.
    double kept_part = 0.1;
    bool seals_keys = true;  ///< false: no state while keys are consumed; all are consumed again
  };

  SortKeeper(core::Checkpoint& checkpoint, Options options)
      : checkpoint_(checkpoint),
        options_(std::move(options)),
        resumed_(options_.state != nullptr),
        sealed_(resumed_) {
    if (resumed_) place_ = options_.state->value<Place>();
  }

  /// True if a state of an earlier run is in use.
  bool resumed() const { return resumed_; }
  /// True if the earlier run had consumed some keys, and state() goes on with what `tail` wrote. Valid after
  /// fill().
  bool consuming() const { return consuming_; }
  /// Records that were consumed so far.
  std::uint64_t records() const { return consumed_; }
  /// The state of an earlier run, after the place of the sort; null if there is none.
  core::StateReader* state() const { return options_.state; }
  core::Checkpoint& checkpoint() const { return checkpoint_; }

  /// The bound of the ids of the earlier run. Requires: resumed().
  IdBound bound() const {
    if (place_.ids_below == 0) return {};
    return place_.guessed ? IdBound::guess(place_.ids_below) : IdBound(place_.ids_below);
  }
  /// An attempt begins.
  void begin(const IdBound& bound) {
    if (std::exchange(begun_, true)) start_again();
    place_.ids_below = bound.below.value_or(0);
    place_.guessed = bound.guessed;
  }
  /// To be called before lanes are opened.
  template <class Id>
  void seek(EdgeSource<Id>& source) const {
    if (!place_.sorted) seek_edge(source, place_.edges_read);
  }

  /// To be called with the new sorter, before it takes edges. True if the earlier run had read all edges:
  /// then the sorter is finished.
  template <core::IntegerKey Key>
  bool restore(core::DistributionSorter<Key>& sorter);
  /// Counted while the edges were read; after restore() by the earlier run.
  IngestFacts read() const { return {place_.edges_read, place_.largest_id}; }
  /// The pauses of the reading, `all` edges if that is known.
  template <core::IntegerKey Key>
  SealedReading reading(core::DistributionSorter<Key>& sorter, const std::optional<std::uint64_t>& all);
  /// All edges were read, and all lanes have finished.
  template <core::IntegerKey Key>
  void finish_reading(core::DistributionSorter<Key>& sorter, const IngestFacts& read);

  /// The records of a batch of the sorter that were not consumed before.
  template <class Key>
  std::span<const Key> fresh(std::span<const Key> batch) {
    if (!skipping_ || batch.empty()) return batch;
    const auto last = static_cast<Key>(last_);
    auto first = static_cast<std::size_t>(std::lower_bound(batch.begin(), batch.end(), last) - batch.begin());
    for (; skip_ > 0 && first < batch.size() && batch[first] == last; --skip_) ++first;
    skipping_ = first == batch.size();
    return batch.subspan(first);
  }
  /// A batch of fresh() was consumed. Seals a state if it is time; `done`: for people.
  template <core::IntegerKey Key>
  void consumed(core::DistributionSorter<Key>& sorter, std::span<const Key> batch, const std::string& what,
                const SaveState& tail);
  /// Ends the use of the sort: its list of blocks is not named by later states.
  void finish() { checkpoint_.drop(place_.list); }

 private:
  /// An attempt with a guessed bound has failed: what was sealed has keys that are too short.
  void start_again() {
    resumed_ = sealed_ = false;
    options_.state = nullptr;
    place_ = {};
    checkpoint_.start_again(checkpoint_.id_bytes());
  }
  struct Place {
    bool sorted = false;  ///< all edges are read
    std::uint64_t edges_read = 0;
    std::uint64_t largest_id = 0;
    std::uint64_t ids_below = 0;  ///< 0: no bound
    bool guessed = false;         ///< the bound is a guess
    core::StateFile list;         ///< the places of the blocks, if all edges are read
  };

  void note(const IngestFacts& read) {
    place_.edges_read = read.edges;
    place_.largest_id = read.largest_id;
  }
  std::string read_so_far(const std::optional<std::uint64_t>& all) const {
    return edges_read(options_.phase, place_.edges_read, all);
  }
  template <class Sorter>
  void seal(Sorter& sorter, const std::string& done, const SaveState& rest) {
    sealed_ = true;
    checkpoint_.seal(done, [&](core::StateWriter& to) {
      options_.head(to);
      to.value(place_);
      sorter.save_fan(to);
      rest(to);
    });
  }
  template <class Sorter>
  void seal_tail(Sorter& sorter, const std::string& what, const SaveState& tail) {
    seal(sorter, read_so_far(std::nullopt) + what, [&](core::StateWriter& to) {
      to.value(last_);
      to.value(equal_);
      to.value(consumed_);
      if (tail) tail(to);
    });
  }

  core::Checkpoint& checkpoint_;
  Options options_;
  bool resumed_;
  bool sealed_;  ///< a state has edges that were read
  bool begun_ = false;
  Place place_;
  core::uint128 last_ = 0;      ///< the last key that was consumed
  std::uint64_t equal_ = 0;     ///< records of this key that were consumed; 0: nothing was
  std::uint64_t consumed_ = 0;  ///< records of all keys that were consumed
  std::uint64_t skip_ = 0;      ///< records of this key that are still to come and were consumed
  bool skipping_ = false;       ///< records up to the last key may come
  bool consuming_ = false;
};

}  // namespace emgraph::graph::prepare
