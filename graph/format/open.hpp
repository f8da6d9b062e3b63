// SPDX-License-Identifier: MIT
// Opens any edge input, creates any edge output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/environment.hpp"
#include "core/io/codec.hpp"
#include "core/io/output_file.hpp"
#include "graph/edge_facts.hpp"
#include "graph/edge_source.hpp"
#include "graph/format/edge_writer.hpp"
#include "graph/format/errors.hpp"
#include "graph/format/metadata.hpp"
#include "graph/format/record_source.hpp"
#include "graph/format/typed_source.hpp"

namespace emgraph::graph::format {

struct OpenOptions {
  /// "emg", "adj", "text", "text-u32w" (third column a weight; also i64w, f32w, f64w), "npy", "u32", "u64",
  /// "u32w" (u32 weight), "u64w" (i64), "f32w", "f64w" (8-byte ids). Default: detected.
  std::optional<std::string> format = std::nullopt;
  /// n, in place of what the file declares.
  std::optional<std::uint64_t> nodes = std::nullopt;
  /// Width of ids in memory for text and gen:, 4 or 8. Default: text 4 (IdTooWide if one is larger), gen: as
  /// needed.
  std::optional<std::size_t> id_bytes = std::nullopt;
  /// Payload of each record in the raw formats, after the weight, bytes.
  std::size_t payload_bytes = 0;
  /// Most lanes that will exist at the same time; each costs a buffer.
  unsigned max_lanes = 1;
  /// Check the sums of container blocks (cost: core/io/checksum.cpp; switch it off only to measure it).
  bool verify = true;
};

/// An edge input that has been opened: its start (and, of container files, its end) has been read and
/// checked.
class EdgeInput {
 public:
  EdgeInput(std::shared_ptr<RecordSource> source, EdgeFacts facts, std::string format, Metadata metadata,
            Metadata details);

  const EdgeFacts& facts() const { return facts_; }
  /// As OpenOptions::format; "gen" for generators.
  const std::string& format() const { return format_; }
  /// How the file was made, where it says so.
  const Metadata& metadata() const { return metadata_; }
  /// What else its header says: codec, version, blocks, …
  const Metadata& details() const { return details_; }

  /// The edges as R, a Record<Id, A>. Id must be as wide as facts().layout.id_bytes, or 8 bytes for 4:
  /// std::logic_error otherwise. All sources of one input share its cursor and must agree on R while they
  /// have lanes; the input may go before them.
  template <class R>
  std::unique_ptr<EdgeSource<R>> source() {
    if (sizeof(typename R::id_type) < facts_.layout.id_bytes) {
      throw std::logic_error(facts_.name + ": ids of 8 bytes read as 4");
    }
    return std::make_unique<TypedSource<R>>(source_, facts_);
  }

 private:
  std::shared_ptr<RecordSource> source_;
  EdgeFacts facts_;
  std::string format_;
  Metadata metadata_;
  Metadata details_;
};

/// `input`: a path, "-" (standard input) or "gen:MODEL,key=value,…". Throws UsageError, DataError,
/// EnvironmentError.
std::unique_ptr<EdgeInput> open_edges(core::Environment& environment, const std::string& input,
                                      const OpenOptions& options);

struct CreateOptions {
  /// As OpenOptions::format without the text-…w names. Default: by extension, else emg.
  std::optional<std::string> format = std::nullopt;
  core::CodecChoice codec = {};  ///< emg alone
  core::Overwrite overwrite = core::Overwrite::refuse;
  Metadata metadata = {};       ///< emg and adj
  std::size_t block_bytes = 0;  ///< emg alone; 0: the default (container_writer.hpp), the same for everybody
};

/// `facts`: what will be written. facts.edges and facts.nodes may be unset, and must hold if set. Throws
/// UsageError (output exists, or the format cannot hold the facts), EnvironmentError.
std::unique_ptr<EdgeWriter> create_edges(core::Environment& environment, const std::string& path,
                                         const EdgeFacts& facts, const CreateOptions& options);

}  // namespace emgraph::graph::format
