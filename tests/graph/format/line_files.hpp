// SPDX-License-Identifier: MIT
// What the tests of Matrix Market, DIMACS and METIS share: edges to text and back.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/graph/format/edge_files.hpp"

namespace emgraph::tests {

using Bare = Record<std::uint32_t, 0>;
using Weighted = Record<std::uint32_t, 8>;

/// "0-1 2-0": the edges of a file that is called `name` and holds `content`.
inline std::string edges_in(const std::string& name, const std::string& content,
                            const OpenOptions& options = {}) {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  std::string out;
  for (const auto& record : read_edges<Bare>(test.environment, directory.write(name, content), options)) {
    if (!out.empty()) out += " ";
    out.append(std::to_string(record.source)).append("-").append(std::to_string(record.target));
  }
  return out;
}

/// "0-1:5": with weights, as the file's type has them.
inline std::string weighted_edges_in(const std::string& name, const std::string& content,
                                     const OpenOptions& options = {}) {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const auto input = open_edges(test.environment, directory.write(name, content), options);
  const bool real = input->facts().layout.weight == WeightType::f64;
  REQUIRE((real || input->facts().layout.weight == WeightType::i64));
  std::string out;
  for (const Weighted& record : drain(*typed_source<Weighted>(*input), 1)) {
    if (!out.empty()) out += " ";
    out.append(std::to_string(record.source)).append("-").append(std::to_string(record.target)).append(":");
    std::int64_t integer = 0;
    double number = 0;
    std::memcpy(&integer, record.attachment.data(), sizeof(integer));
    std::memcpy(&number, record.attachment.data(), sizeof(number));
    out += real ? Catch::StringMaker<double>::convert(number) : std::to_string(integer);
  }
  return out;
}

/// The error message for a file with invalid content.
inline std::string complaint(const std::string& name, const std::string& content,
                             const OpenOptions& options = {}) {
  return message_of<core::DataError>([&] { edges_in(name, content, options); });
}

inline Weighted weighted(std::uint32_t source, std::uint32_t target, std::int64_t weight) {
  Weighted record{source, target, {}};
  std::memcpy(record.attachment.data(), &weight, sizeof(weight));
  return record;
}

/// What is written for these edges: the bytes of the file.
template <class R>
std::string written(const std::string& name, const EdgeFacts& facts, const std::vector<R>& records,
                    std::uint64_t least_nodes = 0) {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const auto writer = create_edges(test.environment, directory.file(name), facts, {});
  append(*writer, std::span<const R>(records));
  writer->at_least_nodes(least_nodes);
  writer->finish();
  CHECK(writer->edges() == records.size());
  CHECK(writer->bytes() == directory.read(name).size());
  return directory.read(name);
}

/// Facts with n and m declared.
inline EdgeFacts counted(std::uint64_t nodes, std::uint64_t edges, WeightType weight = WeightType::none) {
  EdgeFacts facts;
  facts.nodes = nodes;
  facts.edges = edges;
  facts.layout.weight = weight;
  return facts;
}

/// Of what a METIS file holds.
inline EdgeFacts symmetric(EdgeFacts facts) {
  facts.order = EdgeOrder::source_target;
  facts.unique = facts.no_loops = facts.symmetric = true;
  return facts;
}

/// Removes blanks before line breaks, which fill the space reserved for counts.
inline std::string without_padding(std::string text) {
  for (std::size_t at = text.find(" \n"); at != std::string::npos; at = text.find(" \n")) text.erase(at, 1);
  return text;
}

}  // namespace emgraph::tests
