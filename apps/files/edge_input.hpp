// SPDX-License-Identifier: MIT
// Opens an edge input according to the options, and selects the type of ids once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "apps/command_line/inputs.hpp"
#include "apps/files/relabelled_input.hpp"
#include "apps/run/session.hpp"
#include "core/base/function_ref.hpp"
#include "graph/format/arrays/npy.hpp"
#include "graph/format/table/open.hpp"

namespace emgraph::apps {

/// The data of an edge besides its ends that a command takes. Without weights, or with `weights_if_equal`,
/// several inputs may have different weights and payloads; all are left out then.
enum class Carry { nothing, weights, weights_if_equal, everything };

/// `id_bytes`: of text ids; generators choose their own. 0: the width that --nodes needs, else the default of
/// the format. A generator whose name has no seed uses --seed. Several inputs are joined (open_several.hpp).
std::unique_ptr<graph::format::EdgeInput> open_edge_input(Session& session, const Inputs& inputs, Carry carry,
                                                          std::size_t id_bytes);

/// The same with ids translated by --relabel, --labels or a map. Opens `map` if --map is given.
std::unique_ptr<graph::format::EdgeInput> open_input_with_ids(Session& session, const Inputs& inputs,
                                                              Carry carry, std::size_t id_bytes, IdMap& map);

/// The header of `input` if it is an .npy file with one axis, that is, a node result. Standard input is
/// looked at only if it is a file at its start; a pipe is taken for edges. Throws EnvironmentError, DataError
/// (a damaged .npy header).
std::optional<graph::format::NpyHeader> node_result_header(Session& session, const std::string& input);

/// True if all inputs can be opened a second time.
bool reopenable(const Inputs& inputs);

/// Opens the input and calls `work`. With --relabel or --labels the ids are the new numbers; the map is
/// complete when `work` has returned. If text has ids that need 8 bytes and `work` was called for 4, `work`
/// throws IdTooWide and is called a second time, for ids of 8 bytes. The first call must not write anything
/// that cannot be removed. `id_bytes`: for the first call, as for open_edge_input.
void with_input(Session& session, const Inputs& inputs, Carry carry,
                core::FunctionRef<void(graph::format::EdgeInput&)> work, std::size_t id_bytes = 0);

/// Bytes that a solver gets with each edge. Weights have the payload with them if both are at most 8 bytes,
/// because the rows of a file can then be used without conversion.
std::size_t carried_bytes(const graph::EdgeLayout& layout, Carry carry);

/// with_input for `work.template operator()<Id>(EdgeInput&, EdgeSource<Id>&)`.
template <class Work>
void with_edges(Session& session, const Inputs& inputs, Carry carry, Work&& work) {
  with_input(session, inputs, carry, [&](graph::format::EdgeInput& edges) {
    const graph::EdgeLayout& layout = edges.facts().layout;
    const std::size_t carried = carried_bytes(layout, carry);
    if (layout.id_bytes == 4) {
      auto source = edges.source<std::uint32_t>(carried);
      work.template operator()<std::uint32_t>(edges, source);
    } else {
      auto source = edges.source<std::uint64_t>(carried);
      work.template operator()<std::uint64_t>(edges, source);
    }
  });
}

}  // namespace emgraph::apps
