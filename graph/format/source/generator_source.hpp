// SPDX-License-Identifier: MIT
// A graph model as an edge source without a file.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "graph/format/source/laned_source.hpp"
#include "graph/generate/model.hpp"

namespace emgraph::graph::format {

/// Every lane generates its own batches. The edges do not depend on the number of lanes. Memory: 128 KiB per
/// lane.
class GeneratorSource final : public LanedSource {
 public:
  /// `text`: the text after "gen:". `id_bytes` 0: 4 if the ids fit, else 8. Throws UsageError.
  GeneratorSource(core::Environment& environment, const std::string& text, std::size_t id_bytes,
                  unsigned max_lanes);
  /// `attachments` and `seed`: as in the specification of the model.
  GeneratorSource(core::Environment& environment, generate::Model model,
                  const generate::AttachmentSpec& attachments, std::uint64_t seed, std::size_t id_bytes,
                  unsigned max_lanes);

  bool rewindable() const override { return true; }
  bool quick_to_reread() const override { return true; }
  void rewind() override { next_edge_ = 0; }
  std::uint64_t seek(std::uint64_t edge) override { return next_edge_ = edge; }
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  std::unique_ptr<WorkingLane> make_lane(const core::PairShape& shape) override;
  void fill(std::uint64_t first_edge, const core::PairShape& shape, std::byte* out, std::size_t count) const;
  void set_facts(std::size_t id_bytes);

  generate::Model model_;
  generate::AttachmentSpec attachments_;
  std::uint64_t seed_;
  std::atomic<std::uint64_t> next_edge_{0};
};

}  // namespace emgraph::graph::format
