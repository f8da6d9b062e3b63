// SPDX-License-Identifier: MIT
// Two files: bits, and what they mean.
#include "graph/format/webgraph/open_webgraph.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/format/source/whole_file.hpp"
#include "graph/format/webgraph/webgraph_properties.hpp"
#include "graph/format/webgraph/webgraph_source.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t most_properties_bytes = core::MiB;

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

std::string properties_path(const std::string& path) {
  constexpr std::string_view extension = ".graph";
  return (path.ends_with(extension) ? path.substr(0, path.size() - extension.size()) : path) + ".properties";
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
  // Bits may happen to look like a METIS file, beside which properties of something else may lie.
  const std::string properties = properties_path(start.path);
  if (start.printable()) return says_bvgraph(properties);
  if (is_file(properties)) return true;
  if (start.bytes.empty()) return false;
  // Without properties it is still told from a damaged METIS file, which begins like text.
  const bool utf16 = start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff");
  const char first = start.text().front();
  return !utf16 && first != '%' && first != ' ' && !(first >= '0' && first <= '9');
}

Opened open_webgraph(core::Environment& environment, core::InputFile input, const Format& format,
                     const OpenOptions& options) {
  check_regular_file(input, format.name, "needs a file of properties beside it, which a pipe cannot have");
  const std::string path = properties_path(input.path());
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
