// SPDX-License-Identifier: MIT
// Lays out help: aligned columns, wrapped lines.
#include "apps/command_line/help.hpp"
#include "apps/run/words.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace emgraph::apps {

namespace {

/// Widest left column; a longer signature has a line of its own.
constexpr std::size_t most_left_columns = 30;

struct Row {
  std::string left;
  std::string right;
};

std::size_t left_columns(const std::vector<Row>& rows) {
  std::size_t widest = 0;
  for (const Row& row : rows) {
    if (row.left.size() <= most_left_columns) widest = std::max(widest, row.left.size());
  }
  return widest;
}

/// Rows in two columns: "  left  right".
std::string columns(const std::vector<Row>& rows, std::size_t left) {
  std::string text;
  for (const Row& row : rows) {
    const std::size_t start = 2 + left + 2;
    text += "  " + row.left;
    if (row.left.size() > left) {
      text += "\n" + std::string(start, ' ');
    } else {
      text += std::string(left - row.left.size() + 2, ' ');
    }
    text += wrapped(row.right, start, start) + "\n";
  }
  return text;
}

Row row(const Option& option) {
  const bool indented = !option.positional && option.letter.empty();
  return {(indented ? "    " : "") + signature(option), explanation(option)};
}

struct Section {
  std::string title;
  std::vector<Row> rows;
};

/// All sections, with the same width of the left column.
std::string sections(const std::vector<Section>& all) {
  std::vector<Row> rows;
  for (const Section& section : all) rows.insert(rows.end(), section.rows.begin(), section.rows.end());
  const std::size_t left = left_columns(rows);
  std::string text;
  for (const Section& section : all) {
    text += "\n";
    if (!section.title.empty()) text += section.title + ":\n";
    text += columns(section.rows, left);
  }
  return text;
}

/// `stops`: the command can be stopped and go on.
std::string exit_codes(bool stops) {
  std::string text = "Exit codes:";
  for (const ExitMeaning& exit : exit_meanings) {
    if (exit.code == ExitCode::stopped && !stops) continue;
    text += fmt::format(" {} {};", static_cast<int>(exit.code), exit.meaning);
  }
  text.back() = '.';
  return wrapped(text, 0, 2) + "\n";
}

std::string head(const CommandEntry& entry, const OptionSet& options) {
  return fmt::format("Usage: {}\n\n{}\n", usage(entry, options), wrapped(sentence(entry), 0, 0));
}

std::string foot(const CommandEntry& entry, const OptionSet& options) {
  const Option* const checkpoint = options.find("--checkpoint");
  return fmt::format("\nExample: {}\n\n{}", entry.example,
                     exit_codes(checkpoint != nullptr && !checkpoint->hidden));
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t column, std::size_t indent, std::size_t line_columns) {
  std::string lines;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const bool first = lines.empty();
    if (!first && column + 1 + word.size() > line_columns) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

OptionSet declared_options(Command& command) {
  OptionSet options;
  command.declare(options);
  options.help_flags();
  return options;
}

std::string usage(const CommandEntry& entry, const OptionSet& options) {
  std::string text = fmt::format("emgraph {}", entry.name);
  // `plan` takes the options of the command that it is given.
  if (options.find("COMMAND") != nullptr) return text + " COMMAND [options] [INPUT...]";
  text += " [options]";
  for (const Option& option : options.all()) {
    if (option.positional) text += " " + signature(option);
  }
  return text;
}

std::string sentence(const CommandEntry& entry) {
  std::string text(entry.summary);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  if (text.back() != '?') text += '.';
  return text;
}

std::string signature(const Option& option) {
  if (option.positional) return option.name + (option.is_list() ? "..." : "");
  return (option.letter.empty() ? "" : option.letter + ", ") + option.name +
         (option.is_flag() ? "" : " " + option.type);
}

std::string explanation(const Option& option) {
  std::string text = option.help;
  const auto named = [&](std::string_view word) { return option.help.find(word) != std::string::npos; };
  if (!std::ranges::all_of(option.words, named)) {
    text += fmt::format(": {}", joined(option.words, ", "));
  }
  if (!option.fallback.empty()) text += fmt::format(" [{}]", option.fallback);
  return text;
}

std::vector<OptionGroup> option_groups(const OptionSet& options) {
  std::vector<OptionGroup> groups;
  for (const Option& option : options.all()) {
    if (option.hidden) continue;
    const std::string title = option.positional ? "" : option.group;
    auto group = std::ranges::find(groups, title, &OptionGroup::title);
    if (group == groups.end()) group = groups.insert(groups.end(), {title, option.common, {}});
    group->options.push_back(&option);
  }
  return groups;
}

std::string overview() {
  std::vector<Section> commands;
  for (const CommandEntry& entry : all_commands()) {
    if (commands.empty() || commands.back().title != entry.group) {
      commands.push_back({std::string(entry.group), {}});
    }
    commands.back().rows.push_back({std::string(entry.name), std::string(entry.summary)});
  }
  return "emgraph: graph questions on edge files larger than memory\n\n"
         "Usage: emgraph COMMAND [options] [INPUT...]\n" +
         sections(commands) +
         "\nINPUT is a file, - (standard input), or gen:MODEL,key=value,... (a generator, no file at all).\n"
         "emgraph COMMAND --help explains the options of a command, --help-all those of every command, too.\n"
         "emgraph --generate man|complete-bash|complete-zsh|complete-fish|markdown|json prints the manual,\n"
         "completions for a shell, or a description of all options for programs; --generate man-pages DIR\n"
         "writes a page for each command.\n\n" +
         exit_codes(true);
}

std::string short_help(const CommandEntry& entry, const OptionSet& options) {
  std::vector<Section> explained;
  Section common{"Common options", {}};
  std::vector<Row> others;
  for (const OptionGroup& group : option_groups(options)) {
    if (!group.common) explained.push_back({group.title, {}});
    std::string names;
    for (const Option* option : group.options) {
      if (!group.common) {
        explained.back().rows.push_back(row(*option));
      } else if (option->essential) {
        common.rows.push_back(row(*option));
      } else {
        names += (names.empty() ? "" : " ") + option->name;
      }
    }
    if (!names.empty()) others.push_back({group.title, names});
  }
  explained.push_back(std::move(common));
  return head(entry, options) + sections(explained) +
         fmt::format("\nMore common options, which emgraph {} --help-all explains:\n", entry.name) +
         columns(others, left_columns(others)) + foot(entry, options);
}

std::string full_help(const CommandEntry& entry, const OptionSet& options) {
  std::vector<Section> all;
  for (const OptionGroup& group : option_groups(options)) {
    all.push_back({group.title, {}});
    for (const Option* option : group.options) all.back().rows.push_back(row(*option));
  }
  return head(entry, options) + sections(all) + foot(entry, options);
}

}  // namespace emgraph::apps
