// SPDX-License-Identifier: MIT
// Compares each edge with the one before and with itself reversed, one 64-bit lane each. As a number, an edge
// in memory is target * 2^32 + source; rotated by 32 bits it is its place in the order. The hash of an edge
// is the product of the hashes of its ends, so both directions have the same.
#include "graph/format/source/order_kernel.hpp"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/format/source/order_kernel.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace emgraph::graph::format::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

bool rules_kernel(const OrderRules& rules, const std::uint32_t* edges, std::size_t count) {
  const auto place_of = [&](std::size_t i) { return std::uint64_t{edges[2 * i]} << 32 | edges[2 * i + 1]; };
  const auto reversed = [](std::uint64_t place) { return place << 32 | place >> 32; };
  const auto is_bad = [&](std::size_t i) {
    const std::uint64_t place = place_of(i);
    const std::uint64_t back = reversed(place);
    bool bad = (rules.no_loops && place == back) || (rules.low_first && place > back);
    if (rules.by_source && i > 0) {
      const std::uint64_t before = place_of(i - 1);
      bad |= place < before || (rules.unique && place == before);
    }
    return bad;
  };
  if (count == 0) return false;
  bool bad = is_bad(0);
  std::size_t i = 1;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint32_t> d32;
  const hn::Repartition<std::uint64_t, decltype(d32)> d64;
  const std::size_t lanes = hn::Lanes(d64);
  const auto load = [&](std::size_t edge) { return hn::BitCast(d64, hn::LoadU(d32, edges + 2 * edge)); };
  // Gathered over the whole batch and looked at once.
  auto found = hn::Zero(d64);
  const auto none = hn::Zero(d64);
  const auto if_unique = rules.unique ? hn::Not(none) : none;
  const auto if_no_loops = rules.no_loops ? hn::Not(none) : none;
  const auto if_low_first = rules.low_first ? hn::Not(none) : none;
  const bool ends = rules.no_loops || rules.low_first;
  for (; i + lanes <= count; i += lanes) {
    const auto raw = load(i);
    const auto place = hn::RotateRight<32>(raw);
    if (rules.by_source) {
      const auto before = hn::RotateRight<32>(load(i - 1));
      found = hn::Or(found, hn::VecFromMask(d64, hn::Lt(place, before)));
      found = hn::Or(found, hn::And(if_unique, hn::VecFromMask(d64, hn::Eq(place, before))));
    }
    if (ends) {
      found = hn::Or(found, hn::And(if_no_loops, hn::VecFromMask(d64, hn::Eq(place, raw))));
      found = hn::Or(found, hn::And(if_low_first, hn::VecFromMask(d64, hn::Lt(raw, place))));
    }
  }
  bad |= !hn::AllTrue(d64, hn::Eq(found, none));
#endif
  for (; i < count; ++i) bad |= is_bad(i);
  return bad;
}

EndSummary ends_kernel(const std::uint32_t* edges, std::size_t count) {
  EndSummary ends;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint32_t> d32;
  const hn::Repartition<std::uint64_t, decltype(d32)> d64;
  const std::size_t lanes = hn::Lanes(d64);
  auto largest = hn::Zero(d32);
  auto loops = hn::Zero(d64);
  for (; i + lanes <= count; i += lanes) {
    const auto ids = hn::LoadU(d32, edges + 2 * i);
    largest = hn::Max(largest, ids);
    const auto raw = hn::BitCast(d64, ids);
    loops = hn::Sub(loops, hn::VecFromMask(d64, hn::Eq(raw, hn::RotateRight<32>(raw))));  // a mask is -1
  }
  ends.max_id = hn::GetLane(hn::MaxOfLanes(d32, largest));
  ends.loops = hn::GetLane(hn::SumOfLanes(d64, loops));
#endif
  for (; i < count; ++i) {
    ends.max_id = std::max({ends.max_id, edges[2 * i], edges[2 * i + 1]});
    ends.loops += edges[2 * i] == edges[2 * i + 1];
  }
  return ends;
}

std::uint64_t balance_kernel(const std::uint32_t* edges, std::size_t count) {
  constexpr std::uint32_t first = 0x9e3779b9;
  constexpr std::uint32_t factor = 0x85ebca6b;
  const auto hash = [](std::uint32_t id) {
    const std::uint32_t mixed = (id + first) * factor;
    return std::uint64_t{mixed ^ mixed >> 15};
  };
  std::uint64_t balance = 0;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint32_t> d32;
  const hn::Repartition<std::uint64_t, decltype(d32)> d64;
  const std::size_t lanes = hn::Lanes(d64);
  auto up = hn::Zero(d64);
  auto down = hn::Zero(d64);
  for (; i + lanes <= count; i += lanes) {
    const auto ids = hn::LoadU(d32, edges + 2 * i);
    const auto mixed = hn::Mul(hn::Add(ids, hn::Set(d32, first)), hn::Set(d32, factor));
    const auto hashes = hn::Xor(mixed, hn::ShiftRight<15>(mixed));
    const auto product = hn::MulEven(hashes, hn::Shuffle2301(hashes));
    const auto raw = hn::BitCast(d64, ids);
    const auto place = hn::RotateRight<32>(raw);
    up = hn::Add(up, hn::IfThenElseZero(hn::Lt(place, raw), product));
    down = hn::Add(down, hn::IfThenElseZero(hn::Lt(raw, place), product));
  }
  // Not SumOfLanes(): the sum may wrap around, and for AVX-512 compilers add signed numbers there.
  std::array<std::uint64_t, hn::MaxLanes(d64)> sums;
  hn::StoreU(hn::Sub(up, down), d64, sums.data());
  for (std::size_t lane = 0; lane < lanes; ++lane) balance += sums[lane];
#endif
  for (; i < count; ++i) {
    const std::uint32_t source = edges[2 * i];
    const std::uint32_t target = edges[2 * i + 1];
    const std::uint64_t product = hash(source) * hash(target);
    if (source != target) balance += source < target ? product : -product;
  }
  return balance;
}

}  // namespace emgraph::graph::format::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::graph::format {

HWY_EXPORT(rules_kernel);
HWY_EXPORT(ends_kernel);
HWY_EXPORT(balance_kernel);

bool breaks_rules(const OrderRules& rules, const std::uint32_t* edges, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(rules_kernel)(rules, edges, count);
}

EndSummary summarize_ends(const std::uint32_t* edges, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(ends_kernel)(edges, count);
}

std::uint64_t direction_balance(const std::uint32_t* edges, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(balance_kernel)(edges, count);
}

}  // namespace emgraph::graph::format
#endif
