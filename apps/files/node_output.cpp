// SPDX-License-Identifier: MIT
// Converts options to NodeWriterOptions.
#include "apps/files/node_output.hpp"

#include <fmt/core.h>

#include "apps/files/output_check.hpp"
#include "core/base/error.hpp"
#include "graph/format/table/extension.hpp"

namespace emgraph::apps {

namespace {

template <class T>
std::unique_ptr<graph::format::NodeWriter<T>> create(Session& session, const NodeFile& file,
                                                     graph::format::NodeWriterOptions create) {
  create.format = node_format(session.options(), file);
  create.overwrite = overwrite(session.options());
  auto writer = graph::format::open_node_writer<T>(session.environment(), file.path, create);
  session.keep_open(file.path);
  return writer;
}

}  // namespace

std::string node_format(const CommonOptions& options, const NodeFile& file) {
  const std::string told = told_format(options, file.option_value);
  if (told == "npy" || told == "tsv" || told == "bin") return told;
  if (!told.empty()) {
    throw core::UsageError(fmt::format("--output-format: '{}' is not one of npy, tsv, bin", told));
  }
  const std::string extension = graph::format::extension_of(file.path);
  return extension == "tsv" || extension == "txt" ? "tsv" : extension == "bin" ? "bin" : "npy";
}

void check_node_output(const CommonOptions& options, const NodeFile& file,
                       const std::vector<std::string>& inputs) {
  check_output(file.path, inputs, options, node_format(options, file) != "tsv");
}

template <class Id>
std::unique_ptr<graph::format::NodeWriter<Id>> create_node_list(Session& session, const NodeFile& file) {
  return create<Id>(session, file, {});
}

template <class Id>
std::unique_ptr<graph::format::NodeWriter<Id>> create_node_rows(Session& session, const NodeFile& file,
                                                                std::uint64_t columns) {
  return create<Id>(session, file, {.columns = columns});
}

template <class T>
std::unique_ptr<graph::format::NodeWriter<T>> create_node_values(Session& session, const NodeFile& file,
                                                                 const std::optional<std::uint64_t>& nodes,
                                                                 bool floating) {
  return create<T>(session, file, {.count = nodes, .dense = true, .floating = floating});
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

}  // namespace emgraph::apps
