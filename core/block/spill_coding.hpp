// SPDX-License-Identifier: MIT
// Whether blocks of records are coded before they are written to the disks, and the figures of a run.
#pragma once

#include <atomic>
#include <cstdint>

namespace emgraph::core {

/// none: blocks are written as they are in memory. delta: keys are sorted and their gaps coded, which takes
/// CPU time. automatic: the faster of the two, by the speed of the disks.
enum class SpillCodec { automatic, none, delta };
inline constexpr SpillCodec all_spill_codecs[] = {SpillCodec::automatic, SpillCodec::none, SpillCodec::delta};
/// "auto", "none", "delta".
constexpr const char* name(SpillCodec codec) {
  return codec == SpillCodec::automatic ? "auto" : codec == SpillCodec::none ? "none" : "delta";
}

/// The choice of a run and its figures. Thread-safe.
class SpillCoding {
 public:
  explicit SpillCoding(SpillCodec codec) : codec_(codec) {}

  /// The user's choice.
  SpillCodec codec() const { return codec_; }

  struct Figures {
    std::uint64_t plain_bytes = 0;     ///< blocks that could have been coded, but were not
    std::uint64_t coded_bytes = 0;     ///< coded blocks, before coding
    std::uint64_t code_bytes = 0;      ///< coded blocks, after coding
    double disk_bytes_per_second = 0;  ///< speed of the disks at the last choice; 0: not known
    double pays_below = 0;             ///< speed below which coding saves time, bytes per second
  };
  Figures figures() const {
    return {plain_bytes_.load(), coded_bytes_.load(), code_bytes_.load(), disk_bytes_per_second_.load(),
            pays_below_.load()};
  }

  void count_plain(std::uint64_t bytes) { plain_bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  void count_coded(std::uint64_t bytes, std::uint64_t code_bytes) {
    coded_bytes_.fetch_add(bytes, std::memory_order_relaxed);
    code_bytes_.fetch_add(code_bytes, std::memory_order_relaxed);
  }
  /// Records the two speeds of a choice.
  void note_choice(double disk_bytes_per_second, double pays_below) {
    disk_bytes_per_second_.store(disk_bytes_per_second, std::memory_order_relaxed);
    pays_below_.store(pays_below, std::memory_order_relaxed);
  }

 private:
  const SpillCodec codec_;
  std::atomic<std::uint64_t> plain_bytes_{0};
  std::atomic<std::uint64_t> coded_bytes_{0};
  std::atomic<std::uint64_t> code_bytes_{0};
  std::atomic<double> disk_bytes_per_second_{0};
  std::atomic<double> pays_below_{0};
};

}  // namespace emgraph::core
