// SPDX-License-Identifier: MIT
// Summary tables and JSON.
#include "apps/run/report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "apps/files/output_check.hpp"
#include "apps/run/machine.hpp"
#include "core/base/bytes.hpp"

namespace emgraph::apps {

namespace {

std::string label(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

/// For -v: what was coded of that which went to disk, and why.
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

}  // namespace

Report::Report(std::string command) {
  json_["command"] = std::move(command);
}

void Report::row(const std::string& key, const std::string& value) {
  rows_ += fmt::format("{:<20}{}\n", label(key), value);
}

void Report::count(const std::string& key, std::uint64_t value) {
  json_[key] = value;
  row(key, core::format_count(value));
}

void Report::size(const std::string& key, std::uint64_t bytes) {
  json_[key] = bytes;
  row(key, core::format_size(bytes));
}

void Report::real(const std::string& key, double value) {
  json_[key] = value;
  row(key, fmt::format("{:.6g}", value));
}

void Report::text(const std::string& key, const std::string& value) {
  json_[key] = value;
  row(key, value);
}

void Report::flag(const std::string& key, bool value) {
  json_[key] = value;
  row(key, value ? "yes" : "no");
}

void Report::value(const std::string& key, nlohmann::ordered_json value, const std::string& text) {
  json_[key] = std::move(value);
  row(key, text);
}

void Report::hidden(const std::string& key, nlohmann::ordered_json value) {
  json_[key] = std::move(value);
}

void Report::model(const graph::ModelChoice& choice) {
  model(std::string(graph::name(choice.model)), choice.reason);
}

void Report::model(const std::string& name, const std::string& reason) {
  json_["model"] = name;
  json_["model_reason"] = reason;
  row("model", reason.empty() ? name : fmt::format("{} ({})", name, reason));
}

void Report::add_common(Session& session) {
  const core::Environment& environment = session.environment();
  const core::IoSnapshot io = environment.io.snapshot();
  json_["seconds"] = session.seconds();
  json_["cpu_seconds"] = cpu_seconds();
  json_["threads"] = environment.threads;
  auto& phases = json_["phases"] = nlohmann::ordered_json::array();
  for (const PhaseRecord& phase : session.phases().records()) {
    phases.push_back({{"name", phase.name},
                      {"seconds", phase.seconds},
                      {"read_bytes", phase.io.read_bytes},
                      {"write_bytes", phase.io.write_bytes},
                      {"io_wait_seconds", phase.io.wait_seconds}});
  }
  json_["read_bytes"] = io.read_bytes;
  json_["write_bytes"] = io.write_bytes;
  json_["io_wait_seconds"] = io.wait_seconds;
  add_spill_codec(environment.spill);
  json_["temp_bytes_peak"] = environment.blocks.peak_bytes();
  json_["memory_limit_bytes"] = environment.memory.limit();
  json_["memory_peak_bytes"] = environment.memory.peak();
  json_["resident_peak_bytes"] = resident_peak_bytes();
}

void Report::add_spill_codec(const core::SpillCoding& spill) {
  const core::SpillCoding::Figures figures = spill.figures();
  const bool coded = figures.coded_bytes > 0;
  json_["spill_codec"] = name(coded ? core::SpillCodec::delta : core::SpillCodec::none);
  if (!coded) return;
  row("spill_codec",
      fmt::format("{} ({} of blocks as {})", name(core::SpillCodec::delta),
                  core::format_size(figures.coded_bytes), core::format_size(figures.code_bytes)));
}

std::string Report::table(Session& session) const {
  const core::Environment& environment = session.environment();
  const core::IoSnapshot io = environment.io.snapshot();
  std::string out = fmt::format("{:<20}{}\n", "command", json_["command"].get<std::string>()) + rows_;
  const auto line = [&out](const char* key, const std::string& value) {
    out += fmt::format("{:<20}{}\n", key, value);
  };
  line("time", fmt::format("{:.2f} s, {:.2f} CPU s on {} threads", json_["seconds"].get<double>(),
                           json_["cpu_seconds"].get<double>(), environment.threads));
  line("read, written", fmt::format("{}, {}; {:.2f} s waited", core::format_size(io.read_bytes),
                                    core::format_size(io.write_bytes), io.wait_seconds));
  line("temporary peak", core::format_size(environment.blocks.peak_bytes()));
  line("memory peak", fmt::format("{} of {} ({} resident)", core::format_size(environment.memory.peak()),
                                  core::format_size(environment.memory.limit()),
                                  core::format_size(json_["resident_peak_bytes"].get<std::uint64_t>())));
  const auto& records = session.phases().records();
  if (records.empty()) return out + appendix_;
  out += fmt::format("\n{:<26}{:>9}{:>13}{:>13}{:>9}\n", "phase", "seconds", "read", "written", "waited");
  for (const PhaseRecord& phase : records) {
    out += fmt::format("{:<26}{:>9.2f}{:>13}{:>13}{:>9.2f}\n", phase.name, phase.seconds,
                       core::format_size(phase.io.read_bytes), core::format_size(phase.io.write_bytes),
                       phase.io.wait_seconds);
  }
  return out + appendix_;
}

void Report::finish(Session& session, bool data_on_stdout) {
  session.phases().end_phase();
  session.stop_progress();
  session.finish_trace(command());
  const CommonOptions& options = session.options();
  if (const auto& relabelling = session.relabelling()) {
    json_["relabel"] = relabelling->method;
    row("relabel", fmt::format("{} ({})", relabelling->method, relabelling->reason));
    if (!options.map.empty()) text("map", options.map);
  }
  if (!options.trace.empty()) text("trace", options.trace);
  add_common(session);
  if (options.verbose > 0) explain_spill_codec(session.environment().spill);
  data_on_stdout = data_on_stdout || is_standard_output(options.map);
  if (options.json) {
    print_summary(json_.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n",
                  data_on_stdout);
  } else if (!options.quiet) {
    print_summary(table(session), data_on_stdout);
  }
}

void print_summary(const std::string& text, bool data_on_stdout) {
  fmt::print(data_on_stdout ? stderr : stdout, "{}", text);
}

}  // namespace emgraph::apps
