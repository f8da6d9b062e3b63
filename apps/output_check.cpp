// SPDX-License-Identifier: MIT
// Compares outputs with inputs by device and inode.
#include "apps/output_check.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>

#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;

/// Where a name leads; nothing for what does not exist. `descriptor` is asked for "-".
std::optional<struct stat> status(const std::string& name, int descriptor) {
  struct stat result {};
  const int failed = name == "-" ? fstat(descriptor, &result) : stat(name.c_str(), &result);
  if (failed != 0) return std::nullopt;
  return result;
}

void check_name(const std::string& output, const std::vector<std::string>& inputs, bool force, bool binary) {
  if (output.empty()) throw UsageError("-o: the name of the output is empty");
  const auto target = status(output, STDOUT_FILENO);
  for (const std::string& input : inputs) {
    if (input.starts_with("gen:")) continue;
    const auto source = status(input, STDIN_FILENO);
    if (target && source && S_ISREG(source->st_mode) && source->st_dev == target->st_dev &&
        source->st_ino == target->st_ino) {
      throw UsageError(fmt::format("{}: the output is the input; write to another name",
                                   output == "-" ? "standard output" : output));
    }
  }
  if (output == "-") {
    if (binary && !force && isatty(STDOUT_FILENO) == 1) {
      throw UsageError("-o -: binary data to a terminal; redirect it, or use -f if you mean it");
    }
    return;
  }
  if (target && S_ISDIR(target->st_mode))
    throw UsageError(fmt::format("{}: the output is a directory", output));
  if (target && S_ISREG(target->st_mode) && !force) {
    throw UsageError(fmt::format("{}: exists already; use -f to replace it", output));
  }
  if (target && !S_ISREG(target->st_mode)) return;
  std::filesystem::path directory = std::filesystem::path(output).parent_path();
  if (directory.empty()) directory = ".";
  if (access(directory.c_str(), W_OK | X_OK) != 0) {
    throw core::EnvironmentError::system(output, "cannot create in this directory", errno);
  }
}

std::filesystem::path plain(const std::string& name) {
  return std::filesystem::path(name).lexically_normal();
}

}  // namespace

void check_output(const std::string& output, const std::vector<std::string>& inputs,
                  const CommonOptions& options, bool binary) {
  if (!options.map.empty() && plain(output) == plain(options.map)) {
    throw UsageError(fmt::format("--map and another result both go to {}; give them different names",
                                 is_standard_output(output) ? "standard output" : output));
  }
  if (!options.trace.empty() && plain(output) == plain(options.trace)) {
    throw UsageError(fmt::format("--trace and a result both go to {}; give them different names", output));
  }
  check_name(output, inputs, options.force, binary);
}

void check_trace_output(const std::string& trace, const std::vector<std::string>& others, bool force) {
  if (trace.empty()) throw UsageError("--trace: the name of the file is empty");
  if (trace == "-" || trace == "/dev/stdout") {
    throw UsageError("--trace: name a file; standard output carries results");
  }
  const auto target = status(trace, -1);
  for (const std::string& other : others) {
    const auto named = other == "-" ? std::nullopt : status(other, -1);
    const bool same = target && named && S_ISREG(target->st_mode) && target->st_dev == named->st_dev &&
                      target->st_ino == named->st_ino;
    if (same || plain(other) == plain(trace)) {
      throw UsageError(
          fmt::format("--trace {}: is an input or another output; write the trace to another name", trace));
    }
  }
  check_name(trace, {}, force, false);
}

void check_map_output(const std::vector<std::string>& inputs, const CommonOptions& options, bool binary) {
  check_name(options.map, inputs, options.force, binary);
}

}  // namespace emgraph::apps
