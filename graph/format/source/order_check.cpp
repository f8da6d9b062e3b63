// SPDX-License-Identifier: MIT
// A kernel looks at plain edges of 4-byte ids; other edges, and the one to name, are found one by one.
#include "graph/format/source/order_check.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/random_word.hpp"

namespace emgraph::graph::format {
namespace {

bool is_plain(const core::PairShape& shape) {
  return shape.integer_bytes == 4 && shape.row_bytes == 8;
}

std::uint64_t mixed(std::uint64_t word) {
  word *= core::golden_increment;
  return word ^ word >> 32;
}

/// direction_balance() of any rows. The two directions of an edge may have different weights.
std::uint64_t balance_of(const core::PairShape& shape, const RecordBatch& batch) {
  if (is_plain(shape)) {
    return direction_balance(reinterpret_cast<const std::uint32_t*>(batch.records), batch.count);
  }
  std::uint64_t balance = 0;
  for (std::size_t i = 0; i < batch.count; ++i) {
    const std::byte* const row = batch.records + i * shape.row_bytes;
    std::uint64_t source = 0, target = 0;
    std::memcpy(&source, row, shape.integer_bytes);
    std::memcpy(&target, row + shape.integer_bytes, shape.integer_bytes);
    const std::uint64_t hash = mixed(mixed(std::min(source, target)) + std::max(source, target));
    if (source != target) balance += source < target ? hash : -hash;
  }
  return balance;
}

}  // namespace

OrderCheck::OrderCheck(const EdgeFacts& facts) : facts_(facts) {
  if (facts.generated) return;
  rules_ = rules_of(facts);
  by_target_ = facts.order == EdgeOrder::target_source;
  both_directions_ = facts.symmetric && facts.edges;
}

void OrderCheck::check(const core::PairShape& shape, const RecordBatch& batch, std::uint64_t first_edge,
                       LaneTally& lane) {
  if (batch.count == 0) return end_lane(lane);
  if (both_directions_) {
    lane.edges += batch.count;
    lane.balance += balance_of(shape, batch);
  }
  const bool plain = is_plain(shape) && !by_target_;
  if (!plain || breaks_rules(rules_, reinterpret_cast<const std::uint32_t*>(batch.records), batch.count)) {
    shape.integer_bytes == 4 ? check_rows<std::uint32_t>(shape, batch, first_edge)
                             : check_rows<std::uint64_t>(shape, batch, first_edge);
  }
  if (!rules_.by_source && !by_target_) return;
  const auto edge_at = [&](std::size_t i) {
    const std::byte* const row = batch.records + i * shape.row_bytes;
    Ends ends;
    std::memcpy(&ends.source, row, shape.integer_bytes);
    std::memcpy(&ends.target, row + shape.integer_bytes, shape.integer_bytes);
    return ends;
  };
  check_boundary(first_edge, {.before = std::nullopt, .after = edge_at(0)});
  check_boundary(first_edge + batch.count, {.before = edge_at(batch.count - 1), .after = std::nullopt});
}

template <class Id>
void OrderCheck::check_rows(const core::PairShape& shape, const RecordBatch& batch,
                            std::uint64_t first_edge) const {
  Ends before;
  for (std::size_t i = 0; i < batch.count; ++i) {
    Id ids[2];
    std::memcpy(ids, batch.records + i * shape.row_bytes, sizeof(ids));
    const Ends now{ids[0], ids[1]};
    if (rules_.no_loops && now.source == now.target) refuse(first_edge + i, now, "no loops");
    if (rules_.low_first && now.source > now.target) refuse(first_edge + i, now, "source <= target");
    if (i > 0 && !follows(before, now)) refuse(first_edge + i, now, "sorted edges");
    before = now;
  }
}

bool OrderCheck::follows(const Ends& before, const Ends& now) const {
  if (!rules_.by_source && !by_target_) return true;
  const bool same = before.source == now.source && before.target == now.target;
  if (same) return !rules_.unique;
  if (by_target_) {
    return before.target < now.target || (before.target == now.target && before.source < now.source);
  }
  return before.source < now.source || (before.source == now.source && before.target < now.target);
}

/// Joins what is known of a boundary with what another batch has told.
void OrderCheck::check_boundary(std::uint64_t edge, const Boundary& known) {
  if (edge == 0) return;
  const std::lock_guard lock(mutex_);
  Boundary& boundary = boundaries_[edge];
  if (known.before) boundary.before = known.before;
  if (known.after) boundary.after = known.after;
  if (!boundary.before || !boundary.after) return;
  const Boundary whole = boundary;
  boundaries_.erase(edge);
  if (!follows(*whole.before, *whole.after)) refuse(edge, *whole.after, "sorted edges");
}

void OrderCheck::end_lane(LaneTally& lane) {
  if (!both_directions_) return;
  const std::lock_guard lock(mutex_);
  const LaneTally ended = std::exchange(lane, {});
  pass_.edges += ended.edges;
  pass_.balance += ended.balance;
  if (pass_.edges != *facts_.edges || pass_.balance == 0) return;
  throw core::DataError::in_file(
      facts_.name,
      "an edge is not as the file declares: it declares that every edge is stored in both directions");
}

void OrderCheck::refuse(std::uint64_t edge, const Ends& found, const char* declared) const {
  const std::string what =
      declared == std::string("sorted edges") && facts_.unique ? "sorted edges without duplicates" : declared;
  throw core::DataError::in_file(
      facts_.name, "edge " + std::to_string(edge) + ", " + std::to_string(found.source) + " to " +
                       std::to_string(found.target) + ", is not as the file declares: it declares " + what);
}

}  // namespace emgraph::graph::format
