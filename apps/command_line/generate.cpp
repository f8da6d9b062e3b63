// SPDX-License-Identifier: MIT
// The kinds of --generate.
#include "apps/command_line/generate.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "apps/command_line/help.hpp"

namespace emgraph::apps {

namespace {

struct Kind {
  std::string_view name;
  std::string (*print)(const DescribedCommands& commands);
};
constexpr Kind kinds[] = {{"man", manual_page},
                          {"complete-bash", bash_completion},
                          {"complete-zsh", zsh_completion},
                          {"complete-fish", fish_completion},
                          {"markdown", markdown_page},
                          {"json", json_description}};

}  // namespace

std::vector<CommandFamily> command_families() {
  std::vector<CommandFamily> families;
  for (const CommandEntry& entry : all_commands()) {
    const std::size_t space = entry.name.find(' ');
    if (space == std::string_view::npos) continue;
    const std::string first(entry.name.substr(0, space));
    if (families.empty() || families.back().first != first) families.push_back({first, {}});
    families.back().commands.push_back(&entry);
  }
  return families;
}

std::string brief(const std::string& sentence) {
  std::size_t end = sentence.size();
  for (const char* mark : {": ", "; ", " (", ". "}) end = std::min(end, sentence.find(mark));
  return sentence.substr(0, end);
}

std::vector<std::string_view> generated_kinds() {
  std::vector<std::string_view> names;
  for (const Kind& kind : kinds) names.push_back(kind.name);
  return names;
}

std::string generated(const std::string& kind) {
  const auto found = std::ranges::find(kinds, kind, &Kind::name);
  if (found == std::end(kinds)) refuse_word(fmt::format("--generate: '{}'", kind), generated_kinds());
  DescribedCommands commands;
  for (const CommandEntry& entry : all_commands()) {
    std::unique_ptr<Command> command = entry.make();
    OptionSet options = declared_options(*command);
    commands.push_back({&entry, std::move(command), std::move(options)});
  }
  return found->print(commands);
}

}  // namespace emgraph::apps
