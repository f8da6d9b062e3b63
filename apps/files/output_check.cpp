// SPDX-License-Identifier: MIT
// Compares outputs with inputs by device and inode, and with each other by resolved names.
#include "apps/files/output_check.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include "apps/files/node_names.hpp"
#include "apps/run/ranks.hpp"
#include "core/base/error.hpp"
#include "core/io/output_place.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/table/foreign.hpp"
#include "graph/format/table/format.hpp"
#include "graph/format/webgraph/webgraph.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;

/// The status of the file that an output or input names; nullopt if there is none.
std::optional<struct stat> output_status(const std::string& name) {
  struct stat result {};
  const int failed = is_standard_output(name) ? fstat(STDOUT_FILENO, &result) : stat(name.c_str(), &result);
  if (failed != 0) return std::nullopt;
  return result;
}
std::optional<struct stat> input_status(const std::string& name) {
  struct stat result {};
  const int failed = name == "-" ? fstat(STDIN_FILENO, &result) : stat(name.c_str(), &result);
  if (failed != 0) return std::nullopt;
  return result;
}

std::string shown(const std::string& output) {
  return is_standard_output(output) ? "standard output" : output;
}

/// A canonical name: equal for all names of the same file.
std::string place(const std::string& output) {
  if (is_standard_output(output)) return "-";
  namespace fs = std::filesystem;
  std::error_code failed;
  // weakly_canonical() does not follow a link without an end.
  const fs::path whole = fs::absolute(core::resolved_output(output), failed);
  if (failed) return output;
  const fs::path followed = fs::weakly_canonical(whole, failed);
  return failed ? whole.lexically_normal() : followed;
}

/// In a sticky directory, such as /tmp, only owners and root replace files.
void require_own_if_sticky(const std::string& output, const std::string& directory,
                           const struct stat& target) {
  struct stat status {};
  if (stat(directory.c_str(), &status) != 0 || (status.st_mode & S_ISVTX) == 0) return;
  const uid_t user = geteuid();
  if (user == 0 || target.st_uid == user || status.st_uid == user) return;
  throw core::EnvironmentError(fmt::format("{}: belongs to user {}, who alone may replace it in {}", output,
                                           target.st_uid, directory));
}

/// A name that the file system does not take would be refused after the work.
void require_short_name(const std::string& output) {
  const std::string directory = core::directory_of(output);
  const long most = pathconf(directory.c_str(), _PC_NAME_MAX);
  const std::size_t bytes = std::filesystem::path(output).filename().native().size();
  if (most > 0 && bytes > static_cast<std::size_t>(most)) {
    throw core::EnvironmentError(
        fmt::format("{}: the name of the file has {} bytes, expected at most {}", output, bytes, most));
  }
}

void check_name(const std::string& output, const std::vector<std::string>& inputs, bool force, bool binary) {
  if (output.empty()) throw UsageError("-o: the name of the output is empty");
  const auto target = output_status(output);
  for (const std::string& input : inputs) {
    if (input.starts_with("gen:")) continue;
    const auto source = input_status(input);
    if (target && source && S_ISREG(source->st_mode) && source->st_dev == target->st_dev &&
        source->st_ino == target->st_ino) {
      throw UsageError(fmt::format("{}: the output is the input; write to another name", shown(output)));
    }
  }
  if (is_standard_output(output)) {
    // Open MPI gives its processes a terminal, wherever its own output goes.
    if (binary && !force && isatty(STDOUT_FILENO) == 1 && !one_of_several_ranks()) {
      throw UsageError("-o -: binary data to a terminal; redirect it, or use -f if you mean it");
    }
    return;
  }
  const std::string resolved = core::resolved_output(output);  // refuses links and FIFOs that may be traps
  require_short_name(resolved);
  if (target && S_ISDIR(target->st_mode))
    throw UsageError(fmt::format("{}: the output is a directory", output));
  if (target && !S_ISREG(target->st_mode)) return;
  std::error_code ignored;
  const bool dangling = !target && std::filesystem::is_symlink(output, ignored);
  if ((target || dangling) && !force) {
    throw UsageError(fmt::format("{}: exists already; use -f to replace it", output));
  }
  const std::string directory = core::directory_of(resolved);
  if (access(directory.c_str(), W_OK | X_OK) != 0) {
    const std::string where = resolved == output ? "this directory" : directory;
    throw core::EnvironmentError::system(output, "cannot create in " + where, errno);
  }
  if (target) require_own_if_sticky(output, directory, *target);
}

std::vector<std::string> with_others(std::vector<std::string> inputs, const CommonOptions& options) {
  for (std::size_t i = 0, graphs = inputs.size(); i < graphs; ++i) {
    if (inputs[i].ends_with(".graph")) inputs.push_back(graph::format::webgraph_properties(inputs[i]));
  }
  inputs.insert(inputs.end(), options.other_inputs.begin(), options.other_inputs.end());
  inputs.insert(inputs.end(), options.read_files.begin(), options.read_files.end());
  if (!options.filter.nodes_in.empty()) inputs.push_back(options.filter.nodes_in);
  return inputs;
}

}  // namespace

void check_outputs_differ(const std::vector<NamedOutput>& outputs) {
  std::map<std::string, const NamedOutput*> places;
  for (const NamedOutput& output : outputs) {
    if (output.path.empty()) continue;
    const auto [before, fresh] = places.try_emplace(place(output.path), &output);
    if (fresh) continue;
    throw UsageError(fmt::format("{} and {} both go to {}; give them different names", before->second->option,
                                 output.option, shown(before->second->path)));
  }
}

void check_output(const std::string& output, const std::vector<std::string>& inputs,
                  const CommonOptions& options, bool binary) {
  check_outputs_differ({{"--map", options.map}, {"--trace", options.trace}, {"another result", output}});
  check_name(output, with_others(inputs, options), options.force, binary);
}

void check_trace_output(const std::string& trace, const std::vector<std::string>& others, bool force) {
  if (trace.empty()) throw UsageError("--trace: the name of the file is empty");
  if (is_standard_output(trace)) {
    throw UsageError("--trace: name a file; standard output carries results");
  }
  const auto target = output_status(trace);
  const auto is_target = [&](const std::optional<struct stat>& other) {
    return target && other && S_ISREG(target->st_mode) && target->st_dev == other->st_dev &&
           target->st_ino == other->st_ino;
  };
  bool taken = is_target(output_status("-"));  // results or the summary go there
  for (const std::string& other : others) {
    taken = taken || is_target(input_status(other)) || place(other) == place(trace);
  }
  if (taken) {
    throw UsageError(
        fmt::format("--trace {}: is an input or another output; write the trace to another name", trace));
  }
  check_name(trace, {}, force, false);
}

bool written_in_place(const std::string& output) {
  const auto target = output_status(output);
  return is_standard_output(output) || (target && !S_ISREG(target->st_mode));
}

void check_map_output(const std::vector<std::string>& inputs, const CommonOptions& options) {
  constexpr const char* written[] = {"npy", "bin", "tsv", "txt", "csv"};
  const std::string extension = graph::format::extension_of(options.map);
  if (options.labels && (extension == "npy" || extension == "bin")) {
    throw UsageError(
        fmt::format("--map {}: labels are written as lines of text, not .{}", options.map, extension));
  }
  const bool binary = !options.labels && extension != "tsv" && extension != "txt";
  const bool packed = graph::format::packing_of_name(options.map) != graph::format::Packing::none;
  const bool other =
      graph::format::find_format(extension) != nullptr && !std::ranges::count(written, extension);
  if (packed || other || graph::format::foreign_format(extension) != nullptr) {
    throw UsageError(fmt::format("--map {}: a map is written as {}, not as .{}", options.map,
                                 binary ? ".npy, .bin, .tsv or .txt" : "lines of text", extension));
  }
  check_name(options.map, with_others(inputs, options), options.force, binary);
}

CommonOptions check_options(const TypedOptions& typed, const Inputs& graph, std::vector<std::string> results,
                            const std::vector<std::string>& lists) {
  CommonOptions options = validate(typed);
  refuse_named_results(options, results);
  options.other_inputs = std::move(results);
  options.other_inputs.insert(options.other_inputs.end(), lists.begin(), lists.end());
  graph.refuse_standard_input_twice(options.other_inputs);
  return options;
}

bool is_terminal(const std::string& output) {
  return is_standard_output(output) && isatty(STDOUT_FILENO) == 1;
}

}  // namespace emgraph::apps
