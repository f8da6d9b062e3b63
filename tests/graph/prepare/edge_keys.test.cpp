// SPDX-License-Identifier: MIT
// Edges as integer keys: order and content survive.
#include "graph/prepare/edge_keys.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <utility>

#include "graph/prepare/sorted_edges.hpp"

namespace emgraph::tests {
namespace {

using namespace graph::prepare;

template <class Key>
void check_keys(unsigned bits) {
  CAPTURE(sizeof(Key), bits);
  const EdgeKeys<Key> keys{bits};
  const std::uint64_t most = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  std::mt19937_64 random(bits);
  const auto id = [&] {
    switch (random() % 4) {
      case 0:
        return std::uint64_t{0};
      case 1:
        return most;
      default:
        return random() & most;
    }
  };
  const auto range = keys.range(most);
  std::size_t wrong = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::pair a{id(), id()};
    const std::pair b{i % 2 == 0 ? a.first : id(), id()};
    const Key key_a = keys.make(a.first, a.second);
    const Key key_b = keys.make(b.first, b.second);
    wrong += (key_a < key_b) != (a < b) || (key_a == key_b) != (a == b);
    wrong += keys.first(key_a) != a.first || keys.second(key_a) != a.second;
    wrong += key_a < range.first || key_a > range.last;
  }
  CHECK(wrong == 0);
  CHECK(range.last == keys.make(most, most));
}

TEST_CASE("edge keys order as (first, second) and give both back") {
  for (unsigned bits = 1; bits <= 32; ++bits) check_keys<std::uint64_t>(bits);
  for (unsigned bits = 1; bits <= 64; ++bits) check_keys<core::uint128>(bits);
  CHECK(EdgeKeys<std::uint64_t>{}.id_bits == 32);
  CHECK(EdgeKeys<core::uint128>{}.id_bits == 64);
}

TEST_CASE("bits for nodes are those that the largest id needs") {
  CHECK(bits_for_nodes(0) == 1);
  CHECK(bits_for_nodes(1) == 1);
  CHECK(bits_for_nodes(2) == 1);
  CHECK(bits_for_nodes(3) == 2);
  CHECK(bits_for_nodes(4) == 2);
  CHECK(bits_for_nodes(5) == 3);
  CHECK(bits_for_nodes(std::uint64_t{1} << 32) == 32);
  CHECK(bits_for_nodes((std::uint64_t{1} << 32) + 1) == 33);
  CHECK(bits_for_nodes(~std::uint64_t{0}) == 64);
}

template <class Id>
std::pair<std::size_t, unsigned> key_of(std::optional<std::uint64_t> nodes) {
  return with_edge_keys<Id>(
      nodes, [](const auto& keys) { return std::pair(sizeof(keys.make(0, 0)), keys.id_bits); });
}

TEST_CASE("the narrowest key that holds the ids is chosen") {
  using Chosen = std::pair<std::size_t, unsigned>;
  CHECK(key_of<std::uint32_t>(std::nullopt) == Chosen(8, 32));
  CHECK(key_of<std::uint32_t>(1000) == Chosen(8, 10));
  CHECK(key_of<std::uint32_t>(std::uint64_t{1} << 40) == Chosen(8, 32));
  CHECK(key_of<std::uint64_t>(std::nullopt) == Chosen(16, 64));
  CHECK(key_of<std::uint64_t>(std::uint64_t{1} << 32) == Chosen(8, 32));
  CHECK(key_of<std::uint64_t>((std::uint64_t{1} << 32) + 1) == Chosen(16, 33));
}

}  // namespace
}  // namespace emgraph::tests
