// SPDX-License-Identifier: MIT
// Room is left for the largest counts there are.
#include "graph/format/lines/counted_header.hpp"

#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "core/base/error.hpp"

namespace emgraph::graph::format {
namespace {

/// Ids count from 1 in the file, so the largest there is has no number.
constexpr std::uint64_t most_nodes = std::numeric_limits<std::uint64_t>::max();

}  // namespace

CountedHeader::CountedHeader(core::OutputFile& output, const EdgeFacts& facts, Text text)
    : output_(output),
      declared_nodes_(facts.nodes),
      declared_edges_(facts.edges),
      text_(std::move(text)),
      bound_(facts.nodes.value_or(most_nodes)) {
  std::string header;
  if (declared_nodes_ && declared_edges_) {
    header = text_(*declared_nodes_, *declared_edges_);
  } else {
    if (!output_.rewritable()) {
      throw core::UsageError(
          output_.path() +
          ": the header declares the numbers of nodes and edges, which are not known before "
          "the end: write to a file");
    }
    header = text_(most_nodes, most_nodes);
    room_bytes_ = header.size();
    header.assign(room_bytes_, ' ');
  }
  header += '\n';
  output_.append(std::as_bytes(std::span(header)));
}

void CountedHeader::refuse(std::uint64_t id, std::uint64_t edge) const {
  throw core::DataError::in_file(output_.path(), "id " + std::to_string(id) + " in edge " +
                                                     std::to_string(edge) + ", expected ids below " +
                                                     std::to_string(bound_));
}

void CountedHeader::complete(std::uint64_t edges) {
  if (declared_edges_ && *declared_edges_ != edges) {
    throw std::logic_error("a writer declared " + std::to_string(*declared_edges_) + " edges and appended " +
                           std::to_string(edges));
  }
  if (room_bytes_ == 0) return;
  std::string header = text_(nodes(), edges);
  header.resize(room_bytes_, ' ');
  output_.rewrite_start(std::as_bytes(std::span(header)));
}

}  // namespace emgraph::graph::format
