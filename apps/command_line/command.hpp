// SPDX-License-Identifier: MIT
// The interface of commands, and the list of all commands.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "apps/run/exit_code.hpp"

namespace emgraph::apps {

class OptionSet;

/// One run of one command: options are declared and parsed, then it runs once.
class Command {
 public:
  virtual ~Command() = default;
  /// Declares options and positionals. Parsing stores text and has no other effect.
  virtual void declare(OptionSet& options) = 0;
  /// Validates the options, replaces missing ones by defaults for this machine, and runs.
  /// Throws UsageError, std::invalid_argument, DataError, EnvironmentError, BrokenPipe.
  virtual ExitCode run() = 0;
};

/// A row of the table of commands. A name of two words ("check mis") is typed as two arguments.
struct CommandEntry {
  std::string_view group;
  std::string_view name;
  std::string_view summary;
  std::string_view example;
  std::unique_ptr<Command> (*make)();
};

std::unique_ptr<Command> make_gen();
std::unique_ptr<Command> make_sort();
std::unique_ptr<Command> make_dedup();
std::unique_ptr<Command> make_convert();
std::unique_ptr<Command> make_filter();
std::unique_ptr<Command> make_mis();
std::unique_ptr<Command> make_cc();
std::unique_ptr<Command> make_bfs();
std::unique_ptr<Command> make_sssp();
std::unique_ptr<Command> make_info();
std::unique_ptr<Command> make_stats();
std::unique_ptr<Command> make_cat();
std::unique_ptr<Command> make_plan();
std::unique_ptr<Command> make_check_mis();
std::unique_ptr<Command> make_check_cc();
std::unique_ptr<Command> make_triangles();
std::unique_ptr<Command> make_check_triangles();
std::unique_ptr<Command> make_check_bfs();
std::unique_ptr<Command> make_mst();
std::unique_ptr<Command> make_pagerank();
std::unique_ptr<Command> make_check_pagerank();
std::unique_ptr<Command> make_cdlp();
std::unique_ptr<Command> make_kcore();
std::unique_ptr<Command> make_lcc();
std::unique_ptr<Command> make_scc();
std::unique_ptr<Command> make_check_cdlp();
std::unique_ptr<Command> make_check_kcore();
std::unique_ptr<Command> make_check_lcc();
std::unique_ptr<Command> make_check_scc();
std::unique_ptr<Command> make_check_mst();
std::unique_ptr<Command> make_check_sssp();
std::unique_ptr<Command> make_check_sorted();
std::unique_ptr<Command> make_bench_disks();
std::unique_ptr<Command> make_bench_sort();
std::unique_ptr<Command> make_bench_queue();
std::unique_ptr<Command> make_bench_mis();
std::unique_ptr<Command> make_graph500();
std::unique_ptr<Command> make_graphalytics();

/// All commands, by group, in the order of the help.
std::span<const CommandEntry> all_commands();

}  // namespace emgraph::apps
