// SPDX-License-Identifier: MIT
// Where lines of text go: into a file as they are, or packed.
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

/// As core::OutputFile.
class TextOutput {
 public:
  virtual ~TextOutput() = default;
  virtual void append(std::span<const std::byte> text) = 0;
  virtual void finish() = 0;
  /// Of the file so far, bytes.
  virtual std::uint64_t size() const = 0;
};

/// Packed or not, as the name ends in .gz, .zst or neither. Throws UsageError for .gz in a build without
/// zlib.
std::unique_ptr<TextOutput> open_text_output(const Creation& creation);

/// What the extension .gz or .zst says.
Packing packing_of_name(const std::string& path);
/// The name without that extension.
std::string unpacked_name(const std::string& path);

/// "zstd:7", "gzip": what may be said of a packing, with its level if there is one. Throws UsageError where
/// it is for another packing or not a level.
std::optional<int> parse_packing_level(Packing packing, const std::string& text);

}  // namespace emgraph::graph::format
