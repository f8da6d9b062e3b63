// SPDX-License-Identifier: MIT
// The commands sort and dedup.
#include <fmt/core.h>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/edge_output.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/temporary_space.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/error.hpp"
#include "graph/prepare/sort.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;
using graph::prepare::Orientation;
using graph::prepare::SortOptions;
using graph::prepare::SortResult;

/// The options of sort. dedup is sort with two of them set.
struct SortChoice {
  graph::EdgeOrder by = graph::EdgeOrder::source_target;
  bool unique = false;
  bool symmetrize = false;
  bool no_loops = false;
  Orientation orient = Orientation::as_stored;
};

SortOptions sort_options(const SortChoice& choice, const CommonOptions& common) {
  SortOptions options;
  options.order = choice.by;
  options.unique = choice.unique;
  options.symmetrize = choice.symmetrize;
  options.no_loops = choice.no_loops;
  options.orientation = choice.orient;
  options.nodes = common.nodes;
  if (options.symmetrize && options.orientation != Orientation::as_stored) {
    throw UsageError("--symmetrize and --orient exclude each other: both directions, or one");
  }
  return options;
}

class Sort final : public PlannedCommand {
 public:
  explicit Sort(bool dedup) : dedup_(dedup) {}

  void declare(OptionSet& options) override {
    declare_input(options, input_);
    options.group("Sort");
    if (!dedup_) {
      options
          .word("--by", choice_.by, "KEY", "order of the edges",
                {{"source", graph::EdgeOrder::source_target},
                 {"target", graph::EdgeOrder::target_source},
                 {"weight", graph::EdgeOrder::weight}})
          .otherwise("source");
      options.flag("-u,--unique", choice_.unique, "keep one edge for each source and target, the lightest");
      options.flag("--symmetrize", choice_.symmetrize, "write every edge in both directions");
      options.flag("--no-loops", choice_.no_loops, "drop edges from a node to itself");
    }
    options
        .word(
            "--orient", choice_.orient, "END",
            "turn every edge so that its source is the end with the smaller id (low) or degree (degree); the "
            "result is undirected",
            {{"low", Orientation::low}, {"degree", Orientation::degree}})
        .otherwise("edges stay as they are");
    declare_codec(options, codec_);
    declare_common_options(options, typed_,
                           {.checkpoint = true, .output = OutputUse::required, .result = "edge file"});
  }

  CommonOptions check() override {
    if (dedup_) choice_.unique = choice_.no_loops = true;
    CommonOptions options = validate(typed_);
    sort_options(choice_, options);
    if (!options.checkpoint.empty() &&
        (choice_.by == graph::EdgeOrder::weight || choice_.orient == Orientation::degree)) {
      throw UsageError("--checkpoint: --by weight and --orient degree cannot be resumed");
    }
    check_edge_output(options, options.output, input_.names(), codec_);
    keep_edge_names(options, {options.output});
    return options;
  }

  Plan plan(Session& session) override {
    const SortOptions sort_by = sort_options(choice_, session.options());
    Plan plan{.input = input_};
    with_edges(session, input_, Carry::everything,
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 plan.size = estimate_edges(session, input_, input, edges);
                 require_weights_to_sort_by(edges.facts(), sort_by);
                 const auto writer = create_output(session, edges.facts(), sort_by);
                 plan.forecast =
                     graph::prepare::forecast_sort(session.environment(), edges, sort_by, plan.size.size());
                 const std::uint64_t copies = copies_of(edges, sort_by);
                 const std::string& output = session.options().output;
                 const graph::EdgeFacts facts = graph::prepare::sorted_facts(edges.facts(), sort_by);
                 plan.outputs.push_back(planned_edge_file(session, output, facts, codec_, plan.size, copies));
                 if (const auto size = gapbs_size(session, output, facts, plan.size, copies)) {
                   add_gapbs_space(session, *size, plan.forecast);
                 }
               });
    return plan;
  }

  ExitCode run() override {
    const CommonOptions options = check();
    const SortOptions sort_by = sort_options(choice_, options);
    Session session(options, Spill::possible);
    SortResult result;
    std::uint64_t output_bytes = 0;
    with_edges(session, input_, Carry::everything,
               [&]<class Id>(graph::format::EdgeInput&, graph::EdgeSource<Id>& edges) {
                 require_weights_to_sort_by(edges.facts(), sort_by);
                 require_sorting_space(session, edges.facts(), copies_of(edges, sort_by));
                 const auto writer = create_output(session, edges.facts(), sort_by);
                 const graph::prepare::KeptOutput kept{
                     .save = [&](core::StateWriter& state) { writer->save(state); },
                     .restore = [&](core::StateReader& state) { writer->restore(state); }};
                 result = graph::prepare::sort(
                     session.environment(), edges, sort_by,
                     [&writer](const core::PairShape& shape, const graph::RecordBatch& batch) {
                       writer->append_records(shape, batch.records, batch.count);
                     },
                     &kept);
                 writer->at_least_nodes(result.nodes);
                 finish_edge_output(session, *writer);
                 output_bytes = writer->bytes();
               });
    Report report(session, name());
    report.input(input_);
    report.output("output", options.output);
    report.graph(result.nodes, result.edges);
    report.count("edges_out", result.edges_out);
    report.count("duplicates_removed", result.duplicates_removed);
    report.count("loops_removed", result.loops_removed);
    report.flag("sorted_input_reused", result.sorted_input_reused);
    report.size("output_bytes", output_bytes);
    report.model(result.choice);
    return report.finish();
  }

 private:
  const char* name() const { return dedup_ ? "dedup" : "sort"; }

  static void require_weights_to_sort_by(const graph::EdgeFacts& input, const SortOptions& sort_by) {
    if (sort_by.order == graph::EdgeOrder::weight && input.layout.weight == graph::WeightType::none) {
      throw UsageError(fmt::format("--by weight: {} has no weights", input.name));
    }
  }
  /// Of an edge in the output.
  template <class Id>
  static std::uint64_t copies_of(const graph::EdgeSource<Id>& edges, const SortOptions& sort_by) {
    return graph::prepare::doubles_edges(sort_by, edges.facts(), edges.attachment_bytes()) ? 2 : 1;
  }

  std::unique_ptr<graph::format::EdgeWriter> create_output(Session& session, const graph::EdgeFacts& input,
                                                           const SortOptions& sort_by) const {
    auto writer =
        create_edge_output(session, session.options().output, graph::prepare::sorted_facts(input, sort_by),
                           codec_, {{"made_by", fmt::format("emgraph {}", name())}});
    // Takes the memory for lines of text before the sort, so that a plan knows it.
    writer->append_records(graph::record_shape(input.layout), nullptr, 0);
    return writer;
  }

  const bool dedup_;
  TypedOptions typed_;
  Inputs input_;
  std::string codec_;
  SortChoice choice_;
};

}  // namespace

std::unique_ptr<Command> make_sort() {
  return std::make_unique<Sort>(false);
}
std::unique_ptr<Command> make_dedup() {
  return std::make_unique<Sort>(true);
}

}  // namespace emgraph::apps
