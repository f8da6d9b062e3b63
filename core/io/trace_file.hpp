// SPDX-License-Identifier: MIT
// A trace that is written to a file.
#pragma once

#include <string>
#include <string_view>

#include "core/base/bytes.hpp"
#include "core/base/trace.hpp"
#include "core/io/output_file.hpp"
#include "core/io/statistics.hpp"
#include "core/memory/budget.hpp"

namespace emgraph::core {

/// The set gives the file its name when it is complete; an incomplete file is removed. Its own transfers are
/// neither in the trace nor in the statistics of the run. Memory, not charged to the run's budget: under 300
/// KiB, however long the run. Throws: as OutputFile.
class TraceFile final : private TraceOutput {
 public:
  TraceFile(const std::string& path, Overwrite overwrite, OutputSet& outputs)
      : file_(path, overwrite, memory_, statistics_, outputs), trace_(*this) {}

  Trace& trace() { return trace_; }
  /// `process`: name of the run in the trace. Requires: all spans have ended.
  void finish(const std::string& process) {
    trace_.finish(process);
    file_.finish();
  }

 private:
  void append(std::string_view json) override { file_.append(std::as_bytes(std::span(json))); }

  MemoryBudget memory_{MiB};  // small, so that OutputFile takes its smallest buffers
  IoStatistics statistics_;
  OutputFile file_;
  Trace trace_;
};

}  // namespace emgraph::core
