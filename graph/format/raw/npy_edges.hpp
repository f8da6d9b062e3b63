// SPDX-License-Identifier: MIT
// Edges as a NumPy array of m x 2 integers.
#pragma once

#include <memory>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/raw/raw_writer.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {

/// Reads arrays of <u4, <u8, <i4, <i8: m x 2, or m x 3 with a weight (u32 of 4-byte items, i64 of 8-byte
/// ones). A negative id, and a weight that its type here cannot hold, are DataErrors when they are met.
std::unique_ptr<RecordSource> open_npy_edges(core::Environment& environment, core::InputFile input,
                                             unsigned max_lanes);

/// Writes ids alone. Where the header cannot be rewritten (pipes), facts.edges must be set: UsageError
/// otherwise.
class NpyEdgeWriter final : public RawWriter {
 public:
  NpyEdgeWriter(std::unique_ptr<core::OutputFile> output, const EdgeFacts& facts);
  void finish() override;

 private:
  const EdgeFacts facts_;
};

}  // namespace emgraph::graph::format
