// SPDX-License-Identifier: MIT
// The command gen: random graphs of any size.
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_output.hpp"
#include "apps/files/kept_space.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/bytes.hpp"
#include "core/base/parallel.hpp"
#include "core/base/sequencer.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/memory/buffer.hpp"
#include "graph/generate/model.hpp"
#include "graph/generate/model_text.hpp"

namespace emgraph::apps {

namespace {

namespace generate = graph::generate;

/// Bytes that a thread generates between two writes; they fit in the second-level cache.
constexpr std::size_t chunk_bytes = std::size_t{256} << 10;

graph::EdgeFacts edge_facts(const generate::ModelFacts& model, const generate::AttachmentSpec& attachments) {
  graph::EdgeFacts facts;
  facts.layout = {.id_bytes = model.nodes > std::uint64_t{1} << 32 ? std::size_t{8} : 4,
                  .weight = attachments.weights         ? graph::WeightType::u32
                            : attachments.model_weights ? graph::WeightType::f32
                                                        : graph::WeightType::none,
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

/// Their chunks may take a quarter of the free memory.
unsigned generating_threads(const core::Environment& environment) {
  return static_cast<unsigned>(
      std::clamp<std::size_t>(environment.memory.available() / 4 / chunk_bytes, 1, environment.threads));
}

/// Threads fill chunks in parallel and append them in order, so the file does not depend on their number.
void generate_edges(core::Environment& environment, const generate::Model& model,
                    const generate::ModelSpec& spec, const graph::EdgeFacts& facts,
                    graph::format::EdgeWriter& writer) {
  const core::PairShape shape = graph::record_shape(facts.layout);
  const std::uint64_t chunk = chunk_bytes / shape.row_bytes;
  const std::uint64_t edges = facts.edges.value();
  core::Phase phase(environment.progress, "generate", edges, "edges");
  core::Checkpoint* const checkpoint = environment.checkpoint;
  std::uint64_t start = 0;
  if (checkpoint != nullptr && checkpoint->has_state()) {
    const auto state = checkpoint->take_state();
    start = state->value<std::uint64_t>();
    writer.restore(*state);
    phase.advance(start);
  }
  std::atomic<std::uint64_t> next{start};
  core::Sequencer turn;
  turn.pass_to(start);
  const unsigned threads = generating_threads(environment);
  core::run_on_threads(threads, [&](unsigned) {
    const core::StopOnFailure stop_on_failure(turn);
    const core::Buffer buffer(environment.memory, chunk * shape.row_bytes, "edges being generated");
    while (!turn.stopped()) {
      const std::uint64_t first = next.fetch_add(chunk);
      if (first >= edges) return;
      const std::uint64_t count = std::min(chunk, edges - first);
      generate::fill_records(model, spec.attachments, spec.seed, first, shape, buffer.data(), count);
      if (!turn.wait_for(first)) return;
      writer.append_records(shape, buffer.data(), count);
      phase.advance(count);
      if (checkpoint != nullptr && checkpoint->due()) {
        checkpoint->seal(fmt::format("{} of {} edges are generated", core::format_count(first + count),
                                     core::format_count(edges)),
                         [&](core::StateWriter& to) {
                           to.value(first + count);
                           writer.save(to);
                         });
      }
      turn.pass_to(first + chunk);
    }
  });
}

class Gen final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    options.group("Model");
    options
        .value(
            "--model", model_, "MODEL",
            "how edges are drawn: random (uniform pairs of nodes), gnm (exactly N distinct edges without "
            "loops), "
            "kron (a Kronecker graph with the constants of Graph500), graph500 (the benchmark's own edges, "
            "bit by bit) or grid (a grid of any dimension)")
        .only({"random", "gnm", "kron", "grid", "graph500"})
        .otherwise("random");
    options.value("--edges", edges_, "N", "number of edges, such as 10G: of random and gnm");
    options.value("--nodes", typed_.nodes, "N", "number of nodes: of random and gnm (gnm: 2^32 at most)")
        .otherwise("edges / 6.25");
    options.value("--scale", scale_, "SCALE", "there are 2^SCALE nodes: of kron and graph500");
    options.value("--edge-factor", edge_factor_, "N", "edges per node: of kron and graph500").otherwise("16");
    options.value("--dims", dims_, "AxBx...", "number of nodes along each dimension: of grid");
    options.flag("--torus", torus_, "join the ends of each dimension: of grid");
    options.value("--weights", weights_, "LO:HI",
                  "give each edge a random integer weight from LO to HI; float, of --model graph500 only: "
                  "32-bit floats "
                  "from 0 to 1");
    options.value("--payload", payload_, "BYTES", "give each edge so many random bytes");
    declare_codec(options, codec_);
    declare_common_options(options, typed_,
                           {.input = false,
                            .nodes = false,
                            .relabel = false,
                            .checkpoint = true,
                            .spills = false,
                            .arrays = false,
                            .result = "edge file",
                            .no_output = "edges.bin"});
  }

  CommonOptions check() override {
    CommonOptions options = validate(typed_);
    if (options.output.empty()) options.output = "edges.bin";
    make_model(model_spec(options));
    check_edge_output(options, options.output, {}, codec_);
    return options;
  }
  Spill spill() const override { return Spill::never; }

  Plan plan(Session& session) override {
    const generate::ModelSpec spec = model_spec(session.options());
    const generate::ModelFacts model = facts(make_model(spec));
    const graph::EdgeFacts facts = edge_facts(model, spec.attachments);
    const std::string& output = session.options().output;
    core::Environment& environment = session.environment();
    const auto writer = create_edge_output(session, output, facts, codec_, {});
    std::vector<core::Buffer> chunks;
    for (unsigned i = generating_threads(environment); i > 0; --i) {
      chunks.emplace_back(environment.memory, chunk_bytes, "edges being generated");
    }
    writer->append_records(graph::record_shape(facts.layout), nullptr, 0);  // the lines of text
    Plan plan{
        .input = facts.name,
        .size = {.nodes = {model.nodes, "declared"}, .edges = {model.edges, "declared"}, .file_bytes = 0}};
    // Beside the model, to a container. Attachments take more.
    constexpr double write_nanoseconds = 1;
    plan.model = model.name;
    plan.forecast.choice = graph::one_pass();
    plan.forecast.phases.push_back(
        {.name = "generate",
         .cpu_seconds = graph::seconds_for(model.edges, model.edge_nanoseconds + write_nanoseconds)});
    plan.outputs.push_back(planned_edge_file(session, output, facts, codec_, plan.size));
    return plan;
  }

  ExitCode run() override {
    const CommonOptions options = check();
    const generate::ModelSpec spec = model_spec(options);
    const generate::Model model = make_model(spec);
    const generate::ModelFacts model_facts = facts(model);
    Session session(options, Spill::never);
    const graph::EdgeFacts facts = edge_facts(model_facts, spec.attachments);
    const std::string attachments = describe(spec.attachments);
    const std::string made = fmt::format("gen:{},{}{}{}", model_facts.name, model_facts.parameters,
                                         attachments.empty() ? "" : ",", attachments);
    const auto writer =
        create_edge_output(session, session.options().output, facts, codec_, {{"generator", made}});
    announce_kept_space(session, facts, {});
    generate_edges(session.environment(), model, spec, facts, *writer);
    finish_edge_output(session, *writer);

    Report report(session, "gen");
    report.output("output", options.output);
    report.graph(model_facts.nodes, model_facts.edges);
    report.model(model_facts.name, made);
    report.size("output_bytes", writer->bytes());
    return report.finish();
  }

 private:
  generate::ModelSpec model_spec(const CommonOptions& options) const {
    generate::ModelSpec spec;
    if (!model_.empty()) spec.name = model_;
    spec.nodes = options.nodes;
    if (!edges_.empty()) spec.edges = count_option("--edges", edges_);
    if (!scale_.empty()) spec.scale = count_option("--scale", scale_);
    if (!edge_factor_.empty()) spec.edge_factor = count_option("--edge-factor", edge_factor_);
    if (!dims_.empty()) spec.dims = generate::parse_dims(dims_);
    spec.torus = torus_;
    spec.seed = options.seed;
    if (!weights_.empty()) generate::parse_weights(weights_, spec.attachments);
    if (!payload_.empty()) spec.attachments.payload_bytes = size_option("--payload", payload_);
    return spec;
  }

  TypedOptions typed_;
  std::string model_;
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
