// SPDX-License-Identifier: MIT
// A shared counter assigns ranges of edge numbers to lanes; models generate any range of edges.
#include "graph/format/source/generator_source.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/source/laned_source.hpp"
#include "graph/generate/model_text.hpp"

namespace emgraph::graph::format {
namespace {

/// Bytes of a batch, so small that it stays in the second-level cache until the consumer has read it.
constexpr std::size_t batch_bytes = 128 * core::KiB;
constexpr std::uint64_t generator_sample_places = 256;

struct Parsed {
  generate::ModelSpec spec;
  generate::Model model;
};

Parsed parse(const std::string& text) {
  try {
    const generate::ModelSpec spec = generate::parse_model_text(text);
    return {spec, generate::make_model(spec)};
  } catch (const std::invalid_argument& error) {
    throw core::UsageError("gen:" + text + ": " + error.what());
  }
}

}  // namespace

class GeneratorSource::Lane final : public WorkingLane {
 public:
  Lane(GeneratorSource& source, const core::PairShape& shape)
      : source_(source),
        shape_(shape),
        batch_edges_(batch_bytes / shape.row_bytes),
        buffer_(source.environment_.memory, batch_edges_ * shape.row_bytes, "generated edges") {}

  RecordBatch next() override {
    const std::uint64_t edges = *source_.facts_.edges;
    // The counter is increased only while edges are left, so it cannot overflow.
    if (source_.next_edge_.load(std::memory_order_relaxed) >= edges) return {};
    const std::uint64_t first = source_.next_edge_.fetch_add(batch_edges_, std::memory_order_relaxed);
    if (first >= edges) return {};
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(batch_edges_, edges - first));
    source_.fill(first, shape_, buffer_.data(), count);
    first_edge_ = first;
    return {buffer_.data(), count};
  }

 private:
  GeneratorSource& source_;
  const core::PairShape shape_;
  const std::size_t batch_edges_;
  core::Buffer buffer_;
};

GeneratorSource::GeneratorSource(core::Environment& environment, const std::string& text,
                                 std::size_t id_bytes, unsigned max_lanes)
    : LanedSource(environment), model_(generate::RandomModel(0, 0, 0)) {
  const Parsed parsed = parse(text);
  model_ = parsed.model;
  attachments_ = parsed.spec.attachments;
  seed_ = parsed.spec.seed;
  set_facts(id_bytes);
  open_lanes(max_lanes, batch_bytes);
}

GeneratorSource::GeneratorSource(core::Environment& environment, generate::Model model,
                                 const generate::AttachmentSpec& attachments, std::uint64_t seed,
                                 std::size_t id_bytes, unsigned max_lanes)
    : LanedSource(environment), model_(std::move(model)), attachments_(attachments), seed_(seed) {
  set_facts(id_bytes);
  open_lanes(max_lanes, batch_bytes);
}

void GeneratorSource::set_facts(std::size_t id_bytes) {
  const generate::ModelFacts model = generate::facts(model_);
  const bool wide = model.nodes > std::uint64_t{1} << 32;
  if (wide && id_bytes == 4) {
    throw core::UsageError("gen:" + model.name + ": " + core::format_count(model.nodes) +
                           " nodes need ids of 8 bytes");
  }
  facts_.layout.id_bytes = wide ? 8 : id_bytes == 0 ? 4 : id_bytes;
  facts_.layout.weight = attachments_.weights         ? WeightType::u32
                         : attachments_.model_weights ? WeightType::f32
                                                      : WeightType::none;
  facts_.layout.payload_bytes = attachments_.payload_bytes;
  facts_.nodes = model.nodes;
  facts_.edges = model.edges;
  facts_.order = model.sorted_by_source_target ? EdgeOrder::source_target : EdgeOrder::none;
  facts_.unique = model.unique;
  facts_.no_loops = model.no_loops;
  facts_.oriented_low = model.oriented_low;
  facts_.generated = true;
  facts_.name = "gen:" + model.name + "," + model.parameters;
}

std::unique_ptr<WorkingLane> GeneratorSource::make_lane(const core::PairShape& shape) {
  return std::make_unique<Lane>(*this, shape);
}

std::vector<std::byte> GeneratorSource::sample(const core::PairShape& shape, std::size_t count) {
  const std::uint64_t edges = *facts_.edges;
  const std::uint64_t place_edges = std::max<std::uint64_t>(1, count / generator_sample_places);
  const SamplePlan plan =
      plan_sample((edges + place_edges - 1) / place_edges, generator_sample_places, count, environment_.seed);
  std::vector<std::byte> records;
  for (const std::uint64_t place : plan.places) {
    const std::uint64_t first = place * place_edges;
    const auto take = static_cast<std::size_t>(std::min(place_edges, edges - first));
    const std::size_t end = records.size();
    records.resize(end + take * shape.row_bytes);
    fill(first, shape, records.data() + end, take);
  }
  return records;
}

void GeneratorSource::fill(std::uint64_t first_edge, const core::PairShape& shape, std::byte* out,
                           std::size_t count) const {
  // What does not fit is left out: the payload first, then the weight.
  generate::AttachmentSpec attachments = attachments_;
  if (attachments.bytes() > shape.attachment_bytes) attachments.payload_bytes = 0;
  if (attachments.bytes() > shape.attachment_bytes) attachments = {};
  generate::fill_records(model_, attachments, seed_, first_edge, shape, out, count);
}

}  // namespace emgraph::graph::format
