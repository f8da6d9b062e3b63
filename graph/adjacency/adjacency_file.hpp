// SPDX-License-Identifier: MIT
// Opens an adjacency file for those that walk on it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "graph/adjacency/adjacency_layout.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/format/table/metadata.hpp"

namespace emgraph::graph::adjacency {

/// The ends of an adjacency file, checked. Throws UsageError for what is no regular file, DataError.
struct FileEnds {
  FileHeader header;
  FileFooter footer;
  format::Metadata metadata;
};
FileEnds read_ends(core::InputFile& input);

/// Reads and checks the index; Id must be as wide as the header says. Memory: the index.
template <class Id>
PageIndex<Id> read_index(core::Environment& environment, core::InputFile& input, const FileEnds& ends);

/// The kept adjacency of a file. Throws as read_ends, EnvironmentError, MemoryLimitError.
template <class Id>
std::unique_ptr<PagedAdjacency<Id>> open_adjacency(core::Environment& environment, const std::string& path);

/// The same for what has been opened, with chunks of this size.
template <class Id>
std::unique_ptr<PagedAdjacency<Id>> open_adjacency(core::Environment& environment,
                                                   std::shared_ptr<core::InputFile> input,
                                                   const FileEnds& ends, std::size_t chunk_bytes);

}  // namespace emgraph::graph::adjacency
