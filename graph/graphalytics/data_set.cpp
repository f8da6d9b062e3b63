// SPDX-License-Identifier: MIT
// Reads lines "key = value"; keys are graph.NAME.… .
#include "graph/graphalytics/data_set.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <span>
#include <system_error>

#include "core/base/error.hpp"
#include "core/io/input_file.hpp"

namespace emgraph::graph::graphalytics {
namespace {

constexpr std::size_t most_property_bytes = std::size_t{1} << 20;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\f";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    parts.push_back(trimmed(text.substr(0, comma)));
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return parts;
}

/// The lines of a .properties file, with their numbers.
class Properties {
 public:
  Properties(std::string path, core::IoStatistics& io) : path_(std::move(path)) {
    core::InputFile file(path_, io);
    std::string text(most_property_bytes, '\0');
    text.resize(file.read_next(std::as_writable_bytes(std::span(text))));
    if (text.size() == most_property_bytes) {
      throw core::DataError::in_file(path_, "has 1 MiB or more, expected the properties of a data set");
    }
    std::uint64_t number = 0;
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      add(trimmed(rest.substr(0, end)), ++number);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  const std::string& path() const { return path_; }

  /// The NAME of graph.NAME.vertex-file.
  std::string graph_name() const {
    for (const auto& [key, value] : values_) {
      if (key.starts_with("graph.") && key.ends_with(".vertex-file")) {
        return key.substr(6, key.size() - 6 - std::string_view(".vertex-file").size());
      }
    }
    throw core::DataError::in_file(path_,
                                   "has no graph.NAME.vertex-file, expected the properties of a "
                                   "Graphalytics data set");
  }
  const std::string* find(const std::string& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second.text;
  }
  const std::string& text(const std::string& key) const {
    if (const std::string* const value = find(key)) return *value;
    throw core::DataError::in_file(path_, "has no " + key);
  }
  bool flag(const std::string& key) const {
    const std::string& value = text(key);
    if (value != "true" && value != "false") refuse(key, "true or false");
    return value == "true";
  }
  template <class Number>
  Number number(const std::string& key, std::string_view expected) const {
    const std::string& value = text(key);
    Number number{};
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size()) refuse(key, expected);
    return number;
  }
  [[noreturn]] void refuse(const std::string& key, std::string_view expected) const {
    const Value& value = values_.at(key);
    throw core::DataError::at_line(path_, value.line,
                                   key + " is '" + value.text + "', expected " + std::string(expected));
  }

 private:
  struct Value {
    std::string text;
    std::uint64_t line;
  };

  void add(std::string_view line, std::uint64_t number) {
    if (line.empty() || line.front() == '#' || line.front() == '!') return;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      throw core::DataError::at_line(path_, number, "found a line without =, expected key = value");
    }
    values_.insert_or_assign(std::string(trimmed(line.substr(0, equals))),
                             Value{std::string(trimmed(line.substr(equals + 1))), number});
  }

  const std::string path_;
  std::map<std::string, Value> values_;
};

/// The properties in a directory.
std::string find_properties(const std::string& directory) {
  std::vector<std::string> found;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(directory, failed)) {
    if (entry.path().extension() == ".properties") found.push_back(entry.path().string());
  }
  if (failed) throw core::EnvironmentError(directory + ": " + failed.message());
  if (found.empty()) {
    throw core::UsageError(directory + ": has no .properties file, expected a Graphalytics data set");
  }
  std::sort(found.begin(), found.end());
  if (found.size() == 1) return found.front();
  throw core::UsageError(directory + ": has " + std::to_string(found.size()) +
                         " data sets; give one of them, as " + found.front());
}

constexpr std::string_view a_number = "a whole number of 0 or more";

/// The column of the weights, if edges have some.
std::optional<unsigned> find_weights(const Properties& properties, const std::string& prefix) {
  const std::string* const names = properties.find(prefix + "edge-properties.names");
  if (names == nullptr || names->empty()) return std::nullopt;
  const std::vector<std::string_view> columns = split_list(*names);
  const std::string* const chosen = properties.find(prefix + "sssp.weight-property");
  const auto found = chosen == nullptr ? columns.begin() : std::find(columns.begin(), columns.end(), *chosen);
  if (found == columns.end()) {
    properties.refuse(prefix + "sssp.weight-property", "one of the edge-properties: " + *names);
  }
  return static_cast<unsigned>(found - columns.begin()) + 3;  // after both ends, counted from 1
}

void read_parameters(const Properties& properties, const std::string& prefix, DataSet& set) {
  if (set.has(Algorithm::bfs)) {
    set.bfs_root = properties.number<std::uint64_t>(prefix + "bfs.source-vertex", a_number);
  }
  if (set.has(Algorithm::sssp)) {
    set.sssp_root = properties.number<std::uint64_t>(prefix + "sssp.source-vertex", a_number);
    if (!set.weight_column) {
      throw core::DataError::in_file(
          properties.path(), "names sssp among the algorithms, but no edge-properties for its weights");
    }
  }
  if (set.has(Algorithm::cdlp)) {
    set.cdlp_iterations = properties.number<std::uint64_t>(prefix + "cdlp.max-iterations", a_number);
  }
  if (set.has(Algorithm::pr)) {
    set.pr_iterations = properties.number<std::uint64_t>(prefix + "pr.num-iterations", a_number);
    constexpr const char* expected = "a number of 0 or more, below 1";
    set.damping = properties.number<double>(prefix + "pr.damping-factor", expected);
    if (!(set.damping >= 0 && set.damping < 1)) properties.refuse(prefix + "pr.damping-factor", expected);
  }
}

}  // namespace

bool DataSet::has(Algorithm algorithm) const {
  return std::find(algorithms.begin(), algorithms.end(), algorithm) != algorithms.end();
}

std::string DataSet::reference_file(Algorithm algorithm) const {
  std::string suffix(graphalytics::name(algorithm));
  for (char& letter : suffix) letter = static_cast<char>(letter - 'a' + 'A');
  return (std::filesystem::path(properties).parent_path() / (name + "-" + suffix)).string();
}

DataSet read_data_set(const std::string& path, core::IoStatistics& io) {
  std::error_code failed;
  const Properties properties(std::filesystem::is_directory(path, failed) ? find_properties(path) : path, io);
  DataSet set;
  set.properties = properties.path();
  set.name = properties.graph_name();
  const std::string prefix = "graph." + set.name + ".";
  const auto beside = std::filesystem::path(set.properties).parent_path();
  set.vertex_file = (beside / properties.text(prefix + "vertex-file")).string();
  set.edge_file = (beside / properties.text(prefix + "edge-file")).string();
  set.directed = properties.flag(prefix + "directed");
  const auto declared = [&](const std::string& key) -> std::optional<std::uint64_t> {
    if (properties.find(prefix + key) == nullptr) return std::nullopt;
    return properties.number<std::uint64_t>(prefix + key, a_number);
  };
  set.vertices = declared("meta.vertices");
  set.edges = declared("meta.edges");
  set.weight_column = find_weights(properties, prefix);
  for (const std::string_view word : split_list(properties.text(prefix + "algorithms"))) {
    const auto found = std::find_if(all_algorithms.begin(), all_algorithms.end(), [&](Algorithm algorithm) {
      return graphalytics::name(algorithm) == word;
    });
    if (found == all_algorithms.end()) {
      properties.refuse(prefix + "algorithms", "names among bfs, pr, wcc, cdlp, lcc, sssp");
    }
    set.algorithms.push_back(*found);
  }
  if (set.algorithms.empty()) {
    properties.refuse(prefix + "algorithms", "at least one of bfs, pr, wcc, cdlp, lcc, sssp");
  }
  read_parameters(properties, prefix, set);
  return set;
}

}  // namespace emgraph::graph::graphalytics
