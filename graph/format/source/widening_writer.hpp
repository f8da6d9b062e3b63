// SPDX-License-Identifier: MIT
// Writes edges to a format that stores a wider kind of weight than they carry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/source/edge_writer.hpp"

namespace emgraph::graph::format {

/// True if formats may widen weights `from` to `to` implicitly, because every value has an equal one: u32 to
/// i64, f32 to f64.
constexpr bool widens(WeightType from, WeightType to) {
  return (from == WeightType::u32 && to == WeightType::i64) ||
         (from == WeightType::f32 && to == WeightType::f64);
}

/// Passes edges of layout `from` to `inner`, whose weights have type `to`. Memory: 64 KiB.
class WideningWriter final : public EdgeWriter {
 public:
  /// Requires: widens(from.weight, to).
  WideningWriter(core::Environment& environment, std::unique_ptr<EdgeWriter> inner, const EdgeLayout& from,
                 WeightType to);

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override;
  std::optional<std::uint64_t> id_limit() const override { return inner_->id_limit(); }
  void at_least_nodes(std::uint64_t nodes) override { inner_->at_least_nodes(nodes); }
  bool resumable() const override { return inner_->resumable(); }
  void save(core::StateWriter& state) override { inner_->save(state); }
  void restore(core::StateReader& state) override { inner_->restore(state); }
  void finish() override { inner_->finish(); }
  std::uint64_t edges() const override { return inner_->edges(); }
  std::uint64_t bytes() const override { return inner_->bytes(); }

 private:
  std::unique_ptr<EdgeWriter> inner_;
  const EdgeLayout from_;
  const WeightType to_;
  core::Buffer rows_;
};

}  // namespace emgraph::graph::format
