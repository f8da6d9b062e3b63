// SPDX-License-Identifier: MIT
// Opens files for random access and pipes for sequential reading.
#include "graph/format/container/container.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "graph/format/container/container_source.hpp"
#include "graph/format/container/container_writer.hpp"

namespace emgraph::graph::format {

namespace {

Metadata details_of(const ContainerHeader& header) {
  const core::CodecChoice codec{static_cast<core::Codec>(header.codec),
                                header.codec_level == 0 ? 1 : static_cast<int>(header.codec_level)};
  return {{"version", std::to_string(header.major) + "." + std::to_string(header.minor)},
          {"codec", core::format_codec(codec)},
          {"block_edges", std::to_string(header.block_edges)}};
}

}  // namespace

bool is_container(const FileStart& start) {
  return start.starts_with({reinterpret_cast<const char*>(container_magic.data()), container_magic.size()});
}

Opened open_container(core::Environment& environment, core::InputFile input, const Format& /*format*/,
                      const OpenOptions& options) {
  if (!input.seekable()) {
    auto stream =
        std::make_shared<ContainerStream>(environment, std::move(input), options.max_lanes, options.verify);
    return {stream, stream->metadata(), details_of(stream->header())};
  }
  auto file =
      std::make_shared<ContainerFile>(environment, std::move(input), options.max_lanes, options.verify);
  Metadata details = details_of(file->header());
  details.emplace_back("blocks", std::to_string(file->footer().blocks));
  details.emplace_back("loops", std::to_string(file->footer().loops));
  return {file, file->metadata(), std::move(details)};
}

std::unique_ptr<EdgeWriter> create_container(const Creation& creation, const Format& /*format*/) {
  const CreateOptions& options = creation.options;
  return std::make_unique<ContainerWriter>(
      creation.environment, creation.open_output(), creation.facts,
      ContainerOptions{.codec = options.codec,
                       .metadata = options.metadata,
                       .block_bytes = options.block_bytes != 0 ? options.block_bytes : default_block_bytes});
}

}  // namespace emgraph::graph::format
