// SPDX-License-Identifier: MIT
// The order of evidence: magic numbers, names, looks.
#include "graph/format/detect.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "graph/adjacency/adjacency_layout.hpp"
#include "graph/format/container_layout.hpp"
#include "graph/format/extension.hpp"
#include "graph/format/npy.hpp"
#include "graph/format/raw_layout.hpp"
#include "graph/format/text_stream.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t looked_at_bytes = 4096;

bool starts_with(std::span<const std::byte> bytes, std::string_view text) {
  return bytes.size() >= text.size() && std::memcmp(bytes.data(), text.data(), text.size()) == 0;
}

constexpr std::array<std::string_view, 7> text_names = {"text", "txt", "tsv", "csv", "el", "edges", "snap"};

/// Known to others, not (yet) to us: magic and what to say.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> foreign_magic = {{
    {"%%MatrixMarket", "is a Matrix Market file, which this version cannot read yet"},
    {"PAR1", "is a Parquet file: convert it with Python (pandas, then numpy.save of an m x 2 array)"},
    {"nkbg00", "is a NetworKit binary graph: export it as an edge list"},
    {"AdjacencyGraph", "is a Ligra adjacency graph: export it as an edge list"},
}};

constexpr std::array<std::string_view, 6> foreign_names = {"mtx", "graph", "gr", "sg", "wsg", "wel"};

bool is_text_name(std::string_view name) {
  return std::find(text_names.begin(), text_names.end(), name) != text_names.end();
}

bool is_foreign_name(std::string_view name) {
  return std::find(foreign_names.begin(), foreign_names.end(), name) != foreign_names.end();
}

}  // namespace

bool is_printable(std::span<const std::byte> bytes) {
  return !bytes.empty() && std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) {
    const auto c = static_cast<unsigned char>(byte);
    return c == '\t' || c == '\n' || c == '\r' || (c >= ' ' && c != 0x7f);
  });
}

std::string detect_format(core::InputFile& input) {
  const std::span<const std::byte> start = input.peek(looked_at_bytes);
  const std::string extension = extension_of(input.path());
  const auto refuse = [&](std::string_view what) {
    throw core::DataError::in_file(input.name(), std::string(what));
  };
  if (start.size() >= container_magic.size() &&
      std::memcmp(start.data(), container_magic.data(), container_magic.size()) == 0) {
    return "emg";
  }
  if (start.size() >= adjacency::adjacency_magic.size() &&
      std::memcmp(start.data(), adjacency::adjacency_magic.data(), adjacency::adjacency_magic.size()) == 0) {
    return "adj";
  }
  if (packing_of(start) != Packing::none) return "text";
  if (is_npy(start)) return "npy";
  for (const auto& [magic, what] : foreign_magic) {
    if (starts_with(start, magic)) refuse(what);
  }
  if (starts_with(start, "\xff\xfe") || starts_with(start, "\xfe\xff")) {
    refuse("is UTF-16, expected ASCII or UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)");
  }
  if (raw_layout(extension)) return extension;
  if (is_foreign_name(extension)) refuse("." + extension + " files cannot be read by this version yet");
  if (extension == "npy") refuse("has no NumPy header, expected one in a .npy file");
  if (start.empty() && is_text_name(extension)) return "text";
  if (start.empty())
    refuse("is empty, expected edges; --input-format text or u32 takes it as a graph without edges");
  // Before the look at the text: ids whose bytes all happen to be letters are no text.
  if (extension == "adj") refuse("has no header of an adjacency, expected one in a .adj file");
  if (extension == "bin" || extension == "emg") {
    refuse(
        "has no emgraph header, and raw binary is not guessed: say --input-format u32 (or u64, u32w, u64w, "
        "f32w) "
        "if it holds pairs of little-endian ids");
  }
  if (is_printable(start)) return "text";
  refuse(
      "is of no known format, and raw binary is not guessed: say --input-format u32 (or u64, u32w, u64w, "
      "f32w) "
      "if it holds pairs of little-endian ids");
  return "";
}

std::string known_format(const std::string& name) {
  if (name == "emg" || name == "bin" || name == "emgraph") return "emg";
  if (raw_layout(name) || name == "npy" || name == "adj") return name;
  if (is_text_name(name)) return "text";
  for (const std::string_view text : {"text-u32w", "text-i64w", "text-f32w", "text-f64w"}) {
    if (name == text) return name;
  }
  if (is_foreign_name(name))
    throw core::UsageError("format '" + name + "' is not supported by this version yet");
  throw core::UsageError(
      "'" + name +
      "' is not a format (emg, adj, text, text-u32w, text-i64w, text-f32w, text-f64w, npy, u32, u64, "
      "u32w, u64w, f32w, f64w)");
}

}  // namespace emgraph::graph::format
