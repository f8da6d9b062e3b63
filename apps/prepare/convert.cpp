// SPDX-License-Identifier: MIT
// The command convert: the same edges in another format; for an adjacency both directions of them, sorted.
#include <fmt/core.h>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/copy_edges.hpp"
#include "apps/files/direction_option.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/edge_output.hpp"
#include "apps/files/kept_space.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/temporary_space.hpp"
#include "apps/prepare/copy_plan.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/error.hpp"
#include "graph/prepare/sort.hpp"

namespace emgraph::apps {

namespace {

/// Why an adjacency takes the external model.
constexpr const char* sorted_on_the_way = "sorted on the way, as far as the input is not";

class Convert final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_);
    options.group("Convert");
    declare_codec(options, codec_);
    options.flag("--directed", direction_.directed,
                 "in an adjacency (.adj, .sg, .wsg) store an edge at its source only, not at both ends");
    options.flag(
        "--undirected", direction_.undirected,
        "in an adjacency store an edge at both ends. Without either: as the input declares (.gr, .wsg, "
        "KONECT asym, Galois and containers of directed graphs are directed, other edges undirected)");
    declare_common_options(options, typed_,
                           {.checkpoint = true, .output = OutputUse::required, .result = "edge file"});
  }

  CommonOptions check() override {
    CommonOptions options = validate(typed_);
    wanted_ = edge_output_format(options, options.output).wants;
    if ((direction_.directed || direction_.undirected) && !adjacency()) {
      throw core::UsageError(fmt::format("--{}directed: only an adjacency (.adj, .sg, .wsg) asks for it",
                                         direction_.directed ? "" : "un"));
    }
    resolve_direction(direction_, {});
    if (!options.checkpoint.empty() && adjacency()) {
      throw core::UsageError("--checkpoint: an adjacency (.adj, .sg, .wsg) cannot be continued; .emg can");
    }
    check_edge_output(options, options.output, input_.names(), codec_);
    keep_edge_names(options, {options.output});
    return options;
  }
  Spill spill() const override { return adjacency() ? Spill::possible : Spill::never; }

  Plan plan(Session& session) override {
    if (adjacency()) return adjacency_plan(session);
    // Measured with scripts/bench_plan.py: container to container.
    constexpr double copy_nanoseconds = 10;
    return edge_copy().plan(session, copy_nanoseconds);
  }

  ExitCode run() override {
    const CommonOptions options = check();
    const bool adjacency = this->adjacency();
    Session session(options, adjacency ? Spill::possible : Spill::never);
    Report report(session, "convert");
    report.input(input_);
    report.output("output", options.output);
    if (adjacency) {
      with_edges(session, input_, carried(),
                 [&]<class Id>(const graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                   write_adjacency<Id>(session, input, edges, report);
                 });
      report.model("external", sorted_on_the_way);
    } else {
      with_input(
          session, input_, Carry::everything,
          [&](graph::format::EdgeInput& input) { copy(session, input, report); }, first_id_bytes(options));
      report.model(graph::one_pass());
    }
    return report.finish();
  }

 private:
  bool adjacency() const { return wanted_ != graph::format::WantedEdges::as_they_come; }

  EdgeCopy edge_copy() const { return {input_, codec_, "converted_from"}; }

  void copy(Session& session, graph::format::EdgeInput& input, Report& report) {
    const graph::EdgeFacts& facts = input.facts();
    const auto writer =
        create_edge_output(session, session.options().output, facts, codec_, edge_copy().metadata(input));
    announce_kept_space(session, facts, {});
    const Copied copied =
        copy_edges(session, *input.records(), ~std::uint64_t{0}, *writer, facts.nodes.value_or(most_nodes));
    finish_edge_output(session, *writer);
    report.graph(facts.nodes.value_or(copied.nodes()), copied.edges);
    report.size("output_bytes", writer->bytes());
  }

  /// As asked, else as the input declares. A METIS graph has no direction, so there only --directed, which
  /// its writer refuses, makes it directed.
  bool stored_directed(Session& session, const graph::EdgeFacts& facts) const {
    const bool directed = resolve_direction(direction_, facts).directed;
    const std::string& output = session.options().output;
    if (!directed || direction_.directed || !edge_output_format(session.options(), output).undirected)
      return directed;
    session.warn_once(fmt::format("{}: this format has no direction, arcs are stored at both ends", output));
    return false;
  }

  Carry carried() const {
    return wanted_ == graph::format::WantedEdges::weighted_adjacency ? Carry::weights : Carry::nothing;
  }

  /// The sort that makes an adjacency, and the file that gets it.
  struct AdjacencyCopy {
    graph::prepare::SortOptions sort;
    graph::EdgeFacts facts = {};  ///< of the file
    std::unique_ptr<graph::format::EdgeWriter> writer = nullptr;
  };
  template <class Id>
  AdjacencyCopy open_adjacency_copy(Session& session, const graph::format::EdgeInput& input,
                                    graph::EdgeSource<Id>& edges) {
    const bool directed = stored_directed(session, input.facts());
    AdjacencyCopy copy{
        .sort = {
            .unique = true, .symmetrize = !directed, .no_loops = true, .nodes = session.options().nodes}};
    graph::EdgeFacts& facts = copy.facts = graph::prepare::sorted_facts(edges.facts(), copy.sort);
    if (wanted_ == graph::format::WantedEdges::adjacency) facts.layout.weight = graph::WeightType::none;
    // The two directions of an edge may have different weights.
    if (directed && facts.layout.weight != graph::WeightType::none) facts.symmetric = false;
    facts.directed = directed && !facts.symmetric;
    facts.layout.payload_bytes = 0;
    copy.writer =
        create_edge_output(session, session.options().output, facts, codec_, edge_copy().metadata(input));
    return copy;
  }

  template <class Id>
  void write_adjacency(Session& session, const graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges,
                       Report& report) {
    note_weights_left_out(session, session.options().output, input.facts());
    note_payload_left_out(session, session.options().output, input.facts());
    const AdjacencyCopy copy = open_adjacency_copy(session, input, edges);
    const bool doubled = graph::prepare::doubles_edges(copy.sort, edges.facts(), edges.attachment_bytes());
    require_sorting_space(session, edges.facts(), doubled ? 2 : 1);
    graph::format::EdgeWriter& writer = *copy.writer;
    const graph::prepare::SortResult sorted =
        graph::prepare::sort(session.environment(), edges, copy.sort,
                             [&](const core::PairShape& shape, const graph::RecordBatch& batch) {
                               writer.append_records(shape, batch.records, batch.count);
                             });
    writer.at_least_nodes(sorted.nodes);
    finish_edge_output(session, writer);
    report.graph(sorted.nodes, sorted.edges);
    report.count("edges_out", sorted.edges_out);
    report.size("output_bytes", writer.bytes());
  }

  Plan adjacency_plan(Session& session) {
    const std::string& output = session.options().output;
    // Measured with scripts/bench_plan.py: beside the sort.
    constexpr double page_nanoseconds = 20;
    Plan plan{.input = input_};
    with_edges(
        session, input_, carried(),
        [&]<class Id>(const graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
          plan.size = estimate_edges(session, input_, input, edges);
          const AdjacencyCopy copy = open_adjacency_copy(session, input, edges);
          plan.forecast =
              graph::prepare::forecast_sort(session.environment(), edges, copy.sort, plan.size.size());
          const bool doubled =
              graph::prepare::doubles_edges(copy.sort, edges.facts(), edges.attachment_bytes());
          const std::uint64_t copies = doubled ? 2 : 1;
          plan.outputs.push_back(planned_edge_file(session, output, copy.facts, codec_, plan.size, copies));
          if (!plan.forecast.phases.empty()) {
            plan.forecast.phases.back().cpu_seconds +=
                graph::seconds_for(plan.size.edges.value.value_or(0) * copies, page_nanoseconds);
          }
          if (const auto size = gapbs_size(session, output, copy.facts, plan.size, copies)) {
            add_gapbs_space(session, *size, plan.forecast);
          }
        });
    plan.model = "external";
    plan.forecast.choice.reason = sorted_on_the_way;
    return plan;
  }

  TypedOptions typed_;
  Inputs input_;
  std::string codec_;
  DirectionOption direction_;
  graph::format::WantedEdges wanted_ = graph::format::WantedEdges::as_they_come;  ///< by check()
};

}  // namespace

std::unique_ptr<Command> make_convert() {
  return std::make_unique<Convert>();
}

}  // namespace emgraph::apps
