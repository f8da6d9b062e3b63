// SPDX-License-Identifier: MIT
// Codecs of pairs: exact on every kind of data, and safe on damaged bytes.
#include "core/io/codec.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/checksum.hpp"
#include "core/io/codec_varint.hpp"

namespace {

using namespace emgraph::core;  // NOLINT: test code

/// Rows of `layout` with integers from `draw`; the columns are random bytes.
template <class Draw>
std::vector<std::byte> make_rows(const PairLayout& layout, std::size_t count, const Draw& draw) {
  std::mt19937 random(5);
  std::vector<std::byte> rows(count * layout.row_bytes());
  for (std::size_t i = 0; i < count; ++i) {
    const auto [first, second] = draw(i);
    std::byte* row = rows.data() + i * layout.row_bytes();
    std::memcpy(row, &first, layout.integer_bytes);
    std::memcpy(row + layout.integer_bytes, &second, layout.integer_bytes);
    for (std::size_t b = 2 * layout.integer_bytes; b < layout.row_bytes(); ++b)
      row[b] = std::byte(random() % 256);
  }
  return rows;
}

void round_trip(const PairLayout& layout, const std::vector<std::byte>& rows) {
  MemoryBudget budget(64 * MiB);
  const std::size_t count = rows.size() / layout.row_bytes();
  for (const char* name : {"none", "delta", "zstd", "delta+zstd", "delta+zstd:5"}) {
    CAPTURE(name, layout.integer_bytes, layout.attachment_bytes(), count);
    PairEncoder encoder(budget, parse_codec(name), layout, count);
    PairDecoder decoder(budget, layout, count, true);
    const auto encoded = encoder.encode(rows);
    CHECK(encoded.bytes.size() <= rows.size());
    const std::vector<std::byte> kept(encoded.bytes.begin(), encoded.bytes.end());
    std::vector<std::byte> back(rows.size());
    const PairShape shape{layout.integer_bytes, layout.attachment_bytes(), layout.row_bytes()};
    CHECK(decoder.decode(encoded.codec, kept, encoded.plain_bytes, count, shape, back.data()).empty());
    CHECK(back == rows);
  }
}

struct Draws {
  std::uint64_t first;
  std::uint64_t second;
};

}  // namespace

TEST_CASE("varint: every length, at the end of a buffer and within") {
  std::vector<std::uint64_t> values = {0, 1, 127, 128};
  for (int bit = 0; bit < 64; ++bit) {
    values.push_back(std::uint64_t{1} << bit);
    values.push_back((std::uint64_t{1} << bit) - 1);
    values.push_back(0x5a5a5a5a5a5a5a5a >> bit);
  }
  values.push_back(std::numeric_limits<std::uint64_t>::max());
  for (const std::uint64_t value : values) {
    CHECK(varint::unzigzag(varint::zigzag(value)) == value);
    std::uint8_t buffer[32] = {};
    const std::uint8_t* end = varint::write(buffer, value);
    for (const std::size_t room : {std::size_t{0}, std::size_t{20}}) {
      std::uint64_t back = 0;
      CHECK(varint::read(buffer, end + room, back) == end);
      CHECK(back == value);
    }
    std::uint64_t ignored;
    CHECK(varint::read(buffer, end - 1, ignored) == nullptr);
  }
}

TEST_CASE("codec: round trips of sorted, transposed, unsorted, extreme and tiny data") {
  std::mt19937_64 random(1);
  for (const std::size_t integer_bytes : {4, 8}) {
    const std::uint64_t top = integer_bytes == 4 ? std::numeric_limits<std::uint32_t>::max()
                                                 : std::numeric_limits<std::uint64_t>::max();
    for (const auto& columns : {std::array<std::size_t, 2>{0, 0}, {4, 0}, {8, 3}, {0, 5}}) {
      const PairLayout layout{integer_bytes, columns};
      for (const std::size_t count : {1, 2, 7, 8, 9, 1000}) {
        round_trip(layout, make_rows(layout, count, [](std::size_t i) { return Draws{i / 20, i % 20 * 3}; }));
        round_trip(layout, make_rows(layout, count, [](std::size_t i) { return Draws{i % 20 * 3, i / 20}; }));
        round_trip(layout, make_rows(layout, count, [&](std::size_t) {
                     return Draws{random() & top, random() & top};
                   }));
        round_trip(layout, make_rows(layout, count, [&](std::size_t) {
                     return Draws{random() % 3 == 0 ? top : 0, random() % 3 == 0 ? top : 0};
                   }));
        round_trip(layout, make_rows(layout, count, [&](std::size_t i) {
                     return Draws{top, top - count + i + 1};
                   }));
        round_trip(layout, make_rows(layout, count, [&](std::size_t i) { return Draws{i, 5 * i % 1000}; }));
        round_trip(layout, make_rows(layout, count, [](std::size_t) { return Draws{0, 0}; }));
      }
    }
  }
}

TEST_CASE("codec: sorted pairs shrink") {
  MemoryBudget budget(64 * MiB);
  const PairLayout layout{4, {0, 0}};
  const auto rows = make_rows(layout, 10000, [](std::size_t i) {
    return Draws{i / 2, i / 2 + 1 + i % 2 * 4096};
  });
  CHECK(PairEncoder(budget, parse_codec("delta"), layout, 10000).encode(rows).bytes.size() <= 20010);
  CHECK(PairEncoder(budget, parse_codec("delta+zstd"), layout, 10000).encode(rows).bytes.size() <= 200);
}

TEST_CASE("codec: damaged bytes are an error or other integers, never a crash") {
  std::mt19937_64 random(9);
  MemoryBudget budget(64 * MiB);
  for (const char* name : {"delta", "zstd", "delta+zstd"}) {
    const PairLayout layout{4, {4, 0}};
    const auto rows = make_rows(layout, 300, [](std::size_t i) { return Draws{i / 5, i % 5}; });
    PairEncoder encoder(budget, parse_codec(name), layout, 300);
    PairDecoder decoder(budget, layout, 300, true);
    const auto encoded = encoder.encode(rows);
    const std::vector<std::byte> good(encoded.bytes.begin(), encoded.bytes.end());
    std::vector<std::byte> out(300 * 16);
    const PairShape shape{8, 0, 16};
    for (int i = 0; i < 20000; ++i) {
      // Exactly as large as it is, so that the sanitizer sees any read past it.
      std::vector<std::byte> bad(
          good.begin(),
          good.begin() + static_cast<std::ptrdiff_t>(i % 2 == 0 ? good.size() : random() % good.size()));
      for (int change = 0; change < 3 && !bad.empty(); ++change)
        bad[random() % bad.size()] = std::byte(random() % 256);
      (void)decoder.decode(encoded.codec, bad, encoded.plain_bytes, 300, shape, out.data());
    }
    CHECK_FALSE(decoder
                    .decode(encoded.codec, std::span(good).first(good.size() - 1), encoded.plain_bytes, 300,
                            shape, out.data())
                    .empty());
  }
}

TEST_CASE("codec: names") {
  CHECK(parse_codec("delta+zstd:3").level == 3);
  CHECK(parse_codec("zstd").level == 1);
  CHECK(format_codec(parse_codec("delta+zstd:3")) == "delta+zstd:3");
  CHECK(format_codec(parse_codec("delta")) == "delta");
  for (const char* bad : {"", "gzip", "delta:3", "zstd:", "zstd:0", "zstd:20", "zstd:1x"}) {
    CHECK_THROWS_AS(parse_codec(bad), UsageError);
  }
}

TEST_CASE("codec: what does not fit the budget is refused") {
  MemoryBudget budget(64 * KiB);
  CHECK_THROWS_AS(PairEncoder(budget, parse_codec("zstd"), PairLayout{}, 131072), MemoryLimitError);
  CHECK(budget.used() == 0);
  MemoryBudget large(64 * MiB);
  const PairEncoder encoder(large, parse_codec("delta+zstd"), PairLayout{}, 131072);
  CHECK(large.used() <= PairEncoder::memory_bytes(parse_codec("delta+zstd"), PairLayout{}, 131072));
}

TEST_CASE("checksum: in pieces as in one") {
  std::vector<std::byte> bytes(5000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i * 7 % 251);
  for (const std::size_t piece : {1, 7, 64, 1000, 5000}) {
    ChecksumStream sum;
    for (std::size_t i = 0; i < bytes.size(); i += piece) {
      sum.append(std::span(bytes).subspan(i, std::min(piece, bytes.size() - i)));
    }
    CHECK(sum.value() == checksum(bytes));
  }
}
