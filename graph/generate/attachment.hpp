// SPDX-License-Identifier: MIT
// Weights and payload that generated edges carry, and whole records of a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "graph/generate/edge_slots.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::generate {

/// Weights are integers uniform in [low, high].
struct WeightRange {
  std::uint64_t low = 1;
  std::uint64_t high = 1;
  bool operator==(const WeightRange&) const = default;
};

/// What an edge carries. Weights are stored as u32, little-endian.
struct AttachmentSpec {
  std::optional<WeightRange> weights;
  std::size_t payload_bytes = 0;
  bool operator==(const AttachmentSpec&) const = default;

  std::size_t weight_bytes() const { return weights ? sizeof(std::uint32_t) : 0; }
  std::size_t bytes() const { return weight_bytes() + payload_bytes; }
};

/// Throws std::invalid_argument unless low <= high < 2^32 and everything fits max_attachment_bytes.
void check_attachments(const AttachmentSpec& spec);

/// "weights=1:1000,payload=8": what parse_model_text reads; empty when there are none.
std::string describe(const AttachmentSpec& spec);

/// Fills the attachments of edges first_edge .. first_edge + records.size() - 1: weight, payload, zeros. All
/// of it is a hash of (seed, edge index); a weight's probability is off from 1 / (high - low + 1) by less
/// than 2^-64. Source and target are left alone. Threads: any number at once. Throws std::invalid_argument as
/// check_attachments, and when spec.bytes() > A.
template <class Id, std::size_t A>
void fill_attachments(const AttachmentSpec& spec, std::uint64_t seed, std::uint64_t first_edge,
                      std::span<Record<Id, A>> records);

/// Edges of `model` and their attachments at once. For A = 0 the model writes straight into the records.
/// `Model` is one of the models of this room.
template <class Model, class Id, std::size_t A>
void fill_records(const Model& model, const AttachmentSpec& spec, std::uint64_t seed,
                  std::uint64_t first_edge, std::span<Record<Id, A>> records) {
  model.fill_slots(first_edge, EdgeSlots<Id>(records));
  fill_attachments(spec, seed, first_edge, records);
}

}  // namespace emgraph::graph::generate
