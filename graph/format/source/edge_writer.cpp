// SPDX-License-Identifier: MIT
// The messages of writers.
#include "graph/format/source/edge_writer.hpp"

#include <stdexcept>

namespace emgraph::graph::format {

void refuse_written_id(const std::string& file, std::uint64_t edge, std::uint64_t id, std::uint64_t bound) {
  throw core::DataError::in_file(file, "id " + std::to_string(id) + " in edge " + std::to_string(edge) +
                                           ", expected ids below " + std::to_string(bound));
}

void refuse_written_order(std::uint64_t edge) {
  throw std::logic_error("edge " + std::to_string(edge) +
                         " breaks what its writer declared: sorted and unique, no loops");
}

void check_declared_edges(const std::optional<std::uint64_t>& declared, std::uint64_t appended) {
  if (!declared || *declared == appended) return;
  throw std::logic_error("a writer declared " + std::to_string(*declared) + " edges and appended " +
                         std::to_string(appended));
}

}  // namespace emgraph::graph::format
