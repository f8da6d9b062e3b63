// SPDX-License-Identifier: MIT
// The command plan: what another command would need and do, without doing it.
#include <fmt/core.h>

#include <algorithm>

#include "apps/command_line/disk_config.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/foreseen_numbering.hpp"
#include "apps/files/free_space.hpp"
#include "apps/files/output_check.hpp"
#include "apps/look/plan_time.hpp"
#include "apps/look/processor_speed.hpp"
#include "apps/run/joined.hpp"
#include "apps/run/machine.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/printable.hpp"
#include "apps/run/summary_value.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/output_place.hpp"

namespace emgraph::apps {

namespace {

/// A plan, and the memory that its run would take.
struct Planned {
  Plan plan;
  std::uint64_t memory_bytes = 0;
  std::uint64_t limit_bytes = 0;
  unsigned threads = 1;
  std::string
      relabel;  ///< how --relabel or --labels would number nodes; empty: they would not, or it is not known
};

/// The sample may not have the largest ids, and its text need not be as dense as the rest: outputs were up to
/// 1.3 % larger than the estimates of their inputs.
void leave_room_for_estimates(Plan& plan) {
  if (plan.size.nodes.from != "sample" && plan.size.edges.from != "sample") return;
  for (PlannedOutput& output : plan.outputs) {
    if (output.most_bytes)
      output.most_bytes = core::size_sum(*output.most_bytes, *output.most_bytes / 32, core::page_bytes);
  }
}

Planned plan_with(PlannedCommand& command, const CommonOptions& options) {
  Session session(options, command.spill());
  Planned planned;
  planned.plan = command.plan(session);
  leave_room_for_estimates(planned.plan);
  add_numbering(session, planned.plan.forecast);
  if (session.numbering() && session.numbering()->forecast) {
    planned.relabel = session.numbering()->forecast->method;
  }
  if (!options.map.empty()) planned.plan.outputs.push_back({.path = options.map, .most_bytes = std::nullopt});
  planned.memory_bytes = session.environment().memory.peak();
  planned.limit_bytes = session.environment().memory.limit();
  // Batches and pages, which the forecasts do not follow one by one, and buckets that are less even than
  // those of the sample: up to 5 % more than foreseen, of graphs with hubs whose lists do not stay in memory
  // (scripts/plan_trial.py).
  constexpr std::uint64_t small_buffers_bytes = 128 * core::KiB;
  const bool internal = planned.plan.forecast.choice.model == graph::MemoryModel::internal;
  planned.memory_bytes = std::min(planned.limit_bytes, planned.memory_bytes + small_buffers_bytes +
                                                           planned.memory_bytes / (internal ? 64 : 16));
  for (const PlannedOutput& output : planned.plan.outputs) {
    planned.memory_bytes = core::size_sum(planned.memory_bytes, output.growth_bytes);
  }
  if (planned.memory_bytes > planned.limit_bytes) {
    planned.plan.forecast.notes.push_back(
        fmt::format("at the end the index of the output may need {} more than -M leaves",
                    core::format_size(planned.memory_bytes - planned.limit_bytes)));
    planned.memory_bytes = planned.limit_bytes;
  }
  planned.threads = session.environment().threads;
  return planned;
}

void prepare_rehearsal(CommonOptions& options) {
  options.rehearse = true;
  options.progress = ProgressWhen::never;
  options.trace.clear();
}

/// If the number of nodes is an estimate: raises what is said to be at most to what as many nodes as there
/// can be take.
void bound_for_most_nodes(PlannedCommand& command, CommonOptions options, Planned& planned) {
  options.rehearse_most_nodes = true;
  options.quiet = true;  // the first rehearsal has said what there is to say
  graph::Forecast& forecast = planned.plan.forecast;
  Planned most;
  try {
    most = plan_with(command, options);
  } catch (const core::MemoryLimitError& error) {
    planned.memory_bytes = planned.limit_bytes;
    forecast.temporary.reset();
    forecast.notes.push_back(fmt::format("with as many nodes as the sample allows: {}", error.what()));
    return;
  }
  // The solver's forecast has no sample of the numbered edges: runs took up to a third more.
  const std::uint64_t bytes = std::max(planned.memory_bytes, most.memory_bytes);
  planned.memory_bytes = std::min(planned.limit_bytes, core::size_sum(bytes, bytes / 2));
  if (forecast.temporary && most.plan.forecast.temporary) {
    forecast.temporary->cover(most.plan.forecast.temporary->most_bytes, 0);
  } else {
    forecast.temporary.reset();
  }
  planned.plan.outputs = most.plan.outputs;
  const graph::MemoryModel other = most.plan.forecast.choice.model;
  if (other == forecast.choice.model) return;
  forecast.notes.push_back(fmt::format("model: {} with more nodes than estimated, {} at most",
                                       graph::name(other),
                                       core::format_count(most.plan.size.nodes.value.value_or(0))));
}

/// The input is as the options for ids and the filter leave it.
void stand_for_input(CommonOptions& options, const StandIn& stand_in) {
  options.stand_in = stand_in;
  options.memory_bytes = stand_in.memory_bytes;
  options.relabel = options.labels = options.keep_names = false;
  options.filter = {};
}

/// A memory limit with which the command would run in another model.
struct OtherModel {
  std::uint64_t memory_bytes = 0;
  graph::ModelChoice choice;
};

/// The least limit, up to a sixteenth, between one and 64 times the present one (at most 1 TiB).
std::optional<OtherModel> next_model(PlannedCommand& command, CommonOptions options, const Planned& now) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;
  const bool again = reopenable(now.plan.input);
  if (command.spill() == Spill::never || !again || !now.plan.model.empty()) return std::nullopt;
  options.quiet = true;
  const auto choice_with = [&](std::uint64_t bytes) {
    options.memory_bytes = bytes;
    return plan_with(command, options).plan.forecast.choice;
  };
  std::optional<OtherModel> other;
  try {
    std::uint64_t same = now.limit_bytes;
    for (std::uint64_t bytes = 2 * same; !other && bytes <= std::min(64 * now.limit_bytes, most_bytes);
         bytes *= 2) {
      const graph::ModelChoice choice = choice_with(bytes);
      if (choice.model != now.plan.forecast.choice.model) {
        other = {bytes, choice};
      } else {
        same = bytes;
      }
    }
    while (other && other->memory_bytes - same > other->memory_bytes / 16) {
      const std::uint64_t middle = core::round_up((same + other->memory_bytes) / 2, core::MiB);
      if (middle >= other->memory_bytes) break;
      const graph::ModelChoice choice = choice_with(middle);
      if (choice.model != now.plan.forecast.choice.model) {
        other = {middle, choice};
      } else {
        same = middle;
      }
    }
  } catch (const core::EnvironmentError&) {
    // This machine has no address space for so large a limit.
  }
  return other;
}

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
  SummaryList disks;
  std::uint64_t free = 0;
  for (const core::DiskSpec& disk : spills ? configured_disks(options.disks).disks : options.disks) {
    const std::optional<std::uint64_t> here =
        disk.raw ? std::optional(disk.capacity_bytes) : free_bytes_at(disk.path);
    const std::uint64_t usable = std::min(here.value_or(0), disk.capacity_bytes);
    disks.push_back(SummaryObject{{"path", disk.path}, {"free_bytes", usable}});
    free = core::size_sum(free, usable);
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
             fmt::format("{}: at most {}; {} free", output.path, text_of(output.most_bytes), text_of(free)));
  }
  text.hidden("outputs", std::move(outputs));
}

/// How far the time may be from the estimate, if that depends on the graph.
std::string range_of(const PlannedTime& time) {
  if (!time.seconds || (time.least_seconds == time.seconds && time.most_seconds == time.seconds)) return "";
  const std::string most = time.most_seconds ? fmt::format("to {:.2g} s", *time.most_seconds) : "on";
  return fmt::format(" (by the graph from {:.2g} s {})", *time.least_seconds, most);
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
  text.add(
      "seconds", time.seconds ? SummaryValue(*time.seconds) : SummaryValue(), "time",
      time.seconds
          ? fmt::format("about {:.2g} s{}: {:.2g} CPU s on {} threads at speed {:.2g} (measured), disks at "
                        "{:.0f} MB/s ({})",
                        *time.seconds, range_of(time), time.cpu_seconds, threads, processor_speed,
                        time.bytes_per_second / 1e6, time.speed_from)
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
        "no command found, expected its options after it: emgraph plan COMMAND [options] [INPUT]");
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
  add_space(text, options, planned, command.spill() == Spill::possible);
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

std::vector<std::string> foreseen_phases(PlannedCommand& command, const StandIn* stand_in) {
  std::vector<std::string> names;
  try {
    CommonOptions options = command.check();
    if (!shows_progress(options.progress)) return names;
    if (stand_in != nullptr) {
      stand_for_input(options, *stand_in);
    } else if (options.relabel || options.labels || options.filter.given()) {
      return names;  // all edges are read before
    }
    prepare_rehearsal(options);
    options.quiet = true;  // the run says what there is to say
    options.verbose = 0;
    for (const graph::ForecastPhase& phase : plan_with(command, options).plan.forecast.phases) {
      names.push_back(phase.name);
    }
  } catch (const std::exception&) {
    names.clear();  // the run explains what is wrong
  }
  return names;
}

std::optional<std::uint64_t> least_memory(PlannedCommand& command) {
  try {
    // A rehearsal allocates some tables, so it stays within what this machine has.
    const std::uint64_t most_bytes = available_memory_bytes();
    CommonOptions options = command.check();
    if (options.filter.given()) return std::nullopt;  // a rehearsal may read all edges
    prepare_rehearsal(options);
    options.quiet = true;
    const auto fits = [&](std::uint64_t bytes) {
      options.memory_bytes = bytes;
      try {
        plan_with(command, options);
        return true;
      } catch (const core::MemoryLimitError&) {
        return false;
      }
    };
    std::uint64_t too_little = options.memory_bytes.value_or(least_memory_bytes);
    if (fits(too_little)) return std::nullopt;
    std::uint64_t enough = 2 * too_little;
    for (; enough <= most_bytes && !fits(enough); enough *= 2) too_little = enough;
    if (enough > most_bytes) return std::nullopt;
    while (enough - too_little > std::max(core::MiB, enough / 128)) {
      const std::uint64_t middle = core::round_up((too_little + enough) / 2, core::MiB);
      (fits(middle) ? enough : too_little) = middle;
    }
    // Buffers that forecasts do not follow: runs of packed text failed with up to 1 MiB less.
    return enough + std::max(core::MiB, enough / 64);
  } catch (const std::exception&) {
    return std::nullopt;  // what went wrong first is the message
  }
}

std::unique_ptr<Command> make_plan() {
  return std::make_unique<PlanCommand>();
}

}  // namespace emgraph::apps
