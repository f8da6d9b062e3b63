// SPDX-License-Identifier: MIT
// Outputs that are text: lines that may be packed, lines one by one, or one text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "apps/run/session.hpp"
#include "core/io/output_file.hpp"
#include "graph/format/packing/text_output.hpp"

namespace emgraph::apps {

/// Lines, packed if the name says so. `level`: of the packer. Throws: UsageError (it exists, without -f),
/// EnvironmentError, MemoryLimitError.
std::unique_ptr<graph::format::TextOutput> open_text(Session& session, const std::string& path,
                                                     const std::optional<int>& level = {});

/// Text in a file that is complete or absent. Throws: the same.
class TextFile {
 public:
  TextFile(Session& session, const std::string& path);
  void add(std::string_view text);
  void add_line(std::string_view line);
  void finish() { file_.finish(); }

 private:
  core::OutputFile file_;
};

/// Writes a whole text; nothing if the name is empty. Throws: the same.
void write_text(Session& session, const std::string& path, std::string_view text);

}  // namespace emgraph::apps
