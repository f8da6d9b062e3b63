// SPDX-License-Identifier: MIT
// Packed records come back as they were, for every key width.
#include "core/spill/packing.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "tests/core/sort/keyed_record.hpp"

namespace emgraph::tests {
namespace {

template <class Key, std::size_t A>
void round_trip(unsigned bits) {
  std::mt19937_64 random(bits);
  core::Packing<Key> packing{static_cast<Key>(random() % 1000),
                             core::Packing<Key>::key_bytes_for(core::low_mask<Key>(bits)), A};
  const std::size_t packed_bytes = 8192;
  const std::size_t capacity = packing.capacity(packed_bytes);
  REQUIRE(capacity % packing.group_records == 0);
  REQUIRE(capacity / packing.group_records * packing.group_bytes() + packing.slack_bytes <= packed_bytes);
  const std::size_t count = capacity - 5;  // a last group that is not full
  std::vector<KeyedRecord<Key, A>> records(capacity);
  for (auto& record : records) {
    record.key = packing.base +
                 ((static_cast<Key>(random()) << (4 * sizeof(Key)) ^ random()) & core::low_mask<Key>(bits));
    if constexpr (A > 0) {
      for (auto& byte : record.attachment) byte = static_cast<std::byte>(random());
    }
  }
  std::vector<std::byte> block(packed_bytes, std::byte{0xee});
  for (std::size_t group = 0; group * packing.group_records < count; ++group) {
    const std::size_t first = group * packing.group_records;
    pack(packing, &records[first], std::min(packing.group_records, count - first), block.data(), group);
  }
  std::size_t seen = 0;
  std::vector<std::byte> attachments(count * A);
  packing.unpack(block.data(), count, A > 0 ? attachments.data() : nullptr, [&](std::size_t i, Key key) {
    REQUIRE(i == seen++);
    REQUIRE((packing.base + key == records[i].key));
  });
  REQUIRE(seen == count);
  if constexpr (A > 0) {
    for (std::size_t i = 0; i < count; ++i) {
      REQUIRE(std::memcmp(attachments.data() + i * A, records[i].attachment.data(), A) == 0);
    }
  }
}

TEST_CASE("packing leaves out only the bits that the bucket implies") {
  for (const unsigned bits : {0u, 1u, 7u, 8u, 9u, 31u, 40u, 48u, 55u, 57u, 63u}) {
    CAPTURE(bits);
    round_trip<std::uint64_t, 0>(bits);
    round_trip<std::uint64_t, 4>(bits);
    round_trip<std::uint64_t, 5>(bits);
    round_trip<std::uint64_t, 16>(bits);
    round_trip<core::uint128, 0>(bits);
    round_trip<core::uint128, 8>(bits + 60);
    round_trip<core::uint128, 64>(bits + 1);
  }
}

}  // namespace
}  // namespace emgraph::tests
