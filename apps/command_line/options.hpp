// SPDX-License-Identifier: MIT
// The options common to all commands: as typed, and as validated values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/command_line/filter_options.hpp"
#include "apps/command_line/foresight.hpp"
#include "apps/command_line/inputs.hpp"
#include "apps/command_line/option_set.hpp"
#include "apps/command_line/text_options.hpp"
#include "core/block/manager.hpp"
#include "core/block/spill_coding.hpp"
#include "core/memory/huge_pages.hpp"
#include "graph/format/text/text_options.hpp"
#include "graph/memory_model.hpp"

namespace emgraph::apps {

/// What stands for nodes in text results after --relabel or --labels.
enum class ShownIds { original, numbers };

enum class ProgressWhen { automatic, always, never, json };

/// The outputs of a command.
enum class OutputUse {
  optional,  ///< to -o
  required,  ///< to -o, which must be given
  named,     ///< to the files of other options
  none,      ///< there is only the summary
};

/// As parsed: words are converted to values, other text is not checked yet.
struct TypedOptions {
  OutputUse output_use = OutputUse::optional;
  std::string instead;  ///< where the results go instead of -o, for its error
  std::string output;
  bool force = false;
  std::string memory;
  core::HugePages huge_pages = core::HugePages::automatic;
  bool spills = true;  ///< the command uses temporary disks
  std::vector<std::string> temp_dirs;
  std::vector<std::string> disks;
  core::AllocationStrategy disk_strategy = core::AllocationStrategy::randomized_cycling;
  core::SpillCodec spill_codec = core::SpillCodec::automatic;
  std::string config;
  std::string threads;
  std::string seed;
  bool json = false;
  ProgressWhen progress = ProgressWhen::automatic;
  bool quiet = false;
  int verbose = 0;
  std::string input_format;
  std::string skip;
  std::string output_format;
  bool output_header = false;
  std::string nodes;
  bool bipartite = false;
  graph::MemoryModel model = graph::MemoryModel::automatic;
  TypedTextOptions text;
  TypedFilterOptions filter;
  bool relabel = false;
  bool labels = false;
  std::string map;
  ShownIds ids = ShownIds::original;
  std::string trace;
  bool resumable = false;  ///< the command has checkpoints
  std::string checkpoint;
  bool resume = false;
  std::string checkpoint_period;
  GivenOptions given;
  std::vector<std::string> read_files;  ///< as CommonOptions
  Foresight foresight;                  ///< set by the command line (foreseen_phases of run/plan.hpp)
};

/// Checked values. The Session chooses missing ones for the machine.
struct CommonOptions {
  std::string output;  ///< empty: not given
  bool force = false;
  std::optional<std::uint64_t> memory_bytes;
  std::optional<unsigned> memory_percent;  ///< of what is available; in place of memory_bytes
  core::HugePages huge_pages = core::HugePages::automatic;
  std::vector<core::DiskSpec> disks;  ///< empty: see disk_config.hpp
  core::AllocationStrategy disk_strategy = core::AllocationStrategy::randomized_cycling;
  core::SpillCodec spill_codec = core::SpillCodec::automatic;
  std::optional<unsigned> threads;
  std::uint64_t seed = 1;
  bool seed_given = false;
  bool json = false;
  ProgressWhen progress = ProgressWhen::automatic;
  bool quiet = false;
  int verbose = 0;
  std::string input_format;  ///< empty: by content, then extension
  std::uint64_t skip_bytes = 0;
  std::string output_format;   ///< empty: by extension
  bool output_header = false;  ///< text outputs begin with the names of their columns
  std::optional<std::uint64_t> nodes;
  std::optional<std::uint64_t> id_base;
  bool bipartite = false;
  graph::format::TextOptions text;
  FilterOptions filter;
  graph::MemoryModel model = graph::MemoryModel::automatic;
  bool relabel = false;  ///< ids of any size; not with labels
  bool labels = false;   ///< the columns of text hold labels
  std::string map;       ///< file for the original ids of --relabel or the labels of --labels; empty: none
  ShownIds ids = ShownIds::original;
  bool keep_names = false;                ///< names of nodes are needed (files/node_names.hpp)
  std::vector<std::uint64_t> asked_ids;   ///< ids that the user named (--root); with --relabel original ids
  std::vector<std::string> asked_labels;  ///< labels that the user named
  std::string original_ids;               ///< a map of --relabel, to print original ids; empty: none
  std::string label_map;                  ///< a map of --labels, to print labels; empty: none
  std::string trace;                      ///< file for the timeline of the run; empty: none
  bool rehearse = false;             ///< for a forecast: outputs take their memory, but nothing is written
  bool rehearse_most_nodes = false;  ///< with as many nodes as there can be, if their number is estimated
  std::optional<StandIn> stand_in;   ///< of a forecast during a run
  std::string checkpoint;            ///< directory; empty: none
  bool resume = false;
  double checkpoint_period_seconds = 60;
  GivenOptions given;         ///< with a checkpoint
  bool one_of_ranks = false;  ///< the inputs are a part of those that the command line names
  std::string kept_output;    ///< of several named outputs the one that gets its name last; empty: -o
  Foresight foresight;
  /// Names, possibly empty, of further files that the command reads. No output may replace them.
  std::vector<std::string> other_inputs;
  /// Files that options and @FILE name. No output may replace them.
  std::vector<std::string> read_files;

  bool memory_given() const { return memory_bytes || memory_percent; }
};

/// The least value of -M, bytes.
inline constexpr std::uint64_t least_memory_bytes = std::uint64_t{16} << 20;
/// Upper bound of compute threads, to refuse mistyped numbers.
inline constexpr std::uint64_t most_threads = 1024;

inline constexpr const char* trace_option = "--trace";

/// The value of --output-format for the output `name`: it applies to -o, or to all outputs of a command
/// without -o. Empty: the format follows from the extension.
std::string told_format(const CommonOptions& options, const std::string& name);

/// The common options that a command uses.
struct OptionChoice {
  bool input = true;  ///< the options for text edge lists
  bool nodes = true;
  bool filter = true;       ///< --min-weight, --max-weight, --nodes-in, where there is an input
  bool solver = false;      ///< --model
  bool relabel = true;      ///< --relabel, --labels, --map
  bool checkpoint = false;  ///< --checkpoint, --resume
  bool spills = true;       ///< --temp-dir, --disk, --config, --disk-strategy, --spill-codec
  bool sorts = true;        ///< --spill-codec, where there are disks
  bool arrays = true;       ///< --huge-pages
  OutputUse output = OutputUse::optional;
  std::string instead =
      "the verdict goes to standard output";         ///< where results go without -o, for its error
  std::string result = "the result";                 ///< the result that -o writes, for the help
  std::string no_output = "none";                    ///< the default of -o, for the help
  std::string memory = "half of what is available";  ///< the default of -M, for the help
};

/// The help for edge inputs. `how`: how an input that is one file may be used; empty: nothing to say.
std::string input_help(const std::string& how = "");
/// Edge inputs, at least one.
void declare_input(OptionSet& options, Inputs& target, const char* name = "INPUT",
                   const std::string& help = input_help());

/// --codec, for edge outputs.
void declare_codec(OptionSet& options, std::string& target);

/// `options` keeps pointers into `typed`. Options that the command does not use are parsed but not in its
/// help. validate() refuses -o with a reason; the others have no effect.
void declare_common_options(OptionSet& options, TypedOptions& typed, const OptionChoice& choice);

/// Throws UsageError with the name of the option. Reads the --config file (EnvironmentError), nothing else.
CommonOptions validate(const TypedOptions& typed);

/// `text` as a count, size or id of a node for option `name`; UsageError names the option.
std::uint64_t count_option(const std::string& name, const std::string& text);
std::uint64_t id_option(const std::string& name, const std::string& text);
std::uint64_t size_option(const std::string& name, const std::string& text);
/// The number that the whole text is, such as 0.85 or 1e-6; nullopt: none, or NaN.
std::optional<double> real_number(std::string_view text);

}  // namespace emgraph::apps
