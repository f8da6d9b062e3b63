// SPDX-License-Identifier: MIT
// The labels of nodes on the temporary disks, for results that name their nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/block/run_blocks.hpp"
#include "core/environment.hpp"
#include "graph/format/nodes/label_map.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::format {

/// Keeps labels until the results are written. I/O: writes each label once, with a line break. Memory: two
/// blocks until finish(), then 12 bytes per block. Threads: one. Throws: EnvironmentError, MemoryLimitError.
class KeptLabels final : public LabelSink {
 public:
  explicit KeptLabels(core::Environment& environment);
  void append(std::string_view label) override;
  /// Call it once, after the last label.
  void finish();
  /// The labels, as LabelMap reads them. This outlives it. Requires: finish() was called.
  std::unique_ptr<LabelMap> open() const;

 private:
  class Bytes;
  void put(std::string_view text);

  core::Environment& environment_;
  const std::size_t block_bytes_;
  std::optional<core::BlockWriter> writer_;
  std::size_t filled_ = 0;
  std::uint64_t bytes_ = 0;
  core::BlockList blocks_;
};

}  // namespace emgraph::graph::format
