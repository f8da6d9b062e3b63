// SPDX-License-Identifier: MIT
// Checks of the names of outputs, made before any work.
#pragma once

#include <string>
#include <vector>

#include "apps/command_line/options.hpp"
#include "core/io/output_file.hpp"

namespace emgraph::apps {

/// An output, and the option that names it; empty: not given.
struct NamedOutput {
  std::string option;
  std::string path;
};

/// Throws UsageError when two of them lead to the same place, by whatever names.
void check_outputs_differ(const std::vector<NamedOutput>& outputs);

/// Throws UsageError when `output` is one of the inputs or of options.other_inputs (even with -f), --map or
/// --trace, exists without -f, is a directory, or would send binary data to a terminal; EnvironmentError when
/// its directory cannot be written. Inputs that are "-" stand for what standard input is connected to;
/// "gen:…" for nothing.
void check_output(const std::string& output, const std::vector<std::string>& inputs,
                  const CommonOptions& options, bool binary);

/// The same for --trace, before the command knows its options: `others` are all files that the command line
/// names. Throws UsageError also for standard output.
void check_trace_output(const std::string& trace, const std::vector<std::string>& others, bool force);

/// The same for --map, without the comparison with --map.
void check_map_output(const std::vector<std::string>& inputs, const CommonOptions& options, bool binary);

/// For a command without a result to write: throws UsageError when -o is given. `instead` says where its
/// answer goes.
void refuse_output(const CommonOptions& options,
                   const std::string& instead = "the verdict goes to standard output");

/// The options of a check, which has no output and reads `files` beside its input.
CommonOptions check_options(const TypedOptions& typed, std::vector<std::string> files = {});

/// What core::OutputFile is to do with an existing output.
inline core::Overwrite overwrite(const CommonOptions& options) {
  return options.force ? core::Overwrite::force : core::Overwrite::refuse;
}

/// True of standard output and of a file that exists and is not regular (a FIFO, a device): bytes that were
/// written to it cannot be taken back.
bool written_in_place(const std::string& output);

/// core::OutputFile knows it by two names.
inline bool is_standard_output(const std::string& output) {
  return output == "-" || output == "/dev/stdout";
}

}  // namespace emgraph::apps
