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

/// Refuses options that would have no effect, because `what` has another format. `format`: null for a
/// generator.
void check_options(const OpenOptions& options, const std::string& what, const Format* format) {
  if (options.text.given() && (format == nullptr || !format->columns)) {
    throw core::UsageError(what + " has no columns to choose, no lines to skip: such options are for text");
  }
  if (options.id_base && (format == nullptr || !format->id_base)) {
    throw core::UsageError("--id-base: " + what + " numbers its nodes in one way only");
  }
  if (options.skip_bytes != 0 && (format == nullptr || !format->headerless)) {
    throw core::UsageError(what + (format == nullptr ? " has no bytes to skip" : " has a header of its own") +
                           ": bytes are skipped before raw edges only");
  }
}

}  // namespace

EdgeInput::EdgeInput(Opened opened, EdgeFacts facts, std::string format)
    : opened_(std::move(opened)), facts_(std::move(facts)), format_(std::move(format)) {}

std::unique_ptr<EdgeInput> open_edges(core::Environment& environment, const std::string& name,
                                      const OpenOptions& options) {
  if (options.id_bytes && *options.id_bytes != 4 && *options.id_bytes != 8) {
    throw core::UsageError("ids of " + std::to_string(*options.id_bytes) + " bytes, expected 4 or 8");
  }
  std::string format_name = "gen";
  Opened opened;
  if (constexpr std::string_view generator = "gen:"; name.starts_with(generator)) {
    if (options.format) format_called(*options.format);
    check_options(options, name + ": a generator", nullptr);
    opened.source = std::make_shared<GeneratorSource>(environment, name.substr(generator.size()),
                                                      options.id_bytes.value_or(0), options.max_lanes);
  } else {
    const Format* format = options.format ? &format_called(*options.format) : nullptr;
    core::InputFile input(name, environment.io);
    if (format == nullptr) {
      format = &detect_format(environment, input);
    } else {
      check_unpacked(input, *format);
    }
    if (format->open == nullptr) {
      throw core::UsageError("format '" + std::string(format->name) + "' can be written, not read");
    }
    check_options(options, "format '" + std::string(format->name) + "'", format);
    opened = format->open(environment, std::move(input), *format, options);
    format_name = format->name;
  }
  EdgeFacts facts = opened.source->facts();
  if (options.nodes) facts.nodes = options.nodes;
  return std::make_unique<EdgeInput>(std::move(opened), std::move(facts), std::move(format_name));
}

std::unique_ptr<EdgeWriter> create_edges(core::Environment& environment, const std::string& path,
                                         const EdgeFacts& facts, const CreateOptions& options) {
  const Format& format = output_format(path, options.format);
  return format.create({environment, path, facts, options}, format);
}

}  // namespace emgraph::graph::format
