// SPDX-License-Identifier: MIT
// Reads node values from a file and from a pipe, one by one and in rows, integers and doubles.
#include <cstdint>

#include "graph/format/nodes/node_reader.hpp"
#include "tests/fuzz/reading.hpp"
#include "tests/fuzz/small_environment.hpp"
#include "tests/fuzz/targets.hpp"

namespace emgraph::fuzz {
namespace {

using graph::format::NodeNumbers;
using graph::format::NodeReaderOptions;

Reading<std::uint64_t> read_all(const std::string& way, const std::string& path,
                                const NodeReaderOptions& options) {
  SmallEnvironment environment;
  return attempt<std::uint64_t>(way, [&](std::vector<std::uint64_t>& values) {
    const auto reader = graph::format::open_node_reader(environment.get(), path, options);
    const std::optional<std::uint64_t> count = reader->count();
    for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) {
      values.insert(values.end(), batch.begin(), batch.end());
      if (values.size() > most_items) return false;
    }
    if (count && *count != values.size()) {
      finding(way + ": " + std::to_string(values.size()) + " values where " + std::to_string(*count) +
              " were announced");
    }
    return true;
  });
}

}  // namespace

Accepted read_node_values(const std::string& format, Bytes input) {
  static MemoryFile file;
  file.write(input);
  Accepted accepted;
  for (const std::uint64_t columns : {0, 3}) {
    for (const std::size_t value_bytes : {4, 8}) {
      if (value_bytes == 8 && (format != "bin" || columns != 0)) continue;
      for (const NodeNumbers numbers : {NodeNumbers::integers, NodeNumbers::either}) {
        const NodeReaderOptions options{
            .format = format, .bin_value_bytes = value_bytes, .columns = columns, .numbers = numbers};
        const auto from_file = read_all("file", file.path(), options);
        const FullPipe pipe(input);
        expect_same("file", from_file, "pipe", read_all("pipe", pipe.path(), options));
        if (from_file.ending == Ending::complete) accepted = true;
        if (from_file.ending == Ending::data_error && !accepted) accepted = false;
      }
    }
  }
  read_all("file, format detected", file.path(), {});
  return accepted;
}

}  // namespace emgraph::fuzz
