// SPDX-License-Identifier: MIT
// OpenOptions to LabelColumns.
#include "graph/format/text/open_label_text.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/table/detect.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/text/open_text.hpp"

namespace emgraph::graph::format {

std::unique_ptr<LabelText> open_label_text(core::Environment& environment, const std::string& input,
                                           const OpenOptions& options) {
  if (input.starts_with("gen:")) throw core::UsageError(input + ": a generator has no labels");
  core::InputFile file(input, environment.io);
  const Format& format = options.format ? format_called(*options.format) : detect_format(environment, file);
  if (!format.columns) {
    throw core::UsageError("--labels: " + file.name() + " has format '" + std::string(format.name) +
                           "', and labels stand in columns of text (--input-format text takes it for that)");
  }
  const TextOptions& text = options.text;
  const TextColumns columns = text.columns.value_or(TextColumns());
  LabelColumns labels{.labels = {columns.source, columns.target}};
  labels.weight = text.weight.value_or(named_weight(format.name));
  if (labels.weight == WeightType::none && columns.weight) labels.weight = WeightType::i64;
  labels.weight_column = columns.weight.value_or(3);
  check_columns(columns, labels.weight == WeightType::none ? 0 : labels.weight_column);
  const std::string called = options.format.value_or("");
  const std::string extension = extension_of(unpacked_name(input));
  const auto is = [&](const char* name) { return called == name || (called.empty() && extension == name); };
  labels.separator = text.separator != 0 ? text.separator : is("csv") ? ',' : is("tsv") ? '\t' : '\0';
  return std::make_unique<LabelText>(environment, std::move(file), labels, text.skip_lines);
}

}  // namespace emgraph::graph::format
