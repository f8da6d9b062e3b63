// SPDX-License-Identifier: MIT
// Describes a run by its options, and its inputs by size and time.
#include "apps/run/kept_run.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <variant>

#include "apps/files/output_check.hpp"
#include "apps/run/printable.hpp"
#include "apps/run/summary_value.hpp"
#include "core/base/error.hpp"
#include "graph/format/webgraph/webgraph.hpp"

namespace emgraph::apps {

namespace {

/// Options that no answer depends on.
constexpr std::string_view free_options[] = {
    "--output", "--force",         "--memory",      "--huge-pages",        "--temp-dir", "--disk",
    "--config", "--disk-strategy", "--spill-codec", "--threads",           "--json",     "--progress",
    "--quiet",  "--verbose",       "--trace",       "--checkpoint-period", "--resume",   "--checkpoint"};

std::string absolute_name(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal();
}

/// "PATH, N bytes, changed at SECONDS.NANOSECONDS".
std::string describe_input(const std::string& input) {
  if (input.starts_with("gen:")) return input;
  struct stat status {};
  const bool known = stat(input.c_str(), &status) == 0;
  if (input == "-" || (known && !S_ISREG(status.st_mode))) {
    throw core::UsageError("--checkpoint: " + (input == "-" ? "standard input" : input) +
                           " cannot be read again after a stop; give a regular file");
  }
  if (!known) return absolute_name(input);  // opening it will tell why
  return fmt::format("{}, {} bytes, changed at {}.{:09}", absolute_name(input), status.st_size,
                     status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

}  // namespace

std::unique_ptr<core::Checkpoint> open_checkpoint(const CommonOptions& options,
                                                  std::optional<SoftStop>& soft_stop,
                                                  std::atomic<std::uint64_t>& left_out) {
  if (options.checkpoint.empty() || options.rehearse) return nullptr;
  const std::string& output = options.kept_output.empty() ? options.output : options.kept_output;
  if (!output.empty() && written_in_place(output)) {
    throw core::UsageError(
        "--checkpoint: the output must be a regular file; pipes and devices cannot be "
        "continued");
  }
  core::CheckpointOptions checkpoint{
      .directory = options.checkpoint,
      .resume = options.resume,
      .period_seconds = options.checkpoint_period_seconds,
      .command = options.given.command,
      .identity = {},
      .output = output.empty() ? "" : absolute_name(output),
      .stop = &SoftStop::asked(),
      .stop_heeded = &SoftStop::heeded(),
      .counts =
          [&left_out, lines = options.text.left_out] {
            graph::format::LeftOutCounts counts;
            if (lines != nullptr) counts = lines->all();
            return std::vector<std::uint64_t>{left_out, counts.skipped, counts.missing};
          },
      .restore_counts =
          [&left_out, lines = options.text.left_out](const auto& counts) {
            if (counts.size() != 3) return;  // nothing was sealed
            left_out = counts[0];
            if (lines != nullptr) lines->restore({counts[1], counts[2]});
          }};
  while (checkpoint.directory.size() > 1 && checkpoint.directory.ends_with('/')) {
    checkpoint.directory.pop_back();
  }
  for (const auto& [name, value] : options.given.values) {
    if (std::ranges::find(free_options, name) != std::end(free_options)) continue;
    const bool input = !name.starts_with("-");
    checkpoint.identity.emplace_back(name, input ? describe_input(value) : value.empty() ? "given" : value);
    const std::string beside =
        input && value.ends_with(".graph") ? graph::format::webgraph_properties(value) : "";
    std::error_code ignored;
    if (std::filesystem::is_regular_file(beside, ignored)) {
      checkpoint.identity.emplace_back("properties", describe_input(beside));
    }
  }
  if (const std::string& list = options.filter.nodes_in; !list.empty()) {
    checkpoint.identity.emplace_back("the list of --nodes-in", describe_input(list));
  }
  for (const std::string& file : options.other_inputs) {
    if (!file.empty()) checkpoint.identity.emplace_back("a list of nodes", describe_input(file));
  }
  soft_stop.emplace();
  return std::make_unique<core::Checkpoint>(std::move(checkpoint));
}

bool finish_published_run(std::string_view command, const OptionSet& options) {
  const Option* const resume = options.find("--resume");
  const Option* const directory = options.find("--checkpoint");
  if (resume == nullptr || !resume->given || !directory->given) return false;
  const auto output = core::Checkpoint::finish_published(*std::get<std::string*>(directory->target), command);
  if (!output) return false;
  fmt::print(stderr, "emgraph: {} was complete already; the checkpoint is removed\n", printable(*output));
  if (options.find("--json")->given) {
    fmt::print("{}\n", json_text({{"command", command}, {"output", *output}, {"already_complete", true}}));
  }
  return true;
}

}  // namespace emgraph::apps
