// SPDX-License-Identifier: MIT
// Opens an edge input by the options, and picks the record type once.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "apps/files/record_type.hpp"
#include "apps/files/relabelled_input.hpp"
#include "apps/run/session.hpp"
#include "core/base/error.hpp"
#include "graph/format/raw/npy.hpp"
#include "graph/format/table/open.hpp"

namespace emgraph::apps {

/// `id_bytes` (of text; generators know their own) 0: as --nodes asks for, else the format's default. A
/// generator without a seed of its own takes --seed.
std::unique_ptr<graph::format::EdgeInput> open_edge_input(Session& session, const std::string& input,
                                                          std::size_t id_bytes);

/// The same with the ids that --relabel, --labels or a map give its nodes. Opens `map` where there is --map.
std::unique_ptr<graph::format::EdgeInput> open_input_with_ids(Session& session, const std::string& input,
                                                              std::size_t id_bytes, IdMap& map);

/// The header of `input` if it is an .npy file with one axis, that is a node result. Standard input is taken
/// for edges. Throws EnvironmentError, DataError (a damaged .npy header).
std::optional<graph::format::NpyHeader> node_result_header(Session& session, const std::string& input);

/// True if the input can be opened a second time: standard input and FIFOs cannot.
bool reopenable(const std::string& input);

/// Calls `work.template operator()<R>(EdgeInput&, EdgeSource<R>&)`, R by `attachments` (an Attachments<…>).
/// With --relabel or --labels the ids are numbers then; the map is complete when `work` is done.
/// When text turns out to hold ids that need 8 bytes it starts again with such ids: `work` must bear being
/// called twice, the first time ending in IdTooWide, with nothing written that cannot be taken back.
/// `id_bytes`: to start with, as open_edge_input.
template <class List, class Work>
void with_edges(Session& session, const std::string& input, List attachments, Work&& work,
                std::size_t id_bytes = 0) {
  bool narrow = false;
  const auto attempt = [&](std::size_t wanted_bytes) {
    IdMap map;
    const auto edges = open_input_with_ids(session, input, wanted_bytes, map);
    const graph::EdgeLayout& layout = edges->facts().layout;
    narrow = layout.id_bytes == 4;
    with_record_type(layout, attachments, [&]<class R>() {
      const auto source = edges->template source<R>();
      work.template operator()<R>(*edges, *source);
    });
    map.finish(session);
  };
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
  attempt(8);
}

}  // namespace emgraph::apps
