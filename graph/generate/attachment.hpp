// SPDX-License-Identifier: MIT
// The weights and payload of generated edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/io/codec_pairs.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::generate {

/// Weights are integers uniform in [low, high].
struct WeightRange {
  std::uint64_t low = 1;
  std::uint64_t high = 1;
  bool operator==(const WeightRange&) const = default;
};

/// The attachment of an edge. Integer weights are stored as u32, weights of the model as f32, little-endian.
struct AttachmentSpec {
  std::optional<WeightRange> weights;
  std::size_t payload_bytes = 0;
  bool model_weights = false;  // those that the model defines (graph500), which fill_records writes
  bool operator==(const AttachmentSpec&) const = default;

  std::size_t weight_bytes() const { return weights || model_weights ? sizeof(std::uint32_t) : 0; }
  std::size_t bytes() const { return weight_bytes() + payload_bytes; }
};

/// Throws std::invalid_argument unless low <= high < 2^32, there is one kind of weight at most, and
/// everything fits max_attachment_bytes.
void check_attachments(const AttachmentSpec& spec);

/// "weights=1:1000,payload=8", as parse_model_text reads it; empty without weights and payload.
std::string describe(const AttachmentSpec& spec);

/// Fills the attachments of edges first_edge .. first_edge + count - 1 in records of `shape`: weight,
/// payload, then zeros up to the end of the row. Each is a hash of (seed, edge index). The probability of a
/// weight differs from 1 / (high - low + 1) by less than 2^-64. Source, target and a weight of the model are
/// not changed. Threads: any number at once. Throws std::invalid_argument as check_attachments, and if the
/// attachments are wider than the shape's.
void fill_attachments(const AttachmentSpec& spec, std::uint64_t seed, std::uint64_t first_edge,
                      const core::PairShape& shape, std::byte* records, std::size_t count);

}  // namespace emgraph::graph::generate
