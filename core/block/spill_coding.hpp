// SPDX-License-Identifier: MIT
// Whether blocks of records are coded on their way to the disks, and what came of it in a run.
#pragma once

#include <atomic>
#include <cstdint>

namespace emgraph::core {

/// none: blocks are written as they lie in memory. delta: keys are sorted and coded by their gaps, which
/// costs time. automatic: whichever takes less of it on disks as fast as these have been seen to be.
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

  /// What the user asked for.
  SpillCodec codec() const { return codec_; }

  struct Figures {
    std::uint64_t plain_bytes = 0;     ///< written as they were, though they might have been coded
    std::uint64_t coded_bytes = 0;     ///< of blocks that were coded, before
    std::uint64_t code_bytes = 0;      ///< and after
    double disk_bytes_per_second = 0;  ///< at the last choice; 0: not known
    double pays_below = 0;             ///< bytes per second, at the last choice
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
  /// Disks of such a speed, and the one below which coding pays.
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
