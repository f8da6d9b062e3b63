// SPDX-License-Identifier: MIT
// Adjacencies and searches that a checkpoint keeps.
#include "graph/prepare/adjacency/kept_search.hpp"

#include <utility>

#include "core/base/bytes.hpp"
#include "graph/edge_weights.hpp"
#include "graph/prepare/adjacency/checked_source.hpp"
#include "graph/prepare/sort.hpp"
#include "graph/prepare/sort_keeper.hpp"

namespace emgraph::graph::adjacency {
namespace {

// States of the sort do not begin so.
constexpr std::uint64_t search_mark = 0x6863726165736d65;  // "emsearch"

/// True if the adjacency was complete when the earlier run sealed its state.
bool searching(const core::Checkpoint& checkpoint) {
  if (!checkpoint.has_state()) return false;
  core::JournalReader journal(checkpoint.file("emgraph.journal"));
  return journal.value<std::uint64_t>() == search_mark;
}

}  // namespace

template <class Id>
KeptSearch<Id>::KeptSearch(core::Environment& environment, EdgeSource<Id>& source,
                           const BuildOptions& options)
    : environment_(environment), checkpoint_(*environment.checkpoint) {
  if (!searching(checkpoint_)) {
    BuiltPages<Id> built = build(source, options);
    own_ = std::move(built.adjacency);
    edges_ = built.edges;
    if (checkpoint_.due(0.25)) seal("the adjacency is built", false, [](core::StateWriter&) {});
    return;
  }
  restore();
  own_ = PagedAdjacency<Id>::restored(environment_, *checkpoint_.read_state_file(file_));
}

template <class Id>
KeptSearch<Id>::KeptSearch(core::Environment& environment, PagedAdjacency<Id>& file)
    : environment_(environment), checkpoint_(*environment.checkpoint), from_file_(&file) {
  edges_ = file.facts().entries;
  if (searching(checkpoint_)) restore();
}

template <class Id>
void KeptSearch<Id>::seal(const std::string& done, bool search_began,
                          core::FunctionRef<void(core::StateWriter&)> save) {
  if (own_ != nullptr && file_.number == 0) {
    file_ = checkpoint_.write_state_file([&](core::StateWriter& to) { own_->save(to); });
  }
  checkpoint_.seal(done, [&](core::StateWriter& to) {
    to.value(search_mark);
    to.value(edges_);
    to.value(file_);
    to.value(search_began);
    save(to);
  });
}

template <class Id>
void KeptSearch<Id>::restore() {
  state_ = checkpoint_.take_state();
  state_->value<std::uint64_t>();
  edges_ = state_->value<std::uint64_t>();
  file_ = state_->value<core::StateFile>();
  if (!state_->value<bool>()) state_.reset();
}

template <class Id>
BuiltPages<Id> KeptSearch<Id>::build(EdgeSource<Id>& source, const BuildOptions& options) {
  const EdgeFacts& facts = source.facts();
  const WeightType weight =
      options.weighting ? options.weighting->type(facts.layout.weight) : WeightType::none;
  const bool both = both_directions(facts, options.directed, options.weighting);
  PageAppender<Id> pages(environment_, options.page_bytes, 0,
                         core::size_product(facts.edges.value_or(0), both ? 2 : 1), weight);
  return streams_in_order(facts, options.directed, options.weighting) ? filter(source, options, pages)
                                                                      : sort(source, options, pages);
}

template <class Id>
BuiltPages<Id> KeptSearch<Id>::sort(EdgeSource<Id>& source, const BuildOptions& options,
                                    PageAppender<Id>& pages) {
  const std::unique_ptr<core::JournalReader> state = checkpoint_.take_state();
  if (state != nullptr) pages.restore(*state);
  prepare::SortKeeper keeper(checkpoint_, {.head = [&](core::StateWriter& to) { pages.save(to); },
                                           .state = state.get(),
                                           .phase = "adjacency",
                                           .kept_part = 0.25});
  const StreamOptions stream = {.directed = options.directed,
                                .nodes = options.nodes,
                                .weighting = options.weighting,
                                .limits = options.limits,
                                .keeper = &keeper};
  const prepare::IngestFacts read = pages.append_all(source, stream);
  keeper.finish();
  return {pages.finish(read.nodes(known_nodes(options.nodes, source.facts())), options.directed), read.edges};
}

template <class Id>
BuiltPages<Id> KeptSearch<Id>::filter(EdgeSource<Id>& source, const BuildOptions& options,
                                      PageAppender<Id>& pages) {
  const prepare::KeptOutput kept{.save = [&](core::StateWriter& to) { pages.save(to); },
                                 .restore = [&](core::StateReader& from) { pages.restore(from); }};
  const prepare::SortOptions sort{.order = EdgeOrder::source_target,
                                  .unique = true,
                                  .symmetrize = !options.directed,
                                  .no_loops = true,
                                  .nodes = options.nodes};
  const auto push_all = [&](EdgeSource<Id>& edges, const prepare::RecordConsumer& push) {
    const prepare::SortResult result = prepare::sort(environment_, edges, sort, push, &kept);
    return BuiltPages<Id>{pages.finish(result.nodes, options.directed), result.edges};
  };
  const auto edges_of = [](const core::PairShape& shape, const RecordBatch& batch) {
    return EdgeBatch<Id>(batch.records, batch.count, shape.row_bytes);
  };
  if (!options.weighting) {
    return push_all(source, [&](const core::PairShape& shape, const RecordBatch& batch) {
      for (const Edge<Id>& edge : edges_of(shape, batch)) pages.push(edge.source, edge.target);
    });
  }
  const EdgeWeights weights(*options.weighting, source.facts().layout.weight);
  EdgeSource<Id> checked(std::make_shared<CheckedSource<Id>>(source, weights, options.limits), source.facts(),
                         source.attachment_bytes());
  return weights.with_bits([&](const auto& bits_of) {
    return push_all(checked, [&](const core::PairShape& shape, const RecordBatch& batch) {
      for (const Edge<Id>& edge : edges_of(shape, batch)) {
        pages.push(edge.source, edge.target, bits_of(edge));
      }
    });
  });
}

template class KeptSearch<std::uint32_t>;
template class KeptSearch<std::uint64_t>;

}  // namespace emgraph::graph::adjacency
