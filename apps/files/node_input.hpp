// SPDX-License-Identifier: MIT
// Tells node results from edges by their header.
#pragma once

#include <optional>
#include <string>

#include "apps/run/session.hpp"
#include "graph/format/raw/npy.hpp"

namespace emgraph::apps {

/// The header of `input` if it is an .npy file with one axis: a node result. Standard input is taken for
/// edges. Throws EnvironmentError, DataError (a damaged .npy header).
std::optional<graph::format::NpyHeader> node_result_header(Session& session, const std::string& input);

}  // namespace emgraph::apps
