// SPDX-License-Identifier: MIT
// Outputs of searches from several roots: {root} in a name stands for the root.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/command_line/options.hpp"
#include "apps/files/node_output.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "apps/run/summary_value.hpp"
#include "graph/sinks.hpp"

namespace emgraph::apps {

/// The roots as given: labels, or ids, which may not have the suffixes K and M of counts.
std::vector<std::string> given_roots(const CommonOptions& options);
/// The rows of the first root of a summary: its number `root`, and as given, if it is a label or original id.
void report_root(Report& report, const CommonOptions& options, std::uint64_t root);
/// Adds root number `i` to its entry in the list of searches, if it was given as a label or original id.
void add_given_root(SummaryObject& search, const CommonOptions& options, std::size_t i);

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

/// Files for the values and the parents of the nodes, for one search after another.
template <class Id, class Value>
class RootFiles {
 public:
  /// `values`, `parents`: as given by options; empty: not wanted. `roots`: as root_file.
  RootFiles(Session& session, std::string values, std::string parents, std::vector<std::uint64_t> roots)
      : session_(session),
        values_path_(std::move(values)),
        parents_path_(std::move(parents)),
        roots_(std::move(roots)) {}

  bool wants_values() const { return !values_path_.empty(); }
  bool wants_parents() const { return !parents_path_.empty(); }
  graph::NodeSink<Value>& open_values(std::uint64_t root, std::uint64_t nodes, bool floating = false) {
    values_ = create_node_values<Value>(session_, file(values_path_, root), nodes, floating);
    return *values_;
  }
  graph::NodeSink<Id>& open_parents(std::uint64_t root, std::uint64_t nodes) {
    parents_ = create_node_links<Id>(session_, file(parents_path_, root), nodes);
    return *parents_;
  }
  void close() {
    if (values_) values_->finish();
    if (parents_) parents_->finish();
    values_.reset();
    parents_.reset();
  }

 private:
  NodeFile file(const std::string& path, std::uint64_t root) const {
    return root_file(session_.options(), path, root, roots_);
  }

  Session& session_;
  const std::string values_path_;
  const std::string parents_path_;
  const std::vector<std::uint64_t> roots_;
  std::unique_ptr<graph::format::NodeWriter<Value>> values_;
  std::unique_ptr<graph::format::NodeWriter<Id>> parents_;
};

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
