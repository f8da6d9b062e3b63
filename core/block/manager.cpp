// SPDX-License-Identifier: MIT
// A block goes to the disk chosen by the strategy. Full disks, and slow ones in proportion, are skipped.
#include "core/block/manager.hpp"

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/block/disk_shares.hpp"
#include "core/block/managed_disk.hpp"

namespace emgraph::core {
struct BlockManager::State {
  // Cyclic strategies choose each disk within two rounds. A random strategy misses a disk in 32 draws per
  // disk with probability e^-32.
  static constexpr std::size_t draws_per_disk = 32;

  State(std::size_t disk_count, AllocationStrategy strategy, std::uint64_t seed, IoStatistics& io)
      : statistics(io), sequence(strategy, disk_count, seed), shares(disk_count), candidates(disk_count) {
    if (disk_count == 0) throw UsageError("no disk is given for temporary data");
    disks.reserve(disk_count);
  }

  // Allocates `bytes` bytes on a disk; nullopt if it is full.
  std::optional<Extent> take(std::size_t number, std::uint64_t bytes) {
    ManagedDisk& disk = disks[number];
    disk.open(number, statistics);
    const std::optional<std::uint64_t> offset = disk.take(bytes);
    if (!offset) return std::nullopt;
    count(bytes);
    return Extent{.disk = static_cast<std::uint32_t>(number), .offset = *offset, .bytes = bytes};
  }

  void count(std::uint64_t bytes) {
    used_bytes += bytes;
    peak_bytes = std::max(peak_bytes, used_bytes);
  }

  // Allocates on the next disk with space, by the strategy and by the speeds of the disks.
  std::optional<Extent> take_in_turn(std::uint64_t bytes) {
    for (std::size_t i = 0; i < disks.size(); ++i) {
      candidates[i] = {.bytes_per_second = disks[i].bytes_per_second(), .has_room = !disks[i].full()};
    }
    shares.update(candidates);
    for (std::size_t draw = 0; draw < draws_per_disk * disks.size(); ++draw) {
      const std::size_t number = sequence.next();
      if (!shares.admit(number, bytes)) continue;
      if (const std::optional<Extent> extent = take(number, bytes)) return extent;
    }
    // Random draws may have missed the only disk with space, and a full disk may have space for a small
    // block.
    for (std::size_t number = 0; number < disks.size(); ++number) {
      if (const std::optional<Extent> extent = take(number, bytes)) return extent;
    }
    return std::nullopt;
  }

  static EnvironmentError disks_full(std::span<const ManagedDisk> full, std::uint64_t bytes) {
    std::string message = "no space for another " + format_size(bytes) + " of temporary data:";
    const char* separator = " ";
    for (const ManagedDisk& disk : full) {
      message += separator + disk.description();
      separator = ", ";
    }
    return EnvironmentError(message + "; -T DIR names another or a further disk");
  }

  IoStatistics& statistics;
  mutable std::mutex mutex;
  std::vector<ManagedDisk> disks;
  DiskSequence sequence;
  DiskShares shares;
  std::vector<DiskShares::Candidate> candidates;  // the disks, as they were at the last allocation
  std::uint64_t used_bytes = 0;
  std::uint64_t peak_bytes = 0;
};

BlockManager::BlockManager(std::vector<DiskSpec> disks, AllocationStrategy strategy, std::uint64_t seed,
                           IoStatistics& statistics)
    : state_(std::make_unique<State>(disks.size(), strategy, seed, statistics)) {
  for (DiskSpec& disk : disks) state_->disks.emplace_back(std::move(disk));
}

BlockManager::BlockManager(std::vector<std::unique_ptr<Disk>> disks, AllocationStrategy strategy,
                           std::uint64_t seed, IoStatistics& statistics)
    : state_(std::make_unique<State>(disks.size(), strategy, seed, statistics)) {
  for (std::unique_ptr<Disk>& disk : disks) state_->disks.emplace_back(std::move(disk));
}

BlockManager::~BlockManager() = default;

std::size_t BlockManager::disks() const {
  return state_->disks.size();
}

Extent BlockManager::allocate(std::uint64_t bytes) {
  State& state = *state_;
  const std::uint64_t rounded = round_up(bytes, granularity_bytes);
  const std::lock_guard lock(state.mutex);
  if (rounded == 0) return {};
  if (const std::optional<Extent> extent = state.take_in_turn(rounded)) return *extent;
  for (ManagedDisk& disk : state.disks) disk.retry_growth();
  if (const std::optional<Extent> extent = state.take_in_turn(rounded)) return *extent;
  throw State::disks_full(state.disks, rounded);
}

Extent BlockManager::allocate_on(std::size_t number, std::uint64_t bytes) {
  State& state = *state_;
  const std::uint64_t rounded = round_up(bytes, granularity_bytes);
  const std::lock_guard lock(state.mutex);
  if (rounded == 0) return {.disk = static_cast<std::uint32_t>(number)};
  state.disks[number].retry_growth();
  if (const std::optional<Extent> extent = state.take(number, rounded)) return *extent;
  throw State::disks_full(std::span(&state.disks[number], 1), rounded);
}

void BlockManager::claim(const Extent& extent) {
  State& state = *state_;
  const std::lock_guard lock(state.mutex);
  if (extent.disk >= state.disks.size()) {
    throw EnvironmentError("temporary data lies on disk number " + std::to_string(extent.disk) +
                           ", there are " + std::to_string(state.disks.size()) + " disks");
  }
  ManagedDisk& disk = state.disks[extent.disk];
  disk.open(extent.disk, state.statistics);
  if (!disk.claim(extent.offset, extent.bytes)) {
    throw EnvironmentError(disk.disk().path() + ": " + std::to_string(extent.bytes) + " bytes at offset " +
                           std::to_string(extent.offset) + " are in use");
  }
  state.count(extent.bytes);
}

void BlockManager::free(const Extent& extent, bool unnamed) noexcept {
  if (extent.bytes == 0) return;
  const std::lock_guard lock(state_->mutex);
  state_->disks[extent.disk].give(extent.offset, extent.bytes, unnamed);
  state_->used_bytes -= extent.bytes;
}

// No lock is needed: the disk of an extent was opened before the extent was allocated, and stays open.
RequestPtr BlockManager::read(const Extent& extent, std::span<std::byte> buffer, Seal expected) {
  Disk& disk = state_->disks[extent.disk].disk();
  return prepared(disk.read(extent.offset, buffer), [&](Request& request) {
    request.require_full_read(disk.path());
    request.check_with([this, extent, buffer, expected] {
      if (seal(buffer) != expected) throw changed({extent.disk, extent.offset, buffer.size()});
    });
  });
}

RequestPtr BlockManager::read_unsealed(const Extent& extent,
                                       const std::vector<std::span<std::byte>>& buffers) {
  std::vector<iovec> pieces;
  pieces.reserve(buffers.size());
  for (const std::span<std::byte> buffer : buffers) pieces.push_back({buffer.data(), buffer.size()});
  Disk& disk = state_->disks[extent.disk].disk();
  return prepared(disk.submit(Operation::read, extent.offset, std::move(pieces)),
                  [&](Request& request) { request.require_full_read(disk.path()); });
}

RequestPtr BlockManager::write(const Extent& extent, std::vector<std::span<const std::byte>> buffers) {
  std::vector<iovec> pieces;
  pieces.reserve(buffers.size());
  for (const std::span<const std::byte> buffer : buffers) {
    pieces.push_back({const_cast<std::byte*>(buffer.data()), buffer.size()});
  }
  ManagedDisk& disk = state_->disks[extent.disk];
  WriteSpeed& speed = disk.speed();
  speed.start(std::chrono::steady_clock::now());
  RequestPtr request;
  try {
    request = disk.disk().submit(Operation::write, extent.offset, std::move(pieces));
  } catch (...) {
    speed.end(std::chrono::steady_clock::now(), 0);
    throw;
  }
  request->when_done(
      [&speed, bytes = request->bytes()] { speed.end(std::chrono::steady_clock::now(), bytes); });
  return request;
}

EnvironmentError BlockManager::changed(const Extent& extent) const {
  return EnvironmentError(
      state_->disks[extent.disk].disk().path() + ": offset " + std::to_string(extent.offset) +
      ": temporary data was changed: the " + std::to_string(extent.bytes) +
      " bytes read are not those that were written; the disk or the memory is unreliable, "
      "or another program wrote there");
}

std::uint64_t BlockManager::free_bytes() const {
  const std::lock_guard lock(state_->mutex);
  std::uint64_t all = 0;
  std::map<dev_t, std::uint64_t> unreserved;
  for (const ManagedDisk& disk : state_->disks) {
    const std::uint64_t left = disk.free_bytes(unreserved);
    all += std::min(left, ~all);
  }
  return all;
}

bool BlockManager::direct(std::size_t disk) const {
  return state_->disks[disk].disk().direct();
}

// No lock is needed: WriteSpeed has its own.
double BlockManager::bytes_per_second() const {
  double sum = 0;
  std::size_t known = 0;
  for (const ManagedDisk& disk : state_->disks) {
    const double speed = disk.bytes_per_second();
    sum += speed;
    if (speed > 0) ++known;
  }
  return known == 0 ? 0 : sum * static_cast<double>(disks()) / static_cast<double>(known);
}

bool BlockManager::speed_declared() const {
  return std::all_of(state_->disks.begin(), state_->disks.end(),
                     [](const ManagedDisk& disk) { return disk.limited(); });
}

std::uint64_t BlockManager::used_bytes() const {
  const std::lock_guard lock(state_->mutex);
  return state_->used_bytes;
}

std::uint64_t BlockManager::peak_bytes() const {
  const std::lock_guard lock(state_->mutex);
  return state_->peak_bytes;
}

}  // namespace emgraph::core
