// SPDX-License-Identifier: MIT
// Returns the records of a bucket that has a single key and is too large for memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/base/bytes.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "core/sort/bucket_sort.hpp"

namespace emgraph::core {

/// An external sort of attachments without keys. I/O: O(sort). Memory: the given amount. Threads: one user.
/// Throws: MemoryLimitError, EnvironmentError.
class AttachmentSort {
 public:
  virtual ~AttachmentSort() = default;
  /// Takes `count` attachments, which are contiguous.
  virtual void push(const std::byte* attachments, std::size_t count) = 0;
  /// Ends the input.
  virtual void finish() = 0;
  /// Returns the next `count` attachments in order. Requires: there are at least `count`.
  virtual void next(std::byte* to, std::size_t count) = 0;
};

/// `attachment_bytes`: 1 to most_attachment_bytes.
std::unique_ptr<AttachmentSort> make_attachment_sort(Environment& environment, std::size_t memory_bytes,
                                                     std::size_t attachment_bytes,
                                                     CompareAttachments compare);

/// Without attachments the key and its number of records are sufficient. Attachments are merge-sorted.
/// I/O: none; with attachments O(sort). Memory: `memory_bytes` for attachments, their batch included; up to
/// 4 KiB of keys are not charged. Threads: one user.
template <IntegerKey Key>
class HubSort {
 public:
  HubSort(Environment& environment, std::size_t memory_bytes, BlockStore& store, std::size_t chain,
          const Bucket<Key>& bucket, bool unique, CompareAttachments compare)
      : left_(unique ? 1 : store.chains.view(chain).records),
        attachments_(environment.memory, batch_records * bucket.packing.attachment_bytes,
                     "attachments of a hub") {
    keys_.fill(bucket.range.first);
    if (bucket.packing.attachment_bytes == 0) return;
    sort_ = make_attachment_sort(environment, memory_bytes - round_up(attachments_.size(), page_bytes),
                                 bucket.packing.attachment_bytes, compare);
    store.reader.consume(chain, [&](const std::byte* from, std::size_t records) {
      constexpr std::size_t most = Packing<Key>::group_records;
      for (std::size_t done = 0; done < records; done += most, from += bucket.packing.group_bytes()) {
        sort_->push(bucket.packing.attachments_of(from), std::min(most, records - done));
      }
    });
    sort_->finish();
  }

  /// The next keys, which are all equal; empty at the end.
  std::span<const Key> next() {
    const auto here = static_cast<std::size_t>(std::min<std::uint64_t>(left_, keys_.size()));
    if (sort_) sort_->next(attachments_.data(), here);
    left_ -= here;
    return std::span(keys_).first(here);
  }
  /// Attachments of the latest batch, contiguous.
  const std::byte* attachments() const { return attachments_.data(); }

 private:
  static constexpr std::size_t batch_records = 256;

  std::uint64_t left_;
  std::array<Key, batch_records> keys_;
  Buffer attachments_;
  std::unique_ptr<AttachmentSort> sort_;
};

}  // namespace emgraph::core
