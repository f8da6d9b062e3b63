// SPDX-License-Identifier: MIT
// Matrix Market, DIMACS and METIS: round trips, and memory and disks that run out.
#include "tests/graph/format/line_samples.hpp"

namespace emgraph::tests::edge_formats::line_faults {

TEST_CASE("lines: everything is given back to the budget, whichever reservation fails") {
  for (const LineSample& sample : samples()) {
    CAPTURE(sample.name);
    const TemporaryDirectory directory;
    for (const std::string& path : {directory.write(sample.name, sample.content),
                                    directory.write(sample.name + ".zst", zstd(sample.content))}) {
      for (std::uint64_t k = 0;; ++k) {
        TestEnvironment test{.memory_bytes = 8 * MiB};
        test.memory.fail_reservation(k);
        const bool failed = !message_of<core::MemoryLimitError>([&] {
                               const auto source = typed_source<Weighted>(
                                   *open_edges(test.environment, path, sample.options));
                               source->sample(100);
                               drain(*source, 1);
                             }).empty();
        CHECK(test.memory.used() == 0);
        if (!failed) break;
      }
    }
  }
  for (const char* name : {"a.mtx", "a.gr", "a.graph"}) {
    CAPTURE(name);
    const TemporaryDirectory directory;
    for (std::uint64_t k = 0;; ++k) {
      TestEnvironment test{.memory_bytes = 8 * MiB};
      test.memory.fail_reservation(k);
      const bool failed =
          !message_of<core::MemoryLimitError>([&] {
             write_edges<Bare>(test.environment, directory.file(name), symmetric({}), {}, {{0, 1}, {1, 0}});
           }).empty();
      CHECK(test.memory.used() == 0);
      CHECK(directory.entries() == (failed ? 0 : 1));
      if (!failed) break;
    }
  }
}

TEST_CASE("lines: what is written is read again, in batches of any size") {
  const TemporaryDirectory directory;
  TestEnvironment test{.memory_bytes = 8 * MiB};
  auto edges = random_records<Weighted>(30000, 5000, 4, true);
  // Both directions, unique, no loops, as METIS has them.
  std::vector<Weighted> both;
  for (const Weighted& edge : edges) {
    if (edge.source == edge.target) continue;
    both.push_back(edge);
    both.push_back(edge);
    std::swap(both.back().source, both.back().target);
  }
  std::stable_sort(both.begin(), both.end(), before<Weighted>);
  both.erase(std::unique(both.begin(), both.end(),
                         [](const Weighted& a, const Weighted& b) {
                           return a.source == b.source && a.target == b.target;
                         }),
             both.end());
  for (const std::size_t batch : {std::size_t{7}, std::size_t{100000}}) {
    for (const bool declared : {false, true}) {
      EdgeFacts facts = declared ? symmetric(counted(6000, both.size())) : symmetric({});
      facts.layout.weight = WeightType::i64;
      for (const std::string name : {"a.mtx", "a.gr", "a.graph"}) {
        CAPTURE(name, batch, declared);
        const std::string path = directory.file(number(batch) + (declared ? "d" : "u") + name);
        write_edges(test.environment, path, facts, {}, both, batch);
        CHECK(same_records(read_edges<Weighted>(test.environment, path, {}, 2), both));
        const EdgeFacts read = open_edges(test.environment, path, {})->facts();
        CHECK(read.nodes == (declared ? 6000 : std::uint64_t{both.back().source} + 1));
        CHECK(read.edges == both.size());
      }
    }
  }
}

TEST_CASE("lines: a full disk is an error of the environment") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const std::vector<Bare> edges(500000, Bare{0, 1});
  for (const char* format : {"mtx", "gr"}) {
    CHECK_THROWS_AS(
        write_edges(test.environment, "/dev/full", counted(2, edges.size()), {.format = format}, edges),
        core::EnvironmentError);
  }
  CHECK_THROWS_AS(write_edges<Bare>(test.environment, "/dev/full", symmetric(counted(9000000, 0)),
                                    {.format = "graph"}, {}),
                  core::EnvironmentError);
}

}  // namespace emgraph::tests::edge_formats::line_faults
