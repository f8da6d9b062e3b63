// SPDX-License-Identifier: MIT
// Opens any edge input, creates any edge output.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/environment.hpp"
#include "graph/edge_facts.hpp"
#include "graph/edge_source.hpp"
#include "graph/format/source/edge_writer.hpp"
#include "graph/format/source/record_source.hpp"
#include "graph/format/table/format.hpp"
#include "graph/format/table/metadata.hpp"

namespace emgraph::graph::format {

/// An open edge input. Its start (for container files also its end) was read and checked.
class EdgeInput {
 public:
  EdgeInput(Opened opened, EdgeFacts facts, std::string format);

  const EdgeFacts& facts() const { return facts_; }
  /// A name of the table (formats.cpp); "gen" for generators; "several" for inputs of different formats.
  const std::string& format() const { return format_; }
  /// How the file was made, if it contains that.
  const Metadata& metadata() const { return opened_.metadata; }
  /// Further facts of its header: codec, version, blocks, …
  const Metadata& details() const { return opened_.details; }

  /// True if it consists of several inputs; facts(), notes() and records() are then all it has.
  bool joined() const { return !opened_.parts.empty(); }
  /// The facts of each of several inputs.
  const std::vector<EdgeFacts>& parts() const { return opened_.parts; }
  /// Opened::least_nodes.
  const std::optional<std::uint64_t>& least_nodes() const { return opened_.least_nodes; }
  void declare_nodes(std::uint64_t nodes) { facts_.nodes = nodes; }

  /// What the user should know of how it is read: a sentence each, which names the file.
  const std::vector<std::string>& notes() const { return opened_.notes; }

  /// Removes and returns the source. Afterwards only replace() is allowed.
  std::shared_ptr<RecordSource> release() { return std::move(opened_.source); }
  /// Sets another source, with its facts.
  void replace(std::shared_ptr<RecordSource> source) {
    facts_ = source->facts();
    opened_.source = std::move(source);
  }

  /// Sets another source of the same edges; facts() stay.
  void wrap(std::shared_ptr<RecordSource> source) { opened_.source = std::move(source); }

  /// Its facts lack what OpenOptions declared: facts() has that.
  const std::shared_ptr<RecordSource>& records() { return opened_.source; }

  /// The edges with `attachment_bytes` each. Id must be as wide as facts().layout.id_bytes, or 8 bytes for 4:
  /// std::logic_error otherwise. All sources of one input share its cursor, and must agree on Id and width
  /// while they have lanes; the input may go before them.
  template <class Id>
  EdgeSource<Id> source(std::size_t attachment_bytes = 0) {
    return {opened_.source, facts_, attachment_bytes};
  }

 private:
  Opened opened_;
  EdgeFacts facts_;
  std::string format_;
};

/// `input`: a path, "-" (standard input) or "gen:MODEL,key=value,…". Throws UsageError, DataError,
/// EnvironmentError.
std::unique_ptr<EdgeInput> open_edges(core::Environment& environment, const std::string& input,
                                      const OpenOptions& options);

/// The same for an input that is no generator. options.format is that of the file, if it is set.
std::unique_ptr<EdgeInput> open_edges(core::Environment& environment, core::InputFile input,
                                      const OpenOptions& options);

/// True for "gen:MODEL,…".
bool is_generator(std::string_view input);
/// "MODEL,…" of that.
std::string_view generated_model(std::string_view input);

/// Throws UsageError for options that would have no effect, because `what` has another format. `format`: null
/// for a generator.
void check_options(const OpenOptions& options, const std::string& what, const Format* format);

/// `facts`: the facts of the edges to write. facts.edges and facts.nodes may be unset, and must be right if
/// set. Throws UsageError (the output exists, or the format cannot store such edges), EnvironmentError.
std::unique_ptr<EdgeWriter> create_edges(core::Environment& environment, const std::string& path,
                                         const EdgeFacts& facts, const CreateOptions& options);

}  // namespace emgraph::graph::format
