// SPDX-License-Identifier: MIT
// Keeps hubs in a heap, and emits degrees in batches.
#include "graph/stats/degree_tally.hpp"

#include <utility>

#include "core/base/bytes.hpp"

namespace emgraph::graph::stats {

DegreeTally::DegreeTally(core::MemoryBudget& budget, bool directed, std::size_t hubs, DegreeConsumer consume)
    : most_hubs_(hubs),
      hub_memory_(budget.reserve(core::size_product(hubs, sizeof(Hub)), "the largest hubs")),
      consume_(std::move(consume)),
      degree_(budget) {
  hubs_.reserve(hubs);
  if (directed) {
    out_.emplace(budget);
    in_.emplace(budget);
  }
  if (consume_) batch_.reserve(batch_values);
}

void DegreeTally::add_hub(const Hub& hub) {
  if (hubs_.size() == most_hubs_) {
    std::pop_heap(hubs_.begin(), hubs_.end(), before);
    hubs_.pop_back();
  }
  hubs_.push_back(hub);
  std::push_heap(hubs_.begin(), hubs_.end(), before);
}

void DegreeTally::hand_on() {
  if (!batch_.empty()) consume_(batch_);
  batch_.clear();
}

void DegreeTally::finish(std::uint64_t nodes) {
  isolated_nodes_ = nodes - nodes_seen_;
  if (isolated_nodes_ > 0) {
    degree_.add(0, isolated_nodes_);
    if (directed()) {
      out_->add(0, isolated_nodes_);
      in_->add(0, isolated_nodes_);
    }
  }
  std::sort(hubs_.begin(), hubs_.end(), before);
  if (!consume_) return;
  fill(nodes);
  hand_on();
}

}  // namespace emgraph::graph::stats
