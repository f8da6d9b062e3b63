// SPDX-License-Identifier: MIT
// Adjacency files as one of the edge formats, for commands that read edges and do not search.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "graph/format/adjacency/adjacency_file.hpp"
#include "graph/format/source/laned_source.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::graph::adjacency {

bool is_adjacency(const format::FileStart& start);
format::Opened open_adjacency(core::Environment& environment, core::InputFile input,
                              const format::Format& format, const format::OpenOptions& options);
std::unique_ptr<format::EdgeWriter> create_adjacency(const format::Creation& creation,
                                                     const format::Format& format);

/// The edges of an adjacency file, sorted, unique, without loops, symmetric or directed.
/// Memory: the index; per lane two chunks and the edges of some pages; 8 bytes per chunk, not charged.
class AdjacencyEdges final : public format::LanedSource {
 public:
  AdjacencyEdges(core::Environment& environment, core::InputFile input, unsigned max_lanes);
  ~AdjacencyEdges() override;

  const format::Metadata& metadata() const { return ends_.metadata; }
  const FileHeader& header() const { return ends_.header; }
  const FileFooter& footer() const { return ends_.footer; }

  bool in_pieces() const override { return true; }
  bool rewindable() const override { return true; }
  void rewind() override;
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class PagesBase;
  template <class Id>
  class Pages;
  std::unique_ptr<format::WorkingLane> make_lane(const core::PairShape& shape) override;
  PagesBase& pages();

  std::shared_ptr<core::InputFile> input_;
  FileEnds ends_;
  std::unique_ptr<PagesBase> pages_;
};

}  // namespace emgraph::graph::adjacency
