// SPDX-License-Identifier: MIT
// The command stats: facts that need a full scan, as a table, as JSON, as a page with plots.
#include "graph/stats/stats.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/node_output.hpp"
#include "apps/files/node_plan.hpp"
#include "apps/files/output_check.hpp"
#include "apps/files/text_files.hpp"
#include "apps/look/stats_parts.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/error.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/format/table/open_several.hpp"
#include "graph/stats/node_results.hpp"

namespace emgraph::apps {

namespace {

/// A hub needs about 0.5 KB until the summary is printed, which is not charged.
constexpr std::uint64_t most_hubs = 10000;
// CPU time per node of values of nodes. Measured with scripts/bench_plan.py.
constexpr double read_nanoseconds = 4;
constexpr double sort_nanoseconds = 8;

class Stats final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_);
    options.group("Stats");
    options.flag("--directed", directed_,
                 "count out-degrees and in-degrees, too, which takes 12 instead of 4 bytes per node");
    options.value("--top", top_, "K", "show the K nodes with the largest degrees").otherwise("10");
    options
        .value("--html", html_, "FILE",
               "output for a page with tables and plots, one file that needs no network")
        .as_output();
    options.value("--levels", levels_, "FILE", "levels of this graph by bfs, to plot on the page");
    options.value("--components", components_, "FILE", "labels of this graph by cc, to plot on the page");
    options.value("--ranks", ranks_, "FILE",
                  "ranks of this graph by pagerank, or other values of nodes, to plot on the page");
    declare_common_options(options, typed_,
                           {.solver = true, .result = "the degree of each node (.npy, .tsv, .csv or .bin)"});
  }

  CommonOptions check() override {
    CommonOptions options = validate(typed_);
    options.other_inputs = {levels_, components_, ranks_};
    hubs_ =
        top_.empty() ? graph::stats::Options{}.hubs : static_cast<std::size_t>(count_option("--top", top_));
    if (hubs_ > most_hubs) throw core::UsageError(fmt::format("--top: at most {}", most_hubs));
    check_files(options);
    keep_names(options, {options.output}, true);
    return options;
  }

  Plan plan(Session& session) override {
    open_node_results(session.environment());
    const graph::stats::Options solver = this->solver(session.options());
    Plan plan = plan_node_values<void>(
        session, input_, Carry::weights_if_equal, false,
        [&]<class Id>(core::Environment& environment, graph::EdgeSource<Id>& edges,
                      const graph::InputSize& size) {
          graph::Forecast forecast = graph::stats::forecast<Id>(environment, edges, solver, size);
          if (!html_.empty()) {
            const auto nodes = solver.nodes ? solver.nodes : size.nodes;
            forecast_page(session, nodes.value_or(0), sizeof(Id), forecast);
          }
          return forecast;
        });
    if (!html_.empty()) plan.outputs.push_back({html_, std::nullopt});
    return plan;
  }

  ExitCode run() override {
    const CommonOptions options = check();
    const graph::stats::Options solver = this->solver(options);
    Session session(options, Spill::possible);
    // Opened before the scan, so that an unreadable file is reported at once.
    open_node_results(session.environment());
    std::optional<graph::stats::Result> result;
    HubNames names;
    with_edges(session, input_, Carry::weights_if_equal,
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 const auto nodes = graph::declared_nodes<Id>(options.nodes, input.facts());
                 const auto sink = options.output.empty()
                                       ? nullptr
                                       : create_node_values<Id>(session, options.output, nodes);
                 result.emplace(graph::stats::run<Id>(session.environment(), edges, solver, sink.get()));
                 names = hub_names(session, *result);
                 const auto page = html_.empty() ? nullptr : write_page(session, *result, names, sizeof(Id));
                 if (sink) finish_node_output(session, *sink);
                 if (page) page->finish();
               });

    Report report(session, "stats");
    report.input(input_);
    report.output("output", options.output);
    report.output("html", html_);
    add_stats(report, *result, hubs_, names);
    report.model(result->choice);
    return report.finish();
  }

 private:
  graph::stats::Options solver(const CommonOptions& options) const {
    return {.model = options.model,
            .directed = directed_,
            .hubs = std::max<std::size_t>(1, hubs_),
            .nodes = options.nodes};
  }

  void open_node_results(core::Environment& environment) const {
    for (const std::string& file : {levels_, components_}) {
      if (!file.empty()) graph::format::open_node_reader(environment, file, {});
    }
    if (!ranks_.empty()) {
      graph::format::open_node_reader(environment, ranks_, {.numbers = graph::format::NodeNumbers::either});
    }
  }

  /// Adds to `forecast` what write_page() does for so many nodes, and reserves its memory.
  void forecast_page(Session& session, std::uint64_t nodes, std::size_t id_bytes,
                     graph::Forecast& forecast) const {
    core::Environment& environment = session.environment();
    const graph::stats::DegreeTally result(environment.memory, directed_, 1, {});
    const auto add_phase = [&](const char* name, double nanoseconds, std::uint64_t moved = 0) {
      forecast.phases.push_back({.name = name,
                                 .temporary_bytes = moved,
                                 .cpu_seconds = graph::seconds_for(nodes, nanoseconds),
                                 .one_thread = true});
    };
    if (!levels_.empty()) add_phase("read levels", read_nanoseconds);
    if (!components_.empty()) {
      const core::SpillForecast sort =
          graph::stats::rehearse_component_sizes(environment, components_, nodes, id_bytes);
      if (forecast.temporary) forecast.temporary->cover(sort.most_bytes, sort.expected_bytes);
      add_phase("read components", read_nanoseconds + sort_nanoseconds, sort.expected_bytes);
      add_phase("count components", sort_nanoseconds, sort.expected_bytes);
    }
    if (!ranks_.empty()) {
      add_phase("read values", read_nanoseconds);
      add_phase("read values", read_nanoseconds);
    }
    const TextFile page(session, html_);
    add_phase("write page", 0);
  }

  void check_files(const CommonOptions& options) const {
    for (const auto& [option, file] : {std::pair("--levels", levels_), std::pair("--components", components_),
                                       std::pair("--ranks", ranks_)}) {
      if (file.empty()) continue;
      if (html_.empty()) {
        throw core::UsageError(fmt::format("{}: is shown on the page; name it by --html FILE", option));
      }
      if (file == "-") throw core::UsageError(fmt::format("{}: name a file, not standard input", option));
      std::error_code ignored;
      if (!graph::format::reopenable(file) && std::filesystem::exists(file, ignored)) {
        throw core::UsageError(fmt::format("{} {}: is read twice, expected a regular file", option, file));
      }
    }
    const std::string& output = options.output;
    check_outputs_differ({{"--html", html_}, {"-o", output}});
    if (!output.empty()) check_node_output(options, output, input_.names());
    if (!html_.empty()) check_output(html_, input_.names(), options, false);
  }

  HubNames hub_names(Session& session, const graph::stats::Result& result) const {
    std::vector<std::uint64_t> nodes;
    const auto all = result.degrees.hubs();
    for (const auto& hub : all.first(std::min(hubs_, all.size()))) nodes.push_back(hub.node);
    HubNames names{.key = session.options().labels ? "label" : "id", .names = names_of(session, nodes)};
    for (const std::string& name : names.names) names.values.push_back(name_value(session, name));
    return names;
  }

  /// Writes the page, without its finish().
  std::unique_ptr<TextFile> write_page(Session& session, const graph::stats::Result& result,
                                       const HubNames& names, std::size_t id_bytes) const {
    core::Environment& environment = session.environment();
    StatsPage page{.input = input_.text(), .result = result, .hubs = hubs_, .hub_names = names.names};
    if (!levels_.empty()) {
      page.levels_file = levels_;
      page.levels = graph::stats::read_level_sizes(environment, levels_, result.nodes);
    }
    if (!components_.empty()) {
      page.components_file = components_;
      page.components.emplace(
          graph::stats::read_component_sizes(environment, components_, result.nodes, id_bytes));
    }
    if (!ranks_.empty()) {
      page.ranks_file = ranks_;
      page.ranks.emplace(graph::stats::read_value_spread(environment, ranks_, result.nodes, id_bytes));
    }
    const core::Phase phase(environment.progress, "write page", 0, "bytes");
    auto file = std::make_unique<TextFile>(session, html_);
    file->add(render(page));
    return file;
  }

  TypedOptions typed_;
  Inputs input_;
  bool directed_ = false;
  std::string top_;
  std::size_t hubs_ = 0;  ///< the value of --top, set by check()
  std::string html_;
  std::string levels_;
  std::string components_;
  std::string ranks_;
};

}  // namespace

std::unique_ptr<Command> make_stats() {
  return std::make_unique<Stats>();
}

}  // namespace emgraph::apps
