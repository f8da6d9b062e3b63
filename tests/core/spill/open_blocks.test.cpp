// SPDX-License-Identifier: MIT
// Records spread over chains come back from their chain, whatever the width and the order of the chains.
#include "core/spill/open_blocks.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <vector>

#include "core/spill/block_store.hpp"
#include "tests/support/machine.hpp"

namespace emgraph::tests {
namespace {

TEST_CASE("open blocks put each record to its chain") {
  constexpr std::size_t chains = 5;
  for (const core::ChainSeries series : {core::ChainSeries{0, 1}, {4, -1}, {0, 2}, {1, 2}, {3, 1}}) {
    for (const std::size_t record_bytes : {4, 6, 8}) {
      CAPTURE(series.first, series.stride, record_bytes);
      TestEnvironment test{.memory_bytes = core::MiB};
      const NothingLeft nothing_left(test);
      core::BlockStore store(test.environment, 4096, 64 * 4096);
      store.chains.insert(0, 2 * chains);
      std::vector<std::vector<std::uint64_t>> sent(chains);
      core::OpenBlocks open(store.writer, series, chains, record_bytes, 8);
      core::OpenBlocks dropped(store.writer, series, chains, record_bytes, 8);
      *dropped.add(1) = std::byte{1};
      std::mt19937_64 random(1);
      for (std::size_t i = 0; i < 100'000; ++i) {
        const std::size_t chain = random() % (chains - 1);  // nothing for the last
        const std::uint64_t value = random() >> (64 - 8 * record_bytes);
        std::memcpy(open.add(chain), &value, sizeof value);
        sent[chain].push_back(value);
      }
      open.finish(1);
      open.finish();
      for (std::size_t number = 0; number < chains; ++number) {
        const std::size_t chain = series.first + number * static_cast<std::size_t>(series.stride);
        CHECK(series[number] == chain);
        REQUIRE(store.chains.view(chain).records == sent[number].size());
        store.reader.start_reading(chain, chain + 1);
        std::size_t at = 0;
        store.reader.consume(chain, [&](const std::byte* data, std::size_t records) {
          for (std::size_t i = 0; i < records; ++i, ++at) {
            REQUIRE(std::memcmp(data + i * record_bytes, &sent[number][at], record_bytes) == 0);
          }
        });
        CHECK(at == sent[number].size());
      }
    }
  }
}

}  // namespace
}  // namespace emgraph::tests
