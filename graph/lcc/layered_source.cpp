// SPDX-License-Identifier: MIT
// Five edges for an arc, in batches that stay in the cache.
#include "graph/lcc/layered_source.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace emgraph::graph::lcc {
namespace {

/// Writes the edges of an arc; returns the first byte after them.
std::byte* write_edges(std::uint64_t x, std::uint64_t y, const core::PairShape& shape, std::byte* out) {
  using Ends = std::pair<std::uint64_t, std::uint64_t>;
  std::array<Ends, edges_per_arc> edges = {Ends{3 * x, 3 * y + 1},
                                           {3 * y, 3 * x + 1},
                                           {3 * x, 3 * y + 2},
                                           {3 * y, 3 * x + 2},
                                           {3 * x + 1, 3 * y + 2}};
  if (x == y) edges.fill({3 * x + 2, 3 * x + 2});
  for (const auto& [a, b] : edges) {
    set_id(shape, out, 0, a);
    set_id(shape, out, 1, b);
    out += shape.row_bytes;
  }
  return out;
}

EdgeFacts layered_facts(const EdgeFacts& facts, const std::optional<std::uint64_t>& nodes,
                        std::size_t id_bytes) {
  EdgeFacts layered;
  layered.layout.id_bytes = id_bytes;
  if (nodes) layered.nodes = core::size_product(*nodes, layers);
  if (facts.edges) layered.edges = core::size_product(*facts.edges, edges_per_arc);
  if (facts.most_edges) layered.most_edges = core::size_product(*facts.most_edges, edges_per_arc);
  layered.generated = facts.generated;
  layered.name = facts.name;
  return layered;
}

}  // namespace

class LayeredSource::Lane final : public prepare::ChangedSource::Lane {
 public:
  Lane(LayeredSource& source, const core::PairShape& shape)
      : prepare::ChangedSource::Lane(source, source.environment_.memory, shape, "edges between layers"),
        source_(source),
        below_(std::min(source.nodes_.value_or(most_ids(shape)), most_ids(shape))) {}

  format::RecordBatch next() override {
    if (began_again() || done_ == batch_.count) {
      batch_ = inner_->next();
      done_ = 0;
      if (batch_.count == 0) return {};
    }
    const std::size_t here = std::min(most_records_ / edges_per_arc, batch_.count - done_);
    first_edge_ = edges_per_arc * (inner_->first_edge() + done_);
    std::byte* out = records_.data();
    for (std::size_t i = 0; i < here; ++i, ++done_) {
      const std::uint64_t x = id_at(from_, record(done_), 0);
      const std::uint64_t y = id_at(from_, record(done_), 1);
      if (std::max(x, y) >= below_) refuse(std::max(x, y));
      out = write_edges(x, y, to_, out);
    }
    return {records_.data(), here * edges_per_arc};
  }

 private:
  /// Ids below this have copies that fit.
  static std::uint64_t most_ids(const core::PairShape& shape) {
    return (shape.integer_bytes == 4 ? std::uint64_t{1} << 32 : ~std::uint64_t{0}) / layers;
  }

  [[noreturn]] void refuse(std::uint64_t id) const {
    const BatchPlace place = inner_->place();
    const core::DataError error((place.file != nullptr ? *place.file : source_.facts_.name) + ": edge " +
                                std::to_string(place.first_edge + done_) + ": id " + std::to_string(id) +
                                " found, expected ids below " +
                                (source_.nodes_ && below_ == *source_.nodes_ ? "the number of nodes, " : "") +
                                std::to_string(below_));
    if (source_.nodes_ && id >= *source_.nodes_) throw error;
    throw format::IdTooWide(error);
  }

  LayeredSource& source_;
  const std::uint64_t below_;
};

LayeredSource::LayeredSource(core::Environment& environment, std::shared_ptr<RecordSource> inner,
                             const EdgeFacts& facts, const std::optional<std::uint64_t>& nodes,
                             std::size_t id_bytes, unsigned max_lanes)
    : ChangedSource(environment, std::move(inner), layered_facts(facts, nodes, id_bytes)), nodes_(nodes) {
  open_lanes(max_lanes, batch_bytes);
}

std::unique_ptr<format::WorkingLane> LayeredSource::make_lane(const core::PairShape& shape) {
  return std::make_unique<Lane>(*this, shape);
}

core::PairShape LayeredSource::inner_shape(const core::PairShape& shape) const {
  return record_shape(shape.integer_bytes, 0);
}

std::vector<std::byte> LayeredSource::sample(const core::PairShape& shape, std::size_t count) {
  const core::PairShape from = inner_shape(shape);
  const std::vector<std::byte> arcs = inner_->sample(from, count / edges_per_arc + 1);
  const std::size_t sampled = arcs.size() / from.row_bytes;
  std::vector<std::byte> edges(sampled * edges_per_arc * shape.row_bytes);
  std::byte* out = edges.data();
  for (std::size_t i = 0; i < sampled; ++i) {
    const std::byte* const arc = arcs.data() + i * from.row_bytes;
    out = write_edges(id_at(from, arc, 0), id_at(from, arc, 1), shape, out);
  }
  return edges;
}

std::optional<std::uint64_t> LayeredSource::edges_read() {
  const std::optional<std::uint64_t> arcs = inner_->edges_read();
  return arcs ? std::optional(*arcs * edges_per_arc) : std::nullopt;
}

std::uint64_t LayeredSource::seek(std::uint64_t edge) {
  ++readings_;
  return edges_per_arc * inner_->seek(edge / edges_per_arc);
}

}  // namespace emgraph::graph::lcc
