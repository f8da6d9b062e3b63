// SPDX-License-Identifier: MIT
// Options to NodeWriterOptions.
#include "apps/node_output.hpp"

#include <fmt/core.h>

#include "apps/output_check.hpp"
#include "core/base/error.hpp"
#include "graph/format/extension.hpp"

namespace emgraph::apps {

namespace {

template <class T>
std::unique_ptr<graph::format::NodeWriter<T>> create(Session& session, const std::string& path,
                                                     graph::format::NodeWriterOptions create) {
  create.format = node_format(session.options(), path);
  create.overwrite = overwrite(session.options());
  auto writer = graph::format::open_node_writer<T>(session.environment(), path, create);
  session.keep_open(path);
  return writer;
}

}  // namespace

std::string node_format(const CommonOptions& options, const std::string& path) {
  const bool told = options.output.empty() || path == options.output;
  if (told && !options.output_format.empty()) {
    const std::string& format = options.output_format;
    if (format == "npy" || format == "tsv" || format == "bin") return format;
    throw core::UsageError(fmt::format("--output-format: '{}' is not one of npy, tsv, bin", format));
  }
  const std::string extension = graph::format::extension_of(path);
  return extension == "tsv" || extension == "txt" ? "tsv" : extension == "bin" ? "bin" : "npy";
}

void check_node_output(const CommonOptions& options, const std::string& path,
                       const std::vector<std::string>& inputs) {
  check_output(path, inputs, options, node_format(options, path) != "tsv");
}

template <class Id>
std::unique_ptr<graph::format::NodeWriter<Id>> create_node_list(Session& session, const std::string& path) {
  return create<Id>(session, path, {});
}

template <class Id>
std::unique_ptr<graph::format::NodeWriter<Id>> create_node_rows(Session& session, const std::string& path,
                                                                std::uint64_t columns) {
  return create<Id>(session, path, {.columns = columns});
}

template <class T>
std::unique_ptr<graph::format::NodeWriter<T>> create_node_values(Session& session, const std::string& path,
                                                                 const std::optional<std::uint64_t>& nodes) {
  return create<T>(session, path, {.count = nodes, .dense = true});
}

template std::unique_ptr<graph::format::NodeWriter<std::uint32_t>> create_node_list(Session&,
                                                                                    const std::string&);
template std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> create_node_list(Session&,
                                                                                    const std::string&);
template std::unique_ptr<graph::format::NodeWriter<std::uint32_t>> create_node_rows(Session&,
                                                                                    const std::string&,
                                                                                    std::uint64_t);
template std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> create_node_rows(Session&,
                                                                                    const std::string&,
                                                                                    std::uint64_t);
template std::unique_ptr<graph::format::NodeWriter<std::uint32_t>> create_node_values(
    Session&, const std::string&, const std::optional<std::uint64_t>&);
template std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> create_node_values(
    Session&, const std::string&, const std::optional<std::uint64_t>&);

}  // namespace emgraph::apps
