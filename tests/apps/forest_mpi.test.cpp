// SPDX-License-Identifier: MIT
// cc and mst of part files as a job of several processes: the bytes of one process, whatever their number.
#include <cstdlib>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/mpi_ranks.hpp"
#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

namespace {

/// part-0.bin … part-4.bin, of one graph with parallel edges, loops and isolated nodes.
void make_parts(const Workplace& here) {
  for (unsigned part = 0; part < 5; ++part) {
    here.succeed("emgraph gen --model random --nodes 5000 --edges 900 --weights 1:50 -q -o part-" +
                 std::to_string(part) + ".bin --seed " + std::to_string(part + 1));
  }
}

/// The numbers of ranks that are tried. Waiting ranks use a core each, and the sanitized program starts
/// slowly.
std::vector<unsigned> rank_counts() {
  return sanitized ? std::vector<unsigned>{3} : std::vector<unsigned>{2, 3, 4};
}

/// Runs the command in one process and as a job of several, with these outputs, and compares their bytes and
/// the summaries.
void compare(const Workplace& here, const std::string& command, const std::vector<std::string>& outputs,
             const std::vector<std::string>& keys) {
  static Sample sample(2);
  if (!sample.takes()) return;
  const nlohmann::json right = here.succeed("emgraph " + command + " -f --json").json();
  std::map<std::string, std::string> bytes;
  for (const std::string& output : outputs) bytes[output] = here.read(output);
  const std::vector<std::string> files = here.files();
  for (const unsigned ranks : rank_counts()) {
    CAPTURE(command, ranks);
    for (const std::string& output : outputs) std::filesystem::remove(here.path(output));
    const nlohmann::json found = here.succeed(as_ranks(ranks, command + " --json")).json();
    CHECK(found.at("num_mpi_processes") == ranks);
    CHECK(found.at("model") == "distributed");
    CHECK(found.at("sent_bytes") > 0);
    for (const std::string& key : keys) CHECK(found.at(key) == right.at(key));
    for (const std::string& output : outputs) CHECK(here.read(output) == bytes[output]);
    CHECK(here.files() == files);
  }
}

const std::vector<std::string> cc_keys{"nodes", "edges", "components", "isolated_nodes", "largest_component"};
const std::vector<std::string> mst_keys{"nodes", "edges", "weight", "forest_edges", "trees"};

}  // namespace

TEST_CASE("cc as several processes: the bytes of one") {
  if (mpi_is_missing()) return;
  const Workplace here;
  make_parts(here);
  compare(here, "cc part-*.bin -o labels.npy --forest forest.bin --sizes sizes.npy --groups groups.npy",
          {"labels.npy", "forest.bin", "sizes.npy", "groups.npy"}, cc_keys);
  compare(here, "cc part-*.bin -M 16M -o labels.tsv", {"labels.tsv"}, cc_keys);
  compare(here, "cc part-0.bin part-1.bin -o labels.npy", {"labels.npy"}, cc_keys);  // ranks without a file
}

TEST_CASE("mst as several processes: the bytes of one") {
  if (mpi_is_missing()) return;
  const Workplace here;
  make_parts(here);
  compare(here, "mst part-*.bin -o forest.bin", {"forest.bin"}, mst_keys);
  compare(here, "mst part-*.bin --maximum --codec delta -o forest.bin", {"forest.bin"}, mst_keys);
  compare(here, "mst part-*.bin --weights hash:20 -o forest.bin", {"forest.bin"}, mst_keys);
  compare(here, "mst part-*.bin --weights unit -M 16M -o forest.tsv", {"forest.tsv"}, mst_keys);
}

TEST_CASE("cc and mst as several processes: parts of text, whose ids and widths differ") {
  if (mpi_is_missing()) return;
  const Workplace here;
  here.write("a.tsv", "1 2 7\n2 3 1\n1 3 4\n9 9 1\n");
  here.write("b.tsv", "3 5 2\n5 1 9\n5000000000 2 6\n");
  here.write("c.tsv", "8 9 3\n");
  // All memory is used for ranges of nodes: little of it, for the system must give it to each rank.
  compare(here, "mst a.tsv b.tsv c.tsv --cols 1,2,3 --model external -M 256M -o forest.bin", {"forest.bin"},
          mst_keys);
  here.write("b.tsv", "3 5 2\n5 1 9\n12 2 6\n20 20 1\n");
  compare(here, "cc a.tsv b.tsv c.tsv --cols 1,2 -o labels.npy", {"labels.npy"}, cc_keys);
  compare(here, "cc a.tsv b.tsv c.tsv --cols 1,2 --nodes 40 -o labels.npy", {"labels.npy"}, cc_keys);
}

TEST_CASE("cc and mst as several processes: what a job refuses, and a rank that fails is named") {
  if (mpi_is_missing()) return;
  const Workplace here;
  here.write("a.tsv", "1 2 7\n");
  here.write("b.tsv", "3 what\n");
  const Outcome bad = here.run(as_ranks(2, "cc a.tsv b.tsv -o labels.npy"));
  CHECK(bad.exit_code == 3);
  CHECK_THAT(bad.error, Catch::Contains("emgraph cc: rank 1: b.tsv"));
  const Outcome missing = here.run(as_ranks(3, "mst a.tsv a.tsv gone.tsv --cols 1,2,3"));
  CHECK(missing.exit_code == 4);
  CHECK_THAT(missing.error, Catch::Contains("emgraph mst: rank 2: gone.tsv"));
  CHECK_THAT(here.run(as_ranks(2, "cc -")).error, Catch::Contains("standard input"));
  CHECK_THAT(here.run(as_ranks(2, "cc a.tsv a.tsv --cols 1,2 --relabel")).error,
             Catch::Contains("--relabel"));
  const Outcome kept = here.run(as_ranks(2, "cc a.tsv a.tsv --cols 1,2 --checkpoint kept"));
  CHECK(kept.exit_code == 2);
  CHECK_THAT(kept.error, Catch::Contains("--checkpoint"));
  CHECK_THAT(here.run(as_ranks(2, "mst a.tsv a.tsv --cols 1,2")).error, Catch::Contains("no weights"));
  CHECK(here.files() == std::vector<std::string>{"a.tsv", "b.tsv"});
}

TEST_CASE("cc and mst as several processes: counts of what is left out, and options for the files of some") {
  if (mpi_is_missing()) return;
  const Workplace here;
  here.write("a.tsv", "1\t2\t5\nbad line\n");
  here.write("b.tsv", "6\t7\t1\nx\ty\t1\nz\tw\t1\nNULL\t3\t1\n6\t8\t9\n");
  here.write("c.u32w", raw_u32({3, 4, 7}));
  const std::vector<std::string> counts{"edges_filtered_out", "skipped_lines", "na_lines", "weight", "trees"};
  compare(here,
          "mst a.tsv b.tsv c.u32w --cols 1,2,3 --weight-type u32 --on-error skip --na NULL --max-weight 8 -o "
          "forest.emg",
          {"forest.emg"}, counts);
  compare(here, "mst a.tsv c.u32w --cols 1,2,3 --weight-type u32 --on-error skip -o forest.emg",
          {"forest.emg"}, mst_keys);
  // The launcher may give its processes a terminal.
  here.succeed("emgraph cc a.tsv b.tsv --on-error skip -q -o one.npy");
  here.succeed(
      as_ranks(2, "cc a.tsv b.tsv --on-error skip -q -o - > several.npy && cmp one.npy several.npy"));
  here.write("far.tsv", "1000000000 1\n7 8\n");
  here.write("near.tsv", "5 2\n");
  const Outcome sparse = here.run(as_ranks(2, "cc far.tsv near.tsv -o labels.npy"));
  CHECK(sparse.exit_code == 4);
  CHECK_THAT(sparse.error, Catch::Contains("these ids are sparse"));
  CHECK_THAT(sparse.error, Catch::Contains("--nodes 1000000001"));
}

TEST_CASE("cc as a job of one process needs no MPI") {
  const Workplace here;
  here.write("a.tsv", "1 2\n");
  CHECK(here.succeed("OMPI_COMM_WORLD_SIZE=1 emgraph cc a.tsv --json").json().at("components") == 2);
}

}  // namespace emgraph::tests
