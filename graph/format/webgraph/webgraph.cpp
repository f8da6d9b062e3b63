// SPDX-License-Identifier: MIT
// Opens two files: the bits and their properties. Refuses unknown properties that change the coding.
#include "graph/format/webgraph/webgraph.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/format/source/laned_source.hpp"
#include "graph/format/webgraph/webgraph_source.hpp"

namespace emgraph::graph::format {

namespace {

constexpr std::string_view blanks = " \t\f";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

class Properties {
 public:
  Properties(const std::string& name, std::string_view text) : name_(name) {
    std::uint64_t number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
      const std::string_view line = trimmed(text.substr(0, end));
      const bool carriage = text.substr(end).starts_with("\r\n");
      text.remove_prefix(std::min(text.size(), end + (carriage ? 2 : 1)));
      ++number;
      if (line.empty() || line.front() == '#' || line.front() == '!') continue;
      const std::size_t split = line.find_first_of("=: \t\f");
      if (split == std::string_view::npos || split == 0) {
        throw core::DataError::at_line(name, number,
                                       "'" + std::string(line.substr(0, 60)) + "', expected KEY=VALUE");
      }
      std::string_view value = trimmed(line.substr(split));
      if (value.starts_with('=') || value.starts_with(':')) value = trimmed(value.substr(1));
      values_[std::string(line.substr(0, split))] = value;
    }
  }

  std::string_view text(const std::string& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? std::string_view() : found->second;
  }

  /// The value of a key; if it is missing, `otherwise`, or an error without one.
  std::uint64_t number(const std::string& key, std::uint64_t least, std::uint64_t most,
                       std::optional<std::uint64_t> otherwise = std::nullopt) const {
    const std::string_view value = text(key);
    if (value.empty()) {
      if (otherwise) return *otherwise;
      throw core::DataError::in_file(name_, "says no " + key + ", expected " + key + "=NUMBER");
    }
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < least || number > most) {
      throw core::DataError::in_file(name_, key + "=" + std::string(value.substr(0, 60)) + ", expected " +
                                                std::to_string(least) + " to " + std::to_string(most));
    }
    return number;
  }

  [[noreturn]] void refuse(const std::string& key, const std::string& expected) const {
    throw core::DataError::in_file(
        name_, key + "=" + std::string(text(key).substr(0, 200)) + ", expected " + expected);
  }

 private:
  const std::string& name_;
  std::map<std::string, std::string_view> values_;
};

struct Flag {
  std::string_view name;
  BitCode WebgraphProperties::*code;
  BitCode value;
};

constexpr std::array known_flags = {
    Flag{"OUTDEGREES_GAMMA", &WebgraphProperties::outdegrees, BitCode::gamma},
    Flag{"OUTDEGREES_DELTA", &WebgraphProperties::outdegrees, BitCode::delta},
    Flag{"BLOCKS_GAMMA", &WebgraphProperties::blocks, BitCode::gamma},
    Flag{"BLOCKS_DELTA", &WebgraphProperties::blocks, BitCode::delta},
    Flag{"BLOCK_COUNT_GAMMA", &WebgraphProperties::block_counts, BitCode::gamma},
    Flag{"BLOCK_COUNT_DELTA", &WebgraphProperties::block_counts, BitCode::delta},
    Flag{"BLOCK_COUNT_UNARY", &WebgraphProperties::block_counts, BitCode::unary},
    Flag{"REFERENCES_GAMMA", &WebgraphProperties::references, BitCode::gamma},
    Flag{"REFERENCES_DELTA", &WebgraphProperties::references, BitCode::delta},
    Flag{"REFERENCES_UNARY", &WebgraphProperties::references, BitCode::unary},
    Flag{"RESIDUALS_GAMMA", &WebgraphProperties::residuals, BitCode::gamma},
    Flag{"RESIDUALS_DELTA", &WebgraphProperties::residuals, BitCode::delta},
    Flag{"RESIDUALS_ZETA", &WebgraphProperties::residuals, BitCode::zeta},
    Flag{"RESIDUALS_NIBBLE", &WebgraphProperties::residuals, BitCode::nibble},
};

/// "A | B | …".
void apply_flags(const Properties& text, WebgraphProperties& properties) {
  std::string_view rest = properties.flags;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('|'), rest.size());
    const std::string_view name = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(rest.size(), end + 1));
    // The coding of the offsets file does not matter here.
    if (name.empty() || name.starts_with("OFFSETS_")) continue;
    const auto* const flag = std::find_if(known_flags.begin(), known_flags.end(),
                                          [&](const Flag& known) { return known.name == name; });
    if (flag == known_flags.end()) {
      text.refuse("compressionflags",
                  "none but those of gamma, delta, zeta, unary and nibble codes, found " + std::string(name));
    }
    properties.*flag->code = flag->value;
  }
}

}  // namespace

WebgraphProperties parse_webgraph_properties(const std::string& name, std::string_view text) {
  const Properties found(name, text);
  if (found.text("graphclass").find("BVGraph") == std::string_view::npos) {
    found.refuse("graphclass", "that of a BVGraph");
  }
  if (const std::string_view order = found.text("endianness"); !order.empty() && order != "big") {
    found.refuse("endianness", "big, as WebGraph itself writes");
  }
  found.number("version", 0, 0, 0);
  WebgraphProperties properties;
  properties.nodes = found.number("nodes", 0, webgraph_most);
  properties.arcs = found.number("arcs", 0, webgraph_most);
  properties.window_size = found.number("windowsize", 0, webgraph_largest_window);
  properties.least_interval = found.number("minintervallength", 0, webgraph_most);
  properties.zeta_k = static_cast<unsigned>(found.number("zetak", 1, webgraph_largest_k, properties.zeta_k));
  properties.flags = found.text("compressionflags");
  apply_flags(found, properties);
  return properties;
}

std::string webgraph_properties(const std::string& graph) {
  constexpr std::string_view extension = ".graph";
  return (graph.ends_with(extension) ? graph.substr(0, graph.size() - extension.size()) : graph) +
         ".properties";
}

namespace {

constexpr std::size_t most_properties_bytes = core::MiB;

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

std::string read_all(core::Environment& environment, const std::string& path) {
  core::InputFile file(path, environment.io);
  std::string text(most_properties_bytes, '\0');
  text.resize(file.read_next(std::as_writable_bytes(std::span(text))));
  if (text.size() == most_properties_bytes) {
    throw core::DataError::at_offset(path, text.size(), "more than 1 MiB, expected some lines of KEY=VALUE");
  }
  return text;
}

bool says_bvgraph(const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("graphclass") && line.find("BVGraph") != std::string::npos) return true;
  }
  return false;
}

}  // namespace

bool is_webgraph(const FileStart& start) {
  if (start.extension != "graph" || start.packed) return false;
  if (start.size == 0 && !start.bytes.empty()) return false;  // a pipe
  // The bits may look like a METIS file, and a METIS file may have an unrelated .properties file.
  const std::string properties = webgraph_properties(start.path);
  if (start.printable()) return says_bvgraph(properties);
  if (is_file(properties)) return true;
  if (start.bytes.empty()) return false;
  // Without properties it is distinguished from a damaged METIS file, which starts like text.
  const bool utf16 = start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff");
  const char first = start.text().front();
  return !utf16 && first != '%' && first != ' ' && !(first >= '0' && first <= '9');
}

Opened open_webgraph(core::Environment& environment, core::InputFile input, const Format& format,
                     const OpenOptions& options) {
  check_regular_file(input, format.name, "needs a file of properties beside it, which a pipe cannot have");
  const std::string path = webgraph_properties(input.path());
  if (!is_file(path)) {
    throw core::DataError::in_file(input.name(),
                                   "is no text, and of a WebGraph file the properties are missing, "
                                   "expected in " +
                                       path);
  }
  const WebgraphProperties properties = parse_webgraph_properties(path, read_all(environment, path));
  auto source =
      std::make_shared<WebgraphSource>(environment, std::move(input), properties, options.max_lanes);
  return {std::move(source),
          {},
          {{"windowsize", std::to_string(properties.window_size)},
           {"minintervallength", std::to_string(properties.least_interval)},
           {"zetak", std::to_string(properties.zeta_k)},
           {"compressionflags", properties.flags}}};
}

}  // namespace emgraph::graph::format
