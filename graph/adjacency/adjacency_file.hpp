// SPDX-License-Identifier: MIT
// Reads an adjacency file: for solvers as a paged adjacency, for everybody else as an edge source.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "graph/adjacency/adjacency_layout.hpp"
#include "graph/adjacency/page_scan.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/format/lane_places.hpp"
#include "graph/format/metadata.hpp"
#include "graph/format/record_source.hpp"

namespace emgraph::graph::adjacency {

/// The ends of an adjacency file, checked. Throws UsageError for what is no regular file, DataError.
struct FileEnds {
  FileHeader header;
  FileFooter footer;
  format::Metadata metadata;
};
FileEnds read_ends(core::InputFile& input);

/// Reads and checks the index; Id must be as wide as the header says. Memory: the index.
template <class Id>
PageIndex<Id> read_index(core::Environment& environment, core::InputFile& input, const FileEnds& ends);

/// The kept adjacency of a file. Throws as read_ends, EnvironmentError, MemoryLimitError.
template <class Id>
std::unique_ptr<PagedAdjacency<Id>> open_adjacency(core::Environment& environment, const std::string& path);

/// Edges of an adjacency file, in order: sorted, unique, without loops, symmetric or directed.
/// Memory: the index, per lane two chunks and the edges of some pages; 8 bytes per chunk, not charged.
class AdjacencyFile final : public format::RecordSource {
 public:
  AdjacencyFile(core::Environment& environment, core::InputFile input, unsigned max_lanes);
  ~AdjacencyFile() override;

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

  core::Environment& environment_;
  std::shared_ptr<core::InputFile> input_;
  FileEnds ends_;
  EdgeFacts facts_;
  format::LanePlaces places_;
  std::mutex lane_mutex_;  // guards the making of pages_
  std::unique_ptr<PagesBase> pages_;
};

}  // namespace emgraph::graph::adjacency
