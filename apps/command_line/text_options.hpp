// SPDX-License-Identifier: MIT
// The options that say how to read a text edge list.
#pragma once

#include <string>

#include "graph/format/text/text_options.hpp"

namespace CLI {
class App;
}

namespace emgraph::apps {

/// Text as parsed; nothing is checked yet.
struct TypedTextOptions {
  std::string columns;
  std::string weight_type;
  std::string skip_lines;
  std::string separator;
  std::string id_base;  ///< for other formats, too
};

/// `app` keeps pointers into `typed`.
void declare_text_options(CLI::App& app, TypedTextOptions& typed);

/// All but id_base. Throws UsageError with the name of the option.
graph::format::TextOptions text_options(const TypedTextOptions& typed);

}  // namespace emgraph::apps
