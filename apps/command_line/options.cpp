// SPDX-License-Identifier: MIT
// Declares the common options and turns their text into values.
#include "apps/command_line/options.hpp"

#include <fmt/core.h>

#include <charconv>

#include "apps/command_line/disk_config.hpp"
#include "apps/command_line/disk_spec.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
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

std::string input_help(const std::string& how) {
  return "edge file" + how +
         ", - (standard input) or gen:MODEL,key=value,... (a generator). Several are one graph, each in its "
         "own format; @FILE names inputs, a line each";
}

void declare_input(OptionSet& options, Inputs& target, const char* name, const std::string& help) {
  options.positionals(name, target.parsed(), help).as_inputs();
}

void declare_codec(OptionSet& options, std::string& target) {
  options
      .value(
          "--codec", target, "CODEC",
          "how an .emg output is coded: none, delta, zstd[:LEVEL] or delta+zstd[:LEVEL]; of packed text the "
          "level: gzip:9, zstd:19, xz:9, bzip2:9")
      .suggest({"none", "delta", "zstd", "delta+zstd"})
      .otherwise("none");
}

namespace {

void declare_output(OptionSet& options, TypedOptions& typed, const OptionChoice& choice) {
  options.common_group("Output");
  options
      .value("-o,--output", typed.output, "FILE",
             choice.result + "; it appears under this name when it is complete; - is standard output")
      .otherwise(choice.no_output)
      .as_essential()
      .as_output()
      .hidden_if(choice.output != OutputUse::one);
  options.flag("-f,--force", typed.force, "replace outputs that exist already").as_essential();
  Option& format =
      options.value("--output-format", typed.output_format, "FORMAT",
                    "format of -o, without -o of all outputs (of node results npy, tsv, csv or bin)");
  for (const graph::format::Format& row : graph::format::formats()) {
    if (row.create != nullptr) format.words.push_back(row.name);
  }
  format.words.insert(format.words.end(), {"tsv", "csv", "bin"});
  format.otherwise("by the extension").hidden_if(choice.output == OutputUse::none);
  options
      .flag("--output-header", typed.output_header,
            "outputs that are text begin with a line that names their columns")
      .hidden_if(choice.output == OutputUse::none);
}

void declare_resources(OptionSet& options, TypedOptions& typed, const OptionChoice& choice) {
  options.common_group("Memory, disks and threads");
  options
      .value("-M,--memory", typed.memory, "SIZE",
             "limit for all data in memory, such as 512M, 4G or 50% (of what is available)")
      .otherwise(choice.memory)
      .as_essential();
  options
      .word("--huge-pages", typed.huge_pages, "WHEN",
            "whether large arrays have pages of 2 MiB: auto asks the kernel for transparent ones; on takes "
            "them "
            "from the kernel's pool (hugetlb, vm.nr_hugepages), and asks as auto does where the pool is too "
            "small",
            words_of(core::all_huge_page_choices))
      .otherwise(name(typed.huge_pages))
      .hidden_if(!choice.arrays);
  typed.spills = choice.spills;
  options
      .list("-T,--temp-dir", typed.temp_dirs, "DIR",
            "directory for temporary data; repeat it for several disks, over which blocks are spread")
      .otherwise("$EMGRAPH_DISKS, ~/.config/emgraph/disks, /etc/emgraph/disks, $TMPDIR or /tmp")
      .as_essential()
      .hidden_if(!choice.spills);
  options
      .list("--disk", typed.disks, "SPEC",
            "a disk in full: PATH,key=value,... with the keys size=SIZE, grow=SIZE, io=uring|pread|memory, "
            "direct=auto|on|off, raw=yes|force and limit=SIZE (bytes per second); repeatable")
      .hidden_if(!choice.spills);
  options.value("--config", typed.config, "FILE", "file that names disks, a line as for --disk each")
      .hidden_if(!choice.spills);
  options
      .word("--disk-strategy", typed.disk_strategy, "STRATEGY", "how blocks are spread over several disks",
            words_of(core::all_strategies))
      .otherwise(name(typed.disk_strategy))
      .hidden_if(!choice.spills);
  options
      .word("--spill-codec", typed.spill_codec, "CODEC",
            "whether blocks of keys are coded on their way to the disks", words_of(core::all_spill_codecs))
      .otherwise("auto: by the speed of the disks")
      .hidden_if(!choice.spills || !choice.sorts);
  options
      .value("-j,--threads", typed.threads, "N",
             "number of compute threads; beyond 16 at most one for each 4 MiB of -M")
      .otherwise("all cores")
      .as_essential();
  options.value("--seed", typed.seed, "N", "seed of all random choices").otherwise("1");
}

void declare_input_options(OptionSet& options, TypedOptions& typed, const OptionChoice& choice) {
  options.common_group("Input");
  Option& format = options.value("--input-format", typed.input_format, "FORMAT", "format of the input");
  for (const graph::format::Format& row : graph::format::formats()) {
    if (row.open != nullptr) format.words.push_back(row.name);
  }
  format.otherwise("by the content, then by the extension").hidden_if(!choice.input);
  if (choice.input) {
    options.value("--skip", typed.skip, "BYTES", "size of a foreign header before raw edges").otherwise("0");
  }
  if (choice.nodes) {
    options.value("--nodes", typed.nodes, "N", "number of nodes; all ids must be below it")
        .otherwise("what the file declares, else the largest id + 1");
  }
  if (choice.input) {
    options.flag(
        "--bipartite", typed.bipartite,
        "of mtx: rows and columns are the two sides of a graph, the columns numbered after the rows; "
        "a matrix that is not square needs it");
  }
  if (choice.input) declare_text_options(options, typed.text);
  if (choice.input && choice.filter) declare_filter_options(options, typed.filter);
  if (!choice.relabel) return;
  options.common_group("Node ids and labels");
  options.flag("--relabel", typed.relabel,
               "map ids of any size, with any gaps, to 0, 1, 2, ... in ascending order");
  options.flag("--labels", typed.labels,
               "read the columns of text as labels (names, addresses, ...) and number them 0, 1, 2, ... in "
               "the order of their first appearance");
  options
      .value("--map", typed.map, "FILE",
             "output that maps nodes back: with --relabel the original id of each node (.npy, .tsv or "
             ".bin), with --labels the label of each node (text, a line each)")
      .as_output();
  options
      .word("--ids", typed.ids, "WHICH",
            "with --relabel or --labels, what stands for nodes in text results (.tsv, .csv, .txt) and in the "
            "summary: original ids and labels, or numbers; other results always have numbers",
            {{"original", ShownIds::original}, {"numbers", ShownIds::numbers}})
      .otherwise("original");
}

void declare_checkpoint(OptionSet& options, TypedOptions& typed, const OptionChoice& choice) {
  options.common_group("Checkpoint");
  typed.resumable = choice.checkpoint;
  options
      .value("--checkpoint", typed.checkpoint, "DIR",
             "directory that keeps finished work, so that a run that was killed can go on; it holds the "
             "temporary data in place of -T, and is removed after success")
      .otherwise("none")
      .hidden_if(!choice.checkpoint);
  options
      .flag("--resume", typed.resume,
            "go on from the checkpoint; -M, -j and how the run reports may differ from the first time")
      .hidden_if(!choice.checkpoint);
  options
      .value("--checkpoint-period", typed.checkpoint_period, "SECONDS",
             "time between two states that are kept, which is the work that a kill can lose")
      .otherwise("60")
      .hidden_if(!choice.checkpoint);
  if (choice.checkpoint) options.note_given(typed.given);
}

void declare_report(OptionSet& options, TypedOptions& typed) {
  options.common_group("Report");
  options.flag("--json", typed.json, "print the summary as one JSON object").as_essential();
  options
      .word("--progress", typed.progress, "WHEN",
            "when to show progress on standard error, and how: json is a line of JSON per tick and at the "
            "end of each "
            "phase, for other programs",
            {{"auto", ProgressWhen::automatic},
             {"always", ProgressWhen::always},
             {"never", ProgressWhen::never},
             {"json", ProgressWhen::json}})
      .otherwise("auto: on a terminal");
  options.flag("-q,--quiet", typed.quiet, "print no summary table and no warnings");
  options.counter("-v,--verbose", typed.verbose, "print more on standard error");
  options
      .value(trace_option, typed.trace, "FILE",
             "output for a timeline of phases, threads and disks, which ui.perfetto.dev shows")
      .as_output();
}

}  // namespace

void declare_common_options(OptionSet& options, TypedOptions& typed, const OptionChoice& choice) {
  if (choice.solver) {
    options.group("Solver");
    constexpr graph::MemoryModel models[] = {graph::MemoryModel::automatic, graph::MemoryModel::internal,
                                             graph::MemoryModel::semi_external, graph::MemoryModel::external};
    options.word("--model", typed.model, "MODEL", "what of the graph is held in memory", words_of(models))
        .otherwise("auto: by the size of the graph and -M");
  }
  declare_output(options, typed, choice);
  declare_resources(options, typed, choice);
  declare_input_options(options, typed, choice);
  declare_checkpoint(options, typed, choice);
  declare_report(options, typed);
  options.note_foresight(typed.foresight);
  options.note_read_files(typed.read_files);
}

namespace {

double period_option(const std::string& text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error == std::errc() && end == text.data() + text.size() && seconds >= 0 && seconds <= 1e9) {
    return seconds;
  }
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
        "--checkpoint: this command cannot be resumed; gen, sort, dedup, convert, mis, cc, "
        "triangles, bfs, sssp, mst and pagerank can");
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
    for (core::DiskSpec& spec : read_disk_specs(typed.config)) options.disks.push_back(std::move(spec));
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

}  // namespace

CommonOptions validate(const TypedOptions& typed) {
  CommonOptions options;
  options.output = typed.output == "/dev/stdout" ? "-" : typed.output;
  options.output_format = typed.output_format;
  options.output_header = typed.output_header;
  options.map = typed.map == "/dev/stdout" ? "-" : typed.map;
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
