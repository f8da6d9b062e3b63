// SPDX-License-Identifier: MIT
// Decides whether names are needed, and looks up the names of a few nodes.
#include "apps/files/node_names.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/numbers/number_text.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/table/extension.hpp"

namespace emgraph::apps {

namespace {

bool may_be_named(const CommonOptions& options) {
  return options.ids == ShownIds::original && (options.labels || options.relabel);
}

/// Lists of edges as text. Formats with a header or for other programs (.mtx, .gr, .el, .wel) have numbers.
bool text_of_edges(const CommonOptions& options, const std::string& path) {
  const std::string told = told_format(options, path);
  const std::string called =
      told.empty() ? graph::format::extension_of(graph::format::unpacked_name(path)) : told;
  return called == "txt" || called == "tsv" || called == "csv" || called == "text";
}

}  // namespace

void keep_names(CommonOptions& options, const std::vector<std::string>& outputs, bool summary) {
  if (!may_be_named(options)) return;
  options.keep_names = options.keep_names || summary;
  for (const std::string& output : outputs) {
    if (!output.empty() && is_node_text(node_format(options, output))) options.keep_names = true;
  }
}

void keep_edge_names(CommonOptions& options, const std::vector<std::string>& outputs) {
  if (!may_be_named(options)) return;
  for (const std::string& output : outputs) {
    if (!output.empty() && text_of_edges(options, output)) options.keep_names = true;
  }
}

void refuse_named_results(const CommonOptions& options, const std::vector<std::string>& results) {
  if (!may_be_named(options)) return;
  for (const std::string& result : results) {
    if (result.empty() || !text_of_edges(options, result)) continue;
    throw core::UsageError(
        result + ": text has " + (options.labels ? "labels" : "original ids") +
        " here, and a check takes numbers; write the result as .npy or .bin, or with --ids "
        "numbers, and give --ids numbers to the check, too");
  }
}

void NameSink::append(std::string_view label) {
  if (labels_ != nullptr) labels_->append(label);
  if (kept_ != nullptr) kept_->append(label);
}

void NameSink::append(std::span<const std::uint64_t> ids) {
  if (ids_ != nullptr) ids_->append(ids);
  if (kept_ == nullptr) return;
  for (const std::uint64_t id : ids) {
    char text[graph::format::longest_number_bytes];
    const char* const end = std::to_chars(text, text + sizeof(text), id).ptr;
    kept_->append({text, static_cast<std::size_t>(end - text)});
  }
}

std::vector<std::string> names_of(Session& session, std::span<const std::uint64_t> nodes) {
  if (session.names() == nullptr || nodes.empty()) return {};
  std::vector<std::uint64_t> sorted(nodes.begin(), nodes.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<std::string> fetched;
  session.names()->open()->fetch(sorted, [&](std::string_view label) {
    fetched.emplace_back(label);
    return true;
  });
  std::vector<std::string> names;
  for (const std::uint64_t node : nodes) {
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), node) - sorted.begin();
    names.push_back(fetched[static_cast<std::size_t>(place)]);
  }
  return names;
}

SummaryValue name_value(const Session& session, const std::string& name) {
  if (session.options().labels) return name;
  std::uint64_t id = 0;
  std::from_chars(name.data(), name.data() + name.size(), id);
  return id;
}

std::string name_key(const Session& session, const std::string& node_key) {
  return node_key + (session.options().labels ? "_label" : "_id");
}

bool named(const Session& session, const NodeFile& file) {
  return session.names() != nullptr && is_node_text(node_format(session.options(), file));
}

bool named_edges(const Session& session, const std::string& path) {
  return session.names() != nullptr && text_of_edges(session.options(), path);
}

}  // namespace emgraph::apps
