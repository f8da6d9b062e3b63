// SPDX-License-Identifier: MIT
// Chooses the method as the run would, and adds up its sorts.
#include "graph/prepare/relabel/forecast.hpp"

#include <algorithm>

#include "core/base/bytes.hpp"
#include "graph/prepare/edge_keys.hpp"
#include "graph/prepare/relabel/label_table.hpp"
#include "graph/prepare/relabel/marked_ids.hpp"
#include "graph/prepare/relabel/row_run.hpp"
#include "graph/prepare/relabel/sorted_ids.hpp"
#include "graph/prepare/sorted_edges.hpp"

namespace emgraph::graph::relabel {
namespace {

// CPU time of all threads together, nanoseconds: from the times in README.md and single runs of 2 M edges on
// a loaded machine, so within a factor of about two.
constexpr double mark_nanoseconds = 8;       // per edge
constexpr double look_up_nanoseconds = 12;   // per edge and reading, with marks
constexpr double search_nanoseconds = 60;    // per edge and reading, with sorted ids
constexpr double end_sort_nanoseconds = 30;  // per end and sort
constexpr double join_nanoseconds = 30;      // per edge
constexpr double label_nanoseconds = 200;    // per edge: parsed, hashed, looked up
constexpr double spilled_nanoseconds = 90;   // per spilled end and sort

constexpr std::size_t batch_bytes = 128 * core::KiB;  // of translated edges

/// The space of a sort in `memory_bytes` of memory. Buckets may be split once more, and their last blocks are
/// not full.
core::SpillForecast space_of_sort(std::uint64_t records, std::uint64_t record_bytes,
                                  std::size_t memory_bytes) {
  core::SpillForecast space;
  space.whole_bytes = core::size_product(records, record_bytes);
  space.expected_bytes = space.whole_bytes - std::min<std::uint64_t>(space.whole_bytes, memory_bytes / 4 * 3);
  if (space.whole_bytes > memory_bytes / 2) {
    space.most_bytes = core::size_sum(space.whole_bytes, space.whole_bytes / 8, core::MiB);
  }
  return space;
}

/// While a sort is read and another one, or rows, are written.
core::SpillForecast while_read(const core::SpillForecast& sort, const core::SpillForecast& written) {
  return {.most_bytes = peak_while_sort_is_read(sort.most_bytes, sort.whole_bytes, written.most_bytes),
          .expected_bytes =
              peak_while_sort_is_read(sort.expected_bytes, sort.whole_bytes, written.expected_bytes)};
}

core::SpillForecast rows_space(std::uint64_t edges, std::uint64_t record_bytes) {
  const std::uint64_t bytes = core::size_product(edges, record_bytes);
  return {.most_bytes = core::size_sum(bytes, bytes / 64, core::MiB),
          .expected_bytes = bytes,
          .whole_bytes = bytes};
}

std::uint64_t pair_bytes(unsigned bits) {
  return bits <= 64 ? 8 : 16;
}

std::size_t id_bytes_for(std::uint64_t nodes) {
  return nodes <= std::uint64_t{1} << 32 ? 4 : 8;
}

class Numbering {
 public:
  Numbering(core::Environment& environment, const NumberingDemand& demand)
      : environment_(environment), demand_(demand), ends_(core::size_product(demand.edges, 2)) {
    made_.edges = demand.edges;
  }

  NumberingForecast relabelling(const std::shared_ptr<RecordSource>& source, const EdgeFacts& facts) {
    const std::size_t table_bytes = environment_.memory.available() / 4;
    const IdEstimate ids = estimate_ids(environment_.memory, *source, facts.layout.id_bytes, demand_.edges);
    made_.nodes = ids.distinct;
    if (facts.nodes) {  // ids are below it
      made_.nodes.likely = std::min(made_.nodes.likely, *facts.nodes);
      made_.nodes.most = std::min(made_.nodes.most, *facts.nodes);
    }
    if (!source->rewindable()) {
      made_.kept = rows_space(demand_.edges, demand_.layout.record_bytes());
      made_.rows_on_disk = true;
      add_phase("spool edges", 1, made_.kept.expected_bytes, join_nanoseconds);
    }
    edges_declared_ = facts.edges.has_value();
    read_by(source, facts);
    const Method method = first_method(ids, table_bytes);
    if (method == Method::marked) {
      mark(ids.largest);
    } else {
      if (method == Method::sorted) collect(table_bytes);
      if (method == Method::joined || nodes() > SortedIds::most(table_bytes)) join(facts.layout.id_bytes);
    }
    keep_names(sizeof("18446744073709551615"));
    return std::move(made_);
  }

  NumberingForecast labels(std::vector<std::uint64_t> sample) {
    made_.nodes = estimate_distinct(std::move(sample), ends_);
    const std::size_t free = environment_.memory.available();
    const std::size_t table_bytes = (free - std::min(free, demand_.lane_bytes)) / 8 * 5;
    const std::uint64_t room = LabelTable::most_labels(table_bytes);
    const std::uint64_t held = std::min<std::uint64_t>(nodes(), room);
    environment_.memory.raise_peak(core::size_sum(
        demand_.lane_bytes, std::min<std::uint64_t>(table_bytes, LabelTable::most_bytes(held))));
    made_.method = "table";
    made_.rows_on_disk = true;
    read_by_rows();
    made_.kept = rows_space(demand_.edges, row_bytes());
    add_phase("read labels", 1, made_.kept.expected_bytes, label_nanoseconds);
    made_.phases.back().one_thread = environment_.threads < 3;
    made_.temporary = made_.kept;
    if (nodes() > room) spill(room);
    keep_names(demand_.label_bytes + 1);
    return std::move(made_);
  }

 private:
  std::uint64_t nodes() const { return demand_.most_nodes ? made_.nodes.most : made_.nodes.likely; }
  std::size_t row_bytes() const { return 2 * id_bytes_for(nodes()) + demand_.layout.attachment_bytes(); }
  /// Each thread has a lane of the input, and translates a batch at a time.
  void read_by(const std::shared_ptr<RecordSource>& source, const EdgeFacts& facts) {
    // The first lane also takes what all lanes share.
    const std::size_t before = environment_.memory.used();
    const auto first = source->lane(record_shape(facts.layout));
    std::size_t all = environment_.memory.used() - before;
    if (environment_.threads > 1) {
      const auto second = source->lane(record_shape(facts.layout));
      const std::size_t own = environment_.memory.used() - before - all;
      all += (environment_.threads - 1) * own;
    }
    made_.lane_bytes = core::divide_up(all, environment_.threads) + batch_bytes;
  }
  void read_by_rows() { made_.lane_bytes = 3 * row_block_bytes(environment_.memory); }
  std::uint64_t lanes_bytes() const { return core::size_product(made_.lane_bytes, environment_.threads); }

  void add_phase(const char* name, std::uint64_t readings, std::uint64_t moved, double nanoseconds,
                 std::uint64_t per = 1) {
    made_.phases.push_back({.name = name,
                            .input_readings = readings,
                            .temporary_bytes = moved,
                            .cpu_seconds = seconds_for(core::size_product(demand_.edges, per), nanoseconds)});
    if (readings == 0 || made_.phases.size() == 1 || !made_.rows_on_disk) return;
    // The input was a pipe: its copy is read.
    made_.phases.back().input_readings = 0;
    made_.phases.back().temporary_bytes += made_.kept.expected_bytes;
  }

  /// A sort takes all free memory unless it knows how many ends come.
  void hold_sort(std::uint64_t bytes_per_end) {
    const std::uint64_t known =
        core::size_sum(core::size_product(ends_, bytes_per_end), lanes_bytes(), core::MiB);
    environment_.memory.raise_peak(edges_declared_ ? known : environment_.memory.available());
  }

  void mark(std::uint64_t largest) {
    made_.method = "marked";
    made_.temporary = made_.kept;
    made_.reading_nanoseconds = look_up_nanoseconds;
    add_phase("mark ids", 1, 0, mark_nanoseconds);
    // The sample may not have the largest id.
    made_.table = environment_.memory.reserve_up_to(
        core::size_sum(MarkedIds::bytes_for(largest), MarkedIds::bytes_for(largest) / 8));
    environment_.memory.raise_peak(lanes_bytes());
  }

  void collect(std::size_t table_bytes) {
    made_.method = "sorted";
    made_.reading_nanoseconds = search_nanoseconds;
    const std::size_t free = environment_.memory.available();
    const core::SpillForecast sort = space_of_sort(ends_, sizeof(std::uint64_t), free - free / 4);
    hold_sort(2 * sizeof(std::uint64_t));
    made_.temporary = sort;
    made_.temporary.add(made_.kept);
    add_phase("collect ids", 1, sort.expected_bytes, end_sort_nanoseconds, 2);
    add_phase("sort ids", 0, sort.expected_bytes, end_sort_nanoseconds, 2);
    made_.table = environment_.memory.reserve_up_to(
        std::min<std::uint64_t>(table_bytes, SortedIds::bytes_for(nodes())));
  }

  void join(std::size_t id_bytes) {
    made_.method = "joined";
    made_.reading_nanoseconds = 0;
    made_.table.release();
    const std::size_t free = environment_.memory.available();
    const unsigned end_bits = prepare::bits_for_nodes(ends_);
    const auto id_bits = static_cast<unsigned>(8 * id_bytes);
    const core::SpillForecast by_id = space_of_sort(ends_, pair_bytes(id_bits + end_bits), free / 2);
    const core::SpillForecast by_end = space_of_sort(ends_, pair_bytes(2 * end_bits), free / 2);
    const core::SpillForecast rows = rows_space(demand_.edges, row_bytes());
    hold_sort(4 * sizeof(core::uint128));
    core::SpillForecast space = while_read(by_id, by_end);
    const core::SpillForecast joining = while_read(by_end, rows);
    space.cover(joining.most_bytes, joining.expected_bytes);
    space.add(made_.kept);
    made_.temporary.cover(space.most_bytes, space.expected_bytes);
    const bool again = demand_.layout.attachment_bytes() > 0;
    add_phase("distribute ends", 1, by_id.expected_bytes, end_sort_nanoseconds, 2);
    add_phase("translate ids", 0, by_id.expected_bytes + by_end.expected_bytes, 2 * end_sort_nanoseconds, 2);
    add_phase("join edges", again ? 1 : 0, by_end.expected_bytes + rows.expected_bytes, join_nanoseconds);
    made_.kept = rows;
    made_.rows_on_disk = true;
    read_by_rows();
  }

  /// Labels after the table is full.
  void spill(std::uint64_t room) {
    made_.method = "spilled";
    const auto spilled_share = 1 - static_cast<double>(room) / static_cast<double>(nodes());
    const std::uint64_t spilled =
        demand_.most_nodes ? ends_ : static_cast<std::uint64_t>(static_cast<double>(ends_) * spilled_share);
    const std::size_t free = environment_.memory.available();
    environment_.memory.raise_peak(free);
    const unsigned bits = prepare::bits_for_nodes(spilled);
    const core::SpillForecast by_hash = space_of_sort(spilled, sizeof(core::uint128), free / 4);
    const core::SpillForecast by_first = space_of_sort(spilled, pair_bytes(2 * bits), free / 4);
    const core::SpillForecast by_end = space_of_sort(spilled, pair_bytes(2 * bits + 1), free / 4);
    core::SpillForecast texts;
    if (demand_.keeps_names || demand_.writes_map) {
      texts = rows_space(spilled, demand_.label_bytes + 2);
    }
    core::SpillForecast sorting = while_read(by_hash, by_first);
    const core::SpillForecast counting = while_read(by_first, by_end);
    sorting.cover(counting.most_bytes, counting.expected_bytes);
    sorting.add(made_.kept);
    sorting.add(texts);
    core::SpillForecast joining = by_end;
    joining.add(made_.kept);  // read
    joining.add(made_.kept);  // written
    made_.temporary.cover(sorting.most_bytes, sorting.expected_bytes);
    made_.temporary.cover(joining.most_bytes, joining.expected_bytes);
    const auto add = [&](const char* name, std::uint64_t moved) {
      made_.phases.push_back(
          {.name = name, .temporary_bytes = moved, .cpu_seconds = seconds_for(spilled, spilled_nanoseconds)});
    };
    made_.phases.back().temporary_bytes += by_hash.expected_bytes + texts.expected_bytes;
    add("sort labels", by_hash.expected_bytes + by_first.expected_bytes);
    add("number labels", by_first.expected_bytes + by_end.expected_bytes + texts.expected_bytes);
    add("join edges", by_end.expected_bytes + 2 * made_.kept.expected_bytes);
  }

  /// The names of all nodes stay on the disks until the results are written.
  void keep_names(std::size_t name_bytes) {
    if (!demand_.keeps_names) return;
    const core::SpillForecast names = rows_space(nodes(), name_bytes);
    made_.temporary.add(names);
    made_.kept.add(names);
    // In the end, to write results with names.
    environment_.memory.raise_peak(environment_.memory.available());
  }

  core::Environment& environment_;
  const NumberingDemand& demand_;
  const std::uint64_t ends_;
  bool edges_declared_ = false;
  NumberingForecast made_;
};

}  // namespace

NumberingForecast forecast_relabelling(core::Environment& environment,
                                       const std::shared_ptr<RecordSource>& source, const EdgeFacts& facts,
                                       const NumberingDemand& demand) {
  return Numbering(environment, demand).relabelling(source, facts);
}

NumberingForecast forecast_labels(core::Environment& environment, std::vector<std::uint64_t> sample,
                                  const NumberingDemand& demand) {
  return Numbering(environment, demand).labels(std::move(sample));
}

}  // namespace emgraph::graph::relabel
