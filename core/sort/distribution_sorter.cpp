// SPDX-License-Identifier: MIT
// Combines distribution, refinement and sorted buckets.
#include "core/sort/distribution_sorter.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/sort/bucket_refinement.hpp"
#include "core/sort/sorted_buckets.hpp"

namespace emgraph::core {

template <IntegerKey Key>
DistributionSorter<Key>::DistributionSorter(Environment& environment, Options options)
    : environment_(environment), options_(std::move(options)) {
  const SortDemand demand = DistributionSorter::demand(environment, options_);
  plan_ = SortPlan::make(demand);
  store_ =
      std::make_unique<BlockStore>(environment, plan_.block_bytes, plan_.pool_bytes, plan_.coding_threads);
  for (unsigned i = 0; i < demand.threads; ++i) lanes_.push_back(std::make_unique<Lane>(*this, i));
  if (!options_.sample.empty()) {
    classify(options_.sample, plan_.buckets);
    options_.sample = std::vector<Key>();  // = {} would keep its memory
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
  demand.coding = environment.spill.codec() != SpillCodec::none;
  return demand;
}

template <IntegerKey Key>
void DistributionSorter<Key>::finish() {
  if (!ready_.load()) distribute_pending(std::max<std::size_t>(1, pending_count_ / few_records));
  distribution_->finish();
  distribution_.reset();
  for (std::size_t b = 0; b < buckets_.size(); ++b) records_ += store_->chains.view(b).records;
  refine_buckets(environment_, *store_, buckets_, plan_);
  sorted_ = std::make_unique<SortedBuckets<Key>>(
      environment_, *store_, buckets_, plan_, options_.attachment_bytes, options_.unique, options_.compare);
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
  buckets_ = buckets_of(*classifier_, options_.attachment_bytes);
  // This is first, because it may throw; another thread then tries again.
  distribution_ = std::make_unique<Distribution<Key>>(*classifier_, buckets_, store_->writer, 0,
                                                      environment_.memory, lanes(), plan_.shared_blocks);
  add_chains(*store_, 0, buckets_);
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
  std::vector<Key> sample(pending_keys_.data(), pending_keys_.data() + pending_count_);
  classify(sample, std::min(buckets, plan_.buckets));
  // The other threads wait in gather(), so their lanes are not in use.
  const std::size_t bytes = options_.attachment_bytes;
  for (std::size_t i = 0; i < pending_count_; ++i) {
    distribution_->lane(0).push(pending_keys_[i], pending_attachments_.data() + i * bytes);
  }
  pending_keys_ = {};
  pending_attachments_ = {};
  ready_.store(true, std::memory_order_release);
}

template class DistributionSorter<std::uint64_t>;
template class DistributionSorter<uint128>;

}  // namespace emgraph::core
