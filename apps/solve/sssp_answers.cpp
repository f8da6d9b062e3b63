// SPDX-License-Identifier: MIT
// Distances of queries as lines of text, and the summary of the command sssp.
#include "apps/solve/sssp_answers.hpp"

#include <fmt/core.h>

#include <bit>
#include <cstdint>
#include <set>
#include <span>
#include <utility>

#include "apps/files/label_lines.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/solve/root_outputs.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/output_file.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/table/foreign.hpp"
#include "graph/format/table/format.hpp"
#include "graph/sssp/distances.hpp"

namespace emgraph::apps {
namespace {

using core::UsageError;
using graph::sssp::OrderRule;
using graph::sssp::Queue;

/// A distance for programs: an integer or a double; unreached is null.
SummaryValue distance_value(graph::WeightType type, std::uint64_t word) {
  if (word == graph::sssp::unreached_word(type)) return {};
  if (graph::sssp::is_floating(type)) return std::bit_cast<double>(word);
  return word;
}

/// A distance as text: unreached is "inf", also between integers.
std::string distance_text(graph::WeightType type, std::uint64_t word) {
  if (word == graph::sssp::unreached_word(type)) return "inf";
  if (graph::sssp::is_floating(type)) return fmt::format("{}", std::bit_cast<double>(word));
  return std::to_string(word);
}

UsageError not_lines(const std::string& what, const std::string& format) {
  return UsageError(fmt::format("{}: the answers to queries are lines of text, not {}", what, format));
}

char separator_of_format(const std::string& format) {
  return format == "csv" ? ',' : '\t';
}

std::string column(const std::string& name, char separator) {
  return separator == ',' ? csv_column(name) : tsv_column(name);
}

void report_searches(Report& report, const CommonOptions& options, const graph::sssp::Result& result) {
  const graph::WeightType type = result.weight_type;
  SummaryList searches;
  const std::vector<std::string> given = given_roots(options);
  for (std::size_t i = 0; i < result.searches.size(); ++i) {
    const graph::sssp::Search& search = result.searches[i];
    const std::string farthest = distance_text(type, search.max_distance);
    if (i == 0) {
      report_root(report, options, search.root);
      report.count("reached", search.reached);
      report.value("max_distance", distance_value(type, search.max_distance), farthest);
      report.text("method", search.method);
      report.real("search_seconds", search.seconds);
    } else {
      report.shown(
          fmt::format("root {}", given[i]),
          fmt::format("{} reached, the farthest at {}", core::format_count(search.reached), farthest));
    }
    SummaryObject one = {{"root", search.root},
                         {"reached", search.reached},
                         {"max_distance", distance_value(type, search.max_distance)},
                         {"seconds", search.seconds}};
    add_given_root(one, options, i);
    searches.push_back(std::move(one));
  }
  if (result.searches.empty()) {
    for (const char* key : {"root", "reached", "max_distance"}) report.hidden(key, SummaryValue());
  }
  if (searches.size() > 1) report.hidden("searches", std::move(searches));
}

void report_queries(Report& report, const CommonOptions& options, const AskedPairs& asked,
                    const graph::sssp::Result& result) {
  if (result.queries.empty()) return report.hidden("queries", SummaryList());
  SummaryList queries;
  std::uint64_t settled = 0;
  for (std::size_t i = 0; i < result.queries.size(); ++i) {
    const graph::sssp::QueryResult& query = result.queries[i];
    settled += query.settled;
    SummaryObject one = {{"source", query.query.source},
                         {"target", query.query.target},
                         {"distance", distance_value(result.weight_type, query.distance)},
                         {"settled", query.settled}};
    if (options.labels || options.relabel) {
      one.set("source_name", asked.nodes[asked.pairs[i].first]);
      one.set("target_name", asked.nodes[asked.pairs[i].second]);
    }
    queries.push_back(std::move(one));
  }
  report.value("queries", std::move(queries), core::format_count(result.queries.size()));
  report.count("settled", settled);
}

void report_landmarks(Session& session, Report& report, const SsspRun& run,
                      const graph::sssp::Result& result) {
  if (result.choice.model != graph::MemoryModel::internal) {
    return report.value("landmarks", std::uint64_t{0}, "none (they are for the internal model)");
  }
  const std::string count = core::format_count(run.landmarks);
  if (!result.landmarks) return report.value("landmarks", std::uint64_t{run.landmarks}, count);
  const graph::sssp::LandmarkUse& use = *result.landmarks;
  std::string text = count + (use.read ? ", read from " : ", kept in ") + run.landmark_file;
  if (!use.refused.empty() && !use.damaged)
    text += fmt::format(" (an older file was replaced: {})", use.refused);
  if (use.damaged) session.warn(use.refused + "; it is replaced");
  report.value("landmarks", std::uint64_t{run.landmarks}, text);
  report.hidden("landmarks_file", run.landmark_file);
  report.hidden("landmarks_read", use.read);
}

}  // namespace

AskedPairs asked_by(const graph::format::QueryFile& file) {
  AskedPairs asked;
  for (const auto& [source, target] : file.pairs) asked.add(std::to_string(source), std::to_string(target));
  std::set<std::uint64_t> known;  // random sources of a benchmark may repeat: one search answers them
  for (const std::uint64_t source : file.sources) {
    if (known.insert(source).second) asked.nodes.push_back(std::to_string(source));
  }
  return asked;
}

void check_answer_names(const CommonOptions& options, const std::string& paths) {
  for (const std::string& file : {options.output, paths}) {
    const std::string extension = graph::format::extension_of(file);
    const bool packed = graph::format::packing_of_name(file) != graph::format::Packing::none;
    const graph::format::Format* const known = graph::format::find_format(extension);
    const bool other =
        (known != nullptr && !known->columns) || graph::format::foreign_format(extension) != nullptr;
    if (packed || other) throw not_lines(file, "." + extension);
  }
  const bool named =
      options.labels || options.relabel;  // then the lines have columns as results with names do
  const std::string& format = options.output_format;
  if (!format.empty() && format != "tsv" && !(named && format == "csv")) {
    throw not_lines("--output-format", format);
  }
  if (options.output_header && !named) {
    throw UsageError("--output-header: the answers to queries have no header");
  }
}

void write_query_distances(Session& session, const AskedPairs& asked, const graph::sssp::Result& result,
                           const std::string& output) {
  if (output.empty()) return;
  if (is_standard_output(output)) session.stop_progress();
  const std::string& format = session.options().output_format;
  const char separator = separator_of_format(format.empty() ? graph::format::extension_of(output) : format);
  const auto columns = [&](const std::string& source, const std::string& target,
                           const std::string& distance) {
    return fmt::format("{1}{0}{2}{0}{3}", separator, column(source, separator), column(target, separator),
                       distance);
  };
  TextFile file(session, output);
  if (session.options().output_header) file.add_line(columns("source", "target", "distance"));
  for (std::size_t i = 0; i < result.queries.size(); ++i) {
    const auto& [source, target] = asked.pairs[i];
    file.add_line(columns(asked.nodes[source], asked.nodes[target],
                          distance_text(result.weight_type, result.queries[i].distance)));
  }
  file.finish();
}

PathLines::PathLines(Session& session, std::string output)
    : session_(session),
      output_(std::move(output)),
      // A label may have blanks.
      separator_(session.options().labels ? separator_of_format(graph::format::extension_of(output_)) : ' ') {
}

TextFile& PathLines::file() {
  if (!file_) {
    if (is_standard_output(output_)) session_.stop_progress();
    file_.emplace(session_, output_);
  }
  return *file_;
}

void PathLines::finish() {
  file().finish();
}

void PathLines::append(std::span<const std::uint64_t> nodes) {
  // Names, and lines, take some hundred times their number in bytes, which is not charged.
  constexpr std::size_t most_nodes = 4096;
  for (std::size_t at = 0; at < nodes.size(); at += most_nodes) {
    const auto some = nodes.subspan(at, std::min(most_nodes, nodes.size() - at));
    const std::vector<std::string> names = names_of(session_, some);
    std::string text;
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (!line_is_empty_) text += separator_;
      line_is_empty_ = false;
      text += names.empty() ? std::to_string(some[i]) : column(names[i], separator_);
    }
    file().add(text);
  }
}

void PathLines::end_path() {
  file().add("\n");
  line_is_empty_ = true;
}

ExitCode report_sssp(Session& session, const SsspRun& run, const AskedPairs& asked,
                     const graph::sssp::Result& result) {
  Report report(session, "sssp");
  report.input(run.input);
  report.output("output", run.output);
  report.output("parents", run.parents);
  report.output("path", run.path);
  report.graph(result.nodes, result.edges);
  report.value("directed", run.direction.directed,
               fmt::format("{}: {}", run.direction.directed ? "yes" : "no", run.direction.reason));
  report.hidden("directed_reason", run.direction.reason);
  report_searches(report, session.options(), result);
  report_queries(report, session.options(), asked, result);
  if (run.landmarks > 0) report_landmarks(session, report, run, result);
  if (result.queue != Queue::automatic) {
    report.text("queue", fmt::format("{} ({})", name(result.queue), result.queue_reason));
  }
  if (run.order != OrderRule::given) {
    const bool done = result.order == run.order;
    report.value("order", std::string(name(result.order)),
                 done ? std::string(name(run.order)) : "given (others are for the internal model)");
  }
  report.model(result.choice);
  return report.finish();
}

}  // namespace emgraph::apps
