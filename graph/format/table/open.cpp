// SPDX-License-Identifier: MIT
// Finds the format by name, by `gen:` or by the content, and calls its function.
#include "graph/format/table/open.hpp"

#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/source/generator_source.hpp"
#include "graph/format/table/detect.hpp"

namespace emgraph::graph::format {

namespace {

constexpr std::string_view generator_mark = "gen:";

std::unique_ptr<EdgeInput> opened_input(Opened opened, const OpenOptions& options, std::string_view format) {
  EdgeFacts facts = opened.source->facts();
  if (options.nodes) facts.nodes = options.nodes;
  for (std::string& note : opened.notes) note = facts.name + ": " + note;
  return std::make_unique<EdgeInput>(std::move(opened), std::move(facts), std::string(format));
}

void check_id_bytes(const OpenOptions& options) {
  if (!options.id_bytes || *options.id_bytes == 4 || *options.id_bytes == 8) return;
  throw core::UsageError("ids of " + std::to_string(*options.id_bytes) + " bytes, expected 4 or 8");
}

}  // namespace

bool is_generator(std::string_view input) {
  return input.starts_with(generator_mark);
}

std::string_view generated_model(std::string_view input) {
  return input.substr(generator_mark.size());
}

void check_options(const OpenOptions& options, const std::string& what, const Format* format) {
  if (options.text.given() && (format == nullptr || !format->columns)) {
    throw core::UsageError(what + " has no columns to choose, no lines to skip: such options are for text");
  }
  if (options.id_base && (format == nullptr || !format->id_base)) {
    throw core::UsageError("--id-base: " + what + " numbers its nodes in one way only");
  }
  if (options.bipartite && (format == nullptr || !format->bipartite)) {
    throw core::UsageError("--bipartite: " + what +
                           " has no rows and columns; it is for Matrix Market files");
  }
  if (options.skip_bytes != 0 && (format == nullptr || !format->headerless)) {
    throw core::UsageError(what + (format == nullptr ? " has no bytes to skip" : " has a header of its own") +
                           ": bytes are skipped before raw edges only");
  }
}

EdgeInput::EdgeInput(Opened opened, EdgeFacts facts, std::string format)
    : opened_(std::move(opened)), facts_(std::move(facts)), format_(std::move(format)) {}

std::unique_ptr<EdgeInput> open_edges(core::Environment& environment, const std::string& name,
                                      const OpenOptions& options) {
  if (!is_generator(name)) return open_edges(environment, core::InputFile(name, environment.io), options);
  check_id_bytes(options);
  if (options.format) format_called(*options.format);
  check_options(options, name + ": a generator", nullptr);
  Opened opened;
  opened.source = std::make_shared<GeneratorSource>(environment, std::string(generated_model(name)),
                                                    options.id_bytes.value_or(0), options.max_lanes);
  return opened_input(std::move(opened), options, "gen");
}

std::unique_ptr<EdgeInput> open_edges(core::Environment& environment, core::InputFile input,
                                      const OpenOptions& options) {
  check_id_bytes(options);
  const Format* format = options.format ? &format_called(*options.format) : nullptr;
  if (format == nullptr) {
    format = &detect_format(environment, input);
  } else {
    check_unpacked(input, *format);
  }
  if (format->open == nullptr) {
    throw core::UsageError("format '" + std::string(format->name) + "' can be written, not read");
  }
  check_options(options, "format '" + std::string(format->name) + "'", format);
  return opened_input(format->open(environment, std::move(input), *format, options), options, format->name);
}

std::unique_ptr<EdgeWriter> create_edges(core::Environment& environment, const std::string& path,
                                         const EdgeFacts& facts, const CreateOptions& options) {
  const Format& format = output_format(path, options.format);
  return format.create({environment, path, facts, options}, format);
}

}  // namespace emgraph::graph::format
