// SPDX-License-Identifier: MIT
// Prints lines of an id and a floating-point value.
#pragma once

#include <cstdint>
#include <memory>

#include "apps/run/session.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/packing/text_output.hpp"

namespace emgraph::apps {

/// Lines "id value" to the output of the session, separated as those of edges: by a tab, in CSV by a comma.
/// The value is the shortest text that reads back the same. Memory: 64 KiB and that of the output. Throws:
/// UsageError (the output is not text), EnvironmentError, MemoryLimitError.
class RealLines {
 public:
  explicit RealLines(Session& session);
  void append(std::uint64_t id, double value);
  void finish();

 private:
  void flush();

  const std::unique_ptr<graph::format::TextOutput> output_;
  char separator_;
  core::Buffer lines_;
  char* at_;
};

}  // namespace emgraph::apps
