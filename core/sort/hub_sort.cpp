// SPDX-License-Identifier: MIT
// Merge-sorts attachments as records of a fixed width that holds them.
#include "core/sort/hub_sort.hpp"

#include <array>
#include <cstring>
#include <optional>

#include "core/sort/merge_sorter.hpp"

namespace emgraph::core {
namespace {

template <std::size_t Width>
class PaddedSort final : public AttachmentSort {
 public:
  PaddedSort(Environment& environment, std::size_t memory_bytes, std::size_t attachment_bytes,
             CompareAttachments compare)
      : bytes_(attachment_bytes),
        sorter_(environment, MergeSorterOptions{.memory_bytes = memory_bytes}, {compare, attachment_bytes}) {}

  void push(const std::byte* attachments, std::size_t count) override {
    std::array<Record, 32> batch{};
    while (count > 0) {
      const std::size_t here = std::min(count, batch.size());
      for (std::size_t i = 0; i < here; ++i) std::memcpy(batch[i].data(), attachments + i * bytes_, bytes_);
      sorter_.push({batch.data(), here});
      attachments += here * bytes_;
      count -= here;
    }
  }
  void finish() override { stream_.emplace(sorter_.finish()); }
  void next(std::byte* to, std::size_t count) override {
    for (std::size_t i = 0; i < count; ++i) {
      if (ahead_.empty()) ahead_ = stream_->next();
      std::memcpy(to + i * bytes_, ahead_.front().data(), bytes_);
      ahead_ = ahead_.subspan(1);
    }
  }

 private:
  using Record = std::array<std::byte, Width>;
  struct Less {
    CompareAttachments compare;
    std::size_t bytes;
    bool operator()(const Record& a, const Record& b) const { return compare(a.data(), b.data(), bytes) < 0; }
  };
  using Sorter = MergeSorter<Record, Less>;

  const std::size_t bytes_;
  Sorter sorter_;
  std::optional<typename Sorter::Stream> stream_;
  std::span<const Record> ahead_;
};

}  // namespace

std::unique_ptr<AttachmentSort> make_attachment_sort(Environment& environment, std::size_t memory_bytes,
                                                     std::size_t attachment_bytes,
                                                     CompareAttachments compare) {
  const auto make = [&]<std::size_t Width>() -> std::unique_ptr<AttachmentSort> {
    return std::make_unique<PaddedSort<Width>>(environment, memory_bytes, attachment_bytes, compare);
  };
  if (attachment_bytes <= 16) return make.template operator()<16>();
  return make.template operator()<most_attachment_bytes>();
}

}  // namespace emgraph::core
