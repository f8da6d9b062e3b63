// SPDX-License-Identifier: MIT
// Reads an input twice, whether it can be read again or not.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "core/block/run.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/prepare/spooled_source.hpp"

namespace emgraph::graph::triangles {

/// An input that is read twice; one that comes only once is spooled to the temporary disks meanwhile.
template <class R>
class TwoReadings {
 public:
  TwoReadings(core::Environment& environment, EdgeSource<R>& source)
      : environment_(environment), source_(source) {}

  /// First reading: `take(batch)` from any thread.
  template <class Take>
  prepare::IngestFacts first(const std::string& phase_name, const std::optional<std::uint64_t>& nodes,
                             Take&& take) {
    if (!source_.rewindable()) spool_.emplace(environment_, prepare::SpooledSource<R>::block_bytes, 4);
    core::Phase phase(environment_.progress, phase_name, source_.facts().edges.value_or(0), "edges");
    return prepare::ingest(prepare::open_lanes(environment_, source_), source_.facts().name, nodes, phase,
                           [&](unsigned, std::span<const R> batch) {
                             take(batch);
                             if (!spool_) return;
                             const std::lock_guard lock(mutex_);
                             spool_->append(batch);
                           });
  }
  EdgeSource<R>& second() {
    if (!spool_) {
      source_.rewind();
      return source_;
    }
    spooled_.emplace(environment_, source_.facts(), spool_->finish());
    spool_.reset();
    return *spooled_;
  }

 private:
  core::Environment& environment_;
  EdgeSource<R>& source_;
  std::mutex mutex_;
  std::optional<core::RunWriter<R>> spool_;
  std::optional<prepare::SpooledSource<R>> spooled_;
};

}  // namespace emgraph::graph::triangles
