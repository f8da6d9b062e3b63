// SPDX-License-Identifier: MIT
// The output of text: a plain or packed file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/io/output_file.hpp"
#include "graph/format/packing/text_stream.hpp"

namespace emgraph::graph::format {

struct Creation;

/// The functions are those of core::OutputFile.
class TextOutput {
 public:
  virtual ~TextOutput() = default;
  virtual void append(std::span<const std::byte> text) = 0;
  virtual void finish() = 0;
  /// The file if it is not packed, else null.
  virtual core::OutputFile* plain_file() { return nullptr; }
  /// Bytes of the file so far.
  virtual std::uint64_t size() const = 0;
};

/// Opens an output; it is packed if its name ends in .gz, .zst, .xz or .bz2. Throws UsageError for a
/// packing whose library this build lacks.
std::unique_ptr<TextOutput> open_text_output(const Creation& creation);

/// The packing by the extension .gz, .zst, .xz or .bz2.
Packing packing_of_name(const std::string& path);
/// The name without that extension.
std::string unpacked_name(const std::string& path);

/// Parses "zstd:7" or "gzip": a packing and its optional level. Throws UsageError for another packing or an
/// invalid level.
std::optional<int> parse_packing_level(Packing packing, const std::string& text);

}  // namespace emgraph::graph::format
