// SPDX-License-Identifier: MIT
// Keys of 128 bits: the first of two numbers above the second.
#include "graph/graphalytics/validation.hpp"

#include <bit>
#include <cmath>
#include <memory>
#include <optional>

#include "core/base/error.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "core/sort/sorter_memory.hpp"
#include "graph/graphalytics/vertex_lines.hpp"

namespace emgraph::graph::graphalytics {
namespace {

using core::uint128;

struct Pair {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

/// Sorts pairs by both numbers.
class PairSort {
 public:
  PairSort(core::Environment& environment, std::uint64_t most_pairs, bool unique, std::size_t memory_bytes) {
    core::DistributionSorter<uint128>::Options options;
    options.most_records = most_pairs;
    options.unique = unique;
    options.memory_bytes = memory_bytes;
    options.threads = 1;
    sorter_.emplace(environment, std::move(options));
  }
  void push(std::uint64_t first, std::uint64_t second) {
    sorter_->lane(0).push(static_cast<uint128>(first) << 64 | second);
  }
  void finish() {
    sorter_->lane(0).finish();
    sorter_->finish();
  }
  std::optional<Pair> next() {
    if (batch_.empty()) batch_ = sorter_->next();
    if (batch_.empty()) return std::nullopt;
    const uint128 key = batch_.front();
    batch_ = batch_.subspan(1);
    return Pair{static_cast<std::uint64_t>(key >> 64), static_cast<std::uint64_t>(key)};
  }

 private:
  std::optional<core::DistributionSorter<uint128>> sorter_;
  std::span<const uint128> batch_;
};

std::string shown(std::uint64_t word, Match match) {
  return match == Match::epsilon ? std::to_string(std::bit_cast<double>(word)) : std::to_string(word);
}

bool within_epsilon(std::uint64_t found_word, std::uint64_t expected_word) {
  constexpr double epsilon = 1e-4;
  const auto found = std::bit_cast<double>(found_word);
  const auto expected = std::bit_cast<double>(expected_word);
  if (found == expected) return true;
  return std::isfinite(expected) && std::abs(found - expected) <= epsilon * std::abs(expected);
}

class Comparison {
 public:
  Comparison(core::Environment& environment, Match match, const std::string& reference, const NodeWords& ids,
             const NodeWords& values)
      : environment_(environment), match_(match), reference_(reference), ids_(ids), values_(values) {}

  std::string run() {
    const bool labels = match_ == Match::same_labels || match_ == Match::equivalence;
    const std::size_t half = core::sorter_memory(environment_.memory) / 2;
    PairSort lines(environment_, ids_.records, false, half);
    read_reference(lines);
    if (!labels)
      return walk(lines, [&](std::uint64_t id, std::uint64_t found, std::uint64_t expected) {
        return compare_values(id, found, expected);
      });
    PairSort pairs(environment_, ids_.records, true, core::sorter_memory(environment_.memory) / 2);
    walk(lines, [&](std::uint64_t, std::uint64_t found, std::uint64_t expected) {
      pairs.push(found, expected);
      return std::string();
    });
    pairs.finish();
    return match_ == Match::same_labels ? compare_labels(pairs) : compare_classes(pairs);
  }

 private:
  void read_reference(PairSort& lines) {
    core::Phase phase(environment_.progress, "read reference", ids_.records, "vertices");
    VertexLines text(environment_, reference_,
                     match_ == Match::epsilon ? ValueKind::real : ValueKind::integer);
    while (const std::optional<VertexLine> line = text.next()) {
      lines.push(line->vertex, line->value);
      phase.advance(1);
    }
    lines.finish();
  }

  /// Calls check(id, value, value of the reference) for each vertex until it returns a message.
  template <class Check>
  std::string walk(PairSort& lines, Check&& check) {
    core::Phase phase(environment_.progress, "compare", ids_.records, "vertices");
    core::RunCursor<std::uint64_t> ids(environment_, ids_);
    core::RunCursor<std::uint64_t> values(environment_, values_);
    for (; !ids.at_end(); ids.next(), values.next()) {
      const std::optional<Pair> line = lines.next();
      if (!line || line->first > *ids) refuse("has no line for vertex " + std::to_string(*ids));
      if (line->first < *ids) {
        refuse("has a second line, or one too many, for vertex " + std::to_string(line->first));
      }
      std::string wrong = check(*ids, *values, line->second);
      if (!wrong.empty()) return wrong;
      phase.advance(1);
    }
    if (const std::optional<Pair> line = lines.next()) {
      refuse("has a second line, or one too many, for vertex " + std::to_string(line->first));
    }
    return {};
  }

  std::string compare_values(std::uint64_t id, std::uint64_t found, std::uint64_t expected) const {
    if (match_ == Match::epsilon ? within_epsilon(found, expected) : found == expected) return {};
    return "vertex " + std::to_string(id) + ": found " + shown(found, match_) + ", expected " +
           shown(expected, match_);
  }

  /// `pairs`: (number of a vertex, its id in the reference).
  std::string compare_labels(PairSort& pairs) {
    core::Phase phase(environment_.progress, "compare labels", 0, "labels");
    core::RunCursor<std::uint64_t> ids(environment_, ids_);
    std::uint64_t node = 0;
    while (const std::optional<Pair> pair = pairs.next()) {
      for (; node < pair->first; ++node) ids.next();
      if (*ids == pair->second) continue;
      return "some vertices have label " + std::to_string(*ids) + ", expected label " +
             std::to_string(pair->second);
    }
    return {};
  }

  /// `pairs`: (label, label in the reference), each once.
  std::string compare_classes(PairSort& pairs) {
    core::Phase phase(environment_.progress, "compare labels", 0, "labels");
    PairSort turned(environment_, ids_.records, false, core::sorter_memory(environment_.memory));
    std::optional<std::uint64_t> last;
    while (const std::optional<Pair> pair = pairs.next()) {
      if (last == pair->first) return "a class of vertices is more than one in the reference";
      last = pair->first;
      turned.push(pair->second, pair->first);
    }
    turned.finish();
    last.reset();
    while (const std::optional<Pair> pair = turned.next()) {
      if (last == pair->first) {
        return "several classes of vertices are one in the reference, label " + std::to_string(pair->first);
      }
      last = pair->first;
    }
    return {};
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw core::DataError::in_file(reference_, what);
  }

  core::Environment& environment_;
  const Match match_;
  const std::string& reference_;
  const NodeWords& ids_;
  const NodeWords& values_;
};

}  // namespace

std::string compare(core::Environment& environment, Match match, const std::string& reference,
                    const NodeWords& ids, const NodeWords& values) {
  return Comparison(environment, match, reference, ids, values).run();
}

}  // namespace emgraph::graph::graphalytics
