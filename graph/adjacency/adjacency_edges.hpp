// SPDX-License-Identifier: MIT
// An adjacency file as an edge source, for those that do not walk on it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "graph/adjacency/adjacency_file.hpp"
#include "graph/format/source/lane_places.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::adjacency {

/// Edges of an adjacency file, in order: sorted, unique, without loops, symmetric or directed.
/// Memory: the index, per lane two chunks and the edges of some pages; 8 bytes per chunk, not charged.
class AdjacencyEdges final : public format::RecordSource {
 public:
  AdjacencyEdges(core::Environment& environment, core::InputFile input, unsigned max_lanes);
  ~AdjacencyEdges() override;

  const EdgeFacts& facts() const override { return facts_; }
  const format::Metadata& metadata() const { return ends_.metadata; }
  const FileHeader& header() const { return ends_.header; }
  const FileFooter& footer() const { return ends_.footer; }

  std::unique_ptr<format::RecordLane> lane(const core::PairShape& shape) override;
  bool rewindable() const override { return true; }
  void rewind() override;
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class PagesBase;
  template <class Id>
  class Pages;
  PagesBase& pages_locked();

  core::Environment& environment_;
  std::shared_ptr<core::InputFile> input_;
  FileEnds ends_;
  EdgeFacts facts_;
  format::LanePlaces places_;
  std::mutex lane_mutex_;  // guards pages_
  std::unique_ptr<PagesBase> pages_;
};

}  // namespace emgraph::graph::adjacency
