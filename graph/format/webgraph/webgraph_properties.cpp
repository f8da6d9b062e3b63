// SPDX-License-Identifier: MIT
// Parses lines of key and value; refuses unknown values that change the coding.
#include "graph/format/webgraph/webgraph_properties.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include "core/base/error.hpp"

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

}  // namespace emgraph::graph::format
