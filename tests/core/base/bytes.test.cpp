// SPDX-License-Identifier: MIT
// Counts and sizes: exact values, units, and what is refused.
#include "core/base/bytes.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>

#include "core/base/error.hpp"

namespace emgraph::core {
namespace {

TEST_CASE("counts are powers of 1000", "[bytes]") {
  CHECK(parse_count("0") == 0);
  CHECK(parse_count("500") == 500);
  CHECK(parse_count("100k") == 100'000);
  CHECK(parse_count("100K") == 100'000);
  CHECK(parse_count("1.5M") == 1'500'000);
  CHECK(parse_count("10G") == 10'000'000'000);
  CHECK(parse_count("2T") == 2'000'000'000'000);
  CHECK(parse_count("0.001k") == 1);
  CHECK(parse_count("1e6") == 1'000'000);
  CHECK(parse_count("1.5E3") == 1500);
  CHECK(parse_count("1e19") == 10'000'000'000'000'000'000U);
  CHECK(parse_count("1_000_000") == 1'000'000);
  CHECK(parse_count("18446744073709551615") == ~std::uint64_t{0});
}

TEST_CASE("suffixes of sizes are powers of 1024, those of KB, MB, GB powers of 1000", "[bytes]") {
  CHECK(parse_size("4096") == 4096);
  CHECK(parse_size("12B") == 12);
  CHECK(parse_size("64K") == 65'536);
  CHECK(parse_size("64k") == 65'536);
  CHECK(parse_size("64m") == 67'108'864);
  CHECK(parse_size("2g") == 2'147'483'648);
  CHECK(parse_size("1M") == 1'048'576);
  CHECK(parse_size("1.5GiB") == 1'610'612'736);
  CHECK(parse_size("3G") == 3'221'225'472);
  CHECK(parse_size("1T") == std::uint64_t{1} << 40);
  CHECK(parse_size("1TiB") == std::uint64_t{1} << 40);
  CHECK(parse_size("1KB") == 1000);
  CHECK(parse_size("500MB") == 500'000'000);
  CHECK(parse_size("2GB") == 2'000'000'000);
  CHECK(parse_size("0.5K") == 512);
}

TEST_CASE("what is no number is refused", "[bytes]") {
  for (const char* text : {"",
                           " ",
                           "k",
                           "M",
                           "-1",
                           "+1",
                           "1 k",
                           "1kk",
                           "1e",
                           "1e+3",
                           "1e20",
                           "1e3k",
                           "1e-3",
                           "_1",
                           "1_",
                           "1__0",
                           "0x10",
                           "1.2.3",
                           ".",
                           "10g",
                           "1KiB",
                           "1.5",
                           "0.0001k",
                           "18446744073709551616",
                           "99999999999999999999999999",
                           "20000000000T"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_count(text), UsageError);
  }
  for (const char* text :
       {"", "-5M", "5 M", "5X", "5kib", "1.3B", "0.3K", "16777216T", "17179869184GiB", "nan"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_size(text), UsageError);
  }
}

TEST_CASE("the largest size fits, one more does not", "[bytes]") {
  CHECK(parse_size("18446744073709551615B") == ~std::uint64_t{0});
  CHECK(parse_size("16777215T") == std::uint64_t{16'777'215} << 40);
}

TEST_CASE("sizes and counts are shown for people", "[bytes]") {
  CHECK(format_size(0) == "0 B");
  CHECK(format_size(312) == "312 B");
  CHECK(format_size(1536) == "1.50 KiB");
  CHECK(format_size(GiB + GiB / 2) == "1.50 GiB");
  CHECK(format_size(200 * MiB) == "200 MiB");
  CHECK(format_count(0) == "0");
  CHECK(format_count(999) == "999");
  CHECK(format_count(1000) == "1,000");
  CHECK(format_count(131'072'000) == "131,072,000");
}

TEST_CASE("a limit is named as -M takes it", "[bytes]") {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  CHECK(memory_option(0) == "-M 0M");
  CHECK(memory_option(MiB + 1) == "-M 2M");
  CHECK(memory_option(most - MiB) == "-M 17592186044415M");
  CHECK(parse_size("17592186044415M") == most - MiB + 1);
  CHECK(memory_option(most - MiB + 1) == "more than any -M");
}

TEST_CASE("rounding to units", "[bytes]") {
  CHECK(round_up(0, 4096) == 0);
  CHECK(round_up(1, 4096) == 4096);
  CHECK(round_up(4096, 4096) == 4096);
  CHECK(round_down(4095, 4096) == 0);
  CHECK(round_down(8191, 4096) == 4096);
  CHECK(divide_up(0, 8) == 0);
  CHECK(divide_up(9, 8) == 2);
}

TEST_CASE("sizes past 2^64 do not wrap", "[bytes]") {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  CHECK(size_product(0, most) == 0);
  CHECK(size_product(most, 0) == 0);
  CHECK(size_product(most / 8, 8) == most / 8 * 8);
  CHECK(size_product(most / 8 + 1, 8) == most);
  CHECK(size_sum(most - 3, KiB) == most);
  CHECK(size_sum(most - KiB, KiB) == most);
  CHECK(size_sum(most - MiB, KiB, most, KiB) == most);
  CHECK(size_sum(KiB, MiB, GiB) == KiB + MiB + GiB);
  CHECK(divide_up(most, 8) == most / 8 + 1);
  CHECK(round_up(most, 4096) == most / 4096 * 4096);
  CHECK(round_up(most, 1) == most);
}

}  // namespace
}  // namespace emgraph::core
