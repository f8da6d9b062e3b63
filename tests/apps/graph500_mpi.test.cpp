// SPDX-License-Identifier: MIT
// graph500 as a job of several processes: the same answers for every number of them, and how a job ends.
#include <bit>
#include <cstdlib>
#include <fstream>
#include <map>

#include "graph/graph500/answer_checksum.hpp"
#include "tests/apps/graph_text.hpp"
#include "tests/apps/mpi_ranks.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

namespace {

std::string checksum_text(std::uint64_t checksum) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(checksum));
  return text;
}

/// The checksum of what `bfs` or `sssp` wrote to value.npy and parents.npy.
std::string checksum_of_files(const Workplace& here, std::uint64_t unreached) {
  const std::string values = here.read("value.npy");
  const std::vector<std::uint64_t> parents = npy_ids(here.read("parents.npy"));
  const std::size_t bytes = unreached == 0xffff'ffff ? 4 : 8;
  std::uint64_t sum = 0;
  for (std::size_t node = 0; node < parents.size(); ++node) {
    std::uint64_t value = 0;
    std::memcpy(&value, values.data() + values.size() - (parents.size() - node) * bytes, bytes);
    if (value != unreached) sum += graph::graph500::node_hash(node, value, parents[node]);
  }
  return checksum_text(sum);
}

}  // namespace

TEST_CASE("graph500 as several processes: the answers of bfs and sssp, whatever their number") {
  if (mpi_is_missing()) return;
  const Workplace here;
  const std::string source = " gen:graph500,scale=9,weights=float ";
  std::map<std::string, std::string> right;
  for (unsigned ranks = 1; ranks <= 4; ++ranks) {
    const nlohmann::json run = here.succeed(as_ranks(ranks, "graph500 --scale 9 --roots 4 --json")).json();
    CHECK(run.at("num_mpi_processes") == ranks);
    CHECK(run.at("ok") == true);
    for (const std::string kernel : {"bfs", "sssp"}) {
      CHECK((run.at(kernel + "_traffic").at("sent_bytes_per_edge") > 0) == (ranks > 1));
      REQUIRE(run.at(kernel + "_searches").size() == 4);
      for (std::size_t i = 0; i < 4; ++i) {
        const nlohmann::json& search = run.at(kernel + "_searches")[i];
        CHECK(search.contains("levels") == (kernel == "bfs"));
        const std::string root = std::to_string(search.at("root").get<std::uint64_t>());
        std::string& checksum = right[kernel + root];
        if (checksum.empty()) {
          here.succeed("emgraph " + kernel + source + "--root " + root +
                       " -f -o value.npy --parents parents.npy -q");
          const std::uint64_t infinity = std::bit_cast<std::uint64_t>(HUGE_VAL);
          checksum = checksum_of_files(here, kernel == "bfs" ? 0xffff'ffff : infinity);
        }
        CAPTURE(ranks, kernel, root);
        CHECK(run.at(kernel + "_checksums")[i] == checksum);
      }
    }
  }
  CHECK(here.files() == std::vector<std::string>{"parents.npy", "value.npy"});
}

TEST_CASE("graph500 as several processes: the answers of the reference code") {
  if (mpi_is_missing()) return;
  const char* const shared = std::getenv("EMGRAPH_SHARED_DATASETS");
  std::ifstream file(std::string(shared == nullptr ? "" : shared) + "/graph500.json");
  if (!file) return skip("no graph500.json in $EMGRAPH_SHARED_DATASETS");
  const Workplace here;
  for (const nlohmann::json& graph : nlohmann::json::parse(file).at("graphs")) {
    const int scale = graph.at("scale");
    if (scale > 12) continue;
    const std::string line = "graph500 --roots 4 --json --scale " + std::to_string(scale);
    const nlohmann::json run = here.succeed(as_ranks(2, line)).json();
    for (std::size_t i = 0; i < graph.at("searches").size(); ++i) {
      const nlohmann::json& right = graph.at("searches")[i];
      const nlohmann::json& bfs = run.at("bfs_searches")[i];
      const nlohmann::json& sssp = run.at("sssp_searches")[i];
      CAPTURE(scale, i);
      for (const nlohmann::json& search : {bfs, sssp}) {
        CHECK(search.at("root") == right.at("root"));
        CHECK(search.at("reached") == right.at("reached"));
        CHECK(search.at("edges_without_loops") == right.at("edges_without_loops"));
        CHECK(search.at("loops") == right.at("loops_in_component"));
      }
      CHECK(bfs.at("levels") == right.at("levels"));
      CHECK(sssp.at("max_distance").get<double>() == right.at("max_f64").get<double>());
    }
  }
}

TEST_CASE("graph500 as several processes: the block, a row per search, nothing left behind") {
  if (mpi_is_missing()) return;
  const Workplace here;
  const Outcome run = here.succeed(as_ranks(2, "graph500 --scale 8 --roots 3 --kernel bfs --csv rows.csv"));
  CHECK_THAT(run.out, Catch::Contains("num_mpi_processes:") && Catch::Contains("bfs  harmonic_mean_TEPS:"));
  CHECK_THAT(run.out, !Catch::Contains("sssp"));
  const std::string rows = here.read("rows.csv");
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 4);
  CHECK(here.files() == std::vector<std::string>{"rows.csv"});
}

TEST_CASE("graph500 as several processes: a rank that fails ends the job and is named") {
  if (mpi_is_missing()) return;
  const Workplace here;
  const Outcome small = here.run(as_ranks(2, "graph500 --scale 16 --roots 1 -M 16M"));
  CHECK(small.exit_code == 4);
  CHECK_THAT(small.error, Catch::Contains("emgraph graph500: rank ") && Catch::Contains("memory limit"));
  CHECK_THAT(here.run(as_ranks(2, "graph500 --scale 8 --model external")).error, Catch::Contains("--model"));
  // A rank is killed: a child of the launcher, or of a process that this has started. The launcher names it
  // and ends the others.
  const Outcome killed = here.run(as_ranks(2, "graph500 --scale 14 --roots 2000 --json") +
                                  " &\nlauncher=$!\nsleep 1\nfirst=$(pgrep -d , -P $launcher)\n"
                                  "second=$(pgrep -P $first | tail -n 1)\n"
                                  "kill -9 ${second:-${first##*,}}\nwait $launcher");
  CHECK(killed.exit_code > 0);
  CHECK_THAT(killed.error, Catch::Contains("signal 9") || Catch::Contains("Killed"));
  CHECK(killed.out.empty());
}

TEST_CASE("graph500 as several processes: a program without MPI says so") {
  if (!mpi_launcher.empty()) return;
  const Workplace here;
  require_failure(here.run("PMI_SIZE=3 PMI_RANK=0 emgraph graph500 --scale 8"), 2, {"built without MPI"});
  require_failure(here.run("OMPI_COMM_WORLD_SIZE=2 emgraph graph500 --scale 8"), 2, {"built without MPI"});
}

}  // namespace emgraph::tests
