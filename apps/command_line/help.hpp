// SPDX-License-Identifier: MIT
// The text of --help and --help-all, and its parts, of which the manual is made as well.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/command_line/command.hpp"
#include "apps/command_line/option_set.hpp"

namespace emgraph::apps {

/// All options of a command, with those for help.
OptionSet declared_options(Command& command);

/// `text`, broken between words; lines after the first begin with `indent` blanks. `column` is where it
/// starts.
std::string wrapped(std::string_view text, std::size_t column, std::size_t indent,
                    std::size_t line_columns = 100);

/// "emgraph mis [options] INPUT".
std::string usage(const CommandEntry& entry, const OptionSet& options);
/// The summary as a sentence.
std::string sentence(const CommandEntry& entry);
/// "-o, --output FILE", "--json", "INPUT".
std::string signature(const Option& option);
/// The help of an option: its sentence, the words it takes unless the sentence names them, the default in
/// brackets.
std::string explanation(const Option& option);

/// The options that are not hidden, by group, in the order of their first option.
struct OptionGroup {
  std::string title;  ///< empty: positionals
  bool common = false;
  std::vector<const Option*> options;
};
std::vector<OptionGroup> option_groups(const OptionSet& options);

/// The text of `emgraph --help`: the commands.
std::string overview();
/// Positionals, the command's own options, the essential common options, the names of the other ones.
std::string short_help(const CommandEntry& entry, const OptionSet& options);
/// All options.
std::string full_help(const CommandEntry& entry, const OptionSet& options);

}  // namespace emgraph::apps
