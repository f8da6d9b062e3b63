// SPDX-License-Identifier: MIT
// The summary of every command has the keys that scripts rely on.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {
namespace {

using Keys = std::vector<std::string>;

void require_contract_keys(const nlohmann::json& summary, const Keys& own_keys) {
  const Keys all = {"command",
                    "nodes",
                    "edges",
                    "model",
                    "model_reason",
                    "seconds",
                    "phases",
                    "read_bytes",
                    "write_bytes",
                    "io_wait_seconds",
                    "temp_bytes_peak",
                    "memory_limit_bytes",
                    "memory_peak_bytes",
                    "resident_peak_bytes",
                    "cpu_seconds",
                    "threads"};
  for (const Keys& keys : {all, own_keys}) {
    for (const std::string& key : keys) {
      INFO(key);
      CHECK(summary.contains(key));
    }
  }
  CHECK(!summary.at("phases").empty());
  for (const auto& phase : summary.at("phases")) {
    for (const char* key : {"name", "seconds", "read_bytes", "write_bytes", "io_wait_seconds"}) {
      INFO(phase.dump() << " " << key);
      CHECK(phase.contains(key));
    }
  }
  CHECK(summary.at("memory_peak_bytes") <= summary.at("memory_limit_bytes"));
}

struct Command {
  std::string line;  ///< reads edges.bin, and set.npy, a result of mis
  Keys own_keys;
};

}  // namespace

TEST_CASE("the summary of every command has every key of the contract") {
  Workplace here;
  here.succeed("emgraph gen --edges 100K --weights 1:9 -q && emgraph mis edges.bin -q -o set.npy");
  const Keys sorts = {"edges_out", "duplicates_removed", "loops_removed"};
  for (const auto& [line, own_keys] :
       std::vector<Command>{{"gen --edges 10K -o x.bin", {}},
                            {"gen --model kron --scale 8 -o x.bin", {}},
                            {"gen --model gnm --edges 1K -o x.bin", {}},
                            {"gen --model grid --dims 9x9 -o x.bin", {}},
                            {"sort edges.bin -o x.bin", sorts},
                            {"sort -u --symmetrize edges.bin -o x.bin", sorts},
                            {"dedup edges.bin -o x.bin", sorts},
                            {"convert edges.bin -o x.u32w", {}},
                            {"convert edges.bin --relabel -o x.tsv", {}},
                            {"filter edges.bin --sample 0.5 -o x.bin", {}},
                            {"filter edges.bin --largest-component -o x.bin", {}},
                            {"check mis edges.bin set.npy", {"ok"}},
                            {"graph500 --scale 8 --roots 2", {"ok"}}}) {
    INFO(line);
    const auto summary = here.summary("emgraph " + line + " -f");
    require_contract_keys(summary, own_keys);
    CHECK(line.starts_with(summary.at("command").get<std::string>()));
  }
  for (const auto& [line, own_keys] : std::vector<Command>{
           {"mis", {"mis_size", "queue"}},
           {"bfs --root 3", {"root", "reached", "levels", "nodes_per_level"}},
           {"cc", {"components", "isolated_nodes", "largest_component"}},
           {"mst", {"weight", "forest_edges", "trees"}},
           {"triangles", {"triangles", "wedges", "clustering"}},
           {"sssp --root 3", {"root", "reached", "max_distance", "directed", "directed_reason", "queries"}},
           {"sssp --root 3 --to 7",
            {"root", "reached", "max_distance", "directed", "directed_reason", "queries"}},
           {"pagerank", {"iterations", "residual", "sum"}},
           {"scc", {"components", "largest_component", "single_nodes", "passes"}},
           {"kcore", {"degeneracy"}},
           {"cdlp", {"communities", "iterations", "changed"}},
           {"lcc", {"mean_lcc", "directed"}},
           {"stats", {"simple_edges", "degree_histogram"}}}) {
    for (const std::string model : {"auto", "semi-external", "external"}) {
      INFO(line << " " << model);
      const auto summary = here.summary("emgraph " + line + " edges.bin --model " + model);
      require_contract_keys(summary, own_keys);
      CHECK(line.starts_with(summary.at("command").get<std::string>()));
      if (model != "auto") CHECK(summary.at("model") == model);
    }
  }
}

}  // namespace emgraph::tests
