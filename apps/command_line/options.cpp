// SPDX-License-Identifier: MIT
// Declares the common options.
#include "apps/command_line/options.hpp"

#include "graph/format/table/format.hpp"

namespace emgraph::apps {

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
  typed.output_use = choice.output;
  typed.instead = choice.instead;
  options.common_group("Output");
  options
      .value("-o,--output", typed.output, "FILE",
             choice.result + "; it appears under this name when it is complete; - is standard output")
      .otherwise(choice.output == OutputUse::required ? "required" : choice.no_output)
      .as_essential()
      .as_output()
      .hidden_if(choice.output == OutputUse::named || choice.output == OutputUse::none);
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
  options.value("--config", typed.config, "FILE", "file with one SPEC per line, as --disk takes it")
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

}  // namespace emgraph::apps
