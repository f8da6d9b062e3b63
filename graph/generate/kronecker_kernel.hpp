// SPDX-License-Identifier: MIT
// Vector kernels of the Kronecker graph; the result does not depend on the vector width.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/generate/kronecker_plan.hpp"

namespace emgraph::graph::generate {

/// Writes edges first_edge .. first_edge + count - 1 as source, target, source, ... into `out` (2 * count
/// ids). Requires: plan.scale <= 32.
void fill_kronecker(const KroneckerPlan& plan, std::uint64_t first_edge, std::uint32_t* out,
                    std::size_t count);

/// The same for any scale.
void fill_kronecker(const KroneckerPlan& plan, std::uint64_t first_edge, std::uint64_t* out,
                    std::size_t count);

}  // namespace emgraph::graph::generate
