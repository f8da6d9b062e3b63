// SPDX-License-Identifier: MIT
// Any of the graph models, made from a checked specification.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "graph/generate/attachment.hpp"
#include "graph/generate/gnm.hpp"
#include "graph/generate/graph500.hpp"
#include "graph/generate/grid.hpp"
#include "graph/generate/kronecker.hpp"
#include "graph/generate/random.hpp"

namespace emgraph::graph::generate {

using Model = std::variant<RandomModel, KroneckerModel, GnmModel, GridModel, Graph500Model>;

/// A graph as specified by the user. An empty field has its default. A field that the model does not use is
/// an error.
struct ModelSpec {
  std::string name = "random";         // random, gnm, kron, grid, graph500
  std::optional<std::uint64_t> nodes;  // random, gnm; default edges / 6.25, at least what the edges need
  std::optional<std::uint64_t> edges;  // random, gnm; required
  std::optional<std::uint64_t> scale;  // kron, graph500; required
  std::optional<std::uint64_t> edge_factor;  // kron, graph500; default 16
  std::vector<std::uint64_t> dims;           // grid; required
  bool torus = false;                        // grid
  std::uint64_t seed = 1;                    // all; grid: of the attachments only
  AttachmentSpec attachments;                // all
  bool operator==(const ModelSpec&) const = default;
};

/// Throws std::invalid_argument with the value found and the value expected.
Model make_model(const ModelSpec& spec);

/// As ModelFacts::edge_nanoseconds, of the random model.
inline constexpr double random_edge_nanoseconds = 2;

/// Facts about a graph that are known without generating it.
struct ModelFacts {
  std::string name;
  std::string parameters;  // key=value,...; "NAME,PARAMETERS" is read by parse_model_text
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  bool sorted_by_source_target = false;
  bool unique = false;  // no edge twice
  bool no_loops = false;
  bool oriented_low = false;  // source <= target
  /// CPU time to generate an edge, without attachments, on the processor that plans refer to.
  double edge_nanoseconds = 0;
};

ModelFacts facts(const Model& model);

/// Calls the model's fill.
template <class Id>
void fill(const Model& model, std::uint64_t first_edge, std::span<Edge<Id>> out) {
  std::visit([&](const auto& one) { one.template fill<Id>(first_edge, out); }, model);
}

/// Records of edges first_edge .. first_edge + count - 1 in `shape`, with their attachments. Requires:
/// weights of the model only with a model that has them, as make_model checks. Throws as fill_attachments,
/// and as the model's fill. Threads: any number at once.
void fill_records(const Model& model, const AttachmentSpec& spec, std::uint64_t seed,
                  std::uint64_t first_edge, const core::PairShape& shape, std::byte* records,
                  std::size_t count);

}  // namespace emgraph::graph::generate
