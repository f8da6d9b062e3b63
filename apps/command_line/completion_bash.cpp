// SPDX-License-Identifier: MIT
// Completions for bash.
#include <fmt/core.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/command_line/completion.hpp"
#include "apps/run/words.hpp"

namespace emgraph::apps {

namespace {

constexpr std::string_view bash_head =
    R"(# bash completion for emgraph, made by: emgraph --generate complete-bash
_emgraph() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
  local words= options= kind=files joined= list=
  COMPREPLY=()
  # bash splits @FILE before and behind @, and replaces all of it
  if [[ $before == @ ]]; then
    list=@ before=${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $current == @ ]]; then
    list=@ current=
  fi
  # bash makes = a word of its own: --option = value
  if [[ $current == = ]]; then
    current= joined=yes
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]} joined=yes
  elif [[ $before == : ]]; then
    return
  fi
  # The value of a key in --disk
  if [[ -n $joined && $before == *,* ]]; then
    case $before in
      *,io) COMPREPLY=($(compgen -W 'uring pread memory' -- "$current")) ;;
      *,direct) COMPREPLY=($(compgen -W 'auto on off' -- "$current")) ;;
      *,raw) COMPREPLY=($(compgen -W 'yes force' -- "$current")) ;;
    esac
    return
  fi
)";

/// {0}: options of plan with a value, {1}: commands.
constexpr std::string_view bash_plan = R"(  if [[ $command == plan ]]; then
    # Options may stand before the command that is planned; the value of --disk has = in it
    local at=2
    while ((at < COMP_CWORD)) && [[ ${{COMP_WORDS[at]}} == -* ]]; do
      case ${{COMP_WORDS[at]}} in {0}) [[ ${{COMP_WORDS[at+1]}} == = ]] || ((at++)) ;; esac
      ((at++))
      while [[ ${{COMP_WORDS[at]}} == = ]]; do ((at += 2)); done
    done
    if ((at == COMP_CWORD)) && [[ $current != -* ]]; then
      kind=words words='{1}'
    elif ((at < COMP_CWORD)); then
      COMP_WORDS=(emgraph "${{COMP_WORDS[@]:at}}")
      ((COMP_CWORD -= at - 1))
      command=${{COMP_WORDS[1]}}
    fi
  fi
)";

constexpr std::string_view bash_tail = R"(  if [[ $kind == words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [[ $kind == disk && $current == *,* ]]; then
    compopt -o nospace 2>/dev/null
    COMPREPLY=($(compgen -P "${current%,*}," -W "$words" -- "${current##*,}"))
  elif [[ $kind == unknown ]]; then
    return
  elif [[ $current == -* && -n $options ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    compopt -o filenames 2>/dev/null
    local IFS=$'\n'
    if [[ $kind == directories || $kind == disk ]]; then
      COMPREPLY=($(compgen -d -- "$current"))
    else
      COMPREPLY=($(compgen -f -- "$current"))
    fi
    COMPREPLY=("${COMPREPLY[@]/#/$list}")
  fi
}
complete -F _emgraph emgraph
)";

/// "      -o|--output|--map) kind=files ;;" for options of a kind other than words.
std::string bash_values(const std::vector<const Option*>& options, ValueKind kind,
                        const std::string& action) {
  std::vector<std::string> names;
  for (const Option* option : options) {
    if (value_kind(*option) != kind) continue;
    if (!option->letter.empty()) names.push_back(option->letter);
    names.push_back(option->name);
  }
  if (names.empty()) return "";
  return fmt::format("        {}) {} ;;\n", joined(names, "|"), action);
}

std::string bash_command(const DescribedCommand& command) {
  const std::vector<const Option*> options = visible_options(command);
  std::string text = fmt::format("    '{}')\n      case $before in\n", command.entry->name);
  for (const Option* option : options) {
    if (value_kind(*option) != ValueKind::words) continue;
    text += fmt::format("        {}) kind=words words='{}' ;;\n", option->name, joined(option->words, " "));
  }
  text += bash_values(options, ValueKind::files, "options=");
  text += bash_values(options, ValueKind::directories, "kind=directories");
  text += bash_values(options, ValueKind::disk, fmt::format("kind=disk words='{}'", disk_keys));
  text += bash_values(options, ValueKind::unknown, "kind=unknown");
  const std::string names = list_of(options, [](const Option* option) {
    return option->letter.empty() ? option->name : option->letter + " " + option->name;
  });
  return text + fmt::format("        *) options='{}' ;;\n      esac\n      ;;\n", names);
}

}  // namespace

std::string bash_completion(const DescribedCommands& commands) {
  const std::vector<CommandFamily> families = command_families();
  const auto first = [](const auto& word) { return word.first; };
  std::string text(bash_head);
  text += "  if [[ $command == help ]]; then\n    options=--help\n    case $COMP_CWORD in\n";
  text += fmt::format("      2) kind=words words='{}' ;;\n", list_of(first_words(), first));
  text += "      3) command=${COMP_WORDS[2]} kind=unknown ;;\n      *) kind=unknown ;;\n    esac\n  fi\n";
  text +=
      fmt::format(bash_plan, joined(plan_options_with_value(commands), "|"), list_of(planned_words(), first));
  text += "  case $COMP_CWORD:$command in\n";
  text += fmt::format("    1:*) kind=words words='{} --help --version --generate' ;;\n",
                      list_of(first_words(), first));
  text += fmt::format(
      "    2:--generate|3:--generate) [[ $COMP_CWORD == 2 || -n $joined ]] && kind=words words='{}' ;;\n",
      list_of(generated_kinds(), std::identity()));
  std::string first_of_two;
  for (const CommandFamily& family : families) {
    text += fmt::format(
        "    2:{0}|3:{0}) [[ $COMP_CWORD == 2 || ${{COMP_WORDS[1]}} == help ]] && kind=words "
        "words='{1}' ;;\n",
        family.first,
        list_of(family.commands, [](const CommandEntry* entry) { return second_word(*entry); }));
    first_of_two += (first_of_two.empty() ? "" : "|") + family.first;
  }
  text += "  esac\n";
  text +=
      fmt::format("  case $command in {}) ((COMP_CWORD > 2)) && command+=\" ${{COMP_WORDS[2]}}\" ;; esac\n",
                  first_of_two);
  text += "  [[ $kind == files ]] && case $command in\n";
  for (const DescribedCommand& command : commands) text += bash_command(command);
  return text + "  esac\n" + std::string(bash_tail);
}

}  // namespace emgraph::apps
