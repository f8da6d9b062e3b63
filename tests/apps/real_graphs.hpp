// SPDX-License-Identifier: MIT
// The real graphs, and the answers of two independent tools for each of them: the graphs in datasets/, and
// those of another directory if there is one.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

struct RealGraph {
  std::string name;  ///< in truth.json
  std::string file;
  std::string options = "";  ///< that say how to read it as truth.json does
};

inline const std::vector<RealGraph>& real_graphs() {
  static const std::string from_zero = " --input-format gr --id-base 0";
  // Without a header line, and counted in truth.json as if nothing were subtracted.
  static const std::string as_text = " --input-format text";
  static const std::vector<RealGraph> all = {{"wordnet31", "wordnet31.txt.zst"},
                                             {"usroads", "usroads.mtx.zst"},
                                             {"osm-monaco", "osm-monaco.gr.zst"},
                                             {"4elt", "4elt.graph.zst"},
                                             {"cnr-2000", "cnr-2000.graph"},
                                             {"facebook_combined", "facebook_combined.txt.zst"},
                                             {"email-Enron", "email-Enron.txt.gz"},
                                             {"wiki-Vote", "wiki-Vote.txt.zst"},
                                             {"p2p-Gnutella31", "p2p-Gnutella31.txt.zst"},
                                             {"musae-git", "musae_git_edges.csv.zst"},
                                             {"as-caida20071105", "as-caida20071105.jlg", " --skip-lines 1"},
                                             {"astro-ph", "astro-ph.graph.zst"},
                                             {"PGPgiantcompo", "PGPgiantcompo.graph.zst"},
                                             {"mdual", "mdual.graph.zst"},
                                             {"wing", "wing.graph.zst"},
                                             {"delaunay_n16", "delaunay_n16.mtx.zst", as_text},
                                             {"luxembourg_osm", "luxembourg_osm.mtx.zst", as_text},
                                             {"bremen_dist", "bremen_dist.gr.zst", from_zero},
                                             {"bremen_time", "bremen_time.gr.zst", from_zero},
                                             {"south_seattle_car", "south_seattle_car.gr.zst", from_zero},
                                             {"osm-liechtenstein", "osm-liechtenstein.gr.zst"}};
  return all;
}

/// The directory of more graphs; empty, with a warning, where there is none.
inline std::filesystem::path shared_datasets() {
  const char* directory = std::getenv("EMGRAPH_SHARED_DATASETS");
  if (directory != nullptr) return directory;
  WARN("EMGRAPH_SHARED_DATASETS is not set: only the graphs in datasets/ are compared");
  return {};
}

/// check(here, input, truth) for every graph that is there. `input`: the file and options to read it.
/// Sanitizer builds check others of the graphs in each case.
template <class Check>
void for_each_real_graph(Check&& check) {
  static Sample taken(3);
  const Workplace here;
  std::size_t checked = 0;
  std::vector<std::filesystem::path> directories = {EMGRAPH_DATASETS};
  if (const auto more = shared_datasets(); !more.empty()) directories.push_back(more);
  std::vector<nlohmann::json> truths;
  for (const auto& directory : directories) {
    truths.push_back(nlohmann::json::parse(whole_file(directory / "truth.json")));
  }
  for (const RealGraph& graph : real_graphs()) {
    INFO(graph.name);
    // A graph that is in both is checked once.
    for (std::size_t i = 0; i < directories.size(); ++i) {
      if (!truths[i].contains(graph.name)) continue;
      nlohmann::json truth = truths[i].at(graph.name);
      truth["in_tree"] = i == 0;
      if (taken.takes())
        check(here, "'" + (directories[i] / graph.file).string() + "'" + graph.options, truth);
      ++checked;
      break;
    }
  }
  CHECK(checked == (directories.size() == 1 ? truths[0].size() - 1 : real_graphs().size()));
}

/// Whether to test a second model and the checkers, too: for all graphs of datasets/, and for the small ones
/// of the other directory.
inline bool thoroughly(const nlohmann::json& truth) {
  return truth.at("in_tree").get<bool>() || truth.at("lines_or_arcs") <= 60000;
}

inline std::vector<std::string> models_for(const nlohmann::json& truth) {
  if (thoroughly(truth)) return {"auto", "external"};
  return {"auto"};
}

/// What truth.json calls a node, as a command does: it numbers from 0 where the format numbers from 1.
inline std::uint64_t shifted(const nlohmann::json& truth, const nlohmann::json& id) {
  return static_cast<std::uint64_t>(id.get<std::int64_t>() +
                                    truth.at("contract").at("id_shift_applied").get<std::int64_t>());
}

}  // namespace emgraph::tests
