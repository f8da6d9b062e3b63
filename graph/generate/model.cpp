// SPDX-License-Identifier: MIT
// Specification to model: which fields a model takes, defaults, and facts of the result.
#include "graph/generate/model.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "graph/generate/pair_index.hpp"

namespace emgraph::graph::generate {
namespace {

[[noreturn]] void fail(const ModelSpec& spec, const std::string& what) {
  throw std::invalid_argument("model " + spec.name + " " + what);
}

/// Throws for the first field that is given but not used by the model.
void reject_others(const ModelSpec& spec, bool takes_counts, bool takes_scale, bool takes_dims) {
  const auto check = [&](bool given, bool taken, const char* field, const char* owner) {
    if (given && !taken) fail(spec, std::string("takes no ") + field + "; that belongs to " + owner);
  };
  check(spec.nodes.has_value(), takes_counts, "nodes", "random and gnm");
  check(spec.edges.has_value(), takes_counts, "edges", "random and gnm");
  check(spec.scale.has_value(), takes_scale, "scale", "kron and graph500");
  check(spec.edge_factor.has_value(), takes_scale, "edge-factor", "kron and graph500");
  check(!spec.dims.empty(), takes_dims, "dims", "grid");
  check(spec.torus, takes_dims, "torus", "grid");
}

/// The paper's density: 131,072,000 edges over 20,971,520 nodes.
std::uint64_t default_nodes(std::uint64_t edges) {
  return edges / 25 * 4 + edges % 25 * 4 / 25;
}

/// Smallest n <= 2^32 with n (n - 1) / 2 >= edges; 2^32 if there is none.
std::uint64_t nodes_for_pairs(std::uint64_t edges) {
  std::uint64_t low = 0;
  std::uint64_t high = std::uint64_t{1} << 32;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (pair_count(middle) >= edges) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

std::string counts_text(std::uint64_t nodes, std::uint64_t edges, std::uint64_t seed) {
  return "nodes=" + std::to_string(nodes) + ",edges=" + std::to_string(edges) +
         ",seed=" + std::to_string(seed);
}

struct FactsOf {
  ModelFacts operator()(const RandomModel& m) const {
    ModelFacts f = counts("random", m, random_edge_nanoseconds);
    f.parameters = counts_text(m.nodes(), m.edges(), m.seed());
    return f;
  }
  ModelFacts operator()(const KroneckerModel& m) const { return scaled("kron", m, 9); }
  ModelFacts operator()(const Graph500Model& m) const { return scaled("graph500", m, 48); }
  ModelFacts operator()(const GnmModel& m) const {
    ModelFacts f = simple(counts("gnm", m, 25));
    f.parameters = counts_text(m.nodes(), m.edges(), m.seed());
    return f;
  }
  ModelFacts operator()(const GridModel& m) const {
    ModelFacts f = simple(counts("grid", m, 3));
    f.parameters = "dims=";
    for (std::size_t i = 0; i < m.dims().size(); ++i) {
      if (i > 0) f.parameters.append("x");
      f.parameters.append(std::to_string(m.dims()[i]));
    }
    if (m.torus()) f.parameters.append(",torus");
    return f;
  }

 private:
  template <class M>
  static ModelFacts scaled(const char* name, const M& m, double edge_nanoseconds) {
    ModelFacts f = counts(name, m, edge_nanoseconds);
    f.parameters = "scale=" + std::to_string(m.scale()) + ",edge-factor=" + std::to_string(m.edge_factor()) +
                   ",seed=" + std::to_string(m.seed());
    return f;
  }
  template <class M>
  static ModelFacts counts(const char* name, const M& m, double edge_nanoseconds) {
    ModelFacts f;
    f.name = name;
    f.nodes = m.nodes();
    f.edges = m.edges();
    f.edge_nanoseconds = edge_nanoseconds;
    return f;
  }
  static ModelFacts simple(ModelFacts f) {
    f.sorted_by_source_target = f.unique = f.no_loops = f.oriented_low = true;
    return f;
  }
};

}  // namespace

Model make_model(const ModelSpec& spec) {
  check_attachments(spec.attachments);
  if (spec.attachments.model_weights && spec.name != "graph500") {
    fail(spec, "takes no weights=float; that belongs to graph500");
  }
  if (spec.name == "random" || spec.name == "gnm") {
    reject_others(spec, true, false, false);
    if (!spec.edges) fail(spec, "needs edges=COUNT, found none");
    const std::uint64_t edges = *spec.edges;
    if (spec.name == "random") {
      return RandomModel(spec.nodes.value_or(std::max<std::uint64_t>(default_nodes(edges), 1)), edges,
                         spec.seed);
    }
    return GnmModel(spec.nodes.value_or(std::max(default_nodes(edges), nodes_for_pairs(edges))), edges,
                    spec.seed);
  }
  if (spec.name == "kron" || spec.name == "graph500") {
    reject_others(spec, false, true, false);
    if (!spec.scale) fail(spec, "needs scale=1..62, found none");
    const auto scale =
        static_cast<int>(std::min<std::uint64_t>(*spec.scale, std::numeric_limits<int>::max()));
    const std::uint64_t edge_factor = spec.edge_factor.value_or(16);
    if (spec.name == "kron") return KroneckerModel(scale, edge_factor, spec.seed);
    return Graph500Model(static_cast<unsigned>(scale), edge_factor, spec.seed);
  }
  if (spec.name == "grid") {
    reject_others(spec, false, false, true);
    if (spec.dims.empty()) fail(spec, "needs dims=AxBx..., found none");
    return GridModel(spec.dims, spec.torus);
  }
  throw std::invalid_argument("found model '" + spec.name +
                              "', expected random, gnm, kron, grid or graph500");
}

ModelFacts facts(const Model& model) {
  return std::visit(FactsOf{}, model);
}

void fill_records(const Model& model, const AttachmentSpec& spec, std::uint64_t seed,
                  std::uint64_t first_edge, const core::PairShape& shape, std::byte* records,
                  std::size_t count) {
  const auto fill_as = [&]<class Id>(EdgeSlots<Id> slots) {
    if (spec.model_weights) {
      std::get<Graph500Model>(model).fill_weighted_slots(first_edge, slots);
    } else {
      std::visit([&](const auto& one) { one.fill_slots(first_edge, slots); }, model);
    }
  };
  if (shape.integer_bytes == 4) {
    fill_as(EdgeSlots<std::uint32_t>(records, shape.row_bytes, count));
  } else {
    fill_as(EdgeSlots<std::uint64_t>(records, shape.row_bytes, count));
  }
  fill_attachments(spec, seed, first_edge, shape, records, count);
}

}  // namespace emgraph::graph::generate
