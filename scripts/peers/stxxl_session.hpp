// SPDX-License-Identifier: MIT
// Configures STXXL for one run and summarises the run as JSON.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

#include <stxxl/stats>

#include "scripts/peers/stxxl_options.hpp"

namespace peer {

/// A temporary directory with STXXL's configuration, logs and disk file. STXXL reads the environment
/// variables on its first use.
class Scratch {
 public:
  explicit Scratch(const Options& o) : path_(o.directory + "/stxxl-XXXXXX") {
    if (!mkdtemp(&path_[0])) throw std::runtime_error("cannot make a directory in " + o.directory);
    std::ofstream(path_ + "/config") << "disk=" << path_ << "/disk,0," << o.disk << " unlink direct=try\n";
    setenv("STXXLCFG", (path_ + "/config").c_str(), 1);
    setenv("STXXLLOGFILE", (path_ + "/log").c_str(), 1);
    setenv("STXXLERRLOGFILE", (path_ + "/errlog").c_str(), 1);
  }
  ~Scratch() {
    for (const char* name : {"/config", "/log", "/errlog", "/disk"}) std::remove((path_ + name).c_str());
    rmdir(path_.c_str());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

 private:
  std::string path_;
};

inline double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The summary: one JSON object on the last line of stdout.
class Summary {
 public:
  explicit Summary(const Options& o) : text_("{\"command\":\"stxxl " + o.mode + "\"") {}
  void add(const std::string& key, uint64_t value) { text_ += ",\"" + key + "\":" + std::to_string(value); }
  void add_seconds(const std::string& key, double value) {
    char number[32];
    std::snprintf(number, sizeof number, "%.3f", value);
    text_ += ",\"" + key + "\":" + number;
  }
  void print() {
    const stxxl::stats* io = stxxl::stats::get_instance();
    add("read_bytes", uint64_t(io->get_read_volume()));
    add("write_bytes", uint64_t(io->get_written_volume()));
    add_seconds("seconds", now_seconds() - start_);
    std::cout << text_ << "}" << std::endl;
  }

 private:
  std::string text_;
  double start_ = now_seconds();
};

}  // namespace peer
