// SPDX-License-Identifier: MIT
// What one file format is to the others: its names, how it is recognised, opened and created.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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
  /// n, in place of what the file declares.
  std::optional<std::uint64_t> nodes = std::nullopt;
  /// Width of ids in memory for text and gen:, 4 or 8. Default: text 4 (IdTooWide if one is larger), gen: as
  /// needed.
  std::optional<std::size_t> id_bytes = std::nullopt;
  /// What the file calls the first node, where the format lets one choose (Format::id_base). Default: as the
  /// format has it.
  std::optional<std::uint64_t> id_base = std::nullopt;
  /// Of text edge lists alone.
  TextOptions text = {};
  /// Payload of each record in the raw formats, after the weight, bytes.
  std::size_t payload_bytes = 0;
  /// Bytes before the first edge that are ignored, in formats without header of their own
  /// (Format::headerless).
  std::uint64_t skip_bytes = 0;
  /// Most lanes that will exist at the same time; each costs a buffer.
  unsigned max_lanes = 1;
  /// Check the sums of container blocks (cost: core/io/checksum.cpp; switch it off only to measure it).
  bool verify = true;
};

struct CreateOptions {
  /// A name of the table (formats.cpp). Default: by extension, else emg.
  std::optional<std::string> format = std::nullopt;
  core::CodecChoice codec = {};             ///< emg alone
  std::optional<int> level = std::nullopt;  ///< of text that is packed; default: block_packer.hpp
  core::Overwrite overwrite = core::Overwrite::refuse;
  Metadata metadata = {};       ///< emg and adj
  std::size_t block_bytes = 0;  ///< emg alone; 0: the default (container_writer.hpp), the same for everybody
};

/// What looking at an input tells before a format is known.
struct FileStart {
  std::string path;
  std::string extension;                  ///< without that of gzip or zstd
  std::span<const std::byte> bytes = {};  ///< the first 4 KiB, unpacked, if so many
  std::uint64_t size = 0;                 ///< of the file, bytes; 0: a pipe, or packed
  bool packed = false;                    ///< by gzip or zstd

  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
  bool starts_with(std::string_view magic) const;
  bool printable() const;
};

struct Opened {
  std::shared_ptr<RecordSource> source;
  Metadata metadata = {};  ///< how the file was made, where it says so
  Metadata details = {};   ///< what else its header says
};

/// What a format can store.
enum class WantedEdges {
  as_they_come,
  adjacency,  ///< sorted by source and target, unique, without loops, both directions unless directed
  weighted_adjacency,  ///< the same, with the weight of each edge if they have weights
};

/// An output to be made.
struct Creation {
  core::Environment& environment;
  const std::string& path;
  const EdgeFacts& facts;
  const CreateOptions& options;

  std::unique_ptr<core::OutputFile> open_output() const;
};

struct Format {
  /// What EdgeInput::format() says and --input-format takes.
  std::string_view name;
  /// Other names and extensions, between blanks.
  std::string_view aliases = {};
  /// Does the start of the file show this format? None: only names do.
  bool (*recognizes)(const FileStart& start) = nullptr;
  /// None: nobody can read it, `advice` says what to do.
  Opened (*open)(core::Environment& environment, core::InputFile input, const Format& format,
                 const OpenOptions& options) = nullptr;
  /// None: cannot be written.
  std::unique_ptr<EdgeWriter> (*create)(const Creation& creation, const Format& format) = nullptr;
  WantedEdges wants = WantedEdges::as_they_come;
  /// Lines of text: may go to a terminal, may be packed.
  bool text = false;
  bool columns = false;  ///< OpenOptions::text applies
  bool id_base = false;  ///< OpenOptions::id_base applies
  bool packs = false;    ///< create() packs what is called .gz or .zst
  /// Edges from the first byte on, or from OpenOptions::skip_bytes on.
  bool headerless = false;
  /// What to do with a file that nobody can read, or that has the extension and is not recognised.
  std::string_view advice = {};

  bool is_called(std::string_view name_or_extension) const;
};

/// All of them, in the order in which they are asked whether they recognise a file.
std::span<const Format> formats();

/// nullptr if nothing is called so.
const Format* find_format(std::string_view name_or_extension);

/// By a name the user gave. Throws UsageError.
const Format& format_called(const std::string& name);

/// The format an output has by its options, else by its extension, else emg. Throws UsageError where it
/// cannot be written.
const Format& output_format(const std::string& path, const std::optional<std::string>& name);

}  // namespace emgraph::graph::format
