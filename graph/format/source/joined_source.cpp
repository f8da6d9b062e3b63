// SPDX-License-Identifier: MIT
// Opens parts to learn their facts and the memory of their lanes, then reads one after another.
#include "graph/format/source/joined_source.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/format/source/laned_source.hpp"
#include "graph/format/table/weight_names.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::uint64_t sampled_parts = 32;

std::string attachment_text(const EdgeFacts& facts) {
  const bool weighted = facts.layout.weight != WeightType::none;
  std::string text = weighted ? "weights " + std::string(weight_name(facts.layout.weight)) : "no weights";
  if (facts.layout.payload_bytes != 0) {
    text += " and " + std::to_string(facts.layout.payload_bytes) + " bytes of payload";
  }
  return facts.name + " has " + text;
}

bool same_attachments(const EdgeFacts& first, const EdgeFacts& other) {
  return first.layout.weight == other.layout.weight &&
         first.layout.payload_bytes == other.layout.payload_bytes;
}

void check_attachments(const EdgeFacts& first, const EdgeFacts& other) {
  if (same_attachments(first, other)) return;
  throw core::UsageError(attachment_text(first) + ", " + attachment_text(other) +
                         ": the edges of one graph need the same (of text, --cols 1,2,3 takes weights and "
                         "--weight-type says their type)");
}

std::optional<std::uint64_t> most_edges(const EdgeFacts& facts) {
  return facts.edges ? facts.edges : facts.most_edges;
}

}  // namespace

class JoinedSource::Lane final : public RecordLane {
 public:
  Lane(JoinedSource& source, const core::PairShape& shape)
      : source_(source), shape_(shape), reading_(source.readings_) {}
  ~Lane() override {
    lane_.reset();
    part_.reset();
    source_.leave();
  }

  RecordBatch next() override {
    if (reading_ != source_.readings_) start_again();
    while (!ended_) {
      if (lane_ == nullptr && !enter()) break;
      const RecordBatch batch = lane_->next();
      if (batch.count != 0) {
        first_edge_ = part_->first_edge + lane_->first_edge();
        return batch;
      }
      // Without a count another lane has failed.
      const std::optional<std::uint64_t> edges = part_->source->edges_read();
      ended_ = !edges.has_value();
      next_edge_ = part_->first_edge + edges.value_or(0);
      next_part_ = part_->number + 1;
      lane_.reset();
      part_.reset();
    }
    return {};
  }
  std::uint64_t first_edge() const override { return first_edge_; }
  bool holds_edges() const override { return lane_ != nullptr && lane_->holds_edges(); }
  BatchPlace place() const override {
    if (lane_ == nullptr) return {nullptr, first_edge_};
    return {&part_->source->facts().name, lane_->first_edge()};
  }

 private:
  void start_again() {
    lane_.reset();
    part_.reset();
    reading_ = source_.readings_;
    next_part_ = 0;
    next_edge_ = 0;
    ended_ = false;
  }

  bool enter() {
    part_ = source_.enter(next_part_, next_edge_);
    if (part_ != nullptr) lane_ = part_->source->lane(shape_);
    ended_ = part_ == nullptr || lane_->idle();
    return !ended_;
  }

  JoinedSource& source_;
  const core::PairShape shape_;
  std::uint64_t reading_;
  std::shared_ptr<const OpenPart> part_;
  std::unique_ptr<RecordLane> lane_;  // of part_
  std::size_t next_part_ = 0;
  std::uint64_t next_edge_ = 0;
  std::uint64_t first_edge_ = 0;
  bool ended_ = false;
};

JoinedSource::JoinedSource(core::Environment& environment, std::size_t parts, Open open,
                           core::FunctionRef<void()> ids_of_8_bytes, unsigned max_lanes,
                           bool weights_may_differ)
    : environment_(environment),
      budget_(environment.memory.available(), environment.memory.huge_pages().choice()),
      parts_environment_{
          budget_,           environment.blocks,  environment.io,  environment.progress, environment.outputs,
          environment.spill, environment.threads, environment.seed},
      open_(std::move(open)),
      max_lanes_(std::max(max_lanes, 1U)) {
  std::size_t most_open = 0;
  std::size_t most_left = 0;  // while the lanes of the next part are at work
  bool narrow = false;
  bool wide = false;
  for (std::size_t number = 0; number < parts; ++number) {
    const std::size_t before = budget_.used();
    Part part = open_(parts_environment_, number);
    in_pieces_ = in_pieces_ || part.source->in_pieces();
    parts_.push_back({part.source->facts(), part.reopenable ? nullptr : part.source});
    if (part.reopenable) {
      most_open = std::max(most_open, budget_.used() - before);
      part.source->let_go();
      most_left = std::max(most_left, budget_.used() - before);
    }
    (parts_.back().facts.layout.id_bytes == 4 ? narrow : wide) = true;
  }
  if (narrow && wide) ids_of_8_bytes();
  join_facts(weights_may_differ);
  opened_ = environment.memory.reserve(budget_.used() + most_open + most_left, "open inputs");
}

void JoinedSource::join_facts(bool weights_may_differ) {
  const EdgeFacts& first = parts_.front().facts;
  facts_ = first;
  facts_.order = EdgeOrder::none;
  facts_.unique = false;
  facts_.edges = 0;
  std::optional<std::uint64_t> most = 0;
  std::vector<std::string> names;
  bool all_declare = true;
  for (const auto& [facts, kept] : parts_) {
    if (!weights_may_differ) check_attachments(first, facts);
    if (!same_attachments(first, facts)) {
      facts_.layout.weight = WeightType::none;
      facts_.layout.payload_bytes = 0;
    }
    facts_.layout.id_bytes = std::max(facts_.layout.id_bytes, facts.layout.id_bytes);
    all_declare = all_declare && facts.nodes.has_value();
    if (facts.nodes) least_nodes_ = std::max(least_nodes_.value_or(0), *facts.nodes);
    facts_.edges = facts_.edges && facts.edges ? std::optional(core::size_sum(*facts_.edges, *facts.edges))
                                               : std::nullopt;
    most =
        most && most_edges(facts) ? std::optional(core::size_sum(*most, *most_edges(facts))) : std::nullopt;
    facts_.directed = facts_.directed && facts.directed;
    facts_.undirected = facts_.undirected || facts.undirected;
    facts_.no_loops = facts_.no_loops && facts.no_loops;
    facts_.oriented_low = facts_.oriented_low && facts.oriented_low;
    facts_.symmetric = facts_.symmetric && facts.symmetric;
    facts_.generated = facts_.generated && facts.generated;
    names.push_back(facts.name);
  }
  facts_.nodes = all_declare ? least_nodes_ : std::nullopt;
  if (all_declare) least_nodes_ = std::nullopt;
  facts_.most_edges = facts_.edges ? std::nullopt : most;
  facts_.name = joined_name(names);
}

std::vector<EdgeFacts> JoinedSource::part_facts() const {
  std::vector<EdgeFacts> facts;
  for (const Known& part : parts_) facts.push_back(part.facts);
  return facts;
}

std::shared_ptr<RecordSource> JoinedSource::open_part(std::size_t number) {
  const Known& part = parts_[number];
  if (part.kept != nullptr) return part.kept;
  auto source = open_(parts_environment_, number).source;
  check_attachments(part.facts, source->facts());
  return source;
}

void JoinedSource::reserve_lanes(const core::PairShape& shape) {
  if (measured_shape_ == shape) {
    lanes_ = environment_.memory.reserve(lane_bytes_, "reading inputs");
    return;
  }
  // Two parts may be read at the same time. Then both have what their lanes share, and together they have as
  // many lanes as one part.
  std::size_t most = 0;
  std::size_t most_shared = 0;
  for (std::size_t number = 0; number < parts_.size(); ++number) {
    const auto source = open_part(number);
    const std::size_t before = budget_.used();
    std::vector<std::unique_ptr<RecordLane>> lanes;
    lanes.push_back(source->lane(shape));
    const std::size_t first = budget_.used() - before;
    if (max_lanes_ > 1) {
      lanes.push_back(source->lane(shape));
      const std::size_t second = budget_.used() - before - first;
      if (second > 0) most_shared = std::max(most_shared, first - std::min(first, second));
    }
    while (lanes.size() < max_lanes_ && !lanes.back()->idle()) lanes.push_back(source->lane(shape));
    most = std::max(most, budget_.used() - before);
  }
  measured_shape_ = shape;
  lane_bytes_ = most + most_shared;
  lanes_ = environment_.memory.reserve(lane_bytes_, "reading inputs");
}

std::unique_ptr<RecordLane> JoinedSource::lane(const core::PairShape& shape) {
  const std::lock_guard lock(mutex_);
  if (lane_count_ == max_lanes_) throw std::logic_error("more lanes at a time than OpenOptions::max_lanes");
  if (lane_count_ == 0) reserve_lanes(shape);
  auto lane = std::make_unique<Lane>(*this, shape);
  ++lane_count_;
  return lane;
}

void JoinedSource::leave() noexcept {
  const std::lock_guard lock(mutex_);
  if (--lane_count_ == 0) lanes_.release();
}

std::shared_ptr<const JoinedSource::OpenPart> JoinedSource::enter(std::size_t number,
                                                                  std::uint64_t first_edge) {
  const std::lock_guard lock(mutex_);
  if (current_ != nullptr && current_->number >= number) return current_;
  // Other lanes may still hold edges of the part that ends.
  if (current_ != nullptr) current_->source->let_go();
  if (number == parts_.size()) return nullptr;
  current_.reset();
  current_ = std::make_shared<OpenPart>(OpenPart{number, first_edge, open_part(number)});
  return current_;
}

bool JoinedSource::rewindable() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const Known& part) { return part.kept == nullptr; });
}

void JoinedSource::rewind() {
  if (!rewindable()) throw std::logic_error("a pipe cannot be read again");
  const std::lock_guard lock(mutex_);
  current_.reset();
  ++readings_;
}

std::vector<std::byte> JoinedSource::sample(const core::PairShape& shape, std::size_t count) {
  std::vector<std::byte> records;
  if (!rewindable()) return records;
  const SamplePlan plan = plan_sample(parts_.size(), sampled_parts, count, environment_.seed);
  double all = 0;
  const auto size = [&](std::uint64_t part) {
    return static_cast<double>(most_edges(parts_[part].facts).value_or(1));
  };
  for (const std::uint64_t part : plan.places) all += size(part);
  for (const std::uint64_t part : plan.places) {
    const double share = all > 0 ? size(part) / all : 0;
    const auto wanted = static_cast<std::size_t>(share * static_cast<double>(count)) + 1;
    const std::vector<std::byte> here = open_part(part)->sample(shape, wanted);
    records.insert(records.end(), here.begin(), here.end());
  }
  return records;
}

std::string joined_name(const std::vector<std::string>& names) {
  constexpr std::size_t most_shown = 3;
  const std::size_t shown = names.size() <= most_shown ? names.size() : most_shown - 1;
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text.append(i == 0 ? "" : ", ").append(names[i]);
  if (shown < names.size()) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

}  // namespace emgraph::graph::format
