// SPDX-License-Identifier: MIT
// A sort by source or target whose finished work is kept in a checkpoint.
//
// Problem: a sort of hours is killed, and goes on in another process, with any memory and threads. Method:
// all threads stop reading when the period of the checkpoint is over; what they have read is on disk then,
// and the journal names every block with its seal. When all is read, the places of the blocks go to a file of
// their own. While the edges are written, the journal names the last key that was written and how many
// records of this key, and the state of the output: key ranges below it are not sorted again. I/O: as
// sort_by_key, but every block is written once. Memory: as sort_by_key. Threads: all.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "graph/prepare/sealed_sort.hpp"
#include "graph/prepare/sort_by_key.hpp"

namespace emgraph::graph::prepare {

/// Reads on all lanes until `pause` or the end. Returns what was read, whether it is a prefix of the input,
/// and notes lanes that have ended.
template <class Id, class Take>
bool read_until_pause(const Lanes<Id>& lanes, const std::string& name, const IdBound& bound,
                      core::Phase& phase, core::Checkpoint& checkpoint, IngestFacts& read,
                      std::vector<char>& ended, const Take& take) {
  const std::uint64_t from = read.edges;
  std::vector<IngestFacts> facts(lanes.size());
  std::vector<std::uint64_t> ends(lanes.size(), from);
  std::atomic<bool> pause{false};
  core::run_on_threads(static_cast<unsigned>(lanes.size()), [&](unsigned thread) {
    try {
      while (!ended[thread] && !pause.load(std::memory_order_relaxed)) {
        const EdgeBatch<Id> all = lanes[thread].next();
        if (all.empty()) {
          ended[thread] = 1;
          return;
        }
        const std::uint64_t first = lanes[thread].first_edge();
        const EdgeBatch<Id> batch = from_edge(all, first, from);
        ends[thread] = std::max(ends[thread], first + all.size());
        facts[thread].merge({batch.size(), check_ids(all, bound, lanes[thread].place(name))});
        take(thread, batch);
        phase.advance(batch.size());
        if (checkpoint.due()) pause = true;
      }
    } catch (...) {
      pause = true;
      throw;
    }
  });
  for (const IngestFacts& part : facts) read.merge(part);
  return read.edges == *std::max_element(ends.begin(), ends.end());
}

/// One attempt: with keys for a bound of the ids.
template <class Id, class Keys>
class ResumableSort {
 public:
  using Key = typename Keys::key_type;

  ResumableSort(SortInput<Id> input, const Keys& keys, const SealedSort& sealed)
      : input_(std::move(input)),
        environment_(input_.environment),
        checkpoint_(*environment_.checkpoint),
        keys_(keys),
        sealed_(sealed) {
    sealed_.ids_below = input_.bound.below.value_or(0);
    sealed_.guessed = input_.bound.guessed ? 1 : 0;
  }

  template <class Visit>
  SortResult run(const SortSpec& spec, const Visit& visit, bool by_target, const SortOptions& options,
                 const std::optional<std::uint64_t>& nodes, const RecordConsumer& consume,
                 const KeptOutput& kept) {
    const bool written = sealed_.stage == SealedSort::writing;
    bool can_seal = written;
    EdgeSource<Id>& source = input_.source;
    IngestFacts read{sealed_.edges_read, sealed_.largest_id, source.facts().name};
    if (read.edges > 0 && !written && source.rewindable()) source.seek(read.edges - 1);
    auto open =
        open_sort(input_, keys_, spec, visit, [&](unsigned) { return sorter_memory(environment_.memory); });
    auto& sorter = *open.sorter;
    if (spec.state != nullptr && !written) sorter.restore_chains(*spec.state);
    if (!written) {
      distribute(open.lanes, sorter, take_visited(keys_, visit), read);
      open.lanes.clear();
      sorter.end_input();
      // A short distribution can be made again.
      if (checkpoint_.due(0.25)) {
        checkpoint_.write_file("emgraph.list", [&](core::StateWriter& to) { sorter.save_chains(to); });
        can_seal = true;
        sealed_.stage = SealedSort::writing;
        seal_written(sorter, Key{0}, 0, kept);
      }
    } else {
      open.lanes.clear();
      core::JournalReader list(checkpoint_.file("emgraph.list"));
      sorter.restore_chains(list);
      sorter.end_input();
      last_ = spec.state->template value<Key>();
      equal_ = spec.state->template value<std::uint64_t>();
      kept.restore(*spec.state);
      sorter.drop_below(last_);
    }
    sorter.finish();
    write(sorter, by_target, consume, kept, can_seal);
    SortResult result;
    result.nodes = read.nodes(nodes);
    result.edges = read.edges;
    if (options.no_loops) result.loops_removed = result.edges - sorter.records() / spec.keys_per_edge;
    result.edges_out = sealed_.edges_out;
    result.duplicates_removed = sorter.records() - result.edges_out;
    return result;
  }

 private:
  template <class Sorter, class Take>
  void distribute(const Lanes<Id>& lanes, Sorter& sorter, const Take& take, IngestFacts& read) {
    const EdgeFacts& facts = input_.source.facts();
    core::Phase phase(environment_.progress, "distribute", facts.edges.value_or(0), "edges");
    phase.advance(read.edges);
    std::vector<char> ended(lanes.size(), 0);
    for (bool all = false; !all;) {
      const bool prefix = read_until_pause(
          lanes, facts.name, input_.bound, phase, checkpoint_, read, ended,
          [&](unsigned thread, const EdgeBatch<Id>& batch) { take(thread, sorter.lane(thread), batch); });
      all = std::all_of(ended.begin(), ended.end(), [](char lane) { return lane != 0; });
      sealed_.edges_read = read.edges;
      sealed_.largest_id = read.largest_id;
      if (all || !prefix) {
        if (!prefix) checkpoint_.stop_if_asked();
        continue;
      }
      checkpoint_.seal(edges_done(read.edges, "read"), [&](core::StateWriter& to) {
        to.value(sealed_);
        sorter.save_fan(to);
        sorter.save_chains(to);
      });
    }
    core::run_on_threads(sorter.lanes(), [&](unsigned thread) { sorter.lane(thread).finish(); });
  }

  template <class Sorter>
  void seal_written(Sorter& sorter, Key last, std::uint64_t equal, const KeptOutput& kept) {
    checkpoint_.seal(edges_done(sealed_.edges_read, "read") + ", " + edges_done(sealed_.edges_out, "written"),
                     [&](core::StateWriter& to) {
                       to.value(sealed_);
                       sorter.save_fan(to);
                       to.value(last);
                       to.value(equal);
                       kept.save(to);
                     });
  }

  template <class Sorter>
  void write(Sorter& sorter, bool by_target, const RecordConsumer& consume, const KeptOutput& kept,
             bool can_seal) {
    core::Phase phase(environment_.progress, "sort and write", sorter.records(), "edges");
    phase.advance(sealed_.edges_out);
    RecordBuffer<Id> records(input_.source.shape());
    const std::size_t attached = input_.source.attachment_bytes();
    std::uint64_t skip = equal_;  // records of key last_ that are still to come and are written already
    for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
      std::size_t first = 0;
      if (sealed_.edges_out > 0 && batch.front() <= last_ && skip_to_new_ > 0) {
        first = static_cast<std::size_t>(std::lower_bound(batch.begin(), batch.end(), last_) - batch.begin());
        for (; skip > 0 && first < batch.size() && batch[first] == last_; --skip) ++first;
      }
      const auto fresh = batch.subspan(first);
      if (fresh.empty()) continue;
      skip_to_new_ = 0;
      records.write(keys_, by_target, fresh,
                    attached == 0 ? nullptr : sorter.attachments() + first * attached, consume);
      note_last(fresh);
      sealed_.edges_out += fresh.size();
      phase.advance(fresh.size());
      if (!checkpoint_.due()) continue;
      if (can_seal) seal_written(sorter, last_, equal_, kept);
      checkpoint_.stop_if_asked();
    }
  }

  void note_last(std::span<const Key> batch) {
    const Key last = batch.back();
    const auto same =
        static_cast<std::uint64_t>(batch.end() - std::lower_bound(batch.begin(), batch.end(), last));
    const bool more_of_it = same == batch.size() && sealed_.edges_out > 0 && last == last_;
    equal_ = more_of_it ? equal_ + same : same;
    last_ = last;
  }

  SortInput<Id> input_;
  core::Environment& environment_;
  core::Checkpoint& checkpoint_;
  const Keys keys_;
  SealedSort sealed_;
  Key last_ = 0;             ///< the last key that was written
  std::uint64_t equal_ = 0;  ///< records of this key that were written
  int skip_to_new_ = 1;      ///< 0: all that comes is new
};

/// As sort_by_key, with the checkpoint of the environment. `state`: of an earlier run, after `sealed`; null:
/// from the start.
template <class Id>
SortResult resumable_sort_by_key(core::Environment& environment, EdgeSource<Id>& source,
                                 const SortOptions& options, const std::optional<std::uint64_t>& nodes,
                                 std::unique_ptr<core::JournalReader> state, const SealedSort& sealed,
                                 const RecordConsumer& consume, const KeptOutput& kept) {
  core::Checkpoint& checkpoint = *environment.checkpoint;
  return with_key_sort(source, options, nullptr, [&](SortSpec spec, const auto& visit, bool by_target) {
    spec.sealed = true;
    bool begun = false;
    const auto attempt = [&](SortInput<Id> input) {
      // The guess of the ids was wrong: what was sealed has keys that are too short.
      if (std::exchange(begun, true)) checkpoint.start_again(checkpoint.id_bytes());
      return with_edge_keys<Id>(input.bound.below, [&](const auto& keys) {
        ResumableSort<Id, std::decay_t<decltype(keys)>> sort(std::move(input), keys,
                                                             spec.state != nullptr ? sealed : SealedSort{});
        return sort.run(spec, visit, by_target, options, nodes, consume, kept);
      });
    };
    if (state != nullptr) {
      spec.state = state.get();
      try {
        return attempt({environment, source, sealed.bound(), {}});
      } catch (const GuessFailed&) {
        source.rewind();
        spec.state = nullptr;
      }
      return attempt(sort_input(environment, source, nodes));
    }
    return with_id_bound(environment, source, nodes, attempt);
  });
}

}  // namespace emgraph::graph::prepare
