// SPDX-License-Identifier: MIT
// Three sorts; the output of each is the input of the next.
#include "graph/prepare/relabel/spilled_labels.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/progress.hpp"
#include "graph/format/text/label_text.hpp"
#include "graph/prepare/relabel/dictionary_join.hpp"
#include "graph/prepare/relabel/distinct_ids.hpp"
#include "graph/prepare/sorted_edges.hpp"

namespace emgraph::graph::relabel {
namespace {

constexpr unsigned end_bits = 128 - format::label_hash_bits;
constexpr std::uint64_t value_sample = 64 * 1024;
constexpr std::size_t written_records = 1024;

template <class Sorter>
void finish(Sorter& sorter) {
  core::run_on_threads(sorter.lanes(), [&](unsigned thread) { sorter.lane(thread).finish(); });
  sorter.finish();
}

/// Options of a sorter that takes most of the free memory.
template <class Sorter>
typename Sorter::Options options_for(const core::Environment& environment) {
  typename Sorter::Options options;
  options.memory_bytes = prepare::sorter_memory(environment.memory);
  options.threads = sorting_threads(environment, options.memory_bytes);
  return options;
}

}  // namespace

SpilledLabels::SpilledLabels(core::Environment& environment, bool keep_texts) : environment_(environment) {
  if (keep_texts) spool_.emplace(environment);
}

void SpilledLabels::open() {
  by_hash_ = std::make_unique<HashSorter>(environment_, options_for<HashSorter>(environment_));
}

void SpilledLabels::add(core::uint128 hash, std::string_view label) {
  if (by_hash_ == nullptr) open();
  if (ends_ >> end_bits != 0) {
    throw core::DataError("more than 2^40 ends of edges with labels that memory does not hold");
  }
  by_hash_->lane(0).push(hash << end_bits | ends_++);
  if (spool_) spool_->append(label);
}

SpilledLabels::Numbered SpilledLabels::number(std::uint64_t first_number, const EdgeFacts& facts, RowRun rows,
                                              std::span<AskedLabel> asked, LabelSink* map) {
  next_number_ = first_number;
  map_ = map;
  asked_ = asked;
  asked_firsts_.assign(asked.size(), std::nullopt);
  asked_order_.resize(asked.size());
  std::iota(asked_order_.begin(), asked_order_.end(), std::size_t{0});
  std::ranges::sort(asked_order_, {}, [&](std::size_t i) { return asked_[i].hash; });
  const unsigned bits = prepare::bits_for_nodes(ends_);
  const unsigned value_bits = prepare::bits_for_nodes(first_number + ends_);
  Numbered result;
  with_pair_keys(bits, bits, [&]<class Key>(const prepare::EdgeKeys<Key>& pairs) {
    finish(*by_hash_);
    auto first_options = options_for<Sorter<Key>>(environment_);
    first_options.range = pairs.range(ends_ - 1);
    first_options.records = ends_;
    Sorter<Key> by_first(environment_, std::move(first_options));
    find_firsts(pairs, by_first);
    by_hash_.reset();
    RowRunSource source(environment_, facts, std::move(rows), 1);
    const auto lane = source.lane(record_shape(facts.layout));
    with_pair_keys(bits, value_bits, [&]<class ValueKey>(const prepare::EdgeKeys<ValueKey>& values) {
      auto end_options = options_for<Sorter<ValueKey>>(environment_);
      end_options.range = {0, values.make(ends_ - 1, core::low_mask<std::uint64_t>(value_bits))};
      end_options.records = ends_;
      // All ends occur, so a sample of the keys can be computed.
      const std::uint64_t sampled = std::min(ends_, value_sample);
      for (std::uint64_t i = 0; i < sampled; ++i) {
        end_options.sample.push_back(
            values.make(static_cast<std::uint64_t>(core::uint128{ends_} * i / sampled), 0));
      }
      Sorter<ValueKey> by_end(environment_, std::move(end_options));
      count_firsts(pairs, by_first, values, by_end);
      EdgeLayout layout = facts.layout;
      layout.id_bytes = next_number_ <= std::uint64_t{1} << 32 ? 4 : 8;
      result.id_bytes = layout.id_bytes;
      result.rows = fill_in(values, by_end, source, *lane, layout);
    });
  });
  result.nodes = next_number_;
  return result;
}

template <class Key>
void SpilledLabels::find_firsts(const prepare::EdgeKeys<Key>& pairs, Sorter<Key>& by_first) {
  core::Phase phase(environment_.progress, "sort labels", ends_, "ends");
  auto& to = by_first.lane(0);
  core::uint128 hash = 0;
  std::uint64_t first = 0;
  bool started = false;
  auto next_asked = asked_order_.cbegin();
  for (auto batch = by_hash_->next(); !batch.empty(); batch = by_hash_->next()) {
    for (const core::uint128 key : batch) {
      const core::uint128 here = key >> end_bits;
      const auto end = static_cast<std::uint64_t>(key & core::low_mask<core::uint128>(end_bits));
      if (!started || here != hash) {
        started = true;
        hash = here;
        first = end;
        for (; next_asked != asked_order_.cend() && asked_[*next_asked].hash <= hash; ++next_asked) {
          if (asked_[*next_asked].hash == hash) asked_firsts_[*next_asked] = first;
        }
      }
      to.push(pairs.make(first, end));
    }
    phase.advance(batch.size());
  }
  finish(by_first);
}

template <class Key, class ValueKey>
void SpilledLabels::count_firsts(const prepare::EdgeKeys<Key>& pairs, Sorter<Key>& by_first,
                                 const prepare::EdgeKeys<ValueKey>& values, Sorter<ValueKey>& by_end) {
  core::Phase phase(environment_.progress, "number labels", ends_, "ends");
  std::optional<LabelSpoolReader> texts;
  if (spool_) texts.emplace(environment_, spool_->finish());
  spool_.reset();
  auto& to = by_end.lane(0);
  std::uint64_t first = ~std::uint64_t{0};
  std::uint64_t number = 0;
  std::ranges::sort(asked_order_, {}, [&](std::size_t i) { return asked_firsts_[i]; });
  auto next_asked = asked_order_.cbegin();
  for (auto batch = by_first.next(); !batch.empty(); batch = by_first.next()) {
    for (const Key key : batch) {
      const std::uint64_t here = pairs.first(key);
      if (here != first) {
        first = here;
        number = next_number_++;
        for (; next_asked != asked_order_.cend() && asked_firsts_[*next_asked] <= first; ++next_asked) {
          if (asked_firsts_[*next_asked] == first) asked_[*next_asked].number = number;
        }
        if (texts) map_->append(texts->label(first));
      }
      to.push(values.make(pairs.second(key), number));
    }
    phase.advance(batch.size());
  }
  finish(by_end);
}

template <class ValueKey>
RowRun SpilledLabels::fill_in(const prepare::EdgeKeys<ValueKey>& values, Sorter<ValueKey>& by_end,
                              RowRunSource& rows, format::RecordLane& lane, const EdgeLayout& layout) {
  const core::PairShape from = record_shape(rows.facts().layout);
  const core::PairShape to = record_shape(layout);
  core::Phase phase(environment_.progress, "join edges", rows.facts().edges.value_or(0), "edges");
  RowRunWriter writer(environment_, layout);
  std::vector<std::byte> records(written_records * to.row_bytes);
  auto numbers = by_end.next();
  std::size_t at = 0;
  for (auto batch = lane.next(); batch.count > 0; batch = lane.next()) {
    for (std::size_t done = 0; done < batch.count;) {
      const std::size_t here = std::min(written_records, batch.count - done);
      for (std::size_t i = 0; i < here; ++i) {
        const std::byte* const in = batch.records + (done + i) * from.row_bytes;
        std::byte* const out = records.data() + i * to.row_bytes;
        for (std::size_t end = 0; end < 2; ++end) {
          std::uint64_t id = id_at(from, in, end);
          if (id == spilled_end) {
            if (at == numbers.size()) {
              numbers = by_end.next();
              at = 0;
            }
            id = values.second(numbers[at++]);
          }
          set_id(to, out, end, id);
        }
        std::memcpy(out + 2 * to.integer_bytes, in + 2 * from.integer_bytes, to.attachment_bytes);
      }
      writer.append(to, records.data(), here);
      done += here;
    }
    phase.advance(batch.count);
  }
  return writer.finish();
}

}  // namespace emgraph::graph::relabel
