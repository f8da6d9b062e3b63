// SPDX-License-Identifier: MIT
// The options for reading text edge lists.
#pragma once

#include <optional>
#include <string>

#include "apps/command_line/option_set.hpp"
#include "graph/format/text/text_options.hpp"

namespace emgraph::apps {

/// As parsed; text is not checked yet.
struct TypedTextOptions {
  std::string columns;
  std::optional<graph::WeightType> weight_type;
  bool header = false;
  std::string skip_lines;
  std::string separator;
  bool skip_invalid = false;
  std::string missing_values;
  std::string id_base;  ///< for other formats, too
};

/// `options` keeps pointers into `typed`.
void declare_text_options(OptionSet& options, TypedTextOptions& typed);

/// All but id_base. Throws UsageError with the name of the option.
graph::format::TextOptions text_options(const TypedTextOptions& typed);

}  // namespace emgraph::apps
