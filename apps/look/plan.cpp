// SPDX-License-Identifier: MIT
// The command plan: what another command would need and do, without doing it.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/free_space.hpp"
#include "apps/files/output_check.hpp"
#include "apps/files/temporary_space.hpp"
#include "apps/look/plan_time.hpp"
#include "apps/look/processor_speed.hpp"
#include "apps/look/rehearsal.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/printable.hpp"
#include "apps/run/summary_value.hpp"
#include "apps/run/words.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/output_place.hpp"

namespace emgraph::apps {

namespace {

std::string text_of(const std::optional<std::uint64_t>& bytes) {
  return bytes ? core::format_size(*bytes) : "unknown";
}

std::string text_of(const KnownCount& count) {
  return count.value ? fmt::format("{} ({})", core::format_count(*count.value),
                                   count.from == "sample" ? "estimated from a sample" : count.from)
                     : count.from;
}

/// Rows for people and keys for programs, in the same order.
class PlanText {
 public:
  void add(const std::string& key, SummaryValue value, const std::string& label, const std::string& text) {
    object_.set(key, std::move(value));
    row(label, text);
  }
  void hidden(const std::string& key, SummaryValue value) { object_.set(key, std::move(value)); }
  void row(const std::string& label, const std::string& text) {
    rows_ += fmt::format("{:<20}{}\n", label, text);
  }
  void print(const CommonOptions& options) const {
    if (options.json) {
      fmt::print("{}\n", json_text(object_));
    } else if (!options.quiet) {
      print_text(rows_);
    }
  }

 private:
  SummaryObject object_;
  std::string rows_;
};

void add_space(PlanText& text, const CommonOptions& options, const Planned& planned, bool spills) {
  const auto& temporary = planned.plan.forecast.temporary;
  const TemporarySpace space = temporary_space(options, spills);
  const std::uint64_t free = space.free_bytes;
  SummaryList disks;
  for (const TemporarySpace::Place& place : space.places) {
    disks.push_back(SummaryObject{{"path", place.path}, {"free_bytes", place.free_bytes}});
  }
  const auto most = temporary ? std::optional(temporary->most_bytes) : std::nullopt;
  const auto expected = temporary ? std::optional(temporary->expected_bytes) : std::nullopt;
  const bool enough = !most || *most <= free || !spills;
  text.add(
      "temp_bytes_peak", most, "temporary peak",
      most ? fmt::format("at most {}, expected {}{}", core::format_size(*most), core::format_size(*expected),
                         spills ? fmt::format("; {} free{}", core::format_size(free),
                                              enough ? "" : ": MAY NOT SUFFICE")
                                : "")
           : "unknown");
  text.hidden("temp_bytes_expected", expected);
  text.hidden("temp_space_suffices", most || !spills ? SummaryValue(enough) : SummaryValue());
  text.hidden("temp_disks", std::move(disks));
}

void add_outputs(PlanText& text, const Planned& planned) {
  SummaryList outputs;
  for (const PlannedOutput& output : planned.plan.outputs) {
    const auto free =
        is_standard_output(output.path) ? std::nullopt : free_bytes_at(core::directory_of(output.path));
    outputs.push_back(
        SummaryObject{{"path", output.path}, {"bytes", output.most_bytes}, {"free_bytes", free}});
    text.row("output",
             fmt::format("{}: at most {}; {} free{}", output.path, text_of(output.most_bytes), text_of(free),
                         output.most_bytes && free && *output.most_bytes > *free ? ": MAY NOT SUFFICE" : ""));
  }
  text.hidden("outputs", std::move(outputs));
}

/// Seconds, or hours and minutes from 200 seconds on.
std::string duration(double seconds) {
  if (seconds < 200) return fmt::format("{:.2g} s", seconds);
  const double minutes = std::round(seconds / 60);
  if (minutes < 600) return fmt::format("{:.0f} min", minutes);
  return fmt::format("{:.0f} h", std::round(seconds / 3600));
}

/// How far the time may be from the estimate, if that depends on the graph.
std::string range_of(const PlannedTime& time) {
  if (!time.seconds || (time.least_seconds == time.seconds && time.most_seconds == time.seconds)) return "";
  const std::string most = time.most_seconds ? "to " + duration(*time.most_seconds) : "on";
  return fmt::format(" (by the graph from {} {})", duration(*time.least_seconds), most);
}

void add_time(PlanText& text, const PlannedTime& time, unsigned threads, double processor_speed) {
  SummaryList phases;
  for (const PlannedPhase& phase : time.phases) {
    phases.push_back(SummaryObject{{"name", phase.name},
                                   {"seconds", phase.seconds},
                                   {"cpu_seconds", phase.cpu_seconds},
                                   {"read_bytes", phase.read_bytes},
                                   {"temp_bytes", phase.temporary_bytes},
                                   {"output_bytes", phase.output_bytes}});
  }
  text.add("read_bytes", time.read_bytes, "input read",
           fmt::format("{}, in {} reading{}", text_of(time.read_bytes), time.input_readings,
                       time.input_readings == 1 ? "" : "s"));
  text.hidden("passes", time.input_readings);
  text.add("temp_bytes_moved", time.temporary_bytes, "temporary moved",
           core::format_size(time.temporary_bytes));
  text.add("seconds", time.seconds ? SummaryValue(*time.seconds) : SummaryValue(), "time",
           time.seconds
               ? fmt::format("about {}{}: {:.2g} CPU s on {} threads at speed {:.2g} (measured), disks at "
                             "{:.0f} MB/s ({})",
                             duration(*time.seconds), range_of(time), time.cpu_seconds, threads,
                             processor_speed, time.bytes_per_second / 1e6, time.speed_from)
               : "unknown");
  text.hidden("seconds_least", time.least_seconds ? SummaryValue(*time.least_seconds) : SummaryValue());
  text.hidden("seconds_most", time.most_seconds ? SummaryValue(*time.most_seconds) : SummaryValue());
  text.hidden("cpu_seconds", time.cpu_seconds);
  text.hidden("cpu_speed", processor_speed);
  text.hidden("cpu_speed_from", "measured");
  text.hidden("disk_bytes_per_second", time.bytes_per_second);
  text.hidden("disk_speed_from", time.speed_from);
  text.hidden("phases", std::move(phases));
}

class PlanCommand final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.positional(
        "COMMAND", command_,
        fmt::format("a command with all its options and its input: {}", joined(planned_commands(), ", ")));
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }
  ExitCode run() override {
    throw core::UsageError(
        "no command found, expected its options after it: emgraph plan COMMAND [options] [INPUT...]");
  }

 private:
  TypedOptions typed_;
  std::string command_;
};

}  // namespace

std::vector<std::string> planned_commands() {
  std::vector<std::string> names;
  for (const CommandEntry& entry : all_commands()) {
    if (entry.make == make_plan) continue;
    const std::unique_ptr<Command> command = entry.make();
    if (dynamic_cast<PlannedCommand*>(command.get()) != nullptr) names.emplace_back(entry.name);
  }
  return names;
}

ExitCode run_plan(std::string_view name, PlannedCommand& command) {
  CommonOptions options = command.check();
  prepare_rehearsal(options);
  Planned planned = plan_with(command, options);
  if ((options.relabel || options.labels) && reopenable(planned.plan.input)) {
    bound_for_most_nodes(command, options, planned);
  }
  const Plan& plan = planned.plan;
  const graph::Forecast& forecast = plan.forecast;

  PlanText text;
  text.hidden("command", "plan");
  text.add("planned", std::string(name), "plan of", std::string(name));
  text.add("input", plan.input.text(), "input", plan.input.text());
  text.add("nodes", plan.size.nodes.value, "nodes", text_of(plan.size.nodes));
  text.hidden("nodes_from", plan.size.nodes.from);
  text.add("edges", plan.size.edges.value, "edges", text_of(plan.size.edges));
  text.hidden("edges_from", plan.size.edges.from);
  const std::string model = plan.model.empty() ? std::string(graph::name(forecast.choice.model)) : plan.model;
  text.add("model", model, "model", fmt::format("{} ({})", model, forecast.choice.reason));
  text.hidden("model_reason", forecast.choice.reason);
  if (!planned.relabel.empty()) text.add("relabel", planned.relabel, "relabel", planned.relabel);
  text.add("memory_peak_bytes", planned.memory_bytes, "memory peak",
           fmt::format("at most {} of {}", core::format_size(planned.memory_bytes),
                       core::format_size(planned.limit_bytes)));
  text.hidden("memory_limit_bytes", planned.limit_bytes);
  add_space(text, options, planned, may_spill(options, command.spill()));
  add_outputs(text, planned);
  const double speed = measured_processor_speed();
  add_time(text, planned_time(plan, options, planned.threads, speed), planned.threads, speed);

  const std::optional<OtherModel> other = next_model(command, options, planned);
  if (other) {
    text.row("more memory", fmt::format("{} from {} on", graph::name(other->choice.model),
                                        core::memory_option(other->memory_bytes)));
    text.hidden("next_model", SummaryObject{{"memory_limit_bytes", other->memory_bytes},
                                            {"model", std::string(graph::name(other->choice.model))}});
  } else {
    text.hidden("next_model", SummaryValue());
  }
  SummaryList notes;
  for (const std::string& note : forecast.notes) {
    text.row("note", note);
    notes.emplace_back(note);
  }
  text.hidden("notes", std::move(notes));
  text.print(options);
  return ExitCode::done;
}

std::unique_ptr<Command> make_plan() {
  return std::make_unique<PlanCommand>();
}

}  // namespace emgraph::apps
