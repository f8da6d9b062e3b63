// SPDX-License-Identifier: MIT
// What a checkpoint keeps of a run of `pagerank`.
//
// Every state starts with a Place. Then follow: lists: the lists so far if they have begun, then the sort.
// rounds: the ranks, as a run or as an array; the lists are a state file. No rounds yet: no ranks. rows: the
// ranks as an array; the lists were made in memory, and are made again. If they do not fit when the run goes
// on, the ranks become a state file, and lists are written.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/function_ref.hpp"
#include "core/checkpoint/kept_state.hpp"
#include "graph/kept_values.hpp"
#include "graph/pagerank/fixed_point.hpp"
#include "graph/pagerank/range_plan.hpp"

namespace emgraph::graph::pagerank {

enum class Stage : std::uint64_t { lists = 1, rounds = 2, rows = 3 };

struct Place {
  Stage stage = Stage::lists;
  RangePlan plan;
  std::uint64_t listing = 0;  ///< lists: 1 if they have begun
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint64_t arcs = 0;
  core::StateFile lists;    ///< rounds
  core::StateFile started;  ///< the ranks of a run that went on from `rows`, until new ones are sealed
  ValuesAre ranks = ValuesAre::missing;
  std::uint64_t rounds = 0;
  double change = 0;  ///< of the last round
};

using KeptState = core::KeptState<Place>;

/// Seals states between rounds. Does nothing without a checkpoint.
class RoundKeeper {
 public:
  RoundKeeper(core::Checkpoint* checkpoint, const Place& place) : checkpoint_(checkpoint), place_(place) {}
  bool due() const { return checkpoint_ != nullptr && checkpoint_->due(); }
  /// Requires: due(). `save` writes the ranks. Throws core::Stopped.
  void seal(const Rounds& rounds, ValuesAre ranks, core::FunctionRef<void(core::StateWriter&)> save) {
    checkpoint_->drop(std::exchange(place_.started, {}));
    place_.ranks = ranks;
    place_.rounds = rounds.count();
    place_.change = rounds.change();
    checkpoint_->seal("rounds done: " + core::format_count(place_.rounds), [&](core::StateWriter& to) {
      to.value(place_);
      save(to);
    });
  }

 private:
  core::Checkpoint* checkpoint_;
  Place place_;
};

}  // namespace emgraph::graph::pagerank
