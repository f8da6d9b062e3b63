// SPDX-License-Identifier: MIT
// Records options, and parses them with CLI11: the only file that uses it.
#include "apps/command_line/option_set.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "apps/command_line/inputs.hpp"
#include "apps/command_line/suggest.hpp"
#include "apps/run/words.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;

/// Declares `option` to CLI11.
CLI::Option* bind(CLI::App& app, Option& option) {
  const std::string names = option.letter.empty() ? option.name : option.letter + "," + option.name;
  if (option.value_target != nullptr) return app.add_option(names, option.typed)->type_name(option.type);
  const auto add = [&](auto target) -> CLI::Option* {
    if constexpr (std::is_same_v<decltype(target), std::monostate>) {
      return nullptr;
    } else if constexpr (std::is_same_v<decltype(target), bool*> || std::is_same_v<decltype(target), int*>) {
      return app.add_flag(names, *target);
    } else {
      CLI::Option* const bound = app.add_option(names, *target);
      if (option.positional) return bound->required();
      // An option takes only the next argument, else it would also take the - of standard input.
      if (option.is_list()) bound->expected(1)->allow_extra_args(false)->take_all();
      return bound->type_name(option.type);
    }
  };
  return std::visit(add, option.target);
}

std::string unexpected(const std::string& typed, const std::vector<Option>& options) {
  const bool is_option = typed.size() > 1 && typed[0] == '-';
  std::string hint;
  if (is_option) {
    std::vector<std::string> known;
    for (const Option& option : options) {
      if (!option.positional) known.push_back(option.name);
    }
    hint = nearest_word(typed.substr(0, typed.find('=')), known);
  }
  return fmt::format("{} '{}'{}", is_option ? "unknown option" : "unexpected argument", typed,
                     hint.empty() ? "" : fmt::format(" (did you mean '{}'?)", hint));
}

[[noreturn]] void refuse_empty(std::string_view option) {
  throw UsageError(fmt::format("{}: the value is empty; is a variable of the shell not set?", option));
}

}  // namespace

Option& Option::otherwise(std::string text) {
  fallback = std::move(text);
  return *this;
}
Option& Option::suggest(std::initializer_list<std::string_view> some_words) {
  words = some_words;
  return *this;
}
Option& Option::only(std::initializer_list<std::string_view> all_words) {
  only_words = true;
  return suggest(all_words);
}
Option& Option::as_essential() {
  essential = true;
  return *this;
}
Option& Option::as_output() {
  writes = true;
  return *this;
}
Option& Option::as_inputs() {
  inputs = true;
  return *this;
}
Option& Option::hidden_if(bool useless) {
  hidden = useless;
  return *this;
}

Option& OptionSet::add(const char* names, const char* type, std::string help) {
  const std::string_view both = names;
  const std::size_t comma = both.find(',');
  const bool letter = comma != std::string_view::npos;
  options_.push_back({.name = std::string(letter ? both.substr(comma + 1) : both),
                      .letter = std::string(letter ? both.substr(0, comma) : ""),
                      .type = type,
                      .help = std::move(help),
                      .fallback = "",
                      .group = group_});
  options_.back().common = common_;
  return options_.back();
}

Option& OptionSet::positional(const char* name, std::string& target, std::string help) {
  Option& option = add(name, "", std::move(help));
  option.positional = true;
  option.target = &target;
  return option;
}
Option& OptionSet::positionals(const char* name, std::vector<std::string>& target, std::string help) {
  Option& option = add(name, "", std::move(help));
  option.positional = true;
  option.target = &target;
  return option;
}
Option& OptionSet::value(const char* names, std::string& target, const char* type, std::string help) {
  Option& option = add(names, type, std::move(help));
  option.target = &target;
  return option;
}
Option& OptionSet::list(const char* names, std::vector<std::string>& target, const char* type,
                        std::string help) {
  Option& option = add(names, type, std::move(help));
  option.target = &target;
  return option;
}
Option& OptionSet::flag(const char* names, bool& target, std::string help) {
  Option& option = add(names, "", std::move(help));
  option.target = &target;
  return option;
}
Option& OptionSet::counter(const char* names, int& target, std::string help) {
  Option& option = add(names, "", std::move(help));
  option.target = &target;
  return option;
}

void OptionSet::group(std::string title) {
  group_ = std::move(title);
  common_ = false;
}
void OptionSet::common_group(std::string title) {
  group_ = std::move(title);
  common_ = true;
}
void OptionSet::help_flags() {
  common_group("Help");
  add("-h,--help", "", "print the command's own options and the most common ones").as_essential();
  add("--help-all", "", "print all options").as_essential();
}

const Option* OptionSet::find(std::string_view name) const {
  const auto found = std::ranges::find(options_, name, &Option::name);
  return found == options_.end() ? nullptr : &*found;
}

template <class Wanted>
std::vector<std::string> OptionSet::files_of(const Wanted& wanted) const {
  std::vector<std::string> files = input_lists_;
  for (const Option& option : options_) {
    if (!option.given || !option.names_file() || !wanted(option)) continue;
    if (option.is_list()) {
      const auto& names = *std::get<std::vector<std::string>*>(option.target);
      files.insert(files.end(), names.begin(), names.end());
    } else {
      files.push_back(*std::get<std::string*>(option.target));
    }
  }
  return files;
}

std::vector<std::string> OptionSet::files_but(std::string_view except) const {
  return files_of([except](const Option& option) { return option.name != except; });
}

void OptionSet::take_words() {
  for (const Option& option : options_) {
    if (!option.given || !option.only_words) continue;
    const auto number_of = [&option](const std::string& text) {
      const auto found = std::ranges::find(option.words, text);
      if (found != option.words.end()) return static_cast<std::size_t>(found - option.words.begin());
      refuse_word(fmt::format("{}: '{}'", option.name, text), option.words);
    };
    if (option.value_target != nullptr) {
      option.assign(option.value_target, option.values[number_of(option.typed)]);
    } else if (option.is_list()) {
      for (const std::string& text : *std::get<std::vector<std::string>*>(option.target)) number_of(text);
    } else {
      number_of(*std::get<std::string*>(option.target));
    }
  }
}

void OptionSet::share_positionals(std::string_view command) {
  const auto list = std::ranges::find_if(
      options_, [](const Option& option) { return option.positional && option.is_list(); });
  if (list == options_.end()) return;
  auto& typed = *std::get<std::vector<std::string>*>(list->target);
  for (auto last = options_.rbegin(); &*last != &*list; ++last) {
    if (!last->positional) continue;
    if (typed.size() < 2) {
      throw UsageError(fmt::format("{} is required; see `emgraph {} --help`", last->name, command));
    }
    *std::get<std::string*>(last->target) = std::move(typed.back());
    last->given = true;
    typed.pop_back();
  }
  if (list->inputs) input_lists_ = read_input_lists(typed);
}

OptionSet::Parsed OptionSet::parse(std::string_view command, std::vector<std::string> arguments) {
  for (const std::string& argument : arguments) {  // CLI11 would take the next argument as the value
    const bool bare = argument.find('=') == argument.size() - 1;
    if (bare && find(argument.substr(0, argument.size() - 1)) != nullptr) refuse_empty(argument);
  }
  CLI::App app;
  app.set_help_flag("-h,--help");
  app.set_help_all_flag("--help-all");
  std::vector<CLI::Option*> bound;
  bool list = false;  // positionals after a list get the last of its values
  for (Option& option : options_) {
    bound.push_back(list && option.positional ? nullptr : bind(app, option));
    list = list || (option.positional && option.is_list());
  }
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    return Parsed::help;
  } catch (const CLI::CallForAllHelp&) {
    return Parsed::help_all;
  } catch (const CLI::ExtrasError&) {
    throw UsageError(unexpected(app.remaining().empty() ? "" : app.remaining().front(), options_));
  } catch (const CLI::ParseError& error) {
    for (std::size_t i = 0; i < options_.size(); ++i) {
      const bool once = !options_[i].positional && !options_[i].is_list() && !options_[i].is_flag();
      if (once && bound[i] != nullptr && bound[i]->count() > 1) {
        throw UsageError(
            fmt::format("{} is given {} times, and takes one value", options_[i].name, bound[i]->count()));
      }
    }
    throw UsageError(fmt::format("{}; see `emgraph {} --help`", error.what(), command));
  }
  for (std::size_t i = 0; i < options_.size(); ++i) {
    options_[i].given = bound[i] != nullptr && bound[i]->count() > 0;
    if (!options_[i].given || options_[i].is_flag()) continue;
    if (std::ranges::any_of(bound[i]->results(), [](const std::string& value) { return value.empty(); })) {
      refuse_empty(options_[i].name);
    }
  }
  share_positionals(command);
  take_words();
  if (read_files_ != nullptr) {
    *read_files_ = files_of([](const Option& option) { return !option.positional && !option.writes; });
  }
  if (given_ == nullptr) return Parsed::run;
  given_->command = command;
  for (std::size_t i = 0; i < options_.size(); ++i) {
    const Option& option = options_[i];
    if (!option.given) continue;
    if (option.is_list()) {
      for (const std::string& value : *std::get<std::vector<std::string>*>(option.target)) {
        given_->values.emplace_back(option.name, value);
      }
    } else if (bound[i] != nullptr) {
      given_->values.emplace_back(option.name, option.is_flag() ? "" : bound[i]->results().back());
    }
  }
  return Parsed::run;
}

void refuse_word(const std::string& what, const std::vector<std::string_view>& words) {
  throw UsageError(fmt::format("{} is not one of {}", what, joined(words, ", ")));
}

}  // namespace emgraph::apps
