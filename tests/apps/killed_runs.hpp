// SPDX-License-Identifier: MIT
// Runs with --checkpoint that are killed and resumed until they end.
#pragma once

#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

/// The inode of the journal, which every seal replaces; before the first one of what says that the run has
/// begun. 0: there is none.
inline ino_t kept_journal(const Workplace& here) {
  struct stat status {};
  for (const char* name : {"kept/emgraph.journal", "kept/emgraph.begun"}) {
    if (stat(here.path(name).c_str(), &status) == 0) return status.st_ino;
  }
  return 0;
}

/// The option of a run that goes on: a run was killed before it had removed its checkpoint.
inline std::string resume_option(const Workplace& here) {
  return here.exists("kept") || here.exists("kept.emgraph.published") ? " --resume" : "";
}

/// Starts a run and sends the signal when it has sealed `seals` states, or after some seconds. False: it
/// ended before. `left`: gets the states that it had not sealed.
inline bool kill_after_seals(const Workplace& here, const std::string& line, int signal, int seals,
                             Outcome& outcome, int* left = nullptr) {
  ino_t last = kept_journal(here);
  const pid_t process = here.start(line);
  for (int i = 0; i < 20000 && seals > 0; ++i) {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid != 0)
      break;
    const ino_t now = kept_journal(here);
    if (now != 0 && now != last) --seals;
    last = now;
    std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
  kill(process, signal);
  if (left != nullptr) *left = seals;
  outcome = here.finish(process);
  return outcome.signal != 0 || outcome.exit_code != 0;
}

/// Starts a run and sends the signal when its last state is one of these, or when it has ended.
inline Outcome signal_at(const Workplace& here, const std::string& line, int signal,
                         const std::vector<std::string>& states) {
  const pid_t process = here.start(line);
  const auto sealed = [&] {
    const std::string journal = whole_file(here.path("kept/emgraph.journal"));
    return std::ranges::any_of(states,
                               [&](const std::string& state) { return journal.find(state) != journal.npos; });
  };
  siginfo_t info{};
  while (!sealed() && waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
  kill(process, signal);
  return here.finish(process);
}

/// Starts a run and kills it when its last state is one of these. False: it ended before.
inline bool kill_at(const Workplace& here, const std::string& line, const std::vector<std::string>& states) {
  return signal_at(here, line, SIGKILL, states).signal == SIGKILL;
}

/// kill_after_seals() from the start of a run, again if the signal came too late: a small run may end before
/// the test, on a machine with other work, sees the seal. `files`: its results, which are removed then.
inline bool kill_midway(const Workplace& here, const std::string& line, int signal, int seals,
                        const std::vector<std::string>& files, Outcome& outcome) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    if (kill_after_seals(here, line, signal, seals, outcome)) return true;
    for (const std::string& file : files) std::filesystem::remove(here.path(file));
  }
  return false;
}

/// Runs `line` without a checkpoint, then with one: killed, stopped, and resumed with other memory and
/// threads. Its results `files` must be the same. Returns how often the run was disturbed.
inline int survive_kills(const Workplace& here, const std::string& line,
                         const std::vector<std::string>& files, const std::vector<std::string>& machines,
                         int most = 14) {
  here.succeed("emgraph " + line + " -q");
  std::vector<std::string> right;
  for (const std::string& file : files) {
    right.push_back(here.read(file));
    std::filesystem::remove(here.path(file));
  }
  most = sized(most, std::min(most, 5));
  int times = 0;
  for (;; ++times) {
    const std::string resume = resume_option(here);
    if (times == most) {
      here.succeed("emgraph " + line + " -q --checkpoint kept" + resume);
      break;
    }
    Outcome outcome;
    const std::string machine = " " + machines[static_cast<std::size_t>(times) % machines.size()];
    const std::string kept = line + machine + " -q --checkpoint kept --checkpoint-period 0" + resume;
    const bool disturbed =
        times == 0 ? kill_midway(here, kept, SIGKILL, 1, files, outcome)
                   : kill_after_seals(here, kept, times % 4 == 3 ? SIGUSR1 : SIGKILL, 1 + times % 3, outcome);
    INFO(line << ", attempt " << times << ": " << outcome.error);
    if (!disturbed && times == 0) return 0;
    if (!disturbed) break;
    REQUIRE((outcome.signal == SIGKILL || outcome.exit_code == 75));
    if (here.exists(files.front()) && resume_option(here).empty()) break;  // killed when all was done
  }
  INFO(line);
  for (std::size_t i = 0; i < files.size(); ++i)
    CHECK((here.read(files[i]) == right[i]));  // without their bytes in the message
  CHECK(!here.exists("kept"));
  for (const std::string& file : files) {
    CHECK(!here.exists(file + ".emgraph-part"));
    std::filesystem::remove(here.path(file));
  }
  return times;
}

}  // namespace emgraph::tests
