// SPDX-License-Identifier: MIT
// The kinds of --generate.
#include "apps/command_line/generate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "apps/command_line/help.hpp"
#include "core/base/error.hpp"

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

DescribedCommands described_commands() {
  DescribedCommands commands;
  for (const CommandEntry& entry : all_commands()) {
    std::unique_ptr<Command> command = entry.make();
    OptionSet options = declared_options(*command);
    commands.push_back({&entry, std::move(command), std::move(options)});
  }
  return commands;
}

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
  names.push_back(man_pages_kind);
  return names;
}

std::string generated(const std::string& kind) {
  const auto found = std::ranges::find(kinds, kind, &Kind::name);
  if (found == std::end(kinds)) refuse_word(fmt::format("--generate: '{}'", kind), generated_kinds());
  return found->print(described_commands());
}

void write_man_pages(const std::string& directory) {
  std::error_code made;
  std::filesystem::create_directories(directory, made);
  if (made) throw core::EnvironmentError(directory + ": cannot create the directory: " + made.message());
  const auto write = [&](const std::string& name, const std::string& text) {
    const std::string path = directory + "/" + name + ".1";
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw core::EnvironmentError(path + ": cannot write: " + std::strerror(errno));
  };
  const DescribedCommands commands = described_commands();
  write("emgraph", manual_page(commands));
  for (const DescribedCommand& command : commands) write(page_name(*command.entry), command_page(command));
}

}  // namespace emgraph::apps
