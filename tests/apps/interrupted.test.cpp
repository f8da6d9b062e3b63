// SPDX-License-Identifier: MIT
// Runs that end early: signals, full disks, directories that are not writable. No file may remain.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include "tests/apps/run_binary.hpp"
#include "tests/support/refused_call.hpp"

namespace emgraph::tests {

namespace {

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

/// Waits until the program has started its output, which has no name yet.
bool wait_for_output(const Workplace& here, pid_t process) {
  return wait_until(
      [&] { return open_bytes(process, here.path("x").parent_path()) > std::uintmax_t{1} << 20; });
}

/// Waits until nobody has a lock on the file: writes of a killed process may hold it a moment longer.
bool wait_for_lock(const std::string& path) {
  return wait_until([&] {
    const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return false;
    const bool free = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    close(descriptor);
    return free;
  });
}

}  // namespace

TEST_CASE("signals end a run, leave no temporary file and the old output intact") {
  Workplace here;
  here.succeed("emgraph gen --edges 1000 -q");
  const std::string before = here.read("edges.bin");
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL,
                     SIGXCPU, SIGQUIT}) {
    const pid_t process = here.start("gen --edges 20G --codec delta -f -q");
    const bool begun = wait_for_output(here, process);
    kill(process, signal);
    const Outcome outcome = here.finish(process);
    REQUIRE(begun);
    CHECK(outcome.signal == signal);
    if (signal == SIGINT) CHECK(outcome.error == "emgraph: interrupted; nothing was written\n");
    CHECK(here.files() == std::vector<std::string>{"edges.bin"});
    CHECK(here.read("edges.bin") == before);
  }
}

TEST_CASE("a signal that comes when the output has its name does not end the run, a second one does") {
  Workplace here;
  for (const bool twice : {false, true}) {
    // The pipe is full, so the summary waits until the reader has sent the signals.
    here.run(
        "( head -c 65536 /dev/zero; \"" + tested_program() +
        "\" cc gen:random,edges=1k -o c.npy -f & echo $! > pid; wait $!; "
        "echo $? > code ) | "
        "( until [ -s c.npy ] && [ -s pid ]; do sleep 0.05; done; sleep 0.3; kill -TERM $(cat pid); sleep "
        "0.2; " +
        std::string(twice ? "kill -TERM $(cat pid); sleep 0.2; " : "") + "cat > rest )");
    CHECK(here.read("code") == (twice ? "143\n" : "0\n"));
    std::filesystem::remove(here.path("c.npy"));
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
  const pid_t process = here.start("gen --edges 20G --codec delta --progress always -q");
  REQUIRE(wait_for_output(here, process));
  CHECK(wait_until([&] { return here.error_so_far().find("generate") != std::string::npos; }));
  kill(process, SIGINT);
  CHECK(here.finish(process).error.ends_with("\r\033[Kemgraph: interrupted; nothing was written\n"));
  CHECK(here.files().empty());
}

TEST_CASE("a full device under the result is an error") {
  Workplace here;
  require_failure(here.run("emgraph gen --edges 1M -o /dev/full -q"), 4, {"/dev/full"});
  CHECK(here.files().empty());
}

TEST_CASE("the limit on the size of files is an ordinary error") {
  Workplace here;
  require_failure(here.run("ulimit -f 1000; emgraph gen --edges 2M -q"), 4, {"edges.bin"});
  CHECK(here.files().empty());
}

TEST_CASE("a small stack does") {
  Workplace here;
  here.succeed(
      "ulimit -s 64; emgraph sort gen:random,edges=100K -o sorted.bin -M 16M -j 4 -q && "
      "emgraph cc sorted.bin -o labels.npy -M 16M -j 4 -q --trace t.json");
}

TEST_CASE("without unnamed files a killed run leaves one, which the next run removes") {
  Workplace here;
  Outcome again;
  std::vector<std::string> left;
  std::vector<std::string> after;
  bool begun = false;
  const bool ran = with_refused_call(unnamed_files(), [&] {
    for (const int signal : {SIGKILL, SIGTERM}) {
      const pid_t process = here.start("gen --edges 20G --codec delta -q");
      begun = wait_for_output(here, process);
      kill(process, signal);
      here.finish(process);
      (signal == SIGKILL ? left : after) = here.files();
      if (signal == SIGKILL && left.size() == 1) wait_for_lock(here.path(left[0]));
    }
    again = here.run("emgraph gen --edges 1000 -q");
  });
  if (!ran) {
    skip("the system has no seccomp filters");
    return;
  }
  CHECK(begun);
  REQUIRE(left.size() == 1);
  CHECK(left[0].starts_with("edges.bin.emgraph-tmp."));
  CHECK(after.empty());
  CHECK(again.exit_code == 0);
  CHECK(here.files() == std::vector<std::string>{"edges.bin"});
}

TEST_CASE("a full disk under the temporary data is an error that names the disk") {
  Workplace here;
  std::filesystem::create_directory(here.path("scratch"));
  require_failure(
      here.run("emgraph sort gen:random,edges=20M -M 16M --disk scratch,size=1M -o sorted.bin -q"), 4,
      {"gen:random", "at least 76.3 MiB", "1.00 MiB are free in scratch", "-T"});
  // From a pipe, the number of edges is not known beforehand.
  require_failure(
      here.run("emgraph gen --edges 20M -o - --output-format u32 -q | "
               "emgraph sort - --input-format u32 -M 16M --disk scratch,size=1M -o sorted.bin -q"),
      4, {"scratch"});
  CHECK(here.files() == std::vector<std::string>{"scratch"});
}

TEST_CASE("temporary directories must exist and be writable") {
  Workplace here;
  require_failure(here.run("emgraph mis gen:random,edges=1000 -T nowhere"), 4, {"nowhere"});
  here.write("plain", "");
  require_failure(here.run("emgraph sort gen:random,edges=1000 -T plain -o x.bin"), 4, {"plain"});
  require_failure(here.run("TMPDIR=/proc/nowhere emgraph mis gen:random,edges=1000"), 4,
                  {"/proc/nowhere", "$TMPDIR names it"});
  CHECK(here.files() == std::vector<std::string>{"plain"});
  here.succeed("TMPDIR=/proc/nowhere emgraph gen --edges 1000 -q");  // spills nothing
}

TEST_CASE("outputs in directories that cannot be written are refused before any work") {
  Workplace here;
  require_failure(here.run("emgraph gen --edges 1T -o nowhere/edges.bin"), 4, {"nowhere/edges.bin"});
  require_failure(here.run("emgraph gen --edges 1T -o ."), 2, {"directory"});
}

}  // namespace emgraph::tests
