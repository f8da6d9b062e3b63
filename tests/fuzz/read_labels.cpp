// SPDX-License-Identifier: MIT
// Reads text with labels from a file and from a pipe, with a table for all labels and with one for few.
#include <cstring>
#include <memory>
#include <string_view>

#include "graph/format/text/label_text.hpp"
#include "graph/prepare/relabel/labels.hpp"
#include "graph/sinks.hpp"
#include "tests/fuzz/reading.hpp"
#include "tests/fuzz/small_environment.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/record.hpp"

namespace emgraph::fuzz {
namespace {

using R = graph::Record<std::uint32_t, 8>;

class KeptLabels final : public graph::LabelSink {
 public:
  void append(std::string_view label) override {
    if (label.empty()) finding("an empty label");
    if (label.find_first_of("\r\n") != std::string_view::npos) finding("a label with a line break");
    labels.emplace_back(label);
  }
  std::vector<std::string> labels;
};

/// All edges, each as its two labels and its weight.
Reading<std::string> read_all(const std::string& way, const std::string& path, const std::string& format,
                              std::size_t table_bytes) {
  SmallEnvironment environment;
  return attempt<std::string>(way, [&](std::vector<std::string>& items) {
    KeptLabels map;
    auto text = graph::format::open_label_text(environment.get(), core::InputFile(path, environment.get().io),
                                               {.format = format});
    const auto numbered =
        graph::relabel::number_labels(environment.get(), std::move(text), {.table_bytes = table_bytes}, &map);
    if (map.labels.size() != numbered.source->facts().nodes) finding(way + ": not a label for each node");
    const auto lane = numbered.source->lane(graph::shape_of<R>());
    for (auto batch = lane->next(); batch.count > 0; batch = lane->next()) {
      for (std::size_t i = 0; i < batch.count; ++i) {
        R edge;
        std::memcpy(&edge, batch.records + i * sizeof(R), sizeof(R));
        if (edge.source >= map.labels.size() || edge.target >= map.labels.size()) {
          finding(way + ": a number without a label");
        }
        items.push_back(map.labels[edge.source] + '\n' + map.labels[edge.target] + '\n' +
                        std::string(reinterpret_cast<const char*>(edge.attachment.data()), 8));
      }
      if (items.size() > most_items) return false;
    }
    return true;
  });
}

}  // namespace

Accepted read_labels(const std::string& format, Bytes input) {
  static MemoryFile file;
  file.write(input);
  const auto from_file = read_all("file", file.path(), format, 0);
  expect_same("file", from_file, "small table", read_all("small table", file.path(), format, 1));
  const FullPipe pipe(input);
  expect_same("file", from_file, "pipe", read_all("pipe", pipe.path(), format, 1));
  if (from_file.ending == Ending::complete) return true;
  if (from_file.ending == Ending::data_error) return false;
  return std::nullopt;
}

}  // namespace emgraph::fuzz
