// SPDX-License-Identifier: MIT
// Reads the text of a `gen:` input.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/generate/model.hpp"

namespace emgraph::graph::generate {

/// Parses the text after `gen:`, as in "random,edges=100M", "kron,scale=22,edge-factor=16,seed=3" or
/// "grid,dims=4096x4096,torus,weights=1:1000,payload=8". Without a name the model is random. Counts take k M
/// G T as powers of 1000. make_model checks the values. Throws std::invalid_argument on unknown, repeated and
/// malformed keys, core::UsageError on malformed numbers.
ModelSpec parse_model_text(std::string_view text);

/// "4096x4096x8". Throws core::UsageError on malformed numbers.
std::vector<std::uint64_t> parse_dims(std::string_view text);

/// "LO:HI", or "float" for the weights of the model. Throws std::invalid_argument without a colon,
/// core::UsageError on malformed numbers.
void parse_weights(std::string_view text, AttachmentSpec& attachments);

}  // namespace emgraph::graph::generate
