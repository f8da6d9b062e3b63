// SPDX-License-Identifier: MIT
// Chooses the cheapest method whose data fit in memory.
#include "graph/prepare/relabel/relabel.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/prepare/relabel/dictionary_join.hpp"
#include "graph/prepare/relabel/distinct_ids.hpp"
#include "graph/prepare/relabel/id_estimate.hpp"
#include "graph/prepare/relabel/marked_ids.hpp"
#include "graph/prepare/relabel/relabelled_source.hpp"
#include "graph/prepare/relabel/row_run.hpp"
#include "graph/prepare/relabel/sorted_ids.hpp"

namespace emgraph::graph::relabel {
namespace {

/// The value of an id is the number of ids before it.
class NewNumbers final : public Dictionary {
 public:
  /// `map` (may be null) receives the ids. `asked`: the ids whose numbers are kept.
  NewNumbers(NodeSink<std::uint64_t>* map, std::vector<std::uint64_t> asked)
      : map_(map), asked_(std::move(asked)) {
    std::sort(asked_.begin(), asked_.end());
  }
  std::uint64_t value(std::uint64_t id) override {
    if (std::binary_search(asked_.begin(), asked_.end(), id)) kept_[id] = count_;
    if (map_ != nullptr) {
      ids_.push_back(id);
      if (ids_.size() == batch_ids) flush();
    }
    return count_++;
  }
  void finish() override {
    if (!ids_.empty()) flush();
  }
  std::uint64_t count() const { return count_; }
  /// The number of an id in `asked`, if the id has come.
  std::optional<std::uint64_t> kept(std::uint64_t id) const {
    const auto found = kept_.find(id);
    return found == kept_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  static constexpr std::size_t batch_ids = 4096;
  void flush() {
    map_->append(ids_);
    ids_.clear();
  }

  NodeSink<std::uint64_t>* const map_;
  std::vector<std::uint64_t> asked_;
  std::map<std::uint64_t, std::uint64_t> kept_;
  std::vector<std::uint64_t> ids_;
  std::uint64_t count_ = 0;
};

class Relabeller {
 public:
  Relabeller(core::Environment& environment, std::shared_ptr<format::RecordSource> source,
             const EdgeFacts& facts, const Options& options, NodeSink<std::uint64_t>* map)
      : environment_(environment),
        source_(std::move(source)),
        facts_(facts),
        options_(options),
        map_(map),
        table_bytes_(options.table_bytes > 0 ? options.table_bytes : environment.memory.available() / 4) {}

  template <class Id>
  Relabelled run() {
    if (!source_->rewindable()) {
      foresee({.phases = {"spool edges", "collect ids", "sort ids"}, .edges = facts_.edges});
      source_ = spool(environment_, *source_, facts_, options_.max_lanes);
      facts_ = source_->facts();
    }
    EdgeSource<Id> edges(source_, facts_, 0);
    const IdEstimate ids =
        estimate_ids(environment_.memory, *source_, sizeof(Id), facts_.edges.value_or(options_.likely_edges));
    const Method first = options_.method.value_or(first_method(ids, table_bytes_));
    const bool marks = first == Method::marked;
    const bool sorts = first == Method::sorted ||
                       (marks && !options_.method && method_of_large(ids, table_bytes_) == Method::sorted);
    foresee({.phases = marks   ? std::vector<std::string>{"mark ids"}
                       : sorts ? std::vector<std::string>{"collect ids", "sort ids"}
                               : std::vector<std::string>{"distribute ends", "translate ids", "join edges"},
             .nodes = ids.distinct.likely,
             .edges = facts_.edges});
    if (marks) {
      if (auto ranks = mark<Id>(edges)) {
        return with_ranks(std::move(ranks), Method::marked, "a bit per possible id fits into a part of -M");
      }
      source_->rewind();
    }
    // A wrong estimate costs only time.
    if (sorts) {
      if (auto ranks = sort<Id>(edges)) {
        return with_ranks(std::move(ranks), Method::sorted, "the distinct ids fit into a part of -M");
      }
      source_->rewind();
    }
    if (!may(Method::joined)) {
      throw core::MemoryLimitError(facts_.name + ": " + core::format_size(table_bytes_) +
                                   " do not suffice for its ids, " + std::string(name(*options_.method)));
    }
    return join<Id>();
  }

 private:
  void foresee(const Outlook& outlook) const {
    if (options_.foresee) options_.foresee(outlook);
  }
  bool may(Method method) const { return !options_.method || *options_.method == method; }

  template <class Id>
  std::shared_ptr<const IdRanks> mark(EdgeSource<Id>& edges) {
    auto ids = std::make_shared<MarkedIds>(environment_.memory, MarkedIds::bound(table_bytes_));
    core::Phase phase(environment_.progress, "mark ids", facts_.edges.value_or(0), "edges");
    const prepare::Lanes<Id> lanes = prepare::open_lanes(environment_, edges);
    try {
      edges_ = prepare::ingest(lanes, facts_.name, facts_.nodes, phase,
                               [&](unsigned, std::span<const Edge<Id>> batch) {
                                 if (!ids->mark(batch)) throw prepare::GuessFailed();
                               })
                   .edges;
    } catch (const prepare::GuessFailed&) {
      return nullptr;
    }
    ids->finish();
    return ids;
  }

  template <class Id>
  std::shared_ptr<const IdRanks> sort(EdgeSource<Id>& edges) {
    auto ids = std::make_shared<SortedIds>(environment_.memory, SortedIds::most(table_bytes_));
    bool fits = true;
    edges_ = for_each_distinct(environment_, edges, table_bytes_, [&](std::span<const std::uint64_t> batch) {
               fits = ids->append(batch);
               return fits;
             }).edges;
    if (!fits) return nullptr;
    ids->finish();
    return ids;
  }

  Relabelled with_ranks(std::shared_ptr<const IdRanks> ranks, Method method, const char* reason) {
    if (map_ != nullptr) ranks->write(*map_);
    source_->rewind();
    std::vector<std::optional<std::uint64_t>> asked;
    for (std::uint64_t id : options_.asked) {
      const bool unknown = ranks->replace(std::span(&id, 1)).has_value();
      asked.push_back(unknown ? std::nullopt : std::optional(id));
    }
    EdgeFacts facts = facts_;
    facts.nodes = ranks->size();
    facts.edges = edges_;
    facts.layout.id_bytes = ranks->size() <= std::uint64_t{1} << 32 ? 4 : 8;
    return {std::make_shared<RelabelledSource>(environment_, std::move(source_), std::move(ranks),
                                               std::move(facts), options_.max_lanes),
            method, reason, std::move(asked)};
  }

  template <class Id>
  Relabelled join() {
    NewNumbers numbers(map_, options_.asked);
    const auto edges = edges_ ? edges_ : facts_.edges;
    Joined joined = DictionaryJoin<Id>(environment_, source_, facts_, edges, numbers).run();
    source_.reset();
    EdgeFacts facts = facts_;
    facts.nodes = numbers.count();
    facts.edges = joined.edges;
    facts.layout = joined.layout;
    facts.generated = false;
    std::vector<std::optional<std::uint64_t>> asked;
    for (const std::uint64_t id : options_.asked) asked.push_back(numbers.kept(id));
    return {std::make_shared<RowRunSource>(environment_, std::move(facts), std::move(joined.rows),
                                           options_.max_lanes),
            Method::joined, "the distinct ids do not fit into a part of -M", std::move(asked)};
  }

  core::Environment& environment_;
  std::shared_ptr<format::RecordSource> source_;
  EdgeFacts facts_;
  const Options options_;
  NodeSink<std::uint64_t>* const map_;
  const std::size_t table_bytes_;
  std::optional<std::uint64_t> edges_;  ///< set when they have been read
};

}  // namespace

Relabelled relabel(core::Environment& environment, std::shared_ptr<format::RecordSource> source,
                   const EdgeFacts& facts, const Options& options, NodeSink<std::uint64_t>* map) {
  Relabeller relabeller(environment, std::move(source), facts, options, map);
  if (facts.layout.id_bytes == 4) return relabeller.run<std::uint32_t>();
  return relabeller.run<std::uint64_t>();
}

}  // namespace emgraph::graph::relabel
