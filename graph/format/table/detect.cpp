// SPDX-License-Identifier: MIT
// Detects a format by its first bytes, then by its name, then by printable text.
#include "graph/format/table/detect.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "graph/format/packing/block_packer.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/packing/text_stream.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/table/foreign.hpp"
#include "graph/format/text/line_chunks.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t looked_at_bytes = 4096;

constexpr std::string_view not_guessed =
    "and raw binary is not guessed: say --input-format u32 (or u64, u32w, u64w, f32w) if it holds pairs of "
    "little-endian ids";

void refuse_packed(core::InputFile& input, const Format& format) {
  const std::string packer(packing_name(packing_of(input)));
  throw core::DataError::in_file(input.name(), "is " + std::string(format.name) + " packed by " + packer +
                                                   ": " + packer + " -dc FILE unpacks it to a pipe, which " +
                                                   "--input-format " + std::string(format.name) + " reads");
}

}  // namespace

bool is_printable(std::span<const std::byte> bytes) {
  return !bytes.empty() && std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) {
    const auto c = static_cast<unsigned char>(byte);
    return c == '\t' || c == '\n' || c == '\r' || (c >= ' ' && c != 0x7f);
  });
}

bool FileStart::printable() const {
  return is_printable(bytes);
}

void check_unpacked(core::InputFile& input, const Format& format) {
  if (format.text || packing_of_name(input.path()) == Packing::none) return;
  if (packing_of(input) != Packing::none) refuse_packed(input, format);
}

namespace {

/// The mark stands before text only.
std::span<const std::byte> without_byte_order_mark(std::span<const std::byte> bytes) {
  return as_text(bytes).starts_with("\xef\xbb\xbf") ? bytes.subspan(3) : bytes;
}

/// `unpacked` holds the bytes of a packed file.
FileStart start_of(core::Environment& environment, core::InputFile& input, std::vector<std::byte>& unpacked) {
  FileStart start{.path = input.path(), .extension = extension_of(input.path()), .bytes = {}};
  if (packing_of(input) == Packing::none) {
    start.bytes = without_byte_order_mark(input.peek(looked_at_bytes));
    start.size = input.seekable() ? input.size() : 0;
  } else {
    unpacked = unpacked_start(environment, input, looked_at_bytes);
    start.bytes = without_byte_order_mark(unpacked);
    start.packed = true;
    start.extension = extension_of(unpacked_name(start.path));
  }
  return start;
}

const Format* marked_format(const FileStart& start) {
  for (const Format& format : formats()) {
    if (format.recognizes != nullptr && format.recognizes(start)) return &format;
  }
  return nullptr;
}

/// The raw format that the name of a file tells; null: it tells another one, or none. The first ids of raw
/// edges may look like the mark of text or of a packer.
const Format* raw_by_name(const std::string& path) {
  const Format* const named = find_format(extension_of(path));
  const bool raw = named != nullptr && named->recognizes == nullptr && !named->text && named->open != nullptr;
  return raw && packing_of_name(path) == Packing::none ? named : nullptr;
}

}  // namespace

const Format* marked_format(core::Environment& environment, core::InputFile& input) {
  std::vector<std::byte> unpacked;
  return marked_format(start_of(environment, input, unpacked));
}

const Format& detect_format(core::Environment& environment, core::InputFile& input) {
  const Format* const raw = raw_by_name(input.path());
  if (raw != nullptr && packing_of(input) != Packing::none) return *raw;
  std::vector<std::byte> unpacked;
  const FileStart start = start_of(environment, input, unpacked);
  const auto refuse = [&](std::string_view what) {
    throw core::DataError::in_file(input.name(), std::string(what));
  };
  const auto readable = [&](const Format& format) -> const Format& {
    if (format.open == nullptr) refuse(format.advice);
    if (start.packed && !format.text) refuse_packed(input, format);
    return format;
  };
  const Format* const named = find_format(start.extension);
  if (const Format* const marked = marked_format(start)) return readable(*marked);
  if (raw != nullptr) return *raw;
  if (const std::string code(wide_encoding(start.text())); !code.empty()) {
    refuse("is " + code + ", expected ASCII or UTF-8 (iconv -f " + code + " -t UTF-8 converts it)");
  }
  const ForeignFormat* const foreign = foreign_format(start);
  if (foreign != nullptr) refuse("is " + std::string(foreign->name) + ": " + std::string(foreign->advice));
  // All formats with a recogniser were tested above. For a format without one the name decides.
  if (named != nullptr && named->recognizes == nullptr) return readable(*named);
  if (start.bytes.empty() && !start.packed) {
    refuse("is empty, expected edges; --input-format text or u32 takes it as a graph without edges");
  }
  if (named != nullptr && named->recognizes != nullptr) {
    if (named->name != "emg") {
      refuse("has no " + std::string(named->name) + " header, expected one in a ." + start.extension +
             " file" + (named->advice.empty() ? "" : "; ") + std::string(named->advice));
    }
    refuse("has no emgraph header, " + std::string(not_guessed));
  }
  if (start.packed || is_printable(start.bytes)) return format_called("text");
  refuse("is of no known format, " + std::string(not_guessed));
  return format_called("text");
}

}  // namespace emgraph::graph::format
