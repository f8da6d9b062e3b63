// SPDX-License-Identifier: MIT
// Completions for fish.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/command_line/completion.hpp"
#include "apps/run/words.hpp"

namespace emgraph::apps {

namespace {

/// In single quotes.
std::string quoted(const std::string& text) {
  return "'" + replaced(text, "'", "\\'") + "'";
}

std::string fish_option(const Option& option) {
  std::string text;
  if (!option.letter.empty()) text += " -s " + option.letter.substr(1);
  text += " -l " + option.name.substr(2);
  switch (value_kind(option)) {
    case ValueKind::none:
      break;
    case ValueKind::words:
      text += fmt::format(" -x -a '{}'", joined(option.words, " "));
      break;
    case ValueKind::files:
      text += " -r -F";
      break;
    case ValueKind::directories:
      text += " -x -a '(__fish_complete_directories)'";
      break;
    case ValueKind::disk:
      text += " -x -a '(__emgraph_disk)'";
      break;
    case ValueKind::unknown:
      text += " -x";
      break;
  }
  return text + " -d " + quoted(brief(option.help));
}

}  // namespace

std::string fish_completion(const DescribedCommands& commands) {
  std::string text = R"(# fish completion for emgraph, made by: emgraph --generate complete-fish
# The words before the cursor, from the command on that plan foresees if it is among them
function __emgraph_line
    set -l words (commandline -opc)
    if test "$words[2]" = plan
        set -l at 3
        while string match -q -- '-*' "$words[$at]"
            contains -- "$words[$at]" $__emgraph_plan_options; and set at (math $at + 1)
            set at (math $at + 1)
        end
        set -q words[$at]; and set words emgraph $words[$at..-1]
    end
    printf '%s\n' $words
end
function __emgraph_in
    set -l words (__emgraph_line)
    contains -- "$words[2]" $argv; or contains -- "$words[2] $words[3]" $argv
end
function __emgraph_words
    test (count (commandline -opc)) -eq $argv[1]
end
function __emgraph_after
    set -l words (__emgraph_line)
    test "$words[-1]" = "$argv[1]"; and test (count $words) -le 3
end
function __emgraph_plans
    set -l words (__emgraph_line)
    test "$words[2]" = plan; and not contains -- "$words[-1]" $__emgraph_plan_options
end
function __emgraph_disk
    set -l word (commandline -ct)
    if string match -q -- '*,*' $word
        printf '%s\n' (string replace -r '[^,]*$' '' -- $word)(string split ' ' -- $__emgraph_disk_keys)
    else
        __fish_complete_directories
    end
end
complete -c emgraph -f
complete -c emgraph -n '__emgraph_words 1' -l help -d 'explains the program'
complete -c emgraph -n '__emgraph_words 1' -l version -d 'prints the version'
)";
  text += fmt::format("set -g __emgraph_disk_keys '{}'\n", disk_keys);
  text += fmt::format("set -g __emgraph_plan_options {}\n", joined(plan_options_with_value(commands), " "));
  text += fmt::format(
      "complete -c emgraph -n '__emgraph_words 1; or __emgraph_after --generate' -l generate -x -a '{}' -d "
      "'prints the manual or "
      "completions'\n",
      list_of(generated_kinds(), std::identity()));
  for (const auto& [word, summary] : first_words()) {
    const char* const when =
        word == "help" ? "__emgraph_words 1" : "__emgraph_words 1; or __emgraph_after help";
    text += fmt::format("complete -c emgraph -n '{}' -a {} -d {}\n", when, word, quoted(summary));
  }
  for (const auto& [word, summary] : planned_words()) {
    text += fmt::format("complete -c emgraph -n __emgraph_plans -a {} -d {}\n", word, quoted(summary));
  }
  for (const CommandFamily& family : command_families()) {
    for (const CommandEntry* entry : family.commands) {
      text += fmt::format("complete -c emgraph -n '__emgraph_after {}' -a {} -d {}\n", family.first,
                          second_word(*entry), quoted(std::string(entry->summary)));
    }
  }
  // An option that is equal in several commands is written once.
  std::vector<std::pair<std::string, std::string>> options;  // and the commands
  const auto add = [&](const std::string& option, std::string_view command) {
    auto found = std::ranges::find(options, option, [](const auto& item) { return item.first; });
    if (found == options.end()) found = options.insert(options.end(), {option, ""});
    found->second += fmt::format(" \"{}\"", command);
  };
  for (const DescribedCommand& command : commands) {
    for (const Option* option : visible_options(command)) add(fish_option(*option), command.entry->name);
    if (command.entry->name == "plan") continue;  // its argument is a command
    if (std::ranges::any_of(command.options.all(), &Option::positional)) add(" -F", command.entry->name);
  }
  for (const auto& [option, names] : options) {
    text += fmt::format("complete -c emgraph -n '__emgraph_in{}'{}\n", names, option);
  }
  return text;
}

}  // namespace emgraph::apps
