// SPDX-License-Identifier: MIT
// Command line of the STXXL peer program.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace peer {

using std::uint64_t;

struct Options {
  std::string mode;
  std::vector<std::string> files;
  uint64_t edges = 10000000;
  uint64_t nodes = 0;  // 0: edges / 6.25, the paper's density
  uint64_t seed = 1;
  unsigned payload_bytes = 0;
  uint64_t memory_mebibytes = 384;
  unsigned queue_threads = 1;
  bool orient = false;
  bool no_loops = false;
  std::string directory;
  std::string disk = "linuxaio";
};

[[noreturn]] inline void usage() {
  std::cerr << "usage: stxxl_mis random [--edges N] [--nodes N] [--seed N] [--payload 0|8]\n"
               "       stxxl_mis file IN.u32 OUT.u32 [--no-loops] [--orient]\n"
               "       stxxl_mis queue SORTED.u32 --nodes N\n"
               "common: [--memory MiB] [--queue-threads N] [-T DIR] [--disk linuxaio|syscall]\n";
  std::exit(2);
}

inline Options parse(int argc, char** argv) {
  Options o;
  const char* tmp = std::getenv("TMPDIR");
  o.directory = tmp ? tmp : "/tmp";
  if (argc < 2) usage();
  o.mode = argv[1];
  for (int i = 2; i < argc; ++i) {
    const std::string name = argv[i];
    if (name[0] != '-') {
      o.files.push_back(name);
    } else if (name == "--no-loops") {
      o.no_loops = true;
    } else if (name == "--orient") {
      o.orient = true;
    } else if (++i == argc) {
      usage();
    } else if (name == "--edges") {
      o.edges = std::stoull(argv[i]);
    } else if (name == "--nodes") {
      o.nodes = std::stoull(argv[i]);
    } else if (name == "--seed") {
      o.seed = std::stoull(argv[i]);
    } else if (name == "--payload") {
      o.payload_bytes = unsigned(std::stoul(argv[i]));
    } else if (name == "--memory") {
      o.memory_mebibytes = std::stoull(argv[i]);
    } else if (name == "--queue-threads") {
      o.queue_threads = unsigned(std::stoul(argv[i]));
    } else if (name == "-T") {
      o.directory = argv[i];
    } else if (name == "--disk") {
      o.disk = argv[i];
    } else {
      usage();
    }
  }
  const std::map<std::string, size_t> files_of = {{"random", 0}, {"file", 2}, {"queue", 1}};
  const auto expected = files_of.find(o.mode);
  if (expected == files_of.end() || o.files.size() != expected->second) usage();
  if (o.payload_bytes != 0 && o.payload_bytes != 8) usage();
  if (o.nodes == 0) o.nodes = uint64_t(double(o.edges) / 6.25);
  if (o.nodes == 0 || o.nodes >> 32 != 0) throw std::runtime_error("--nodes must be from 1 to 2^32 - 1");
  return o;
}

}  // namespace peer
