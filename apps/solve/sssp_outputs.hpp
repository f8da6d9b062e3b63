// SPDX-License-Identifier: MIT
// The files of searches of all nodes: distances and parents from each root.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "apps/run/session.hpp"
#include "apps/solve/root_outputs.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::apps {

/// Files for distances and parents of each search.
template <class Id>
class SsspOutputs final : public graph::sssp::Outputs<Id> {
 public:
  SsspOutputs(Session& session, std::string distances, std::string parents, std::vector<std::uint64_t> roots)
      : files_(session, std::move(distances), std::move(parents), std::move(roots)) {}

  bool wants_distances() const override { return files_.wants_values(); }
  bool wants_parents() const override { return files_.wants_parents(); }
  graph::NodeSink<std::uint64_t>& open_distances(std::uint64_t root, std::uint64_t nodes,
                                                 bool floating) override {
    return files_.open_values(root, nodes, floating);
  }
  graph::NodeSink<Id>& open_parents(std::uint64_t root, std::uint64_t nodes) override {
    return files_.open_parents(root, nodes);
  }
  void close() override { files_.close(); }

 private:
  RootFiles<Id, std::uint64_t> files_;
};

}  // namespace emgraph::apps
