// SPDX-License-Identifier: MIT
// Names of outputs, and their checks.
#include "apps/solve/root_outputs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "apps/files/node_names.hpp"
#include "apps/run/words.hpp"
#include "core/base/error.hpp"
#include "graph/search_root.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;

constexpr std::string_view root_mark = "{root}";

bool names_root(const std::string& path) {
  return path.find(root_mark) != std::string::npos;
}

}  // namespace

std::vector<std::string> given_roots(const CommonOptions& options) {
  std::vector<std::string> names = options.asked_labels;
  for (const std::uint64_t id : options.asked_ids) names.push_back(std::to_string(id));
  return names;
}

void report_root(Report& report, const CommonOptions& options, std::uint64_t root) {
  report.count("root", root);
  if (options.labels && !options.asked_labels.empty()) {
    report.text("root_label", options.asked_labels.front());
  }
  if (options.relabel && !options.asked_ids.empty()) report.count("root_id", options.asked_ids.front());
}

void add_given_root(SummaryObject& search, const CommonOptions& options, std::size_t i) {
  if (options.labels && i < options.asked_labels.size()) search.set("root_label", options.asked_labels[i]);
  if (options.relabel && i < options.asked_ids.size()) search.set("root_id", options.asked_ids[i]);
}

std::string default_root_name(Session& session, const CommonOptions& options, std::uint64_t root) {
  if (!given_roots(options).empty()) return {};
  const std::vector<std::string> names = names_of(session, std::span(&root, 1));
  return names.empty() ? std::string() : names.front();
}

void check_root_outputs(const CommonOptions& options, const std::vector<NamedOutput>& outputs,
                        const std::vector<std::string>& roots, const std::vector<std::string>& inputs) {
  std::vector<std::string> sorted = roots;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
    throw UsageError(fmt::format("--root {} is given twice", *twice));
  }
  std::vector<NamedOutput> files;
  for (const auto& [option, path] : outputs) {
    if (path.empty()) continue;
    if (roots.size() > 1 && !names_root(path)) {
      throw UsageError(
          fmt::format("{}: several roots need a name with {{root}} in it, like levels-{{root}}.npy", path));
    }
    std::vector<std::string> names;
    for (const std::string& root : roots) {
      if (names_root(path) && root.find('/') != std::string::npos) {
        throw UsageError(fmt::format("{}: {{root}} cannot stand for {}, which has a slash", path, root));
      }
      names.push_back(replaced(path, root_mark, root));
    }
    if (roots.empty()) names.push_back(path);
    for (const std::string& name : names) {
      files.push_back({option, name});
      // The default root is not known yet; its file name is checked when it is opened.
      if (!names_root(name)) check_node_output(options, {name, path}, inputs);
    }
  }
  check_outputs_differ(files);
}

NodeFile root_file(const CommonOptions& options, const std::string& path, std::uint64_t root,
                   const std::vector<std::uint64_t>& roots) {
  const auto found = std::find(roots.begin(), roots.end(), root);
  const std::string name = found == roots.end()
                               ? std::to_string(root)
                               : given_roots(options)[static_cast<std::size_t>(found - roots.begin())];
  return {replaced(path, root_mark, name), path};
}

void require_some_nodes(const Plan& plan) {
  if (plan.size.file_bytes == 0 && !plan.size.nodes.value) graph::refuse_no_nodes(plan.input.text());
}

void plan_root_outputs(const Session& session, const std::vector<RootResult>& results, Plan& plan) {
  const std::vector<std::string> roots = given_roots(session.options());
  for (const auto& [path, value_bytes] : results) {
    if (path.empty()) continue;
    const auto bytes =
        planned_node_bytes(session, path, plan.size.nodes.value, value_bytes, value_characters(value_bytes));
    for (const std::string& root : roots) plan.outputs.push_back({replaced(path, root_mark, root), bytes});
    if (roots.empty()) plan.outputs.push_back({path, bytes});
  }
}

}  // namespace emgraph::apps
