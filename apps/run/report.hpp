// SPDX-License-Identifier: MIT
// The summary of a run: an aligned table for people or one JSON object for programs.
#pragma once

#include <cstdint>
#include <string>

#include "apps/command_line/inputs.hpp"
#include "apps/run/exit_code.hpp"
#include "apps/run/session.hpp"
#include "apps/run/summary_value.hpp"
#include "graph/memory_model.hpp"
#include "graph/verdict.hpp"

namespace emgraph::apps {

/// Rows and keys have the order in which they were added; the facts that all commands report come last.
class Report {
 public:
  Report(Session& session, std::string command);

  void count(const std::string& key, std::uint64_t value);
  void size(const std::string& key, std::uint64_t bytes);
  void real(const std::string& key, double value);
  void text(const std::string& key, const std::string& value);
  /// The names of the inputs. Several have the key `inputs`, a list, as well.
  void input(const Inputs& inputs);
  void flag(const std::string& key, bool value);
  /// The name of a file that the user may have given; no row if it is empty.
  void file(const std::string& key, const std::string& name);
  /// The same for a file of results.
  void output(const std::string& key, const std::string& name);
  /// Call for every file of results. If one is standard output, the summary is printed on standard error.
  void results_in(const std::string& name);
  /// The numbers of nodes and of edges as read.
  void graph(std::uint64_t nodes, std::uint64_t edges);
  /// The same of a check. If it may have stopped early, they are for programs only.
  void checked(const graph::Verdict& verdict);
  /// `value` for programs, `text` for people.
  void value(const std::string& key, SummaryValue value, const std::string& text);
  /// For programs only: not in the table.
  void hidden(const std::string& key, SummaryValue value) { summary_.set(key, std::move(value)); }
  /// For people only: not in the JSON object.
  void shown(const std::string& label, const std::string& text) { row(label, text); }
  /// Lines for people only, below the table of phases. `quiet_too`: also with -q.
  void appendix(const std::string& lines, bool quiet_too = false) {
    appendix_ += lines;
    quiet_appendix_ = quiet_appendix_ || quiet_too;
  }
  void model(const graph::ModelChoice& choice);
  void model(const std::string& name, const std::string& reason);

  /// Gives the outputs their names, adds times, transfers and memory and prints: JSON with --json, else the
  /// table unless -q. Ends the progress display and the trace.
  ExitCode finish();
  /// The same for a check, with the keys `ok` and `verdict`. `message`: what is wrong with `wrong_file`;
  /// it is printed on standard error as well.
  ExitCode finish_check(bool ok, const std::string& wrong_file, const std::string& message);
  /// The same with the model.
  ExitCode finish_check(const graph::Verdict& verdict, const std::string& wrong_file);

 private:
  void row(const std::string& key, const std::string& value);
  void add_left_out_lines();
  void add_machine();
  void add_huge_pages(const core::HugePagePolicy& policy);
  void add_spill_codec(const core::SpillCoding& spill);
  std::string table() const;

  Session& session_;
  const std::string command_;
  bool data_on_stdout_ = false;
  SummaryObject summary_;
  std::string rows_;
  std::string appendix_;
  bool quiet_appendix_ = false;
};

/// Rows of a table: how many lines of text --on-error and --na have left out so far, and the first ones.
std::string left_out_rows(const Session& session);

}  // namespace emgraph::apps
