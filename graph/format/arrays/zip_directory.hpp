// SPDX-License-Identifier: MIT
// The members of a zip archive.
#pragma once

#include <map>
#include <string>

#include "core/io/input_file.hpp"
#include "graph/format/arrays/byte_stream.hpp"

namespace emgraph::graph::format {

/// Reads the central directory, with 64-bit sizes if the archive has them. Source: PKWARE, APPNOTE.TXT - .ZIP
/// File Format Specification, 6.3.10 (4.3.7, 4.3.12, 4.3.14 - 16, 4.5.3). At most 1024 members. Throws
/// DataError (damaged, encrypted, neither stored nor deflated). Requires: a seekable file.
std::map<std::string, ByteRange> read_zip_directory(core::InputFile& file);

}  // namespace emgraph::graph::format
