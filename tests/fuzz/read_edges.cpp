// SPDX-License-Identifier: MIT
// Reads edges in all ways: from a file twice, with two lanes, from a pipe, with a detected format.
#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "core/base/bytes.hpp"
#include "graph/format/adjacency/adjacency_file.hpp"
#include "graph/format/source/record_source.hpp"
#include "graph/format/table/detect.hpp"
#include "graph/format/table/format.hpp"
#include "tests/fuzz/reading.hpp"
#include "tests/fuzz/small_environment.hpp"
#include "tests/fuzz/targets.hpp"

namespace emgraph::fuzz {
namespace {

using namespace graph;          // NOLINT: test code
using namespace graph::format;  // NOLINT: test code

struct SeenEdge {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  std::array<std::byte, max_attachment_bytes> attachment{};
  bool operator==(const SeenEdge&) const = default;
};
using EdgeReading = Reading<SeenEdge>;

/// Formats that need a second file. An input is the second file (text), a zero byte, then the main file.
struct Companion {
  std::string_view format;
  const char* file;
  const char* companion_file;
};
constexpr std::array companions = {Companion{"webgraph", "edges.graph", "edges.properties"}};

/// Formats whose first lines the user must skip, and their number.
constexpr std::uint64_t lines_to_skip(const Format& format) {
  return format.name == "jlg" ? 1 : 0;
}

/// One way to read: the number of lanes and the shape of records.
struct Way {
  std::string name;
  const Format* format = nullptr;  ///< null: detected
  unsigned lanes = 1;
  std::size_t text_id_bytes = 4;
  bool wide = false;  ///< reads 4-byte ids as 8 bytes
  bool twice = false;
  bool sampled = false;
};

core::PairShape shape_for(const EdgeLayout& layout, std::size_t id_bytes) {
  return record_shape(id_bytes, layout.attachment_bytes());
}

void append(const RecordBatch& batch, const core::PairShape& shape, std::vector<SeenEdge>& edges) {
  for (std::size_t i = 0; i < batch.count; ++i) {
    const std::byte* const row = batch.records + i * shape.row_bytes;
    SeenEdge edge;
    std::memcpy(&edge.source, row, shape.integer_bytes);
    std::memcpy(&edge.target, row + shape.integer_bytes, shape.integer_bytes);
    std::memcpy(edge.attachment.data(), row + 2 * shape.integer_bytes, shape.attachment_bytes);
    edges.push_back(edge);
  }
}

/// Reads from the lanes in turn, in one thread, and orders the batches by their numbers. False: too many
/// edges.
bool drain(const Way& way, RecordSource& source, const core::PairShape& shape, std::vector<SeenEdge>& edges) {
  std::vector<std::unique_ptr<RecordLane>> lanes;
  for (unsigned i = 0; i < way.lanes; ++i) lanes.push_back(source.lane(shape));
  struct Piece {
    std::uint64_t first_edge;
    std::vector<SeenEdge> edges;
  };
  std::vector<Piece> pieces;
  std::size_t count = 0;
  for (std::size_t ended = 0; ended < lanes.size();) {
    for (auto& lane : lanes) {
      if (lane == nullptr) continue;
      const RecordBatch batch = lane->next();
      if (batch.count == 0) {
        lane.reset();
        ++ended;
        continue;
      }
      count += batch.count;
      if (count > most_items) return false;
      pieces.push_back({lane->first_edge(), {}});
      append(batch, shape, pieces.back().edges);
    }
  }
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.first_edge < b.first_edge; });
  for (const Piece& piece : pieces) {
    if (piece.first_edge != edges.size()) {
      finding(way.name + ": a batch says it begins with edge " + std::to_string(piece.first_edge) +
              ", there are " + std::to_string(edges.size()) + " before it");
    }
    edges.insert(edges.end(), piece.edges.begin(), piece.edges.end());
  }
  if (source.facts().edges && *source.facts().edges != edges.size()) {
    finding(way.name + ": " + std::to_string(edges.size()) + " edges where " +
            std::to_string(*source.facts().edges) + " were declared");
  }
  return true;
}

bool read_as(const Way& way, const Format& format, core::InputFile input, std::vector<SeenEdge>& edges) {
  SmallEnvironment environment;
  const Opened opened = format.open(
      environment.get(), std::move(input), format,
      {.id_bytes = way.text_id_bytes, .text = {.skip_lines = lines_to_skip(format)}, .max_lanes = way.lanes});
  RecordSource& source = *opened.source;
  const EdgeLayout& layout = source.facts().layout;
  const core::PairShape shape = shape_for(layout, way.wide ? 8 : layout.id_bytes);
  if (way.sampled) source.sample(shape, 100);
  if (!drain(way, source, shape, edges)) return false;
  if (way.twice && source.rewindable()) {
    source.rewind();
    std::vector<SeenEdge> again;
    if (!drain(way, source, shape, again) || again != edges) {
      finding(way.name + ": other edges the second time");
    }
  }
  return true;
}

/// Some formats can be detected only with the size of a file, so a pipe may be refused.
const Format& detect_in_pipe(core::InputFile& input) {
  SmallEnvironment environment;
  try {
    return detect_format(environment.get(), input);
  } catch (const core::DataError& error) {
    throw core::UsageError(error.what());
  }
}

/// Sets `too_wide` if the text must be read with 8-byte ids.
EdgeReading read(const Way& way, const std::string& path, bool* too_wide = nullptr) {
  const std::string name = way.name + (way.format ? " as " + std::string(way.format->name) : ", detected");
  return attempt<SeenEdge>(name, [&](std::vector<SeenEdge>& edges) {
    core::IoStatistics statistics;
    core::InputFile input(path, statistics);
    const Format& format = way.format ? *way.format : detect_in_pipe(input);
    try {
      return read_as(way, format, std::move(input), edges);
    } catch (const IdTooWide&) {
      if (too_wide != nullptr) *too_wide = true;
      throw;
    }
  });
}

/// Reads a regular file with a format detected by its content and name.
const Format* detect(const std::string& path) {
  core::IoStatistics statistics;
  const Format* found = nullptr;
  attempt<SeenEdge>("detection of " + path, [&](auto&) {
    SmallEnvironment environment;
    core::InputFile input(path, statistics);
    found = &detect_format(environment.get(), input);
    return true;
  });
  return found;
}

/// Reads the lists of an adjacency as a search does. They may differ from those of a scan: resealed pages can
/// hold wrong directories.
template <class Id>
void look_up(const std::string& path, const EdgeReading& edges) {
  attempt<SeenEdge>("lists of nodes", [&](auto&) {
    SmallEnvironment environment;
    const auto adjacency = adjacency::open_adjacency<Id>(environment.get(), path);
    adjacency->open_cache(64 * core::KiB);
    std::vector<Id> nodes;
    for (const SeenEdge& edge : edges.items) {
      const auto node = static_cast<Id>(edge.source);
      if (nodes.empty() || nodes.back() < node) nodes.push_back(node);
    }
    const adjacency::AdjacencyFacts& facts = adjacency->facts();
    const auto check_list = [&](Id, std::span<const Id> list) {
      for (const Id neighbour : list) {
        if (neighbour >= facts.nodes) finding("a list holds an id that is not below n");
      }
    };
    if (facts.weight == WeightType::none) {
      adjacency->select(std::span<const Id>(nodes), check_list);
      return true;
    }
    adjacency->select(std::span<const Id>(nodes),
                      [&](Id node, std::span<const Id> list, std::span<const std::uint64_t> weights) {
                        check_list(node, list);
                        if (weights.size() != list.size())
                          finding("a list holds more or fewer weights than neighbours");
                        for (const std::uint64_t weight : weights) {
                          if (!facts.weights.contains(rank_of_weight(facts.weight, weight))) {
                            finding("a list holds a weight that is not within those of the footer");
                          }
                        }
                      });
    return true;
  });
}

}  // namespace

Accepted read_edges(const std::string& name, Bytes input) {
  static MemoryFile file;
  static MemoryFile companion_file;
  const Format& format = *find_format(name);
  std::string file_name = "edges." + name;
  const auto companion = std::find_if(companions.begin(), companions.end(),
                                      [&](const Companion& c) { return c.format == name; });
  if (companion != companions.end()) {
    const auto zero = std::find(input.begin(), input.end(), std::byte{0});
    const auto length = static_cast<std::size_t>(zero - input.begin());
    companion_file.write(input.first(length));
    companion_file.path_called(companion->companion_file);
    input = input.subspan(std::min(input.size(), length + 1));
    file_name = companion->file;
  }
  file.write(input);
  const std::string& path = file.path_called(file_name);

  bool too_wide = false;
  Way way{.name = "file", .format = &format, .twice = true, .sampled = true};
  EdgeReading edges = read(way, path, &too_wide);
  if (too_wide) {
    way.text_id_bytes = 8;
    edges = read(way, path);
  }
  const auto compare = [&](const Way& other, const std::string& other_path) {
    expect_same("file", edges, other.name, read(other, other_path));
  };
  const std::size_t id_bytes = way.text_id_bytes;
  compare(
      {.name = "file by two lanes", .format = &format, .lanes = 2, .text_id_bytes = id_bytes, .wide = true},
      path);
  compare({.name = "pipe", .format = &format, .text_id_bytes = id_bytes}, FullPipe(input).path());
  if (const Format* detected = detect(path); detected != nullptr && detected != &format) {
    read({.name = "file", .format = detected}, path);
  }
  if (detect(file.path()) == &format) {
    compare({.name = "pipe", .text_id_bytes = id_bytes}, FullPipe(input).path());
  }
  if (name == "adj" && edges.ending == Ending::complete) {
    std::uint32_t width = 0;  // width of ids in the header
    std::memcpy(&width, input.data() + 16, sizeof(width));
    width == 4 ? look_up<std::uint32_t>(path, edges) : look_up<std::uint64_t>(path, edges);
  }
  if (edges.ending == Ending::complete) return true;
  if (edges.ending == Ending::data_error) return false;
  return std::nullopt;
}

}  // namespace emgraph::fuzz
