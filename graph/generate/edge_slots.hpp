// SPDX-License-Identifier: MIT
// The output of a model: an array of edges, or the edge part of an array of records, with one stride.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

#include "graph/types.hpp"

namespace emgraph::graph::generate {

/// A view of `count` edge slots, `stride_bytes` apart; does not own them. A slot takes the source and the
/// target of an edge, 2 * sizeof(Id) bytes.
template <class Id>
class EdgeSlots {
 public:
  static constexpr std::size_t edge_bytes = 2 * sizeof(Id);

  explicit EdgeSlots(std::span<Edge<Id>> edges)
      : base_(std::as_writable_bytes(edges).data()), stride_bytes_(sizeof(Edge<Id>)), count_(edges.size()) {}
  /// `base` is aligned for Id, `stride_bytes` a multiple of sizeof(Id).
  EdgeSlots(std::byte* base, std::size_t stride_bytes, std::size_t count)
      : base_(base), stride_bytes_(stride_bytes), count_(count) {}

  std::size_t size() const { return count_; }
  /// True if the edges are contiguous, so that a kernel can write them as one array.
  bool dense() const { return stride_bytes_ == edge_bytes; }
  std::byte* data() const { return base_; }
  std::byte* slot(std::size_t i) const { return base_ + i * stride_bytes_; }
  /// The same slots as an array of ids, aligned for Id. Requires: dense().
  Id* ids() const { return reinterpret_cast<Id*>(base_); }

  void put(std::size_t i, std::uint64_t source, std::uint64_t target) const {
    const Id pair[2] = {static_cast<Id>(source), static_cast<Id>(target)};
    std::memcpy(slot(i), pair, edge_bytes);
  }

 private:
  std::byte* base_;
  std::size_t stride_bytes_;
  std::size_t count_;
};

/// Throws std::out_of_range unless edges first_edge .. first_edge + count - 1 exist.
inline void require_edge_range(std::uint64_t first_edge, std::uint64_t count, std::uint64_t edges) {
  if (first_edge <= edges && count <= edges - first_edge) return;
  throw std::out_of_range("edges from " + std::to_string(first_edge) + ", " + std::to_string(count) +
                          " of them, asked of a generated graph of " + std::to_string(edges) + " edges");
}

/// Throws std::invalid_argument unless ids 0 .. nodes - 1 fit `id_bytes` bytes.
inline void require_id_width(std::uint64_t nodes, std::size_t id_bytes) {
  if (id_bytes == 8 || nodes <= (std::uint64_t{1} << 32)) return;
  throw std::invalid_argument("a generated graph of " + std::to_string(nodes) +
                              " nodes needs 64-bit ids; 32-bit ids hold 2^32 = 4294967296 nodes");
}

/// Writes edges by a kernel that fills arrays of id pairs: directly into dense slots, else through a batch on
/// the stack. `kernel(first_edge, Id* out, count)`; `KernelId` may be narrower than Id.
template <class KernelId, class Id, class Kernel>
void fill_by_batches(std::uint64_t first_edge, EdgeSlots<Id> out, const Kernel& kernel) {
  if constexpr (sizeof(KernelId) == sizeof(Id)) {
    if (out.dense()) {
      kernel(first_edge, out.ids(), out.size());
      return;
    }
  }
  constexpr std::size_t batch_edges = 1024;
  KernelId batch[2 * batch_edges];
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t count = out.size() - done < batch_edges ? out.size() - done : batch_edges;
    kernel(first_edge + done, batch, count);
    for (std::size_t i = 0; i < count; ++i) out.put(done + i, batch[2 * i], batch[2 * i + 1]);
    done += count;
  }
}

}  // namespace emgraph::graph::generate
