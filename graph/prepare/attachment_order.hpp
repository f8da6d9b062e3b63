// SPDX-License-Identifier: MIT
// The order of edges with equal ends: by weight, then by the remaining bytes.
#pragma once

#include "core/spill/packing.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::graph::prepare {

/// A total order on attachments that start with a weight of this type. Floating weights: -NaN < -inf < … <
/// inf < NaN.
core::CompareAttachments attachment_order(WeightType weight);

}  // namespace emgraph::graph::prepare
