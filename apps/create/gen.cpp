// SPDX-License-Identifier: MIT
// The command gen: random graphs of any size.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_output.hpp"
#include "apps/files/output_check.hpp"
#include "apps/files/record_type.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/parallel.hpp"
#include "core/base/sequencer.hpp"
#include "core/memory/buffer.hpp"
#include "graph/generate/model.hpp"
#include "graph/generate/model_text.hpp"

namespace emgraph::apps {

namespace {

namespace generate = graph::generate;

/// What a thread generates before it takes its turn to write, bytes: stays in the second-level cache.
constexpr std::size_t chunk_bytes = std::size_t{256} << 10;

graph::EdgeFacts edge_facts(const generate::ModelFacts& model, const generate::AttachmentSpec& attachments) {
  graph::EdgeFacts facts;
  facts.layout = {.id_bytes = model.nodes > std::uint64_t{1} << 32 ? std::size_t{8} : 4,
                  .weight = attachments.weights ? graph::WeightType::u32 : graph::WeightType::none,
                  .payload_bytes = attachments.payload_bytes};
  facts.nodes = model.nodes;
  facts.edges = model.edges;
  if (model.sorted_by_source_target) facts.order = graph::EdgeOrder::source_target;
  facts.unique = model.unique;
  facts.no_loops = model.no_loops;
  facts.oriented_low = model.oriented_low;
  facts.name = "gen:" + model.name;
  return facts;
}

/// Threads fill chunks side by side and append them in turn, so that the file does not tell how many there
/// were.
template <class R>
void generate_edges(core::Environment& environment, const generate::Model& model,
                    const generate::ModelSpec& spec, std::uint64_t edges, graph::format::EdgeWriter& writer) {
  constexpr std::uint64_t chunk = chunk_bytes / sizeof(R);
  core::Phase phase(environment.progress, "generate", edges, "edges");
  std::atomic<std::uint64_t> next{0};
  core::Sequencer turn;
  // As many as a quarter of the free memory has chunks for.
  const auto threads = static_cast<unsigned>(
      std::clamp<std::size_t>(environment.memory.available() / 4 / chunk_bytes, 1, environment.threads));
  core::run_on_threads(threads, [&](unsigned) {
    const core::StopOnFailure stop_on_failure(turn);
    const core::Array<R> buffer(environment.memory, chunk, "edges being generated");
    while (!turn.stopped()) {
      const std::uint64_t first = next.fetch_add(chunk);
      if (first >= edges) return;
      const std::uint64_t count = std::min(chunk, edges - first);
      const std::span<R> records = buffer.span().first(count);
      generate::fill_records(model, spec.attachments, spec.seed, first, records);
      if (!turn.wait_for(first)) return;
      writer.append(std::span<const R>(records));
      phase.advance(count);
      turn.pass_to(first + chunk);
    }
  });
}

class Gen final : public Command {
 public:
  void declare(CLI::App& app) override {
    const auto option = [&app](const char* name, std::string& target, const char* help, const char* type) {
      app.add_option(name, target, help)->type_name(type)->group("Model");
    };
    option("--model", typed_.model, "random, gnm, kron or grid [random]", "MODEL");
    option("--edges", edges_, "edges: random, gnm", "N");
    option("--nodes", typed_.nodes, "nodes: random, gnm [edges / 6.25]", "N");
    option("--scale", scale_, "2^SCALE nodes: kron", "SCALE");
    option("--edge-factor", edge_factor_, "edges per node: kron [16]", "N");
    option("--dims", dims_, "extents: grid", "AxBx...");
    app.add_flag("--torus", torus_, "the grid closes on itself: grid")->group("Model");
    option("--weights", weights_, "edges carry a random weight from LO to HI", "LO:HI");
    option("--payload", payload_, "edges carry so many random bytes", "BYTES");
    option("--codec", codec_, "none, delta, zstd[:LEVEL], delta+zstd[:LEVEL] [none]", "CODEC");
    declare_common_options(app, typed_, {.input = false, .nodes = false, .relabel = false});
  }

  ExitCode run() override {
    const std::string model_name = std::exchange(typed_.model, "");  // not a memory model
    CommonOptions options = validate(typed_);
    if (options.output.empty()) options.output = "edges.bin";
    const generate::ModelSpec spec = model_spec(options, model_name);
    const generate::Model model = make_model(spec);
    const generate::ModelFacts model_facts = facts(model);
    check_edge_output(options, options.output, {}, codec_);

    Session session(options, Spill::never);
    const graph::EdgeFacts facts = edge_facts(model_facts, spec.attachments);
    const std::string attachments = describe(spec.attachments);
    const std::string made = fmt::format("gen:{},{}{}{}", model_facts.name, model_facts.parameters,
                                         attachments.empty() ? "" : ",", attachments);
    const auto writer =
        create_edge_output(session, session.options().output, facts, codec_, {{"generator", made}});
    with_record_type(facts.layout, AllAttachments(), [&]<class R>() {
      generate_edges<R>(session.environment(), model, spec, model_facts.edges, *writer);
    });
    finish_edge_output(session, *writer);

    Report report(session, "gen");
    report.output("output", options.output);
    report.graph(model_facts.nodes, model_facts.edges);
    report.model(model_facts.name, made);
    report.size("output_bytes", writer->bytes());
    return report.finish();
  }

 private:
  generate::ModelSpec model_spec(const CommonOptions& options, const std::string& model_name) const {
    generate::ModelSpec spec;
    if (!model_name.empty()) spec.name = model_name;
    spec.nodes = options.nodes;
    if (!edges_.empty()) spec.edges = count_option("--edges", edges_);
    if (!scale_.empty()) spec.scale = count_option("--scale", scale_);
    if (!edge_factor_.empty()) spec.edge_factor = count_option("--edge-factor", edge_factor_);
    if (!dims_.empty()) spec.dims = generate::parse_dims(dims_);
    spec.torus = torus_;
    spec.seed = options.seed;
    if (!weights_.empty()) spec.attachments.weights = generate::parse_weight_range(weights_);
    if (!payload_.empty()) spec.attachments.payload_bytes = size_option("--payload", payload_);
    return spec;
  }

  TypedOptions typed_;
  std::string edges_;
  std::string scale_;
  std::string edge_factor_;
  std::string dims_;
  bool torus_ = false;
  std::string weights_;
  std::string payload_;
  std::string codec_;
};

}  // namespace

std::unique_ptr<Command> make_gen() {
  return std::make_unique<Gen>();
}

}  // namespace emgraph::apps
