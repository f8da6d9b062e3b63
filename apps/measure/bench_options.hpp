// SPDX-License-Identifier: MIT
// What the commands of bench share: options, and figures as part of their bound.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/command_line/options.hpp"
#include "apps/run/session.hpp"

namespace emgraph::apps {

/// An option in the group of the benchmarks.
void bench_option(CLI::App& app, const char* name, std::string& target, const char* help, const char* type);

/// --quick, and the common options but for input and output.
void declare_bench_options(CLI::App& app, TypedOptions& typed, bool& quick);

/// --disk-bandwidth, of those that compare a job with the bytes it moves (Bandwidth).
void declare_disk_bandwidth(CLI::App& app, std::string& disk_bandwidth);

/// Benchmarks have no result to write: throws UsageError when -o is given.
void refuse_bench_output(const CommonOptions& options);

/// --size, or `otherwise` when it is empty. Throws UsageError below 1 MiB.
std::uint64_t bench_size(const std::string& text, std::uint64_t otherwise);

/// Memory for what is measured on `size` bytes: of -M what files and lists of blocks leave; a quarter of the
/// size, at least 16 MiB, when -M was not given, for then all would fit and no disk would be needed.
std::size_t bench_memory(Session& session, std::uint64_t size);

/// A count of at least 1; UsageError names the option.
std::uint64_t positive_count_option(const std::string& name, const std::string& text);

/// "93 %" for a run that took 1 / 0.93 of its bound; "-" where there is none.
std::string percent_of_bound(std::optional<double> bound_seconds, double seconds);

}  // namespace emgraph::apps
