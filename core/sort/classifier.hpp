// SPDX-License-Identifier: MIT
// Assigns integer keys to buckets: contiguous key ranges of about equal weight in a sample.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/integers.hpp"
#include "core/io/state_stream.hpp"

namespace emgraph::core {

/// Keys first … last, both included.
template <IntegerKey Key>
struct KeyRange {
  Key first = 0;
  Key last = 0;
};

/// Splits a key range at the quantiles of a sample, rounded to the borders of up to 2^13 equal cells between
/// the sample's extremes. So a key is classified by a subtraction, a shift and one table look-up, without a
/// branch or a search. Keys below and above the sample's extremes have their own buckets. A cell with many
/// keys stays one bucket; the sorter splits it again if it does not fit into memory.
template <IntegerKey Key>
class Classifier {
 public:
  static constexpr unsigned max_cell_bits = 13;  // 16 KiB of table: half of a first-level cache

  /// Reorders `sample` and ignores its keys outside the range. `buckets` >= 1 is a wish; the outer ranges can
  /// add two buckets.
  [[gnu::cold]] Classifier(KeyRange<Key> range, std::span<Key> sample, std::size_t buckets) {
    const auto outside = std::partition(sample.begin(), sample.end(),
                                        [&](Key key) { return range.first <= key && key <= range.last; });
    sample = sample.first(static_cast<std::size_t>(outside - sample.begin()));
    if (sample.empty()) {
      inner_ = range;
    } else {
      const auto [least, most] = std::minmax_element(sample.begin(), sample.end());
      inner_ = {*least, *most};
    }
    const unsigned bits = bit_width<Key>(inner_.last - inner_.first);
    const unsigned cell_bits = buckets == 1 ? 1 : max_cell_bits;  // one bucket is not cut
    shift_ = bits > cell_bits ? bits - cell_bits : 0;
    // The last cell is extended to full size, so that every key classified into it lies in its range.
    const Key span = (inner_.last - inner_.first) | low_mask<Key>(shift_);
    inner_.last = range.last - inner_.first < span ? range.last : inner_.first + span;
    const auto cells = static_cast<std::size_t>((inner_.last - inner_.first) >> shift_) + 1;
    std::vector<std::uint64_t> weight(cells, sample.empty() ? 1 : 0);
    for (const Key key : sample) ++weight[cell(key)];

    table_.resize(cells + 2);
    if (inner_.first > range.first) open(range.first);
    open(inner_.first);
    const double target =
        static_cast<double>(sample.empty() ? cells : sample.size()) / static_cast<double>(buckets);
    double closed_weight = 0;
    double open_weight = 0;
    std::size_t closed = 0;
    for (std::size_t c = 0; c < cells; ++c) {
      // Cuts where the running total is nearest to the next quantile.
      const double with = closed_weight + open_weight + static_cast<double>(weight[c]);
      const double quantile = target * static_cast<double>(closed + 1);
      if (open_weight > 0 && with - quantile > quantile - (with - static_cast<double>(weight[c]))) {
        open(inner_.first + (static_cast<Key>(c) << shift_));
        closed_weight += open_weight;
        open_weight = 0;
        ++closed;
        while (target * static_cast<double>(closed + 1) < closed_weight) ++closed;
      }
      open_weight += static_cast<double>(weight[c]);
      table_[c + 1] = static_cast<std::uint16_t>(ranges_.size() - 1);
    }
    if (inner_.last < range.last) open(inner_.last + 1);
    table_[cells + 1] = static_cast<std::uint16_t>(ranges_.size() - 1);
    ranges_.back().last = range.last;
    cells_ = cells;
  }

  /// Restores what save() has written.
  explicit Classifier(StateReader& state)
      : inner_(state.value<KeyRange<Key>>()),
        shift_(state.value<unsigned>()),
        cells_(state.value<std::uint64_t>()),
        table_(std::min<std::size_t>(cells_, std::size_t{1} << max_cell_bits << 1) + 2),
        ranges_(std::min<std::uint64_t>(state.value<std::uint64_t>(), cells_ + 2)) {
    state.array(std::span(table_));
    state.array(std::span(ranges_));
  }
  void save(StateWriter& state) const {
    state.value(inner_);
    state.value(shift_);
    state.value(static_cast<std::uint64_t>(cells_));
    state.value(static_cast<std::uint64_t>(ranges_.size()));
    state.array(std::span(table_));
    state.array(std::span(ranges_));
  }

  std::size_t buckets() const { return ranges_.size(); }
  KeyRange<Key> range(std::size_t bucket) const { return ranges_[bucket]; }

  /// Finds buckets from copies of its numbers. In a loop that stores keys these stay in registers; members of
  /// the classifier would be loaded again for each key.
  class Lookup {
   public:
    explicit Lookup(const Classifier& classifier)
        : first_(classifier.inner_.first),
          cells_(static_cast<Key>(classifier.cells_)),
          shift_(classifier.shift_),
          table_(classifier.table_.data()) {}
    /// Bucket of a key inside the range given at construction.
    std::size_t operator()(Key key) const {
      // Keys below the first one wrap around to huge differences; the comparison detects them.
      const Key difference = key - first_;
      const Key at = std::min<Key>(difference >> shift_, cells_);
      const std::size_t slot = key < first_ ? 0 : static_cast<std::size_t>(at) + 1;
      return table_[slot];
    }

   private:
    Key first_;
    Key cells_;
    unsigned shift_;
    const std::uint16_t* table_;
  };
  std::size_t bucket(Key key) const { return Lookup(*this)(key); }

 private:
  std::size_t cell(Key key) const { return static_cast<std::size_t>((key - inner_.first) >> shift_); }
  void open(Key first) {
    if (!ranges_.empty()) ranges_.back().last = first - 1;
    ranges_.push_back({first, first});
  }

  KeyRange<Key> inner_;
  unsigned shift_ = 0;
  std::size_t cells_ = 0;
  std::vector<std::uint16_t> table_;
  std::vector<KeyRange<Key>> ranges_;
};

}  // namespace emgraph::core
