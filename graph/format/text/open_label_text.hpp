// SPDX-License-Identifier: MIT
// Text edge lists whose columns are labels, by options and names.
#pragma once

#include <memory>
#include <string>

#include "core/environment.hpp"
#include "graph/format/table/format.hpp"
#include "graph/format/text/label_text.hpp"

namespace emgraph::graph::format {

/// `input`: a path or "-". Columns are separated as the options say, else by commas in .csv, by tabs in .tsv,
/// by blanks elsewhere. Throws UsageError (not a text edge list), DataError, EnvironmentError.
std::unique_ptr<LabelText> open_label_text(core::Environment& environment, const std::string& input,
                                           const OpenOptions& options);

}  // namespace emgraph::graph::format
