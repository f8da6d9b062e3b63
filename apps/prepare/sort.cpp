// SPDX-License-Identifier: MIT
// The commands sort and dedup.
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/edge_output.hpp"
#include "apps/files/output_check.hpp"
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

/// What sort's options say; dedup is sort with two of them set.
struct SortChoice {
  std::string by = "source";
  bool unique = false;
  bool symmetrize = false;
  bool no_loops = false;
  std::string orient;
};

graph::EdgeOrder order(const std::string& by) {
  if (by == "source") return graph::EdgeOrder::source_target;
  if (by == "target") return graph::EdgeOrder::target_source;
  if (by == "weight") return graph::EdgeOrder::weight;
  throw UsageError(fmt::format("--by: '{}' is not one of source, target, weight", by));
}

Orientation orientation(const std::string& orient) {
  if (orient.empty()) return Orientation::as_stored;
  if (orient == "low") return Orientation::low;
  if (orient == "degree") return Orientation::degree;
  throw UsageError(fmt::format("--orient: '{}' is not one of low, degree", orient));
}

SortOptions sort_options(const SortChoice& choice, const CommonOptions& common) {
  SortOptions options;
  options.order = order(choice.by);
  options.unique = choice.unique;
  options.symmetrize = choice.symmetrize;
  options.no_loops = choice.no_loops;
  options.orientation = orientation(choice.orient);
  options.nodes = common.nodes;
  if (options.symmetrize && options.orientation != Orientation::as_stored) {
    throw UsageError("--symmetrize and --orient exclude each other: both directions, or one");
  }
  return options;
}

class Sort final : public Command {
 public:
  explicit Sort(bool dedup) : dedup_(dedup) {}

  void declare(CLI::App& app) override {
    app.add_option("INPUT", input_, "file, - (standard input) or gen:MODEL,key=value,...")->required();
    if (!dedup_) {
      app.add_option("--by", choice_.by, "source, target or weight [source]")
          ->type_name("KEY")
          ->group("Sort");
      app.add_flag("-u,--unique", choice_.unique, "one edge per source and target, the lightest")
          ->group("Sort");
      app.add_flag("--symmetrize", choice_.symmetrize, "every edge in both directions")->group("Sort");
      app.add_flag("--no-loops", choice_.no_loops, "drop edges from a node to itself")->group("Sort");
    }
    app.add_option("--orient", choice_.orient, "from the end with the smaller id (low) or degree (degree)")
        ->type_name("HOW")
        ->group("Sort");
    app.add_option("--codec", codec_, "none, delta, zstd[:LEVEL], delta+zstd[:LEVEL] [none]")
        ->type_name("CODEC")
        ->group("Sort");
    declare_common_options(app, typed_, {});
  }

  ExitCode run() override {
    const char* name = dedup_ ? "dedup" : "sort";
    if (dedup_) choice_.unique = choice_.no_loops = true;
    const CommonOptions options = validate(typed_);
    const SortOptions sort_by = sort_options(choice_, options);
    if (options.output.empty()) {
      throw UsageError("no output: give -o FILE, or -o - for standard output");
    }
    check_edge_output(options, options.output, {input_}, codec_);

    Session session(options, Spill::possible);
    SortResult result;
    std::uint64_t output_bytes = 0;
    with_edges(session, input_, AllAttachments(),
               [&]<class R>(graph::format::EdgeInput&, graph::EdgeSource<R>& edges) {
                 if (sort_by.order == graph::EdgeOrder::weight &&
                     edges.facts().layout.weight == graph::WeightType::none) {
                   throw UsageError(fmt::format("--by weight: {} has no weights", edges.facts().name));
                 }
                 const graph::EdgeFacts facts = graph::prepare::sorted_facts(edges.facts(), sort_by);
                 const auto writer = create_edge_output(session, session.options().output, facts, codec_,
                                                        {{"made_by", fmt::format("emgraph {}", name)}});
                 result = graph::prepare::sort<R>(
                     session.environment(), edges, sort_by,
                     [&writer](std::span<const R> records) { writer->append(records); });
                 writer->at_least_nodes(result.nodes);
                 finish_edge_output(session, *writer);
                 output_bytes = writer->bytes();
               });
    report(session, name, result, output_bytes);
    return ExitCode::done;
  }

 private:
  void report(Session& session, const char* name, const SortResult& result,
              std::uint64_t output_bytes) const {
    Report report(name);
    report.text("input", input_);
    report.output("output", session.options().output);
    report.graph(result.nodes, result.edges);
    report.count("edges_out", result.edges_out);
    report.count("duplicates_removed", result.duplicates_removed);
    report.count("loops_removed", result.loops_removed);
    report.flag("sorted_input_reused", result.sorted_input_reused);
    report.size("output_bytes", output_bytes);
    report.model(result.choice);
    report.finish();
  }

  const bool dedup_;
  TypedOptions typed_;
  std::string input_;
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
