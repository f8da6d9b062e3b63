// SPDX-License-Identifier: MIT
// Makes an input that comes only once (a pipe) readable a second time.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/block/run.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::graph::prepare {

/// Edges that were written to a run on the temporary disks, as a source that is consumed by reading.
/// I/O: each edge once in. Memory: a few blocks, and a block per lane.
template <class R>
class SpooledSource final : public EdgeSource<R> {
 public:
  static constexpr std::size_t block_bytes = 256 * 1024;

  SpooledSource(core::Environment& environment, EdgeFacts facts, core::Run<R> run)
      : environment_(environment), facts_(std::move(facts)), reader_(environment, std::move(run), 2) {}

  const EdgeFacts& facts() const override { return facts_; }
  std::unique_ptr<EdgeLane<R>> lane() override { return std::make_unique<Lane>(*this); }
  bool rewindable() const override { return false; }
  void rewind() override {}
  std::vector<R> sample(std::size_t) override { return {}; }

 private:
  class Lane final : public EdgeLane<R> {
   public:
    explicit Lane(SpooledSource& source)
        : source_(source),
          batch_(source.environment_.memory, core::Run<R>::records_per_block(block_bytes), "spooled edges") {}
    std::span<const R> next() override {
      const std::lock_guard lock(source_.mutex_);
      const std::span<const R> block = source_.reader_.next();
      std::copy(block.begin(), block.end(), batch_.data());
      first_edge_ = source_.edges_;
      source_.edges_ += block.size();
      return {batch_.data(), block.size()};
    }
    std::uint64_t first_edge() const override { return first_edge_; }

   private:
    SpooledSource& source_;
    core::Array<R> batch_;
    std::uint64_t first_edge_ = 0;
  };

  core::Environment& environment_;
  const EdgeFacts facts_;
  std::mutex mutex_;
  core::RunReader<R> reader_;
  std::uint64_t edges_ = 0;
};

/// An input that is read twice; one that comes only once is spooled to the temporary disks meanwhile.
template <class R>
class TwoReadings {
 public:
  TwoReadings(core::Environment& environment, EdgeSource<R>& source)
      : environment_(environment), source_(source) {}

  /// First reading: `take(batch)` from any thread.
  template <class Take>
  IngestFacts first(const std::string& phase_name, const std::optional<std::uint64_t>& nodes, Take&& take) {
    if (!source_.rewindable()) spool_.emplace(environment_, SpooledSource<R>::block_bytes, 4);
    core::Phase phase(environment_.progress, phase_name, source_.facts().edges.value_or(0), "edges");
    return ingest(open_lanes(environment_, source_), source_.facts().name, nodes, phase,
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
  std::optional<SpooledSource<R>> spooled_;
};

}  // namespace emgraph::graph::prepare
