// SPDX-License-Identifier: MIT
// The command check mst: is a result the minimum spanning forest of its graph?

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/command_line/weighting_option.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "graph/mst/check.hpp"

namespace emgraph::apps {

namespace {

class CheckMst final : public Command {
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
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  ExitCode run() override {
    CommonOptions options = validate(typed_);
    refuse_output(options);
    options.other_inputs = {forest_};
    const graph::mst::CheckOptions check = {.nodes = options.nodes, .weighting = parse_weighting(weights_)};
    Session session(options, Spill::possible);
    Report report(session, "check mst");
    graph::mst::Verdict verdict;
    const auto work = [&]<class R>(graph::format::EdgeInput& input, graph::EdgeSource<R>& edges) {
      require_weights(input.facts(), check.weighting);
      verdict = graph::mst::check<R>(session.environment(), edges, load(session), check);
    };
    if (check.weighting.rule == graph::mst::WeightRule::stored) {
      with_edges(session, graph_, Attachments<0, 4, 8>(), work);
    } else {
      with_edges(session, graph_, NoAttachments(), work);
    }
    report.text("input", graph_);
    report.text("result", forest_);
    report.graph(verdict.nodes, verdict.edges);
    report.count("forest_edges", verdict.forest_edges);
    report.model(verdict.choice);
    return report.finish_check(verdict.ok, forest_, verdict.message);
  }

 private:
  /// Ids of 8 bytes whatever the file's: they are few.
  graph::mst::ClaimedForest load(Session& session) const {
    graph::format::OpenOptions open;
    if (!forest_format_.empty()) open.format = forest_format_;
    open.id_bytes = 8;
    const auto input = graph::format::open_edges(session.environment(), forest_, open);
    using Wide = graph::Record<std::uint64_t, 8>;
    const auto source = input->template source<Wide>();
    return graph::mst::load_forest<Wide>(session.environment(), *source);
  }

  TypedOptions typed_;
  std::string graph_;
  std::string forest_;
  std::string forest_format_;
  std::string weights_;
};

}  // namespace

std::unique_ptr<Command> make_check_mst() {
  return std::make_unique<CheckMst>();
}

}  // namespace emgraph::apps
