// SPDX-License-Identifier: MIT
// Counts the lines of some places of a text.
#include "apps/files/edge_estimate.hpp"

#include <string_view>
#include <vector>

#include "apps/files/edge_input.hpp"
#include "apps/files/stand_in.hpp"
#include "core/base/bytes.hpp"
#include "graph/format/packing/text_stream.hpp"
#include "graph/generate/model.hpp"
#include "graph/generate/model_text.hpp"

namespace emgraph::apps {

namespace {

/// What a plan unpacks to look at it is not memory of the run.
class BesideTheRun {
 public:
  explicit BesideTheRun(Session& session)
      : run_(session.environment()),
        beside_{memory_,      run_.blocks, run_.io,      run_.progress,
                run_.outputs, run_.spill,  run_.threads, run_.seed},
        rehearse_(session.options().rehearse) {}

  core::Environment& environment() { return rehearse_ ? beside_ : run_; }

 private:
  core::MemoryBudget memory_{core::GiB};
  core::Environment& run_;
  core::Environment beside_;
  const bool rehearse_;
};

/// Lines that hold an edge, and the bytes of all lines.
struct LineCount {
  std::uint64_t edges = 0;
  std::uint64_t bytes = 0;
  bool all = false;  ///< these are all lines of the file

  void add(std::string_view lines) {
    while (!lines.empty()) {
      const std::string_view line = lines.substr(0, lines.find('\n'));
      if (!line.empty() && line[0] != '#' && line[0] != '%') ++edges;
      bytes += line.size() + 1;
      lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    }
  }
};

/// The lines of 16 places of the file; of a packed one, those of its start.
LineCount sampled_lines(core::Environment& environment, core::InputFile& file) {
  constexpr std::size_t place_bytes = 64 * core::KiB;
  constexpr std::uint64_t places = 16;
  using graph::format::as_text;
  LineCount lines;
  if (graph::format::packing_of(file) != graph::format::Packing::none) {
    const auto start = graph::format::unpacked_start(environment, file, place_bytes);
    const std::string_view text = as_text(start);
    lines.all = start.size() < place_bytes;
    lines.add(lines.all ? text : text.substr(0, text.rfind('\n') + 1));
    return lines;
  }
  std::vector<std::byte> text(place_bytes);
  const std::uint64_t step = std::max<std::uint64_t>(place_bytes, file.size() / places);
  for (std::uint64_t at = 0; at < file.size(); at += step) {
    std::string_view part = as_text({text.data(), file.read_at(at, text)});
    if (at != 0) part.remove_prefix(std::min(part.find('\n'), part.size() - 1) + 1);
    if (part.find('\n') != std::string_view::npos) part = part.substr(0, part.rfind('\n') + 1);
    lines.add(part);
  }
  return lines;
}

std::optional<std::uint64_t> estimated_edges(Session& session, core::InputFile& file) try {
  BesideTheRun beside(session);
  const LineCount lines = sampled_lines(beside.environment(), file);
  if (lines.all) return lines.edges;
  if (lines.bytes == 0) return std::nullopt;
  const std::uint64_t text = graph::format::estimated_text_bytes(beside.environment(), file);
  const double share = static_cast<double>(text) / static_cast<double>(lines.bytes);
  return static_cast<std::uint64_t>(share * static_cast<double>(lines.edges));
} catch (const core::MemoryLimitError&) {
  return std::nullopt;  // the input, which is open, has what a second decoder would need
}

EdgeEstimate estimate_of_one(Session& session, const std::string& input, const graph::EdgeFacts& facts) {
  EdgeEstimate estimate;
  if (facts.nodes) estimate.nodes = {facts.nodes, "declared"};
  if (facts.edges) estimate.edges = {facts.edges, "declared"};
  if (facts.generated) estimate.file_bytes = 0;
  if (facts.generated || !reopenable(input)) return estimate;
  core::InputFile file(input, session.environment().io);
  estimate.file_bytes = file.size();
  if (facts.edges) return estimate;
  if (const auto edges = estimated_edges(session, file)) estimate.edges = {edges, "sample"};
  return estimate;
}

/// CPU time to generate an edge, beyond that of random edges, which the figures of solvers include.
double generating_nanoseconds(const std::string& input) {
  namespace generate = graph::generate;
  const auto model = generate::make_model(generate::parse_model_text(graph::format::generated_model(input)));
  return generate::facts(model).edge_nanoseconds - generate::random_edge_nanoseconds;
}

/// CPU time per edge to generate it, or to unpack and parse text.
double reading_nanoseconds(Session& session, const std::string& input, const std::string& format) {
  using graph::format::Packing;
  // As in graph/forecast.hpp, of lines of 15 bytes. Measured, beside `cc` of the same edges: 33, gzip 80
  // more, zstd 53 more, xz 580 more.
  constexpr double parse_nanoseconds = 28;
  if (graph::format::is_generator(input)) return generating_nanoseconds(input);
  const graph::format::Format* const known = graph::format::find_format(format);
  if (known == nullptr || !known->text) return 0;
  if (!reopenable(input)) return parse_nanoseconds;
  core::InputFile file(input, session.environment().io);
  switch (graph::format::packing_of(file)) {
    case Packing::none:
      return parse_nanoseconds;
    case Packing::zstd:
      return parse_nanoseconds + 40;
    case Packing::gzip:
      return parse_nanoseconds + 60;
    case Packing::xz:
    case Packing::bzip2:
      break;
  }
  return parse_nanoseconds + 430;
}

EdgeEstimate estimate_of_all(Session& session, const Inputs& inputs, const graph::format::EdgeInput& edges) {
  if (!inputs.several()) {
    graph::EdgeFacts facts = edges.facts();
    if (!facts.edges && session.options().filter.given()) facts.edges = session.filter_counts()->all_edges;
    return estimate_of_one(session, inputs.names().front(), facts);
  }
  EdgeEstimate all;
  if (edges.facts().nodes) all.nodes = {edges.facts().nodes, "declared"};
  all.edges = {0, "declared"};
  all.file_bytes = 0;
  for (std::size_t i = 0; i < inputs.names().size(); ++i) {
    const EdgeEstimate one = estimate_of_one(session, inputs.names()[i], edges.parts()[i]);
    if (!one.edges.value || !all.edges.value) {
      all.edges = {};
    } else {
      all.edges.value = *all.edges.value + *one.edges.value;
      if (one.edges.from != "declared") all.edges.from = one.edges.from;
    }
    all.file_bytes =
        one.file_bytes && all.file_bytes ? std::optional(*all.file_bytes + *one.file_bytes) : std::nullopt;
  }
  return all;
}

}  // namespace

std::optional<std::uint64_t> estimated_edges(Session& session, const std::string& input) {
  if (!reopenable(input) || graph::format::is_generator(input)) return std::nullopt;
  core::InputFile file(input, session.environment().io);
  return estimated_edges(session, file);
}

EdgeEstimate declared_estimate(Session& session, const Inputs& inputs,
                               const graph::format::EdgeInput& edges) {
  if (session.options().stand_in) return stand_in_estimate(edges.facts());
  if (const auto& numbering = session.numbering()) {
    const graph::EdgeFacts& facts = edges.facts();
    const FilterOptions& filter = session.options().filter;
    const bool filtered = filter.given() && !filter.before_relabel;
    return {.nodes = {facts.nodes, facts.nodes ? "sample" : "unknown"},
            .edges = {filtered ? session.filter_counts()->all_edges : facts.edges, numbering->edges_from},
            .file_bytes = numbering->file_bytes,
            .reading_nanoseconds = numbering->reading_nanoseconds};
  }
  EdgeEstimate estimate = estimate_of_all(session, inputs, edges);
  estimate.reading_nanoseconds = reading_nanoseconds(session, inputs.names().front(), edges.format());
  return estimate;
}

}  // namespace emgraph::apps
