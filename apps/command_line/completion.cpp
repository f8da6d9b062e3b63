// SPDX-License-Identifier: MIT
// Goes over the table of commands and their options.
#include "apps/command_line/completion.hpp"

#include <set>
#include <stdexcept>
#include <string>

#include "apps/run/plan.hpp"

namespace emgraph::apps {

ValueKind value_kind(const Option& option) {
  if (option.is_flag()) return ValueKind::none;
  if (!option.words.empty()) return ValueKind::words;
  return option.names_file()       ? ValueKind::files
         : option.type == "DIR"    ? ValueKind::directories
         : option.name == "--disk" ? ValueKind::disk
                                   : ValueKind::unknown;
}

std::vector<const Option*> visible_options(const DescribedCommand& command) {
  std::vector<const Option*> visible;
  for (const Option& option : command.options.all()) {
    if (!option.hidden && !option.positional) visible.push_back(&option);
  }
  return visible;
}

/// Of commands of two words.
std::string_view summary_of_family(std::string_view first) {
  if (first == "check") return "checks a result against its graph";
  if (first == "bench") return "measures what this machine can do";
  throw std::logic_error("a family of commands without a summary: " + std::string(first));
}

ExplainedWords first_words() {
  ExplainedWords words;
  std::set<std::string_view> families;
  for (const CommandEntry& entry : all_commands()) {
    const std::size_t space = entry.name.find(' ');
    const std::string_view first = entry.name.substr(0, space);
    if (space == std::string_view::npos) {
      words.emplace_back(first, entry.summary);
    } else if (families.insert(first).second) {
      words.emplace_back(first, summary_of_family(first));
    }
  }
  words.emplace_back("help", "explains a command");
  return words;
}

ExplainedWords planned_words() {
  std::set<std::string> planned;
  for (const std::string& name : planned_commands()) planned.insert(name.substr(0, name.find(' ')));
  ExplainedWords words = first_words();
  std::erase_if(words, [&](const auto& word) { return !planned.contains(std::string(word.first)); });
  return words;
}

std::vector<std::string> plan_options_with_value(const DescribedCommands& commands) {
  std::vector<std::string> names;
  for (const DescribedCommand& command : commands) {
    if (command.entry->name != "plan") continue;
    for (const Option* option : visible_options(command)) {
      if (option->is_flag()) continue;
      if (!option->letter.empty()) names.push_back(option->letter);
      names.push_back(option->name);
    }
  }
  return names;
}

std::string second_word(const CommandEntry& entry) {
  return std::string(entry.name.substr(entry.name.find(' ') + 1));
}

}  // namespace emgraph::apps
