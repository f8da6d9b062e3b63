// SPDX-License-Identifier: MIT
// What a checkpoint keeps of a sort of edges.
#include "graph/prepare/sort_keeper.hpp"

#include "core/base/bytes.hpp"

namespace emgraph::graph::prepare {

template <core::IntegerKey Key>
bool SortKeeper::restore(core::DistributionSorter<Key>& sorter) {
  if (!resumed_) return false;
  if (!place_.sorted) {
    sorter.restore_chains(*options_.state);
    return false;
  }
  const auto list = checkpoint_.read_state_file(place_.list);
  sorter.restore_chains(*list);
  sorter.end_input();
  last_ = options_.state->value<core::uint128>();
  equal_ = skip_ = options_.state->value<std::uint64_t>();
  consumed_ = options_.state->value<std::uint64_t>();
  consuming_ = skipping_ = consumed_ > 0;
  if (skipping_) sorter.drop_below(static_cast<Key>(last_));
  sorter.finish();
  return true;
}

template <core::IntegerKey Key>
SealedReading SortKeeper::reading(core::DistributionSorter<Key>& sorter,
                                  const std::optional<std::uint64_t>& all) {
  return {&checkpoint_, read(), [this, &sorter, all](const IngestFacts& so_far) {
            note(so_far);
            seal(sorter, read_so_far(all), [&](core::StateWriter& to) { sorter.save_chains(to); });
          }};
}

template <core::IntegerKey Key>
void SortKeeper::finish_reading(core::DistributionSorter<Key>& sorter, const IngestFacts& read) {
  note(read);
  sorter.end_input();
  // Without the list of the blocks no state can be sealed while keys are consumed.
  if (!sealed_ && !checkpoint_.due(options_.kept_part)) return;
  place_.list = checkpoint_.write_state_file([&](core::StateWriter& to) { sorter.save_chains(to); });
  place_.sorted = true;
  seal_tail(sorter, "", {});
}

template <core::IntegerKey Key>
void SortKeeper::consumed(core::DistributionSorter<Key>& sorter, std::span<const Key> batch,
                          const std::string& what, const SaveState& tail) {
  const auto last = core::uint128{batch.back()};
  const auto same =
      static_cast<std::uint64_t>(batch.end() - std::lower_bound(batch.begin(), batch.end(), batch.back()));
  equal_ = same == batch.size() && last == last_ ? equal_ + same : same;
  last_ = last;
  consumed_ += batch.size();
  if (!options_.seals_keys) return checkpoint_.stop_if_asked();
  if (!checkpoint_.due()) return;
  if (place_.sorted && options_.prepare) options_.prepare();
  if (place_.sorted) seal_tail(sorter, ", " + core::format_count(consumed_) + " are " + what, tail);
  checkpoint_.stop_if_asked();
}

template bool SortKeeper::restore(core::DistributionSorter<std::uint64_t>&);
template SealedReading SortKeeper::reading(core::DistributionSorter<std::uint64_t>&,
                                           const std::optional<std::uint64_t>&);
template void SortKeeper::finish_reading(core::DistributionSorter<std::uint64_t>&, const IngestFacts&);
template void SortKeeper::consumed(core::DistributionSorter<std::uint64_t>&, std::span<const std::uint64_t>,
                                   const std::string&, const SaveState&);
template bool SortKeeper::restore(core::DistributionSorter<core::uint128>&);
template SealedReading SortKeeper::reading(core::DistributionSorter<core::uint128>&,
                                           const std::optional<std::uint64_t>&);
template void SortKeeper::finish_reading(core::DistributionSorter<core::uint128>&, const IngestFacts&);
template void SortKeeper::consumed(core::DistributionSorter<core::uint128>&, std::span<const core::uint128>,
                                   const std::string&, const SaveState&);

}  // namespace emgraph::graph::prepare
