// SPDX-License-Identifier: MIT
// Converts options to NodeWriterOptions.
#include "apps/files/node_output.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "apps/files/named_results.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/output_check.hpp"
#include "core/base/error.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/table/foreign.hpp"

namespace emgraph::apps {

namespace {

template <class T>
std::unique_ptr<graph::format::NodeWriter<T>> create(Session& session, const NodeFile& file,
                                                     const NodeContent& content,
                                                     graph::format::NodeWriterOptions create) {
  if (named(session, file)) return open_named_nodes<T>(session, file, content);
  create.format = node_format(session.options(), file);
  if (session.options().output_header) create.column_names = content.column_names;
  create.overwrite = overwrite(session.options());
  auto writer = graph::format::open_node_writer<T>(session.environment(), file.path, create);
  session.keep_open(file.path);
  return writer;
}

}  // namespace

std::string node_format(const CommonOptions& options, const NodeFile& file) {
  constexpr const char* names[] = {"npy", "tsv", "csv", "bin"};
  const auto known = [&](const std::string& name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
  };
  const std::string told = told_format(options, file.option_value);
  if (known(told)) return told;
  if (!told.empty()) {
    throw core::UsageError(fmt::format("--output-format: '{}' is not one of npy, tsv, csv, bin", told));
  }
  const std::string extension = graph::format::extension_of(file.path);
  if (known(extension)) return extension;
  if (extension == "txt") return "tsv";
  const bool packed = graph::format::packing_of_name(file.path) != graph::format::Packing::none;
  if (packed || graph::format::find_format(extension) != nullptr ||
      graph::format::foreign_format(extension) != nullptr) {
    throw core::UsageError(
        fmt::format("{}: results of nodes are written as .npy, .tsv, .csv, .txt or .bin, not as .{}{}",
                    file.path, extension, packed ? "; write text to - and pipe it through the packer" : ""));
  }
  return "npy";
}

void check_node_output(const CommonOptions& options, const NodeFile& file,
                       const std::vector<std::string>& inputs) {
  const std::string format = node_format(options, file);
  if (options.output_header && !is_node_text(format)) {
    throw core::UsageError(
        fmt::format("--output-header: {} is not text but {}, which has no header line", file.path, format));
  }
  check_output(file.path, inputs, options, !is_node_text(format));
}

template <class Id>
std::unique_ptr<graph::format::NodeWriter<Id>> create_node_list(Session& session, const NodeFile& file) {
  return create<Id>(session, file, {.kind = NodeContent::list}, {});
}

template <class Id>
std::unique_ptr<graph::format::NodeWriter<Id>> create_node_rows(Session& session, const NodeFile& file,
                                                                std::vector<std::string> column_names) {
  const std::uint64_t columns = column_names.size();
  return create<Id>(session, file,
                    {.kind = NodeContent::rows, .columns = columns, .column_names = std::move(column_names)},
                    {.columns = columns});
}

std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> create_node_counts(
    Session& session, const NodeFile& file, std::vector<std::string> column_names) {
  return create<std::uint64_t>(
      session, file, {.kind = NodeContent::counts, .columns = 2, .column_names = std::move(column_names)},
      {.columns = 2});
}

template <class T>
std::unique_ptr<graph::format::NodeWriter<T>> create_node_values(Session& session, const NodeFile& file,
                                                                 const std::optional<std::uint64_t>& nodes,
                                                                 bool floating) {
  return create<T>(session, file,
                   {.kind = NodeContent::values, .floating = floating, .column_names = {"node", "value"}},
                   {.count = nodes, .dense = true, .floating = floating});
}

template <class T>
std::unique_ptr<graph::format::NodeWriter<T>> create_node_links(Session& session, const NodeFile& file,
                                                                const std::optional<std::uint64_t>& nodes) {
  return create<T>(session, file, {.kind = NodeContent::links, .column_names = {"node", "value"}},
                   {.count = nodes, .dense = true});
}

template std::unique_ptr<graph::format::NodeWriter<std::uint32_t>> create_node_list(Session&,
                                                                                    const NodeFile&);
template std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> create_node_list(Session&,
                                                                                    const NodeFile&);
template std::unique_ptr<graph::format::NodeWriter<std::uint32_t>> create_node_rows(Session&, const NodeFile&,
                                                                                    std::vector<std::string>);
template std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> create_node_rows(Session&, const NodeFile&,
                                                                                    std::vector<std::string>);
template std::unique_ptr<graph::format::NodeWriter<std::uint32_t>> create_node_values(
    Session&, const NodeFile&, const std::optional<std::uint64_t>&, bool);
template std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> create_node_values(
    Session&, const NodeFile&, const std::optional<std::uint64_t>&, bool);
template std::unique_ptr<graph::format::NodeWriter<std::uint32_t>> create_node_links(
    Session&, const NodeFile&, const std::optional<std::uint64_t>&);
template std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> create_node_links(
    Session&, const NodeFile&, const std::optional<std::uint64_t>&);

}  // namespace emgraph::apps
