// SPDX-License-Identifier: MIT
// Graph500's statistics against values computed by hand.
#include "graph/graph500/statistics.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace emgraph::graph::graph500 {
namespace {

TEST_CASE("graph500 statistics: quartiles are the means of the elements on both sides") {
  const double eight[] = {8, 1, 7, 2, 6, 3, 5, 4};
  const Statistics s = statistics(eight);
  CHECK(s.minimum == 1);
  CHECK(s.first_quartile == 2.5);  // x(1) = 2 and x(2) = 3
  CHECK(s.median == 4.5);
  CHECK(s.third_quartile == 6.5);
  CHECK(s.maximum == 8);
  CHECK(s.mean == 4.5);
  CHECK(s.stddev == Approx(std::sqrt(42.0 / 7)));
  const double five[] = {10, 20, 30, 40, 50};
  CHECK(statistics(five).first_quartile == 20);
  CHECK(statistics(five).median == 30);
  CHECK(statistics(five).third_quartile == 40);
  const double one[] = {3};
  CHECK(statistics(one).third_quartile == 3);
  CHECK(statistics(one).stddev == 0);
}

TEST_CASE("graph500 statistics: rates have a harmonic mean") {
  const double edges[] = {100, 100, 100};
  const double seconds[] = {1, 2, 6};  // 100, 50 and 16.7 edges a second; 1/rate: .01, .02, .06
  const RateStatistics r = rate_statistics(edges, seconds);
  CHECK(r.minimum == Approx(100.0 / 6));
  CHECK(r.median == Approx(50));
  CHECK(r.maximum == Approx(100));
  CHECK(r.harmonic_mean == Approx(100.0 / 3));
  const double stddev = std::sqrt((.02 * .02 + .01 * .01 + .03 * .03) / 2);
  CHECK(r.harmonic_stddev == Approx(stddev / (.03 * .03 * std::sqrt(2.0))));
  CHECK(rate_statistics(std::span(edges).first(1), std::span(seconds).first(1)).harmonic_stddev == 0);
}

TEST_CASE("graph500 statistics: the block has the lines of the reference code in their order") {
  RunRecord run;
  run.scale = 8;
  run.bfs = {{.root = 1, .seconds = 2, .validation_seconds = 5, .edges = 10, .loops = 10},
             {.root = 2, .seconds = 2, .validation_seconds = 7, .edges = 10, .loops = 10}};
  run.sssp = run.bfs;
  const auto lines = official_block(run);
  REQUIRE(lines.size() == 6 + 14 + 7 + 14 + 14);
  const auto name = [&](std::size_t i) { return lines[i].name; };
  CHECK(name(0) == "SCALE");
  CHECK(name(1) == "edgefactor");
  CHECK(name(2) == "NBFS");
  CHECK(name(3) == "graph_generation");
  CHECK(name(4) == "num_mpi_processes");
  CHECK(name(5) == "construction_time");
  CHECK(name(6) == "bfs  min_time");
  CHECK(name(13) == "sssp min_time");
  CHECK(name(20) == "min_nedge");
  CHECK(lines[20].value == 10);
  CHECK(lines[20].digits == 11);
  CHECK(name(27) == "bfs  min_TEPS");
  CHECK(name(32) == "bfs  harmonic_mean_TEPS");
  CHECK(lines[32].mark);
  CHECK(lines[32].value == 5);
  CHECK(name(33) == "bfs  harmonic_stddev_TEPS");
  CHECK(name(34) == "sssp min_TEPS");
  CHECK(name(41) == "bfs  min_validate");
  CHECK(name(54) == "sssp stddev_validate");
  CHECK(teps(run.bfs, true).harmonic_mean == 10);
  run.sssp.clear();
  CHECK(official_block(run).size() == lines.size() - 21);
}

}  // namespace
}  // namespace emgraph::graph::graph500
