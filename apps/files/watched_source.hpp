// SPDX-License-Identifier: MIT
// A source that notes when its input is read again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "graph/edge_source.hpp"

namespace emgraph::apps {

/// Passes everything on to the inner source. Calls `note()` before a second reading.
class WatchedSource final : public graph::RecordSource {
 public:
  WatchedSource(std::shared_ptr<graph::RecordSource> inner, std::function<void()> note)
      : inner_(std::move(inner)), note_(std::move(note)) {}

  const graph::EdgeFacts& facts() const override { return inner_->facts(); }
  std::unique_ptr<graph::RecordLane> lane(const core::PairShape& shape) override {
    return inner_->lane(shape);
  }
  std::optional<std::uint64_t> edges_read() override { return inner_->edges_read(); }
  bool in_pieces() const override { return inner_->in_pieces(); }
  bool rewindable() const override { return inner_->rewindable(); }
  bool quick_to_reread() const override { return inner_->quick_to_reread(); }
  void expect_rereading() override { inner_->expect_rereading(); }
  void rewind() override {
    note_();
    inner_->rewind();
  }
  std::uint64_t seek(std::uint64_t edge) override { return inner_->seek(edge); }
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override {
    return inner_->sample(shape, count);
  }

 private:
  const std::shared_ptr<graph::RecordSource> inner_;
  const std::function<void()> note_;
};

}  // namespace emgraph::apps
