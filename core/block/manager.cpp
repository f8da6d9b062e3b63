// SPDX-License-Identifier: MIT
// A block goes to the strategy's disk, into freed space first; a disk that is full is passed over.
#include "core/block/manager.hpp"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/disk_space.hpp"
#include "core/io/growing_space.hpp"

namespace emgraph::core {
namespace {

struct ManagedDisk {
  DiskSpec spec;
  std::unique_ptr<Disk> disk;  // null until the first allocation
  DiskSpace space;
  GrowingSpace medium;
  std::uint64_t used_bytes = 0;
  std::string refusal;  // what the file system said when it last gave no space

  const std::string& name() const { return disk != nullptr ? disk->path() : spec.directory; }

  void open(std::size_t number, IoStatistics& statistics) {
    if (disk != nullptr) return;
    const TraceDevice device = statistics.device("disk " + std::to_string(number) + " " + spec.directory);
    disk = spec.backend == DiskBackend::memory
               ? make_memory_disk(statistics, spec.capacity_bytes, device)
               : make_file_disk(File::create_temporary(spec.directory, spec.direct), spec.backend, statistics,
                                spec.queue_depth, device);
  }

  // Offset of `bytes` free bytes; nullopt if the disk is full.
  std::optional<std::uint64_t> take(std::uint64_t bytes) {
    std::optional<std::uint64_t> offset = space.take(bytes);
    if (!offset) {
      const std::uint64_t start = space.high_water_bytes();
      if (bytes > spec.capacity_bytes || start > spec.capacity_bytes - bytes) return std::nullopt;
      try {
        medium.ensure(*disk, start + bytes, spec.capacity_bytes);
      } catch (const EnvironmentError& error) {
        refusal = error.what();
        return std::nullopt;
      }
      offset = space.extend(bytes);
    }
    used_bytes += bytes;
    return offset;
  }
};

// By making a file and dropping it: access(2) tells root that it may write where nothing can be made.
void check_writable(const DiskSpec& spec) {
  if (spec.backend != DiskBackend::memory) File::create_temporary(spec.directory, DirectIo::off);
}

}  // namespace

struct BlockManager::State {
  State(std::size_t disk_count, AllocationStrategy strategy, std::uint64_t seed, IoStatistics& io)
      : statistics(io), disks(disk_count), sequence(strategy, disk_count, seed) {
    if (disk_count == 0) throw UsageError("no disk is given for temporary data");
  }

  static EnvironmentError disks_full(std::span<const ManagedDisk> full, std::uint64_t bytes) {
    std::string message = "no space for " + std::to_string(bytes) + " bytes of temporary data:";
    const char* separator = " ";
    for (const ManagedDisk& disk : full) {
      message +=
          separator + disk.name() + " is full with " + std::to_string(disk.used_bytes) + " bytes in use";
      if (disk.spec.capacity_bytes != ~std::uint64_t{0}) {
        message += " of " + std::to_string(disk.spec.capacity_bytes);
      }
      if (!disk.refusal.empty()) message += " (" + disk.refusal + ")";
      separator = ", ";
    }
    return EnvironmentError(message);
  }

  IoStatistics& statistics;
  mutable std::mutex mutex;
  std::vector<ManagedDisk> disks;
  DiskSequence sequence;
  std::uint64_t used_bytes = 0;
  std::uint64_t peak_bytes = 0;
};

BlockManager::BlockManager(std::vector<DiskSpec> disks, AllocationStrategy strategy, std::uint64_t seed,
                           IoStatistics& statistics)
    : state_(std::make_unique<State>(disks.size(), strategy, seed, statistics)) {
  for (std::size_t i = 0; i < disks.size(); ++i) {
    check_writable(disks[i]);
    state_->disks[i].spec = std::move(disks[i]);
  }
}

BlockManager::BlockManager(std::vector<std::unique_ptr<Disk>> disks, AllocationStrategy strategy,
                           std::uint64_t seed, IoStatistics& statistics)
    : state_(std::make_unique<State>(disks.size(), strategy, seed, statistics)) {
  for (std::size_t i = 0; i < disks.size(); ++i) state_->disks[i].disk = std::move(disks[i]);
}

BlockManager::~BlockManager() = default;

std::size_t BlockManager::disks() const {
  return state_->disks.size();
}

Extent BlockManager::allocate(std::uint64_t bytes) {
  State& state = *state_;
  const std::uint64_t rounded = round_up(bytes, granularity_bytes);
  const std::lock_guard lock(state.mutex);
  const std::size_t first = state.sequence.next();
  if (rounded == 0) return {};
  for (std::size_t i = 0; i < state.disks.size(); ++i) {
    const std::size_t number = (first + i) % state.disks.size();
    ManagedDisk& disk = state.disks[number];
    disk.open(number, state.statistics);
    if (const std::optional<std::uint64_t> offset = disk.take(rounded)) {
      state.used_bytes += rounded;
      state.peak_bytes = std::max(state.peak_bytes, state.used_bytes);
      return {.disk = static_cast<std::uint32_t>(number), .offset = *offset, .bytes = rounded};
    }
  }
  throw State::disks_full(state.disks, rounded);
}

Extent BlockManager::allocate_on(std::size_t number, std::uint64_t bytes) {
  State& state = *state_;
  const std::uint64_t rounded = round_up(bytes, granularity_bytes);
  const std::lock_guard lock(state.mutex);
  ManagedDisk& disk = state.disks[number];
  disk.open(state.statistics);
  std::optional<std::uint64_t> offset = 0;
  if (rounded > 0) offset = disk.take(rounded);
  if (!offset) throw State::disks_full(std::span(&disk, 1), rounded);
  state.used_bytes += rounded;
  state.peak_bytes = std::max(state.peak_bytes, state.used_bytes);
  return {.disk = static_cast<std::uint32_t>(number), .offset = *offset, .bytes = rounded};
}

void BlockManager::free(const Extent& extent) noexcept {
  if (extent.bytes == 0) return;
  const std::lock_guard lock(state_->mutex);
  ManagedDisk& disk = state_->disks[extent.disk];
  disk.space.give(extent.offset, extent.bytes);
  disk.used_bytes -= extent.bytes;
  state_->used_bytes -= extent.bytes;
}

// No lock: the disk of an extent was opened before the extent was handed out and stays.
RequestPtr BlockManager::read(const Extent& extent, std::span<std::byte> buffer) {
  Disk& disk = *state_->disks[extent.disk].disk;
  RequestPtr request = disk.read(extent.offset, buffer);
  request->require_full_read(disk.path());
  return request;
}

RequestPtr BlockManager::read(const Extent& extent, const std::vector<std::span<std::byte>>& buffers) {
  std::vector<iovec> pieces;
  pieces.reserve(buffers.size());
  for (const std::span<std::byte> buffer : buffers) pieces.push_back({buffer.data(), buffer.size()});
  Disk& disk = *state_->disks[extent.disk].disk;
  RequestPtr request = disk.submit(Operation::read, extent.offset, std::move(pieces));
  request->require_full_read(disk.path());
  return request;
}

RequestPtr BlockManager::write(const Extent& extent, std::vector<std::span<const std::byte>> buffers) {
  std::vector<iovec> pieces;
  pieces.reserve(buffers.size());
  for (const std::span<const std::byte> buffer : buffers) {
    pieces.push_back({const_cast<std::byte*>(buffer.data()), buffer.size()});
  }
  return state_->disks[extent.disk].disk->submit(Operation::write, extent.offset, std::move(pieces));
}

std::uint64_t BlockManager::free_bytes() const {
  const std::lock_guard lock(state_->mutex);
  std::uint64_t all = 0;
  std::set<dev_t> seen;  // directories of one file system share its space
  for (const ManagedDisk& disk : state_->disks) {
    std::uint64_t most = disk.spec.capacity_bytes;
    struct stat place {};
    struct statvfs system {};
    if (disk.spec.backend != DiskBackend::memory && stat(disk.spec.directory.c_str(), &place) == 0 &&
        statvfs(disk.spec.directory.c_str(), &system) == 0) {
      const std::uint64_t unreserved =
          seen.insert(place.st_dev).second ? system.f_bavail * system.f_frsize : 0;
      most = std::min(most, disk.medium.reserved_bytes() + unreserved);
    }
    const std::uint64_t left = most - std::min(most, disk.used_bytes);
    all += std::min(left, ~all);
  }
  return all;
}

bool BlockManager::direct(std::size_t disk) const {
  return state_->disks[disk].disk->direct();
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
