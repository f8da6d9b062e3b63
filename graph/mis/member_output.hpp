// SPDX-License-Identifier: MIT
// Collects the members of the set into batches for the sink.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/node_sink.hpp"

namespace emgraph::graph::mis {

/// `sink` may be null: then members are only counted.
template <class Id>
class MemberOutput {
 public:
  explicit MemberOutput(NodeSink<Id>* sink) : sink_(sink) {}

  void add(std::uint64_t node) {
    batch_[filled_++] = static_cast<Id>(node);
    if (filled_ == batch_.size()) flush();
  }
  /// All members have been added.
  std::uint64_t finish() {
    flush();
    return count_;
  }

 private:
  void flush() {
    if (sink_ != nullptr && filled_ > 0) sink_->append(std::span<const Id>(batch_.data(), filled_));
    count_ += filled_;
    filled_ = 0;
  }

  NodeSink<Id>* sink_;
  std::array<Id, 4096> batch_;
  std::size_t filled_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace emgraph::graph::mis
