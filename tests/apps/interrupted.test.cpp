// SPDX-License-Identifier: MIT
// Runs that end early: signals, full disks, directories that are not writable. No file may remain.
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

namespace {

/// Waits at most 20 seconds. Returns whether it has become true.
template <class Condition>
bool wait_until(Condition condition) {
  for (int i = 0; i < 4000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

/// Waits until the directory holds more than `known` files: the program has started its output.
bool wait_for_temporary(const Workplace& here, std::size_t known) {
  return wait_until([&] { return here.files().size() > known; });
}

/// The bytes of files below `directory` that the process has open: temporary files without a name, too.
std::uintmax_t open_bytes(pid_t process, const std::filesystem::path& directory) {
  std::uintmax_t bytes = 0;
  std::error_code gone;  // files are closed and the process ends meanwhile
  const std::filesystem::path descriptors = "/proc/" + std::to_string(process) + "/fd";
  for (const auto& entry : std::filesystem::directory_iterator(descriptors, gone)) {
    const std::filesystem::path target = std::filesystem::read_symlink(entry.path(), gone);
    if (gone || !target.string().starts_with(directory.string() + "/")) continue;
    struct stat status {};
    if (stat(entry.path().c_str(), &status) == 0)
      bytes += static_cast<std::uintmax_t>(status.st_blocks) * 512;
  }
  return bytes;
}

}  // namespace

TEST_CASE("signals end a run, leave no temporary file and the old output intact") {
  Workplace here;
  here.succeed("emgraph gen --edges 1000 -q");
  const std::string before = here.read("edges.bin");
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t process = here.start("gen --edges 20G -f -q");
    const bool begun = wait_for_temporary(here, 1);
    kill(process, signal);
    const Outcome outcome = here.finish(process);
    REQUIRE(begun);
    CHECK(outcome.signal == signal);
    CHECK(here.files() == std::vector<std::string>{"edges.bin"});
    CHECK(here.read("edges.bin") == before);
  }
}

TEST_CASE("signals in the middle of spilling leave nothing in the temporary directory") {
  Workplace here;
  std::filesystem::create_directory(here.path("scratch"));
  for (int signal : {SIGINT, SIGTERM}) {
    const pid_t process = here.start("sort gen:random,edges=2G -M 64M -T scratch -o sorted.bin -q");
    const bool spilling =
        wait_until([&] { return open_bytes(process, here.path("scratch")) > std::uintmax_t{1} << 20; });
    kill(process, signal);
    CHECK(here.finish(process).signal == signal);
    CHECK(spilling);
    CHECK(here.files() == std::vector<std::string>{"scratch"});
    CHECK(std::filesystem::is_empty(here.path("scratch")));
  }
}

TEST_CASE("an interrupted run clears its progress bar") {
  Workplace here;
  const pid_t process = here.start("gen --edges 20G --progress always -q");
  REQUIRE(wait_for_temporary(here, 0));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  kill(process, SIGINT);
  CHECK(here.finish(process).error.ends_with("\r\033[K"));
  CHECK(here.files().empty());
}

TEST_CASE("a full device under the result is an error") {
  Workplace here;
  require_failure(here.run("emgraph gen --edges 1M -o /dev/full -q"), 4, {"/dev/full"});
  CHECK(here.files().empty());
}

TEST_CASE("a full disk under the temporary data is an error that names the disk") {
  Workplace here;
  std::filesystem::create_directory(here.path("scratch"));
  require_failure(
      here.run("emgraph sort gen:random,edges=20M -M 16M --disk scratch,size=1M -o sorted.bin -q"), 4,
      {"scratch"});
  CHECK(here.files() == std::vector<std::string>{"scratch"});
}

TEST_CASE("temporary directories must exist and be writable") {
  Workplace here;
  require_failure(here.run("emgraph mis gen:random,edges=1000 -T nowhere"), 4, {"nowhere"});
  here.write("plain", "");
  require_failure(here.run("emgraph sort gen:random,edges=1000 -T plain -o x.bin"), 4, {"plain"});
  require_failure(here.run("TMPDIR=/proc/nowhere emgraph mis gen:random,edges=1000"), 4, {"/proc/nowhere"});
  CHECK(here.files() == std::vector<std::string>{"plain"});
  here.succeed("TMPDIR=/proc/nowhere emgraph gen --edges 1000 -q");  // spills nothing
}

TEST_CASE("outputs in directories that cannot be written are refused before any work") {
  Workplace here;
  require_failure(here.run("emgraph gen --edges 1T -o nowhere/edges.bin"), 4, {"nowhere/edges.bin"});
  require_failure(here.run("emgraph gen --edges 1T -o ."), 2, {"directory"});
}

}  // namespace emgraph::tests
