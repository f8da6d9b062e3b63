// SPDX-License-Identifier: MIT
// The levels of a search as lists, and the test whether a candidate for the next level is new.
//
// Problem: neither a level nor a value per node fits into memory.
// Method: a level is a sorted list (NodeList). A candidate for level t + 1 is new if it is on neither level t
// nor level t - 1, because an undirected edge leads at most one level up or down (Munagala and Ranade 1999,
// "I/O-complexity of graph algorithms", SODA). A directed edge can lead to any earlier level; for directed
// graphs one bit per node records the visited nodes, on the disks if necessary (graph/visited_pages.hpp). If
// the bits fit into memory, they are used for undirected graphs, too.
//
// I/O: O(scan) of the two lists per level, if they are not in memory. Memory: three lists, bits if requested,
// charged. Threads: one. Throws: EnvironmentError, MemoryLimitError.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/atomic_bits.hpp"
#include "graph/bfs/external_log.hpp"
#include "graph/node_bits.hpp"
#include "graph/visited_pages.hpp"

namespace emgraph::graph::bfs {

/// The nodes of one level, ascending: up to `capacity` in memory, else on the disks. Written once and read
/// any number of times. I/O: O(scan) if there are more than `capacity`. Memory: `capacity` ids, charged; for
/// longer lists two blocks while the list is written. Threads: one. Throws: EnvironmentError,
/// MemoryLimitError.
template <class Id>
class NodeList {
 public:
  NodeList(core::Environment& environment, std::size_t capacity, std::size_t block_bytes)
      : environment_(&environment),
        block_bytes_(block_bytes),
        few_(environment.memory, capacity, "the nodes of a level") {}

  std::uint64_t size() const { return size_; }
  bool in_memory() const { return size_ <= few_.size(); }
  /// All nodes. Requires: in_memory().
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
  /// Ends the input.
  void finish() {
    if (writer_) run_ = writer_->finish();
    writer_.reset();
  }

  /// Describes a finished list in two parts. All lists restore their runs before the first one restores its
  /// nodes, which may take new space.
  void save_run(core::StateWriter& state) const {
    in_memory() ? core::Run<Id>().save(state) : run_.save(state);
  }
  void save_nodes(core::StateWriter& state) const {
    const std::span<const Id> nodes = in_memory() ? span() : std::span<const Id>{};
    state.value(static_cast<std::uint64_t>(nodes.size()));
    state.array(nodes);
  }
  void restore_run(core::StateReader& state) {
    run_ = core::Run<Id>::restored(*environment_, state);
    size_ = run_.records;
  }
  void restore_nodes(core::StateReader& state) {
    if (size_ > 0 && in_memory()) {
      core::RunReader<Id> reader(*environment_, std::exchange(run_, {}));
      size_ = 0;
      for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
        for (const Id node : batch) push(node);
      }
    }
    for (auto left = state.value<std::uint64_t>(); left > 0; --left) push(state.value<Id>());
    finish();
  }

  friend void swap(NodeList& a, NodeList& b) noexcept {
    std::swap(a.few_, b.few_);
    std::swap(a.size_, b.size_);
    std::swap(a.run_, b.run_);
  }

  /// Reads a finished list, which must outlive it: in batches, or by looking up nodes.
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
    /// True if `node` is in the list. Calls must be in ascending order of nodes, and not mixed with next().
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

template <class Id>
class SearchLevels {
 public:
  struct Options {
    std::uint64_t nodes = 0;
    bool directed = false;
    bool bits_fit = false;   ///< one bit per node may be held in memory
    bool all_pairs = false;  ///< logs all parents of a node, not only the smallest
  };

  /// Lists may take a share of the free memory. Nodes found go to `log`. `state`: what save() has written in
  /// an earlier process, whose log this is; or null.
  SearchLevels(core::Environment& environment, const Options& options, std::size_t block_bytes,
               SearchLog<Id>& log, core::StateReader* state)
      : environment_(environment),
        options_(options),
        log_(log),
        list_capacity_(std::max<std::size_t>(32, environment.memory.available() / 64 / sizeof(Id))),
        before_(environment, list_capacity_, block_bytes),
        current_(environment, list_capacity_, block_bytes),
        next_(environment, list_capacity_, block_bytes) {
    const bool had_bits = state != nullptr && restore_lists(*state);
    if (!options.directed) {
      if (had_bits) make_visited();
      return;
    }
    if (options.bits_fit) {
      visited_.emplace(environment.memory, options.nodes, bits_name);
    } else {
      visited_pages_.emplace(environment, options.nodes, environment.memory.available() / 8);
    }
    if (state == nullptr) return;
    log_.for_each_node([&](Id node) { visited_ ? visited_->set(node) : void(visited_pages_->visit(node)); });
  }

  /// Between two levels. The bits of the visited nodes follow from the log.
  void save(core::StateWriter& state) const {
    state.value(size_);
    state.value(listed_);
    state.value(visited_.has_value());
    for (const NodeList<Id>* const list : {&before_, &current_}) list->save_run(state);
    for (const NodeList<Id>* const list : {&before_, &current_}) list->save_nodes(state);
  }

  /// Number of nodes on the current level.
  std::uint64_t size() const { return size_; }
  /// The current level. Requires: listed().
  const NodeList<Id>& current() const { return current_; }
  /// True if the current level is a list; false if it was too large for one in take().
  bool listed() const { return listed_; }
  /// Bits of the visited nodes, or null.
  const NodeBits* visited() const { return visited_ ? &*visited_ : nullptr; }
  const NodeBits& make_visited() {
    if (!visited_) {
      visited_.emplace(environment_.memory, options_.nodes, bits_name);
      log_.for_each_node([&](Id node) { visited_->set(node); });
    }
    return *visited_;
  }

  /// Begins a level; accept() takes every candidate; end() makes it the current level.
  void begin() {
    next_.clear();
    if (!visited_ && !visited_pages_) {
      before_reader_.emplace(before_);
      current_reader_.emplace(current_);
    }
  }
  /// Takes a candidate and its neighbour on the level above. Requires: candidates ascend.
  void accept(Id node, Id parent) {
    if (has_last_ && node == last_) {
      if (last_is_new_ && options_.all_pairs) log_.add_parent(node, parent);
      return;
    }
    has_last_ = true;
    last_ = node;
    last_is_new_ = is_new(node);
    if (!last_is_new_) return;
    next_.push(node);
    log_.add(node);
    log_.add_parent(node, parent);
  }
  void end() {
    next_.finish();
    before_reader_.reset();
    current_reader_.reset();
    has_last_ = false;
    size_ = next_.size();
    listed_ = true;
    swap(before_, current_);
    swap(current_, next_);
    next_.clear();
    if (size_ > 0) log_.end_level();
  }

  /// Makes the nodes of these bits, which are in the log already, the next level, and makes its list if it
  /// fits into memory. Requires: make_visited() was called.
  void take(const AtomicBits& bits) {
    const std::span<const std::uint64_t> words = bits.words();
    std::uint64_t size = 0;
#pragma omp simd reduction(+ : size)
    for (std::size_t w = 0; w < words.size(); ++w)
      size += static_cast<std::uint64_t>(std::popcount(words[w]));
    size_ = size;
    next_.clear();
    listed_ = size_ <= list_capacity_;
    bits.for_each_one(0, words.size(), [&](std::uint64_t found) {
      const auto node = static_cast<Id>(found);
      visited_->set(node);
      if (listed_) next_.push(node);
    });
    next_.finish();
    swap(current_, next_);
    next_.clear();
    if (size_ > 0) log_.end_level();
  }

 private:
  static constexpr const char* bits_name = "one bit per node";

  /// True if there were bits of the visited nodes.
  bool restore_lists(core::StateReader& state) {
    size_ = state.value<std::uint64_t>();
    listed_ = state.value<bool>();
    const bool bits = state.value<bool>();
    for (NodeList<Id>* const list : {&before_, &current_}) list->restore_run(state);
    for (NodeList<Id>* const list : {&before_, &current_}) list->restore_nodes(state);
    return bits;
  }

  bool is_new(Id node) {
    if (visited_) {
      if (visited_->test(node)) return false;
      visited_->set(node);
      return true;
    }
    if (visited_pages_) return visited_pages_->visit(node);
    return !current_reader_->contains(node) && !before_reader_->contains(node);
  }

  core::Environment& environment_;
  const Options options_;
  SearchLog<Id>& log_;
  const std::size_t list_capacity_;
  NodeList<Id> before_;
  NodeList<Id> current_;
  NodeList<Id> next_;
  std::uint64_t size_ = 0;
  bool listed_ = true;
  std::optional<NodeBits> visited_;
  std::optional<VisitedPages> visited_pages_;
  std::optional<typename NodeList<Id>::Reader> before_reader_;
  std::optional<typename NodeList<Id>::Reader> current_reader_;

  bool has_last_ = false;
  Id last_ = 0;
  bool last_is_new_ = false;
};

}  // namespace emgraph::graph::bfs
