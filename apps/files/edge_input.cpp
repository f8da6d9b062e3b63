// SPDX-License-Identifier: MIT
// Converts options to OpenOptions.
#include "apps/files/edge_input.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "apps/files/filtered_input.hpp"
#include "apps/files/foreseen_numbering.hpp"
#include "apps/files/output_check.hpp"
#include "apps/files/stand_in.hpp"
#include "apps/files/watched_source.hpp"
#include "core/base/error.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/table/open_several.hpp"
#include "graph/prepare/filtered_source.hpp"

namespace emgraph::apps {

namespace {

/// The options that apply to every input.
graph::format::OpenOptions open_options(Session& session, const Inputs& inputs, Carry carry) {
  const CommonOptions& options = session.options();
  graph::format::OpenOptions open;
  if (!options.input_format.empty()) open.format = graph::format::format_called(options.input_format).name;
  open.skip_bytes = options.skip_bytes;
  open.part_of_inputs = options.one_of_ranks;
  open.nodes = options.nodes;
  open.id_base = options.id_base;
  open.bipartite = options.bipartite;
  open.text = options.text;
  if (open.text.left_out != nullptr) open.text.left_out->set_inputs(inputs.names());
  open.max_lanes = session.environment().threads;
  open.weights_may_differ =
      (carry == Carry::nothing || carry == Carry::weights_if_equal) && !options.filter.by_weight();
  return open;
}

/// Finds n of inputs of which only some declare it: their n, or the largest id + 1 if that is more.
void find_nodes(Session& session, graph::format::EdgeInput& edges) {
  core::Environment& environment = session.environment();
  if (!edges.records()->rewindable()) {
    throw core::UsageError(fmt::format(
        "{}: some declare their number of nodes, others do not, and a pipe is not read twice to find it: "
        "give --nodes N",
        edges.facts().name));
  }
  const auto counted = graph::prepare::count_nodes(environment, *edges.records(), environment.threads);
  edges.declare_nodes(std::max(*edges.least_nodes(), counted.nodes(std::nullopt)));
}

}  // namespace

std::unique_ptr<graph::format::EdgeInput> open_edge_input(Session& session, const Inputs& inputs, Carry carry,
                                                          std::size_t id_bytes) {
  const CommonOptions& options = session.options();
  graph::format::OpenOptions open = open_options(session, inputs, carry);
  std::vector<std::string> names = inputs.names();
  for (std::string& name : names) {
    const bool seedless = graph::format::is_generator(name) && name.find("seed=") == std::string::npos;
    if (options.seed_given && seedless) name += fmt::format(",seed={}", options.seed);
  }
  const bool generator = names.size() == 1 && graph::format::is_generator(names[0]);
  if (generator) id_bytes = 0;  // it chooses the width of its ids
  if (id_bytes == 0 && options.nodes > std::uint64_t{1} << 32) id_bytes = 8;
  // Ids to relabel may have any size.
  if (options.relabel && !generator) id_bytes = 8;
  if (id_bytes != 0) open.id_bytes = id_bytes;
  auto edges = names.size() == 1 && !open.part_of_inputs
                   ? graph::format::open_edges(session.environment(), names[0], open)
                   : graph::format::open_several(session.environment(), names, open);
  for (const std::string& note : edges->notes()) session.warn_once(note);
  if (!generator) {
    edges->wrap(
        std::make_shared<WatchedSource>(edges->release(), [&session] { session.note_second_reading(); }));
  }
  return edges;
}

std::unique_ptr<graph::format::EdgeInput> open_input_with_ids(Session& session, const Inputs& inputs,
                                                              Carry carry, std::size_t id_bytes, IdMap& map) {
  for (const std::string& name : inputs.names()) session.watch_input(name);
  const CommonOptions& options = session.options();
  if (!options.map.empty()) check_map_output(inputs.names(), options);
  if (options.labels) {
    const graph::format::OpenOptions open = open_options(session, inputs, carry);
    return options.rehearse ? foresee_numbered_labels(session, inputs, open)
                            : number_labels(session, inputs, open, map);
  }
  auto edges = open_edge_input(session, inputs, carry, id_bytes);
  if (options.filter.before_relabel) filter_input(session, *edges);
  if (options.relabel && options.rehearse) return foresee_relabelling(session, inputs, *edges, map);
  relabel_input(session, inputs, *edges, map);
  if (!edges->facts().nodes && edges->least_nodes() && !options.relabel) find_nodes(session, *edges);
  return edges;
}

std::optional<graph::format::NpyHeader> node_result_header(Session& session, const std::string& input) {
  // A pipe is opened once: its writer may be gone when it is opened again.
  // A file that is standard input is opened by this name, which leaves the descriptor at its start.
  const bool at_start = input == "-" && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
  const std::string name = at_start ? "/dev/stdin" : input;
  if (graph::format::is_generator(name) || !reopenable({name}) || !session.options().input_format.empty())
    return std::nullopt;
  core::InputFile file(name, session.environment().io);
  if (!graph::format::is_npy(file.peek(sizeof graph::format::npy_magic))) return std::nullopt;
  const graph::format::NpyArray array = graph::format::read_npy_array(
      file.name(), [&](std::span<std::byte> bytes) { return file.read_next(bytes); });
  if (array.shape.size() != 1) return std::nullopt;
  core::InputFile values(name, session.environment().io);
  return graph::format::read_npy_header(values, graph::format::NpyItems::numbers);
}

bool reopenable(const Inputs& inputs) {
  return std::ranges::all_of(inputs.names(),
                             [](const std::string& name) { return graph::format::reopenable(name); });
}

std::size_t carried_bytes(const graph::EdgeLayout& layout, Carry carry) {
  if (carry == Carry::nothing) return 0;
  const bool all = carry == Carry::everything || layout.attachment_bytes() <= 8;
  return all ? layout.attachment_bytes() : graph::weight_bytes(layout.weight);
}

void with_input(Session& session, const Inputs& inputs, Carry carry,
                core::FunctionRef<void(graph::format::EdgeInput&)> work, std::size_t id_bytes) {
  if (session.options().stand_in) {
    work(*open_stand_in(*session.options().stand_in));
    return;
  }
  bool narrow = false;
  const auto attempt = [&](std::size_t wanted_bytes) {
    IdMap map;
    const auto edges = open_input_with_ids(session, inputs, carry, wanted_bytes, map);
    narrow = edges->facts().layout.id_bytes == 4;
    if (!session.options().filter.before_relabel) filter_input(session, *edges);
    foresee_phases(session, {},
                   {.facts = edges->facts(),
                    .rewindable = edges->records()->rewindable(),
                    .quick_to_reread = edges->records()->quick_to_reread()});
    work(*edges);
    map.finish(session);
  };
  core::Checkpoint* const checkpoint = session.checkpoint();
  if (checkpoint != nullptr && checkpoint->id_bytes() != 0) id_bytes = checkpoint->id_bytes();
  narrow = id_bytes != 8;  // opening may read all edges of several inputs
  try {
    attempt(id_bytes);
    return;
  } catch (const graph::format::IdTooWide& error) {
    if (!narrow) throw;
    if (!reopenable(inputs)) {
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
