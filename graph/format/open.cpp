// SPDX-License-Identifier: MIT
// Detection, then one branch per format.
#include "graph/format/open.hpp"

#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "graph/adjacency/adjacency_edges.hpp"
#include "graph/adjacency/adjacency_writer.hpp"
#include "graph/format/container_file.hpp"
#include "graph/format/container_stream.hpp"
#include "graph/format/container_writer.hpp"
#include "graph/format/detect.hpp"
#include "graph/format/extension.hpp"
#include "graph/format/generator_source.hpp"
#include "graph/format/npy_edges.hpp"
#include "graph/format/raw_file.hpp"
#include "graph/format/raw_layout.hpp"
#include "graph/format/raw_stream.hpp"
#include "graph/format/raw_writer.hpp"
#include "graph/format/text_source.hpp"
#include "graph/format/text_writer.hpp"
#include "graph/format/widening_writer.hpp"

namespace emgraph::graph::format {
namespace {

struct Opened {
  std::shared_ptr<RecordSource> source;
  Metadata metadata;
  Metadata details;
};

Metadata container_details(const ContainerHeader& header) {
  const core::CodecChoice codec{static_cast<core::Codec>(header.codec),
                                header.codec_level == 0 ? 1 : static_cast<int>(header.codec_level)};
  return {{"version", std::to_string(header.major) + "." + std::to_string(header.minor)},
          {"codec", core::format_codec(codec)},
          {"block_edges", std::to_string(header.block_edges)}};
}

Opened open_container(core::Environment& environment, core::InputFile input, const OpenOptions& options) {
  if (!input.seekable()) {
    auto stream =
        std::make_shared<ContainerStream>(environment, std::move(input), options.max_lanes, options.verify);
    return {stream, stream->metadata(), container_details(stream->header())};
  }
  auto file =
      std::make_shared<ContainerFile>(environment, std::move(input), options.max_lanes, options.verify);
  Metadata details = container_details(file->header());
  details.emplace_back("blocks", std::to_string(file->footer().blocks));
  details.emplace_back("loops", std::to_string(file->footer().loops));
  return {file, file->metadata(), std::move(details)};
}

Opened open_adjacency_edges(core::Environment& environment, core::InputFile input,
                            const OpenOptions& options) {
  auto file = std::make_shared<adjacency::AdjacencyEdges>(environment, std::move(input), options.max_lanes);
  const adjacency::FileHeader& header = file->header();
  const adjacency::FileFooter& footer = file->footer();
  Metadata details = {{"version", std::to_string(header.major) + "." + std::to_string(header.minor)},
                      {"page_bytes", std::to_string(header.page_bytes)},
                      {"pages", std::to_string(footer.pages)},
                      {"largest_degree", std::to_string(footer.largest_degree)},
                      {"largest_degree_node", std::to_string(footer.largest_degree_node)}};
  return {file, file->metadata(), std::move(details)};
}

Opened open_raw(core::Environment& environment, core::InputFile input, const EdgeLayout& layout,
                const OpenOptions& options) {
  EdgeFacts facts;
  facts.layout = layout;
  facts.layout.payload_bytes = options.payload_bytes;
  if (facts.layout.attachment_bytes() > max_attachment_bytes) {
    throw core::UsageError("an edge carries at most " + std::to_string(max_attachment_bytes) + " bytes");
  }
  if (input.seekable()) {
    return {
        std::make_shared<RawFile>(environment, std::move(input), facts, 0, false, options.max_lanes), {}, {}};
  }
  return {std::make_shared<RawStream>(environment, std::move(input), facts, 0, false), {}, {}};
}

Opened open_text(core::Environment& environment, core::InputFile input, std::string_view format,
                 const OpenOptions& options) {
  TextFormat text;
  text.id_bytes = options.id_bytes.value_or(4);
  if (format == "text-u32w") text.weight = WeightType::u32;
  if (format == "text-i64w") text.weight = WeightType::i64;
  if (format == "text-f32w") text.weight = WeightType::f32;
  if (format == "text-f64w") text.weight = WeightType::f64;
  return {std::make_shared<TextSource>(environment, std::move(input), text, options.max_lanes), {}, {}};
}

std::string output_format(const std::string& path, const CreateOptions& options) {
  if (options.format) return known_format(*options.format);
  const std::string extension = extension_of(path);
  if (extension == "gz" || extension == "zst") {
    throw core::UsageError(path + ": packed text is read, not written; write to - and pipe it through " +
                           (extension == "gz" ? "gzip" : "zstd"));
  }
  if (extension.empty() || extension == "emg" || extension == "bin") return "emg";
  for (const std::string_view known :
       {"adj", "u32", "u64", "u32w", "u64w", "f32w", "f64w", "npy", "txt", "tsv", "csv", "el", "edges", "mtx",
        "graph", "gr", "sg", "wsg", "wel"}) {
    if (extension == known) return known_format(extension);
  }
  return "emg";
}

std::unique_ptr<core::OutputFile> open_output(core::Environment& environment, const std::string& path,
                                              const CreateOptions& options) {
  return std::make_unique<core::OutputFile>(path, options.overwrite, environment.memory, environment.io,
                                            environment.temporary_names);
}

std::string weight_name(WeightType type) {
  for (const auto& [name, known] : {std::pair{"u32", WeightType::u32}, std::pair{"i64", WeightType::i64},
                                    std::pair{"f32", WeightType::f32}, std::pair{"f64", WeightType::f64}}) {
    if (type == known) return name;
  }
  return "no";
}

/// The raw formats that store weights of this type, as they are or wider.
std::string raw_formats_for(WeightType type) {
  std::string names;
  for (const RawFormat& format : raw_formats) {
    const WeightType weight = format.layout.weight;
    if (weight != type && !widens(type, weight)) continue;
    names.append(names.empty() ? "" : " or ").append(format.name);
  }
  return names;
}

/// A format without weight drops weight and payload of edges with weights.
std::unique_ptr<EdgeWriter> create_raw(core::Environment& environment, const std::string& path,
                                       EdgeLayout layout, const EdgeFacts& facts,
                                       const CreateOptions& options) {
  const WeightType carried = facts.layout.weight;
  const bool dropped = layout.weight == WeightType::none;
  const bool widened = widens(carried, layout.weight);
  if (!dropped && layout.weight != carried && !widened) {
    throw core::UsageError(path + ": this format stores " + weight_name(layout.weight) +
                           " weights, the edges have " + weight_name(carried) + " weights; write them as " +
                           raw_formats_for(carried) +
                           ", emg or text (u32 weights become i64, f32 become f64 where the format asks for "
                           "it; nothing else is converted)");
  }
  if (!dropped || carried == WeightType::none) layout.payload_bytes = facts.layout.payload_bytes;
  auto writer = std::make_unique<RawWriter>(open_output(environment, path, options), layout);
  if (!widened) return writer;
  return std::make_unique<WideningWriter>(environment, std::move(writer), facts.layout, layout.weight);
}

}  // namespace

EdgeInput::EdgeInput(std::shared_ptr<RecordSource> source, EdgeFacts facts, std::string format,
                     Metadata metadata, Metadata details)
    : source_(std::move(source)),
      facts_(std::move(facts)),
      format_(std::move(format)),
      metadata_(std::move(metadata)),
      details_(std::move(details)) {}

std::unique_ptr<EdgeInput> open_edges(core::Environment& environment, const std::string& name,
                                      const OpenOptions& options) {
  if (options.id_bytes && *options.id_bytes != 4 && *options.id_bytes != 8) {
    throw core::UsageError("ids of " + std::to_string(*options.id_bytes) + " bytes, expected 4 or 8");
  }
  std::string format = options.format ? known_format(*options.format) : "";
  Opened opened;
  if (constexpr std::string_view generator = "gen:"; name.starts_with(generator)) {
    opened.source = std::make_shared<GeneratorSource>(environment, name.substr(generator.size()),
                                                      options.id_bytes.value_or(0), options.max_lanes);
    format = "gen";
  } else {
    core::InputFile input(name, environment.io);
    if (format.empty()) format = detect_format(input);
    if (format == "emg") {
      opened = open_container(environment, std::move(input), options);
    } else if (format == "adj") {
      opened = open_adjacency_edges(environment, std::move(input), options);
    } else if (format == "npy") {
      opened.source = open_npy_edges(environment, std::move(input), options.max_lanes);
    } else if (const auto layout = raw_layout(format)) {
      opened = open_raw(environment, std::move(input), *layout, options);
    } else {
      opened = open_text(environment, std::move(input), format, options);
    }
  }
  EdgeFacts facts = opened.source->facts();
  if (options.nodes) facts.nodes = options.nodes;
  return std::make_unique<EdgeInput>(std::move(opened.source), std::move(facts), std::move(format),
                                     std::move(opened.metadata), std::move(opened.details));
}

std::unique_ptr<EdgeWriter> create_edges(core::Environment& environment, const std::string& path,
                                         const EdgeFacts& facts, const CreateOptions& options) {
  const std::string format = output_format(path, options);
  if (const auto layout = raw_layout(format)) return create_raw(environment, path, *layout, facts, options);
  auto output = open_output(environment, path, options);
  if (format == "npy") return std::make_unique<NpyEdgeWriter>(std::move(output), facts);
  if (format == "adj") {
    return std::make_unique<adjacency::AdjacencyWriter>(environment, std::move(output), facts,
                                                        options.metadata);
  }
  if (format == "emg") {
    return std::make_unique<ContainerWriter>(
        environment, std::move(output), facts,
        ContainerOptions{
            .codec = options.codec,
            .metadata = options.metadata,
            .block_bytes = options.block_bytes != 0 ? options.block_bytes : default_block_bytes});
  }
  const bool comma = extension_of(path) == "csv" || options.format == "csv";
  return std::make_unique<TextWriter>(std::move(output), facts.layout, comma ? ',' : '\t');
}

}  // namespace emgraph::graph::format
