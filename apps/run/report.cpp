// SPDX-License-Identifier: MIT
// Summary tables and JSON.
#include "apps/run/report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "apps/files/output_check.hpp"
#include "apps/run/machine.hpp"
#include "apps/run/printable.hpp"
#include "core/base/bytes.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::apps {

namespace {

/// For -v: which blocks were coded before they went to disk, and why.
void explain_spill_codec(const core::SpillCoding& spill) {
  const core::SpillCoding::Figures figures = spill.figures();
  if (figures.plain_bytes + figures.coded_bytes == 0) return;
  std::string reason = fmt::format("--spill-codec {}", name(spill.codec()));
  if (spill.codec() == core::SpillCodec::automatic) {
    reason = figures.pays_below <= 0 ? "coding would not make blocks smaller"
             : figures.disk_bytes_per_second <= 0
                 ? "too little written to know the disks' speed"
                 : fmt::format("coding pays below {:.0f} MB/s, the disks: {:.0f} MB/s",
                               figures.pays_below / 1e6, figures.disk_bytes_per_second / 1e6);
  }
  fmt::print(stderr, "emgraph: blocks written as they were: {}; coded: {} to {} ({})\n",
             core::format_size(figures.plain_bytes), core::format_size(figures.coded_bytes),
             core::format_size(figures.code_bytes), reason);
}

std::string row_of(std::string label, const std::string& value) {
  std::replace(label.begin(), label.end(), '_', ' ');
  return fmt::format("{:<19} {}\n", label, value);
}

}  // namespace

std::string left_out_rows(const Session& session) {
  const graph::format::TextOptions& text = session.options().text;
  if (text.left_out == nullptr) return {};
  const graph::format::LeftOutCounts counts = text.left_out->all();
  std::string rows;
  if (!text.missing_values.empty()) rows += row_of("na_lines", core::format_count(counts.missing));
  if (!text.skip_invalid) return rows;
  rows += row_of("skipped_lines", core::format_count(counts.skipped));
  for (const auto& [file, line, reason] : text.left_out->first()) {
    rows += row_of("skipped", fmt::format("{}: line {}: {}", file, line, reason));
  }
  return rows;
}

Report::Report(Session& session, std::string command) : session_(session), command_(std::move(command)) {
  summary_.set("command", command_);
  row("command", command_);
}

void Report::row(const std::string& key, const std::string& value) {
  rows_ += row_of(key, value);
}

void Report::value(const std::string& key, SummaryValue value, const std::string& text) {
  summary_.set(key, std::move(value));
  row(key, text);
}

void Report::count(const std::string& key, std::uint64_t number) {
  value(key, number, core::format_count(number));
}

void Report::size(const std::string& key, std::uint64_t bytes) {
  value(key, bytes, core::format_size(bytes));
}

void Report::real(const std::string& key, double number) {
  value(key, number, fmt::format("{:.6g}", number));
}

void Report::text(const std::string& key, const std::string& text) {
  value(key, text, text);
}

void Report::input(const Inputs& inputs) {
  text("input", inputs.text());
  if (!inputs.several()) return;
  SummaryList names(inputs.names().begin(), inputs.names().end());
  value("inputs", std::move(names), std::to_string(inputs.names().size()));
}

void Report::flag(const std::string& key, bool flag) {
  value(key, flag, flag ? "yes" : "no");
}

void Report::file(const std::string& key, const std::string& name) {
  if (!name.empty()) text(key, name);
}

void Report::output(const std::string& key, const std::string& name) {
  file(key, name);
  results_in(name);
}

void Report::results_in(const std::string& name) {
  data_on_stdout_ = data_on_stdout_ || is_standard_output(name);
}

void Report::checked(const graph::Verdict& verdict) {
  if (verdict.ok) return graph(verdict.nodes, verdict.edges);
  // A wrong result may show before the edges are read.
  const auto if_read = [](std::uint64_t number) {
    return number == 0 ? SummaryValue() : SummaryValue(number);
  };
  hidden("nodes", if_read(verdict.nodes));
  hidden("edges", if_read(verdict.edges));
}

void Report::graph(std::uint64_t nodes, std::uint64_t edges) {
  count("nodes", nodes);
  count("edges", edges);
  if (graph::ids_are_sparse(nodes, edges) && !session_.options().nodes) {
    session_.warn(
        fmt::format("the ids are sparse: {} edges, ids up to {}; --relabel numbers them without gaps",
                    core::format_count(edges), core::format_count(nodes - 1)));
  }
}

void Report::model(const graph::ModelChoice& choice) {
  model(std::string(name(choice.model)), choice.reason);
}

void Report::model(const std::string& name, const std::string& reason) {
  hidden("model", name);
  hidden("model_reason", reason);
  row("model", reason.empty() ? name : fmt::format("{} ({})", name, reason));
}

void Report::add_machine() {
  const core::Environment& environment = session_.environment();
  const core::IoSnapshot io = environment.io.snapshot();
  const double seconds = session_.seconds();
  const double cpu = cpu_seconds();
  const std::uint64_t resident = resident_peak_bytes();
  SummaryList phases;
  for (const PhaseRecord& phase : session_.phases().records()) {
    phases.push_back(SummaryObject{{"name", phase.name},
                                   {"seconds", phase.seconds},
                                   {"read_bytes", phase.io.read_bytes},
                                   {"write_bytes", phase.io.write_bytes},
                                   {"io_wait_seconds", phase.io.wait_seconds}});
  }
  hidden("seconds", seconds);
  hidden("cpu_seconds", cpu);
  hidden("threads", environment.threads);
  hidden("phases", std::move(phases));
  hidden("read_bytes", io.read_bytes);
  hidden("write_bytes", io.write_bytes);
  hidden("io_wait_seconds", io.wait_seconds);
  add_spill_codec(environment.spill);
  hidden("temp_bytes_peak", environment.blocks.peak_bytes());
  hidden("memory_limit_bytes", environment.memory.limit());
  hidden("memory_peak_bytes", environment.memory.peak());
  hidden("resident_peak_bytes", resident);
  add_huge_pages(environment.memory.huge_pages());

  row("time", fmt::format("{:.2f} s, {:.2f} CPU s on {} threads", seconds, cpu, environment.threads));
  row("read, written", fmt::format("{}, {}; {:.2f} s waited", core::format_size(io.read_bytes),
                                   core::format_size(io.write_bytes), io.wait_seconds));
  row("temporary peak", core::format_size(environment.blocks.peak_bytes()));
  row("memory peak", fmt::format("{} of {} ({} resident)", core::format_size(environment.memory.peak()),
                                 core::format_size(environment.memory.limit()), core::format_size(resident)));
}

void Report::add_huge_pages(const core::HugePagePolicy& policy) {
  const core::HugePagesHad had = core::huge_pages_had(policy);
  hidden("huge_pages", had.kind);
  hidden("huge_pages_mode", name(policy.choice()));
  hidden("huge_pages_reason", had.reason);
  hidden("hugetlb_peak_bytes", policy.figures().hugetlb_peak_bytes);
  if (policy.choice() == core::HugePages::automatic && session_.options().verbose == 0) return;
  row("huge pages", fmt::format("{} ({})", had.kind, had.reason));
}

void Report::add_spill_codec(const core::SpillCoding& spill) {
  const core::SpillCoding::Figures figures = spill.figures();
  const bool coded = figures.coded_bytes > 0;
  hidden("spill_codec", name(coded ? core::SpillCodec::delta : core::SpillCodec::none));
  if (!coded) return;
  row("spill_codec",
      fmt::format("{} ({} of blocks as {})", name(core::SpillCodec::delta),
                  core::format_size(figures.coded_bytes), core::format_size(figures.code_bytes)));
}

std::string Report::table() const {
  std::string out = rows_;
  const auto& records = session_.phases().records();
  if (records.empty()) return out + appendix_;
  out += fmt::format("\n{:<26}{:>9}{:>13}{:>13}{:>9}\n", "phase", "seconds", "read", "written", "waited");
  for (const PhaseRecord& phase : records) {
    out += fmt::format("{:<26}{:>9.2f}{:>13}{:>13}{:>9.2f}\n", phase.name, phase.seconds,
                       core::format_size(phase.io.read_bytes), core::format_size(phase.io.write_bytes),
                       phase.io.wait_seconds);
  }
  return out + appendix_;
}

void Report::add_left_out_lines() {
  const graph::format::TextOptions& text = session_.options().text;
  if (text.left_out == nullptr) return;
  rows_ += left_out_rows(session_);
  const graph::format::LeftOutCounts counts = text.left_out->all();
  if (!text.missing_values.empty()) hidden("na_lines", counts.missing);
  if (!text.skip_invalid) return;
  hidden("skipped_lines", counts.skipped);
  SummaryList first;
  for (const auto& [file, line, reason] : text.left_out->first()) {
    first.push_back(SummaryObject{{"file", file}, {"line", line}, {"reason", reason}});
  }
  hidden("first_skipped_lines", std::move(first));
}

ExitCode Report::finish() {
  session_.phases().end_phase();
  session_.stop_progress();
  session_.publish();
  session_.finish_trace(command_);
  const CommonOptions& options = session_.options();
  if (const auto& relabelling = session_.relabelling()) {
    value("relabel", relabelling->method, fmt::format("{} ({})", relabelling->method, relabelling->reason));
    output("map", options.map);
  }
  add_left_out_lines();
  if (options.filter.given()) count("edges_filtered_out", session_.filter_counts()->left_out);
  file("trace", options.trace);
  add_machine();
  if (options.verbose > 0) explain_spill_codec(session_.environment().spill);
  std::FILE* const to = data_on_stdout_ ? stderr : stdout;
  if (options.json) {
    fmt::print(to, "{}\n", json_text(summary_));
  } else if (!options.quiet || quiet_appendix_) {
    const std::string text = options.quiet ? appendix_ : table();
    to == stderr ? fmt::print(to, "{}", printable(text)) : print_text(text);
  }
  return ExitCode::done;
}

ExitCode Report::finish_check(bool ok, const std::string& wrong_file, const std::string& message) {
  flag("ok", ok);
  hidden("verdict", ok ? "ok" : message);  // standard error has the message
  finish();
  if (ok) return ExitCode::done;
  fmt::print(stderr, "emgraph {}: {}: {}\n", command_, printable(wrong_file), printable(message));
  return ExitCode::violation;
}

ExitCode Report::finish_check(const graph::Verdict& verdict, const std::string& wrong_file) {
  model(verdict.choice);
  return finish_check(verdict.ok, wrong_file, verdict.message);
}

}  // namespace emgraph::apps
