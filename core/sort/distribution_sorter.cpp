// SPDX-License-Identifier: MIT
// Combines distribution, refinement and sorted buckets.
#include "core/sort/distribution_sorter.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/sort/bucket_refinement.hpp"
#include "core/sort/sorted_buckets.hpp"
#include "core/spill/coding_choice.hpp"

namespace emgraph::core {

template <IntegerKey Key>
DistributionSorter<Key>::DistributionSorter(Environment& environment, Options options)
    : environment_(environment), options_(std::move(options)) {
  SortDemand demand = DistributionSorter::demand(environment, options_);
  if (options_.state != nullptr) {
    demand.fixed_block_bytes = static_cast<std::size_t>(options_.state->template value<std::uint64_t>());
    demand.fixed_buckets = static_cast<std::size_t>(options_.state->template value<std::uint64_t>());
  }
  plan_ = SortPlan::make(demand);
  if (options_.state == nullptr && !options_.sample.empty()) {
    // The memory of the sort is not in use yet, and has room for the sample.
    const Reservation held = environment.memory.reserve_up_to(options_.sample.capacity() * sizeof(Key));
    classifier_.emplace(options_.range, options_.sample, plan_.buckets);
    if (!options_.rehearse) options_.sample = std::vector<Key>();  // = {} would keep its memory
  }
  store_ =
      std::make_unique<BlockStore>(environment, plan_.block_bytes, plan_.pool_bytes, plan_.coding_threads);
  for (unsigned i = 0; i < demand.threads; ++i) lanes_.push_back(std::make_unique<Lane>(*this, i));
  if (options_.state != nullptr) {
    classifier_.emplace(*options_.state);
    buckets_ = buckets_of(*classifier_, options_.attachment_bytes);
    open_distribution();
    ready_.store(true);
  } else if (classifier_) {
    open_buckets();
    ready_.store(true);
  } else {
    pending_keys_ = Array<Key>(environment.memory, plan_.pending_records, "the sample of a sort");
    pending_attachments_ =
        Buffer(environment.memory, plan_.pending_records * options_.attachment_bytes, "the sample of a sort");
  }
}

template <IntegerKey Key>
DistributionSorter<Key>::~DistributionSorter() = default;

template <IntegerKey Key>
SortDemand DistributionSorter<Key>::demand(const Environment& environment, const Options& options) {
  const std::size_t attachment_bytes = options.attachment_bytes;
  SortDemand demand;
  demand.memory_bytes = options.memory_bytes > 0 ? options.memory_bytes : environment.memory.available();
  demand.attachments = attachment_bytes > 0;
  demand.records = options.records;
  demand.most_records = options.most_records;
  demand.record_bytes = sizeof(Key) + attachment_bytes;
  demand.packed_bytes =
      Packing<Key>::key_bytes_for(static_cast<Key>(options.range.last - options.range.first)) +
      attachment_bytes;
  demand.sort_bytes = BucketSort<Key>::bytes_per_record(attachment_bytes);
  demand.sort_fixed_bytes = BucketSort<Key>::fixed_bytes(attachment_bytes);
  demand.group_records = Packing<Key>::group_records;
  demand.sampled = !options.sample.empty();
  demand.threads = options.threads > 0 ? options.threads : environment.threads;
  // The blocks of a sort that can be saved may be coded by one run and read by another with another codec.
  demand.coding = environment.spill.codec() != SpillCodec::none || options.resumable;
  demand.resumable = options.resumable;
  return demand;
}

template <IntegerKey Key>
void DistributionSorter<Key>::Lane::push(std::span<const Key> keys, const std::byte* const* attachments) {
  std::size_t begin = 0;
  while (lane_ == nullptr) {
    if (begin == keys.size()) return;
    if (!open(keys[begin], attachments != nullptr ? attachments[begin] : nullptr)) ++begin;
  }
  attachments != nullptr ? lane_->push(keys.subspan(begin), attachments + begin)
                         : lane_->push(keys.subspan(begin));
}

template <IntegerKey Key>
void DistributionSorter<Key>::finish() {
  end_input();
  refine_buckets(environment_, *store_, buckets_, plan_);
  sorted_ =
      std::make_unique<SortedBuckets<Key>>(environment_, *store_, buckets_, plan_, options_.attachment_bytes,
                                           options_.unique, options_.compare, options_.last_on_disks);
}

template <IntegerKey Key>
void DistributionSorter<Key>::end_input() {
  if (std::exchange(ended_, true)) return;
  if (!ready_.load()) distribute_pending(std::max<std::size_t>(1, pending_count_ / few_records));
  distribution_->finish();
  distribution_.reset();
  store_->writer.expect(0);  // the parts of buckets that are split stay in memory if there is room
  for (std::size_t b = 0; b < buckets_.size(); ++b) records_ += store_->chains.view(b).records;
}

template <IntegerKey Key>
void DistributionSorter<Key>::save_fan(StateWriter& state) {
  if (!ready_.load()) distribute_pending(plan_.buckets);
  state.value(static_cast<std::uint64_t>(plan_.block_bytes));
  state.value(static_cast<std::uint64_t>(plan_.buckets));
  classifier_->save(state);
}

template <IntegerKey Key>
void DistributionSorter<Key>::save_chains(StateWriter& state) {
  if (distribution_ != nullptr) distribution_->finish();
  store_->writer.write_all();
  store_->chains.write_manifest([&](std::span<const std::byte> bytes) { state.put(bytes); });
}

template <IntegerKey Key>
void DistributionSorter<Key>::restore_chains(StateReader& state) {
  store_->chains.restore([&](std::span<std::byte> bytes) { state.get(bytes); });
  if (store_->chains.size() != buckets_.size()) throw EnvironmentError("the checkpoint describes no sort");
}

template <IntegerKey Key>
void DistributionSorter<Key>::drop_below(Key key) {
  for (std::size_t b = 0; b < buckets_.size() && buckets_[b].range.last < key; ++b) store_->reader.clear(b);
}

template <IntegerKey Key>
void DistributionSorter<Key>::keep_before_sorting(KeepKeys keep) {
  sorted_->keep_before_sorting(std::move(keep));
}
template <IntegerKey Key>
std::uint64_t DistributionSorter<Key>::take_dropped() {
  return sorted_->take_dropped();
}
template <IntegerKey Key>
std::span<const Key> DistributionSorter<Key>::next() {
  return sorted_->next();
}

template <IntegerKey Key>
const std::byte* DistributionSorter<Key>::attachments() const {
  return sorted_->attachments();
}

template <IntegerKey Key>
void DistributionSorter<Key>::classify(std::span<Key> sample, std::size_t buckets) {
  classifier_.emplace(options_.range, sample, buckets);
  open_buckets();
}

template <IntegerKey Key>
void DistributionSorter<Key>::open_buckets() {
  buckets_ = buckets_of(*classifier_, options_.attachment_bytes);
  // This is first, because it may throw; another thread then tries again.
  open_distribution();
  add_chains(*store_, 0, buckets_);
  if (options_.records) store_->writer.expect(expected_blocks(*options_.records));
}

template <IntegerKey Key>
double DistributionSorter<Key>::expected_blocks(std::uint64_t records) const {
  double capacity = 0;
  for (const Bucket<Key>& bucket : buckets_) {
    capacity += static_cast<double>(bucket.packing.capacity(plan_.block_bytes));
  }
  return static_cast<double>(records) * static_cast<double>(buckets_.size()) / capacity;
}

template <IntegerKey Key>
void DistributionSorter<Key>::open_distribution() {
  distribution_ = std::make_unique<Distribution<Key>>(*classifier_, buckets_, store_->writer, 0,
                                                      environment_.memory, lanes(), plan_.shared_blocks);
}

template <IntegerKey Key>
bool DistributionSorter<Key>::gather(Key key, const std::byte* attachment) {
  const std::lock_guard lock(pending_mutex_);
  if (ready_.load()) return false;
  if (pending_count_ < pending_keys_.size()) {
    const std::size_t bytes = options_.attachment_bytes;
    pending_keys_[pending_count_] = key;
    if (bytes > 0) std::memcpy(pending_attachments_.data() + pending_count_ * bytes, attachment, bytes);
    ++pending_count_;
    return true;
  }
  distribute_pending(plan_.buckets);
  return false;
}

template <IntegerKey Key>
void DistributionSorter<Key>::distribute_pending(std::size_t buckets) {
  const std::size_t bytes = options_.attachment_bytes;
  const std::span<Key> gathered = pending_keys_.span().first(pending_count_);
  if (bytes == 0) {
    classify(gathered, std::min(buckets, plan_.buckets));  // reorders the keys, which does no harm
  } else {
    // The copy takes memory that is needed only when buckets are sorted.
    const Array<Key> sample(environment_.memory, pending_count_, "the sample of a sort");
    std::copy(gathered.begin(), gathered.end(), sample.data());
    classify(sample.span(), std::min(buckets, plan_.buckets));
  }
  // The other threads wait in gather(), so their lanes are not in use.
  for (std::size_t i = 0; i < pending_count_; ++i) {
    distribution_->lane(0).push(pending_keys_[i], pending_attachments_.data() + i * bytes);
  }
  pending_keys_ = {};
  pending_attachments_ = {};
  ready_.store(true, std::memory_order_release);
}

template <IntegerKey Key>
std::vector<double> DistributionSorter<Key>::bucket_shares() const {
  const std::vector<Key>& sample = options_.sample;
  const double each = 1.0 / static_cast<double>(sample.empty() ? buckets_.size() : sample.size());
  std::vector<double> shares(buckets_.size(), sample.empty() ? each : 0);
  for (const Key key : sample) {
    if (options_.range.first <= key && key <= options_.range.last) shares[classifier_->bucket(key)] += each;
  }
  return shares;
}

/// As distribute_pending(): the distribution is made while the records for the sample are still held.
template <IntegerKey Key>
void DistributionSorter<Key>::rehearse_sample() {
  const Array<Key> copy(environment_.memory, options_.attachment_bytes == 0 ? 0 : pending_keys_.size(),
                        "the sample of a sort");
  classify({}, plan_.buckets);
  pending_keys_ = {};
  pending_attachments_ = {};
  ready_.store(true);
}

/// A block of a wide bucket holds the fewest records. Every lane leaves a block of each bucket partly filled.
template <IntegerKey Key>
[[gnu::cold]] auto DistributionSorter<Key>::expected_buckets(std::uint64_t records) const -> ExpectedBuckets {
  const std::vector<double> shares = bucket_shares();
  const auto open_blocks = static_cast<double>(plan_.shared_blocks ? 1 : lanes());
  const auto part_records = static_cast<double>(plan_.bucket_records) / 2;  // as split_bucket() aims at
  ExpectedBuckets all;
  double split_records = 0;
  for (std::size_t b = 0; b < buckets_.size(); ++b) {
    const std::size_t capacity = buckets_[b].packing.capacity(plan_.block_bytes);
    all.least_capacity = std::min(all.least_capacity, capacity);
    const double bucket_records = shares[b] * static_cast<double>(records);
    all.blocks += bucket_records / static_cast<double>(capacity) + std::min(bucket_records, open_blocks) / 2;
    if (bucket_records > 2 * part_records) all.parts += bucket_records / part_records;
    if (options_.ordered ||
        1.1 * bucket_records > 2 * part_records) {  // the sample may be wrong by some percent
      split_records += 1.1 * bucket_records;
      ++all.split_buckets;
    }
    all.largest = std::max(all.largest, bucket_records);
    const double code_bytes = expected_code_bytes(layout_of(buckets_[b]), plan_.block_bytes);
    all.code_share += shares[b] * std::min(1.0, code_bytes / static_cast<double>(plan_.block_bytes));
  }
  all.blocks += all.parts * open_blocks / 2;
  all.split_records = std::min(records, static_cast<std::uint64_t>(split_records));
  return all;
}

template <IntegerKey Key>
[[gnu::cold]] SpillForecast DistributionSorter<Key>::rehearse_distribution(std::uint64_t records) {
  if (!ready_.load()) rehearse_sample();
  const ExpectedBuckets expected = expected_buckets(records);
  const std::uint64_t open_blocks = plan_.shared_blocks ? 1 : lanes();
  const std::uint64_t open = buckets_.size() * open_blocks;
  const std::uint64_t unsplit_blocks = records / expected.least_capacity + open;
  const std::uint64_t most_blocks =
      unsplit_blocks + size_product(most_parts(expected.split_records, expected.split_buckets), open_blocks);
  const std::uint64_t lists = ChainStore::bookkeeping_bytes_for(most_blocks);
  const std::size_t free = environment_.memory.available();
  rehearsed_lists_ = environment_.memory.reserve(
      static_cast<std::size_t>(std::min<std::uint64_t>(free, lists)), "the list of sort blocks");
  if (!options_.sample.empty() && !options_.ordered)
    largest_bucket_ = static_cast<std::uint64_t>(1.5 * expected.largest) + few_records;
  SpillForecast spill;
  // The parts of a bucket that is split are filled beside the blocks that were kept.
  spill.most_bytes = store_->writer.spilled_bytes(
      expected.split_buckets > 0 ? most_blocks + size_product(2, open) : most_blocks);
  spill.most_bytes = std::min(spill.most_bytes, size_product(most_blocks, plan_.block_bytes));
  spill.expected_bytes =
      store_->writer.spilled_bytes(std::min(most_blocks, static_cast<std::uint64_t>(expected.blocks)));
  spill.whole_bytes = size_product(unsplit_blocks, plan_.block_bytes);
  if (store_->writer.would_code(layout_of(buckets_.front()))) {
    spill.expected_bytes =
        static_cast<std::uint64_t>(static_cast<double>(spill.expected_bytes) * expected.code_share);
  }
  return spill;
}

template <IntegerKey Key>
std::uint64_t DistributionSorter<Key>::most_parts(std::uint64_t records, std::uint64_t buckets) const {
  const std::uint64_t filled = divide_up(records, std::max<std::uint64_t>(1, plan_.bucket_records));
  const bool once = size_product(2, filled) <= size_product(buckets, plan_.buckets);
  return size_sum(size_product(once ? 2 : 3, filled), size_product(2, buckets), buckets > 0 ? 1 : 0);
}

template <IntegerKey Key>
void DistributionSorter<Key>::rehearse_sorting(std::uint64_t records) {
  distribution_.reset();
  const Reservation sorting = environment_.memory.reserve_up_to(sorting_bytes(records));
}

template <IntegerKey Key>
std::uint64_t DistributionSorter<Key>::sorting_bytes(std::uint64_t records) const {
  const std::uint64_t largest = std::min({records, plan_.bucket_records, largest_bucket_});
  const std::uint64_t slot =
      size_sum(size_product(largest, BucketSort<Key>::bytes_per_record(options_.attachment_bytes)),
               BucketSort<Key>::fixed_bytes(options_.attachment_bytes), 2 * page_bytes);
  const std::uint64_t slots = size_product(slot, std::min(plan_.slots, buckets_.size()));
  const std::uint64_t hub = records > plan_.bucket_records ? plan_.hub_bytes : 0;
  return size_sum(slots, hub);
}

template class DistributionSorter<std::uint64_t>;
template class DistributionSorter<uint128>;

}  // namespace emgraph::core
