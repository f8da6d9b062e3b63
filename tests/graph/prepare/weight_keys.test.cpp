// SPDX-License-Identifier: MIT
// Keys of records in the order of weights.
#include "graph/prepare/weight_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <vector>

#include "graph/prepare/attachment_order.hpp"

namespace emgraph::tests {
namespace {

using graph::WeightType;
using graph::prepare::WeightKeys;

constexpr std::size_t other_bytes = 3;

struct Row {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  std::array<std::byte, 8 + other_bytes> attachment{};
};

struct Packed {
  WeightKeys::Key key = 0;
  std::vector<std::byte> attached;
  bool operator<(const Packed& other) const {
    return key != other.key ? key < other.key : attached < other.attached;
  }
};

Packed pack(const WeightKeys& keys, const Row& row) {
  Packed packed{keys.key(row.source, row.target, row.attachment.data()),
                std::vector<std::byte>(keys.attachment_bytes())};
  keys.attach(row.target, row.attachment.data(), packed.attached.data());
  return packed;
}

/// Zeros of both signs, infinities, numbers that are not one, the ends of the integers, few values in all.
std::uint64_t weight_bits(WeightType type, std::mt19937_64& random) {
  const bool narrow = graph::weight_bytes(type) == 4;
  const std::uint64_t sign = narrow ? 0x80000000U : 0x8000000000000000U;
  const std::uint64_t infinity = narrow ? 0x7f800000U : 0x7ff0000000000000U;
  const std::uint64_t all = narrow ? 0xffffffffU : ~std::uint64_t{0};
  const std::array values{std::uint64_t{0}, sign,     infinity,  infinity | sign, infinity + 1, all,
                          std::uint64_t{1}, sign + 1, all - sign};
  return values[random() % values.size()];
}

TEST_CASE("keys have the order of weight, source, target, other bytes, and give the records back") {
  const auto type = GENERATE(WeightType::u32, WeightType::i64, WeightType::f32, WeightType::f64);
  const auto id_bits = GENERATE(1U, 31U, 32U, 33U, 36U, 47U, 48U, 49U, 63U, 64U);
  CAPTURE(static_cast<int>(type), id_bits);
  const std::size_t weight_bytes = graph::weight_bytes(type);
  const std::size_t attachment_bytes = weight_bytes + other_bytes;
  const core::PairShape shape{
      .integer_bytes = id_bits <= 32 ? 4U : 8U, .attachment_bytes = attachment_bytes, .row_bytes = 32};
  const WeightKeys keys(shape, type, id_bits);
  const core::CompareAttachments compare = graph::prepare::attachment_order(type);
  std::mt19937_64 random(id_bits);
  const std::uint64_t most = ~std::uint64_t{0} >> (64 - id_bits);
  std::vector<Row> rows(300);
  for (Row& row : rows) {
    for (std::uint64_t* id : {&row.source, &row.target})
      *id = most - random() % 3 * (random() % 2 * most / 2);
    const std::uint64_t bits = weight_bits(type, random);
    std::memcpy(row.attachment.data(), &bits, weight_bytes);
    row.attachment[weight_bytes + random() % other_bytes] = static_cast<std::byte>(random() % 2 * 200);
  }
  const auto before = [&](const Row& a, const Row& b) {
    const int by_weight = compare(a.attachment.data(), b.attachment.data(), weight_bytes);
    if (by_weight != 0) return by_weight < 0;
    if (a.source != b.source) return a.source < b.source;
    if (a.target != b.target) return a.target < b.target;
    return compare(a.attachment.data(), b.attachment.data(), attachment_bytes) < 0;
  };
  for (const Row& row : rows) {
    const Packed packed = pack(keys, row);
    REQUIRE(packed.key <= keys.range().last);
    std::array<std::byte, 32> record{};
    keys.record(packed.key, packed.attached.data(), record.data());
    std::array<std::byte, 32> expected{};
    std::memcpy(expected.data(), &row.source, shape.integer_bytes);
    std::memcpy(expected.data() + shape.integer_bytes, &row.target, shape.integer_bytes);
    std::memcpy(expected.data() + 2 * shape.integer_bytes, row.attachment.data(), attachment_bytes);
    REQUIRE(record == expected);
    for (const Row& other : rows) REQUIRE((packed < pack(keys, other)) == before(row, other));
  }
}

}  // namespace
}  // namespace emgraph::tests
