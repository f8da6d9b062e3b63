// SPDX-License-Identifier: MIT
// The memory models of the solvers, and the arithmetic, the errors and the reasons of choosing one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace emgraph::graph {

/// internal: edges and nodes fit in memory. semi_external: O(1) words (or bits) per node fit, edges do not.
/// external: not even the nodes fit. automatic: the solver decides from n, m and the budget.
enum class MemoryModel { automatic, internal, semi_external, external };

constexpr std::string_view name(MemoryModel model) {
  switch (model) {
    case MemoryModel::automatic:
      return "auto";
    case MemoryModel::internal:
      return "internal";
    case MemoryModel::semi_external:
      return "semi-external";
    case MemoryModel::external:
      return "external";
  }
  return "";
}

/// True if a solver that is asked for this model may keep edges and nodes in memory.
constexpr bool may_be_internal(MemoryModel asked) {
  return asked == MemoryModel::automatic || asked == MemoryModel::internal;
}

/// What was chosen and why: printed in every summary.
struct ModelChoice {
  MemoryModel model = MemoryModel::automatic;
  std::string reason;
};

/// Of commands that read their input once and pass it on.
inline ModelChoice one_pass() {
  return {.model = MemoryModel::external, .reason = "one pass, nothing is kept"};
}

/// What a solver knows before it reads the edges. All byte counts of a choice saturate (core::size_product,
/// core::size_sum): an absurd n or m needs more than any budget grants.
struct ModelDemand {
  std::optional<std::uint64_t> nodes;
  std::optional<std::uint64_t> edges;
  std::size_t id_bytes = 4;
  unsigned threads = 1;
  std::size_t memory_bytes = 0;  ///< free for the solver
};

/// A model that a solver can run in.
struct ModelNeed {
  MemoryModel model = MemoryModel::automatic;
  std::uint64_t bytes = 0;  ///< saturating
  std::string reason;       ///< for the summary, if this one is chosen
};

/// The first of `needs` that fits in `free_bytes`, else the last.
ModelChoice first_that_fits(std::initializer_list<ModelNeed> needs, std::uint64_t free_bytes);

/// The need of a model, or of a structure, that does not fit, as an error spells it: WHAT needs about 3 GiB
/// for PURPOSE, 1 GiB are free under the memory limit; ADVICE.
struct MissingMemory {
  std::string what;              ///< "one bit per node"
  std::string_view precision;    ///< "", "about ", "at least "
  std::uint64_t bytes = 0;       ///< saturating
  std::string purpose = {};      ///< " for 10 nodes", or nothing
  std::string_view advice = {};  ///< "; --model external needs less", or nothing
};
core::MemoryLimitError missing_memory(const MissingMemory& missing, std::uint64_t free_bytes);

/// The same of a checker, which works in memory: checking WHAT needs 3 GiB for 10 nodes and 20 edges; -M 4G
/// is the least that would do.
core::MemoryLimitError missing_check_memory(const std::string& what, std::uint64_t bytes, std::uint64_t nodes,
                                            std::uint64_t edges, std::uint64_t least_bytes);

/// "--model internal".
std::string model_option(MemoryModel model);
/// What a reason ends with when the user has forced the model: " (--model)"; nothing for automatic.
std::string_view forced_suffix(MemoryModel model);

/// "edges (1 GiB) and nodes fit in 2 GiB".
std::string edges_and_nodes_fit(std::uint64_t edge_bytes, std::uint64_t free_bytes);
/// "an id per node takes 1 GiB of 2 GiB": `what` includes the verb.
std::string share_of_memory(std::string_view what, std::uint64_t bytes, std::uint64_t free_bytes);

}  // namespace emgraph::graph
