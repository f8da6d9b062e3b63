// SPDX-License-Identifier: MIT
// Completions for bash, zsh and fish: commands, their options, the words and files that options take.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "apps/command_line/generate.hpp"
#include "apps/command_line/help.hpp"
#include "apps/run/plan.hpp"

namespace emgraph::apps {

namespace {

/// The completions of an option's value.
enum class ValueKind { none, words, files, directories, unknown };

ValueKind value_kind(const Option& option) {
  if (option.is_flag()) return ValueKind::none;
  if (!option.words.empty()) return ValueKind::words;
  return option.names_file()    ? ValueKind::files
         : option.type == "DIR" ? ValueKind::directories
                                : ValueKind::unknown;
}

std::vector<const Option*> visible_options(const DescribedCommand& command) {
  std::vector<const Option*> visible;
  for (const Option& option : command.options.all()) {
    if (!option.hidden && !option.positional) visible.push_back(&option);
  }
  return visible;
}

/// The first words of commands, each once, with their explanations.
std::vector<std::pair<std::string, std::string>> first_words() {
  std::vector<std::pair<std::string, std::string>> words;
  std::set<std::string_view> families;
  for (const CommandEntry& entry : all_commands()) {
    const std::size_t space = entry.name.find(' ');
    const std::string_view first = entry.name.substr(0, space);
    if (space == std::string_view::npos) {
      words.emplace_back(first, entry.summary);
    } else if (families.insert(first).second) {
      words.emplace_back(first, first == "check" ? "checks a result against its graph"
                                                 : "measures what this machine can do");
    }
  }
  words.emplace_back("help", "explains a command");
  return words;
}

/// The commands that can follow `plan`, with their explanations.
std::vector<std::pair<std::string, std::string>> planned_words() {
  const std::vector<std::string> planned = planned_commands();
  std::vector<std::pair<std::string, std::string>> words = first_words();
  std::erase_if(words,
                [&](const auto& word) { return std::ranges::find(planned, word.first) == planned.end(); });
  return words;
}

std::string second_word(const CommandEntry& entry) {
  return std::string(entry.name.substr(entry.name.find(' ') + 1));
}

/// Words with blanks between them.
template <class Range, class Word>
std::string list_of(const Range& range, Word&& word) {
  std::string text;
  for (const auto& item : range) text += (text.empty() ? "" : " ") + std::string(std::invoke(word, item));
  return text;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// In single quotes, as the shells take it.
std::string quoted(const std::string& text, std::string_view quote) {
  return "'" + replace_all(text, "'", quote) + "'";
}

constexpr std::string_view bash_head =
    R"(# bash completion for emgraph, made by: emgraph --generate complete-bash
_emgraph() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
  local words= options= kind=files
  COMPREPLY=()
  # bash makes = a word of its own: --option = value
  if [[ $current == = ]]; then
    current=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $before == : ]]; then
    return
  fi
)";

constexpr std::string_view bash_tail = R"(  if [[ $kind == words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [[ $kind == unknown ]]; then
    return
  elif [[ $current == -* && -n $options ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    compopt -o filenames 2>/dev/null
    local IFS=$'\n'
    if [[ $kind == directories ]]; then
      COMPREPLY=($(compgen -d -- "$current"))
    else
      COMPREPLY=($(compgen -f -- "$current"))
    fi
  fi
}
complete -F _emgraph emgraph
)";

/// "      -o|--output|--map) kind=files ;;" for options of a kind other than words.
std::string bash_values(const std::vector<const Option*>& options, ValueKind kind, const char* action) {
  std::vector<std::string> names;
  for (const Option* option : options) {
    if (value_kind(*option) != kind) continue;
    if (!option->letter.empty()) names.push_back(option->letter);
    names.push_back(option->name);
  }
  if (names.empty()) return "";
  return fmt::format("        {}) {} ;;\n", fmt::join(names, "|"), action);
}

std::string bash_command(const DescribedCommand& command) {
  const std::vector<const Option*> options = visible_options(command);
  std::string text = fmt::format("    '{}')\n      case $before in\n", command.entry->name);
  for (const Option* option : options) {
    if (value_kind(*option) != ValueKind::words) continue;
    text +=
        fmt::format("        {}) kind=words words='{}' ;;\n", option->name, fmt::join(option->words, " "));
  }
  text += bash_values(options, ValueKind::files, "options=");
  text += bash_values(options, ValueKind::directories, "kind=directories");
  text += bash_values(options, ValueKind::unknown, "kind=unknown");
  const std::string names = list_of(options, [](const Option* option) {
    return option->letter.empty() ? option->name : option->letter + " " + option->name;
  });
  return text + fmt::format("        *) options='{}' ;;\n      esac\n      ;;\n", names);
}

// zsh

std::string zsh_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("\\[]:$`").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return replace_all(escaped, "'", "'\\''");
}

std::string zsh_option(const Option& option) {
  std::string action;
  switch (value_kind(option)) {
    case ValueKind::words:
      action = fmt::format("({})", fmt::join(option.words, " "));
      break;
    case ValueKind::files:
      action = "_files";
      break;
    case ValueKind::directories:
      action = "_files -/";
      break;
    default:
      break;
  }
  const bool flag = option.is_flag();
  const std::string rest = fmt::format("'[{}]{}'", zsh_text(brief(option.help)),
                                       flag ? "" : fmt::format(":{}:{}", zsh_text(option.type), action));
  const bool repeats = option.is_list() || std::holds_alternative<int*>(option.target);
  const std::string name = option.name + (flag ? "" : "=");
  if (option.letter.empty()) return fmt::format("{}{}{}", repeats ? "'*'" : "", name, rest);
  const std::string before = repeats ? "'*'" : fmt::format("'({} {})'", option.letter, option.name);
  return fmt::format("{}{{{}{},{}}}{}", before, option.letter, flag ? "" : "+", name, rest);
}

std::string zsh_words(const std::vector<std::pair<std::string, std::string>>& words) {
  std::string text;
  for (const auto& [word, summary] : words) {
    text += fmt::format("    '{}:{}'\n", word, replace_all(summary, "'", "'\\''"));
  }
  return text;
}

// fish

std::string fish_option(const Option& option) {
  std::string text;
  if (!option.letter.empty()) text += " -s " + option.letter.substr(1);
  text += " -l " + option.name.substr(2);
  switch (value_kind(option)) {
    case ValueKind::none:
      break;
    case ValueKind::words:
      text += fmt::format(" -x -a '{}'", fmt::join(option.words, " "));
      break;
    case ValueKind::files:
      text += " -r -F";
      break;
    case ValueKind::directories:
      text += " -x -a '(__fish_complete_directories)'";
      break;
    case ValueKind::unknown:
      text += " -x";
      break;
  }
  return text + " -d " + quoted(brief(option.help), "\\'");
}

}  // namespace

std::string bash_completion(const DescribedCommands& commands) {
  const std::vector<CommandFamily> families = command_families();
  const auto first = [](const auto& word) { return word.first; };
  std::string text(bash_head);
  text += "  if [[ $command == help ]]; then\n    options=--help\n    case $COMP_CWORD in\n";
  text += fmt::format("      2) kind=words words='{}' ;;\n", list_of(first_words(), first));
  text += "      3) command=${COMP_WORDS[2]} kind=unknown ;;\n      *) kind=unknown ;;\n    esac\n  fi\n";
  text += fmt::format(
      "  if [[ $command == plan && $COMP_CWORD == 2 && $current != -* ]]; then\n    kind=words words='{}'\n"
      "  elif [[ $command == plan && $COMP_CWORD -gt 2 ]]; then\n    command=${{COMP_WORDS[2]}}\n  fi\n",
      fmt::join(planned_commands(), " "));
  text += "  case $COMP_CWORD:$command in\n";
  text += fmt::format("    1:*) kind=words words='{} --help --version --generate' ;;\n",
                      list_of(first_words(), first));
  text += fmt::format("    2:--generate) kind=words words='{}' ;;\n",
                      list_of(generated_kinds(), std::identity()));
  std::string joined;
  for (const CommandFamily& family : families) {
    text += fmt::format(
        "    2:{0}|3:{0}) [[ $COMP_CWORD == 2 || ${{COMP_WORDS[1]}} == help ]] && kind=words "
        "words='{1}' ;;\n",
        family.first,
        list_of(family.commands, [](const CommandEntry* entry) { return second_word(*entry); }));
    joined += (joined.empty() ? "" : "|") + family.first;
  }
  text += "  esac\n";
  text += fmt::format(
      "  case $command in {}) ((COMP_CWORD > 2)) && command+=\" ${{COMP_WORDS[2]}}\" ;; esac\n", joined);
  text += "  [[ $kind == files ]] && case $command in\n";
  for (const DescribedCommand& command : commands) text += bash_command(command);
  return text + "  esac\n" + std::string(bash_tail);
}

std::string zsh_completion(const DescribedCommands& commands) {
  std::string text =
      "#compdef emgraph\n# zsh completion for emgraph, made by: emgraph --generate complete-zsh\n"
      "_emgraph() {\n  local -a commands\n  local command=$words[2]\n  commands=(\n" +
      zsh_words(first_words()) +
      "    '--help:explains the program'\n    '--version:prints the version'\n"
      "    '--generate:prints the manual or completions'\n  )\n"
      "  if (( CURRENT == 2 )); then\n    _describe -V 'command' commands\n    return\n  fi\n"
      "  if [[ $command == help ]]; then\n    shift words\n    (( CURRENT-- ))\n    command=$words[2]\n"
      "    if (( CURRENT == 2 )); then\n      _describe -V 'command' commands\n      return\n    fi\n  fi\n"
      "  if [[ $command == plan && $words[3] != -* ]]; then\n    if (( CURRENT == 3 )); then\n      "
      "commands=(\n" +
      zsh_words(planned_words()) +
      "      )\n      _describe -V 'command' commands\n      return\n    fi\n"
      "    shift words\n    (( CURRENT-- ))\n    command=$words[2]\n  fi\n"
      "  case $command in\n";
  for (const CommandFamily& family : command_families()) {
    std::vector<std::pair<std::string, std::string>> words;
    for (const CommandEntry* entry : family.commands) words.emplace_back(second_word(*entry), entry->summary);
    text += fmt::format(
        "    {})\n    if (( CURRENT == 3 )); then\n      commands=(\n{}      )\n"
        "      _describe -V 'command' commands\n      return\n    fi\n"
        "    command=\"$command $words[3]\"\n    shift words\n    (( CURRENT-- ))\n    ;;\n",
        family.first, zsh_words(words));
  }
  text += "  esac\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  text += fmt::format("    --generate) _values 'kind' {} ;;\n", list_of(generated_kinds(), std::identity()));
  for (const DescribedCommand& command : commands) {
    text += fmt::format("    '{}')\n    _arguments -s -S", command.entry->name);
    for (const Option* option : visible_options(command)) text += " \\\n      " + zsh_option(*option);
    for (const Option& option : command.options.all()) {
      if (!option.positional) continue;
      text += fmt::format(" \\\n      '{}:{}:_files'", option.is_list() ? "*" : "", option.name);
    }
    text += "\n    ;;\n";
  }
  return text +
         "  esac\n}\nif [[ $funcstack[1] == _emgraph ]]; then\n  _emgraph \"$@\"\nelse\n"
         "  compdef _emgraph emgraph\nfi\n";
}

std::string fish_completion(const DescribedCommands& commands) {
  std::string text = R"(# fish completion for emgraph, made by: emgraph --generate complete-fish
function __emgraph_in
    set -l words (commandline -opc)
    test (count $words) -gt 2; and test "$words[2]" = plan; and set -e words[2]
    contains -- "$words[2]" $argv; or contains -- "$words[2] $words[3]" $argv
end
function __emgraph_words
    test (count (commandline -opc)) -eq $argv[1]
end
function __emgraph_after
    set -l words (commandline -opc)
    test "$words[-1]" = "$argv[1]"; and test (count $words) -le 3
end
complete -c emgraph -f
complete -c emgraph -n '__emgraph_words 1' -l help -d 'explains the program'
complete -c emgraph -n '__emgraph_words 1' -l version -d 'prints the version'
)";
  text += fmt::format(
      "complete -c emgraph -n '__emgraph_words 1; or __emgraph_after --generate' -l generate -x -a '{}' -d "
      "'prints the manual or "
      "completions'\n",
      list_of(generated_kinds(), std::identity()));
  for (const auto& [word, summary] : first_words()) {
    const char* const when =
        word == "help" ? "__emgraph_words 1" : "__emgraph_words 1; or __emgraph_after help";
    text += fmt::format("complete -c emgraph -n '{}' -a {} -d {}\n", when, word, quoted(summary, "\\'"));
  }
  for (const auto& [word, summary] : planned_words()) {
    text += fmt::format("complete -c emgraph -n '__emgraph_after plan' -a {} -d {}\n", word,
                        quoted(summary, "\\'"));
  }
  for (const CommandFamily& family : command_families()) {
    for (const CommandEntry* entry : family.commands) {
      text += fmt::format("complete -c emgraph -n '__emgraph_after {}' -a {} -d {}\n", family.first,
                          second_word(*entry), quoted(std::string(entry->summary), "\\'"));
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
    if (std::ranges::any_of(command.options.all(), &Option::positional)) add(" -F", command.entry->name);
  }
  for (const auto& [option, names] : options) {
    text += fmt::format("complete -c emgraph -n '__emgraph_in{}'{}\n", names, option);
  }
  return text;
}

}  // namespace emgraph::apps
