// SPDX-License-Identifier: MIT
// Rehearses commands with other limits and sizes.
#include "apps/look/rehearsal.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "apps/files/edge_input.hpp"
#include "apps/files/foreseen_numbering.hpp"
#include "apps/run/machine.hpp"
#include "apps/run/session.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

/// The sample may not have the largest ids, and its text need not be as dense as the rest: outputs were up to
/// 1.3 % larger than the estimates of their inputs.
void leave_room_for_estimates(Plan& plan) {
  if (plan.size.nodes.from != "sample" && plan.size.edges.from != "sample") return;
  for (PlannedOutput& output : plan.outputs) {
    if (output.most_bytes)
      output.most_bytes = core::size_sum(*output.most_bytes, *output.most_bytes / 32, core::page_bytes);
  }
}

/// The input is as the options for ids and the filter leave it.
void stand_for_input(CommonOptions& options, const StandIn& stand_in) {
  options.stand_in = stand_in;
  options.memory_bytes = stand_in.memory_bytes;
  options.relabel = options.labels = options.keep_names = false;
  options.filter = {};
}

void silence(CommonOptions& options) {
  options.quiet = true;
  options.verbose = 0;
}

}  // namespace

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

void bound_for_most_nodes(PlannedCommand& command, CommonOptions options, Planned& planned) {
  options.rehearse_most_nodes = true;
  silence(options);  // the first rehearsal has said what there is to say
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

std::optional<OtherModel> next_model(PlannedCommand& command, CommonOptions options, const Planned& now) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;
  const bool again = reopenable(now.plan.input);
  if (command.spill() == Spill::never || !again || !now.plan.model.empty()) return std::nullopt;
  silence(options);
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

std::vector<std::string> foreseen_phases(PlannedCommand& command, const StandIn* stand_in) {
  std::vector<std::string> names;
  try {
    CommonOptions options = command.check();
    if (!shows_progress(options.progress)) return names;
    if (stand_in != nullptr) {
      if (command.holds_list()) return names;  // the run has read it; a pipe comes once
      stand_for_input(options, *stand_in);
    } else if (options.relabel || options.labels || options.filter.given()) {
      return names;  // all edges are read before
    }
    prepare_rehearsal(options);
    silence(options);  // the run says what there is to say
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
    if (command.holds_list()) return std::nullopt;    // a rehearsal reads it into memory
    prepare_rehearsal(options);
    silence(options);
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

}  // namespace emgraph::apps
