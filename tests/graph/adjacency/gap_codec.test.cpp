// SPDX-License-Identifier: MIT
// Gaps: every length of value, every length of list, ends of the id range.
#include "graph/adjacency/gap_codec.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <vector>

namespace emgraph::tests {
namespace {

using graph::adjacency::GapCodec;

template <class Id>
std::vector<Id> round_trip(Id node, const std::vector<Id>& list) {
  using Codec = GapCodec<Id>;
  std::vector<std::byte> bytes(Codec::most_bytes(list.size()) + Codec::overrun_bytes, std::byte{0xa5});
  const std::size_t used = Codec::encode(node, list.data(), list.size(), bytes.data());
  REQUIRE(used <= Codec::most_bytes(list.size()));
  REQUIRE(Codec::control_bytes(list.size()) + Codec::value_bytes(bytes.data(), list.size()) == used);
  std::size_t expected = Codec::control_bytes(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    expected += Codec::lengths[Codec::code(Codec::stored(node, list.data(), i))];
  }
  REQUIRE(expected == used);
  std::vector<Id> read;
  REQUIRE(Codec::decode(node, bytes.data(), list.size(), bytes.data() + used,
                        [&](const auto& ids, unsigned here) {
                          read.insert(read.end(), ids.begin(), ids.begin() + here);
                          return true;
                        }));
  return read;
}

template <class Id>
void check_lists() {
  std::mt19937_64 random(1);
  constexpr Id most = std::numeric_limits<Id>::max();
  for (std::size_t count = 1; count < 70; ++count) {
    for (unsigned bits = 1; bits <= 8 * sizeof(Id); ++bits) {
      std::vector<Id> list(count);
      const Id mask = most >> (8 * sizeof(Id) - bits);
      for (Id& id : list) id = static_cast<Id>(random()) & mask;
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      for (const Id node : {Id{0}, list.front(), list.back(), most, static_cast<Id>(random())}) {
        REQUIRE(round_trip<Id>(node, list) == list);
      }
    }
  }
  CHECK(round_trip<Id>(5, {0, most}) == std::vector<Id>{0, most});
  CHECK(round_trip<Id>(most, {0}) == std::vector<Id>{0});
  CHECK(round_trip<Id>(0, {most - 1, most}) == std::vector<Id>{most - 1, most});
}

TEST_CASE("gap codec: what is written is read") {
  check_lists<std::uint32_t>();
  check_lists<std::uint64_t>();
}

TEST_CASE("gap codec: reading stops on request") {
  std::vector<std::uint32_t> list;
  for (std::uint32_t i = 0; i < 30; ++i) list.push_back(i * i);
  std::vector<std::byte> bytes(200);
  GapCodec<std::uint32_t>::encode(7, list.data(), list.size(), bytes.data());
  int groups = 0;
  CHECK(GapCodec<std::uint32_t>::decode(7, bytes.data(), list.size(), bytes.data() + bytes.size(),
                                        [&](const auto&, unsigned) { return ++groups < 3; }));
  CHECK(groups == 3);
}

TEST_CASE("gap codec: lengths that lead beyond the limit are found before anything there is read") {
  using Codec = GapCodec<std::uint64_t>;
  std::vector<std::uint64_t> list;
  for (std::uint64_t i = 0; i < 40; ++i) list.push_back(i);
  std::vector<std::byte> bytes(Codec::most_bytes(list.size()));
  const std::size_t used = Codec::encode(7, list.data(), list.size(), bytes.data());
  bytes.resize(used + Codec::overrun_bytes);
  bytes.shrink_to_fit();
  bytes[3] = std::byte{
      0xff};  // lengths of 32 bytes, but there are 4: the next four values would begin after the end
  int groups = 0;
  CHECK_FALSE(Codec::decode(7, bytes.data(), list.size(), bytes.data() + used,
                            [&](const auto&, unsigned) { return ++groups != 0; }));
  CHECK(groups == 4);
}

}  // namespace
}  // namespace emgraph::tests
