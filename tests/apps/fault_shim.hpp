// SPDX-License-Identifier: MIT
// Runs the real program while system calls fail (tests/shim/fault_shim.cpp).
#pragma once

#include <string>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

#ifdef EMGRAPH_FAULT_SHIM
inline const bool has_fault_shim = !sanitized;
#else
inline const bool has_fault_shim = false;
#define EMGRAPH_FAULT_SHIM ""
#endif

/// Exit code of a run that did not end in time. A machine under load is slow: the time is generous.
inline constexpr int hung = 124;

/// A run of the program with a fault (KIND:K:ERROR[:COUNT[:PATH]]).
inline Outcome run_with_fault(const Workplace& here, const std::string& fault, const std::string& line) {
  return here.run("timeout -s KILL 120 env LD_PRELOAD='" EMGRAPH_FAULT_SHIM "' EMGRAPH_FAULT='" + fault +
                  "' '" + tested_program() + "' " + line);
}

/// Number of calls of a kind that a run makes.
inline long count_calls(const Workplace& here, const std::string& kind, const std::string& path,
                        const std::string& line) {
  here.succeed("env EMGRAPH_FAULT_COUNT=calls LD_PRELOAD='" EMGRAPH_FAULT_SHIM "' EMGRAPH_FAULT='" + kind +
               ":1000000000:EIO:1:" + path + "' '" + tested_program() + "' " + line);
  const long calls = std::stol(here.read("calls"));
  std::filesystem::remove(here.path("calls"));
  return calls;
}

/// What a command does without a fault.
struct RightRun {
  std::string result;  ///< bytes of out.npy, which the command writes
  long calls = 0;      ///< of the kind that is to fail
};

/// Runs the command once, counts its calls in a second run, and removes out.npy.
inline RightRun right_run(const Workplace& here, const std::string& kind, const std::string& path,
                          const std::string& line) {
  here.succeed("emgraph " + line);
  RightRun right{here.read("out.npy"), count_calls(here, kind, path, line)};
  std::filesystem::remove(here.path("out.npy"));
  return right;
}

/// Skips the case if there is no shim; true if there is one.
inline bool need_fault_shim() {
  if (!has_fault_shim) skip("sanitizers take over the calls that are to fail");
  return has_fault_shim;
}

}  // namespace emgraph::tests
