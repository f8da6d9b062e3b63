// SPDX-License-Identifier: MIT
// Rates of coding and decoding sort blocks: bench_block_coding [BLOCK_KIB].
//
// One line per layout: bytes per record before and after coding, and nanoseconds of the thread's CPU time for
// coding and decoding; medians over blocks of random keys.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/random_word.hpp"
#include "core/memory/budget.hpp"
#include "core/spill/block_coding.hpp"
#include "core/spill/coding_choice.hpp"
#include "core/spill/packing.hpp"

namespace {

using namespace emgraph::core;

double seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

template <class Key, std::size_t A>
void measure(std::size_t block_bytes, unsigned key_bits) {
  constexpr std::size_t repeats = 201;
  const BlockLayout layout{key_bits, A};
  const Packing<Key> packing{0, layout.key_bytes(), A};
  const std::size_t count = packing.capacity(block_bytes);
  MemoryBudget budget(GiB);
  const Buffer block(budget, block_bytes, "a block");
  const Buffer scratch(budget, coding_scratch_bytes(block_bytes), "scratch space");
  constexpr std::size_t row_bytes = sizeof(Key) + A;
  std::vector<std::byte> rows(count * row_bytes);
  std::vector<double> coding;
  std::vector<double> decoding;
  std::size_t code_bytes = 0;
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t number = repeat * count + i;
      Key key = random_word(1, number);
      if constexpr (sizeof(Key) == 16) key |= static_cast<Key>(random_word(2, number)) << 64;
      key &= low_mask<Key>(key_bits);
      std::memcpy(&rows[i * row_bytes], &key, sizeof(Key));
      if constexpr (A > 0)
        std::memcpy(&rows[i * row_bytes + sizeof(Key)], &number, std::min<std::size_t>(A, 8));
    }
    for (std::size_t i = 0; i < count; i += packing.group_records) {
      packing.pack(&rows[i * row_bytes], std::min(packing.group_records, count - i), block.data(),
                   i / packing.group_records);
    }
    const double start = seconds();
    code_bytes = encode_block(layout, block.bytes(), count, scratch.bytes());
    const double coded = seconds();
    if (code_bytes > 0) decode_block(layout, block.bytes(), code_bytes, count, scratch.bytes());
    coding.push_back(coded - start);
    decoding.push_back(seconds() - coded);
  }
  const double nanoseconds = 1e9 / static_cast<double>(count);
  std::printf(
      "%3u-bit keys, %2zu bytes attached, %4zu KiB: %5.2f -> %5.2f B, %5.1f ns coded, %5.1f ns decoded, "
      "one thread pays below %s/s\n",
      key_bits, A, block_bytes / KiB, static_cast<double>(block_bytes) / static_cast<double>(count),
      static_cast<double>(code_bytes) / static_cast<double>(count), median(coding) * nanoseconds,
      median(decoding) * nanoseconds,
      format_size(static_cast<std::uint64_t>(coding_pays_below(layout, block_bytes, 1))).c_str());
}

}  // namespace

int main(int count, char** arguments) {
  const std::size_t block_bytes = (count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 256) * KiB;
  measure<std::uint64_t, 0>(block_bytes, 24);
  measure<std::uint64_t, 0>(block_bytes, 32);
  measure<std::uint64_t, 0>(block_bytes, 40);
  measure<std::uint64_t, 0>(block_bytes, 60);
  measure<uint128, 0>(block_bytes, 100);
  measure<std::uint64_t, 4>(block_bytes, 40);
  measure<std::uint64_t, 8>(block_bytes, 40);
  measure<std::uint64_t, 16>(block_bytes, 40);
  measure<std::uint64_t, 8>(block_bytes, 60);
  measure<uint128, 8>(block_bytes, 100);
}
