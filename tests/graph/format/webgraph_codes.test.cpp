// SPDX-License-Identifier: MIT
// The codes of WebGraph files.
#include "graph/format/webgraph/bit_reader.hpp"

#include "tests/graph/format/edge_files.hpp"
#include "tests/graph/format/webgraph_encoder.hpp"

namespace emgraph::tests::edge_formats::webgraph_codes {

namespace {

BitReader reader_of(const std::string& bytes, std::size_t piece) {
  std::size_t at = 0;
  return BitReader([bytes, piece, at]() mutable {
    const std::size_t take = std::min(piece, bytes.size() - at);
    at += take;
    return std::as_bytes(std::span(bytes)).subspan(at - take, take);
  });
}

}  // namespace

TEST_CASE("webgraph: code words of the papers") {
  const auto word = [](auto&& write) {
    BitString bits;
    write(bits);
    return bits.text();
  };
  CHECK(word([](BitString& b) { b.gamma(0), b.gamma(1), b.gamma(2), b.gamma(3); }) ==
        "1"
        "010"
        "011"
        "00100");
  CHECK(word([](BitString& b) { b.delta(0), b.delta(1), b.delta(2), b.delta(3); }) ==
        "1"
        "0100"
        "0101"
        "01100");
  // Zeta 3 of 1, 2, 3, 7, 8 (P. Boldi, S. Vigna, 2004).
  CHECK(word([](BitString& b) { b.zeta(0, 3), b.zeta(1, 3), b.zeta(2, 3), b.zeta(6, 3), b.zeta(7, 3); }) ==
        "100"
        "1010"
        "1011"
        "1111"
        "0100000");
  CHECK(word([](BitString& b) { b.nibble(0), b.nibble(7), b.nibble(8); }) ==
        "1000"
        "1111"
        "00011000");
}

TEST_CASE("webgraph: numbers in all codes, pieces of any length") {
  std::mt19937_64 random(1);
  struct Number {
    BitCode code;
    unsigned k;
    std::uint64_t value;
  };
  std::vector<Number> numbers;
  BitString bits;
  for (int i = 0; i < 4000; ++i) {
    const auto code = static_cast<BitCode>(random() % 5);
    const unsigned width = static_cast<unsigned>(random() % (code == BitCode::unary ? 8 : 61));
    const std::uint64_t value = random() >> (63 - width) >> 1;
    // The widest interval of zeta codes must stay below 2^62.
    const unsigned k = width > 40 ? 1 : 1 + static_cast<unsigned>(random() % 7);
    numbers.push_back({code, k, value});
    bits.number(code, value, k);
  }
  for (const std::size_t piece : {1, 3, 7, 8, 9, 4096, 1 << 20}) {
    BitReader reader = reader_of(bits.bytes(), piece);
    bool good = true;
    for (const Number& number : numbers) good &= reader.read(number.code, number.k) == number.value;
    CHECK(good);
    CHECK(reader.position() == bits.text().size());
    CHECK(!reader.past_end());
    CHECK(reader.bits(8) == 0);
    CHECK(reader.past_end());
  }
  for (const BitCode code : {BitCode::gamma, BitCode::delta, BitCode::zeta, BitCode::unary}) {
    CHECK(reader_of(std::string(30, '\0'), 7).read(code, 3) == BitReader::bad);
  }
  CHECK(reader_of(std::string(30, '\0'), 7).read(BitCode::nibble, 3) == BitReader::bad);
}

}  // namespace emgraph::tests::edge_formats::webgraph_codes
