// SPDX-License-Identifier: MIT
// Options, bounds from a short measurement of the disks, and tables of figures.
#include "apps/measure/bench.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "apps/command_line/disk_config.hpp"
#include "apps/measure/disk_measurement.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

void declare_bench_options(OptionSet& options, TypedOptions& typed, bool& quick, const char* memory,
                           bool sorts) {
  options.flag("--quick", quick, "measure for seconds instead of a minute");
  declare_common_options(options, typed,
                         {.input = false,
                          .nodes = false,
                          .relabel = false,
                          .sorts = sorts,
                          .output = OutputUse::none,
                          .instead = "the figures go to standard output (--json)",
                          .memory = memory});
}

void declare_disk_bandwidth(OptionSet& options, std::string& disk_bandwidth) {
  options
      .value("--disk-bandwidth", disk_bandwidth, "SIZE",
             "bytes per second of all disks together, for the bounds")
      .otherwise("measured");
}

std::uint64_t bench_size(const std::string& text, std::uint64_t otherwise) {
  const std::uint64_t size = text.empty() ? otherwise : size_option("--size", text);
  if (size < core::MiB) throw core::UsageError(fmt::format("--size: {} is less than 1 MiB", text));
  return size;
}

std::size_t bench_memory(Session& session, std::uint64_t size) {
  const std::size_t free = session.environment().memory.available();
  const std::size_t most = free - free / 4;
  if (session.options().memory_given()) return most;
  return std::min<std::uint64_t>(most, std::max<std::uint64_t>(size / 4, 16 * core::MiB));
}

std::uint64_t positive_count_option(const std::string& name, const std::string& text) {
  const std::uint64_t count = count_option(name, text);
  if (count == 0) throw core::UsageError(fmt::format("{}: 0 is too few", name));
  return count;
}

std::string percent_of_bound(std::optional<double> bound_seconds, double seconds) {
  if (!bound_seconds || *bound_seconds <= 0 || seconds <= 0) return "-";
  return fmt::format("{:.0f} %", 100 * *bound_seconds / seconds);
}

std::optional<double> Bandwidth::bound(std::uint64_t read_bytes, std::uint64_t write_bytes) const {
  if (read_bytes == 0 && write_bytes == 0) return std::nullopt;
  return static_cast<double>(read_bytes) / read + static_cast<double>(write_bytes) / write;
}

void Bandwidth::report(Report& report) const {
  report.hidden("disk_read_bytes_per_second", read);
  report.hidden("disk_write_bytes_per_second", write);
  report.shown("disks", fmt::format("read {:.0f}, write {:.0f} MB/s", read * 1e-6, write * 1e-6));
}

Bandwidth disk_bandwidth(Session& session, const std::string& option, bool quick) {
  if (!option.empty()) {
    const std::uint64_t given = size_option("--disk-bandwidth", option);
    if (given == 0) throw core::UsageError("--disk-bandwidth: nothing moves at 0 bytes per second");
    return {static_cast<double>(given), static_cast<double>(given)};
  }
  const std::vector<core::DiskSpec> disks = configured_disks(session.options().disks).disks;
  const std::size_t free = session.environment().memory.available();
  std::uint64_t bytes = (quick ? 64 : 512) * core::MiB;
  for (const core::DiskSpec& disk : disks) {
    bytes = std::min(bytes, disk.capacity_bytes);
    if (disk.backend == core::DiskBackend::memory) bytes = std::min(bytes, free / 4 / disks.size());
  }
  core::AreaShape shape{.memory_bytes = free / 2};
  shape.block_bytes = fitting_block_bytes(std::min<std::uint64_t>(free / 2, bytes * disks.size()),
                                          shape.depth * disks.size());
  shape.bytes = std::max<std::uint64_t>(core::round_down(bytes, shape.block_bytes), shape.block_bytes);
  shape.batch_blocks = shape.bytes / shape.block_bytes;
  DiskMeasurement measurement(session, shape, nullptr);
  const double write =
      measurement.transfer(core::Operation::write, 0, measurement.disks()).bytes_per_second();
  return {measurement.transfer(core::Operation::read, 0, measurement.disks()).bytes_per_second(), write};
}

void Figures::add(const Figure& figure) {
  const double seconds = std::max(figure.cost.seconds, 1e-9);
  const double rate = static_cast<double>(figure.operations) / seconds;
  SummaryObject entry{{"name", figure.name},
                      {"subject", figure.subject},
                      {"seconds", figure.cost.seconds},
                      {"cpu_seconds", figure.cost.cpu_seconds},
                      {figure.unit, figure.operations},
                      {figure.unit + "_per_second", rate},
                      {"bytes", figure.bytes},
                      {"bytes_per_second", static_cast<double>(figure.bytes) / seconds},
                      {"read_bytes", figure.cost.io.read_bytes},
                      {"write_bytes", figure.cost.io.write_bytes},
                      {"bound_bytes", figure.bound_bytes}};
  if (figure.bound_seconds) entry.set("bound_seconds", *figure.bound_seconds);
  results_.push_back(std::move(entry));
  rows_ += fmt::format("{:<26}{:<14}{:>8.2f}{:>9.1f} M {:<8}{:>9.0f}{:>9}{:>9}\n", figure.name,
                       figure.subject, figure.cost.seconds, rate * 1e-6, figure.unit,
                       static_cast<double>(figure.bytes) * 1e-6 / seconds,
                       figure.bound_seconds ? fmt::format("{:.2f}", *figure.bound_seconds) : "-",
                       percent_of_bound(figure.bound_seconds, figure.cost.seconds));
}

void Figures::report(Report& report) {
  report.hidden("results", std::move(results_));
  report.appendix(fmt::format("\n{:<26}{:<14}{:>8}{:>9}   {:<8}{:>9}{:>9}{:>9}\n{}", "", "", "seconds", "",
                              "/s", "MB/s", "bound s", "of bound", rows_));
}

}  // namespace emgraph::apps
