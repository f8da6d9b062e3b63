// SPDX-License-Identifier: MIT
// The description of all commands and options as JSON, from which front ends in other languages are made.
#include "apps/command_line/generate.hpp"
#include "apps/command_line/help.hpp"
#include "apps/run/summary_value.hpp"

namespace emgraph::apps {

namespace {

SummaryObject described(const Option& option) {
  SummaryList words;
  for (const std::string_view word : option.words) words.push_back(word);
  const bool counter = option.is_flag() && std::holds_alternative<int*>(option.target);
  return {{"name", option.name},
          {"letter", option.letter},
          {"type", option.type},
          {"help", option.help},
          {"default", option.fallback},
          {"words", std::move(words)},
          {"only_words", option.only_words},
          {"list", option.is_list()},
          {"flag", option.is_flag()},
          {"counter", counter},
          {"positional", option.positional},
          {"common", option.common},
          {"output", option.writes},
          {"group", option.group}};
}

}  // namespace

std::string json_description(const DescribedCommands& commands) {
  SummaryList list;
  for (const DescribedCommand& command : commands) {
    SummaryList options;
    for (const Option& option : command.options.all()) {
      if (!option.hidden) options.push_back(described(option));
    }
    list.push_back(SummaryObject{{"name", command.entry->name},
                                 {"group", command.entry->group},
                                 {"sentence", sentence(*command.entry)},
                                 {"usage", usage(*command.entry, command.options)},
                                 {"example", command.entry->example},
                                 {"options", std::move(options)}});
  }
  return json_text({{"program", "emgraph"}, {"version", EMGRAPH_VERSION}, {"commands", std::move(list)}}) +
         "\n";
}

}  // namespace emgraph::apps
