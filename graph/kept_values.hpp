// SPDX-License-Identifier: MIT
// Values of all nodes that rounds replace, in the states of a checkpoint: as an array in the state itself, or
// as a run, of which the state has the places.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/io/state_stream.hpp"

namespace emgraph::graph {

enum class ValuesAre : std::uint64_t { missing = 0, a_run = 1, an_array = 2 };

/// A run of values that every round replaces. A checkpoint uses the space of a run again at once if no
/// journal names it, and of a named one when a later journal names another.
class RoundValues {
 public:
  using Run = core::Run<std::uint64_t>;

  RoundValues() = default;
  /// A run that the journal names.
  explicit RoundValues(Run run) : run_(std::move(run)), named_(true) {}

  const Run& run() const { return run_; }
  /// A run that no journal names.
  static Run unnamed(Run run) {
    run.blocks.set_named(false);
    return run;
  }
  void replace(Run next) {
    if (std::exchange(named_, false)) before_ = std::move(run_);
    run_ = unnamed(std::move(next));
  }
  /// `write(save)` seals a state that has what save(writer) writes.
  template <class Write>
  void seal(Write&& write) {
    run_.blocks.set_named(true);
    write([&](core::StateWriter& to) { run_.save(to); });
    named_ = true;
    before_.blocks.set_named(false);
    before_ = Run();
  }

 private:
  Run run_;
  bool named_ = false;  ///< the journal names run_
  Run before_;          ///< an earlier run, which the journal names
};

/// The values that an earlier run has sealed. `Value`: of an array. Values of a run have 8 bytes.
template <class Value>
class KeptValues {
 public:
  KeptValues() = default;
  /// `state`: at the values, for which it must be kept if they are an array. Claims the space of a run.
  KeptValues(core::Environment& environment, ValuesAre are, core::StateReader* state)
      : are_(are), state_(state) {
    if (are == ValuesAre::a_run) run_ = RoundValues::Run::restored(environment, *state);
  }

  bool missing() const { return are_ == ValuesAre::missing; }
  /// Calls take(value) for nodes 0 … nodes - 1. Once. Requires: not missing.
  template <class Take>
  void for_each(core::Environment& environment, std::uint64_t nodes, Take&& take) {
    if (are_ == ValuesAre::a_run) {
      core::RunReader<std::uint64_t> reader(environment, run_, 1);
      for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
        for (const std::uint64_t value : batch) take(value);
      }
      return;
    }
    std::array<Value, 1024> values;
    for (std::uint64_t done = 0; done < nodes;) {
      const auto here = std::span(values).first(
          static_cast<std::size_t>(std::min<std::uint64_t>(values.size(), nodes - done)));
      state_->array(here);
      for (const Value value : here) take(std::uint64_t{value});
      done += here.size();
    }
  }
  /// The values as a run, written in blocks of `block_bytes` unless they are one. Once. Requires: not
  /// missing.
  RoundValues take_run(core::Environment& environment, std::uint64_t nodes, std::size_t block_bytes) {
    if (are_ == ValuesAre::a_run) return RoundValues(std::move(run_));
    core::RunWriter<std::uint64_t> writer(environment, block_bytes, 2);
    for_each(environment, nodes, [&](std::uint64_t value) { writer.push(value); });
    RoundValues values;
    values.replace(writer.finish());
    return values;
  }

 private:
  ValuesAre are_ = ValuesAre::missing;
  core::StateReader* state_ = nullptr;
  RoundValues::Run run_;
};

}  // namespace emgraph::graph
