// SPDX-License-Identifier: MIT
// Options of benchmarks.
#include "apps/measure/bench_options.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

void bench_option(CLI::App& app, const char* name, std::string& target, const char* help, const char* type) {
  app.add_option(name, target, help)->type_name(type)->group("Bench");
}

void declare_bench_options(CLI::App& app, TypedOptions& typed, bool& quick) {
  app.add_flag("--quick", quick, "seconds instead of a minute")->group("Bench");
  declare_common_options(app, typed,
                         {.input = false, .nodes = false, .relabel = false, .output = OutputUse::none});
}

void declare_disk_bandwidth(CLI::App& app, std::string& disk_bandwidth) {
  bench_option(app, "--disk-bandwidth", disk_bandwidth,
               "bytes per second of all disks, for the bounds [measured]", "SIZE");
}

void refuse_bench_output(const CommonOptions& options) {
  if (options.output.empty()) return;
  throw core::UsageError("-o: there is no result to write; the figures go to standard output (--json)");
}

std::uint64_t bench_size(const std::string& text, std::uint64_t otherwise) {
  const std::uint64_t size = text.empty() ? otherwise : size_option("--size", text);
  if (size < core::MiB) throw core::UsageError(fmt::format("--size: {} is less than 1 MiB", text));
  return size;
}

std::size_t bench_memory(Session& session, std::uint64_t size) {
  const std::size_t free = session.environment().memory.available();
  const std::size_t most = free - free / 4;
  if (session.options().memory_bytes) return most;
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

}  // namespace emgraph::apps
