// SPDX-License-Identifier: MIT
// Samples ids, or labels at some places of the text.
#include "apps/files/foreseen_numbering.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/files/edge_estimate.hpp"
#include "apps/files/stand_in.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/packing/text_stream.hpp"
#include "graph/format/table/open_several.hpp"
#include "graph/format/text/label_text.hpp"
#include "graph/prepare/relabel/forecast.hpp"

namespace emgraph::apps {

namespace {

namespace relabel = graph::relabel;

std::unique_ptr<graph::format::EdgeInput> stand_in(Session& session, graph::EdgeFacts facts,
                                                   ForeseenNumbering numbering) {
  facts.nodes.reset();
  std::size_t lane_bytes = 0;
  if (const auto& forecast = numbering.forecast) {
    facts.nodes = session.options().rehearse_most_nodes ? forecast->nodes.most : forecast->nodes.likely;
    facts.layout.id_bytes = *facts.nodes <= std::uint64_t{1} << 32 ? 4 : 8;
    facts.generated = facts.generated && !forecast->rows_on_disk;
    lane_bytes = forecast->lane_bytes;
  }
  session.set_numbering(std::move(numbering));
  return open_stand_in({.facts = std::move(facts), .rewindable = true, .lane_memory = [&session, lane_bytes] {
                          return session.environment().memory.reserve_up_to(lane_bytes);
                        }});
}

relabel::NumberingDemand demand(const Session& session, std::uint64_t edges,
                                const graph::EdgeLayout& layout) {
  const CommonOptions& options = session.options();
  return {.edges = edges,
          .layout = layout,
          .most_nodes = options.rehearse_most_nodes,
          .keeps_names = options.keep_names,
          .writes_map = !options.map.empty()};
}

/// Hashes of labels at some places of texts, and the bytes of these labels.
class LabelSample {
 public:
  explicit LabelSample(core::Environment& environment, std::size_t files)
      : environment_(environment), places_(std::max<std::size_t>(1, most_places / files)) {}

  void add_file(core::InputFile& file, const graph::format::LabelColumns& columns) {
    if (graph::format::packing_of(file) != graph::format::Packing::none) {
      std::vector<std::byte> start = graph::format::unpacked_start(environment_, file, packed_start_bytes);
      whole_ = whole_ && start.size() < packed_start_bytes;
      return add(start, start.size(), columns, true);
    }
    const bool all = file.size() <= places_ * place_bytes;
    whole_ = whole_ && all;
    std::vector<std::byte> text(all ? static_cast<std::size_t>(file.size()) : place_bytes);
    const std::uint64_t step = std::max<std::uint64_t>(text.size(), file.size() / places_);
    for (std::uint64_t at = 0; at < file.size(); at += step) {
      add(text, file.read_at(at, text), columns, at == 0);
    }
  }

  /// The number of edges, if all are in the sample.
  std::optional<std::uint64_t> edges() const { return whole_ ? std::optional(lines_) : std::nullopt; }
  std::vector<std::uint64_t> take_hashes() {
    if (!whole_ && step_ == 1) thin_out();
    return std::move(hashes_);
  }
  /// Bytes of a label, on average.
  std::size_t label_bytes() const {
    return lines_ == 0 ? 0 : static_cast<std::size_t>(bytes_ / (2 * lines_) + 1);
  }

 private:
  static constexpr std::size_t place_bytes = 16 * core::KiB;
  static constexpr std::size_t most_places = 512;
  static constexpr std::size_t most_hashes = std::size_t{1} << 20;  // 8 MiB
  static constexpr std::size_t packed_start_bytes =
      64 * core::KiB;  // of a packed file only the start is at hand

  /// `whole`: the text begins with a line.
  void add(std::vector<std::byte>& text, std::size_t size, const graph::format::LabelColumns& columns,
           bool whole) {
    char* at = reinterpret_cast<char*>(text.data());
    char* const end = at + size;
    const auto skip_line = [&] {
      at = std::find(at, end, '\n');
      at += at == end ? 0 : 1;
    };
    if (!whole) skip_line();
    graph::format::LabelLine line;
    while (at != end) {
      char* const before = at;
      const graph::format::LineKind kind = graph::format::parse_label_line(at, end, false, columns, line);
      if (kind == graph::format::LineKind::wrong) {
        at = before;
        skip_line();
      }
      if (kind != graph::format::LineKind::edge) continue;
      const bool taken = lines_++ % step_ == 0;
      for (const std::string_view label : line.labels) {
        bytes_ += label.size();
        if (!taken) continue;
        hashes_.push_back(static_cast<std::uint64_t>(graph::format::label_hash(label, environment_.seed)));
      }
      if (hashes_.size() == most_hashes && step_ == 1) thin_out();
    }
  }

  /// From now on one edge of several is taken; the same holds for those before.
  void thin_out() {
    step_ = relabel::edges_per_sampled;
    std::size_t kept = 0;
    for (std::size_t i = 0; i + 1 < hashes_.size(); i += 2 * step_) {
      hashes_[kept++] = hashes_[i];
      hashes_[kept++] = hashes_[i + 1];
    }
    hashes_.resize(kept);
  }

  core::Environment& environment_;
  const std::size_t places_;
  bool whole_ = true;  ///< all lines are in the sample
  std::uint64_t lines_ = 0;
  std::size_t step_ = 1;               ///< of so many lines one is taken
  std::vector<std::uint64_t> hashes_;  ///< of both ends of each line that is taken
  std::uint64_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<graph::format::EdgeInput> foresee_relabelling(Session& session, const Inputs& inputs,
                                                              graph::format::EdgeInput& edges, IdMap& map) {
  open_id_map(session, map);
  const EdgeEstimate size = declared_estimate(session, inputs, edges);
  ForeseenNumbering numbering{.forecast = std::nullopt,
                              .edges_from = size.edges.from,
                              .reading_nanoseconds = size.reading_nanoseconds,
                              .file_bytes = size.file_bytes};
  graph::EdgeFacts facts = edges.facts();
  facts.edges = size.edges.value;
  if (facts.edges) {
    numbering.forecast = relabel::forecast_relabelling(session.environment(), edges.release(), edges.facts(),
                                                       demand(session, *facts.edges, facts.layout));
  }
  return stand_in(session, std::move(facts), std::move(numbering));
}

std::unique_ptr<graph::format::EdgeInput> foresee_numbered_labels(Session& session, const Inputs& inputs,
                                                                  const graph::format::OpenOptions& open) {
  core::Environment& environment = session.environment();
  graph::format::SharedOptions shared(open, inputs.names().size());
  graph::EdgeFacts facts;
  facts.name = inputs.text();
  facts.edges = 0;
  ForeseenNumbering numbering{.forecast = std::nullopt, .edges_from = "sample", .file_bytes = 0};
  LabelSample sample(environment, inputs.names().size());
  std::size_t lane_bytes = 0;
  for (const std::string& input : inputs.names()) {
    if (graph::format::is_generator(input)) throw core::UsageError(input + ": a generator has no labels");
    core::InputFile file(input, environment.io);
    const graph::format::OpenOptions own = shared.for_file(environment, file);
    auto text = graph::format::open_label_text(environment, std::move(file), own);
    const graph::format::LabelColumns columns = text->columns();
    facts.layout.weight = columns.weight;
    const std::size_t before = environment.memory.used();
    std::vector<std::unique_ptr<graph::format::LabelLane>> lanes;
    for (unsigned i = 0; i < text->lanes(); ++i) lanes.push_back(text->lane());
    lane_bytes = std::max(lane_bytes, environment.memory.used() - before);
    lanes.clear();
    text.reset();  // the sample unpacks the file again
    const std::optional<std::uint64_t> here = estimated_edges(session, input);
    facts.edges = facts.edges && here ? std::optional(*facts.edges + *here) : std::nullopt;
    if (!facts.edges) break;
    core::InputFile again(input, environment.io);
    *numbering.file_bytes += again.size();
    sample.add_file(again, columns);
  }
  if (facts.edges) {
    facts.edges = sample.edges().value_or(*facts.edges);
    relabel::NumberingDemand wanted = demand(session, *facts.edges, facts.layout);
    wanted.lane_bytes = lane_bytes;
    wanted.label_bytes = sample.label_bytes();
    numbering.forecast = relabel::forecast_labels(environment, sample.take_hashes(), wanted);
  } else {
    numbering.edges_from = "unknown";
    numbering.file_bytes.reset();
  }
  return stand_in(session, std::move(facts), std::move(numbering));
}

void add_numbering(const Session& session, graph::Forecast& forecast) {
  if (!session.numbering() || !session.numbering()->forecast) return;
  const relabel::NumberingForecast* const numbering = &*session.numbering()->forecast;
  for (graph::ForecastPhase& phase : forecast.phases) {
    phase.cpu_seconds += graph::seconds_for(core::size_product(phase.input_readings, numbering->edges),
                                            numbering->reading_nanoseconds);
    if (!numbering->rows_on_disk) continue;
    phase.temporary_bytes += core::size_product(phase.input_readings, numbering->kept.expected_bytes);
    phase.input_readings = 0;
  }
  forecast.phases.insert(forecast.phases.begin(), numbering->phases.begin(), numbering->phases.end());
  if (forecast.temporary) {
    core::SpillForecast& space = *forecast.temporary;
    space.add(numbering->kept);
    space.cover(numbering->temporary.most_bytes, numbering->temporary.expected_bytes);
  }
  forecast.notes.emplace_back(
      "the number of nodes is an estimate; what is said to be at most holds for as many as the sample "
      "allows");
}

}  // namespace emgraph::apps
