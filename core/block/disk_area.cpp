// SPDX-License-Identifier: MIT
// Sequential transfers and random reads, each with a window of requests in flight.
#include "core/block/disk_area.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/random_word.hpp"

namespace emgraph::core {
namespace {

/// Random reads that are queued behind those in flight. So many reads can overtake a slow one before the disk
/// is idle.
constexpr std::size_t most_waiting_reads = 256;

/// Least size of the buffer of all blocks, if memory allows. A Buffer of this size lies in huge pages, so a
/// block consists of few physical pieces. In scattered small pages a disk may not accept 1 MiB in one
/// request.
// Measured: 1 MiB direct transfers at depth 1 against fio 3.33 with huge pages, medians of 3 and 5 rounds of
// 1 GiB: 2 MiB of blocks write 0.68, read 0.34; 4 MiB 0.95, 0.98. (AMD EPYC, 2 virtual cores, virtual disk,
// November 2026, scripts/peers/fio_disks.py)
constexpr std::size_t least_bytes_of_blocks = 4 * MiB;

double seconds_since(DiskArea::Clock::time_point start) {
  return std::chrono::duration<double>(DiskArea::Clock::now() - start).count();
}

/// The requests in flight, by slot. Destruction waits for all of them.
class Window {
 public:
  explicit Window(std::size_t slots) : requests_(slots) {}
  Window(const Window&) = delete;
  ~Window() {
    for (const RequestPtr& request : requests_) {
      if (request) request->wait_ignoring_error();
    }
  }
  std::size_t size() const { return requests_.size(); }
  RequestPtr& of(std::uint64_t block) { return requests_[block % requests_.size()]; }

 private:
  std::vector<RequestPtr> requests_;
};

std::size_t slots(const AreaShape& shape) {
  const std::size_t fitting = shape.memory_bytes / shape.block_bytes;
  const std::size_t most = std::max(2 * std::size_t{shape.depth}, least_bytes_of_blocks / shape.block_bytes);
  return std::clamp<std::size_t>(fitting, shape.depth, most);
}

}  // namespace

DiskArea::DiskArea(Environment& environment, std::size_t disk, std::string name, const AreaShape& shape)
    : environment_(environment),
      name_(std::move(name)),
      shape_(shape),
      pattern_(environment.memory, random_word(environment.seed, disk)),
      blocks_(environment.memory, slots(shape) * shape.block_bytes, "blocks to measure a disk with"),
      extent_(environment.blocks.allocate_on(disk, shape.bytes)) {
  // Touches all pages now, so that the system does not provide them while the disk is measured.
  std::memset(blocks_.data(), 0, blocks_.size());
}

DiskArea::~DiskArea() {
  environment_.blocks.free(extent_);
}

std::span<std::byte> DiskArea::slot(std::uint64_t block) const {
  const std::uint64_t number = block % (blocks_.size() / shape_.block_bytes);
  return blocks_.bytes().subspan(number * shape_.block_bytes, shape_.block_bytes);
}

Extent DiskArea::part(std::uint64_t offset, std::uint64_t bytes) const {
  return {.disk = extent_.disk, .offset = extent_.offset + offset, .bytes = bytes};
}

void DiskArea::check(std::uint64_t offset, std::span<const std::byte> bytes) const {
  const auto wrong = pattern_.first_difference(offset, bytes);
  if (!wrong) return;
  throw EnvironmentError(name_ + ": byte " + std::to_string(offset + *wrong) +
                         " of the area or one of the next 7 is not what was written there");
}

RequestPtr DiskArea::submit(Operation operation, std::uint64_t block) {
  const std::span<std::byte> bytes = slot(block);
  const std::uint64_t offset = block * shape_.block_bytes;
  if (operation == Operation::read)
    return environment_.blocks.read_unsealed(part(offset, bytes.size()), {bytes});
  pattern_.fill(offset, bytes);
  return environment_.blocks.write(part(offset, bytes.size()), {bytes});
}

std::vector<double> DiskArea::transfer(Operation operation, Clock::time_point start, const BatchDone& done) {
  const std::uint64_t blocks = shape_.bytes / shape_.block_bytes;
  std::vector<double> ends;
  Window window(blocks_.size() / shape_.block_bytes);
  std::uint64_t begun = 0;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    for (; begun < blocks && begun - block < window.size(); ++begun) {
      window.of(begun) = submit(operation, begun);
    }
    std::exchange(window.of(block), nullptr)->wait();
    const bool mark = (block + 1) % shape_.batch_blocks == 0 || block + 1 == blocks;
    if (mark) {
      const double before = ends.empty() ? 0 : ends.back();
      ends.push_back(seconds_since(start));
      done((block % shape_.batch_blocks + 1) * shape_.block_bytes, ends.back() - before);
    }
    if (operation == Operation::read) check(block * shape_.block_bytes, slot(block));
  }
  return ends;
}

std::vector<double> DiskArea::write(Clock::time_point start, const BatchDone& done) {
  return transfer(Operation::write, start, done);
}

std::vector<double> DiskArea::read(Clock::time_point start, const BatchDone& done) {
  return transfer(Operation::read, start, done);
}

RandomReads DiskArea::read_at_random(std::uint64_t reads, std::size_t bytes, double most_seconds) {
  RandomReads result{.latencies = Array<float>(environment_.memory, reads, "latencies of random reads")};
  const std::size_t waiting =
      std::clamp<std::size_t>(environment_.memory.available() / 16 / bytes, shape_.depth, most_waiting_reads);
  const Buffer buffers(environment_.memory, (shape_.depth + waiting) * bytes, "random reads");
  Window window(shape_.depth + waiting);  // declared after the buffers: its destructor waits for all requests
  const auto buffer = [&](std::uint64_t number) {
    return buffers.bytes().subspan(number % window.size() * bytes, bytes);
  };
  const std::uint64_t seed = random_word(environment_.seed, (extent_.disk + std::uint64_t{1}) << 32);
  const auto offset = [&](std::uint64_t number) {
    return random_word(seed, number) % (shape_.bytes / bytes) * bytes;
  };
  const Clock::time_point start = Clock::now();
  std::uint64_t begun = 0;
  for (std::uint64_t number = 0;;) {
    while (begun < reads && begun - number < window.size() && seconds_since(start) < most_seconds) {
      window.of(begun) = environment_.blocks.read_unsealed(part(offset(begun), bytes), {buffer(begun)});
      ++begun;
    }
    if (number == begun) break;
    // Waits for many reads at a time: one wake-up per read would slow down the disk.
    const std::uint64_t end = std::min<std::uint64_t>(begun, number + std::max<std::size_t>(waiting / 2, 1));
    window.of(end - 1)->wait_ignoring_error();
    for (; number < end; ++number) {
      const RequestPtr request = std::exchange(window.of(number), nullptr);
      request->wait();
      result.latencies[number] = static_cast<float>(request->service_seconds());
      check(offset(number), buffer(number));
    }
  }
  result.seconds = seconds_since(start);
  result.reads = begun;
  std::sort(result.latencies.data(), result.latencies.data() + result.reads);
  return result;
}

}  // namespace emgraph::core
