// SPDX-License-Identifier: MIT
// Checks the parameters of a Kronecker graph and chooses the kernel by scale.
#include "graph/generate/kronecker.hpp"

#include <stdexcept>
#include <string>

#include "graph/generate/kronecker_plan.hpp"

namespace emgraph::graph::generate {
namespace {

int checked_scale(int scale, std::uint64_t edge_factor) {
  if (scale < 1 || scale > 62) {
    throw std::invalid_argument("kron: scale is " + std::to_string(scale) + ", expected 1 to 62");
  }
  if (edge_factor > (std::uint64_t{1} << (63 - scale))) {
    throw std::invalid_argument("kron: edge factor " + std::to_string(edge_factor) + " at scale " +
                                std::to_string(scale) + " makes more than 2^63 edges");
  }
  return scale;
}

}  // namespace

KroneckerModel::KroneckerModel(int scale, std::uint64_t edge_factor, std::uint64_t seed)
    : plan_(make_kronecker_plan(checked_scale(scale, edge_factor), seed)),
      edge_factor_(edge_factor),
      seed_(seed) {}

template <class Id>
void KroneckerModel::fill_slots(std::uint64_t first_edge, EdgeSlots<Id> out) const {
  require_edge_range(first_edge, out.size(), edges());
  require_id_width(nodes(), sizeof(Id));
  const auto kernel = [this](std::uint64_t first, auto* ids, std::size_t count) {
    fill_kronecker(plan_, first, ids, count);
  };
  if (sizeof(Id) == 4 || plan_.scale <= 32) {
    fill_by_batches<std::uint32_t>(first_edge, out, kernel);
  } else {
    fill_by_batches<std::uint64_t>(first_edge, out, kernel);
  }
}

template void KroneckerModel::fill_slots(std::uint64_t, EdgeSlots<std::uint32_t>) const;
template void KroneckerModel::fill_slots(std::uint64_t, EdgeSlots<std::uint64_t>) const;

}  // namespace emgraph::graph::generate
