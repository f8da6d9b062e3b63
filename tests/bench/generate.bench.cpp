// SPDX-License-Identifier: MIT
// Edges per CPU second of each graph model on one thread, written to a batch in cache; best of 3.
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <span>
#include <vector>

#include "graph/generate/model.hpp"

namespace {

using namespace emgraph::graph;
using namespace emgraph::graph::generate;

constexpr std::size_t batch_edges = std::size_t{1} << 16;
constexpr std::uint64_t most_edges = std::uint64_t{1} << 27;

template <class Fill>
void report(const char* what, std::uint64_t edges, const Fill& fill_batch) {
  edges = std::min(edges, most_edges);
  double best = 0;
  for (int run = 0; run < 3; ++run) {
    const std::clock_t start = std::clock();
    for (std::uint64_t at = 0; at < edges; at += batch_edges) {
      fill_batch(at, static_cast<std::size_t>(std::min<std::uint64_t>(batch_edges, edges - at)));
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::max(best, static_cast<double>(edges) / seconds);
  }
  std::printf("%-44s %8.0f M edges/s\n", what, best / 1e6);
}

template <class Id>
void report_model(const char* what, const Model& model) {
  std::vector<Edge<Id>> edges(batch_edges);
  report(what, facts(model).edges, [&](std::uint64_t first, std::size_t count) {
    fill<Id>(model, first, std::span(edges).first(count));
  });
}

template <std::size_t A>
void report_records(const char* what, const Model& model, const AttachmentSpec& spec) {
  constexpr core::PairShape shape = {.integer_bytes = 4, .attachment_bytes = A, .row_bytes = 8 + A};
  std::vector<std::byte> records(batch_edges * shape.row_bytes);
  report(what, facts(model).edges, [&](std::uint64_t first, std::size_t count) {
    fill_records(model, spec, 1, first, shape, records.data(), count);
  });
}

}  // namespace

int main() {
  constexpr std::uint64_t paper_nodes = 20'971'520;
  constexpr std::uint64_t paper_edges = 131'072'000;
  constexpr std::uint64_t wide = std::uint64_t{1} << 40;
  const Model random = RandomModel(paper_nodes, paper_edges, 1);
  const Model kronecker = KroneckerModel(24, 16, 1);
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    std::printf("%s\n", hwy::TargetName(target));
    report_model<std::uint32_t>("  random, 32-bit ids", random);
    report_model<std::uint32_t>("  kron scale 24, 32-bit ids", kronecker);
    report_model<std::uint64_t>("  kron scale 40, 64-bit ids", KroneckerModel(40, 1, 1));
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  std::printf("best of these\n");
  report_model<std::uint64_t>("  random, 64-bit ids", random);
  report_model<std::uint64_t>("  random 2^40 nodes, 64-bit ids", RandomModel(wide, wide, 1));
  report_model<std::uint32_t>("  gnm 21 M nodes, 131 M edges", GnmModel(paper_nodes, paper_edges, 1));
  report_model<std::uint32_t>("  gnm 20 k nodes, 100 M edges (half of all)",
                              GnmModel(20'000, 100'000'000, 1));
  report_model<std::uint32_t>("  gnm 2^32 nodes, 50 M edges",
                              GnmModel(std::uint64_t{1} << 32, 50'000'000, 1));
  const std::vector<std::uint64_t> square = {4096, 4096};
  const std::vector<std::uint64_t> cube = {256, 256, 256};
  const std::vector<std::uint64_t> ladder = {std::uint64_t{1} << 23, 2};
  report_model<std::uint32_t>("  grid 4096x4096", GridModel(square, false));
  report_model<std::uint32_t>("  grid 256x256x256 torus", GridModel(cube, true));
  report_model<std::uint32_t>("  grid 8388608x2", GridModel(ladder, false));
  report_records<0>("  random records, no attachment", random, {});
  report_records<4>("  random records, weight", random, {WeightRange{1, 1000}, 0});
  report_records<8>("  random records, payload 8", random, {std::nullopt, 8});
}
