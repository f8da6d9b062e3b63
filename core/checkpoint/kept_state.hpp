// SPDX-License-Identifier: MIT
// The state of an earlier run, for commands whose states all start with the same record.
#pragma once

#include <memory>

#include "core/checkpoint/checkpoint.hpp"

namespace emgraph::core {

/// `Place`: the record at the start of every state. What follows it is left to `reader`.
template <class Place>
struct KeptState {
  std::unique_ptr<JournalReader> reader;  ///< null: there is no state
  Place place;

  /// Takes the state of `checkpoint`, which may be null.
  explicit KeptState(Checkpoint* checkpoint) {
    if (checkpoint == nullptr) return;
    reader = checkpoint->take_state();
    if (reader != nullptr) place = reader->template value<Place>();
  }
  /// True if there is a state, and it is of this stage. Requires: a Place has a stage.
  bool in(auto stage) const { return reader != nullptr && place.stage == stage; }
};

}  // namespace emgraph::core
