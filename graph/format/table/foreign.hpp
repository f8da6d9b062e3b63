// SPDX-License-Identifier: MIT
// Formats of other programs that are neither read nor written, and the tools that convert them.
#pragma once

#include <string>
#include <string_view>

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// A format that is known by name or by its first bytes.
struct ForeignFormat {
  std::string_view name;
  /// Extensions, separated by blanks.
  std::string_view extensions = {};
  /// True if the start of a file has this format. Null: only the extension tells, of text.
  bool (*recognizes)(const FileStart& start) = nullptr;
  /// True: files may lack what `recognizes` looks for; then the extension tells.
  bool mark_optional = false;
  /// How to make of it something that can be read.
  std::string_view advice = {};
};

/// The format with this extension; nullptr if there is none.
const ForeignFormat* foreign_format(std::string_view extension);

/// The format of a file by its first bytes, else by its extension; nullptr if there is none.
const ForeignFormat* foreign_format(const FileStart& start);

}  // namespace emgraph::graph::format
