// SPDX-License-Identifier: MIT
// What a checkpoint keeps of a search: the adjacency, written once, and the state of the search.
//
// Problem: the adjacency of a search takes hours to build, and the search goes on in another process.
// Method: the adjacency is the output of a sort that can be resumed (graph/prepare/sort_keeper.hpp). Its
// pages go to the temporary disks of the checkpoint, whatever the memory model. When it is complete, a state
// file describes it, and the states of the search name that file. I/O: as build_pages without resident pages.
// Memory: as build_pages. Threads: as the sort; the other functions one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/base/function_ref.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/environment.hpp"
#include "graph/prepare/adjacency/build_pages.hpp"

namespace emgraph::graph::adjacency {

template <class Id>
class KeptSearch {
 public:
  /// Builds the adjacency of a source, from where an earlier run has stopped. With options.weighting of
  /// stored weights the source has them as attachments. Throws as build_pages, core::Stopped.
  KeptSearch(core::Environment& environment, EdgeSource<Id>& source, const BuildOptions& options);

  /// For the search of an adjacency that is a file.
  KeptSearch(core::Environment& environment, PagedAdjacency<Id>& file);

  PagedAdjacency<Id>& adjacency() { return from_file_ != nullptr ? *from_file_ : *own_; }
  /// As read.
  std::uint64_t edges() const { return edges_; }

  /// What the last seal() of an earlier run has saved of the search; null if there is nothing.
  std::unique_ptr<core::JournalReader> take_state() { return std::move(state_); }

  bool due() const { return checkpoint_.due(); }
  /// Seals the adjacency and the state of the search that `save` writes. `done`: for people. Throws
  /// core::Stopped.
  void seal(const std::string& done, core::FunctionRef<void(core::StateWriter&)> save) {
    seal(done, true, save);
  }

 private:
  void seal(const std::string& done, bool search_began, core::FunctionRef<void(core::StateWriter&)> save);
  void restore();
  BuiltPages<Id> build(EdgeSource<Id>& source, const BuildOptions& options);
  /// The state has the pages before the sort, so that their space is claimed before the sort takes any.
  BuiltPages<Id> sort(EdgeSource<Id>& source, const BuildOptions& options, PageAppender<Id>& pages);
  /// Of a source that has the order of an adjacency.
  BuiltPages<Id> filter(EdgeSource<Id>& source, const BuildOptions& options, PageAppender<Id>& pages);

  core::Environment& environment_;
  core::Checkpoint& checkpoint_;
  PagedAdjacency<Id>* from_file_ = nullptr;
  std::unique_ptr<PagedAdjacency<Id>> own_;
  core::StateFile file_;  ///< describes own_
  std::uint64_t edges_ = 0;
  std::unique_ptr<core::JournalReader> state_;
};

extern template class KeptSearch<std::uint32_t>;
extern template class KeptSearch<std::uint64_t>;

}  // namespace emgraph::graph::adjacency
