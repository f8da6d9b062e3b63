// SPDX-License-Identifier: MIT
// A block that has been coded and decoded holds the same records, in the order of their keys.
#include "core/spill/block_coding.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/budget.hpp"
#include "core/spill/coding_choice.hpp"
#include "core/spill/packing.hpp"
#include "tests/core/sort/key_shapes.hpp"
#include "tests/core/sort/keyed_record.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {
namespace {

template <class Key, std::size_t A>
using Records = std::vector<KeyedRecord<Key, A>>;

template <class Key, std::size_t A>
bool before(const KeyedRecord<Key, A>& a, const KeyedRecord<Key, A>& b) {
  if (a.key != b.key) return a.key < b.key;
  if constexpr (A > 0) return std::memcmp(a.attachment.data(), b.attachment.data(), A) < 0;
  return false;
}

/// A block of such records between two guard pages, which must not be changed.
template <class Key, std::size_t A>
struct TestBlock {
  TestBlock(std::size_t block_bytes, unsigned key_bits)
      : layout{key_bits, A},
        packing{0, layout.key_bytes(), A},
        memory(64 * core::MiB),
        buffer(memory, block_bytes + 2 * core::page_bytes, "a block"),
        block(buffer.bytes().subspan(core::page_bytes, block_bytes)),
        scratch(memory, core::coding_scratch_bytes(block_bytes), "scratch space") {
    std::memset(buffer.data(), 0x5a, buffer.size());
  }
  std::size_t capacity() const { return packing.capacity(block.size()); }

  void fill(const Records<Key, A>& records) {
    for (std::size_t i = 0; i < records.size(); i += 32) {
      pack(packing, records.data() + i, std::min<std::size_t>(32, records.size() - i), block.data(), i / 32);
    }
  }
  Records<Key, A> content(std::size_t count) const {
    Records<Key, A> records(count);
    std::vector<std::byte> attachments(count * A);
    packing.unpack(block.data(), count, A > 0 ? attachments.data() : nullptr,
                   [&](std::size_t i, Key key) { records[i].key = key; });
    if constexpr (A > 0) {
      for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(records[i].attachment.data(), attachments.data() + i * A, A);
      }
    }
    return records;
  }
  bool surroundings_untouched() const {
    const auto whole = buffer.bytes();
    const auto good = [](std::byte byte) { return byte == std::byte{0x5a}; };
    return std::all_of(whole.begin(), whole.begin() + core::page_bytes, good) &&
           std::all_of(whole.end() - core::page_bytes, whole.end(), good);
  }

  core::BlockLayout layout;
  core::Packing<Key> packing;
  core::MemoryBudget memory;
  core::Buffer buffer;
  std::span<std::byte> block;
  core::Buffer scratch;
};

/// Codes and decodes; returns the bytes of the code, 0 if it was none.
template <class Key, std::size_t A>
std::size_t check_block(std::size_t block_bytes, unsigned key_bits, Records<Key, A> records) {
  TestBlock<Key, A> test(block_bytes, key_bits);
  CAPTURE(block_bytes, key_bits, A, sizeof(Key), records.size());
  test.fill(records);
  const std::size_t code_bytes =
      core::encode_block(test.layout, test.block, records.size(), test.scratch.bytes());
  CHECK(test.surroundings_untouched());
  CHECK(code_bytes <= block_bytes - core::page_bytes);
  std::sort(records.begin(), records.end(), before<Key, A>);
  if (code_bytes > 0) {
    std::size_t sampled = 0;
    bool good = true;
    Key last = 0;
    core::sample_coded_block(test.layout, test.block.data(), records.size(), [&](core::uint128 key) {
      ++sampled;
      good = good && static_cast<Key>(key) >= last;
      last = static_cast<Key>(key);
      const auto at = std::lower_bound(records.begin(), records.end(), last,
                                       [](const auto& record, Key value) { return record.key < value; });
      good = good && at != records.end() && at->key == last;
    });
    CHECK(good);
    CHECK(sampled == std::clamp<std::size_t>(records.size() / 256, 1, 128));
    // The bytes after the code are not read back from a disk and must not be used.
    const std::size_t pages = core::round_up(code_bytes, core::page_bytes);
    std::memset(test.block.data() + pages, 0xa5, block_bytes - pages);
    core::decode_block(test.layout, test.block, pages, records.size(), test.scratch.bytes());
    CHECK(test.surroundings_untouched());
  }
  Records<Key, A> back = test.content(records.size());
  if (code_bytes > 0) {
    CHECK(
        std::is_sorted(back.begin(), back.end(), [](const auto& a, const auto& b) { return a.key < b.key; }));
  }
  std::sort(back.begin(), back.end(), before<Key, A>);
  const bool same =
      std::equal(back.begin(), back.end(), records.begin(), records.end(),
                 [](const auto& a, const auto& b) { return !before<Key, A>(a, b) && !before<Key, A>(b, a); });
  CHECK(same);
  return code_bytes;
}

template <class Key, std::size_t A>
Records<Key, A> random_records(std::size_t count, unsigned key_bits, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  Records<Key, A> records(count);
  for (auto& record : records) {
    Key key = random();
    if constexpr (sizeof(Key) == 16) key = key << 64 | random();
    record.key = key & core::low_mask<Key>(key_bits);
    if constexpr (A > 0) {
      for (std::byte& byte : record.attachment) byte = static_cast<std::byte>(random());
    }
  }
  return records;
}

template <class Key, std::size_t A>
void check_widths(Sample& sample) {
  for (const std::size_t block_bytes : {2 * core::page_bytes, 16 * core::KiB, 92 * core::KiB}) {
    for (unsigned key_bits = 0; key_bits <= 8 * sizeof(Key); key_bits += key_bits < 66 ? 3 : 13) {
      const std::size_t most = TestBlock<Key, A>(block_bytes, key_bits).capacity();
      for (const std::size_t count : {most, most - 31, most / 2 + 1, std::size_t{33}, std::size_t{1}}) {
        if (!sample.takes(1)) continue;
        check_block<Key, A>(block_bytes, key_bits, random_records<Key, A>(count, key_bits));
      }
    }
    const std::size_t most = TestBlock<Key, A>(block_bytes, 8 * sizeof(Key)).capacity();
    check_block<Key, A>(block_bytes, 8 * sizeof(Key), random_records<Key, A>(most, 8 * sizeof(Key)));
  }
}

TEST_CASE("block coding gives records of every width back") {
  Sample sample(4);
  check_widths<std::uint64_t, 0>(sample);
  check_widths<std::uint64_t, 8>(sample);
  check_widths<std::uint64_t, 16>(sample);
  check_widths<core::uint128, 0>(sample);
  check_widths<core::uint128, 4>(sample);
}

TEST_CASE("block coding gives keys of every shape back") {
  constexpr std::size_t count = 9000;
  Sample sample(3);
  for (const unsigned bits : {10U, 32U, 44U, 63U}) {
    for (const KeyShape& shape : key_shapes(count, std::uint64_t{1} << bits)) {
      if (!sample.takes(1)) continue;
      CAPTURE(shape.name, bits);
      Records<std::uint64_t, 0> plain(count);
      Records<std::uint64_t, 4> attached(count);
      Records<core::uint128, 0> wide(count);
      for (std::size_t i = 0; i < count; ++i) {
        plain[i].key = shape.keys[i];
        attached[i] = {shape.keys[i], {std::byte(i), std::byte(i >> 8)}};
        wide[i].key = static_cast<core::uint128>(shape.keys[i]) << 60 | i % 3;
      }
      check_block<std::uint64_t, 0>(128 * core::KiB, bits, plain);
      check_block<std::uint64_t, 4>(128 * core::KiB, bits, attached);
      check_block<core::uint128, 0>(256 * core::KiB, 60 + bits, wide);
    }
  }
}

// Gaps of one group from nothing to all there is, so that the unary parts and the widest low parts occur.
TEST_CASE("block coding takes gaps that differ as much as they can") {
  for (unsigned far = 0; far < 128; ++far) {
    Records<core::uint128, 0> records(2000);
    for (std::size_t i = 0; i < records.size(); ++i) {
      records[i].key = i % 32 == far % 32 ? static_cast<core::uint128>(1) << far : i;
    }
    CHECK(check_block<core::uint128, 0>(48 * core::KiB, 128, records) > 0);
  }
}

TEST_CASE("block coding of random keys takes half a bit more than the least") {
  constexpr std::size_t block_bytes = 256 * core::KiB;
  const std::size_t count = TestBlock<std::uint64_t, 0>(block_bytes, 40).capacity();
  const std::size_t code_bytes =
      check_block<std::uint64_t, 0>(block_bytes, 40, random_records<std::uint64_t, 0>(count, 40));
  const double bits = 8.0 * static_cast<double>(code_bytes) / static_cast<double>(count);
  CHECK(bits < 40 - std::log2(count) + 2);
  CHECK(code_bytes < block_bytes * 7 / 10);
}

TEST_CASE("block coding leaves what it cannot make a page smaller as it was") {
  const auto records = random_records<std::uint64_t, 0>(1000, 64);
  CHECK(check_block<std::uint64_t, 0>(2 * core::page_bytes, 64, records) == 0);
  CHECK(check_block<std::uint64_t, 64>(4 * core::page_bytes, 40,
                                       random_records<std::uint64_t, 64>(200, 40)) == 0);
}

TEST_CASE("block coding notices each code that is cut short, and never writes beyond the block") {
  constexpr std::size_t block_bytes = 32 * core::KiB;
  // More than the code of a group: the last group is gone.
  constexpr std::size_t least_cut = 512;
  const auto records = random_records<std::uint64_t, 8>(2000, 44);
  for (std::size_t cut = least_cut;; cut += 97) {
    TestBlock<std::uint64_t, 8> test(block_bytes, 44);
    test.fill(records);
    const std::size_t code_bytes =
        core::encode_block(test.layout, test.block, records.size(), test.scratch.bytes());
    REQUIRE(code_bytes > least_cut);
    if (cut > code_bytes) break;
    CAPTURE(cut, code_bytes);
    CHECK_THROWS_AS(
        core::decode_block(test.layout, test.block, code_bytes - cut, records.size(), test.scratch.bytes()),
        core::EnvironmentError);
    CHECK(test.surroundings_untouched());
  }
}

// Nothing sums up the bytes of a coded block, so a changed one may decode to other records.
TEST_CASE("block coding never writes beyond the block, for all contents") {
  constexpr std::size_t block_bytes = 32 * core::KiB;
  std::mt19937_64 random(7);
  const auto records = random_records<std::uint64_t, 8>(2000, 44);
  for (std::size_t attempt = 0; attempt < 300; ++attempt) {
    TestBlock<std::uint64_t, 8> test(block_bytes, 44);
    test.fill(records);
    const std::size_t code_bytes =
        core::encode_block(test.layout, test.block, records.size(), test.scratch.bytes());
    REQUIRE(code_bytes > 0);
    for (std::size_t i = 0; i < attempt; ++i) test.block[random() % code_bytes] = std::byte(random());
    try {
      core::decode_block(test.layout, test.block, code_bytes, records.size(), test.scratch.bytes());
    } catch (const core::EnvironmentError&) {
    }
    CHECK(test.surroundings_untouched());
  }
}

TEST_CASE("coding pays on slow disks, sooner with more threads, and never for blocks it cannot shrink") {
  const core::BlockLayout edges{40, 0};
  const double one = core::coding_pays_below(edges, 256 * core::KiB, 1);
  CHECK(one > 100e6);
  CHECK(one < 2e9);
  CHECK(core::coding_pays_below(edges, 256 * core::KiB, 4) == Approx(4 * one));
  CHECK(core::coding_pays_below({100, 0}, 256 * core::KiB, 1) > 100e6);
  CHECK(core::coding_pays_below(edges, 8 * core::KiB, 8) == 0);
  CHECK(core::coding_pays_below({40, 64}, 256 * core::KiB, 1) == 0);
}

}  // namespace
}  // namespace emgraph::tests
