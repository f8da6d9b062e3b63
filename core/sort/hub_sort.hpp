// SPDX-License-Identifier: MIT
// Hands on a bucket that holds one key only and is too large for memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/sort/bucket_sort.hpp"
#include "core/sort/merge_sorter.hpp"

namespace emgraph::core {

/// Does not depend on the key: one merge sorter serves all.
template <std::size_t A>
struct AttachmentLess {
  CompareAttachments compare;
  template <class Attachment>
  bool operator()(const Attachment& a, const Attachment& b) const {
    return compare(a.data(), b.data(), A) < 0;
  }
};

/// Without attachments the key and its count say it all. With attachments these are merge-sorted.
/// I/O: none; with attachments O(sort). Memory: `memory_bytes` for attachments. Threads: one user.
template <IntegerKey Key, std::size_t A>
class HubSort {
 public:
  using Record = KeyedRecord<Key, A>;

  HubSort(Environment& environment, std::size_t memory_bytes, BlockStore& store, std::size_t chain,
          const Bucket<Key, A>& bucket, bool unique, CompareAttachments compare)
      : left_(unique ? 1 : store.chains.view(chain).records), batch_(batch_records) {
    for (Record& record : batch_) record.key = bucket.range.first;
    if constexpr (A > 0) {
      sorter_ = std::make_unique<Sorter>(environment, MergeSorterOptions{.memory_bytes = memory_bytes},
                                         AttachmentLess<A>{compare});
      std::vector<Attachment> attachments(store.block_bytes() / A);
      store.reader.consume(chain, [&](const std::byte* from, std::size_t records) {
        bucket.packing.unpack_attachments(from, records, attachments[0].data());
        sorter_->push({attachments.data(), records});
      });
      stream_ = std::make_unique<typename Sorter::Stream>(sorter_->finish());
    }
  }

  std::span<const Record> next() {
    const auto here = static_cast<std::size_t>(std::min<std::uint64_t>(left_, batch_.size()));
    if constexpr (A > 0) {
      for (std::size_t i = 0; i < here; ++i) {
        if (ahead_.empty()) ahead_ = stream_->next();
        batch_[i].attachment = ahead_.front();
        ahead_ = ahead_.subspan(1);
      }
    }
    left_ -= here;
    return {batch_.data(), here};
  }

 private:
  static constexpr std::size_t batch_records = 4096;
  using Attachment = std::array<std::byte, A == 0 ? 1 : A>;
  using Sorter = MergeSorter<Attachment, AttachmentLess<A>>;

  std::uint64_t left_;
  std::vector<Record> batch_;
  std::unique_ptr<Sorter> sorter_;
  std::unique_ptr<typename Sorter::Stream> stream_;
  std::span<const Attachment> ahead_;
};

}  // namespace emgraph::core
