// SPDX-License-Identifier: MIT
// What a checkpoint keeps of a run of `cdlp`.
//
// Every state starts with a Place. Then follow: lists: the lists so far if they have begun, then the sort.
// rounds: the labels, as a run or as an array; the lists are a state file. No rounds yet: no labels. rows:
// the labels as an array; the lists were made in memory, and are made again. If they do not fit when the run
// goes on, it begins again.
#pragma once

#include <cstdint>

#include "core/base/bytes.hpp"
#include "core/base/function_ref.hpp"
#include "core/checkpoint/kept_state.hpp"
#include "graph/cdlp/neighbour_lists.hpp"
#include "graph/kept_values.hpp"

namespace emgraph::graph::cdlp {

enum class Stage : std::uint64_t { lists = 1, rounds = 2, rows = 3 };

struct Place {
  Stage stage = Stage::lists;
  std::uint64_t listing = 0;  ///< lists: 1 if they have begun
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  ListFacts lists = {};
  core::StateFile list_file = {};  ///< rounds
  ValuesAre labels = ValuesAre::missing;
  std::uint64_t rounds = 0;
  std::uint64_t changed = 1;  ///< by the last round
};

using KeptState = core::KeptState<Place>;

/// Seals states between rounds. Does nothing without a checkpoint.
class RoundKeeper {
 public:
  RoundKeeper(core::Checkpoint* checkpoint, const Place& place) : checkpoint_(checkpoint), place_(place) {}
  bool due() const { return checkpoint_ != nullptr && checkpoint_->due(); }
  /// Requires: due(). `save` writes the labels. Throws core::Stopped.
  void seal(std::uint64_t rounds, std::uint64_t changed, ValuesAre labels,
            core::FunctionRef<void(core::StateWriter&)> save) {
    place_.labels = labels;
    place_.rounds = rounds;
    place_.changed = changed;
    checkpoint_->seal("rounds done: " + core::format_count(rounds), [&](core::StateWriter& to) {
      to.value(place_);
      save(to);
    });
  }

 private:
  core::Checkpoint* checkpoint_;
  Place place_;
};

/// The labels that rounds start from. Without any, each node has its own id.
template <class Id>
struct Start {
  std::uint64_t rounds = 0;   ///< done
  std::uint64_t changed = 1;  ///< labels by the last one
  KeptValues<Id> labels;
};

}  // namespace emgraph::graph::cdlp
