// SPDX-License-Identifier: MIT
// The forecast of the searches of `bfs` on a graph of known size, in the chosen model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "core/base/bytes.hpp"
#include "core/io/output_file.hpp"
#include "graph/adjacency/page_marks.hpp"
#include "graph/adjacency/page_scan.hpp"
#include "graph/bfs/bfs.hpp"
#include "graph/bfs/choice.hpp"
#include "graph/bfs/external.hpp"
#include "graph/node_values.hpp"
#include "graph/prepare/edge_keys.hpp"

namespace emgraph::graph::bfs {

/// The searches on a graph of known size, for both kinds of input.
class SearchForecast {
 protected:
  // CPU time of all threads together, nanoseconds. Measured with scripts/bench_plan.py.
  static constexpr double search_nanoseconds = 11;  // per edge and root
  static constexpr double node_nanoseconds = 110;   // per node and root
  static constexpr double row_nanoseconds = 3;      // in place of search_nanoseconds, on rows
  static constexpr double directed_row_nanoseconds = 8;
  static constexpr double row_node_nanoseconds = 22;  // likewise, and five misses
  static constexpr double unpack_nanoseconds = 12;    // per entry
  static constexpr double absent_nanoseconds = 130;   // per node and root, if its list is on the disks
  static constexpr double write_nanoseconds = 6;      // per node, root and result
  static constexpr double sorted_write_nanoseconds = 60;
  /// Of the time of a search that reaches most nodes.
  static constexpr double part_if_little_reached = 0.05;
  /// Neighbours per node, on average, below which a graph may be a road network, a grid or a path.
  static constexpr std::uint64_t neighbours_of_roads = 6;

  SearchForecast(core::Environment& environment, const Options& options, const WantedOutputs& outputs,
                 std::size_t id_bytes, bool both)
      : environment_(environment), options_(options), outputs_(outputs), id_bytes_(id_bytes), both_(both) {}

  std::uint64_t results() const { return (outputs_.levels ? 1U : 0U) + (outputs_.parents ? 1U : 0U); }
  std::uint64_t output_buffers() const {
    return results() * core::OutputFile::buffer_bytes(environment_.memory.limit());
  }
  std::uint64_t searches() const { return std::max<std::size_t>(1, options_.roots.size()); }

  Demand demand(const std::optional<std::uint64_t>& nodes, const std::optional<std::uint64_t>& entries,
                bool built) const {
    return {.nodes = nodes,
            .entries = entries,
            .id_bytes = id_bytes_,
            .levels = outputs_.levels,
            .parents = outputs_.parents,
            .built = built,
            .threads = environment_.threads,
            .memory_bytes = environment_.memory.available()};
  }

  void search(const Demand& demand) { search(demand, space_of_results(demand)); }
  void search(const Demand& demand, const core::SpillForecast& space) {
    const Needs need = needs(demand);
    const bool in_memory = outputs_in_memory(demand);
    const std::uint64_t results = this->results();
    const std::uint64_t sorts = core::size_product(in_memory ? 0 : output_sort_bytes(demand), results);
    const core::Reservation state = environment_.memory.reserve_up_to(
        core::size_sum(need.state, in_memory ? need.outputs : sorts, output_buffers()));
    std::uint64_t spilled = 0;
    if (!in_memory) {
      spilled = reaches_ ? space.expected_bytes : 0;
      add_beside_pages(space.most_bytes, spilled);
    }
    add_search(core::size_sum(core::size_product(on_rows_ ? 0 : on_disk_, searches()), spilled),
               absent_ > 0 ? absent_nanoseconds : 0);
    if (results > 0) {
      forecast_.phases.push_back(
          {.name = "write",
           .temporary_bytes = spilled,
           .cpu_seconds = seconds_for(nodes_ * results * searches(),
                                      in_memory || !reaches_ ? write_nanoseconds : sorted_write_nanoseconds),
           .one_thread = in_memory});
    }
  }

  /// Of results that are sorted. A node has one level, and may get a parent from each edge to the level
  /// above.
  core::SpillForecast space_of_results(const Demand& demand) {
    core::SpillForecast space;
    if (outputs_in_memory(demand)) return space;
    const std::size_t sort_bytes = output_sort_bytes(demand);
    const auto rehearse = [&]<class Value>(std::type_identity<Value>, std::uint64_t puts) {
      return NodeValues<Value>(environment_, nodes_, environment_.threads, false, sort_bytes, "")
          .rehearse_puts(puts);
    };
    if (outputs_.levels) space.add(rehearse(std::type_identity<std::uint32_t>(), nodes_));
    if (outputs_.parents) {
      const auto rehearse_parents = [&](std::uint64_t puts) {
        return id_bytes_ == sizeof(std::uint32_t) ? rehearse(std::type_identity<std::uint32_t>(), puts)
                                                  : rehearse(std::type_identity<std::uint64_t>(), puts);
      };
      space.add({rehearse_parents(entries_ / (both_ ? 2 : 1)).most_bytes,
                 rehearse_parents(std::min(nodes_, entries_ / 2)).expected_bytes});
    }
    return space;
  }

  void search_externally() {
    const core::Reservation buffers = environment_.memory.reserve_up_to(output_buffers());
    const ExternalSize size{.nodes = nodes_,
                            .entries = entries_,
                            .pages_bytes = absent_,
                            .directed = options_.directed,
                            .levels = outputs_.levels,
                            .parents = outputs_.parents};
    id_bytes_ == sizeof(std::uint32_t) ? rehearse_external<std::uint32_t>(environment_, size)
                                       : rehearse_external<std::uint64_t>(environment_, size);
    const std::uint64_t ids = core::size_product(nodes_, id_bytes_);
    // The log has the nodes and their parents; the results are sorted pairs.
    const std::uint64_t log = core::size_product(ids, outputs_.parents ? 3 : 1);
    const std::uint64_t results =
        outputs_.levels || outputs_.parents ? core::size_product(nodes_, key_bytes() + 2) : 0;
    // Buckets imply some bits of the results, of which a part of the memory holds the first ones.
    const std::uint64_t sorted = results / 4 * 3;
    const std::uint64_t spilled =
        sorted - std::min<std::uint64_t>(sorted, environment_.memory.available() / 8);
    add_beside_pages(core::size_sum(log, ids / 4, results, core::MiB),
                     reaches_ ? core::size_sum(log, spilled) : 0);
    if (!options_.directed) {
      // Lists may be regrouped: two sorts of their entries, and the new pages beside the old ones.
      const std::uint64_t entries = core::size_product(entries_, 2 * key_bytes() + 2 * id_bytes_);
      const std::uint64_t most = core::size_sum(log, core::size_product(ids, 4), entries, pages_.most_bytes);
      add_beside_pages(most, reaches_ ? log : 0);
      forecast_.notes.emplace_back(
          "temporary space: at most if the search has so many levels that lists are regrouped");
    }
    add_search(core::size_product(core::size_sum(on_disk_, 2 * log), searches()), absent_nanoseconds);
    if (results == 0) return;
    forecast_.phases.push_back(
        {.name = "sort results",
         .temporary_bytes = core::size_product(2 * results, searches()),
         .cpu_seconds =
             seconds_for(nodes_ * searches(), reaches_ ? sorted_write_nanoseconds : write_nanoseconds)});
  }

  /// Searches on pages, of which `absent_` bytes are not in memory.
  void search_pages(const Demand& demand) {
    if (forecast_.choice.model == MemoryModel::external) return search_externally();
    const core::SpillForecast results = space_of_results(demand);
    // All pages in memory, or a cache of as many as fit.
    const std::uint64_t marks = absent_ / adjacency::default_page_bytes * sizeof(adjacency::PageMark);
    const core::Reservation cached =
        environment_.memory.reserve_up_to(core::size_sum(absent_, absent_ / 1024, marks, scan_bytes(demand)));
    search(demand, results);
  }

  /// Reads the pages of an internal run, those of the input if none are on the temporary disks.
  void add_loading(const char* name, double nanoseconds) {
    forecast_.phases.push_back({.name = name,
                                .input_readings = on_disk_ == 0 ? 1U : 0U,
                                .temporary_bytes = on_disk_,
                                .cpu_seconds = seconds_for(entries_, nanoseconds)});
  }

  /// Unpacks the pages to rows and searches there.
  void search_unpacked(const Demand& demand) {
    const std::uint64_t rows = needs(demand).rows;
    environment_.memory.raise_peak(core::size_sum(rows, scan_bytes(demand)));
    const core::Reservation loaded = environment_.memory.reserve_up_to(rows);
    add_loading("unpack adjacency", unpack_nanoseconds);
    on_rows_ = true;
    search(this->demand(nodes_, std::uint64_t{0}, true));
  }

  /// For a scan of the pages, and small reservations.
  std::uint64_t scan_bytes(const Demand& demand) const {
    const std::size_t chunk = adjacency::scan_chunk_bytes(demand.memory_bytes, adjacency::default_page_bytes);
    return adjacency::PageScan::most_bytes(pages_.most_bytes, chunk, environment_.threads) + chunk +
           16 * core::page_bytes;
  }

  void add_search(std::uint64_t moved, double further_nanoseconds) {
    const bool many_levels = entries_ > 0 && entries_ / neighbours_of_roads < nodes_;
    if (many_levels) {
      forecast_.notes.emplace_back(
          "time: of a search with few levels; many levels, as in road networks and grids, take several times "
          "as "
          "long");
    }
    const std::uint64_t edges = core::size_product(entries_ / (both_ ? 2 : 1), searches());
    const double row_edge = options_.directed ? directed_row_nanoseconds : row_nanoseconds;
    const double row_node = row_node_nanoseconds + 5 * miss_nanoseconds(core::size_product(nodes_, 4));
    const double node = further_nanoseconds + (on_rows_ ? row_node : node_nanoseconds);
    forecast_.phases.push_back(
        {.name = "search",
         .input_readings = reads_file_ ? 1U : 0U,
         .temporary_bytes = moved,
         .cpu_seconds = (reaches_ ? 1 : part_if_little_reached) *
                        (seconds_for(edges, share_ * (on_rows_ ? row_edge : search_nanoseconds)) +
                         seconds_for(core::size_product(nodes_, searches()), node)),
         .one_thread = many_levels || forecast_.choice.model == MemoryModel::external,
         .least_share = 0,  // a root may reach nothing
         .most_share =
             many_levels ? std::nullopt : std::optional(reaches_ ? 1 : 1 / part_if_little_reached)});
  }

  /// Adds space that is taken while the pages are on the disks.
  void add_beside_pages(std::uint64_t most, std::uint64_t expected) {
    core::SpillForecast& space = *forecast_.temporary;
    space.most_bytes = std::max(space.most_bytes, core::size_sum(pages_on_disk_, most));
    space.expected_bytes = std::max(space.expected_bytes, core::size_sum(on_disk_, expected));
  }

  /// Of a packed pair of ids.
  std::uint64_t key_bytes() const { return (2 * prepare::bits_for_nodes(nodes_) + 7) / 8; }

  core::Environment& environment_;
  const Options& options_;
  const WantedOutputs outputs_;
  const std::size_t id_bytes_;
  const bool both_;  ///< an edge is in the lists of both ends
  Forecast forecast_;
  std::uint64_t nodes_ = 0;
  std::uint64_t entries_ = 0;
  bool on_rows_ = false;
  bool reads_file_ = false;  ///< the search reads pages of the input
  core::SpillForecast pages_;
  bool reaches_ = true;              ///< most nodes, as far as is known
  double share_ = 1;                 ///< of the edges, without duplicates and loops
  std::uint64_t absent_ = 0;         ///< bytes of pages that are not in memory, at most
  std::uint64_t on_disk_ = 0;        ///< of those on the temporary disks, expected
  std::uint64_t pages_on_disk_ = 0;  ///< at most
};

}  // namespace emgraph::graph::bfs
