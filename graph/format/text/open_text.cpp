// SPDX-License-Identifier: MIT
// Names to what the columns hold.
#include "graph/format/text/open_text.hpp"

#include <utility>

#include "graph/format/extension.hpp"
#include "graph/format/text/text_source.hpp"
#include "graph/format/text/text_writer.hpp"

namespace emgraph::graph::format {

Opened open_text(core::Environment& environment, core::InputFile input, const Format& format,
                 const OpenOptions& options) {
  TextFormat text;
  text.id_bytes = options.id_bytes.value_or(4);
  if (format.name == "text-u32w") text.weight = WeightType::u32;
  if (format.name == "text-i64w") text.weight = WeightType::i64;
  if (format.name == "text-f32w") text.weight = WeightType::f32;
  if (format.name == "text-f64w") text.weight = WeightType::f64;
  return {std::make_shared<TextSource>(environment, std::move(input), text, options.max_lanes)};
}

std::unique_ptr<EdgeWriter> create_text(const Creation& creation, const Format& /*format*/) {
  const bool comma = extension_of(creation.path) == "csv" || creation.options.format == "csv";
  return std::make_unique<TextWriter>(creation.open_output(), creation.facts.layout, comma ? ',' : '\t');
}

}  // namespace emgraph::graph::format
