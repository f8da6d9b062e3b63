// SPDX-License-Identifier: MIT
// One graph, solved with any memory, threads, disks, model and kind of input.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

/// Makes edges.bin and e.u32 with the same edges.
inline void make_both_kinds(const Workplace& here, const std::string& options) {
  here.succeed("emgraph gen -q " + options + " && emgraph convert edges.bin -q -o e.u32");
}

/// Runs a command, which names its outputs got.*, in many ways: they are want.* each time. `generated`: the
/// graph of make_both_kinds() as an input.
inline void check_same_on_machines(const Workplace& here, const std::string& command,
                                   const std::string& generated, Sample& sample,
                                   const std::vector<std::string>& extensions = {".npy"},
                                   const std::vector<std::string>& more_ways = {}) {
  std::vector<std::string> ways = {"e.u32 -j 1",
                                   "edges.bin -j 4 -M 16M",
                                   "- < edges.bin",
                                   "e.u32 --model external -M 16M -j 1",
                                   "edges.bin --model external -M 16M -j 2 -T . -T .",
                                   "--input-format u32 - --model semi-external < e.u32",
                                   generated + " -M 16M"};
  ways.insert(ways.end(), more_ways.begin(), more_ways.end());
  for (const std::string& way : ways) {
    if (!sample.takes()) continue;
    INFO(command << " " << way);
    here.succeed("emgraph " + command + " -f -q " + way);
    for (const std::string& extension : extensions) {
      CHECK((here.read("got" + extension) == here.read("want" + extension)));
    }
  }
}

}  // namespace emgraph::tests
