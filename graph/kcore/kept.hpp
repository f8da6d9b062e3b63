// SPDX-License-Identifier: MIT
// What a checkpoint keeps of a run of `kcore` on pages: the adjacency (kept_search.hpp), then the number of
// rounds, and the estimates as a run or as an array. Estimates of either search serve the other one: they are
// never below the core numbers. Peeling keeps the adjacency only.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/bytes.hpp"
#include "core/base/function_ref.hpp"
#include "core/checkpoint/journal.hpp"
#include "core/environment.hpp"
#include "graph/kept_values.hpp"
#include "graph/prepare/adjacency/kept_search.hpp"

namespace emgraph::graph::kcore {

/// What a search starts from. Without estimates, with the degrees.
struct Start {
  std::uint64_t rounds = 0;  ///< done
  KeptValues<std::uint32_t> estimates;

  Start() = default;
  /// `state`: of an earlier run, which must be kept; may be null.
  Start(core::Environment& environment, core::StateReader* state) {
    if (state == nullptr) return;
    rounds = state->value<std::uint64_t>();
    const auto are = state->value<ValuesAre>();
    estimates = KeptValues<std::uint32_t>(environment, are, state);
  }
};

/// Seals states between rounds. Does nothing without a checkpoint.
template <class Id>
class RoundKeeper {
 public:
  /// `kept`: null without a checkpoint.
  explicit RoundKeeper(adjacency::KeptSearch<Id>* kept) : kept_(kept) {}
  bool due() const { return kept_ != nullptr && kept_->due(); }
  /// Requires: due(). `save` writes the estimates. Throws core::Stopped.
  void seal(std::uint64_t rounds, ValuesAre are, core::FunctionRef<void(core::StateWriter&)> save) {
    kept_->seal("rounds done: " + core::format_count(rounds), [&](core::StateWriter& to) {
      to.value(rounds);
      to.value(are);
      save(to);
    });
  }

 private:
  adjacency::KeptSearch<Id>* const kept_;
};

}  // namespace emgraph::graph::kcore
