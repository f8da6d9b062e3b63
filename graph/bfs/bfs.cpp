// SPDX-License-Identifier: MIT
// Builds the adjacency, chooses the model, then searches from one root after another.
#include "graph/bfs/bfs.hpp"

#include <memory>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/bfs/build.hpp"
#include "graph/bfs/choice.hpp"
#include "graph/bfs/external.hpp"
#include "graph/bfs/near_levels.hpp"
#include "graph/bfs/page_expansion.hpp"
#include "graph/bfs/row_expansion.hpp"
#include "graph/edge_facts.hpp"
#include "graph/prepare/adjacency/kept_search.hpp"
#include "graph/prepare/remade.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::graph::bfs {
namespace {

std::string levels_text(std::uint64_t levels, const char* how) {
  return core::format_count(levels) + (levels == 1 ? " level " : " levels ") + how;
}

template <class Id, class Offset>
std::string method(const RowExpansion<Id, Offset>& rows) {
  return levels_text(rows.levels_from_above(), "from above, ") +
         core::format_count(rows.levels_from_below()) + " from below";
}

template <class Id>
std::string method(const PageExpansion<Id>& pages) {
  return levels_text(pages.levels_by_page(), "by page, ") +
         core::format_count(pages.scans_from_above() + pages.scans_from_below()) + " by scans, " +
         core::format_count(pages.scans_from_below()) + " of them from below";
}

/// True for searches on pages, whose state can be sealed.
template <class Expansion>
constexpr bool can_be_saved = requires(const Expansion& expansion, core::StateWriter& to) {
  expansion.save(to);
};

/// The arguments that the searches of one run share.
template <class Id>
class Searches {
 public:
  /// `kept`: null without a checkpoint. Requires: with one, at most one root.
  Searches(core::Environment& environment, const Options& options, Outputs<Id>* outputs,
           adjacency::KeptSearch<Id>* kept = nullptr)
      : environment_(environment), options_(options), outputs_(outputs), kept_(kept) {
    if (kept_ != nullptr) saved_ = kept_->take_state();
    if (saved_ != nullptr) method_ = saved_->template value<SavedSearch>();
  }

  /// The choice, but an external search that has begun goes on as it is. A search that was begun by another
  /// model, whose memory is not free now, begins again.
  ModelChoice choose_model(const Demand& demand) {
    ModelChoice choice = choose(demand, options_);
    if (saved_ == nullptr) return choice;
    if (method_ == SavedSearch::external && choice.model != MemoryModel::external) {
      choice = {MemoryModel::external, "it was begun with less memory"};
    } else if (method_ == SavedSearch::pages && choice.model == MemoryModel::external) {
      saved_.reset();
    }
    return choice;
  }

  Demand demand(const std::optional<std::uint64_t>& nodes, const std::optional<std::uint64_t>& entries,
                bool built) const {
    return {.nodes = nodes,
            .entries = entries,
            .id_bytes = sizeof(Id),
            .levels = outputs_ != nullptr && outputs_->wants_levels(),
            .parents = outputs_ != nullptr && outputs_->wants_parents(),
            .built = built,
            .threads = environment_.threads,
            .memory_bytes = environment_.memory.available()};
  }

  /// The search goes on behind these levels. Requires: one root; their far edges have been read.
  void go_on_behind(std::unique_ptr<NearLevels<Id>> near) { near_ = std::move(near); }

  /// Searches from all roots. Requires: all numbers of `demand` are known.
  template <class Expansion>
  void run(const adjacency::AdjacencyFacts& facts, const Demand& demand, Expansion& expansion,
           Result& result) {
    check_roots(options_, facts.nodes);
    for (const std::uint64_t root : roots(facts)) {
      result.traversals.push_back(search(facts, demand, expansion, static_cast<Id>(root)));
    }
  }

  /// The same in the external model.
  void run_external(adjacency::PagedAdjacency<Id>& graph, Result& result) {
    const std::uint64_t nodes = graph.facts().nodes;
    for (const std::uint64_t root : roots(graph.facts())) {
      NodeSink<std::uint32_t>* levels = nullptr;
      NodeSink<Id>* parents = nullptr;
      if (outputs_ != nullptr && outputs_->wants_levels()) levels = &outputs_->open_levels(root, nodes);
      if (outputs_ != nullptr && outputs_->wants_parents()) parents = &outputs_->open_parents(root, nodes);
      ExternalResult found = search_external(environment_, graph, static_cast<Id>(root), {}, levels, parents,
                                             kept_, saved_.get());
      if (levels != nullptr || parents != nullptr) outputs_->close();
      result.traversals.push_back({.root = root,
                                   .reached = found.reached,
                                   .levels = found.levels,
                                   .nodes_per_level = std::move(found.nodes_per_level),
                                   .method = std::move(found.method)});
    }
  }

 private:
  std::vector<std::uint64_t> roots(const adjacency::AdjacencyFacts& facts) const {
    if (near_ != nullptr) return {near_->root()};
    return options_.roots.empty() ? std::vector{facts.largest_degree_node} : options_.roots;
  }

  template <class Expansion>
  Traversal search(const adjacency::AdjacencyFacts& facts, const Demand& demand, Expansion& expansion,
                   Id root) {
    NodeSink<std::uint32_t>* level_sink = nullptr;
    NodeSink<Id>* parent_sink = nullptr;
    std::unique_ptr<NodeValues<std::uint32_t>> levels;
    std::unique_ptr<NodeValues<Id>> parents;
    const bool in_memory = outputs_in_memory(demand);
    const std::size_t sort_bytes = in_memory ? 0 : output_sort_bytes(demand);
    const auto values = [&]<class Value>(std::unique_ptr<NodeValues<Value>>& made, const char* what) {
      const unsigned threads = environment_.threads;
      made = saved_ != nullptr ? std::make_unique<NodeValues<Value>>(environment_, facts.nodes, threads,
                                                                     in_memory, sort_bytes, what, *saved_)
                               : std::make_unique<NodeValues<Value>>(environment_, facts.nodes, threads,
                                                                     in_memory, sort_bytes, what);
    };
    if (demand.levels) {
      level_sink = &outputs_->open_levels(root, facts.nodes);
      values(levels, "a level per node");
    }
    if (demand.parents) {
      parent_sink = &outputs_->open_parents(root, facts.nodes);
      values(parents, "a parent per node");
    }
    Traversal found;
    found.root = root;
    {
      SearchState<Id> state(environment_, facts.nodes, levels.get(), parents.get());
      core::Phase phase(environment_.progress, "search", facts.nodes, "nodes");
      expansion.start();
      const bool begun = saved_ != nullptr;
      if constexpr (can_be_saved<Expansion>) {
        if (begun) restore(found, state, expansion);
      }
      if (near_ != nullptr) {
        start_behind_near_levels(found, state);
      } else if (!begun) {
        state.start(root);
      }
      phase.advance(state.reached() - state.size());
      for (; state.size() > 0; state.end_level(found.levels)) {
        if constexpr (can_be_saved<Expansion>) {
          if (kept_ != nullptr && kept_->due()) seal(found, state, expansion, levels.get(), parents.get());
        } else if (environment_.checkpoint != nullptr) {
          environment_.checkpoint->stop_if_asked();
        }
        if (found.nodes_per_level.size() < most_counted_levels) found.nodes_per_level.push_back(state.size());
        phase.advance(state.size());
        expansion.expand(state);
        ++found.levels;
      }
      found.reached = state.reached();
      found.method += method(expansion);
      expansion.finish();
    }
    if (levels || parents) {
      core::Phase phase(environment_.progress, "write", 0, "nodes");
      if (levels) levels->finish(*level_sink);
      levels.reset();
      if (parents) parents->finish(*parent_sink);
      outputs_->close();
    }
    return found;
  }

  [[gnu::cold]] void start_behind_near_levels(Traversal& found, SearchState<Id>& state) {
    if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
      state.start(*near_);
      found.levels = near_->levels();
      found.nodes_per_level = near_->nodes_per_level();
      found.method = levels_text(found.levels, "by readings of all edges, ");
      near_.reset();
    }
  }
  template <class Expansion>
  void seal(const Traversal& found, const SearchState<Id>& state, const Expansion& expansion,
            NodeValues<std::uint32_t>* levels, NodeValues<Id>* parents) {
    kept_->seal(levels_done(found.levels, state.reached()), [&](core::StateWriter& to) {
      to.value(SavedSearch::pages);
      if (levels != nullptr) levels->save(to);
      if (parents != nullptr) parents->save(to);
      to.value(found.levels);
      to.value(static_cast<std::uint64_t>(found.nodes_per_level.size()));
      to.array(std::span<const std::uint64_t>(found.nodes_per_level));
      expansion.save(to);
      state.save(to);
    });
  }
  template <class Expansion>
  void restore(Traversal& found, SearchState<Id>& state, Expansion& expansion) {
    found.levels = saved_->template value<std::uint64_t>();
    found.nodes_per_level.resize(static_cast<std::size_t>(saved_->template value<std::uint64_t>()));
    saved_->array(std::span(found.nodes_per_level));
    expansion.restore(*saved_);
    state.restore(*saved_);
    saved_.reset();
  }

  core::Environment& environment_;
  const Options& options_;
  Outputs<Id>* const outputs_;
  adjacency::KeptSearch<Id>* const kept_;
  std::unique_ptr<core::JournalReader> saved_;  ///< of an earlier run
  SavedSearch method_ = SavedSearch::pages;     ///< of saved_
  std::unique_ptr<NearLevels<Id>> near_;        ///< null: the search starts at the root
};

/// Searches on rows.
template <class Id, class Offset>
void run_on_rows(const adjacency::Csr<Id, Offset>& rows, bool ascending, Searches<Id>& searches,
                 Result& result) {
  // The rows are made; the free memory is for the nodes.
  const Demand demand = searches.demand(rows.nodes(), std::uint64_t{0}, true);
  RowExpansion<Id, Offset> expansion(rows, ascending || !demand.parents);
  searches.run(rows.facts(), demand, expansion, result);
}

template <class Id>
void load(core::Environment& environment, PageExpansion<Id>& expansion) {
  const core::Phase phase(environment.progress, "load adjacency", 0, "pages");
  expansion.load();
}

/// Searches on pages; unpacks them to rows first if the model is internal and that saves time.
template <class Id>
void run_on_pages(core::Environment& environment, adjacency::PagedAdjacency<Id>& pages,
                  const Options& options, Searches<Id>& searches, Result& result) {
  const adjacency::AdjacencyFacts& facts = pages.facts();
  check_roots(options, facts.nodes);  // reports a wrong root before anything is read
  const Demand demand = searches.demand(facts.nodes, facts.entries, true);
  result.choice = searches.choose_model(demand);
  switch (result.choice.model) {
    case MemoryModel::internal:
      if (!wants_rows(options)) {
        PageExpansion<Id> expansion(environment, pages);
        load(environment, expansion);
        return searches.run(facts, demand, expansion, result);
      }
      if (adjacency::Csr<Id, std::uint32_t>::fits(facts.entries)) {
        const auto rows = adjacency::unpack<Id, std::uint32_t>(environment, pages);
        return run_on_rows(*rows, true, searches, result);
      } else {
        const auto rows = adjacency::unpack<Id, std::uint64_t>(environment, pages);
        return run_on_rows(*rows, true, searches, result);
      }
    case MemoryModel::external:
      return searches.run_external(pages, result);
    default: {
      PageExpansion<Id> expansion(environment, pages);
      searches.run(facts, demand, expansion, result);
    }
  }
}

/// Goes on behind these levels with an adjacency of the far edges.
template <class Id>
[[gnu::cold]] Result run_behind(core::Environment& environment, std::unique_ptr<NearLevels<Id>> near,
                                const EdgeFacts& facts, const Options& options, const Demand& asked,
                                Searches<Id>& searches) {
  Result result;
  result.nodes = near->nodes();
  result.edges = near->read().edges;
  if (asked.levels || asked.parents) require_justified(facts, options.nodes, result.nodes, result.edges);
  std::unique_ptr<adjacency::PagedAdjacency<Id>> pages;
  {
    EdgeSource<Id> far = near->far_edges();
    const bool both = adjacency::both_directions(far.facts(), options.directed);
    const std::uint64_t expected = near->far_edges_expected();
    const Demand demand = searches.demand(result.nodes, core::size_product(expected, both ? 2 : 1), false);
    pages = adjacency::build_pages(environment, far,
                                   {.directed = options.directed,
                                    .nodes = result.nodes,
                                    .resident_bytes = resident_bytes(demand),
                                    .edges = expected})
                .adjacency;
  }
  searches.go_on_behind(std::move(near));
  const Demand built = searches.demand(result.nodes, pages->facts().entries, true);
  PageExpansion<Id> expansion(environment, *pages);
  if (needs(built).internal <= built.memory_bytes) load(environment, expansion);
  searches.run(pages->facts(), built, expansion, result);
  result.choice = {MemoryModel::semi_external,
                   options.model == MemoryModel::automatic
                       ? "most edges lead to the first levels of the search, and are not kept"
                       : "as asked"};
  return result;
}

template <class Id>
Result run_kept(core::Environment& environment, adjacency::KeptSearch<Id>& kept, const Options& options,
                Outputs<Id>* outputs) {
  Result result;
  result.nodes = kept.adjacency().facts().nodes;
  result.edges = kept.edges();
  Searches<Id> searches(environment, options, outputs, &kept);
  run_on_pages(environment, kept.adjacency(), options, searches, result);
  return result;
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           Outputs<Id>* outputs) {
  const EdgeFacts& facts = edges.facts();
  const std::optional<std::uint64_t> nodes = declared_nodes<Id>(options.nodes, facts);
  Searches<Id> searches(environment, options, outputs);
  if (nodes) check_roots(options, *nodes);
  std::optional<std::uint64_t> entries = facts.edges;
  if (entries && !options.directed && !facts.symmetric) entries = core::size_product(*entries, 2);
  const Demand demand = searches.demand(nodes, entries, false);
  BuiltGraph<Id> built;
  if (prepare::edges_are_remade(environment.checkpoint, entries)) {
    built = build_quick_rows(environment, edges, options, demand);
  }
  if (!built.has_rows() && environment.checkpoint != nullptr) {
    adjacency::KeptSearch<Id> kept(environment, edges,
                                   {.directed = options.directed, .nodes = options.nodes});
    return run_kept(environment, kept, options, outputs);
  }
  if (!built.has_rows()) {
    if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
      if (choose(demand, options).model == MemoryModel::semi_external) {
        auto near = NearLevels<Id>::find(environment, edges, options, demand);
        if (near) return run_behind(environment, std::move(near), facts, options, demand, searches);
      }
    }
    built = build_graph(environment, edges, options, demand);
  }
  Result result;
  result.edges = built.edges;
  if (built.pages) {
    result.nodes = built.pages->facts().nodes;
    if (outputs != nullptr && (outputs->wants_levels() || outputs->wants_parents())) {
      require_justified(facts, options.nodes, result.nodes, result.edges);
    }
    run_on_pages(environment, *built.pages, options, searches, result);
    return result;
  }
  const adjacency::AdjacencyFacts& rows = built.rows ? built.rows->facts() : built.long_rows->facts();
  Demand known = demand;
  known.nodes = result.nodes = rows.nodes;
  known.entries = rows.entries;
  result.choice = internal_choice(known, options);
  if (demand.levels || demand.parents) {
    require_justified(facts, options.nodes, result.nodes, result.edges);
  }
  if (built.rows) {
    run_on_rows(*built.rows, built.ascending, searches, result);
  } else {
    run_on_rows(*built.long_rows, built.ascending, searches, result);
  }
  return result;
}

template <class Id>
Result run(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph, const Options& options,
           Outputs<Id>* outputs) {
  if (environment.checkpoint != nullptr) {
    adjacency::KeptSearch<Id> kept(environment, graph);
    return run_kept(environment, kept, options, outputs);
  }
  Result result;
  result.nodes = graph.facts().nodes;
  result.edges = graph.facts().entries;
  Searches<Id> searches(environment, options, outputs);
  run_on_pages(environment, graph, options, searches, result);
  return result;
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, Outputs<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, Outputs<std::uint64_t>*);
template Result run(core::Environment&, adjacency::PagedAdjacency<std::uint32_t>&, const Options&,
                    Outputs<std::uint32_t>*);
template Result run(core::Environment&, adjacency::PagedAdjacency<std::uint64_t>&, const Options&,
                    Outputs<std::uint64_t>*);

}  // namespace emgraph::graph::bfs
