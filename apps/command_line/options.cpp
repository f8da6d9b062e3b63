// SPDX-License-Identifier: MIT
// Declares the common options and turns their text into values.
#include "apps/command_line/options.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "apps/command_line/disk_config.hpp"
#include "apps/command_line/disk_spec.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

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

ProgressWhen progress_when(const std::string& text) {
  if (text == "auto") return ProgressWhen::automatic;
  if (text == "always") return ProgressWhen::always;
  if (text == "never") return ProgressWhen::never;
  throw UsageError(fmt::format("--progress: '{}' is not one of auto, always, never", text));
}

graph::MemoryModel memory_model(const std::string& text) {
  using graph::MemoryModel;
  if (text.empty()) return MemoryModel::automatic;
  for (MemoryModel model :
       {MemoryModel::automatic, MemoryModel::internal, MemoryModel::semi_external, MemoryModel::external}) {
    if (text == name(model)) return model;
  }
  throw UsageError(fmt::format("--model: '{}' is not one of auto, internal, semi-external, external", text));
}

core::AllocationStrategy disk_strategy(const std::string& text) {
  std::string names;
  for (const core::AllocationStrategy strategy : core::all_strategies) {
    if (text == name(strategy)) return strategy;
    names += (names.empty() ? "" : ", ") + std::string(name(strategy));
  }
  throw UsageError(fmt::format("--disk-strategy: '{}' is not one of {}", text, names));
}

core::SpillCodec spill_codec(const std::string& text) {
  for (const core::SpillCodec codec : core::all_spill_codecs) {
    if (text == name(codec)) return codec;
  }
  throw UsageError(fmt::format("--spill-codec: '{}' is not one of auto, none, delta", text));
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
std::uint64_t size_option(const std::string& name, const std::string& text) {
  return named(name, text, core::parse_size);
}

void declare_common_options(CLI::App& app, TypedOptions& typed, const OptionChoice& choice) {
  const auto text = [&app](const char* name, auto& target, const char* help, const char* type) {
    CLI::Option* option = app.add_option(name, target, help)->type_name(type)->group("Common options");
    return option;
  };
  const auto flag = [&app](const char* name, auto& target, const char* help) {
    return app.add_flag(name, target, help)->group("Common options");
  };
  const auto show_if = [](bool useful, CLI::Option* option) {
    if (!useful) option->group("");
  };
  show_if(choice.output == OutputUse::one,
          text("-o,--output", typed.output, "result, in place when complete; - is standard output", "FILE"));
  flag("-f,--force", typed.force, "replace an existing output");
  text("-M,--memory", typed.memory, "limit for all data in memory [half of what is available]", "SIZE");
  text("-T,--temp-dir", typed.temp_dirs,
       "directory for temporary data, repeatable\n"
       "[as said by $EMGRAPH_DISKS, ~/.config/emgraph/disks, /etc/emgraph/disks; $TMPDIR; /tmp]",
       "DIR")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  text("--disk", typed.disks,
       "PATH[,size=SIZE][,grow=SIZE][,io=uring|pread|memory][,direct=auto|on|off]\n"
       "[,raw=yes][,limit=SIZE per second], repeatable",
       "SPEC")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  text("--disk-strategy", typed.disk_strategy,
       "striping, randomized-striping, fully-random, randomized-cycling\n[randomized-cycling]", "STRATEGY");
  text("--spill-codec", typed.spill_codec,
       "auto, none, delta: blocks of keys are coded before they go to disk\n[by the speed of the disks]",
       "CODEC");
  text("--config", typed.config, "file with lines as for --disk", "FILE");
  text("-j,--threads", typed.threads, "compute threads [all cores]", "N");
  text("--seed", typed.seed, "random seed [1]", "N");
  flag("--json", typed.json, "summary as one JSON object");
  text("--progress", typed.progress, "auto (on a terminal), always, never", "WHEN");
  flag("-q,--quiet", typed.quiet, "no summary table, no warnings");
  flag("-v,--verbose", typed.verbose, "more on standard error");
  text(trace_option, typed.trace, "timeline of phases, threads and disks; ui.perfetto.dev shows it", "FILE");
  text("--input-format", typed.input_format,
       "emg, text, wel, konect, mtx, gr, graph, sg, u32, u64, u32w, f32w, npy... [by content]", "FORMAT");
  if (choice.input) text("--skip", typed.skip, "size of a foreign header before raw edges [0]", "BYTES");
  show_if(choice.output != OutputUse::none,
          text("--output-format", typed.output_format,
               "as --input-format; results: npy, tsv, bin [by extension]", "FORMAT"));
  if (choice.nodes) text("--nodes", typed.nodes, "ids must be below this [declared, or largest id + 1]", "N");
  if (choice.input) declare_text_options(app, typed.text);
  if (choice.relabel) {
    flag("--relabel", typed.relabel, "ids of any size, with any gaps, become 0, 1, 2, ... in their order");
    flag("--labels", typed.labels,
         "columns of text hold labels (names, addresses, ...), which become 0, 1, 2, ... as they come first");
    text(
        "--map", typed.map,
        "with --relabel: the original id of every node, .npy, .tsv or .bin; with --labels: text, a label per "
        "line",
        "FILE");
  }
  if (choice.solver) {
    text("--model", typed.model, "internal, semi-external, external [by size and -M]", "MODEL");
  }
}

CommonOptions validate(const TypedOptions& typed) {
  CommonOptions options;
  options.output = typed.output == "/dev/stdout" ? "-" : typed.output;
  options.force = typed.force;
  if (!typed.memory.empty()) options.memory_bytes = memory_limit(typed.memory);
  for (const std::string& directory : typed.temp_dirs) {
    if (directory.empty()) throw UsageError("-T: the directory's name is empty");
    options.disks.push_back({.path = directory});
  }
  for (const std::string& spec : typed.disks) options.disks.push_back(parse_disk_spec(spec, "--disk"));
  if (!typed.config.empty()) {
    for (core::DiskSpec& spec : read_disk_specs(typed.config)) options.disks.push_back(std::move(spec));
  }
  if (!typed.disk_strategy.empty()) options.disk_strategy = disk_strategy(typed.disk_strategy);
  if (!typed.spill_codec.empty()) options.spill_codec = spill_codec(typed.spill_codec);
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
  options.json = typed.json;
  options.progress = progress_when(typed.progress);
  options.quiet = typed.quiet;
  options.verbose = typed.verbose;
  options.input_format = typed.input_format;
  if (!typed.skip.empty()) options.skip_bytes = size_option("--skip", typed.skip);
  options.output_format = typed.output_format;
  if (!typed.nodes.empty()) options.nodes = count_option("--nodes", typed.nodes);
  if (!typed.text.id_base.empty()) options.id_base = count_option("--id-base", typed.text.id_base);
  options.text = text_options(typed.text);
  options.model = memory_model(typed.model);
  options.trace = typed.trace;
  options.labels = typed.labels;
  options.relabel = typed.relabel;
  if (options.labels && options.relabel) {
    throw UsageError("--labels and --relabel exclude each other: with --labels any column is a label");
  }
  if (options.labels && options.skip_bytes != 0) {
    throw UsageError("--labels and --skip exclude each other: bytes are skipped before raw edges only");
  }
  options.map = typed.map == "/dev/stdout" ? "-" : typed.map;
  if (!options.map.empty() && !options.relabel && !options.labels) {
    throw UsageError("--map: nothing is mapped without --relabel or --labels");
  }
  if (options.relabel && options.nodes) {
    throw UsageError(
        "--relabel and --nodes exclude each other: with --relabel n is the number of distinct ids");
  }
  if (options.labels && options.nodes) {
    throw UsageError(
        "--labels and --nodes exclude each other: with --labels n is the number of distinct labels");
  }
  if (options.labels && options.id_base) throw UsageError("--id-base: labels have no number to begin with");
  return options;
}

std::string told_format(const CommonOptions& options, const std::string& name) {
  return options.output.empty() || options.output == name ? options.output_format : "";
}

}  // namespace emgraph::apps
