// SPDX-License-Identifier: MIT
// What sources have in common: facts, lanes, of which as many work as the memory has room for, and samples.
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
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {

class LanedSource;

/// Says that a lane of a source exists, and whether it works. Given back when it goes.
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

/// Base of the sources. A source says how many bytes a lane takes; where a quarter of the free memory holds
/// fewer lanes than the caller asks for, the others find no edges, because the working ones take them all: a
/// caller with many threads and little memory gets fewer that work, not an error. Threads: lane() from any
/// number.
class LanedSource : public RecordSource {
 public:
  const EdgeFacts& facts() const final { return facts_; }
  /// More lanes at a time than announced: std::logic_error, for such a lane could find nothing where all
  /// edges are expected.
  std::unique_ptr<RecordLane> lane(const core::PairShape& shape) final;
  /// By default a source is read once and has no sample, as a pipe.
  bool rewindable() const override { return false; }
  void rewind() override;
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 protected:
  explicit LanedSource(core::Environment& environment, EdgeFacts facts = {})
      : environment_(environment), facts_(std::move(facts)) {}
  /// To be called once, before the first lane(). At most `max_lanes` lanes will exist at the same time; a
  /// working one takes `lane_bytes` of memory.
  void open_lanes(unsigned max_lanes, std::size_t lane_bytes);
  /// How many lanes work, at most.
  unsigned working_lanes() const { return working_lanes_; }
  virtual std::unique_ptr<WorkingLane> make_lane(const core::PairShape& shape) = 0;

  core::Environment& environment_;
  EdgeFacts facts_;

 private:
  friend class LanePlace;
  class IdleLane;
  void give_back(bool working);

  std::mutex lanes_mutex_;  // guards what follows
  unsigned working_lanes_ = 1;
  unsigned lanes_left_ = 1;
  unsigned working_left_ = 1;
};

/// Lanes of `lane_bytes` each that a quarter of the free memory holds; at least 1.
std::size_t affordable_lanes(const core::MemoryBudget& budget, std::size_t lane_bytes);

/// The error of a file that ends before `offset`, though its size or its head says otherwise.
core::DataError became_shorter(const std::string& file, std::uint64_t offset);

/// Reads all of `bytes` from `offset` on. Throws DataError where the file ends before.
void read_exactly(core::InputFile& input, std::uint64_t offset, std::span<std::byte> bytes);

/// Throws UsageError for a pipe, where a format reads in several places or from the end. `demand`: what the
/// format asks that a pipe does not give; it follows the name of the format in the message.
void check_regular_file(const core::InputFile& input, std::string_view format, std::string_view demand);

/// The error of a file of `found` bytes where `expected` bytes hold `content`, which its head declares.
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

/// Appends about `count` records of the batch, at regular distances, to `out`.
void take_sample(const RecordBatch& batch, const core::PairShape& shape, std::size_t count,
                 std::vector<std::byte>& out);

}  // namespace emgraph::graph::format
