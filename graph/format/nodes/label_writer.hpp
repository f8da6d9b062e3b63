// SPDX-License-Identifier: MIT
// Writes the labels of nodes 0, 1, 2, …: a line each.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/environment.hpp"
#include "core/io/output_file.hpp"
#include "core/memory/buffer.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::format {

/// Memory: 64 KiB and the output's. Not thread-safe. Destroyed without finish(): no output. Throws UsageError
/// (the output exists), EnvironmentError.
class LabelWriter final : public LabelSink {
 public:
  LabelWriter(core::Environment& environment, const std::string& path, core::Overwrite overwrite);
  void append(std::string_view label) override;
  void finish();

 private:
  core::OutputFile output_;
  core::Buffer lines_;
  std::size_t filled_ = 0;
};

}  // namespace emgraph::graph::format
