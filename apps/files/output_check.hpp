// SPDX-License-Identifier: MIT
// Checks of the names of outputs, made before any work.
#pragma once

#include <string>
#include <vector>

#include "apps/command_line/options.hpp"
#include "core/io/output_file.hpp"
#include "core/io/output_place.hpp"

namespace emgraph::apps {

/// An output, and the option that names it; empty: not given.
struct NamedOutput {
  std::string option;
  std::string path;
};

/// Throws UsageError if two of them name the same file, even if the names differ.
void check_outputs_differ(const std::vector<NamedOutput>& outputs);

/// Throws UsageError when `output` is one of the inputs or of options.other_inputs (even with -f), --map or
/// --trace, exists without -f, is a directory, or would send binary data to a terminal; EnvironmentError when
/// its directory cannot be written. The input "-" is the file to which standard input is connected; "gen:…"
/// is no file.
void check_output(const std::string& output, const std::vector<std::string>& inputs,
                  const CommonOptions& options, bool binary);

/// The same for --trace, before the command knows its options: `others` are all files that the command line
/// names. Throws UsageError also for standard output.
void check_trace_output(const std::string& trace, const std::vector<std::string>& others, bool force);

/// The same checks for --map, except the comparison with --map itself.
void check_map_output(const std::vector<std::string>& inputs, const CommonOptions& options);

/// The options of a check, which has no output and reads `results` and `lists` of nodes beside its graph.
/// Throws UsageError for a result that has names in place of numbers: nothing translates them.
CommonOptions check_options(const TypedOptions& typed, const Inputs& graph,
                            std::vector<std::string> results = {},
                            const std::vector<std::string>& lists = {});

/// How core::OutputFile treats an existing output.
inline core::Overwrite overwrite(const CommonOptions& options) {
  if (options.rehearse) return core::Overwrite::rehearse;
  return options.force ? core::Overwrite::force : core::Overwrite::refuse;
}

/// True for standard output and for an existing file that is not regular (a FIFO, a device): written bytes
/// cannot be removed from it.
bool written_in_place(const std::string& output);

/// True for all names of standard output.
inline bool is_standard_output(const std::string& output) {
  return output == "-" || core::names_standard_output(output);
}
/// True if a person reads the output as it is written.
bool is_terminal(const std::string& output);

}  // namespace emgraph::apps
