// SPDX-License-Identifier: MIT
// Converts options to CreateOptions.
#include "apps/files/edge_output.hpp"

#include <fmt/core.h>

#include <optional>

#include "apps/files/free_space.hpp"
#include "apps/files/named_results.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/output_check.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/output_place.hpp"
#include "graph/format/packing/text_output.hpp"

namespace emgraph::apps {

namespace {

std::optional<std::string> given_format(const CommonOptions& options, const std::string& path) {
  const std::string told = told_format(options, path);
  return told.empty() ? std::nullopt : std::optional(told);
}

/// Warns of undirected edges that become entries of a matrix that does not declare them so.
void note_entries(Session& session, const std::string& path, const graph::EdgeFacts& facts) {
  const bool declared = facts.symmetric || facts.oriented_low;
  if (!facts.undirected || declared || edge_output_format(session.options(), path).name != "mtx") return;
  session.warn_once(
      fmt::format("{}: an entry is written for each undirected edge, in a general matrix; "
                  "emgraph sort --orient low makes it symmetric, --symmetrize writes both ways",
                  path));
}

/// Warns of undirected edges that become arcs.
void note_arcs(Session& session, const std::string& path, const graph::EdgeFacts& facts) {
  if (facts.directed || facts.symmetric || !edge_output_format(session.options(), path).arcs) return;
  session.warn_once(
      fmt::format("{}: this format declares directed arcs, one is written for each edge; "
                  "emgraph sort --symmetrize writes both ways",
                  path));
}

/// Warns of weights that reading a .wel file takes only with --weight-type.
void note_fractions(Session& session, const std::string& path, const graph::EdgeFacts& facts) {
  const bool floating =
      facts.layout.weight == graph::WeightType::f32 || facts.layout.weight == graph::WeightType::f64;
  if (!floating || edge_output_format(session.options(), path).name != "wel") return;
  session.warn_once(fmt::format("{}: the weights have fractions; reading it takes --weight-type {}", path,
                                facts.layout.weight == graph::WeightType::f32 ? "f32" : "f64"));
}

/// Converts --codec: to a codec for emgraph's own files, to a level for packed text.
struct CodecOptions {
  std::optional<core::CodecChoice> codec;
  std::optional<int> level;
};

CodecOptions parse_codec_option(const std::string& path, const std::string& codec) {
  if (codec.empty()) return {};
  const graph::format::Packing packing = graph::format::packing_of_name(path);
  try {
    if (packing == graph::format::Packing::none) return {.codec = core::parse_codec(codec), .level = {}};
    return {.codec = {}, .level = graph::format::parse_packing_level(packing, codec)};
  } catch (const core::UsageError& error) {
    throw core::UsageError(fmt::format("--codec: {}", error.what()));
  }
}

/// The least bytes of an edge in the format; 0 if they may be fewer than any number.
std::uint64_t least_edge_bytes(const graph::format::Format& format, const std::string& path,
                               const graph::EdgeFacts& facts, core::Codec codec) {
  if (format.text) {
    constexpr std::uint64_t shortest_line = 4;
    return format.columns && graph::format::packing_of_name(path) == graph::format::Packing::none
               ? shortest_line
               : 0;
  }
  if (format.name == "emg" && codec == core::Codec::none) return facts.layout.record_bytes();
  constexpr std::uint64_t shortest_pair = 8;
  return format.headerless || format.name == "npy" ? shortest_pair : 0;
}

/// Throws EnvironmentError if the number of edges is known, and the free space is less than half of what they
/// take: the file system may compress.
void require_output_space(const CommonOptions& options, const std::string& path,
                          const graph::EdgeFacts& facts, core::Codec codec) {
  if (!facts.edges || options.resume || written_in_place(path)) return;
  const std::uint64_t bytes = core::size_product(
      *facts.edges, least_edge_bytes(edge_output_format(options, path), path, facts, codec));
  const auto free = free_bytes_at(core::directory_of(core::resolved_output(path)));
  if (!free || bytes / 2 <= *free) return;
  throw core::EnvironmentError(fmt::format("{}: needs at least {} for {} edges, {} are free on its disk",
                                           path, core::format_size(bytes), core::format_count(*facts.edges),
                                           core::format_size(*free)));
}

}  // namespace

const graph::format::Format& edge_output_format(const CommonOptions& options, const std::string& path) {
  return graph::format::output_format(path, given_format(options, path));
}

bool stores_weights(const CommonOptions& options, const std::string& path) {
  return graph::format::stores_weights(path, given_format(options, path));
}

void check_edge_output(const CommonOptions& options, const std::string& path,
                       const std::vector<std::string>& inputs, const std::string& codec) {
  const graph::format::Format& format = edge_output_format(options, path);
  const CodecOptions parsed = parse_codec_option(path, codec);
  if (parsed.codec && format.name != "emg") {
    throw core::UsageError(
        fmt::format("--codec {}: only emgraph's own files have codecs, not {}", codec, format.name));
  }
  if (options.output_header && (!format.text || !format.columns)) {
    throw core::UsageError(
        fmt::format("--output-header: {} is no text edge list but {}, which has a header of its own or none",
                    path, format.name));
  }
  check_output(path, inputs, options, !format.text);
}

std::size_t first_id_bytes(const CommonOptions& options) {
  const std::string& path = options.output;
  // Other formats store ids in the width in which they were read.
  const bool lines = edge_output_format(options, path).text;
  return lines && written_in_place(path) ? 8 : 0;
}

void note_weights_left_out(Session& session, const std::string& path, const graph::EdgeFacts& facts) {
  if (facts.layout.weight == graph::WeightType::none) return;
  if (stores_weights(session.options(), path)) return;
  session.warn_once(fmt::format("{}: this format has no weights, they are left out", path));
}

void note_payload_left_out(Session& session, const std::string& path, const graph::EdgeFacts& facts) {
  if (facts.layout.payload_bytes == 0 || edge_output_format(session.options(), path).name == "emg") return;
  session.warn_once(fmt::format("{}: this format has no payload, it is left out", path));
}

std::unique_ptr<graph::format::EdgeWriter> create_edge_output(Session& session, const std::string& path,
                                                              const graph::EdgeFacts& facts,
                                                              const std::string& codec,
                                                              graph::format::Metadata metadata,
                                                              std::vector<std::string> column_names) {
  const CommonOptions& options = session.options();
  graph::format::CreateOptions create;
  create.format = given_format(options, path);
  note_weights_left_out(session, path, facts);
  note_payload_left_out(session, path, facts);
  note_arcs(session, path, facts);
  note_entries(session, path, facts);
  note_fractions(session, path, facts);
  const CodecOptions parsed = parse_codec_option(path, codec);
  if (named_edges(session, path)) return open_named_edges(session, path, facts, parsed.level);
  create.codec = parsed.codec.value_or(core::CodecChoice());
  create.level = parsed.level;
  if (options.output_header) create.column_names = std::move(column_names);
  create.overwrite = overwrite(options);
  create.metadata = std::move(metadata);
  if (create.overwrite != core::Overwrite::rehearse) {
    require_output_space(options, path, facts, create.codec.codec);
  }
  graph::EdgeFacts stored = facts;
  if (edge_output_format(options, path).name != "emg") stored.layout.payload_bytes = 0;
  auto writer = graph::format::create_edges(session.environment(), path, stored, create);
  session.keep_open(path);
  if (session.checkpoint() != nullptr && !writer->resumable()) {
    throw core::UsageError("--checkpoint: " + path +
                           " cannot be continued in its format; .emg, raw edges, .npy and plain text can");
  }
  return writer;
}

void finish_edge_output(Session& session, graph::format::EdgeWriter& writer) {
  const core::Phase phase(session.environment().progress, "finish output", 0, "bytes");
  writer.finish();
}

}  // namespace emgraph::apps
