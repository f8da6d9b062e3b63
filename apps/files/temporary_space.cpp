// SPDX-License-Identifier: MIT
// Adds up the free space of the temporary disks.
#include "apps/files/temporary_space.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "apps/command_line/disk_config.hpp"
#include "apps/files/free_space.hpp"
#include "apps/files/kept_space.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/sort/sorter_memory.hpp"

namespace emgraph::apps {

namespace {

/// Of a disk, all ones if no limit is known. `left`: of file systems, without what earlier disks have.
std::uint64_t space_of(const core::DiskSpec& disk, std::map<dev_t, std::uint64_t>& left) {
  struct stat place {};
  if (disk.raw || disk.backend == core::DiskBackend::memory || stat(disk.path.c_str(), &place) != 0) {
    return disk.capacity_bytes;
  }
  const std::uint64_t free = free_bytes_at(disk.path).value_or(~std::uint64_t{0});
  std::uint64_t& here = left.try_emplace(place.st_dev, free).first->second;
  const std::uint64_t space = std::min(disk.capacity_bytes, here);
  here -= space;
  return space;
}

/// With a checkpoint all edges go to its directory, in the worst case without leaving bits out.
void require_kept_space(Session& session, const graph::EdgeFacts& input, std::uint64_t copies) {
  const core::Checkpoint& checkpoint = *session.checkpoint();
  if (!input.edges) {
    return announce_checkpoint(session, "the bytes of all edges" + kept_by_each_state(session));
  }
  struct stat data {};
  const bool begun = stat(checkpoint.file("emgraph.data").c_str(), &data) == 0;
  const std::uint64_t taken = begun ? static_cast<std::uint64_t>(data.st_blocks) * 512 : 0;
  const std::size_t record = input.layout.record_bytes();
  const std::uint64_t records = core::size_product(*input.edges, copies);
  const std::uint64_t writes =
      sort_writes(session, records, record, core::sorter_memory(session.environment().memory));
  const std::uint64_t bytes = core::size_product(records, record);
  announce_checkpoint(
      session, "up to " + core::format_size(core::size_product(bytes, writes)) + kept_by_each_state(session));
  const std::uint64_t free = free_bytes_at(checkpoint.directory()).value_or(~std::uint64_t{0});
  if (bytes / 2 <= core::size_sum(free, taken)) return;
  throw core::EnvironmentError(
      fmt::format("{}: a checkpoint of sorting {} edges needs at least {}, {} are free; name a directory on "
                  "another disk",
                  checkpoint.directory(), core::format_count(*input.edges), core::format_size(bytes / 2),
                  core::format_size(free)));
}

}  // namespace

TemporarySpace temporary_space(const CommonOptions& options, bool spills) {
  std::vector<core::DiskSpec> disks = spills ? configured_disks(options.disks).disks : options.disks;
  if (spills && !options.checkpoint.empty()) {
    disks.assign(1, {});
    disks.front().path = options.checkpoint;
    // The directory is made when the run starts.
    if (!std::filesystem::exists(options.checkpoint))
      disks.front().path = core::directory_of(options.checkpoint);
  }
  TemporarySpace space;
  std::map<dev_t, std::uint64_t> left;
  for (const core::DiskSpec& disk : disks) {
    const std::uint64_t free = space_of(disk, left);
    space.places.push_back({disk.path, free});
    space.free_bytes = core::size_sum(space.free_bytes, free);
  }
  return space;
}

void require_sorting_space(Session& session, const graph::EdgeFacts& input, std::uint64_t copies) {
  if (session.checkpoint() != nullptr) {
    if (input.order == graph::EdgeOrder::none) require_kept_space(session, input, copies);
    return;
  }
  if (!input.edges || input.order != graph::EdgeOrder::none) return;
  const std::uint64_t bytes = core::size_product(*input.edges, copies * input.layout.record_bytes());
  const core::Environment& environment = session.environment();
  if (bytes / 2 <= environment.memory.limit()) return;
  const TemporarySpace space = temporary_space(session.options(), true);
  if (bytes / 2 <= space.free_bytes) return;
  std::string places;
  for (const TemporarySpace::Place& place : space.places) places += (places.empty() ? "" : ", ") + place.path;
  throw core::EnvironmentError(
      fmt::format("{}: sorting {} edges needs at least {} of temporary space, {} are free in {}; name "
                  "another or a further "
                  "disk by -T",
                  input.name, core::format_count(*input.edges), core::format_size(bytes / 2),
                  core::format_size(space.free_bytes), places));
}

}  // namespace emgraph::apps
