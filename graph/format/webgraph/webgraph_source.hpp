// SPDX-License-Identifier: MIT
// Reads the arcs of a WebGraph file, in order.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/environment.hpp"
#include "core/io/extent_reader.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/source/held_extent.hpp"
#include "graph/format/source/laned_source.hpp"
#include "graph/format/webgraph/successor_decoder.hpp"

namespace emgraph::graph::format {

/// The start of a list depends on all bits before it. So lanes decode in turn, each into its own edges; the
/// further processing of edges runs in parallel. Memory: per lane at most 32 Ki edges, some pieces of the
/// file read ahead, and the lists of SuccessorDecoder.
class WebgraphSource final : public LanedSource {
 public:
  /// Requires: a regular file.
  WebgraphSource(core::Environment& environment, core::InputFile input, const WebgraphProperties& properties,
                 unsigned max_lanes);
  ~WebgraphSource() override;

  bool rewindable() const override { return true; }
  void rewind() override;
  /// There is no random access, so a sample decodes the whole file. It does so only if the edges do not fit
  /// into memory, because sorting them without a sample costs more. Measured: mis of cnr-2000 (3.2 M arcs) at
  /// -M 16M: 0.16 to 0.22 s with the sample (five runs), 0.32 to 0.40 s without (three runs).
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  std::unique_ptr<WorkingLane> make_lane(const core::PairShape& shape) override;
  struct Reading;
  std::size_t fill(const core::PairShape& shape, std::span<std::byte> rows, std::uint64_t& first_edge);
  template <class RowId>
  std::size_t fill_rows(const core::PairShape& shape, std::span<std::byte> rows);

  core::InputFile input_;
  const WebgraphProperties properties_;
  std::size_t batch_edges_ = 0;
  std::mutex mutex_;  // guards the members below
  std::unique_ptr<Reading> reading_;
  std::span<const std::uint64_t> left_;  // remaining successors of the last decoded node
  std::uint64_t edges_ = 0;              // number of edges returned
  bool ended_ = false;
};

}  // namespace emgraph::graph::format
