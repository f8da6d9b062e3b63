// SPDX-License-Identifier: MIT
// Calls of the system that fail once, and from the k-th on for ever: an answer or exit code 4, in time.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/apps/fault_shim.hpp"

namespace emgraph::tests {

namespace {

/// Runs a command that writes out.npy with faults of one kind, at some k, once and for ever.
void check_faults(const std::string& kind, const std::string& error, const std::string& edges,
                  const std::string& options, const std::string& command = "sort -u edges.bin -o out.npy") {
  if (!need_fault_shim()) return;
  Workplace here;
  here.succeed("emgraph gen --edges " + edges + " --nodes 100K -q");
  const std::string line = command + " -q -f -M 16M " + (options.empty() ? "-T ." : options);
  here.succeed("emgraph " + line);
  const std::string right = here.read("out.npy");
  const long calls = count_calls(here, kind, "", line);
  INFO(line << ": calls: " << calls);
  REQUIRE(calls > 0);
  std::filesystem::remove(here.path("out.npy"));
  for (const long k : {0L, calls / 3, calls - 1}) {
    for (const std::string count : {"1", "-1"}) {
      const std::string fault = kind + ":" + std::to_string(k) + ":" + error + ":" + count;
      INFO(fault);
      const Outcome outcome = run_with_fault(here, fault, line);
      INFO(outcome.error);
      CHECK((outcome.exit_code == 0 || outcome.exit_code == 4));
      if (outcome.exit_code != 0) CHECK(!outcome.error.empty());
      // After the output has its name a run may still fail, for want of memory for its summary.
      if (outcome.exit_code == 0 || here.exists("out.npy")) {
        CHECK((here.read("out.npy") == right));
        std::filesystem::remove(here.path("out.npy"));
      }
      CHECK(here.files() == std::vector<std::string>{"edges.bin"});
    }
  }
}

}  // namespace

TEST_CASE("io_uring takes no entry: the run goes on without it") {
  if (!need_fault_shim()) return;
  Workplace here;
  here.succeed("emgraph gen --edges 2200K --nodes 800K -q");
  const std::string line = "sort -u edges.bin -o out.npy -q -f -M 16M -T .";
  here.succeed("emgraph " + line);
  const std::string right = here.read("out.npy");
  const long calls = count_calls(here, "submit", "", line);
  if (calls == 0) return skip("this kernel has no io_uring");
  for (const std::string error : {"EIO", "EAGAIN"}) {
    for (const long k : {0L, 1L, calls / 2}) {
      std::filesystem::remove(here.path("out.npy"));
      INFO(error << " from call " << k << " on");
      const Outcome outcome = run_with_fault(here, "submit:" + std::to_string(k) + ":" + error + ":-1", line);
      INFO(outcome.error);
      CHECK(outcome.exit_code == 0);
      CHECK((here.read("out.npy") == right));
    }
  }
}

// More edges than fit into 16 MiB, or few for calls that every run makes.
TEST_CASE("reads that fail") {
  check_faults("pread", "EIO", "2200K", "--disk .,io=pread");
}
TEST_CASE("reads that are interrupted for ever") {
  check_faults("pread", "EINTR", "2200K", "--disk .,io=pread");
}
TEST_CASE("writes that fail") {
  check_faults("pwrite", "ENOSPC", "2200K", "--disk .,io=pread");
}
TEST_CASE("files that cannot be made longer") {
  check_faults("fallocate", "ENOSPC", "2200K", "");
}
TEST_CASE("files that cannot be opened") {
  check_faults("open", "EMFILE", "100K", "");
}
TEST_CASE("mappings that the system refuses") {
  check_faults("mmap", "ENOMEM", "100K", "");
}
TEST_CASE("memory that the system refuses") {
  check_faults("malloc", "ENOMEM", "100K", "");
}
TEST_CASE("memory that the system refuses to a search") {
  check_faults("malloc", "ENOMEM", "100K", "", "bfs --model external --root 0 edges.bin -o out.npy");
}

}  // namespace emgraph::tests
