// SPDX-License-Identifier: MIT
// The options every command knows: as typed, and as validated values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/command_line/option_set.hpp"
#include "apps/command_line/text_options.hpp"
#include "core/block/manager.hpp"
#include "core/block/spill_coding.hpp"
#include "graph/format/text/text_options.hpp"
#include "graph/memory_model.hpp"

namespace emgraph::apps {

enum class ProgressWhen { automatic, always, never };

/// As parsed: words are values already, other text is not checked yet.
struct TypedOptions {
  std::string output;
  bool force = false;
  std::string memory;
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
  std::string nodes;
  graph::MemoryModel model = graph::MemoryModel::automatic;
  TypedTextOptions text;
  bool relabel = false;
  bool labels = false;
  std::string map;
  std::string trace;
};

/// Checked values; what stays empty is decided by the Session from the machine.
struct CommonOptions {
  std::string output;  ///< empty: not given
  bool force = false;
  std::optional<std::uint64_t> memory_bytes;
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
  std::string output_format;  ///< empty: by extension
  std::optional<std::uint64_t> nodes;
  std::optional<std::uint64_t> id_base;
  graph::format::TextOptions text;
  graph::MemoryModel model = graph::MemoryModel::automatic;
  bool relabel = false;  ///< ids of any size; not with labels
  bool labels = false;   ///< the columns of text hold labels
  std::string map;       ///< where --relabel writes the original ids, --labels the labels; empty: nowhere
  std::vector<std::uint64_t> asked_ids;   ///< that the user named (--root): original ones with --relabel
  std::vector<std::string> asked_labels;  ///< the same with labels
  std::string original_ids;               ///< such a map, whose ids are to be given back; empty: none
  std::string label_map;                  ///< the same with labels
  std::string trace;                      ///< where the timeline of the run goes; empty: nowhere
  /// What the command reads beside its input, by names that may be empty: no output may replace it.
  std::vector<std::string> other_inputs;
};

/// Least -M, bytes.
inline constexpr std::uint64_t least_memory_bytes = std::uint64_t{16} << 20;
/// Most compute threads, so that a slip of the finger does not ask for a million.
inline constexpr std::uint64_t most_threads = 1024;

inline constexpr const char* trace_option = "--trace";

/// What --output-format says of the output that an option calls `name`: it is for -o alone; where there is no
/// -o, for all outputs. Empty: nothing, the extension counts.
std::string told_format(const CommonOptions& options, const std::string& name);

/// Where a command's results go.
enum class OutputUse {
  one,    ///< to -o
  named,  ///< to options of their own; -o is refused with their names
  none,   ///< it has none but its summary
};

/// Which of the options that not every command has a use for.
struct OptionChoice {
  bool input = true;  ///< what helps to read text edge lists
  bool nodes = true;
  bool solver = false;  ///< --model
  bool relabel = true;  ///< --relabel, --labels, --map
  OutputUse output = OutputUse::one;
  std::string result = "the result";                 ///< what -o writes, for the help
  std::string no_output = "none";                    ///< what happens without -o
  std::string memory = "half of what is available";  ///< what happens without -M
};

/// An edge input, required.
void declare_input(OptionSet& options, std::string& target, const char* name = "INPUT");

/// --codec, for edge outputs.
void declare_codec(OptionSet& options, std::string& target);

/// `options` keeps pointers into `typed`. What the command has no use for is left out of its help, but taken,
/// so that the command can say why it refuses it.
void declare_common_options(OptionSet& options, TypedOptions& typed, const OptionChoice& choice);

/// Throws UsageError with the name of the option. Reads the --config file (EnvironmentError), nothing else.
CommonOptions validate(const TypedOptions& typed);

/// `text` as a count or size for option `name`; UsageError names the option.
std::uint64_t count_option(const std::string& name, const std::string& text);
std::uint64_t size_option(const std::string& name, const std::string& text);

}  // namespace emgraph::apps
