// SPDX-License-Identifier: MIT
// Dispatch: global help, the choice of a command, parsing with hints, the final check of standard output.
#include "apps/command_line/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/command_line/suggest.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/exit_code.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;

std::string overview() {
  std::string text =
      "emgraph: graph questions on edge files larger than memory\n\nUsage: emgraph COMMAND [options] "
      "[INPUT]\n";
  std::string_view group;
  for (const CommandEntry& entry : all_commands()) {
    if (entry.group != group) text += fmt::format("\n{}\n", entry.group);
    group = entry.group;
    text += fmt::format("  {:<16}{}\n", entry.name, entry.summary);
  }
  text += fmt::format(
      "\nINPUT is a file, - (standard input), or gen:MODEL,key=value,... (a generator, no file at all).\n"
      "emgraph COMMAND --help tells the options of a command.\n\n{}\n",
      exit_codes);
  return text;
}

/// The entry for the first word or two of the arguments; `used` tells how many words named it.
const CommandEntry& find_command(const std::vector<std::string>& arguments, std::size_t& used) {
  std::vector<std::string> first_words;
  std::vector<std::string> second_words;
  for (const CommandEntry& entry : all_commands()) {
    const std::size_t space = entry.name.find(' ');
    const std::string first(entry.name.substr(0, space));
    first_words.push_back(first);
    if (first != arguments[0]) continue;
    used = space == std::string_view::npos ? 1 : 2;
    if (used == 1) return entry;
    second_words.emplace_back(entry.name.substr(space + 1));
    if (arguments.size() > 1 && second_words.back() == arguments[1]) return entry;
  }
  const bool known_first = !second_words.empty();
  if (known_first && arguments.size() < 2) {
    throw UsageError(fmt::format("{} what? One of: {}", arguments[0], fmt::join(second_words, ", ")));
  }
  const std::string& typed = arguments[known_first ? 1 : 0];
  const std::string hint = nearest_word(typed, known_first ? second_words : first_words);
  throw UsageError(fmt::format("unknown {} '{}'{}; `emgraph --help` lists the commands",
                               known_first ? arguments[0] + " of" : "command", typed,
                               hint.empty() ? "" : fmt::format(" (did you mean '{}'?)", hint)));
}

std::string unexpected_arguments(CLI::App& app) {
  const std::string typed = app.remaining().empty() ? "" : app.remaining().front();
  const bool option = typed.size() > 1 && typed[0] == '-';
  std::string hint;
  if (option) {
    std::vector<std::string> known;
    for (const CLI::Option* candidate : app.get_options()) {
      for (const std::string& name : candidate->get_lnames()) known.push_back("--" + name);
    }
    hint = nearest_word(typed.substr(0, typed.find('=')), known);
  }
  return fmt::format("{} '{}'{}", option ? "unknown option" : "unexpected argument", typed,
                     hint.empty() ? "" : fmt::format(" (did you mean '{}'?)", hint));
}

/// Holds --trace against every file that the command line names: each command has its own.
void check_trace(const CLI::App& app) {
  const CLI::Option* const trace = app.get_option_no_throw(trace_option);
  if (trace == nullptr || trace->empty()) return;
  std::vector<std::string> others;
  for (const CLI::Option* option : app.get_options()) {
    if (option == trace || !(option->get_positional() || option->get_type_name() == "FILE")) continue;
    others.insert(others.end(), option->results().begin(), option->results().end());
  }
  check_trace_output(trace->results().front(), others, app.get_option("--force")->count() > 0);
}

ExitCode run_command(const CommandEntry& entry, std::vector<std::string> arguments) {
  const std::unique_ptr<Command> command = entry.make();
  CLI::App app{std::string(entry.summary)};
  app.name(fmt::format("emgraph {}", entry.name));
  app.footer(fmt::format("Example: {}\n\n{}", entry.example, exit_codes));
  app.get_formatter()->column_width(32);
  command->declare(app);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return ExitCode::done;
  } catch (const CLI::ExtrasError&) {
    throw UsageError(unexpected_arguments(app));
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}; see `emgraph {} --help`", error.what(), entry.name));
  }
  check_trace(app);
  return command->run();
}

ExitCode dispatch(const std::vector<std::string>& arguments, std::string& context) {
  if (arguments.empty()) {
    fmt::print(stderr, "{}", overview());
    return ExitCode::usage;
  }
  const std::string& first = arguments[0];
  if (first == "--version" || first == "-V" || first == "version") {
    fmt::print("emgraph {}\n", EMGRAPH_VERSION);
    return ExitCode::done;
  }
  if (first == "--help" || first == "-h" || (first == "help" && arguments.size() == 1)) {
    fmt::print("{}", overview());
    return ExitCode::done;
  }
  if (first == "help") {
    std::vector<std::string> asked(arguments.begin() + 1, arguments.end());
    asked.push_back("--help");
    return dispatch(asked, context);
  }
  if (arguments.size() == 2 && (arguments[1] == "--help" || arguments[1] == "-h")) {
    bool group = false;  // "check --help": all commands of check
    for (const CommandEntry& entry : all_commands()) {
      if (!entry.name.starts_with(first + " ")) continue;
      fmt::print("emgraph {:<16}{}\n", entry.name, entry.summary);
      group = true;
    }
    if (group) return ExitCode::done;
  }
  std::size_t used = 0;
  const CommandEntry& entry = find_command(arguments, used);
  context = entry.name;
  return run_command(entry,
                     std::vector<std::string>(arguments.begin() + static_cast<long>(used), arguments.end()));
}

}  // namespace

int run_command_line(int argc, char** argv) {
  ignore_broken_pipe_signal();
  std::string context;
  ExitCode code = ExitCode::done;
  try {
    code = dispatch(std::vector<std::string>(argv + 1, argv + argc), context);
  } catch (...) {
    code = explain_current_exception(context);
  }
  return static_cast<int>(close_standard_output(code, context));
}

}  // namespace emgraph::apps
