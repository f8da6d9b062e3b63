// SPDX-License-Identifier: MIT
// Converts options to OpenOptions.
#include "apps/files/edge_input.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include "apps/files/filtered_input.hpp"
#include "core/base/error.hpp"
#include "core/io/input_file.hpp"

namespace emgraph::apps {

namespace {

/// The options that apply to every input.
graph::format::OpenOptions open_options(Session& session) {
  const CommonOptions& options = session.options();
  graph::format::OpenOptions open;
  if (!options.input_format.empty()) open.format = options.input_format;
  open.skip_bytes = options.skip_bytes;
  open.nodes = options.nodes;
  open.id_base = options.id_base;
  open.text = options.text;
  open.max_lanes = session.environment().threads;
  return open;
}

}  // namespace

std::unique_ptr<graph::format::EdgeInput> open_edge_input(Session& session, const std::string& input,
                                                          std::size_t id_bytes) {
  const CommonOptions& options = session.options();
  graph::format::OpenOptions open = open_options(session);
  const bool generator = input.starts_with("gen:");
  if (generator) id_bytes = 0;  // it chooses the width of its ids
  if (id_bytes == 0 && options.nodes > std::uint64_t{1} << 32) id_bytes = 8;
  // Ids to relabel may have any size.
  if (options.relabel && !generator) id_bytes = 8;
  if (id_bytes != 0) open.id_bytes = id_bytes;
  std::string name = input;
  if (options.seed_given && generator && name.find("seed=") == std::string::npos) {
    name += fmt::format(",seed={}", options.seed);
  }
  auto edges = graph::format::open_edges(session.environment(), name, open);
  for (const std::string& note : edges->notes()) session.warn_once(edges->facts().name + ": " + note);
  return edges;
}

std::unique_ptr<graph::format::EdgeInput> open_input_with_ids(Session& session, const std::string& input,
                                                              std::size_t id_bytes, IdMap& map) {
  session.watch_input(input);
  if (session.options().labels) return number_labels(session, input, open_options(session), map);
  auto edges = open_edge_input(session, input, id_bytes);
  relabel_input(session, input, *edges, map);
  return edges;
}

std::optional<graph::format::NpyHeader> node_result_header(Session& session, const std::string& input) {
  if (input.starts_with("gen:") || !session.options().input_format.empty()) return std::nullopt;
  core::InputFile file(input, session.environment().io);
  if (!file.seekable() || !graph::format::is_npy(file.peek(sizeof graph::format::npy_magic)))
    return std::nullopt;
  graph::format::NpyHeader header = graph::format::read_npy_header(file, graph::format::NpyItems::numbers);
  if (header.shape.size() != 1) return std::nullopt;
  return header;
}

bool reopenable(const std::string& input) {
  if (input.starts_with("gen:")) return true;
  struct stat status {};
  return input != "-" && stat(input.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::size_t carried_bytes(const graph::EdgeLayout& layout, Carry carry) {
  if (carry == Carry::nothing) return 0;
  const bool all = carry == Carry::everything || layout.attachment_bytes() <= 8;
  return all ? layout.attachment_bytes() : graph::weight_bytes(layout.weight);
}

void with_input(Session& session, const std::string& input,
                const std::function<void(graph::format::EdgeInput&)>& work, std::size_t id_bytes) {
  bool narrow = false;
  const auto attempt = [&](std::size_t wanted_bytes) {
    IdMap map;
    const auto edges = open_input_with_ids(session, input, wanted_bytes, map);
    narrow = edges->facts().layout.id_bytes == 4;
    filter_input(session, *edges);
    work(*edges);
    map.finish(session);
  };
  core::Checkpoint* const checkpoint = session.checkpoint();
  if (checkpoint != nullptr && checkpoint->id_bytes() != 0) id_bytes = checkpoint->id_bytes();
  try {
    attempt(id_bytes);
    return;
  } catch (const graph::format::IdTooWide& error) {
    if (!narrow) throw;
    if (!reopenable(input)) {
      throw core::DataError(
          std::string(error.what()) +
          "; a pipe cannot be read again: give --nodes N above 2^32 to read ids of 8 bytes");
    }
  }
  session.phases().discard();
  if (checkpoint != nullptr) checkpoint->start_again(8);
  attempt(8);
}

}  // namespace emgraph::apps
