// SPDX-License-Identifier: MIT
// Sorts triples as integer keys.
#include "graph/triangles/triple_sort.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "graph/prepare/edge_keys.hpp"
#include "graph/triangles/run_sort.hpp"

namespace emgraph::graph::triangles {
namespace {

struct Triple {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t c = 0;
};

Triple ordered(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  if (x > y) std::swap(x, y);
  if (y > z) std::swap(y, z);
  if (x > y) std::swap(x, y);
  return {x, y, z};
}

/// All three ids are in the key.
template <core::IntegerKey Key>
struct PackedTriple {
  using Sorter = RunSort<Key, 0>;
  using Record = typename Sorter::Record;
  unsigned bits;

  void configure(typename Sorter::Options& options) const {
    options.range = {0, core::low_mask<Key>(3 * bits)};
  }
  Record pack(const Triple& triple) const {
    return {static_cast<Key>(static_cast<Key>(triple.a) << (2 * bits) | static_cast<Key>(triple.b) << bits |
                             triple.c)};
  }
  Triple unpack(const Record& record) const {
    const Key mask = core::low_mask<Key>(bits);
    return {static_cast<std::uint64_t>(record.key >> (2 * bits)),
            static_cast<std::uint64_t>(record.key >> bits & mask),
            static_cast<std::uint64_t>(record.key & mask)};
  }
};

int compare_ids(const std::byte* a, const std::byte* b, std::size_t) {
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  std::memcpy(&left, a, sizeof left);
  std::memcpy(&right, b, sizeof right);
  return left < right ? -1 : left > right ? 1 : 0;
}

/// Two ids are in the key, the third is attached.
struct WideTriple {
  using Sorter = RunSort<core::uint128, 8>;
  using Record = Sorter::Record;
  unsigned bits;

  void configure(Sorter::Options& options) const {
    options.range = {0, core::low_mask<core::uint128>(2 * bits)};
    options.compare = compare_ids;
  }
  Record pack(const Triple& triple) const {
    Record record;
    record.key = static_cast<core::uint128>(triple.a) << bits | triple.b;
    std::memcpy(record.attachment.data(), &triple.c, sizeof triple.c);
    return record;
  }
  Triple unpack(const Record& record) const {
    Triple triple{static_cast<std::uint64_t>(record.key >> bits),
                  static_cast<std::uint64_t>(record.key & core::low_mask<core::uint128>(bits))};
    std::memcpy(&triple.c, record.attachment.data(), sizeof triple.c);
    return triple;
  }
};

template <class Packing>
class Sort final : public TripleSort {
 public:
  Sort(core::Environment& environment, Packing packing, const std::optional<std::uint64_t>& triples,
       std::size_t memory_bytes)
      : packing_(packing), sorter_(environment, options(environment, packing, triples, memory_bytes)) {}

  void push(unsigned thread, std::uint64_t x, std::uint64_t y, std::span<const std::uint64_t> zs) override {
    auto lane = sorter_.lane(thread);
    for (const std::uint64_t z : zs) lane.push(packing_.pack(ordered(x, y, z)));
  }
  void finish() override { sorter_.finish(); }
  void drain(core::FunctionRef<void(std::span<const std::uint64_t>)> take) override {
    std::array<std::uint64_t, 3 * 1024> ids;
    std::size_t filled = 0;
    for (auto batch = sorter_.next(); !batch.empty(); batch = sorter_.next()) {
      for (const auto& record : batch) {
        const Triple triple = packing_.unpack(record);
        ids[filled++] = triple.a;
        ids[filled++] = triple.b;
        ids[filled++] = triple.c;
        if (filled < ids.size()) continue;
        take(ids);
        filled = 0;
      }
    }
    if (filled > 0) take(std::span(ids).first(filled));
  }

 private:
  using Options = typename Packing::Sorter::Options;
  static Options options(const core::Environment& environment, Packing packing,
                         const std::optional<std::uint64_t>& triples, std::size_t memory_bytes) {
    Options options;
    packing.configure(options);
    options.records = triples;
    options.memory_bytes = memory_bytes;
    options.threads = environment.threads;
    return options;
  }
  const Packing packing_;
  typename Packing::Sorter sorter_;
};

}  // namespace

std::unique_ptr<TripleSort> make_triple_sort(core::Environment& environment, std::uint64_t nodes,
                                             const std::optional<std::uint64_t>& triples,
                                             std::size_t memory_bytes) {
  const unsigned bits = prepare::bits_for_nodes(nodes);
  const auto make = [&]<class Packing>(Packing packing) -> std::unique_ptr<TripleSort> {
    return std::make_unique<Sort<Packing>>(environment, packing, triples, memory_bytes);
  };
  if (3 * bits <= 64) return make(PackedTriple<std::uint64_t>{bits});
  if (3 * bits <= 128) return make(PackedTriple<core::uint128>{bits});
  return make(WideTriple{bits});
}

}  // namespace emgraph::graph::triangles
