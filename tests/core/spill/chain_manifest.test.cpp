// SPDX-License-Identifier: MIT
// Chains written down and found again: over the same disks, by a manager that knows nothing of them.
#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/base/error.hpp"
#include "core/spill/block_store.hpp"
#include "core/spill/packing.hpp"
#include "tests/support/machine.hpp"

namespace emgraph::tests {
namespace {

using Packing = core::Packing<std::uint64_t>;
constexpr std::size_t manifest_block_bytes = 16 * core::KiB;
constexpr unsigned key_bits = 40;
constexpr std::uint32_t block_records = 2048;

/// A disk that lives longer than the manager that it is given to.
class SharedDisk final : public core::Disk {
 public:
  explicit SharedDisk(std::shared_ptr<core::Disk> disk) : disk_(std::move(disk)) {}
  core::RequestPtr submit(core::Operation operation, std::uint64_t offset,
                          std::vector<iovec> buffers) override {
    return disk_->submit(operation, offset, std::move(buffers));
  }
  void reserve_space(std::uint64_t bytes) override { disk_->reserve_space(bytes); }
  const std::string& path() const override { return disk_->path(); }
  bool direct() const override { return disk_->direct(); }

 private:
  const std::shared_ptr<core::Disk> disk_;
};

/// Two disks, and environments over them one after the other.
struct Disks {
  core::IoStatistics statistics;
  std::vector<std::shared_ptr<core::Disk>> disks{core::make_memory_disk(statistics),
                                                 core::make_memory_disk(statistics)};

  struct Use {
    explicit Use(Disks& all)
        : blocks(all.shared(), core::AllocationStrategy::randomized_cycling, 1, all.statistics),
          environment{.memory = memory,
                      .blocks = blocks,
                      .io = all.statistics,
                      .progress = progress,
                      .outputs = outputs,
                      .spill = spill} {}
    core::MemoryBudget memory{8 * core::MiB};
    core::SilentProgress progress;
    core::TemporaryNames temporary_names;
    core::OutputSet outputs{temporary_names};
    core::SpillCoding spill{core::SpillCodec::delta};
    core::BlockManager blocks;
    core::Environment environment;
  };
  std::vector<std::unique_ptr<core::Disk>> shared() const {
    std::vector<std::unique_ptr<core::Disk>> all;
    for (const auto& disk : disks) all.push_back(std::make_unique<SharedDisk>(disk));
    return all;
  }
};

constexpr Packing key_packing{.base = 0, .key_bytes = 5};

/// Key i of block `number` of a chain, ascending: coding gives them back in this order.
std::uint64_t key(std::size_t chain, std::size_t number, std::size_t i) {
  return (i << 25 | chain << 20 | number) & ((std::uint64_t{1} << key_bits) - 1);
}
void fill(std::byte* buffer, std::size_t chain, std::size_t number) {
  for (std::size_t group = 0; group < block_records / Packing::group_records; ++group) {
    std::uint64_t keys[Packing::group_records];
    for (std::size_t i = 0; i < Packing::group_records; ++i) {
      keys[i] = key(chain, number, group * Packing::group_records + i);
    }
    key_packing.pack(std::as_bytes(std::span(keys)).data(), Packing::group_records, buffer, group);
  }
}
bool filled(const std::byte* buffer, std::size_t chain, std::size_t number) {
  bool good = true;
  key_packing.unpack_keys(buffer, block_records, [&](std::size_t i, std::uint64_t found) {
    good &= found == key(chain, number, i);
  });
  return good;
}

/// Chains 0 and 1 may be coded, chain 2 not; chain 3 stays empty. Chain 0 has lost its first blocks.
constexpr std::size_t blocks_of[] = {50, 70, 60, 0};
constexpr std::size_t consumed_blocks = 7;

/// Returns the manifest. `used_bytes`, if not null: on the disks when it is written.
std::vector<std::byte> spill(Disks::Use& use, std::uint64_t* used_bytes = nullptr) {
  core::BlockStore store(use.environment, manifest_block_bytes, 32 * manifest_block_bytes, 1);
  const core::BlockLayout layout{.key_bits = key_bits};
  store.chains.insert(0, std::vector{layout, layout});
  store.chains.insert(2, 2);
  for (std::size_t chain = 0; chain < 4; ++chain) {
    for (std::size_t number = 0; number < blocks_of[chain]; ++number) {
      std::byte* const buffer = store.writer.take();
      fill(buffer, chain, number);
      store.writer.put(chain, buffer, block_records);
    }
  }
  for (std::size_t number = 0; number < consumed_blocks; ++number) {
    CHECK(filled(store.reader.load(0, number).data, 0, number));
    store.reader.release(0, number);
  }
  std::vector<std::byte> manifest;
  const auto put = [&](std::span<const std::byte> bytes) {
    manifest.insert(manifest.end(), bytes.begin(), bytes.end());
  };
  CHECK_THROWS_AS(store.chains.write_manifest(put), std::logic_error);  // some are in memory
  manifest.clear();
  store.writer.write_all();
  store.chains.write_manifest(put);
  if (used_bytes != nullptr) *used_bytes = use.blocks.used_bytes();
  return manifest;
}

auto get_from(const std::vector<std::byte>& manifest) {
  return [&manifest, at = std::size_t{0}](std::span<std::byte> to) mutable {
    if (to.size() > manifest.size() - at) throw core::EnvironmentError("the manifest ends too early");
    std::memcpy(to.data(), manifest.data() + at, to.size());
    at += to.size();
  };
}

TEST_CASE("chains are found again by their manifest, with the bytes of their blocks") {
  Disks disks;
  std::vector<std::byte> manifest;
  std::uint64_t kept_bytes = 0;
  {
    Disks::Use before(disks);
    manifest = spill(before, &kept_bytes);
    CHECK(before.blocks.used_bytes() == 0);
    CHECK(kept_bytes > 0);
    CHECK(kept_bytes < 173 * manifest_block_bytes);  // some are coded
    CHECK(before.memory.used() == 0);
  }
  Disks::Use after(disks);
  {
    core::BlockStore store(after.environment, manifest_block_bytes, 16 * manifest_block_bytes, 1);
    store.chains.restore(get_from(manifest));
    CHECK(after.blocks.used_bytes() == kept_bytes);
    REQUIRE(store.chains.size() == 4);
    // New blocks go beside the old ones, and writes of this store are told from those of the one before.
    for (std::size_t number = 0; number < 40; ++number) {
      std::byte* const buffer = store.writer.take();
      fill(buffer, 3, number);
      store.writer.put(3, buffer, block_records);
    }
    store.reader.start_reading(0, 4);
    for (std::size_t chain = 0; chain < 4; ++chain) {
      const std::size_t first = chain == 0 ? consumed_blocks : 0;
      const std::size_t blocks = chain == 3 ? 40 : blocks_of[chain];
      CHECK(store.chains.view(chain).records == blocks * block_records);
      REQUIRE(store.chains.view(chain).blocks == blocks - first);
      std::size_t number = first;
      store.reader.consume(chain, [&](const std::byte* data, std::size_t records) {
        CHECK(records == block_records);
        REQUIRE(filled(data, chain, number++));
      });
    }
    CHECK(after.blocks.used_bytes() == 0);
  }
  CHECK(after.memory.used() == 0);
}

TEST_CASE("restored chains that are not consumed give their space back") {
  Disks disks;
  const std::vector<std::byte> manifest = [&] {
    Disks::Use before(disks);
    return spill(before);
  }();
  Disks::Use after(disks);
  {
    core::BlockStore store(after.environment, manifest_block_bytes, 16 * manifest_block_bytes, 1);
    store.chains.restore(get_from(manifest));
    CHECK(after.blocks.used_bytes() > 0);
    CHECK_THROWS_AS(store.chains.restore(get_from(manifest)), std::logic_error);
    core::BlockStore other(after.environment, manifest_block_bytes, 16 * manifest_block_bytes, 1);
    CHECK_THROWS_AS(other.chains.restore(get_from(manifest)), core::EnvironmentError);  // in use
  }
  CHECK(after.blocks.used_bytes() == 0);
  CHECK(after.memory.used() == 0);
}

TEST_CASE("a manifest that is damaged, cut short or for other blocks is refused") {
  Disks disks;
  const std::vector<std::byte> manifest = [&] {
    Disks::Use before(disks);
    return spill(before);
  }();
  Disks::Use after(disks);
  const auto restore = [&](const std::vector<std::byte>& bytes, std::size_t size = manifest_block_bytes) {
    core::BlockStore store(after.environment, size, 16 * size, 1);
    store.chains.restore(get_from(bytes));
  };
  CHECK_THROWS_AS(restore(manifest, 2 * manifest_block_bytes), core::EnvironmentError);
  for (std::size_t at = 0; at < manifest.size(); at += 1 + at / 16) {
    CAPTURE(at);
    std::vector<std::byte> damaged = manifest;
    damaged[at] ^= std::byte{1};
    CHECK_THROWS_AS(restore(damaged), core::EnvironmentError);
    damaged.resize(at);
    CHECK_THROWS_AS(restore(damaged), core::EnvironmentError);
    REQUIRE(after.blocks.used_bytes() == 0);
  }
  restore(manifest);
}

}  // namespace
}  // namespace emgraph::tests
