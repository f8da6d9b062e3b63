// SPDX-License-Identifier: MIT
// The command convert: the same edges in another format.
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "apps/command.hpp"
#include "apps/copy_edges.hpp"
#include "apps/edge_input.hpp"
#include "apps/edge_output.hpp"
#include "apps/options.hpp"
#include "apps/output_check.hpp"
#include "apps/report.hpp"
#include "apps/session.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

class Convert final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("INPUT", input_, "file, - (standard input) or gen:MODEL,key=value,...")->required();
    app.add_option("--codec", codec_, "none, delta, zstd[:LEVEL], delta+zstd[:LEVEL] [none]")
        ->type_name("CODEC")
        ->group("Convert");
    declare_common_options(app, typed_, {});
  }

  ExitCode run() override {
    const CommonOptions options = validate(typed_);
    if (options.output.empty()) {
      throw core::UsageError("no output: give -o FILE, or -o - for standard output");
    }
    check_edge_output(options, options.output, {input_}, codec_);

    Session session(options, Spill::never);
    Report report("convert");
    report.text("input", input_);
    report.text("output", options.output);
    with_edges(session, input_, AllAttachments(),
               [&]<class R>(const graph::format::EdgeInput& input, graph::EdgeSource<R>& edges) {
                 const graph::EdgeFacts& facts = edges.facts();
                 graph::format::Metadata metadata = input.metadata();
                 metadata.emplace_back("converted_from", input_);
                 const auto writer = create_edge_output(session, session.options().output, facts, codec_,
                                                        std::move(metadata));
                 const Copied copied =
                     copy_edges<R>(session.environment(), edges, ~std::uint64_t{0}, *writer);
                 finish_edge_output(session, *writer);
                 report.count("nodes", facts.nodes.value_or(copied.largest_id_plus_1));
                 report.count("edges", copied.edges);
                 report.size("output_bytes", writer->bytes());
               });
    report.model("external", "one pass, nothing is kept");
    report.finish(session, is_standard_output(options.output));
    return ExitCode::done;
  }

 private:
  TypedOptions typed_;
  std::string input_;
  std::string codec_;
};

}  // namespace

std::unique_ptr<Command> make_convert() {
  return std::make_unique<Convert>();
}

}  // namespace emgraph::apps
