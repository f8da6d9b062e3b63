// SPDX-License-Identifier: MIT
// The manual, as a man page and as a page of Markdown: each command with its own options, then the common
// ones.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "apps/command_line/generate.hpp"
#include "apps/command_line/help.hpp"
#include "apps/run/words.hpp"

namespace emgraph::apps {

namespace {

/// A common option, with the explanation that most of its commands give.
struct SharedOption {
  const Option* option;
  std::string explanation;
  std::vector<std::string_view> commands;
};

struct SharedGroup {
  std::string title;
  std::vector<SharedOption> options;
};

/// The markup of the two kinds of pages.
struct Style {
  std::string (*section)(const std::string& title);
  std::string (*subsection)(const std::string& title);
  std::string (*paragraph)(const std::string& text);
  std::string (*item)(const Option& option, const std::string& text);
  /// A term in the list of exit codes, variables, files.
  std::string (*term)(const std::string& name, const std::string& text);
  std::string (*end_of_list)();
  std::string (*example)(const std::string& line);
};

/// Common options that more than half of their commands explain in the same words, by group.
std::vector<SharedGroup> shared_groups(const DescribedCommands& commands) {
  // By name, then by explanation: the commands.
  std::map<std::string, std::map<std::string, std::vector<std::string_view>>> explained;
  std::vector<SharedGroup> groups;
  std::set<std::string> listed;
  for (const DescribedCommand& command : commands) {
    for (const OptionGroup& group : option_groups(command.options)) {
      if (!group.common) continue;
      auto shared = std::ranges::find(groups, group.title, &SharedGroup::title);
      if (shared == groups.end()) shared = groups.insert(groups.end(), {group.title, {}});
      for (const Option* option : group.options) {
        explained[option->name][explanation(*option)].push_back(command.entry->name);
        if (listed.insert(option->name).second) shared->options.push_back({option, "", {}});
      }
    }
  }
  for (SharedGroup& group : groups) {
    std::erase_if(group.options, [&](SharedOption& shared) {
      std::size_t all = 0;
      for (const auto& [text, names] : explained[shared.option->name]) {
        all += names.size();
        if (names.size() <= shared.commands.size()) continue;
        shared.explanation = text;
        shared.commands = names;
      }
      return 2 * shared.commands.size() <= all;
    });
  }
  std::erase_if(groups, [](const SharedGroup& group) { return group.options.empty(); });
  return groups;
}

bool is_shared(const std::vector<SharedGroup>& groups, const Option& option) {
  for (const SharedGroup& group : groups) {
    for (const SharedOption& shared : group.options) {
      if (shared.option->name == option.name) return shared.explanation == explanation(option);
    }
  }
  return false;
}

/// The commands that have the option, if not all have it.
std::string takers(const SharedOption& shared, const DescribedCommands& all) {
  if (shared.commands.size() == all.size()) return "";
  if (2 * shared.commands.size() <= all.size()) return fmt::format("Of {}.", joined(shared.commands, ", "));
  std::vector<std::string_view> others;
  for (const DescribedCommand& command : all) {
    const std::string_view name = command.entry->name;
    if (std::ranges::find(shared.commands, name) == shared.commands.end()) others.push_back(name);
  }
  return fmt::format("Of all but {}.", joined(others, ", "));
}

/// The sentence with a capital and a full stop.
std::string as_sentence(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text.ends_with('.') ? text : text + ".";
}

/// Exit codes, environment, files: of every page.
std::string closing_sections(const Style& style) {
  std::string text = style.section("Exit status");
  for (const ExitMeaning& exit : exit_meanings) {
    text += style.term(std::to_string(static_cast<int>(exit.code)), as_sentence(std::string(exit.meaning)));
  }
  text += style.end_of_list();
  text += style.section("Environment");
  text += style.term(
      "EMGRAPH_DISKS",
      "The name of a file with one SPEC per line, as --disk takes it, or SPECs with ; between them.");
  text += style.term("XDG_CONFIG_HOME", "An absolute path: the directory that stands for ~/.config.");
  text += style.term("TMPDIR", "The directory for temporary data if no disk is named.");
  text += style.term(
      "EMGRAPH_PARENT",
      "For programs that start emgraph: the id of their process; emgraph ends when that process dies.");
  text += style.term("EMGRAPH_SCRATCH",
                     "With EMGRAPH_PARENT: a directory that an interrupted run removes if it is empty.");
  text += style.end_of_list();
  text += style.section("Files");
  text += style.term(
      "~/.config/emgraph/disks, /etc/emgraph/disks",
      "Disks for temporary data: one SPEC per line, as --disk takes it. EMGRAPH_DISKS comes before these "
      "files. The first of the three that names a disk counts.");
  return text + style.end_of_list();
}

constexpr std::string_view numbers_paragraph =
    "Counts take k, M, G and T as powers of 1000. Sizes take K, M, G, T and KiB, MiB, GiB as powers of 1024, "
    "KB, MB, GB as powers of 1000.";

std::string page(const DescribedCommands& commands, const Style& style) {
  const std::vector<SharedGroup> groups = shared_groups(commands);
  std::string text = style.section("Commands");
  for (const DescribedCommand& command : commands) {
    text += style.subsection(usage(*command.entry, command.options));
    text += style.paragraph(sentence(*command.entry));
    bool any = false;
    for (const OptionGroup& group : option_groups(command.options)) {
      for (const Option* option : group.options) {
        if (group.common && is_shared(groups, *option)) continue;
        text += style.item(*option, as_sentence(explanation(*option)));
        any = true;
      }
    }
    if (any) text += style.end_of_list();
    text += style.example(std::string(command.entry->example));
  }
  text += style.section("Common options");
  text += style.paragraph(std::string(numbers_paragraph));
  for (const SharedGroup& group : groups) {
    text += style.subsection(group.title);
    for (const SharedOption& shared : group.options) {
      const std::string of = takers(shared, commands);
      text += style.item(*shared.option, as_sentence(shared.explanation) + (of.empty() ? "" : " " + of));
    }
    text += style.end_of_list();
  }
  return text + closing_sections(style);
}

constexpr std::string_view introduction[] = {
    "emgraph answers graph questions on edge files that are larger than memory. INPUT is a file in any of "
    "many "
    "formats, - (standard input) or gen:MODEL,key=value,... (a graph generated on the way, no file at all). "
    "An edge file need not be sorted: a command sorts what it needs on the way.",
    "All data stays below the memory limit (-M); what does not fit goes to temporary files on one or several "
    "disks (-T, --disk). The answers do not depend on threads, memory or disks.",
    "Results go to standard output or to files, which appear under their name when they are complete; "
    "progress, "
    "warnings and errors go to standard error.",
};
constexpr const char* pipeline = "emgraph gen --edges 100M -o - | emgraph sort -u - -o - | emgraph mis -";

/// A command, which stays on one line. Requires: it begins with a letter.
std::string roff_line(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else if (c == '~') {
      escaped += "\\(ti";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

/// Breaks text into lines of at most 80 characters, none of which is a troff request.
std::string roff(std::string_view text) {
  std::string escaped = wrapped(roff_line(text), 2, 0, 80);
  for (std::size_t line = 0; line < escaped.size(); line = escaped.find('\n', line) + 1) {
    if (escaped[line] == '.' || escaped[line] == '\'') escaped.insert(line, "\\&");
    if (escaped.find('\n', line) == std::string::npos) break;
  }
  return escaped;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return text;
}

std::string roff_item(const Option& option, const std::string& text) {
  std::string names;
  if (option.positional) {
    names = "\\fI" + roff(signature(option)) + "\\fR";
  } else {
    if (!option.letter.empty()) names = "\\fB" + roff(option.letter) + "\\fR, ";
    names += "\\fB" + roff(option.name) + "\\fR";
    if (!option.is_flag()) names += " \\fI" + roff(option.type) + "\\fR";
  }
  return fmt::format(".TP\n{}\n{}\n", names, roff(text));
}

std::string markdown(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '*' || c == '<' || c == '|' || c == '_' || c == '$') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string nothing() {
  return "";
}

constexpr Style man_style = {
    .section = [](const std::string& title) { return fmt::format(".SH {}\n", roff(upper(title))); },
    .subsection = [](const std::string& title) { return fmt::format(".SS {}\n", roff(title)); },
    .paragraph = [](const std::string& text) { return roff(text) + "\n"; },
    .item = roff_item,
    .term =
        [](const std::string& name, const std::string& text) {
          return fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(name), roff(text));
        },
    .end_of_list = nothing,
    .example =
        [](const std::string& line) {
          return fmt::format(".TP\nExample:\n.nf\n\\fB{}\\fR\n.fi\n", roff_line(line));
        },
};

constexpr Style markdown_style = {
    .section = [](const std::string& title) { return fmt::format("## {}\n\n", title); },
    .subsection = [](const std::string& title) { return fmt::format("### {}\n\n", markdown(title)); },
    .paragraph = [](const std::string& text) { return markdown(text) + "\n\n"; },
    .item =
        [](const Option& option, const std::string& text) {
          return fmt::format("- `{}`: {}\n", signature(option), markdown(text));
        },
    .term = [](const std::string& name,
               const std::string& text) { return fmt::format("- `{}`: {}\n", name, markdown(text)); },
    .end_of_list = [] { return std::string("\n"); },
    .example = [](const std::string& line) { return fmt::format("    {}\n\n", line); },
};

/// The head of a man page up to its description. `name`: "emgraph" or "emgraph-cc"; `what`: the line of
/// NAME, which `apropos` shows.
std::string man_head(const std::string& name, std::string_view what, const std::string& synopsis) {
  return fmt::format(
      ".TH {} 1 \"\" \"emgraph {}\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n"
      ".SH DESCRIPTION\n",
      upper(name), EMGRAPH_VERSION, roff(name), roff(what), synopsis);
}

}  // namespace

std::string manual_page(const DescribedCommands& commands) {
  std::string text = man_head("emgraph", "graph questions on edge files larger than memory",
                              "\\fBemgraph\\fR \\fICOMMAND\\fR [\\fIoptions\\fR] [\\fIINPUT\\fR...]");
  for (const std::string_view paragraph : introduction)
    text += (paragraph == introduction[0] ? "" : ".PP\n") + roff(paragraph) + "\n";
  return text + ".PP\n" + "A pipeline without a file:\n.PP\n.nf\n" + roff_line(pipeline) + "\n.fi\n" +
         page(commands, man_style);
}

std::string page_name(const CommandEntry& entry) {
  std::string name = "emgraph-" + std::string(entry.name);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string command_page(const DescribedCommand& command) {
  const CommandEntry& entry = *command.entry;
  std::string text = man_head(page_name(entry), entry.summary, roff(usage(entry, command.options)));
  text += roff(sentence(entry)) + "\n.PP\n" + roff(introduction[1]) + "\n";
  text += man_style.section("Options");
  for (const OptionGroup& group : option_groups(command.options)) {
    if (!group.title.empty()) text += man_style.subsection(group.title);
    for (const Option* option : group.options) {
      text += man_style.item(*option, as_sentence(explanation(*option)));
    }
  }
  text += ".PP\n" + man_style.paragraph(std::string(numbers_paragraph));
  text += man_style.section("Examples") + ".nf\n\\fB" + roff_line(entry.example) + "\\fR\n.fi\n";
  text += closing_sections(man_style);
  return text + man_style.section("See also") + "\\fBemgraph\\fR(1)\n";
}

std::string markdown_page(const DescribedCommands& commands) {
  std::string text = "# emgraph\n\n";
  for (const std::string_view paragraph : introduction) text += markdown(paragraph) + "\n\n";
  return text + fmt::format("A pipeline without a file:\n\n    {}\n\n", pipeline) +
         page(commands, markdown_style);
}

}  // namespace emgraph::apps
