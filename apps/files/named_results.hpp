// SPDX-License-Identifier: MIT
// Writers of text results whose nodes have their names: labels or original ids.
//
// Method: a result waits as numbers on the temporary disks. finish() reads it again, when the solver has
// freed its memory, and fetches names in batches (label_lines.hpp). I/O: writes and reads the numbers once,
// and reads the names: once where a quarter of the free memory holds them or the nodes of the rows ascend;
// else at most once per batch. Memory: two blocks and 1 MiB until finish(), then half of the free memory.
// Threads: one. Throws: EnvironmentError, MemoryLimitError.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "apps/files/node_output.hpp"
#include "apps/run/session.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/nodes/node_writer.hpp"
#include "graph/format/source/edge_writer.hpp"

namespace emgraph::apps {

/// Requires: named(session, file). T is std::uint32_t or std::uint64_t. Of Content::links, nodes without a
/// value (all ones) get no line.
template <class T>
std::unique_ptr<graph::format::NodeWriter<T>> open_named_nodes(Session& session, const NodeFile& file,
                                                               const NodeContent& content);

/// Requires: named_edges(session, path). `level`: of packed text.
std::unique_ptr<graph::format::EdgeWriter> open_named_edges(Session& session, const std::string& path,
                                                            const graph::EdgeFacts& facts,
                                                            const std::optional<int>& level);

/// The separator of lines of text to an output that is no node result: a comma if it is CSV, else a tab.
char separator_of(const CommonOptions& options, const std::string& path);

}  // namespace emgraph::apps
