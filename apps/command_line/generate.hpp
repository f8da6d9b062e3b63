// SPDX-License-Identifier: MIT
// The output of `emgraph --generate KIND`: the manual, completions for shells and a description for programs,
// made from the description of the options.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/command_line/command.hpp"
#include "apps/command_line/option_set.hpp"

namespace emgraph::apps {

/// A row of the table of commands with its options.
struct DescribedCommand {
  const CommandEntry* entry;
  std::unique_ptr<Command> command;  ///< owns the targets of the options
  OptionSet options;
};
using DescribedCommands = std::vector<DescribedCommand>;

/// The first words of command names with two words: "check", "bench".
struct CommandFamily {
  std::string first;
  std::vector<const CommandEntry*> commands;
};
std::vector<CommandFamily> command_families();

/// A help sentence up to its first colon, semicolon, bracket or full stop.
std::string brief(const std::string& sentence);

/// The man page of the program, with all commands.
std::string manual_page(const DescribedCommands& commands);
/// The name of a command's own man page: "emgraph-check-cc".
std::string page_name(const CommandEntry& entry);
/// The man page of one command.
std::string command_page(const DescribedCommand& command);
std::string markdown_page(const DescribedCommands& commands);
std::string bash_completion(const DescribedCommands& commands);
std::string zsh_completion(const DescribedCommands& commands);
std::string fish_completion(const DescribedCommands& commands);
/// For programs: every command with its sentence, example and options, hidden ones left out.
std::string json_description(const DescribedCommands& commands);

/// The words that --generate takes.
std::vector<std::string_view> generated_kinds();
/// Throws UsageError for another word.
std::string generated(const std::string& kind);

/// The word after --generate that writes files: a man page for each command into a directory.
inline constexpr std::string_view man_pages_kind = "man-pages";
/// Writes emgraph.1 and a page for each command into `directory`, which is created. Throws EnvironmentError.
void write_man_pages(const std::string& directory);

}  // namespace emgraph::apps
