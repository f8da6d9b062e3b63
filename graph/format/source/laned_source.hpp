// SPDX-License-Identifier: MIT
// The common parts of sources: facts, samples, and lanes, of which as many return edges as fit in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/environment.hpp"
#include "core/io/codec_pairs.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/source/order_check.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {

class LanedSource;

/// Registers a lane of a source during its lifetime, as working or idle.
class LanePlace {
 public:
  LanePlace() = default;
  LanePlace(LanedSource* source, bool working) : source_(source), working_(working) {}
  LanePlace(LanePlace&& other) noexcept
      : source_(std::exchange(other.source_, nullptr)), working_(other.working_) {}
  LanePlace& operator=(LanePlace&& other) noexcept {
    std::swap(source_, other.source_);
    std::swap(working_, other.working_);
    return *this;
  }
  ~LanePlace();

 private:
  LanedSource* source_ = nullptr;
  bool working_ = false;
};

/// Base of the lanes that LanedSource::make_lane returns.
class WorkingLane : public RecordLane {
 public:
  std::uint64_t first_edge() const final { return first_edge_; }

 protected:
  std::uint64_t first_edge_ = 0;  ///< number of the first edge of the latest batch

 private:
  friend class LanedSource;
  LanePlace place_;
};

/// Base of the sources. A source declares the memory of a lane. If a quarter of the free memory suffices for
/// fewer lanes than requested, the other lanes are idle: they return no edges, and the working lanes read all
/// edges. So a caller with many threads and little memory gets fewer working lanes, not an error. What the
/// facts declare of order, duplicates, loops, orientation and both directions is checked (OrderCheck).
/// Threads: any number may call lane().
class LanedSource : public RecordSource {
 public:
  const EdgeFacts& facts() const final { return facts_; }
  /// Throws std::logic_error if there are more lanes at a time than announced: such a lane could be idle
  /// although its caller expects edges.
  std::unique_ptr<RecordLane> lane(const core::PairShape& shape) final;
  /// By default a source, like a pipe, can be read once and has no sample.
  bool rewindable() const override { return false; }
  void rewind() override;
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 protected:
  explicit LanedSource(core::Environment& environment, EdgeFacts facts = {})
      : environment_(environment), facts_(std::move(facts)) {}
  /// To be called once, before the first lane(). `max_lanes`: most lanes at the same time. `lane_bytes`:
  /// memory of a working lane. `most_working`: at least 1.
  void open_lanes(unsigned max_lanes, std::size_t lane_bytes, unsigned most_working = ~0U);
  /// Most working lanes.
  unsigned working_lanes() const { return working_lanes_; }
  virtual std::unique_ptr<WorkingLane> make_lane(const core::PairShape& shape) = 0;

  core::Environment& environment_;
  EdgeFacts facts_;

 private:
  friend class LanePlace;
  class IdleLane;
  class CheckedLane;
  void give_back(bool working);

  std::unique_ptr<OrderCheck> order_check_;  // made with the first lane
  std::mutex lanes_mutex_;                   // guards the members below
  unsigned working_lanes_ = 1;
  unsigned lanes_most_ = 1;
  unsigned lanes_left_ = 1;
  unsigned working_left_ = 1;
};

/// Number of lanes of `lane_bytes` each that fit into a quarter of the free memory; at least 1.
std::size_t affordable_lanes(const core::MemoryBudget& budget, std::size_t lane_bytes);

/// The error for a file that ends before `offset`, although its size or its head declares more.
core::DataError became_shorter(const std::string& file, std::uint64_t offset);

/// Reads all of `bytes` from `offset` on. Throws DataError if the file ends before.
void read_exactly(core::InputFile& input, std::uint64_t offset, std::span<std::byte> bytes);

/// Throws UsageError for a pipe, if a format reads several places or the end. `demand`: the reason, which
/// follows the name of the format in the message.
void check_regular_file(const core::InputFile& input, std::string_view format, std::string_view demand);

/// The error for a file of `found` bytes, if its head declares `content` of `expected` bytes.
core::DataError wrong_size(const std::string& file, std::uint64_t found, std::uint64_t expected,
                           std::string_view content);

/// Blocks of a container read for a sample. Measured: 32 of 1 MiB, 65,536 records, codec none 30 ms, delta 53
/// ms (AMD EPYC, shared machine, one run). Other numbers were not tried.
inline constexpr std::uint64_t sample_blocks = 32;
/// Places of a text read for a sample, and the bytes of one.
inline constexpr std::uint64_t sample_text_places = 64;
inline constexpr std::size_t sample_text_bytes = 16384;

struct SamplePlan {
  std::vector<std::uint64_t> places;  ///< ascending, one in each of equal parts
  std::size_t records_per_place = 0;
};

/// Chooses at most `max_places` of `places` places for `count` records. Deterministic for a seed.
SamplePlan plan_sample(std::uint64_t places, std::uint64_t max_places, std::size_t count, std::uint64_t seed);

/// Appends about `count` records of the batch, one of each of equal parts, to `out`.
void take_sample(const RecordBatch& batch, const core::PairShape& shape, std::size_t count,
                 std::vector<std::byte>& out);

}  // namespace emgraph::graph::format
