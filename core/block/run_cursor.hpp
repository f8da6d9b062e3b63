// SPDX-License-Identifier: MIT
// Reads a run record by record, for merging.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "core/block/run.hpp"

namespace emgraph::core {

/// Reads a run record by record, consuming it or not, as RunReader does. I/O, Memory, Throws: as RunReader,
/// with `depth` blocks read ahead. Threads: one user.
template <class T>
class RunCursor {
 public:
  static constexpr std::size_t depth = 2;

  /// Reads the first block.
  template <class AnyRun>
  RunCursor(Environment& environment, AnyRun&& run)
      : reader_(environment, std::forward<AnyRun>(run), depth), batch_(reader_.next()) {}
  bool at_end() const { return batch_.empty(); }
  const T& operator*() const { return batch_.front(); }
  const T* operator->() const { return &batch_.front(); }
  void next() {
    batch_ = batch_.subspan(1);
    if (batch_.empty()) batch_ = reader_.next();
  }

 private:
  RunReader<T> reader_;
  std::span<const T> batch_;
};

}  // namespace emgraph::core
