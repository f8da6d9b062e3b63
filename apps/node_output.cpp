// SPDX-License-Identifier: MIT
// Options to NodeWriterOptions.
#include "apps/node_output.hpp"

#include <fmt/core.h>

#include "apps/output_check.hpp"
#include "core/base/error.hpp"
#include "graph/format/extension.hpp"

namespace emgraph::apps {

std::string node_format(const CommonOptions& options) {
  const std::string& format = options.output_format;
  if (format == "npy" || format == "tsv" || format == "bin") return format;
  if (!format.empty()) {
    throw core::UsageError(fmt::format("--output-format: '{}' is not one of npy, tsv, bin", format));
  }
  const std::string extension = graph::format::extension_of(options.output);
  return extension == "tsv" || extension == "txt" ? "tsv" : extension == "bin" ? "bin" : "npy";
}

void check_node_output(const CommonOptions& options, const std::vector<std::string>& inputs) {
  check_output(options.output, inputs, options, node_format(options) != "tsv");
}

template <class Id>
std::unique_ptr<graph::format::NodeWriter<Id>> create_node_list(Session& session) {
  const CommonOptions& options = session.options();
  graph::format::NodeWriterOptions create;
  create.format = node_format(options);
  create.overwrite = overwrite(options);
  return graph::format::open_node_writer<Id>(session.environment(), options.output, create);
}

template std::unique_ptr<graph::format::NodeWriter<std::uint32_t>> create_node_list(Session& session);
template std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> create_node_list(Session& session);

}  // namespace emgraph::apps
