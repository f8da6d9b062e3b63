// SPDX-License-Identifier: MIT
// Reads lists of numbers in two passes, and compares names with those that the session has kept.
#include "apps/files/node_list.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <fstream>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "apps/files/listed_names.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/arrays/npy.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/format/table/extension.hpp"

namespace emgraph::apps {

bool is_text_list(const std::string& list) {
  if (graph::format::extension_of(list) == "bin") return false;
  std::ifstream file(list, std::ios::binary);
  std::string start(sizeof graph::format::npy_magic, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return !graph::format::is_npy(std::as_bytes(std::span(start)));
}

namespace {

/// The nodes that --nodes-in FILE lists, or that have the VALUE in FILE=VALUE.
class NodeList {
 public:
  /// `file`: --nodes-in, or a copy of it.
  NodeList(Session& session, const graph::EdgeFacts& facts, bool declared, std::string file)
      : session_(session),
        environment_(session.environment()),
        file_(std::move(file)),
        value_(session.options().filter.nodes_value),
        facts_(facts),
        declared_(declared),
        before_relabel_(session.options().filter.before_relabel),
        text_(is_text_list(file_)),
        rows_(value_ && text_ && before_relabel_) {}

  graph::prepare::ListedNodes read() {
    core::Phase phase(environment_.progress, "read list of nodes", 0, "nodes");
    if (before_relabel_ && !text_ && !value_ && !facts_.nodes) {
      throw core::UsageError(fmt::format(
          "--nodes-in {}: with --relabel it is not known whether its numbers are ids of {} or numbers of an "
          "earlier --relabel; a list as text (mis -o set.txt) has ids",
          file_, facts_.name));
    }
    const Totals totals = look_through();
    check(totals);
    const std::uint64_t bits = totals.size / 8;
    const std::uint64_t list = core::size_product(totals.count, sizeof(std::uint64_t));
    require_memory(totals, std::min(bits, list));
    return bits <= std::max<std::uint64_t>(list, core::MiB) ? as_bits(totals) : as_sorted_list(totals);
  }

 private:
  /// What the first reading finds.
  struct Totals {
    std::uint64_t entries = 0;  ///< of the file
    std::uint64_t count = 0;    ///< nodes that are taken
    std::uint64_t size = 0;     ///< the largest of them, plus one
    std::uint64_t beyond = 0;   ///< not below n
    bool ascending = true;
  };
  Totals look_through() const {
    Totals totals;
    totals.entries = for_each([&](std::uint64_t node) {
      const bool above = facts_.nodes && node >= *facts_.nodes;
      totals.beyond += above;
      if (above && declared_) {
        throw core::DataError::in_file(
            file_, fmt::format("node {} found, expected nodes below {}, the number of nodes of {}", node,
                               *facts_.nodes, facts_.name));
      }
      if (node == ~std::uint64_t{0})
        throw core::DataError::in_file(file_, "node 2^64 - 1 found, expected ids below it");
      totals.ascending = totals.ascending && node >= totals.size;
      totals.size = std::max(totals.size, node + 1);
      ++totals.count;
    });
    return totals;
  }
  void check(const Totals& totals) const {
    if (facts_.nodes && value_ && !rows_ && totals.entries != *facts_.nodes) {
      throw core::DataError::in_file(
          file_,
          fmt::format("has {} values, expected one for each of the {} nodes of {}{}",
                      core::format_count(totals.entries), core::format_count(*facts_.nodes), facts_.name,
                      before_relabel_ ? "; results of --relabel as text (.tsv) have the ids" : ""));
    }
    if (totals.beyond > 0) {
      session_.warn(fmt::format("--nodes-in {}: {} of {} nodes are not below {}, the largest id of {} + 1",
                                file_, core::format_count(totals.beyond), core::format_count(totals.count),
                                *facts_.nodes, facts_.name));
    }
  }
  void require_memory(const Totals& totals, std::uint64_t bytes) const {
    const core::MemoryBudget& memory = environment_.memory;
    if (bytes <= memory.available()) return;
    const std::uint64_t least = core::size_sum(bytes, memory.used(), 16 * core::MiB);
    throw core::MemoryLimitError(
        fmt::format("--nodes-in {}: {} of {} nodes need {}, the limit is {}; {} is the least that would do",
                    file_, core::format_count(totals.count), core::format_count(totals.size),
                    core::format_size(least), core::format_size(memory.limit()), core::memory_option(least)));
  }
  graph::prepare::ListedNodes as_bits(const Totals& totals) const {
    graph::prepare::ListedNodes nodes;
    nodes.bits = graph::NodeBits(environment_.memory, totals.size, "a bit per node of --nodes-in");
    bool repeated = false;
    std::uint64_t count = 0;
    for_each([&](std::uint64_t node) {
      if (node >= totals.size) refuse_changed();
      repeated = repeated || nodes.bits.test(node);
      nodes.bits.set(node);
      ++count;
    });
    if (count != totals.count) refuse_changed();
    if (repeated && !totals.ascending) refuse_values(totals.entries);
    return nodes;
  }
  graph::prepare::ListedNodes as_sorted_list(const Totals& totals) const {
    graph::prepare::ListedNodes nodes;
    nodes.sorted = core::Array<std::uint64_t>(environment_.memory, totals.count, "the nodes of --nodes-in");
    std::size_t filled = 0;
    for_each([&](std::uint64_t node) {
      if (filled == totals.count) refuse_changed();
      nodes.sorted[filled++] = node;
    });
    if (filled < totals.count) refuse_changed();
    const std::span<std::uint64_t> sorted = nodes.sorted.span();
    std::ranges::sort(sorted);
    if (!totals.ascending && std::ranges::adjacent_find(sorted) != sorted.end())
      refuse_values(totals.entries);
    return nodes;
  }
  [[noreturn]] void refuse_changed() const {
    throw core::DataError::in_file(file_, "has other nodes when it is read again: it was changed meanwhile");
  }
  /// Throws DataError if numbers with repetitions are as many as the graph has nodes: they are values.
  void refuse_values(std::uint64_t entries) const {
    if (!facts_.nodes || entries != *facts_.nodes || value_) return;
    throw core::DataError::in_file(
        file_,
        fmt::format("has {} numbers with repetitions, as many as {} has nodes, expected a list of nodes; "
                    "--nodes-in {}=VALUE takes the nodes with that value",
                    core::format_count(entries), facts_.name, file_));
  }

  /// Calls `take(node)` for every node of the list. Returns the number of entries of the file.
  template <class Take>
  std::uint64_t for_each(Take&& take) const {
    using graph::format::NodeNumbers;
    const auto reader =
        graph::format::open_node_reader(environment_, file_,
                                        {.bin_value_bytes = facts_.layout.id_bytes,
                                         .columns = rows_              ? std::uint64_t{2}
                                                    : text_ && !value_ ? 1
                                                                       : 0,
                                         .numbers = value_ ? NodeNumbers::either : NodeNumbers::integers});
    const std::uint64_t wanted = value_ ? value_bits(reader->floating()) : 0;
    const auto same = [&](std::uint64_t value) {
      return reader->floating() ? std::bit_cast<double>(value) == std::bit_cast<double>(wanted)
                                : value == wanted;
    };
    std::uint64_t entry = 0;
    for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) {
      for (std::size_t i = 0; i < batch.size(); ++i, ++entry) {
        if (rows_) {
          if (same(batch[i + 1])) take(batch[i]);
          ++i;
        } else if (!value_) {
          take(batch[i]);
        } else if (same(batch[i])) {
          take(entry);
        }
      }
    }
    return entry;
  }

  std::uint64_t value_bits(bool floating) const {
    const char* const begin = value_->data();
    const char* const end = begin + value_->size();
    std::uint64_t whole = 0;
    double number = 0;
    const auto [stop, error] =
        floating ? std::from_chars(begin, end, number) : std::from_chars(begin, end, whole);
    if (error == std::errc() && stop == end) return floating ? std::bit_cast<std::uint64_t>(number) : whole;
    throw core::UsageError(fmt::format("--nodes-in {}={}: {} has {}, and '{}' is none", file_, *value_, file_,
                                       floating ? "numbers" : "whole numbers", *value_));
  }

  Session& session_;
  core::Environment& environment_;
  const std::string file_;
  const std::optional<std::string>& value_;
  const graph::EdgeFacts& facts_;
  const bool declared_;
  const bool before_relabel_;
  const bool text_;
  const bool rows_;  ///< the file has lines "id value"
};

/// The nodes of a list of labels or original ids, a line each. Names that no node has are left out.
graph::NodeBits named_nodes(Session& session, std::uint64_t count, const std::string& list) {
  core::MemoryBudget& memory = session.environment().memory;
  core::Phase phase(session.environment().progress, "read list of nodes", count, "nodes");
  core::Reservation held = memory.reserve(0, "names of --nodes-in");
  std::size_t bytes = 0;
  std::unordered_set<std::string> names;
  std::uint64_t second_readings = 0;
  const std::string& given = session.options().filter.nodes_in;
  const std::optional<std::string>& value = session.options().filter.nodes_value;
  const auto add = [&](const std::string& name) {
    if (name.empty() || !names.insert(name).second) return false;
    constexpr std::size_t bytes_per_name =
        96;  // a node of the set, its place, and a copy while the set grows
    bytes += name.size() + bytes_per_name;
    if (bytes > held.bytes()) held.resize(2 * bytes, "names of --nodes-in");
    return true;
  };
  const ListedNames listed_names(given, value);
  for_each_line(session, list, [&](std::string line) {
    if (!listed_names.take_column(line)) return;
    const std::string name = listed_names.name(line);
    add(name);
    if (add(listed_names.other_reading(name))) ++second_readings;
  });
  if (value && names.empty()) {
    session.warn(fmt::format("--nodes-in {}={}: no line has this value", given, *value));
  }
  graph::NodeBits nodes(memory, count, "a bit per node of --nodes-in");
  if (session.names() == nullptr) return nodes;  // a plan does not know the nodes
  const auto map = session.names()->open();
  constexpr std::uint64_t nodes_at_a_time = 4096;
  std::uint64_t found = 0;
  std::vector<std::uint64_t> batch;
  for (std::uint64_t first = 0; first < count; first += batch.size()) {
    batch.resize(static_cast<std::size_t>(std::min(nodes_at_a_time, count - first)));
    std::iota(batch.begin(), batch.end(), first);
    std::uint64_t node = first;
    map->fetch(batch, [&](std::string_view name) {
      if (names.contains(std::string(name))) {
        nodes.set(node);
        ++found;
      }
      ++node;
      return true;
    });
    phase.advance(batch.size());
  }
  const std::uint64_t listed = names.size() - second_readings;
  if (found < listed) {
    session.warn(fmt::format("--nodes-in {}: {} of {} names are in no edge", given,
                             core::format_count(listed - found), core::format_count(listed)));
  }
  return nodes;
}

}  // namespace

graph::prepare::ListedNodes listed_nodes(Session& session, const graph::EdgeFacts& facts, bool declared) {
  const std::string& given = session.options().filter.nodes_in;
  const std::string list = session.rereadable(given);
  try {
    const bool foreseen = session.numbering().has_value();
    const bool named = session.names() != nullptr || (foreseen && session.options().keep_names);
    if (!named || !is_text_list(list)) {
      graph::EdgeFacts known = facts;
      if (foreseen) known.nodes.reset();  // an estimate
      return NodeList(session, known, declared && !foreseen, list).read();
    }
    // More nodes than fit are no error of a plan, which assumes as many as there may be.
    const std::uint64_t nodes_that_fit = 4 * session.environment().memory.available();
    graph::prepare::ListedNodes nodes;
    nodes.bits = named_nodes(
        session, foreseen ? std::min(facts.nodes.value_or(0), nodes_that_fit) : *facts.nodes, list);
    return nodes;
  } catch (const core::DataError& error) {  // may name the copy of a pipe
    std::string message = error.what();
    if (list == given || !message.starts_with(list)) throw;
    throw core::DataError(message.replace(0, list.size(), given));
  }
}

}  // namespace emgraph::apps
