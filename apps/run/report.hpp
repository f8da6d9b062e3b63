// SPDX-License-Identifier: MIT
// The summary of a run: an aligned table for people or one JSON object for programs.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/run/session.hpp"
#include "graph/memory_model.hpp"

namespace emgraph::apps {

/// Keys in the order they are added; common keys are added by finish.
class Report {
 public:
  explicit Report(std::string command);

  std::string command() const { return json_.at("command"); }
  void count(const std::string& key, std::uint64_t value);
  void size(const std::string& key, std::uint64_t bytes);
  void real(const std::string& key, double value);
  void text(const std::string& key, const std::string& value);
  void flag(const std::string& key, bool value);
  /// One value for programs, and how people read it.
  void value(const std::string& key, nlohmann::ordered_json value, const std::string& text);
  /// A value for programs only: not in the table.
  void hidden(const std::string& key, nlohmann::ordered_json value);
  /// A row for people only: not in the JSON object.
  void shown(const std::string& label, const std::string& text) { row(label, text); }
  /// Lines for people only, below the table of phases.
  void appendix(const std::string& lines) { appendix_ += lines; }
  void model(const graph::ModelChoice& choice);
  void model(const std::string& name, const std::string& reason);

  /// Adds times, transfers and memory and prints: JSON with --json, else the table unless -q.
  /// To standard error when `data_on_stdout`. Ends the progress display.
  void finish(Session& session, bool data_on_stdout);

 private:
  void row(const std::string& key, const std::string& value);
  void add_common(Session& session);
  void add_spill_codec(const core::SpillCoding& spill);
  std::string table(Session& session) const;
  nlohmann::ordered_json json_;
  std::string rows_;
  std::string appendix_;
};

/// Prints to standard output, or to standard error when data goes to standard output.
void print_summary(const std::string& text, bool data_on_stdout);

}  // namespace emgraph::apps
