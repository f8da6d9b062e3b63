// SPDX-License-Identifier: MIT
// Runs the real program in a directory of its own.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/skip.hpp"
#include "tests/support/whole_file.hpp"

extern char** environ;

namespace emgraph::tests {

/// The path of the program under test: that of this build, or of a sanitizer build, whose tests are run by
/// the tests_apps of Release.
inline const std::string& tested_program() {
  static const std::string path = [] {
    const char* const told = std::getenv("EMGRAPH_TESTED_PROGRAM");
    return std::string(told != nullptr ? told : EMGRAPH_BINARY);
  }();
  return path;
}

struct Outcome {
  int exit_code = -1;  ///< -1: ended by a signal
  int signal = 0;
  std::string out;
  std::string error;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// Waits at most 20 seconds. Returns whether it has become true.
template <class Condition>
bool wait_until(Condition condition) {
  for (int i = 0; i < 4000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

/// A directory that is the current one of everything run in it and is removed at the end.
class Workplace {
 public:
  Workplace() {
    std::string pattern = (std::filesystem::temp_directory_path() / "emgraph-test-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    directory_ = pattern;
    captured_ =
        directory_.string() + ".captured";  // outside, so that files() lists only files of the program
    std::filesystem::create_directory(captured_);
  }
  ~Workplace() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
    std::filesystem::remove_all(captured_, ignored);
  }
  Workplace(const Workplace&) = delete;

  std::filesystem::path path(const std::string& name) const { return directory_ / name; }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string read(const std::string& name) const { return whole_file(path(name)); }
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }

  /// Names of all files, sorted.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  /// A shell line; `emgraph` is the program under test.
  Outcome run(const std::string& line) const {
    return finish(start_shell("emgraph() { \"" + tested_program() + "\" \"$@\"; }\n" + line));
  }

  /// As run; anything but exit code 0 fails the test.
  Outcome succeed(const std::string& line) const {
    Outcome outcome = run(line);
    INFO(line << "\n" << outcome.error);
    REQUIRE(outcome.exit_code == 0);
    return outcome;
  }

  /// The summary of a command that must succeed.
  nlohmann::json summary(const std::string& line) const { return succeed(line + " --json").json(); }

  /// Starts the program itself, no shell between, and does not wait.
  pid_t start(const std::string& line) const {
    return start_shell("exec \"" + tested_program() + "\" " + line);
  }

  /// What a started process has written to standard error.
  std::string error_so_far() const { return whole_file(captured_ / "error"); }

  /// Waits for the end of a started process.
  Outcome finish(pid_t process) const {
    int status = 0;
    REQUIRE(waitpid(process, &status, 0) == process);
    Outcome outcome;
    if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
    outcome.out = whole_file(captured_ / "out");
    outcome.error = whole_file(captured_ / "error");
    return outcome;
  }

 private:
  pid_t start_shell(const std::string& script) const {
    // The disks that a developer has configured are not for tests.
    const std::string whole = "ulimit -c 0; unset EMGRAPH_DISKS; export XDG_CONFIG_HOME=/nonexistent; cd '" +
                              directory_.string() + "' && {\n" + script + "\n}";
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, (captured_ / "out").c_str(), flags, 0600);
    posix_spawn_file_actions_addopen(&files, 2, (captured_ / "error").c_str(), flags, 0600);
    // The test program may run with signals ignored (nohup, background jobs): children start afresh.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigfillset(&defaults);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    const char* arguments[] = {"sh", "-c", whole.c_str(), nullptr};
    pid_t process = 0;
    const int failed =
        posix_spawn(&process, "/bin/sh", &files, &attributes, const_cast<char**>(arguments), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    REQUIRE(failed == 0);
    return process;
  }

  std::filesystem::path directory_;
  std::filesystem::path captured_;
};

/// Fails the test unless the run ended with `code` and a message that contains every one of `words`.
inline void require_failure(const Outcome& outcome, int code, const std::vector<std::string>& words) {
  INFO("message: " << outcome.error);
  CHECK(outcome.exit_code == code);
  CHECK(outcome.error.starts_with("emgraph"));
  for (const std::string& word : words) CHECK_THAT(outcome.error, Catch::Contains(word));
}

}  // namespace emgraph::tests
