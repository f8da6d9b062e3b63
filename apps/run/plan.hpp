// SPDX-License-Identifier: MIT
// What a command would do, and the interface of the commands that know it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/command_line/command.hpp"
#include "apps/files/edge_estimate.hpp"
#include "apps/run/session.hpp"
#include "graph/forecast.hpp"
#include "graph/format/csr/gapbs.hpp"
#include "graph/format/numbers/number_text.hpp"

namespace emgraph::apps {

/// A file that the command would write.
struct PlannedOutput {
  std::string path;
  std::optional<std::uint64_t> most_bytes;  ///< nullopt: not known
  /// Memory that the writer takes while the file grows, beyond that of its constructor.
  std::uint64_t growth_bytes = 0;
  double cpu_seconds = 0;  ///< to write numbers as text
};

struct Plan {
  Inputs input;
  EdgeEstimate size = {};
  graph::Forecast forecast = {};
  std::string model = {};  ///< instead of the forecast's, for commands without memory models
  std::vector<PlannedOutput> outputs = {};
};

/// A command that `emgraph plan` knows. run() begins with check(), too.
class PlannedCommand : public Command {
 public:
  /// Validates the options, as run() does before any work. Throws as run().
  virtual CommonOptions check() = 0;
  /// Whether run() may spill.
  virtual Spill spill() const { return Spill::possible; }
  /// Whether plan() holds a list of nodes or queries in memory.
  virtual bool holds_list() const { return false; }
  /// The forecast of run() in a session with these options and CommonOptions::rehearse: opens the input,
  /// makes the choices of the run and reserves its memory. May be called once per session. Throws as run()
  /// before its first edge.
  virtual Plan plan(Session& session) = 0;
};

/// An edge file with `copies` times the edges of the input at most. `facts`: of the input. `codec`: --codec.
PlannedOutput planned_edge_file(const Session& session, const std::string& path,
                                const graph::EdgeFacts& facts, const std::string& codec,
                                const EdgeEstimate& size, std::uint64_t copies = 1);

/// The size of a file in .sg or .wsg of at most `copies` times the edges; nullopt: another format, or it is
/// not known. Throws UsageError if the format cannot store edges of these facts.
std::optional<graph::format::GapbsSize> gapbs_size(const Session& session, const std::string& path,
                                                   const graph::EdgeFacts& facts, const EdgeEstimate& size,
                                                   std::uint64_t copies);
/// Adds what its writer, which exists, takes while a sort is read and afterwards.
void add_gapbs_space(Session& session, const graph::format::GapbsSize& size, graph::Forecast& forecast);

/// The characters of the longest value of so many bytes: all ones, or a double.
constexpr std::size_t value_characters(std::size_t value_bytes) {
  return value_bytes == 4 ? 10 : graph::format::longest_number_bytes;
}
/// Bytes of a file of `values` values of `value_bytes` per node, or a list of as many ids: an upper bound.
/// `characters`: of a value in text; 0: those of an id.
std::optional<std::uint64_t> planned_node_bytes(const Session& session, const std::string& path,
                                                const std::optional<std::uint64_t>& values,
                                                std::size_t value_bytes, std::size_t characters = 0);

/// Forecasts `command`, whose options have been parsed, and prints the plan. `name`: of the command.
ExitCode run_plan(std::string_view name, PlannedCommand& command);

/// The phases that run() of an equal command will go through, for its progress display; none if progress is
/// not shown or nothing can be foreseen. `stand_in`: takes the place of the input. Null: the input is opened,
/// so it must be possible to read it twice.
std::vector<std::string> foreseen_phases(PlannedCommand& command, const StandIn* stand_in);

/// The least -M, up to a 128th, with which run() of an equal command would find its memory; nullopt: what is
/// missing now cannot be foreseen without reading all edges, or it may be more than half of what is
/// available. Requires: the input can be read twice.
std::optional<std::uint64_t> least_memory(PlannedCommand& command);

/// The names of the commands that implement PlannedCommand.
std::vector<std::string> planned_commands();

}  // namespace emgraph::apps
