// SPDX-License-Identifier: MIT
// What a checkpoint keeps of a run of `cc`.
//
// Every state starts with a Place. Then follow: unite: the parents of all nodes in memory, none if they have
// outgrown it. distribute, contract, label: the plan of the ranges, what the ranges so far have left, and all
// pairs. The parents of a contracted range are a state file.
#pragma once

#include <cstdint>

#include "core/checkpoint/kept_state.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::graph::cc {

enum class Stage : std::uint64_t { unite = 1, distribute = 2, contract = 3, label = 4 };

struct Place {
  Stage stage = Stage::unite;
  std::uint64_t edges_read = 0;
  std::uint64_t largest_id = 0;
  std::uint64_t nodes = 0;  ///< n; unite: the number of parents
  std::uint64_t range = 0;  ///< contract: ranges still to contract; label: ranges labelled
  bool outgrown = false;    ///< unite: an id has come for which there is no memory

  prepare::IngestFacts read() const { return {edges_read, largest_id}; }
  static Place of(Stage stage, const prepare::IngestFacts& read, std::uint64_t nodes) {
    return {.stage = stage, .edges_read = read.edges, .largest_id = read.largest_id, .nodes = nodes};
  }
};

struct KeptState : core::KeptState<Place> {
  using core::KeptState<Place>::KeptState;
  bool in_ranges() const { return reader != nullptr && place.stage != Stage::unite; }
};

}  // namespace emgraph::graph::cc
