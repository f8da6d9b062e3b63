// SPDX-License-Identifier: MIT
// What the completions of bash, zsh and fish share: commands, their options, the values of options.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/command_line/generate.hpp"

namespace emgraph::apps {

/// The completions of an option's value.
enum class ValueKind { none, words, files, directories, disk, unknown };

ValueKind value_kind(const Option& option);

/// What can follow a comma in --disk, with blanks between.
inline constexpr std::string_view disk_keys =
    "size= grow= io=uring io=pread io=memory direct=auto direct=on direct=off raw=yes raw=force limit=";

/// Those that help shows, without positional ones.
std::vector<const Option*> visible_options(const DescribedCommand& command);

/// Words of the command line with their explanations.
using ExplainedWords = std::vector<std::pair<std::string, std::string>>;

/// The first words of commands, each once, with their explanations.
ExplainedWords first_words();

/// The first words of commands that can follow `plan`, with their explanations.
ExplainedWords planned_words();

/// The letters and names of the options of `plan` that take a value. They may stand before the command that
/// it plans.
std::vector<std::string> plan_options_with_value(const DescribedCommands& commands);

/// The name of a command of a family without the family.
std::string second_word(const CommandEntry& entry);

/// Words with blanks between them.
template <class Range, class Word>
std::string list_of(const Range& range, Word&& word) {
  std::string text;
  for (const auto& item : range) text += (text.empty() ? "" : " ") + std::string(std::invoke(word, item));
  return text;
}

}  // namespace emgraph::apps
