// SPDX-License-Identifier: MIT
// Levels are counted as they are read; when there are too many counters, adjacent ones are merged in pairs.
// Labels are counted after sorting.
#include "graph/stats/node_results.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/sort/serial_sort.hpp"
#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::graph::stats {
namespace {

constexpr std::size_t most_sizes = 65536;

/// True for all ones in the width of the values. Values from text may have either width.
bool is_unreached(std::uint64_t level, std::size_t value_bytes) {
  constexpr std::uint64_t narrow = std::numeric_limits<std::uint32_t>::max();
  constexpr std::uint64_t wide = std::numeric_limits<std::uint64_t>::max();
  return (level == narrow && value_bytes != 8) || (level == wide && value_bytes != 4);
}

void fold(LevelSizes& sizes) {
  for (std::size_t i = 0; i < sizes.sizes.size(); i += 2) {
    const std::uint64_t second = i + 1 < sizes.sizes.size() ? sizes.sizes[i + 1] : 0;
    sizes.sizes[i / 2] = sizes.sizes[i] + second;
  }
  sizes.sizes.resize((sizes.sizes.size() + 1) / 2);
  sizes.width *= 2;
}

void count(LevelSizes& sizes, std::uint64_t level) {
  while (level / sizes.width >= most_sizes) fold(sizes);
  const auto place = static_cast<std::size_t>(level / sizes.width);
  if (place >= sizes.sizes.size()) sizes.sizes.resize(place + 1);
  ++sizes.sizes[place];
  ++sizes.reached;
  sizes.levels = std::max(sizes.levels, level + 1);
}

/// Calls take(node, value) for the value of each node.
template <class Take>
void for_each_value(core::Environment& environment, const std::string& path, std::uint64_t nodes,
                    std::size_t bin_value_bytes, Take&& take) {
  const auto reader = graph::format::open_node_reader(
      environment, path, {.bin_value_bytes = bin_value_bytes, .numbers = graph::format::NodeNumbers::either});
  core::Phase phase(environment.progress, "read values", nodes, "nodes");
  std::uint64_t node = 0;
  for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) {
    for (const std::uint64_t bits : batch) {
      const double value = reader->floating() ? std::bit_cast<double>(bits) : static_cast<double>(bits);
      if (!(value >= 0) || std::isinf(value)) {
        throw core::DataError::in_file(path, "node " + std::to_string(node) + ": value " +
                                                 core::format_real(value) +
                                                 " found, expected a number of 0 or more");
      }
      take(node++, value);
    }
    phase.advance(batch.size());
  }
  if (node != nodes) {
    throw core::DataError::in_file(path, core::format_count(node) +
                                             " values found, expected a value for each of " +
                                             core::format_count(nodes) + " nodes");
  }
}

core::SerialSort<std::uint64_t> label_sort(core::Environment& environment, std::uint64_t nodes,
                                           bool rehearse) {
  return {environment, std::max<std::uint64_t>(1, nodes) - 1,
          nodes,       environment.memory.available() / 8 * 7,
          {},          rehearse};
}

/// Integers up to 4095, and three digits of larger ones.
std::uint64_t three_digits(double value) {
  constexpr std::uint64_t exact = 4096;
  constexpr double most = 1e18;
  auto rounded = static_cast<std::uint64_t>(std::llround(std::min(value, most)));
  std::uint64_t unit = 1;
  while (rounded / unit >= exact) unit *= 10;
  return unit == 1 ? rounded : rounded / unit * unit;
}

}  // namespace

ValueSpread read_value_spread(core::Environment& environment, const std::string& path, std::uint64_t nodes,
                              std::size_t bin_value_bytes) {
  ValueSpread spread(environment.memory);
  spread.least = nodes == 0 ? 0 : std::numeric_limits<double>::infinity();
  for_each_value(environment, path, nodes, bin_value_bytes, [&](std::uint64_t node, double value) {
    spread.sum += value;
    spread.least = std::min(spread.least, value);
    if (value <= spread.largest) return;
    spread.largest = value;
    spread.largest_node = node;
  });
  if (spread.sum == 0) return spread;
  spread.mean = spread.sum / static_cast<double>(nodes);
  for_each_value(environment, path, nodes, bin_value_bytes, [&](std::uint64_t, double value) {
    spread.hundredths.add(three_digits(value / spread.mean * 100));
  });
  return spread;
}

LevelSizes read_level_sizes(core::Environment& environment, const std::string& path, std::uint64_t nodes) {
  const auto reader = graph::format::open_node_reader(environment, path, {});
  core::Phase phase(environment.progress, "read levels", nodes, "nodes");
  LevelSizes sizes;
  std::uint64_t node = 0;
  for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) {
    for (const std::uint64_t level : batch) {
      if (is_unreached(level, reader->value_bytes())) {
        ++sizes.unreached;
      } else if (level < nodes) {
        count(sizes, level);
      } else {
        throw core::DataError(path + ": node " + std::to_string(node) + ": level " + std::to_string(level) +
                              " found, expected one below the number of nodes, " + std::to_string(nodes) +
                              ", or all ones");
      }
      ++node;
    }
    phase.advance(batch.size());
  }
  if (node != nodes) {
    throw core::DataError(path + ": " + core::format_count(node) +
                          " values found, expected a level for each of " + core::format_count(nodes) +
                          " nodes");
  }
  return sizes;
}

core::SpillForecast rehearse_component_sizes(core::Environment& environment, const std::string& path,
                                             std::uint64_t nodes, std::size_t bin_value_bytes) {
  const ValueHistogram sizes(environment.memory);
  const auto reader =
      graph::format::open_node_reader(environment, path, {.bin_value_bytes = bin_value_bytes});
  core::SerialSort<std::uint64_t> labels = label_sort(environment, nodes, true);
  core::SpillForecast space = labels.rehearse_distribution(nodes);
  // The first labels are no sample of all: most of the others may go to one bucket, which is split on the
  // disks.
  const std::uint64_t whole = core::size_sum(space.whole_bytes, space.whole_bytes / 16);
  if (space.most_bytes > 0) space.most_bytes = std::max(space.most_bytes, whole);
  labels.rehearse_sorting(nodes);
  return space;
}

ValueHistogram read_component_sizes(core::Environment& environment, const std::string& path,
                                    std::uint64_t nodes, std::size_t bin_value_bytes) {
  ValueHistogram sizes(environment.memory);
  const auto reader =
      graph::format::open_node_reader(environment, path, {.bin_value_bytes = bin_value_bytes});
  core::SerialSort<std::uint64_t> labels = label_sort(environment, nodes, false);
  std::uint64_t node = 0;
  {
    core::Phase phase(environment.progress, "read components", nodes, "nodes");
    for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) {
      for (const std::uint64_t label : batch) {
        if (label >= nodes) {
          throw core::DataError(path + ": node " + std::to_string(node) + ": label " + std::to_string(label) +
                                " found, expected one below the number of nodes, " + std::to_string(nodes));
        }
        labels.push(label);
        ++node;
      }
      phase.advance(batch.size());
    }
  }
  if (node != nodes) {
    throw core::DataError(path + ": " + core::format_count(node) +
                          " values found, expected a label for each of " + core::format_count(nodes) +
                          " nodes");
  }
  labels.start();
  core::Phase phase(environment.progress, "count components", nodes, "nodes");
  while (!labels.at_end()) {
    const std::uint64_t label = labels.key();
    std::uint64_t size = 0;
    for (; !labels.at_end() && labels.key() == label; labels.next()) ++size;
    sizes.add(size);
    phase.advance(size);
  }
  return sizes;
}

}  // namespace emgraph::graph::stats
