// SPDX-License-Identifier: MIT
// Holds the map in memory, or joins the edges with it.
#include "graph/prepare/relabel/original_ids.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "core/base/progress.hpp"
#include "graph/prepare/relabel/dictionary_join.hpp"
#include "graph/prepare/relabel/id_list.hpp"
#include "graph/prepare/relabel/id_table.hpp"
#include "graph/prepare/relabel/map_reading.hpp"
#include "graph/prepare/relabel/relabelled_source.hpp"
#include "graph/prepare/relabel/row_run.hpp"

namespace emgraph::graph::relabel {
namespace {

/// An array of the ids of all nodes.
class MapTable final : public IdTable {
 public:
  MapTable(core::MemoryBudget& budget, std::uint64_t most, std::string name)
      : ids_(budget, most, "original ids"), name_(std::move(name)) {}

  /// False: there would be more than `most` ids.
  bool append(std::span<const std::uint64_t> ids) { return ids_.append(ids); }
  std::uint64_t largest() const { return ids_.size() == 0 ? 0 : ids_.back(); }

  std::optional<std::uint64_t> replace(std::span<std::uint64_t> ids) const override {
    for (std::uint64_t& id : ids) {
      if (id >= ids_.size()) return id;
      id = ids_[id];
    }
    return std::nullopt;
  }
  std::string missing(std::uint64_t id) const override { return no_id(id, name_, ids_.size()); }

 private:
  IdList ids_;
  const std::string name_;
};

/// Reads a map in step with ascending nodes.
class MapDictionary final : public Dictionary {
 public:
  MapDictionary(format::NodeReader& map, const std::string& map_name, std::string edges_name)
      : map_(map, map_name), edges_name_(std::move(edges_name)) {}
  std::uint64_t value(std::uint64_t id) override {
    if (const auto value = map_.id_of(id)) return *value;
    throw core::DataError::in_file(edges_name_, no_id(id, map_.name(), map_.read()));
  }

 private:
  MapReading map_;
  const std::string edges_name_;
};

/// Returns the map, or null if it has more than `most` ids.
std::shared_ptr<MapTable> load(core::Environment& environment, format::NodeReader& map,
                               const std::string& map_name, std::uint64_t most) {
  if (map.count().value_or(0) > most) return nullptr;
  auto table = std::make_shared<MapTable>(environment.memory, most, map_name);
  core::Phase phase(environment.progress, "load map", map.count().value_or(0), "ids");
  MapReading reading(map, map_name);
  for (auto ids = reading.next(); !ids.empty(); ids = reading.next()) {
    if (!table->append(ids)) return nullptr;
    phase.advance(ids.size());
  }
  return table;
}

}  // namespace

std::shared_ptr<format::RecordSource> restore(core::Environment& environment,
                                              std::shared_ptr<format::RecordSource> source, EdgeFacts facts,
                                              const OpenMap& open_map, const std::string& map_name,
                                              const RestoreOptions& options) {
  const std::size_t table_bytes =
      options.table_bytes > 0 ? options.table_bytes : environment.memory.available() / 2;
  const EdgeFacts numbered = facts;
  facts.nodes = std::nullopt;
  if (const auto table = load(environment, *open_map(), map_name, table_bytes / sizeof(std::uint64_t))) {
    facts.layout.id_bytes = table->largest() < std::uint64_t{1} << 32 ? 4 : 8;
    return std::make_shared<RelabelledSource>(environment, std::move(source), table, std::move(facts),
                                              options.max_lanes);
  }
  if (!source->rewindable()) source = spool(environment, *source, numbered, options.max_lanes);
  const auto map = open_map();
  MapDictionary dictionary(*map, map_name, numbered.name);
  const auto join = [&]<class Id>() {
    return DictionaryJoin<Id>(environment, std::move(source), numbered, numbered.edges, dictionary, 64).run();
  };
  Joined joined = numbered.layout.id_bytes == 4 ? join.template operator()<std::uint32_t>()
                                                : join.template operator()<std::uint64_t>();
  facts.edges = joined.edges;
  facts.layout = joined.layout;
  facts.generated = false;
  return std::make_shared<RowRunSource>(environment, std::move(facts), std::move(joined.rows),
                                        options.max_lanes);
}

}  // namespace emgraph::graph::relabel
