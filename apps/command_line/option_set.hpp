// SPDX-License-Identifier: MIT
// The description of a command's options. Parsing, help, manual and completions use it.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace emgraph::apps {

struct Foresight;

/// A word that an option takes, and its value.
template <class Value>
struct Word {
  std::string_view word;
  Value value;
};

/// The type of a target's value: T for T and for std::optional<T>.
template <class Target>
struct Held {
  using Value = Target;
};
template <class T>
struct Held<std::optional<T>> {
  using Value = T;
};

/// One option or positional.
struct Option {
  /// Receives the parsed value. A flag is bool, a counted flag int. The two flags for help have none.
  using Target = std::variant<std::monostate, bool*, int*, std::string*, std::vector<std::string>*>;

  std::string name;    ///< "--output"; of a positional "INPUT"
  std::string letter;  ///< "-o"; empty: none
  std::string type;    ///< of its value; empty: a flag or a positional; FILE and DIR: completed by file names
  std::string help;    ///< one sentence without the default, without a full stop
  std::string fallback;                      ///< the default, for the help; empty: not mentioned
  std::string group;                         ///< the title of its section in the help
  std::vector<std::string_view> words = {};  ///< values it takes
  bool only_words = false;                   ///< other values are errors
  bool positional = false;
  bool common = false;     ///< of every command, or of most
  bool essential = false;  ///< a common option that the short help explains
  bool writes = false;     ///< names a file that the command writes
  bool hidden = false;     ///< accepted, but not in help, manual and completions
  bool inputs = false;     ///< a list of inputs, of which @FILE names more
  Target target = {};
  bool given = false;  ///< set by parsing: it was on the command line

  bool is_flag() const { return type.empty() && !positional; }
  bool is_list() const { return std::holds_alternative<std::vector<std::string>*>(target); }
  bool names_file() const { return positional || type == "FILE"; }

  Option& otherwise(std::string text);
  Option& suggest(std::initializer_list<std::string_view> some_words);
  Option& only(std::initializer_list<std::string_view> all_words);
  Option& as_essential();
  Option& as_output();
  Option& hidden_if(bool useless);
  Option& as_inputs();

  /// For a target that is not text: the word as typed, the value of each word, and a function that assigns
  /// it.
  std::string typed = {};
  std::vector<int> values = {};
  void* value_target = nullptr;
  void (*assign)(void* target, int value) = nullptr;
};

/// The command and what was given to it: "--edges" and "10G"; a flag has no value.
struct GivenOptions {
  std::string command;
  std::vector<std::pair<std::string, std::string>> values;
};

/// The options of a command, in the order of its help. Targets must outlive it.
class OptionSet {
 public:
  /// Names are "--long" or "-l,--long". The references hold until the next option is declared.
  Option& positional(const char* name, std::string& target, std::string help);
  /// One or more. Other positionals may follow; they take the last arguments.
  Option& positionals(const char* name, std::vector<std::string>& target, std::string help);
  Option& value(const char* names, std::string& target, const char* type, std::string help);
  /// May be repeated; one value each time.
  Option& list(const char* names, std::vector<std::string>& target, const char* type, std::string help);
  Option& flag(const char* names, bool& target, std::string help);
  /// A flag that counts its occurrences.
  Option& counter(const char* names, int& target, std::string help);
  /// One of several words; `target` is an enumeration or an optional one and keeps its value if none is
  /// given.
  template <class Target>
  Option& word(const char* names, Target& target, const char* type, std::string help,
               const std::vector<Word<typename Held<Target>::Value>>& words) {
    Option& option = add(names, type, std::move(help));
    for (const auto& [word, value] : words) {
      option.words.push_back(word);
      option.values.push_back(static_cast<int>(value));
    }
    option.only_words = true;
    option.value_target = &target;
    option.assign = [](void* to, int value) {
      *static_cast<Target*>(to) = static_cast<typename Held<Target>::Value>(value);
    };
    return option;
  }

  /// Options declared next belong to this group.
  void group(std::string title);
  void common_group(std::string title);
  /// --help and --help-all.
  void help_flags();
  /// parse() notes in `target` the command, and every option and positional that was given, with its value.
  void note_given(GivenOptions& target) { given_ = &target; }
  /// parse() notes in `target` the files that options and @FILE name, and that are read.
  void note_read_files(std::vector<std::string>& target) { read_files_ = &target; }
  /// Where the phases of the run may be noted before it starts.
  void note_foresight(Foresight& target) { foresight_ = &target; }
  Foresight* foresight() const { return foresight_; }

  const std::vector<Option>& all() const { return options_; }
  /// By "--long"; nullptr if there is none.
  const Option* find(std::string_view name) const;
  /// The file names given by positionals and options, except by option `except`.
  std::vector<std::string> files_but(std::string_view except) const;

  enum class Parsed { run, help, help_all };
  /// Fills the targets. Throws UsageError, which names `command` and suggests an option for a mistyped one.
  Parsed parse(std::string_view command, std::vector<std::string> arguments);

 private:
  /// The files that @FILE and options of which wanted(option) is true name.
  template <class Wanted>
  std::vector<std::string> files_of(const Wanted& wanted) const;
  Option& add(const char* names, const char* type, std::string help);
  void take_words();
  void share_positionals(std::string_view command);

  std::vector<Option> options_;
  std::string group_;
  GivenOptions* given_ = nullptr;
  Foresight* foresight_ = nullptr;
  std::vector<std::string>* read_files_ = nullptr;
  std::vector<std::string> input_lists_;  ///< the FILE of each @FILE
  bool common_ = false;
};

/// "`what` is not one of a, b, c", a UsageError.
[[noreturn]] void refuse_word(const std::string& what, const std::vector<std::string_view>& words);

/// The value of `text` in `words`. Throws UsageError, which names `what`, for another text.
template <class Value>
Value value_of(const std::vector<Word<Value>>& words, const std::string& text, const std::string& what) {
  std::vector<std::string_view> known;
  for (const auto& [word, value] : words) {
    if (text == word) return value;
    known.push_back(word);
  }
  refuse_word(what, known);
}

/// The words for all values of an enumeration that have a name().
template <class Value, std::size_t count>
std::vector<Word<Value>> words_of(const Value (&values)[count]) {
  std::vector<Word<Value>> words;
  for (const Value value : values) words.push_back({name(value), value});
  return words;
}

}  // namespace emgraph::apps
