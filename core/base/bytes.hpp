// SPDX-License-Identifier: MIT
// Reading and writing of sizes (bytes, powers of 1024) and counts (powers of 1000).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace emgraph::core {

inline constexpr std::size_t KiB = std::size_t{1} << 10;
inline constexpr std::size_t MiB = std::size_t{1} << 20;
inline constexpr std::size_t GiB = std::size_t{1} << 30;

/// "512", "1_000", "10G", "1.5M", "1e6": suffixes k K M G T are powers of 1000. Throws UsageError on anything
/// else, on a fraction that is not whole after scaling, and past 2^64-1.
std::uint64_t parse_count(std::string_view number);

/// "64K", "64m", "1.5GiB", "500MB": K M G T (k m g t) and KiB MiB GiB TiB are powers of 1024, KB MB GB TB of
/// 1000; a bare number (or B) is bytes. Throws UsageError.
std::uint64_t parse_size(std::string_view text);

/// "1.50 GiB", "312 B".
std::string format_size(std::uint64_t bytes);

/// "131,072,000".
std::string format_count(std::uint64_t count);
/// The shortest decimal number that reads as this double: "0.1", "1e-07", "inf".
std::string format_real(double value);

/// The option that sets a limit of at least `bytes`: "-M 12M"; "more than any -M" if no option can.
std::string memory_option(std::uint64_t bytes);

constexpr std::uint64_t round_down(std::uint64_t value, std::uint64_t unit) {
  return value / unit * unit;
}
constexpr std::uint64_t divide_up(std::uint64_t value, std::uint64_t unit) {
  return value / unit + (value % unit == 0 ? 0 : 1);
}

/// Products and sums of sizes saturate at 2^64-1. No budget grants that size, so a reservation of it fails
/// with MemoryLimitError instead of succeeding with a wrapped, small size.
constexpr std::uint64_t size_product(std::uint64_t count, std::uint64_t bytes) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return bytes != 0 && count > most / bytes ? most : count * bytes;
}
template <class... Sizes>
constexpr std::uint64_t size_sum(std::uint64_t first, Sizes... others) {
  std::uint64_t sum = first;
  for (const std::uint64_t size : {static_cast<std::uint64_t>(others)...}) {
    sum = size > std::numeric_limits<std::uint64_t>::max() - sum ? std::numeric_limits<std::uint64_t>::max()
                                                                 : sum + size;
  }
  return sum;
}
/// Least multiple of `unit` that is at least `value`; if it exceeds 64 bits, the greatest multiple that does
/// not.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  const std::uint64_t units = divide_up(value, unit);
  return units > std::numeric_limits<std::uint64_t>::max() / unit ? (units - 1) * unit : units * unit;
}

}  // namespace emgraph::core
