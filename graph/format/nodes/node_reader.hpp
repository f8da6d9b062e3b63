// SPDX-License-Identifier: MIT
// Reads node results in order, for `check` and `cat`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"

namespace emgraph::graph::format {

/// The kind of values in a file. floating: a NumPy array must hold floating-point numbers, text may hold
/// both, .bin does. either: the header decides; of text one fraction or infinity among the values, of a pipe
/// among those of the first 64 KiB; and .bin holds integers.
enum class NodeNumbers { integers, floating, either };

struct NodeReaderOptions {
  /// "npy", "tsv", "bin"; default: by magic, then extension, else text if printable.
  std::optional<std::string> format = std::nullopt;
  /// Bytes of the values in a .bin file, which has no header: 4 or 8.
  std::size_t bin_value_bytes = 4;
  /// 0: one value per entry. Else the number of values per row, as NodeWriterOptions::columns writes them.
  std::uint64_t columns = 0;
  NodeNumbers numbers = NodeNumbers::integers;
};

/// Not thread-safe.
class NodeReader {
 public:
  virtual ~NodeReader() = default;
  /// The next values, widened to 64 bits; empty at the end. Valid until the next call. Floating-point values
  /// are given as the bits of doubles. Throws DataError.
  virtual std::span<const std::uint64_t> next() = 0;
  /// Number of values, if the file declares it.
  virtual std::optional<std::uint64_t> count() const = 0;
  /// Bytes of a stored value (of an integer, all ones means unreached); 0 for text.
  virtual std::size_t value_bytes() const = 0;
  /// True if the values are floating-point numbers.
  virtual bool floating() const = 0;
};

/// `path`: a path or "-". npy: one dimension. tsv: one value per line, or "node\tvalue" in node order. Throws
/// DataError, also for values of the wrong kind.
std::unique_ptr<NodeReader> open_node_reader(core::Environment& environment, const std::string& path,
                                             const NodeReaderOptions& options);

/// Packed or not. Lines "value", or "node\tvalue" with nodes 0, 1, 2, …; all lines of one kind; with
/// `row_values` lines of as many values, at most 16. # starts a comment line. Values are whole numbers of 0
/// or more, or any numbers including "inf" and "nan" if they are floating.
std::unique_ptr<NodeReader> open_node_text(core::Environment& environment, core::InputFile input,
                                           std::uint64_t row_values, NodeNumbers numbers);

}  // namespace emgraph::graph::format
