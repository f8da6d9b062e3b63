// SPDX-License-Identifier: MIT
// Refuses an input whose edges are not as its header declares: sorted, unique, without loops, low end first,
// stored in both directions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "core/io/codec_pairs.hpp"
#include "graph/edge_facts.hpp"
#include "graph/edge_source.hpp"
#include "graph/format/source/order_kernel.hpp"

namespace emgraph::graph::format {

/// Solvers rely on what a header declares, and a file may be the work of another writer. Every batch is
/// checked when it is read, while it is in the cache; its ends are kept until the batches beside it, which
/// other lanes may read, have come. That both directions are stored shows when all lanes of a pass have
/// ended: the sum of direction_balance() over them is 0. Not checked: the order by weight. Memory: some bytes
/// per lane, not charged. Threads: any. Throws: DataError, naming the edge that breaks an order.
class OrderCheck {
 public:
  /// Nothing is checked of generated edges.
  explicit OrderCheck(const EdgeFacts& facts);
  /// False: the input declares nothing that could be checked.
  bool any() const { return rules_.any() || by_target_ || both_directions_; }

  /// What the batches of a lane have shown.
  struct LaneTally {
    std::uint64_t edges = 0;
    std::uint64_t balance = 0;
  };
  /// No lane is open: the edges are read from the first one.
  void begin_pass() { pass_ = {}; }
  /// An empty batch ends the lane.
  void check(const core::PairShape& shape, const RecordBatch& batch, std::uint64_t first_edge,
             LaneTally& lane);

 private:
  struct Ends {
    std::uint64_t source = 0;
    std::uint64_t target = 0;
  };
  struct Boundary {
    std::optional<Ends> before;  ///< the last edge of the batch that ends here
    std::optional<Ends> after;   ///< the first edge of the batch that begins here
  };
  template <class Id>
  void check_rows(const core::PairShape& shape, const RecordBatch& batch, std::uint64_t first_edge) const;
  void check_boundary(std::uint64_t edge, const Boundary& known);
  void end_lane(LaneTally& lane);
  bool follows(const Ends& before, const Ends& now) const;
  [[noreturn]] void refuse(std::uint64_t edge, const Ends& found, const char* declared) const;

  const EdgeFacts& facts_;
  OrderRules rules_;
  bool by_target_ = false;
  bool both_directions_ = false;
  std::mutex mutex_;
  LaneTally pass_;                                ///< of the lanes that have ended
  std::map<std::uint64_t, Boundary> boundaries_;  ///< by number of the edge after it
};

}  // namespace emgraph::graph::format
