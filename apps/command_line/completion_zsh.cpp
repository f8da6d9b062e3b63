// SPDX-License-Identifier: MIT
// Completions for zsh.
#include <fmt/core.h>

#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "apps/command_line/completion.hpp"
#include "apps/run/words.hpp"

namespace emgraph::apps {

namespace {

std::string zsh_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("\\[]:$`").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return replaced(escaped, "'", "'\\''");
}

std::string zsh_option(const Option& option) {
  std::string action;
  switch (value_kind(option)) {
    case ValueKind::words:
      action = fmt::format("({})", joined(option.words, " "));
      break;
    case ValueKind::files:
      action = "_files";
      break;
    case ValueKind::directories:
      action = "_files -/";
      break;
    case ValueKind::disk:
      action = "_emgraph_disk";
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

std::string zsh_words(const ExplainedWords& words) {
  std::string text;
  for (const auto& [word, summary] : words) {
    text += fmt::format("    '{}:{}'\n", word, replaced(summary, "'", "'\\''"));
  }
  return text;
}

}  // namespace

std::string zsh_completion(const DescribedCommands& commands) {
  std::string text =
      "#compdef emgraph\n# zsh completion for emgraph, made by: emgraph --generate complete-zsh\n"
      "_emgraph_disk() {\n  if compset -P '*,'; then\n    compadd -S '' -- " +
      std::string(disk_keys) +
      "\n  else\n    _files -/\n  fi\n}\n"
      "_emgraph() {\n  local -a commands\n  local command=$words[2]\n  commands=(\n" +
      zsh_words(first_words()) +
      "    '--help:explains the program'\n    '--version:prints the version'\n"
      "    '--generate:prints the manual or completions'\n  )\n"
      "  if (( CURRENT == 2 )); then\n    if compset -P --generate=; then\n      compadd -- " +
      list_of(generated_kinds(), std::identity()) +
      "\n    else\n      _describe -V 'command' commands\n    fi\n    return\n  fi\n"
      "  if [[ $command == help ]]; then\n    shift words\n    (( CURRENT-- ))\n    command=$words[2]\n"
      "    if (( CURRENT == 2 )); then\n      _describe -V 'command' commands\n      return\n    fi\n  fi\n"
      "  if [[ $command == plan ]]; then\n    local at=3\n"
      "    while (( at < CURRENT )) && [[ $words[at] == -* ]]; do\n      case $words[at] in " +
      joined(plan_options_with_value(commands), "|") +
      ") (( at++ )) ;; esac\n      (( at++ ))\n    done\n"
      "    if (( at == CURRENT )) && [[ $words[at] != -* ]]; then\n      commands=(\n" +
      zsh_words(planned_words()) +
      "      )\n      _describe -V 'command' commands\n      return\n    elif (( at < CURRENT )); then\n"
      "      shift $(( at - 2 )) words\n      (( CURRENT -= at - 2 ))\n      command=$words[2]\n"
      "    fi\n  fi\n"
      "  case $command in\n";
  for (const CommandFamily& family : command_families()) {
    ExplainedWords words;
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

}  // namespace emgraph::apps
