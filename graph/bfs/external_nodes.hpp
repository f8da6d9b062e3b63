// SPDX-License-Identifier: MIT
// The nodes of one level, ascending: in memory while they are few, else on the disks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "core/block/run.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::bfs {

/// A list of ids that is written once and read any number of times. A level of some thousand nodes costs no
/// transfer. I/O: O(scan) once there are more than `capacity`. Memory: `capacity` ids, charged; beyond it two
/// blocks while the list is written. Threads: one. Throws: EnvironmentError, MemoryLimitError.
template <class Id>
class NodeList {
 public:
  NodeList(core::Environment& environment, std::size_t capacity, std::size_t block_bytes)
      : environment_(&environment),
        block_bytes_(block_bytes),
        few_(environment.memory, capacity, "the nodes of a level") {}

  std::uint64_t size() const { return size_; }
  bool in_memory() const { return size_ <= few_.size(); }
  /// All of them. Requires: in_memory().
  std::span<const Id> span() const { return few_.span().first(static_cast<std::size_t>(size_)); }

  void clear() {
    size_ = 0;
    writer_.reset();
    run_ = {};
  }
  void push(Id node) {
    if (size_ < few_.size()) [[likely]] {
      few_[static_cast<std::size_t>(size_++)] = node;
      return;
    }
    if (!writer_) {
      writer_.emplace(*environment_, block_bytes_, 2);
      writer_->append(few_.span());
    }
    writer_->push(node);
    ++size_;
  }
  /// All have been pushed.
  void finish() {
    if (writer_) run_ = writer_->finish();
    writer_.reset();
  }

  friend void swap(NodeList& a, NodeList& b) noexcept {
    std::swap(a.few_, b.few_);
    std::swap(a.size_, b.size_);
    std::swap(a.run_, b.run_);
  }

  /// Goes through a finished list, which must outlive it, batch by batch or looking for nodes.
  /// Memory: two blocks if the list is not in memory.
  class Reader {
   public:
    explicit Reader(const NodeList& list) {
      if (list.in_memory()) {
        batch_ = list.span();
      } else {
        reader_.emplace(*list.environment_, list.run_);
        batch_ = reader_->next();
      }
    }
    /// The next nodes, empty at the end.
    std::span<const Id> next() {
      const std::span<const Id> all = std::exchange(batch_, {});
      if (reader_ && !all.empty()) following_ = true;
      return all.empty() && following_ ? reader_->next() : all;
    }
    /// Is `node` in the list? Nodes must be asked for in ascending order; not to be mixed with next().
    bool contains(Id node) {
      while (!batch_.empty() && batch_.front() < node) {
        batch_ = batch_.subspan(1);
        if (batch_.empty() && reader_) batch_ = reader_->next();
      }
      return !batch_.empty() && batch_.front() == node;
    }

   private:
    std::span<const Id> batch_;
    bool following_ = false;
    std::optional<core::RunReader<Id>> reader_;
  };

 private:
  core::Environment* environment_;
  std::size_t block_bytes_;
  core::Array<Id> few_;
  std::uint64_t size_ = 0;
  std::optional<core::RunWriter<Id>> writer_;
  core::Run<Id> run_;
};

}  // namespace emgraph::graph::bfs
