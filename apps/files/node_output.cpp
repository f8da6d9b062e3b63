// SPDX-License-Identifier: MIT
// Converts options to NodeWriterOptions.
#include "apps/files/node_output.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "apps/files/named_results.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/output_check.hpp"
#include "core/base/error.hpp"
#include "graph/format/table/extension.hpp"

namespace emgraph::apps {

namespace {

/// Extensions of files that are no node results.
constexpr std::array other_extensions = {
    "json", "jsonl", "parquet", "arrow", "feather", "npz",     "xlsx", "gz",  "zst", "bz2", "xz",   "zip",
    "h5",   "orc",   "mat",     "gexf",  "gml",     "graphml", "html", "emg", "adj", "mtx", "graph"};

template <class T>
std::unique_ptr<graph::format::NodeWriter<T>> create(Session& session, const NodeFile& file,
                                                     const NodeContent& content,
                                                     graph::format::NodeWriterOptions create) {
  if (named(session, file)) return open_named_nodes<T>(session, file, content);
  create.format = node_format(session.options(), file);
  create.overwrite = overwrite(session.options());
  auto writer = graph::format::open_node_writer<T>(session.environment(), file.path, create);
  session.keep_open(file.path);
  return writer;
}

}  // namespace

std::string node_format(const CommonOptions& options, const NodeFile& file) {
  const std::string told = told_format(options, file.option_value);
  if (told == "npy" || told == "tsv" || told == "csv" || told == "bin") return told;
  if (!told.empty()) {
    throw core::UsageError(fmt::format("--output-format: '{}' is not one of npy, tsv, csv, bin", told));
  }
  const std::string extension = graph::format::extension_of(file.path);
  if (std::find(other_extensions.begin(), other_extensions.end(), extension) != other_extensions.end()) {
    throw core::UsageError(
        fmt::format("{}: node results are .npy, .tsv, .csv, .txt or .bin, not .{}; --output-format says "
                    "which, if the name must not",
                    file.path, extension));
  }
  if (extension == "csv" || extension == "bin") return extension;
  return extension == "tsv" || extension == "txt" ? "tsv" : "npy";
}

void check_node_output(const CommonOptions& options, const NodeFile& file,
                       const std::vector<std::string>& inputs) {
  check_output(file.path, inputs, options,
               node_format(options, file) != "tsv" && node_format(options, file) != "csv");
}

template <class Id>
std::unique_ptr<graph::format::NodeWriter<Id>> create_node_list(Session& session, const NodeFile& file) {
  return create<Id>(session, file, {.kind = NodeContent::list}, {});
}

template <class Id>
std::unique_ptr<graph::format::NodeWriter<Id>> create_node_rows(Session& session, const NodeFile& file,
                                                                std::uint64_t columns) {
  return create<Id>(session, file, {.kind = NodeContent::rows, .columns = columns}, {.columns = columns});
}

std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> create_node_counts(Session& session,
                                                                             const NodeFile& file) {
  return create<std::uint64_t>(session, file, {.kind = NodeContent::counts, .columns = 2}, {.columns = 2});
}

template <class T>
std::unique_ptr<graph::format::NodeWriter<T>> create_node_values(Session& session, const NodeFile& file,
                                                                 const std::optional<std::uint64_t>& nodes,
                                                                 bool floating) {
  return create<T>(session, file, {.kind = NodeContent::values, .floating = floating},
                   {.count = nodes, .dense = true, .floating = floating});
}

template <class T>
std::unique_ptr<graph::format::NodeWriter<T>> create_node_links(Session& session, const NodeFile& file,
                                                                const std::optional<std::uint64_t>& nodes) {
  return create<T>(session, file, {.kind = NodeContent::links}, {.count = nodes, .dense = true});
}

template std::unique_ptr<graph::format::NodeWriter<std::uint32_t>> create_node_list(Session&,
                                                                                    const NodeFile&);
template std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> create_node_list(Session&,
                                                                                    const NodeFile&);
template std::unique_ptr<graph::format::NodeWriter<std::uint32_t>> create_node_rows(Session&, const NodeFile&,
                                                                                    std::uint64_t);
template std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> create_node_rows(Session&, const NodeFile&,
                                                                                    std::uint64_t);
template std::unique_ptr<graph::format::NodeWriter<std::uint32_t>> create_node_values(
    Session&, const NodeFile&, const std::optional<std::uint64_t>&, bool);
template std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> create_node_values(
    Session&, const NodeFile&, const std::optional<std::uint64_t>&, bool);
template std::unique_ptr<graph::format::NodeWriter<std::uint32_t>> create_node_links(
    Session&, const NodeFile&, const std::optional<std::uint64_t>&);
template std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> create_node_links(
    Session&, const NodeFile&, const std::optional<std::uint64_t>&);

}  // namespace emgraph::apps
