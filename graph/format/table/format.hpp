// SPDX-License-Identifier: MIT
// A row of the table of formats: the names of a format, and how it is recognised, opened and created.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/environment.hpp"
#include "core/io/codec.hpp"
#include "core/io/input_file.hpp"
#include "core/io/output_file.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/source/edge_writer.hpp"
#include "graph/format/source/record_source.hpp"
#include "graph/format/table/metadata.hpp"
#include "graph/format/text/text_options.hpp"

namespace emgraph::graph::format {

struct OpenOptions {
  /// A name of the table (formats.cpp). Default: detected.
  std::optional<std::string> format = std::nullopt;
  /// n, overrides that of the file.
  std::optional<std::uint64_t> nodes = std::nullopt;
  /// Width of ids in memory for text and gen:, 4 or 8. Default: text 4 (IdTooWide if one is larger), gen: as
  /// needed.
  std::optional<std::size_t> id_bytes = std::nullopt;
  /// Number of the first node in the file, for formats with a choice (Format::id_base). Default: that of the
  /// format.
  std::optional<std::uint64_t> id_base = std::nullopt;
  /// The columns of a matrix are nodes of their own, numbered after its rows (Format::bipartite).
  bool bipartite = false;
  /// Options that no input takes are for other inputs, which other processes read.
  bool part_of_inputs = false;
  /// Several inputs may have different weights and payloads; all are left out then.
  bool weights_may_differ = false;
  /// For text edge lists only.
  TextOptions text = {};
  /// Payload of each record in the raw formats, after the weight, bytes.
  std::size_t payload_bytes = 0;
  /// Bytes before the first edge that are ignored, in formats without header of their own
  /// (Format::headerless).
  std::uint64_t skip_bytes = 0;
  /// Most lanes at the same time; each needs a buffer.
  unsigned max_lanes = 1;
  /// Verify the checksums of container blocks (cost: core/io/checksum.cpp; false only to measure it).
  bool verify = true;
};

struct CreateOptions {
  /// A name of the table (formats.cpp). Default: by extension, else emg.
  std::optional<std::string> format = std::nullopt;
  core::CodecChoice codec = {};  ///< emg only
  /// Text edge lists only: a first line that names the columns, of which the weight's is the third and may be
  /// absent from the edges; empty: no such line.
  std::vector<std::string> column_names = {};
  std::optional<int> level = std::nullopt;  ///< level of packed text; default: block_packer.hpp
  core::Overwrite overwrite = core::Overwrite::refuse;
  Metadata metadata = {};       ///< emg and adj only
  std::size_t block_bytes = 0;  ///< emg only; 0: the default (container_writer.hpp), the same on all machines
};

/// The facts of an input that are known before its format.
struct FileStart {
  std::string path;
  std::string extension;                  ///< extension without that of a packer
  std::span<const std::byte> bytes = {};  ///< the first 4 KiB at most, unpacked
  std::uint64_t size = 0;                 ///< size of the file, bytes; 0: a pipe, or packed
  bool packed = false;                    ///< packed

  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
  bool starts_with(std::string_view magic) const;
  bool printable() const;
};

struct Opened {
  std::shared_ptr<RecordSource> source;
  Metadata metadata = {};               ///< how the file was made, if it contains that
  Metadata details = {};                ///< further facts of its header
  std::vector<std::string> notes = {};  ///< what the user should know of how it is read, a sentence each
  /// n is at least this: some of several inputs declare so many nodes, others declare none.
  std::optional<std::uint64_t> least_nodes = std::nullopt;
  std::vector<EdgeFacts> parts = {};  ///< the facts of each of several inputs
};

/// The edges that a format can store.
enum class WantedEdges {
  as_they_come,
  adjacency,  ///< sorted by source and target, unique, without loops, both directions unless directed
  weighted_adjacency,  ///< the same, with the weight of each edge if they have weights
};

/// The specification of an output.
struct Creation {
  core::Environment& environment;
  const std::string& path;
  const EdgeFacts& facts;
  const CreateOptions& options;

  std::unique_ptr<core::OutputFile> open_output() const;
};

struct Format {
  /// The name in EdgeInput::format() and --input-format.
  std::string_view name;
  /// Other names and extensions, separated by blanks.
  std::string_view aliases = {};
  /// True if the start of the file has this format. Null: only the name can choose the format.
  bool (*recognizes)(const FileStart& start) = nullptr;
  /// Opens an input. Null: the format cannot be read; `advice` tells the user what to do.
  Opened (*open)(core::Environment& environment, core::InputFile input, const Format& format,
                 const OpenOptions& options) = nullptr;
  /// Creates an output. Null: the format cannot be written.
  std::unique_ptr<EdgeWriter> (*create)(const Creation& creation, const Format& format) = nullptr;
  WantedEdges wants = WantedEdges::as_they_come;
  /// Lines of text: can be written to a terminal, and can be packed.
  bool text = false;
  bool columns = false;    ///< OpenOptions::text applies
  bool id_base = false;    ///< OpenOptions::id_base applies
  bool bipartite = false;  ///< OpenOptions::bipartite applies
  bool packs = false;      ///< create() packs files with the extension .gz, .zst, .xz or .bz2
  /// The file has no header: edges begin at the first byte, or after OpenOptions::skip_bytes.
  bool headerless = false;
  bool weightless = false;  ///< create() leaves weights out
  bool arcs = false;        ///< create() declares directed arcs
  bool undirected = false;  ///< create() takes undirected edges only
  /// Advice for a file that cannot be read, or that has the extension but is not recognised.
  std::string_view advice = {};

  bool is_called(std::string_view name_or_extension) const;
};

/// All formats, in the order of their recognisers.
std::span<const Format> formats();

/// The format with this name or extension; nullptr if there is none.
const Format* find_format(std::string_view name_or_extension);

/// The format with a name given by the user. Throws UsageError if there is none.
const Format& format_called(const std::string& name);

/// The format of an output: by its options, else by its extension, else emg. Throws UsageError if it cannot
/// be written.
const Format& output_format(const std::string& path, const std::optional<std::string>& name);

/// True if an output of the format `output_format(path, name)` has the weights of its edges. Lists for GAPBS
/// (.el) have none: its reader takes two numbers for each edge, whatever the lines are.
bool stores_weights(const std::string& path, const std::optional<std::string>& name);

}  // namespace emgraph::graph::format
