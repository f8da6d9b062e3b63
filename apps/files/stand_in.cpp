// SPDX-License-Identifier: MIT
// Rehearses the command with an input that has facts and no edges.
#include "apps/files/stand_in.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/bytes.hpp"

namespace emgraph::apps {

namespace {

/// Edges per node where only one of the two numbers is known.
constexpr std::uint64_t guessed_density = 8;
/// Nodes of a pipe that declares nothing.
constexpr std::uint64_t guessed_nodes = 100'000;

class EmptyLane final : public graph::RecordLane {
 public:
  explicit EmptyLane(core::Reservation memory) : memory_(std::move(memory)) {}
  graph::RecordBatch next() override { return {}; }
  std::uint64_t first_edge() const override { return 0; }

 private:
  const core::Reservation memory_;
};

class EmptySource final : public graph::RecordSource {
 public:
  explicit EmptySource(const StandIn& stand_in) : stand_in_(stand_in) {}
  const graph::EdgeFacts& facts() const override { return stand_in_.facts; }
  std::unique_ptr<graph::RecordLane> lane(const core::PairShape& /*shape*/) override {
    return std::make_unique<EmptyLane>(stand_in_.lane_memory ? stand_in_.lane_memory() : core::Reservation());
  }
  bool rewindable() const override { return stand_in_.rewindable; }
  bool quick_to_reread() const override { return stand_in_.quick_to_reread; }
  void rewind() override {}
  std::vector<std::byte> sample(const core::PairShape& /*shape*/, std::size_t /*count*/) override {
    return {};
  }

 private:
  const StandIn stand_in_;
};

}  // namespace

std::unique_ptr<graph::format::EdgeInput> open_stand_in(const StandIn& stand_in) {
  graph::format::Opened opened{.source = std::make_shared<EmptySource>(stand_in)};
  return std::make_unique<graph::format::EdgeInput>(std::move(opened), stand_in.facts, "text");
}

EdgeEstimate stand_in_estimate(const graph::EdgeFacts& facts) {
  EdgeEstimate estimate;
  const std::uint64_t nodes =
      facts.nodes.value_or(facts.edges ? *facts.edges / guessed_density + 1 : guessed_nodes);
  estimate.nodes = {nodes, facts.nodes ? "declared" : "sample"};
  estimate.edges = {facts.edges.value_or(core::size_product(nodes, guessed_density)),
                    facts.edges ? "declared" : "sample"};
  return estimate;
}

bool foresees_phases(const Session& session) {
  const Foresight& foresight = session.options().foresight;
  return shows_progress(session.options().progress) && foresight.with != nullptr && foresight.phases.empty();
}

void foresee_phases(Session& session, const std::vector<std::string>& before, StandIn input) {
  const CommonOptions& options = session.options();
  if (!foresees_phases(session)) return;
  input.memory_bytes = session.environment().memory.available();
  const std::vector<std::string> solver = options.foresight.with(input);
  if (solver.empty()) return;
  std::vector<std::string> phases = before;
  phases.insert(phases.end(), solver.begin(), solver.end());
  if (options.keep_names) phases.insert(phases.end(), {"scan labels", "write names"});
  session.phases().foresee(std::move(phases));
}

void foresee_labels(Session& session, const Inputs& inputs, graph::WeightType weight) {
  if (!foresees_phases(session)) return;
  graph::EdgeFacts facts;
  facts.layout.weight = weight;
  facts.name = inputs.text();
  std::optional<std::uint64_t> edges = 0;
  for (const std::string& input : inputs.names()) {
    const std::optional<std::uint64_t> here = estimated_edges(session, input);
    edges = edges && here ? std::optional(*edges + *here) : std::nullopt;
  }
  facts.edges = edges;
  facts.nodes = stand_in_estimate(facts).nodes.value;
  foresee_phases(session, {"read labels"}, {.facts = std::move(facts), .rewindable = true});
}

}  // namespace emgraph::apps
