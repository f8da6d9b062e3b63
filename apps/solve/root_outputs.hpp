// SPDX-License-Identifier: MIT
// Outputs of searches from several roots: {root} in a name stands for the root.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/command_line/options.hpp"
#include "apps/files/node_output.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/session.hpp"
#include "apps/run/summary_value.hpp"

namespace emgraph::apps {

/// The roots as given: labels, or ids, which may not have the suffixes K and M of counts.
std::vector<std::string> given_roots(const CommonOptions& options);
/// Root number `i`, as printed in the summary.
SummaryValue given_root(const CommonOptions& options, std::size_t i);

/// The original id or label of the root that a search has chosen; "" if roots were given or names are not
/// kept.
std::string default_root_name(Session& session, const CommonOptions& options, std::uint64_t root);

/// All checks of the outputs of searches from `roots` that are possible before any work. With several roots,
/// names need {root}. No roots: the search has a default one, whose name is not known yet. Throws UsageError.
void check_root_outputs(const CommonOptions& options, const std::vector<NamedOutput>& outputs,
                        const std::vector<std::string>& roots, const std::vector<std::string>& inputs);

/// The file for the search from `root`. `path`: as given by an option; `roots`: the nodes of given_roots().
NodeFile root_file(const CommonOptions& options, const std::string& path, std::uint64_t root,
                   const std::vector<std::uint64_t>& roots);

/// Throws the DataError of the run if the input is an empty file and its number of nodes is not given.
void require_some_nodes(const Plan& plan);

/// A result of a search: the value of its option, "" without it, and bytes per node.
struct RootResult {
  std::string path;
  std::size_t value_bytes;
};
/// Adds the files of all searches to a plan whose size is known.
void plan_root_outputs(const Session& session, const std::vector<RootResult>& results, Plan& plan);

}  // namespace emgraph::apps
