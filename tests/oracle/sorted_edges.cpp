// SPDX-License-Identifier: MIT
// Comparisons in an unnamed namespace: what the library instantiates for them is in no other, instrumented,
// object.
#include "tests/oracle/sorted_edges.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace emgraph::tests {

namespace {

using graph::Record;
using graph::WeightType;

template <class T>
int compare_weights(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const auto order = std::strong_order(a, b);
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }
  return a < b ? -1 : b < a ? 1 : 0;
}

// Not inlined: gcc 12 warns of loads that the weight's type rules out.
template <class T>
[[gnu::noinline]] int compare_loaded(const std::byte* a, const std::byte* b) {
  T left, right;
  std::memcpy(&left, a, sizeof left);
  std::memcpy(&right, b, sizeof right);
  return compare_weights(left, right);
}

int compare_weight_bytes(WeightType type, const std::byte* a, const std::byte* b) {
  switch (type) {
    case WeightType::none:
      return 0;
    case WeightType::u32:
      return compare_loaded<std::uint32_t>(a, b);
    case WeightType::i64:
      return compare_loaded<std::int64_t>(a, b);
    case WeightType::f32:
      return compare_loaded<float>(a, b);
    case WeightType::f64:
      return compare_loaded<double>(a, b);
  }
  return 0;
}

template <class R>
int compare_attached(WeightType type, const R& a, const R& b) {
  if constexpr (R::attachment_bytes > 0) {
    const int by_weight = compare_weight_bytes(type, a.attachment.data(), b.attachment.data());
    if (by_weight != 0) return by_weight;
    return std::memcmp(a.attachment.data(), b.attachment.data(), R::attachment_bytes);
  }
  return 0;
}

template <class R>
bool comes_before(const R& a, const R& b, graph::EdgeOrder order, WeightType type) {
  if constexpr (R::attachment_bytes > 0) {
    if (order == graph::EdgeOrder::weight) {
      const int by_weight = compare_weight_bytes(type, a.attachment.data(), b.attachment.data());
      if (by_weight != 0) return by_weight < 0;
    }
  }
  const bool by_target = order == graph::EdgeOrder::target_source;
  const auto ends = [&](const R& e) {
    return by_target ? std::pair(e.target, e.source) : std::pair(e.source, e.target);
  };
  if (ends(a) != ends(b)) return ends(a) < ends(b);
  return compare_attached(type, a, b) < 0;
}

struct BySource {
  bool operator()(const graph::Edge64& a, const graph::Edge64& b) const {
    return a.source != b.source ? a.source < b.source : a.target < b.target;
  }
};

}  // namespace

template <class R>
void sort_records(std::vector<R>& edges, graph::EdgeOrder order, WeightType type) {
  std::sort(edges.begin(), edges.end(),
            [&](const R& a, const R& b) { return comes_before(a, b, order, type); });
}

template void sort_records(std::vector<Record<std::uint32_t, 0>>&, graph::EdgeOrder, WeightType);
template void sort_records(std::vector<Record<std::uint32_t, 4>>&, graph::EdgeOrder, WeightType);
template void sort_records(std::vector<Record<std::uint32_t, 8>>&, graph::EdgeOrder, WeightType);
template void sort_records(std::vector<Record<std::uint32_t, 16>>&, graph::EdgeOrder, WeightType);
template void sort_records(std::vector<Record<std::uint32_t, 64>>&, graph::EdgeOrder, WeightType);
template void sort_records(std::vector<Record<std::uint64_t, 0>>&, graph::EdgeOrder, WeightType);
template void sort_records(std::vector<Record<std::uint64_t, 8>>&, graph::EdgeOrder, WeightType);
template void sort_records(std::vector<Record<std::uint64_t, 16>>&, graph::EdgeOrder, WeightType);

bool facts_hold(const graph::EdgeFacts& facts, std::vector<graph::Edge64> edges) {
  std::sort(edges.begin(), edges.end(), BySource());
  bool hold = !facts.edges || *facts.edges == edges.size();
  for (std::size_t i = 1; facts.unique && i < edges.size(); ++i) {
    if (!BySource()(edges[i - 1], edges[i])) hold = false;
  }
  for (const auto& [source, target] : edges) {
    if (facts.no_loops && source == target) hold = false;
    if (facts.oriented_low && target < source) hold = false;
    if (facts.nodes && std::max(source, target) >= *facts.nodes) hold = false;
    if (facts.symmetric &&
        !std::binary_search(edges.begin(), edges.end(), graph::Edge64{target, source}, BySource())) {
      hold = false;
    }
  }
  return hold;
}

}  // namespace emgraph::tests
