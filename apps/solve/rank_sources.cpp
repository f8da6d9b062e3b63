// SPDX-License-Identifier: MIT
// Reads the list of --sources: numbers as any list of nodes, labels line by line. A binary list beside
// --relabel or --labels has the numbers of the result.
#include "apps/solve/rank_sources.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "apps/files/listed_names.hpp"
#include "apps/files/node_list.hpp"
#include "apps/files/relabelled_input.hpp"
#include "core/base/error.hpp"
#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::apps {

void RankSources::hold(Session& session, std::size_t bytes) {
  constexpr const char* what = "the nodes of --sources";
  if (held_.bytes() == 0) held_ = session.environment().memory.reserve(0, what);
  if (bytes > held_.bytes()) held_.resize(std::max(bytes, held_.bytes() + held_.bytes() / 2), what);
}

void RankSources::read(Session& session) {
  if (file_.empty()) return;
  constexpr std::size_t bytes_per_number = 32;  // the list, its growing copies, and its nodes
  constexpr std::size_t bytes_per_name = 160;   // also a place in the tables of --relabel or --labels
  const bool renumbered = session.options().labels || session.options().relabel;
  std::error_code ignored;
  numbers_ = renumbered && std::filesystem::is_regular_file(file_, ignored) && !is_text_list(file_);
  if (session.options().labels && !numbers_) {
    std::vector<std::string> labels;
    const ListedNames listed(file_);
    std::size_t bytes = 0;
    for_each_line(session, file_, [&](std::string line) {
      if (line.empty()) return;
      bytes += bytes_per_name + line.size();
      hold(session, bytes);
      labels.push_back(listed.name(line));
    });
    return session.ask_for_labels(std::move(labels));
  }
  std::vector<std::uint64_t> ids;
  const auto reader = graph::format::open_node_reader(session.environment(), file_, {});
  for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) {
    const std::size_t count = ids.size() + batch.size();
    hold(session, count * (session.options().relabel ? bytes_per_name : bytes_per_number));
    ids.insert(ids.end(), batch.begin(), batch.end());
  }
  if (numbers_) {
    nodes_ = std::move(ids);
  } else {
    session.ask_for(std::move(ids));
  }
}

std::span<const std::uint64_t> RankSources::nodes(const Session& session, const std::string& input) {
  if (file_.empty()) return {};
  try {
    if (!numbers_) nodes_ = asked_nodes(session, file_ + ": source", input);
  } catch (const core::UsageError& error) {
    throw core::DataError(error.what());  // the list is at fault
  }
  std::ranges::sort(nodes_);
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  if (nodes_.empty()) throw core::DataError::in_file(file_, "no node found, expected one or more");
  return nodes_;
}

}  // namespace emgraph::apps
