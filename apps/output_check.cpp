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

void check_name(const std::string& output, const std::vector<std::string>& inputs,
                const CommonOptions& options, bool binary) {
  if (output.empty()) throw UsageError("-o: the name of the output is empty");
  const auto target = status(output, STDOUT_FILENO);
  std::vector<std::string> all_inputs = inputs;
  all_inputs.insert(all_inputs.end(), options.other_inputs.begin(), options.other_inputs.end());
  for (const std::string& input : all_inputs) {
    if (input.starts_with("gen:")) continue;
    const auto source = status(input, STDIN_FILENO);
    if (target && source && S_ISREG(source->st_mode) && source->st_dev == target->st_dev &&
        source->st_ino == target->st_ino) {
      throw UsageError(fmt::format("{}: the output is the input; write to another name",
                                   output == "-" ? "standard output" : output));
    }
  }
  if (output == "-") {
    if (binary && !options.force && isatty(STDOUT_FILENO) == 1) {
      throw UsageError("-o -: binary data to a terminal; redirect it, or use -f if you mean it");
    }
    return;
  }
  if (target && S_ISDIR(target->st_mode))
    throw UsageError(fmt::format("{}: the output is a directory", output));
  if (target && S_ISREG(target->st_mode) && !options.force) {
    throw UsageError(fmt::format("{}: exists already; use -f to replace it", output));
  }
  if (target && !S_ISREG(target->st_mode)) return;
  std::filesystem::path directory = std::filesystem::path(output).parent_path();
  if (directory.empty()) directory = ".";
  if (access(directory.c_str(), W_OK | X_OK) != 0) {
    throw core::EnvironmentError::system(output, "cannot create in this directory", errno);
  }
}

}  // namespace

void check_output(const std::string& output, const std::vector<std::string>& inputs,
                  const CommonOptions& options, bool binary) {
  const auto plain = [](const std::string& name) { return std::filesystem::path(name).lexically_normal(); };
  if (!options.map.empty() && plain(output) == plain(options.map)) {
    throw UsageError(fmt::format("--map and another result both go to {}; give them different names",
                                 is_standard_output(output) ? "standard output" : output));
  }
  check_name(output, inputs, options, binary);
}

bool written_in_place(const std::string& output) {
  const auto target = status(output, STDOUT_FILENO);
  return is_standard_output(output) || (target && !S_ISREG(target->st_mode));
}

void check_map_output(const std::vector<std::string>& inputs, const CommonOptions& options, bool binary) {
  check_name(options.map, inputs, options, binary);
}

}  // namespace emgraph::apps
