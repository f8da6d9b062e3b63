// SPDX-License-Identifier: MIT
// Calls of the system that fail once, and from the k-th on for ever: an answer or exit code 4, in time.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/apps/fault_shim.hpp"

namespace emgraph::tests {

namespace {

constexpr const char* sort_line = "sort -u edges.bin -o out.npy";

/// Calls that fail in runs of a command that writes out.npy.
struct LastingFault {
  const char* kind;
  const char* error;
  const char* edges;  ///< more than fit into 16 MiB, or few for calls that every run makes
  const char* options = "-T .";
  const char* command = sort_line;
  bool needed = false;  ///< nothing can be done without such calls
};

/// Faults of one kind, at some k, once and for ever.
void check_faults(const LastingFault& fault) {
  Workplace here;
  here.succeed("emgraph gen --edges " + std::string(fault.edges) + " --nodes 100K -q");
  const std::string line = std::string(fault.command) + " -q -f -M 16M " + fault.options;
  const RightRun right = right_run(here, fault.kind, "", line);
  INFO(line << ": calls of " << fault.kind << ": " << right.calls);
  REQUIRE(right.calls > 0);
  for (const long k : {0L, right.calls / 3, right.calls - 1}) {
    for (const char* count : {"1", "-1"}) {
      const std::string failing = fault.kind + (":" + std::to_string(k) + ":") + fault.error + ":" + count;
      INFO(failing);
      const Outcome outcome = run_with_fault(here, failing, line);
      INFO(outcome.error);
      const bool none_succeeds = fault.needed && k == 0 && count == std::string("-1");
      CHECK((outcome.exit_code == 4 || (outcome.exit_code == 0 && !none_succeeds)));
      if (outcome.exit_code != 0) CHECK(!outcome.error.empty());
      // After the output has its name a run may still fail, for want of memory for its summary.
      if (outcome.exit_code == 0 || here.exists("out.npy")) {
        CHECK((here.read("out.npy") == right.result));
        std::filesystem::remove(here.path("out.npy"));
      }
      CHECK(here.files() == std::vector<std::string>{"edges.bin"});
    }
  }
}

}  // namespace

TEST_CASE("io_uring takes no entry, or cancels it: the run goes on without it") {
  if (!need_fault_shim()) return;
  Workplace here;
  here.succeed("emgraph gen --edges 2200K --nodes 800K -q");
  const std::string line = std::string(sort_line) + " -q -f -M 16M -T .";
  const RightRun right = right_run(here, "submit", "", line);
  if (right.calls == 0) return skip("this kernel has no io_uring");
  for (const std::string error : {"EIO", "EAGAIN", "cancel"}) {
    for (const long k : {0L, 1L, right.calls / 2}) {
      INFO(error << " from call " << k << " on");
      const Outcome outcome = run_with_fault(here, "submit:" + std::to_string(k) + ":" + error + ":-1", line);
      INFO(outcome.error);
      CHECK(outcome.exit_code == 0);
      CHECK((here.read("out.npy") == right.result));
      std::filesystem::remove(here.path("out.npy"));
    }
  }
  for (const long k : {0L, 1L, 20L}) {
    INFO("no wait for a transfer succeeds from " << k << " on");
    const Outcome outcome = run_with_fault(here, "wait:" + std::to_string(k) + ":EIO:-1", line);
    CHECK(outcome.exit_code == 0);
    CHECK((here.read("out.npy") == right.result));
    std::filesystem::remove(here.path("out.npy"));
  }
}

TEST_CASE("calls of the system that fail once or for ever") {
  if (!need_fault_shim()) return;
  constexpr const char* by_pread = "--disk .,io=pread";
  const LastingFault faults[] = {
      {"pread", "EIO", "2200K", by_pread, sort_line, true},
      {"pread", "EINTR", "2200K", by_pread},
      {"pwrite", "ENOSPC", "2200K", by_pread, sort_line, true},
      {"fallocate", "ENOSPC", "2200K"},
      {"open", "EMFILE", "100K"},
      {"mmap", "ENOMEM", "100K"},
      {"malloc", "ENOMEM", "100K"},
      {"malloc", "ENOMEM", "100K", "-T .", "bfs --model external --root 0 edges.bin -o out.npy"},
  };
  for (const LastingFault& fault : faults) check_faults(fault);
}

}  // namespace emgraph::tests
