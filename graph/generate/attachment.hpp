// SPDX-License-Identifier: MIT
// The weights and payload of generated edges, and complete records of a model.
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

/// The attachment of an edge. Weights are stored as u32, little-endian.
struct AttachmentSpec {
  std::optional<WeightRange> weights;
  std::size_t payload_bytes = 0;
  bool operator==(const AttachmentSpec&) const = default;

  std::size_t weight_bytes() const { return weights ? sizeof(std::uint32_t) : 0; }
  std::size_t bytes() const { return weight_bytes() + payload_bytes; }
};

/// Throws std::invalid_argument unless low <= high < 2^32 and everything fits max_attachment_bytes.
void check_attachments(const AttachmentSpec& spec);

/// "weights=1:1000,payload=8", as parse_model_text reads it; empty without weights and payload.
std::string describe(const AttachmentSpec& spec);

/// Fills the attachments of edges first_edge .. first_edge + records.size() - 1: weight, payload, zeros. Each
/// is a hash of (seed, edge index). The probability of a weight differs from 1 / (high - low + 1) by less
/// than 2^-64. Source and target are not changed. Threads: any number at once. Throws std::invalid_argument
/// as check_attachments, and if spec.bytes() > A.
template <class Id, std::size_t A>
void fill_attachments(const AttachmentSpec& spec, std::uint64_t seed, std::uint64_t first_edge,
                      std::span<Record<Id, A>> records);

/// Fills edges of `model` and their attachments. For A = 0 the model writes directly into the records.
/// `Model` is one of the models of this room.
template <class Model, class Id, std::size_t A>
void fill_records(const Model& model, const AttachmentSpec& spec, std::uint64_t seed,
                  std::uint64_t first_edge, std::span<Record<Id, A>> records) {
  model.fill_slots(first_edge, EdgeSlots<Id>(records));
  fill_attachments(spec, seed, first_edge, records);
}

}  // namespace emgraph::graph::generate
