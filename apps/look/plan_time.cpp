// SPDX-License-Identifier: MIT
// Adds up the times of phases; the sizes of outputs.
#include "apps/look/plan_time.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "apps/command_line/disk_config.hpp"
#include "apps/files/edge_output.hpp"
#include "apps/files/node_output.hpp"
#include "core/base/bytes.hpp"
#include "graph/adjacency/page_estimate.hpp"
#include "graph/format/adjacency/adjacency_file.hpp"
#include "graph/format/container/container_writer.hpp"
#include "graph/format/graph500/graph500.hpp"
#include "graph/format/raw/raw.hpp"
#include "graph/format/source/edge_writer.hpp"

namespace emgraph::apps {

namespace {

/// Sequential direct I/O in large blocks on one SSD, reads and writes mixed. Measured on virtual machines:
/// 0.35 to 1.7 GB/s.
constexpr double typical_bytes_per_second = 7e8;
/// Start of the process, opening of files.
constexpr double start_seconds = 0.02;

constexpr std::uint64_t npy_header_bytes = 128;

/// Whether text has names of nodes, whose length is not known.
bool names_nodes(const Session& session) {
  return session.numbering() && session.options().keep_names;
}

std::uint64_t decimal_digits(std::uint64_t value) {
  return std::to_string(value).size();
}

/// The most bytes of a weight as text, with a separator.
std::uint64_t weight_text_bytes(graph::WeightType weight) {
  switch (weight) {
    case graph::WeightType::none:
      break;
    case graph::WeightType::u32:
      return 11;
    case graph::WeightType::i64:
      return 21;
    case graph::WeightType::f32:
      return 16;
    case graph::WeightType::f64:
      return 25;
  }
  return 0;
}

/// The most bytes of a line of text with an edge.
std::uint64_t edge_line_bytes(const graph::format::Format& format, std::uint64_t nodes,
                              graph::WeightType weight) {
  const std::uint64_t line = 2 * decimal_digits(nodes) + 2 + weight_text_bytes(weight);
  if (format.name != "gr") return line;
  return line + 2 + (weight == graph::WeightType::none ? 2 : 0);  // "a 3 7 1"
}

}  // namespace

PlannedTime planned_time(const Plan& plan, const CommonOptions& options, unsigned threads,
                         double processor_speed) {
  PlannedTime time;
  time.bytes_per_second = typical_bytes_per_second;
  time.speed_from = "a typical figure";
  std::uint64_t declared = 0;
  const std::vector<core::DiskSpec> disks = configured_disks(options.disks).disks;
  const bool limited = std::ranges::all_of(disks, [&](const core::DiskSpec& disk) {
    declared += disk.limit_bytes_per_second;
    return disk.limit_bytes_per_second > 0;
  });
  if (limited) {
    time.bytes_per_second = static_cast<double>(declared);
    time.speed_from = "limit declared";
  }
  std::uint64_t output_bytes = 0;
  double output_seconds = 0;
  for (const PlannedOutput& output : plan.outputs) {
    output_bytes = core::size_sum(output_bytes, output.most_bytes.value_or(0));
    output_seconds += output.cpu_seconds;
  }
  double seconds = start_seconds;
  double least = start_seconds;
  std::optional<double> most = start_seconds;
  for (const graph::ForecastPhase& phase : plan.forecast.phases) {
    PlannedPhase planned;
    planned.name = phase.name;
    // Text and numbers into each other, generating; all threads share it.
    double converting =
        graph::seconds_for(core::size_product(phase.input_readings, plan.size.edges.value.value_or(0)),
                           plan.size.reading_nanoseconds);
    planned.read_bytes = core::size_product(phase.input_readings, plan.size.file_bytes.value_or(0));
    planned.temporary_bytes = phase.temporary_bytes;
    if (&phase == &plan.forecast.phases.back()) {
      planned.output_bytes = output_bytes;
      converting += output_seconds;
    }
    planned.cpu_seconds = (phase.cpu_seconds + converting) / processor_speed;
    const double computing =
        (phase.cpu_seconds / (phase.one_thread ? 1 : threads) + converting / threads) / processor_speed;
    const double moving = static_cast<double>(core::size_sum(planned.read_bytes, planned.output_bytes)) /
                              typical_bytes_per_second +
                          static_cast<double>(phase.temporary_bytes) / time.bytes_per_second;
    // Measured: about half of the shorter one is hidden behind the longer one (scripts/plan_trial.py).
    planned.seconds = std::max(computing, moving) + std::min(computing, moving) / 2;
    seconds += planned.seconds;
    least += planned.seconds * phase.least_share;
    most =
        most && phase.most_share ? std::optional(*most + planned.seconds * *phase.most_share) : std::nullopt;
    time.cpu_seconds += planned.cpu_seconds;
    time.temporary_bytes = core::size_sum(time.temporary_bytes, planned.temporary_bytes);
    time.phases.push_back(std::move(planned));
  }
  time.input_readings = plan.forecast.input_readings();
  if (plan.size.file_bytes) time.read_bytes = core::size_product(*plan.size.file_bytes, time.input_readings);
  if (plan.size.edges.value) {
    time.seconds = seconds;
    time.least_seconds = least;
    time.most_seconds = plan.forecast.size_is_open ? std::nullopt : most;
  }
  return time;
}

std::optional<graph::format::GapbsSize> gapbs_size(const Session& session, const std::string& path,
                                                   const graph::EdgeFacts& facts, const EdgeEstimate& size,
                                                   std::uint64_t copies) {
  const std::string_view format = edge_output_format(session.options(), path).name;
  if ((format != "sg" && format != "wsg") || !size.nodes.value || !size.edges.value) return std::nullopt;
  return graph::format::GapbsSize{.nodes = *size.nodes.value,
                                  .edges = core::size_product(*size.edges.value, copies),
                                  .weighted = format == "wsg",
                                  .directed = graph::format::directed_adjacency(facts, path)};
}

void add_gapbs_space(Session& session, const graph::format::GapbsSize& size, graph::Forecast& forecast) {
  const graph::format::GapbsSpace space = graph::format::rehearse_gapbs(session.environment(), size);
  if (!forecast.temporary) return;
  // The file is spooled while the sort is read.
  const core::SpillForecast sort = *forecast.temporary;
  const auto spooling = [&](std::uint64_t spilled) {
    return graph::peak_while_sort_is_read(spilled, sort.whole_bytes, space.appended_bytes);
  };
  forecast.temporary->cover(spooling(sort.most_bytes), spooling(sort.expected_bytes));
  forecast.temporary->cover(space.finishing.most_bytes, space.finishing.expected_bytes);
  // Measured with plan and run of random, Kronecker and sparse graphs and grids.
  constexpr double spool_nanoseconds = 10;
  constexpr double node_nanoseconds = 8;
  constexpr double reverse_nanoseconds = 60;
  constexpr double reverse_weight_nanoseconds = 50;
  constexpr double reverse_node_nanoseconds = 30;
  forecast.phases.back().cpu_seconds +=
      graph::seconds_for(size.edges, spool_nanoseconds) + graph::seconds_for(size.nodes, node_nanoseconds);
  forecast.phases.back().temporary_bytes += space.appended_bytes;
  graph::ForecastPhase finish{
      .name = "finish output", .temporary_bytes = space.finish_moves, .one_thread = true};
  if (size.directed) {
    finish.cpu_seconds = graph::seconds_for(size.nodes, reverse_node_nanoseconds) +
                         graph::seconds_for(size.edges, reverse_nanoseconds +
                                                            (size.weighted ? reverse_weight_nanoseconds : 0));
  }
  forecast.phases.push_back(finish);
}

PlannedOutput planned_edge_file(const Session& session, const std::string& path,
                                const graph::EdgeFacts& facts, const std::string& codec,
                                const EdgeEstimate& size, std::uint64_t copies) {
  PlannedOutput output{.path = path, .most_bytes = std::nullopt};
  if (!size.edges.value) return output;
  const graph::format::Format& format = edge_output_format(session.options(), path);
  const std::uint64_t edges = core::size_product(*size.edges.value, copies);
  constexpr double text_nanoseconds = 10;
  if (format.text) output.cpu_seconds = graph::seconds_for(edges, text_nanoseconds);
  if (format.text && names_nodes(session)) return output;
  const graph::WeightType weight =
      stores_weights(session.options(), path) ? facts.layout.weight : graph::WeightType::none;
  if (format.name == "graph") {
    // A blank before each neighbour and each weight, and a line for each node.
    if (!size.nodes.value) return output;
    const std::uint64_t entry = decimal_digits(*size.nodes.value) + 1 + weight_text_bytes(weight);
    output.most_bytes =
        core::size_sum(core::size_product(edges, entry), core::size_sum(*size.nodes.value, core::page_bytes));
  } else if (const auto gapbs = gapbs_size(session, path, facts, size, copies)) {
    output.most_bytes = gapbs->file_bytes();
  } else if (format.text && size.nodes.value) {
    output.most_bytes = core::size_sum(
        core::size_product(edges, edge_line_bytes(format, *size.nodes.value, weight)), core::page_bytes);
  } else if (format.name == "graph500") {
    output.most_bytes = core::size_product(edges, graph::format::packed_edge_bytes);
  } else if (const auto raw = graph::format::raw_layout(format.name)) {
    output.most_bytes = core::size_product(edges, raw->record_bytes());
  } else if (format.name == "npy") {
    output.most_bytes =
        core::size_sum(core::size_product(edges, 2 * facts.layout.id_bytes), npy_header_bytes);
  } else if (format.name == "adj") {
    if (!size.nodes.value) return output;
    const std::uint64_t pages_bytes =
        graph::adjacency::expected_page_bytes({.nodes = *size.nodes.value,
                                               .entries = edges,
                                               .id_bytes = facts.layout.id_bytes,
                                               .weight = facts.layout.weight})
            .most_bytes;
    // The index has a number and a bit for each page, and takes twice as much while it grows.
    const std::uint64_t index_bytes = graph::adjacency::index_bytes(
        pages_bytes / graph::adjacency::default_page_bytes + 1, facts.layout.id_bytes);
    output.most_bytes = core::size_sum(pages_bytes, index_bytes, 4 * core::page_bytes);
    output.growth_bytes = core::size_sum(index_bytes, index_bytes, index_bytes / 4);
  } else if (format.name == "emg") {
    const std::uint64_t rows = core::size_product(edges, facts.layout.record_bytes());
    // Heads, index and footer take less than a thousandth.
    output.most_bytes = core::size_sum(rows, rows / 1000, 4 * core::page_bytes);
    output.growth_bytes = graph::format::ContainerWriter::growth_bytes(facts, edges);
    // A codec saves bytes, or costs a head per block.
    if (!codec.empty()) *output.most_bytes = core::size_sum(*output.most_bytes, rows / 100);
  }
  return output;
}

std::optional<std::uint64_t> planned_node_bytes(const Session& session, const std::string& path,
                                                const std::optional<std::uint64_t>& values,
                                                std::size_t value_bytes, std::size_t characters) {
  if (!values) return std::nullopt;
  const std::string format = node_format(session.options(), path);
  const bool text = is_node_text(format);
  if (text && names_nodes(session)) return std::nullopt;
  if (text) {
    const std::size_t id = decimal_digits(*values);
    return core::size_product(*values, id + (characters == 0 ? id : characters) + 2);
  }
  return core::size_sum(core::size_product(*values, value_bytes), npy_header_bytes);
}

}  // namespace emgraph::apps
