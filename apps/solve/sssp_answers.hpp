// SPDX-License-Identifier: MIT
// What the command sssp says of its searches and queries: lines of text and the summary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/files/direction_option.hpp"
#include "apps/files/text_files.hpp"
#include "apps/run/exit_code.hpp"
#include "apps/run/session.hpp"
#include "core/io/output_file.hpp"
#include "graph/format/text/query_file.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::apps {

/// The pairs of nodes to connect, as typed, and the place of each node among those that are asked for.
struct AskedPairs {
  std::vector<std::string> nodes;  ///< each once
  std::vector<std::pair<std::size_t, std::size_t>> pairs;

  void add(const std::string& source, const std::string& target) {
    const std::size_t from = place(source);
    pairs.emplace_back(from, place(target));
  }

 private:
  std::size_t place(const std::string& node) {
    const auto [at, added] = places_.try_emplace(node, nodes.size());
    if (added) nodes.push_back(node);
    return at->second;
  }
  std::map<std::string, std::size_t> places_;
};

/// The pairs and sources of a file of queries.
AskedPairs asked_by(const graph::format::QueryFile& file);

/// The answers to queries are lines of text: throws UsageError if the name of -o or of `paths`, or an option,
/// asks for something else.
void check_answer_names(const CommonOptions& options, const std::string& paths);

/// Writes a line per query: source, target, distance. `output` may be "-"; if it is "", nothing is written.
void write_query_distances(Session& session, const AskedPairs& asked, const graph::sssp::Result& result,
                           const std::string& output);

/// Writes a line per query: the nodes on its way. The file is opened when the first path comes.
class PathLines final : public graph::sssp::PathSink {
 public:
  PathLines(Session& session, std::string output);
  void append(std::span<const std::uint64_t> nodes) override;
  void end_path() override;
  void finish();

 private:
  TextFile& file();

  Session& session_;
  const std::string output_;
  const char separator_;
  std::optional<TextFile> file_;
  bool line_is_empty_ = true;
};

/// What the summary names beside the result.
struct SsspRun {
  Inputs input;
  std::string output;
  std::string parents;
  std::string path;
  Direction direction;
  graph::sssp::OrderRule order = graph::sssp::OrderRule::given;  ///< as asked
  unsigned landmarks = 0;
  std::string landmark_file;  ///< "": they are not kept
};

ExitCode report_sssp(Session& session, const SsspRun& run, const AskedPairs& asked,
                     const graph::sssp::Result& result);

}  // namespace emgraph::apps
