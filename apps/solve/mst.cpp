// SPDX-License-Identifier: MIT
// The commands mst (minimum spanning forest) and check mst.
#include <fmt/core.h>

#include <optional>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/edge_output.hpp"
#include "apps/files/kept_space.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/ranks.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "apps/solve/check_plan.hpp"
#include "apps/solve/forest_file.hpp"
#include "apps/solve/forest_ranks.hpp"
#include "apps/solve/weights_option.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/mst/check.hpp"
#include "graph/mst/mst.hpp"
#include "graph/weighting.hpp"

namespace emgraph::apps {

namespace {

/// A number if JSON can represent it, else its digits or its name ("inf", "nan") as text.
SummaryValue weight_value(const graph::WeightSum& sum) {
  if (!sum.is_integer()) return number_or_name(sum.number());
  return sum.integer();
}

std::string weight_text(const graph::WeightSum& sum) {
  return sum.is_integer() ? sum.integer_text() : fmt::format("{}", sum.number());
}

class Mst final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_, "INPUT", input_help() + parts_of_ranks);
    options.group("Solver");
    declare_weighting(options, weights_);
    options.flag(
        "--maximum", maximum_,
        "find the maximum spanning forest: the heaviest edges; of equal ones those with smaller ids");
    declare_codec(options, codec_);
    declare_common_options(options, typed_,
                           {.solver = true,
                            .checkpoint = true,
                            .result = "edge file for the forest: low id first, sorted, with weights"});
  }

  CommonOptions check() override {
    CommonOptions options = validate(typed_);
    weighting_ = parse_weighting(weights_);
    if (!options.output.empty()) check_edge_output(options, options.output, input_.names(), codec_);
    keep_edge_names(options, {options.output});
    return options;
  }

  Plan plan(Session& session) override {
    const graph::mst::Options solver = this->solver(session.options());
    const std::string& output = session.options().output;
    Plan plan{.input = input_};
    with_edges(session, input_, carried(weighting_),
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 require_weights(input.facts(), weighting_);
                 plan.size = estimate_edges(session, input_, input, edges);
                 std::optional<ForestFile> file;
                 if (!output.empty()) {
                   const graph::EdgeFacts facts = output_facts(input.facts(), solver);
                   EdgeEstimate forest = plan.size;
                   if (forest.nodes.value && forest.edges.value) {
                     forest.edges.value = std::min(*forest.nodes.value, *forest.edges.value);
                   }
                   plan.outputs.push_back(planned_edge_file(session, output, facts, codec_, forest));
                   file.emplace(session, output, facts, codec_, "mst");
                 }
                 plan.forecast =
                     graph::mst::forecast<Id>(session.environment(), edges, solver, plan.size.size());
               });
    return plan;
  }

  ExitCode run() override {
    const CommonOptions options = check();
    if (one_of_several_ranks()) {
      return run_as_rank("mst", options, [&](const CommonOptions& common, Communicator& communicator) {
        return run_rank(common, communicator);
      });
    }
    Session session(options, Spill::possible);
    graph::mst::Result result;
    with_edges(session, input_, carried(weighting_),
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 require_weights(input.facts(), weighting_);
                 // The codes, and once more while edges move between ranges of nodes; the forest, and its new
                 // state.
                 announce_kept_space(session, edges.facts(), {.per_edge = 48, .per_node = 48});
                 result = solve<Id>(session, input.facts(), edges, solver(options));
               });
    Report report(session, "mst");
    report_result(report, options, result);
    report.model(result.choice);
    report.count("ranges", result.ranges);
    return report.finish();
  }

 private:
  graph::mst::Options solver(const CommonOptions& options) const {
    return {.model = options.model, .weighting = weighting_, .maximum = maximum_, .nodes = options.nodes};
  }
  static graph::EdgeFacts output_facts(const graph::EdgeFacts& input, const graph::mst::Options& solver) {
    return forest_facts(input, solver.nodes, solver.weighting.type(input.layout.weight));
  }

  /// The forest of the edges, into the output. `facts`: as the inputs declare them.
  template <class Id>
  graph::mst::Result solve(Session& session, const graph::EdgeFacts& facts, graph::EdgeSource<Id>& edges,
                           const graph::mst::Options& solver) {
    const std::string& output = session.options().output;
    std::optional<ForestFile> file;
    if (!output.empty()) {
      file.emplace(session, output, output_facts(facts, this->solver(session.options())), codec_, "mst");
    }
    graph::mst::Result result =
        graph::mst::run<Id>(session.environment(), edges, solver, file ? &*file : nullptr);
    if (file) file->finish(session);
    return result;
  }

  void report_result(Report& report, const CommonOptions& options, const graph::mst::Result& result) {
    report.input(input_);
    report.output("output", options.output);
    report.graph(result.nodes, result.edges);
    report.value("weight", weight_value(result.weight), weight_text(result.weight));
    report.count("forest_edges", result.forest_edges);
    report.count("trees", result.trees);
  }

  ExitCode run_rank(const CommonOptions& options, Communicator& communicator) {
    Session session(options, Spill::possible);
    auto forest = gather_forest(session, communicator, input_, solver(options),
                                [&](const graph::EdgeFacts& facts) { require_weights(facts, weighting_); });
    if (!forest) return ExitCode::done;
    graph::mst::Options of_forest = solver(options);
    of_forest.nodes = forest->nodes;
    graph::mst::Result result;
    forest->with_edges(session.environment(),
                       [&]<class Id>(const graph::EdgeFacts& facts, graph::EdgeSource<Id>& edges) {
                         result = solve<Id>(session, facts, edges, of_forest);
                       });
    result.edges = forest->edges;
    Report report(session, "mst");
    report_result(report, options, result);
    report_ranks(report, *forest);
    return report.finish();
  }

  TypedOptions typed_;
  Inputs input_;
  std::string weights_;
  graph::Weighting weighting_;
  bool maximum_ = false;
  std::string codec_;
};

/// Checks that a result is the minimum spanning forest of its graph.
class CheckMst final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional("FOREST", forest_, "edge file with weights, sorted, low id first");
    options.group("Check");
    options
        .value("--forest-format", forest_format_, "FORMAT",
               "format of FOREST, as --input-format is that of GRAPH")
        .otherwise("by the content, then by the extension");
    declare_weighting(options, weights_);
    options.flag("--maximum", maximum_, "FOREST must be the maximum spanning forest");
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  CommonOptions check() override {
    CommonOptions options = check_options(typed_, graph_, {forest_});
    weighting_ = parse_weighting(weights_);
    return options;
  }

  Plan plan(Session& session) override {
    core::Reservation held;
    return plan_check(
        session, graph_, carried(weighting_), [&](const graph::EdgeFacts& facts, const EdgeEstimate& size) {
          require_weights(facts, weighting_);
          core::MemoryBudget& memory = session.environment().memory;
          graph::EdgeFacts forest;
          std::optional<std::uint64_t> count;
          {
            const auto input = open_forest(session, facts);
            forest = input->facts();
            const bool declared = forest.edges.has_value();
            count = declared ? forest.edges : estimated_edges(session, forest_);
            auto source = input->source<std::uint64_t>(graph::weight_bytes(forest.layout.weight));
            const auto lane = source.lane();
            // A list of unknown length doubles its array, and copies it.
            const std::uint64_t edges =
                core::size_product(count.value_or(0), declared ? 1 : 3) + (declared ? 0 : 8192);
            held = memory.reserve(
                static_cast<std::size_t>(core::size_product(edges, sizeof(graph::mst::ClaimedForest::Edge))),
                "edges of the forest to check");
          }
          graph::mst::require_comparable(facts, weighting_, graph::mst::kind_of_weights(forest.layout.weight),
                                         forest.name);
          const auto known = checked_nodes(session, facts, nullptr, size);
          const std::uint64_t nodes = known.value_or(0);
          const std::uint64_t bytes = graph::mst::check_bytes(memory, nodes, count.value_or(0));
          // Measured on random graphs beside the run: the longest ways to the root are of their trees.
          const double edge_nanoseconds = 40 + 32 * graph::miss_nanoseconds(held.bytes() + bytes);
          constexpr double forest_nanoseconds = 400;
          graph::ForecastPhase read{.name = "read forest",
                                    .cpu_seconds = graph::seconds_for(count.value_or(0), forest_nanoseconds),
                                    .one_thread = true};
          graph::ForecastPhase look{
              .name = "check",
              .input_readings = 1,
              .cpu_seconds = graph::seconds_for(size.edges.value.value_or(0), edge_nanoseconds),
              .least_share = 0.1};
          return CheckNeeds{.choice = graph::mst::Verdict().choice,
                            .bytes = known && count ? std::optional(bytes) : std::nullopt,
                            .what = "links of nodes",
                            .phases = {std::move(read), std::move(look)}};
        });
  }

  ExitCode run() override {
    CommonOptions options = check();
    const graph::mst::CheckOptions rules = {
        .nodes = options.nodes, .weighting = weighting_, .maximum = maximum_};
    Session session(options, Spill::possible);
    Report report(session, "check mst");
    graph::mst::Verdict verdict;
    const auto work = [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
      require_weights(input.facts(), weighting_);
      verdict = graph::mst::check<Id>(session.environment(), edges, load(session, input.facts()), rules);
    };
    with_edges(session, graph_, carried(weighting_), work);
    report.input(graph_);
    report.text("result", forest_);
    report.checked(verdict);
    report.count("forest_edges", verdict.forest_edges);
    return report.finish_check(verdict, forest_);
  }

 private:
  /// Ids have 8 bytes, whatever their width in the file, because they are few. Text has weights as those of
  /// the graph, in the third column, unless the user names another format.
  std::unique_ptr<graph::format::EdgeInput> open_forest(Session& session,
                                                        const graph::EdgeFacts& of_graph) const {
    graph::format::OpenOptions open;
    if (!forest_format_.empty()) open.format = forest_format_;
    open.id_bytes = 8;
    auto input = graph::format::open_edges(session.environment(), forest_, open);
    if (input->format() == "text" && !open.format) {
      input.reset();
      open.text.weight = weighting_.type(of_graph.layout.weight);
      input = graph::format::open_edges(session.environment(), forest_, open);
    }
    if (input->facts().layout.weight != graph::WeightType::none) return input;
    throw core::UsageError(forest_ +
                           " has no weights; those in the third column of text are read with "
                           "--forest-format text-u32w, -i64w, -f32w or -f64w");
  }

  graph::mst::ClaimedForest load(Session& session, const graph::EdgeFacts& of_graph) const {
    const auto input = open_forest(session, of_graph);
    auto source = input->source<std::uint64_t>(graph::weight_bytes(input->facts().layout.weight));
    return graph::mst::load_forest(session.environment(), source);
  }

  TypedOptions typed_;
  Inputs graph_;
  std::string forest_;
  std::string forest_format_;
  std::string weights_;
  graph::Weighting weighting_;
  bool maximum_ = false;
};

}  // namespace

std::unique_ptr<Command> make_mst() {
  return std::make_unique<Mst>();
}

std::unique_ptr<Command> make_check_mst() {
  return std::make_unique<CheckMst>();
}

}  // namespace emgraph::apps
