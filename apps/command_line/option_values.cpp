// SPDX-License-Identifier: MIT
// Turns the text of the common options into values.
#include "apps/command_line/options.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>

#include "apps/command_line/disk_config.hpp"
#include "apps/command_line/disk_spec.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/output_place.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;

template <class Parse>
std::uint64_t named(const std::string& name, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", name, error.what()));
  }
}

/// The P of "P%", from 1 to 100.
unsigned memory_percent(const std::string& text) {
  const std::string number = text.substr(0, text.size() - 1);
  if (number.size() <= 3 && !number.empty() && number.find_first_not_of("0123456789") == std::string::npos) {
    const int percent = std::stoi(number);
    if (percent >= 1 && percent <= 100) return static_cast<unsigned>(percent);
  }
  throw UsageError(fmt::format("-M: '{}' is not a share of the available memory from 1% to 100%", text));
}

std::uint64_t memory_limit(const std::string& text) {
  const std::uint64_t bytes = size_option("-M", text);
  if (bytes >= least_memory_bytes) return bytes;
  std::string message = fmt::format(
      "-M {} is {}, too little to work with: every thread, disk and open file needs buffers "
      "large enough for\n"
      "efficient transfers. The least that works is 16M; a few hundred MiB let large inputs be "
      "sorted in one pass.",
      text, core::format_size(bytes));
  if (text.find_first_not_of("0123456789") == std::string::npos) {
    message += fmt::format("\nA bare number is bytes: write -M {}M or -M {}G if that is what you meant.",
                           text, text);
  }
  throw core::MemoryLimitError(message);
}

}  // namespace

std::uint64_t count_option(const std::string& name, const std::string& text) {
  return named(name, text, core::parse_count);
}

std::uint64_t id_option(const std::string& name, const std::string& text) {
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error == std::errc() && end == text.data() + text.size()) return id;
  throw UsageError(
      fmt::format("{}: '{}' is not an id (decimal digits below 2^64; with --labels a label)", name, text));
}

std::uint64_t size_option(const std::string& name, const std::string& text) {
  return named(name, text, core::parse_size);
}

std::optional<double> real_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || std::isnan(value)) return std::nullopt;
  return value;
}

namespace {

double period_option(const std::string& text) {
  const auto seconds = real_number(text);
  if (seconds && *seconds >= 0 && *seconds <= 1e9) return *seconds;
  throw UsageError(fmt::format("--checkpoint-period: '{}' is not a number of seconds", text));
}

/// Takes the options of checkpoints. Throws UsageError for commands and options that cannot be resumed.
void validate_checkpoint(const TypedOptions& typed, CommonOptions& options) {
  options.checkpoint = typed.checkpoint;
  options.resume = typed.resume;
  if (!typed.checkpoint_period.empty()) {
    options.checkpoint_period_seconds = period_option(typed.checkpoint_period);
  }
  if (typed.checkpoint.empty()) {
    if (typed.resume) throw UsageError("--resume: name the checkpoint with --checkpoint DIR");
    if (!typed.checkpoint_period.empty()) {
      throw UsageError("--checkpoint-period: there is no checkpoint without --checkpoint DIR");
    }
    return;
  }
  if (!typed.resumable) {
    throw UsageError(
        "--checkpoint: this command cannot be resumed; gen, sort, dedup, convert, filter, mis, cc, "
        "triangles, "
        "bfs, sssp, mst, pagerank, cdlp, lcc and kcore can");
  }
  if (options.relabel || options.labels) {
    throw UsageError(
        "--checkpoint: a run with --relabel or --labels cannot be resumed; write the translated edges first, "
        "by convert");
  }
  options.given = typed.given;
}

void take_machine(const TypedOptions& typed, CommonOptions& options) {
  if (typed.memory.ends_with('%')) {
    options.memory_percent = memory_percent(typed.memory);
  } else if (!typed.memory.empty()) {
    options.memory_bytes = memory_limit(typed.memory);
  }
  for (const std::string& directory : typed.temp_dirs) {
    if (directory.empty()) throw UsageError("-T: the directory's name is empty");
    options.disks.push_back({.path = directory});
  }
  for (const std::string& spec : typed.disks) options.disks.push_back(parse_disk_spec(spec, "--disk"));
  if (!typed.config.empty()) {
    std::vector<core::DiskSpec> specs = read_disk_specs(typed.config);
    if (specs.empty()) throw UsageError(fmt::format("--config: {} names no disk", typed.config));
    for (core::DiskSpec& spec : specs) options.disks.push_back(std::move(spec));
  }
  options.huge_pages = typed.huge_pages;
  options.disk_strategy = typed.disk_strategy;
  options.spill_codec = typed.spill_codec;
  if (!typed.threads.empty()) {
    const std::uint64_t threads = count_option("-j", typed.threads);
    if (threads < 1 || threads > most_threads) {
      throw UsageError(fmt::format("-j: {} is not between 1 and {}", typed.threads, most_threads));
    }
    options.threads = static_cast<unsigned>(threads);
  }
  if (!typed.seed.empty()) {
    options.seed = count_option("--seed", typed.seed);
    options.seed_given = true;
  }
}

void take_input(const TypedOptions& typed, CommonOptions& options) {
  options.input_format = typed.input_format;
  if (!typed.skip.empty()) options.skip_bytes = size_option("--skip", typed.skip);
  if (!typed.nodes.empty()) options.nodes = count_option("--nodes", typed.nodes);
  if (!typed.text.id_base.empty()) options.id_base = count_option("--id-base", typed.text.id_base);
  options.bipartite = typed.bipartite;
  options.text = text_options(typed.text);
  options.filter = filter_options(typed.filter);
  options.labels = typed.labels;
  options.relabel = typed.relabel;
  options.ids = typed.ids;
  const bool translated = options.labels || options.relabel;
  // A list of names is compared with the names of the input.
  options.keep_names = translated && options.ids == ShownIds::original && !options.filter.nodes_in.empty();
}

/// Options of labels and numbers that exclude each other.
void refuse_contradictions(const CommonOptions& options) {
  if (options.labels && options.relabel) {
    throw UsageError("--labels and --relabel exclude each other: with --labels any column is a label");
  }
  if (options.labels && options.skip_bytes != 0) {
    throw UsageError("--labels and --skip exclude each other: bytes are skipped before raw edges only");
  }
  if (!options.map.empty() && !options.relabel && !options.labels) {
    throw UsageError("--map: nothing is mapped without --relabel or --labels");
  }
  if ((options.relabel || options.labels) && options.nodes) {
    throw UsageError(
        fmt::format("--{0} and --nodes exclude each other: with --{0} n is the number of distinct {1}",
                    options.labels ? "labels" : "relabel", options.labels ? "labels" : "ids"));
  }
  if (options.labels && options.id_base) throw UsageError("--id-base: labels have no number to begin with");
}

void require_output_use(const TypedOptions& typed) {
  const bool none = typed.output_use == OutputUse::none || typed.output_use == OutputUse::named;
  if (none && !typed.output.empty()) throw UsageError("-o: there is no result to write; " + typed.instead);
  if (typed.output_use == OutputUse::required && typed.output.empty()) {
    throw UsageError("no output: give -o FILE, or -o - for standard output");
  }
}

/// Throws UsageError for the name of a format that there is not, whether it is used or not.
void require_formats(const TypedOptions& typed) {
  if (!typed.input_format.empty()) graph::format::format_called(typed.input_format);
  const std::string& output = typed.output_format;
  const bool of_values = output == "tsv" || output == "csv" || output == "bin";
  if (!output.empty() && !of_values) graph::format::output_format("--output-format", output);
}

}  // namespace

CommonOptions validate(const TypedOptions& typed) {
  require_output_use(typed);
  require_formats(typed);
  CommonOptions options;
  options.output = core::names_standard_output(typed.output) ? "-" : typed.output;
  options.output_format = typed.output_format;
  options.output_header = typed.output_header;
  options.map = core::names_standard_output(typed.map) ? "-" : typed.map;
  options.force = typed.force;
  take_machine(typed, options);
  options.json = typed.json;
  options.progress = typed.progress;
  options.foresight = typed.foresight;
  options.read_files = typed.read_files;
  options.quiet = typed.quiet;
  options.verbose = typed.verbose;
  options.trace = typed.trace;
  options.model = typed.model;
  take_input(typed, options);
  refuse_contradictions(options);
  validate_checkpoint(typed, options);
  // Nothing is spilled: the disks need not be there.
  if (!typed.spills) options.disks.clear();
  return options;
}

std::string told_format(const CommonOptions& options, const std::string& name) {
  return options.output.empty() || options.output == name ? options.output_format : "";
}

}  // namespace emgraph::apps
