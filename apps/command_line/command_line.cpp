// SPDX-License-Identifier: MIT
// Finds the command, prints its help or runs it, and checks standard output at the end.
#include "apps/command_line/command_line.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/command_line/command.hpp"
#include "apps/command_line/generate.hpp"
#include "apps/command_line/help.hpp"
#include "apps/command_line/options.hpp"
#include "apps/command_line/suggest.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/exit_code.hpp"
#include "apps/run/kept_run.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/signals.hpp"
#include "apps/run/words.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;

/// The command named by the first one or two arguments. `used`: number of arguments of the name.
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
    throw UsageError(fmt::format("{} what? One of: {}", arguments[0], joined(second_words, ", ")));
  }
  const std::string& typed = arguments[known_first ? 1 : 0];
  const std::string hint = nearest_word(typed, known_first ? second_words : first_words);
  throw UsageError(fmt::format("unknown {} '{}'{}; {}", known_first ? arguments[0] : "command", typed,
                               hint.empty() ? "" : fmt::format(" (did you mean '{}'?)", hint),
                               known_first ? fmt::format("expected one of: {}", joined(second_words, ", "))
                                           : "`emgraph --help` lists the commands"));
}

/// Compares --trace with every file that the command line names.
void check_trace(const OptionSet& options) {
  const Option* const trace = options.find(trace_option);
  if (trace == nullptr || !trace->given) return;
  const Option* const force = options.find("--force");
  check_trace_output(*std::get<std::string*>(trace->target), options.files_but(trace_option),
                     force != nullptr && force->given);
}

/// True if all files that the command line names can be read twice.
bool names_no_pipe(const OptionSet& options) {
  for (const std::string& file : options.files_but("--output")) {
    struct stat status {};
    if (file == "-" || file.starts_with('@')) return false;
    if (stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return false;
  }
  return true;
}

/// use(another command of the same kind, with the same arguments); what it returns without a result if there
/// is none.
template <class Use>
auto with_equal_command(const CommandEntry& entry, const std::vector<std::string>& arguments, Use&& use)
    -> decltype(use(std::declval<PlannedCommand&>())) {
  const std::unique_ptr<Command> command = entry.make();
  auto* const planned = dynamic_cast<PlannedCommand*>(command.get());
  if (planned == nullptr) return {};
  OptionSet own = declared_options(*command);
  try {
    own.parse(entry.name, arguments);
  } catch (const std::exception&) {
    return {};  // a list of inputs came through a pipe, which has been read
  }
  return use(*planned);
}

/// The phases of a run, as an equal command foresees them. `arguments` outlives the run.
void foresee_phases(const CommandEntry& entry, const std::vector<std::string>& arguments,
                    const OptionSet& options) {
  if (options.foresight() == nullptr) return;
  const auto foresee = [&entry, &arguments](const StandIn* stand_in) {
    return with_equal_command(entry, arguments,
                              [stand_in](PlannedCommand& equal) { return foreseen_phases(equal, stand_in); });
  };
  if (names_no_pipe(options)) options.foresight()->phases = foresee(nullptr);
  options.foresight()->with = [foresee](const StandIn& stand_in) { return foresee(&stand_in); };
}

/// The outputs that get their names when the run has succeeded.
std::vector<std::string> results_with_names(const OptionSet& options) {
  std::vector<std::string> names;
  for (const Option& option : options.all()) {
    if (!option.writes || !option.given || option.name == trace_option) continue;
    const std::string& name = *std::get<std::string*>(option.target);
    if (!written_in_place(name)) names.push_back(name);
  }
  return names;
}

/// `planned`: foresee what the command would do instead of running it.
ExitCode run_command(const CommandEntry& entry, const std::vector<std::string>& arguments, bool planned) {
  const std::unique_ptr<Command> command = entry.make();
  auto* const known = planned ? dynamic_cast<PlannedCommand*>(command.get()) : nullptr;
  if (planned && known == nullptr) {
    throw UsageError(fmt::format("{} is not a command that can be planned; those are {}", entry.name,
                                 joined(planned_commands(), ", ")));
  }
  OptionSet options = declared_options(*command);
  switch (options.parse(entry.name, arguments)) {
    case OptionSet::Parsed::help:
      fmt::print("{}", short_help(entry, options));
      return ExitCode::done;
    case OptionSet::Parsed::help_all:
      fmt::print("{}", full_help(entry, options));
      return ExitCode::done;
    case OptionSet::Parsed::run:
      break;
  }
  check_trace(options);
  if (!planned && finish_published_run(entry.name, options)) return ExitCode::done;
  try {
    if (planned) return run_plan(entry.name, *known);
    foresee_phases(entry, arguments, options);
    return command->run();
  } catch (const core::MemoryLimitError& error) {
    // The step that fails knows its own need, not that of the steps after it.
    std::optional<std::uint64_t> least;
    if (names_no_pipe(options)) least = with_equal_command(entry, arguments, least_memory);
    if (!least) throw;
    throw core::MemoryLimitError(fmt::format("{}; {} is the least that is foreseen for all steps",
                                             error.what(), core::memory_option(*least)));
  } catch (const core::BrokenPipe& gone) {
    const std::vector<std::string> lost = results_with_names(options);
    if (lost.empty()) throw;
    throw core::EnvironmentError(fmt::format("{}; not written: {}", gone.what(), joined(lost, ", ")));
  }
}

/// Drops "plan", and puts the command that it plans before the options that stand there, of those that all
/// commands have. False if there is none.
bool take_planned(std::vector<std::string>& arguments) {
  const std::unique_ptr<Command> plan = make_plan();
  const OptionSet common = declared_options(*plan);
  const auto takes_next = [&](const std::string& argument) {
    return std::ranges::any_of(common.all(), [&](const Option& option) {
      return !option.is_flag() && (argument == option.name || argument == option.letter);
    });
  };
  auto command = arguments.begin() + 1;
  while (command != arguments.end() && command->starts_with('-')) {
    command += takes_next(*command) && command + 1 != arguments.end() ? 2 : 1;
  }
  if (command == arguments.end()) return false;
  const bool two_words = std::ranges::any_of(
      all_commands(), [&](const CommandEntry& entry) { return entry.name.starts_with(*command + " "); });
  std::rotate(arguments.begin() + 1, command, std::min(command + (two_words ? 2 : 1), arguments.end()));
  arguments.erase(arguments.begin());
  return true;
}

/// --generate KIND, or --generate=KIND.
ExitCode generate(const std::vector<std::string>& arguments) {
  std::vector<std::string> kinds(arguments.begin() + 1, arguments.end());
  const std::size_t equals = arguments[0].find('=');
  if (equals != std::string::npos) kinds.insert(kinds.begin(), arguments[0].substr(equals + 1));
  if (kinds.empty()) {
    throw UsageError(fmt::format("--generate what? One of: {}", joined(generated_kinds(), ", ")));
  }
  if (kinds[0] == man_pages_kind) {
    if (kinds.size() != 2) throw UsageError("--generate man-pages takes a directory");
    write_man_pages(kinds[1]);
    return ExitCode::done;
  }
  if (kinds.size() > 1) throw UsageError(fmt::format("--generate: unexpected argument '{}'", kinds[1]));
  fmt::print("{}", generated(kinds[0]));
  return ExitCode::done;
}

/// Prints the commands of two words whose first is `first`, such as "check". False if there is none.
bool print_family(const std::string& first) {
  bool found = false;
  for (const CommandEntry& entry : all_commands()) {
    if (!entry.name.starts_with(first + " ")) continue;
    fmt::print("emgraph {:<16}{}\n", entry.name, entry.summary);
    found = true;
  }
  return found;
}

ExitCode dispatch(const std::vector<std::string>& arguments, std::string& context) {
  if (arguments.empty()) {
    fmt::print(stderr, "{}", overview());
    return ExitCode::usage;
  }
  const std::string& first = arguments[0];
  if (first == "--version" || first == "-V" || first == "version") {
    fmt::print("emgraph {}\nbuilt with {}\n", EMGRAPH_VERSION, EMGRAPH_BUILT_WITH);
    return ExitCode::done;
  }
  if (first == "--help" || first == "-h" || (first == "help" && arguments.size() == 1)) {
    fmt::print("{}", overview());
    return ExitCode::done;
  }
  if (first == "--generate" || first.starts_with("--generate=")) return generate(arguments);
  if (first == "help") {
    std::vector<std::string> asked(arguments.begin() + 1, arguments.end());
    asked.push_back("--help");
    return dispatch(asked, context);
  }
  const bool asks_for_help = arguments.size() == 2 && (arguments[1] == "--help" || arguments[1] == "-h");
  if (asks_for_help && print_family(first)) return ExitCode::done;
  std::vector<std::string> named = arguments;
  const bool planned = first == "plan" && take_planned(named);
  if (first == "plan" && arguments.size() > 2 && !planned) {
    context = first;
    return make_plan()->run();  // explains that a command is missing
  }
  std::size_t used = 0;
  const CommandEntry& entry = find_command(named, used);
  context = entry.name;
  return run_command(entry, std::vector<std::string>(named.begin() + static_cast<long>(used), named.end()),
                     planned);
}

}  // namespace

int run_command_line(int argc, char** argv) {
  ignore_broken_pipe_signal();
  explain_termination();
  std::string context;
  ExitCode code = ExitCode::done;
  try {
    follow_parent();
    code = dispatch(std::vector<std::string>(argv + 1, argv + argc), context);
  } catch (...) {
    code = explain_current_exception(context);
  }
  return static_cast<int>(close_standard_output(code, context));
}

}  // namespace emgraph::apps
