// SPDX-License-Identifier: MIT
// Samples and positions of edge sources.
#include "graph/edge_source.hpp"

namespace emgraph::graph {

template <class Id>
EdgeSource<Id>::EdgeSource(std::shared_ptr<RecordSource> records, EdgeFacts facts,
                           std::size_t attachment_bytes)
    : records_(std::move(records)),
      facts_(std::move(facts)),
      shape_(record_shape(sizeof(Id), attachment_bytes)) {
  if (sizeof(Id) < facts_.layout.id_bytes) {
    throw std::logic_error(facts_.name + ": ids of 8 bytes read as 4");
  }
}

template <class Id>
std::vector<Edge<Id>> EdgeSource<Id>::sample(std::size_t count) {
  const std::vector<std::byte> bytes = records_->sample(record_shape(sizeof(Id), 0), count);
  std::vector<Edge<Id>> edges(bytes.size() / sizeof(Edge<Id>));
  if (!edges.empty()) std::memcpy(edges.data(), bytes.data(), bytes.size());
  return edges;
}

template class EdgeSource<std::uint32_t>;
template class EdgeSource<std::uint64_t>;

}  // namespace emgraph::graph
