// SPDX-License-Identifier: MIT
// The command cat: edges or node values as text.
#include <CLI/CLI.hpp>

#include "apps/command.hpp"
#include "apps/copy_edges.hpp"
#include "apps/edge_input.hpp"
#include "apps/edge_output.hpp"
#include "apps/node_input.hpp"
#include "apps/options.hpp"
#include "apps/output_check.hpp"
#include "apps/report.hpp"
#include "apps/session.hpp"
#include "core/base/error.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/format/nodes/node_writer.hpp"

namespace emgraph::apps {

namespace {

/// Copies the first `limit` values of a node result as lines.
std::uint64_t copy_values(Session& session, const std::string& input, std::uint64_t limit) {
  core::Environment& environment = session.environment();
  const auto reader = graph::format::open_node_reader(environment, input, {});
  const auto writer = graph::format::open_node_writer<std::uint64_t>(
      environment, session.options().output, {.format = "tsv", .overwrite = overwrite(session.options())});
  core::Phase phase(environment.progress, "copy", std::min(limit, reader->count().value_or(0)), "values");
  std::uint64_t copied = 0;
  while (copied < limit) {
    auto batch = reader->next();
    if (batch.empty()) break;
    batch = batch.first(std::min<std::uint64_t>(batch.size(), limit - copied));
    writer->append(batch);
    copied += batch.size();
    phase.advance(batch.size());
  }
  writer->finish();
  return copied;
}

class Cat final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("INPUT", input_,
                   "edges or an .npy node result; - is standard input; gen:MODEL,key=value,...")
        ->required();
    app.add_option("--head", head_, "only the first N")->type_name("N")->group("Cat");
    declare_common_options(app, typed_, {.relabel = false});
  }

  ExitCode run() override {
    CommonOptions options = validate(typed_);
    if (options.output.empty()) options.output = "-";
    if (options.output_format.empty()) options.output_format = "text";
    // Who looks at a few edges does not want a table below them.
    options.quiet = options.quiet || options.verbose == 0;
    const std::uint64_t limit = head_.empty() ? ~std::uint64_t{0} : count_option("--head", head_);
    check_edge_output(options, options.output, {input_}, "");

    Session session(options, Spill::never);
    Report report("cat");
    report.text("input", input_);
    if (const auto header = node_result_header(session, input_)) {
      report.count("nodes", header->shape[0]);
      report.count("edges", 0);
      report.count("values", copy_values(session, input_, limit));
    } else {
      with_edges(session, input_, AllAttachments(),
                 [&]<class R>(graph::format::EdgeInput&, graph::EdgeSource<R>& edges) {
                   graph::EdgeFacts facts = edges.facts();
                   facts.edges = std::nullopt;  // fewer with --head
                   const auto writer = create_edge_output(session, session.options().output, facts, "", {});
                   const Copied copied = copy_edges<R>(session.environment(), edges, limit, *writer);
                   finish_edge_output(session, *writer);
                   report.count("nodes", facts.nodes.value_or(copied.largest_id_plus_1));
                   report.count("edges", copied.edges);
                 });
    }
    report.model("external", "one pass, nothing is kept");
    report.finish(session, is_standard_output(options.output));
    return ExitCode::done;
  }

 private:
  TypedOptions typed_;
  std::string input_;
  std::string head_;
};

}  // namespace

std::unique_ptr<Command> make_cat() {
  return std::make_unique<Cat>();
}

}  // namespace emgraph::apps
