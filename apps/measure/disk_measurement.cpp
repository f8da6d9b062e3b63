// SPDX-License-Identifier: MIT
// One thread per disk. A batch of several disks ends when the last of them has finished its part.
#include "apps/measure/disk_measurement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "apps/command_line/disk_config.hpp"
#include "core/base/thread_team.hpp"

namespace emgraph::apps {

namespace {

using core::DiskArea;
using core::Operation;

/// `ends[d][k]`: the time at which disk d had finished batch k.
TransferRate rate_of(const std::vector<std::vector<double>>& ends, const core::AreaShape& shape) {
  TransferRate rate{.bytes = shape.bytes * ends.size(), .batches = ends.front().size()};
  std::vector<double> rates;
  std::uint64_t left = shape.bytes;
  for (std::size_t batch = 0; batch < rate.batches; ++batch) {
    double end = 0;
    for (const std::vector<double>& disk : ends) end = std::max(end, disk[batch]);
    const std::uint64_t bytes = std::min<std::uint64_t>(left, shape.batch_blocks * shape.block_bytes);
    left -= bytes;
    // Not 0, even if the clock has not moved.
    const double seconds = std::max(end - rate.seconds, 1e-9);
    rates.push_back(static_cast<double>(bytes * ends.size()) / seconds);
    rate.seconds = end;
  }
  std::sort(rates.begin(), rates.end());
  rate.least = rates.front();
  rate.median = rates[rates.size() / 2];
  rate.most = rates.back();
  return rate;
}

std::string area_name(const core::DiskSpec& disk) {
  return disk.backend == core::DiskBackend::memory ? disk.path + " (memory)" : disk.path;
}

}  // namespace

std::size_t fitting_block_bytes(std::size_t memory_bytes, std::uint64_t blocks) {
  const std::uint64_t share = memory_bytes / std::max<std::uint64_t>(blocks, 1);
  return std::clamp<std::size_t>(std::bit_floor(share), 4 * core::KiB, core::MiB);
}

DiskMeasurement::DiskMeasurement(Session& session, const core::AreaShape& shape, BatchDone done)
    : session_(session), shape_(shape), done_(std::move(done)) {
  core::Environment& environment = session.environment();
  const std::vector<core::DiskSpec> disks = configured_disks(session.options().disks).disks;
  core::AreaShape own = shape;
  own.memory_bytes = shape.memory_bytes / disks.size();
  for (std::size_t disk = 0; disk < disks.size(); ++disk) {
    names_.push_back(area_name(disks[disk]));
    if (disks[disk].backend == core::DiskBackend::memory) {
      charged_.push_back(environment.memory.reserve(shape.bytes, "the area of a memory disk"));
    }
    areas_.push_back(std::make_unique<DiskArea>(environment, disk, names_[disk], own));
    const bool cached = disks[disk].backend != core::DiskBackend::memory && !environment.blocks.direct(disk);
    if (cached) {
      session.warn(fmt::format("{}: transfers go through the page cache, which may be what is measured",
                               names_[disk]));
    }
  }
}

DiskMeasurement::~DiskMeasurement() = default;

TransferRate DiskMeasurement::transfer(Operation operation, std::size_t first, std::size_t count) {
  const char* what = operation == Operation::read ? "read" : "write";
  const std::string where = count == 1 ? names_[first] : fmt::format("{} disks", count);
  core::Phase phase(session_.environment().progress, fmt::format("{} {}", what, where), shape_.bytes * count,
                    "bytes");
  std::vector<std::vector<double>> ends(count);
  core::ThreadTeam team(static_cast<unsigned>(count));
  const DiskArea::Clock::time_point start = DiskArea::Clock::now();
  team.all([&](unsigned number) {
    const std::size_t disk = first + number;
    const auto batch_done = [&](std::uint64_t bytes, double seconds) {
      phase.advance(bytes);
      if (done_) done_(fmt::format("{} {}", what, names_[disk]), bytes, seconds);
    };
    ends[number] = operation == Operation::read ? areas_[disk]->read(start, batch_done)
                                                : areas_[disk]->write(start, batch_done);
  });
  return rate_of(ends, shape_);
}

RandomReadRate DiskMeasurement::read_at_random(std::size_t first, std::size_t count, std::uint64_t reads,
                                               std::size_t bytes, double most_seconds) {
  const std::string where = count == 1 ? names_[first] : fmt::format("{} disks", count);
  const core::Phase phase(session_.environment().progress, "random reads " + where, 0, "reads");
  std::vector<core::RandomReads> results(count);
  core::ThreadTeam team(static_cast<unsigned>(count));
  team.all([&](unsigned number) {
    results[number] = areas_[first + number]->read_at_random(reads, bytes, most_seconds);
  });
  RandomReadRate rate;
  for (const core::RandomReads& result : results) {
    rate.reads += result.reads;
    rate.seconds = std::max(rate.seconds, result.seconds);
  }
  if (rate.reads == 0) return rate;
  const core::Array<float> all(session_.environment().memory, rate.reads, "latencies of random reads");
  float* to = all.data();
  for (const core::RandomReads& result : results) {
    to = std::copy_n(result.latencies.data(), result.reads, to);
  }
  std::sort(all.data(), to);
  const auto percentile = [&](double part) {
    return all[static_cast<std::size_t>(part * static_cast<double>(rate.reads - 1))];
  };
  rate.median = percentile(0.5);
  rate.percentile_95 = percentile(0.95);
  rate.percentile_99 = percentile(0.99);
  rate.most = percentile(1);
  return rate;
}

}  // namespace emgraph::apps
