// SPDX-License-Identifier: MIT
// Creates the outputs of node results from the options. A command may have several: -o and others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/run/session.hpp"
#include "graph/format/nodes/node_writer.hpp"

namespace emgraph::apps {

/// A file for node results, and the value of the option that names it. They differ if one value names several
/// files.
struct NodeFile {
  /// The only file of its option.
  NodeFile(const std::string& name) : path(name), option_value(name) {}
  NodeFile(std::string file, std::string name) : path(std::move(file)), option_value(std::move(name)) {}
  std::string path;
  std::string option_value;
};

/// The numbers of a node result.
struct NodeContent {
  enum Kind {
    list,    ///< nodes
    rows,    ///< rows of `columns` nodes
    counts,  ///< rows of a node and a number
    values,  ///< a number for each node
    links,   ///< a node for each node: its component, its parent
  };
  Kind kind = list;
  std::uint64_t columns = 0;
  bool floating = false;                             ///< the values are the bits of doubles
  std::vector<std::string> column_names = {"node"};  ///< of text
};

/// All checks of the output that are possible before any work, except the comparison with other outputs
/// (check_outputs_differ). Throws as check_output.
void check_node_output(const CommonOptions& options, const NodeFile& file,
                       const std::vector<std::string>& inputs);

/// npy, tsv, csv or bin: as --output-format says (told_format), else by extension, else (also on standard
/// output) npy. Throws UsageError if the extension is that of another format. The count in the head of an
/// .npy file is known only at the end; on a pipe all ids are written then
/// (graph/format/nodes/node_writer.hpp).
std::string node_format(const CommonOptions& options, const NodeFile& file);

/// True if files of this format of node_format are text.
inline bool is_node_text(std::string_view format) {
  return format == "tsv" || format == "csv";
}

/// Creates a file for a list of ids.
template <class Id>
std::unique_ptr<graph::format::NodeWriter<Id>> create_node_list(Session& session, const NodeFile& file);

/// Creates a file for rows of ids, one for each name of a column.
template <class Id>
std::unique_ptr<graph::format::NodeWriter<Id>> create_node_rows(Session& session, const NodeFile& file,
                                                                std::vector<std::string> column_names);

/// Creates a file for rows of a node and a number, the columns with these names.
std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> create_node_counts(
    Session& session, const NodeFile& file, std::vector<std::string> column_names);

/// Creates a file for one value per node. `nodes`: their number, if known. T is std::uint32_t or
/// std::uint64_t. `floating`: the values are the bits of doubles; T is std::uint64_t.
template <class T>
std::unique_ptr<graph::format::NodeWriter<T>> create_node_values(Session& session, const NodeFile& file,
                                                                 const std::optional<std::uint64_t>& nodes,
                                                                 bool floating = false);

/// The same for one node per node: its component or its parent. Text has the names of both, if names are
/// kept.
template <class T>
std::unique_ptr<graph::format::NodeWriter<T>> create_node_links(Session& session, const NodeFile& file,
                                                                const std::optional<std::uint64_t>& nodes);

/// Completes the output in a separate phase.
template <class T>
void finish_node_output(Session& session, graph::format::NodeWriter<T>& writer) {
  const core::Phase phase(session.environment().progress, "finish output", 0, "bytes");
  writer.finish();
}

}  // namespace emgraph::apps
