// SPDX-License-Identifier: MIT
// Buffers a sequential output: full buffers are in flight while the next one is filled.
#include "core/io/output_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/checksum.hpp"
#include "core/io/output_place.hpp"
#include "core/io/output_target.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::core {
namespace {

constexpr std::size_t window_bytes = 64 * KiB;  // least size of window()
constexpr std::size_t start_bytes = page_bytes;

struct Layout {
  std::size_t buffers;
  std::size_t request_bytes;
};

// Four requests of 1 MiB in flight; with a small budget at most an eighth of it, or the minimum that works.
Layout layout_for(std::size_t limit_bytes, bool stream) {
  const std::size_t request =
      round_down(std::clamp<std::size_t>(limit_bytes / 32, window_bytes, MiB), page_bytes);
  if (stream) return {1, std::min(request, 256 * KiB)};
  return {limit_bytes >= 64 * MiB ? std::size_t{5} : std::size_t{2}, request};
}

// True if `path` is written in place. Throws if it exists and must not be replaced.
bool is_stream(const std::string& path, Overwrite overwrite) {
  if (path == "-") return true;
  resolved_output(path);  // refuses links and FIFOs that may be traps
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    // lstat: a dangling symbolic link is an existing name, too.
    if (overwrite == Overwrite::refuse && lstat(path.c_str(), &status) == 0) throw output_exists(path);
    return false;
  }
  if (S_ISDIR(status.st_mode)) throw EnvironmentError(path + ": is a directory, not a file");
  if (S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode)) return true;
  if (overwrite == Overwrite::refuse) throw output_exists(path);
  return !S_ISREG(status.st_mode);
}

}  // namespace

struct OutputFile::State {
  struct Slot {
    Buffer buffer;
    RequestPtr request;  // the write that uses the buffer
  };

  std::string path;
  std::unique_ptr<OutputTarget> target;
  std::size_t request_bytes = 0;
  std::vector<Slot> slots;
  std::size_t current = 0;
  std::size_t filled = 0;       // bytes in the current buffer
  std::uint64_t submitted = 0;  // bytes submitted to the target before these
  Buffer start;                 // copy of the first page, after it was submitted
  bool start_changed = false;
  bool finished = false;
  bool resumable = false;
  std::unique_ptr<ChecksumStream> sum;  // of the bytes submitted after the first page, if it is resumable

  ~State() {
    for (Slot& slot : slots) {
      if (slot.request != nullptr) slot.request->wait_ignoring_error();
    }
  }

  std::byte* data() const { return slots[current].buffer.data(); }

  void wait_for(Slot& slot) {
    if (slot.request != nullptr) std::exchange(slot.request, nullptr)->wait();
  }

  // Submits the first `bytes` bytes of the current buffer; the rest moves to the start of the next buffer.
  void flush(std::size_t bytes) {
    if (submitted == 0 && start.size() > 0) std::memcpy(start.data(), data(), std::min(bytes, start_bytes));
    if (resumable) {
      const std::size_t before = submitted == 0 ? std::min(bytes, start_bytes) : 0;
      sum->append({data() + before, bytes - before});
    }
    Slot& full = slots[current];
    full.request = target->write(submitted, {full.buffer.data(), bytes});
    const std::size_t next = (current + 1) % slots.size();
    wait_for(slots[next]);
    const std::size_t beyond = filled - std::min(filled, bytes);
    std::memmove(slots[next].buffer.data(), full.buffer.data() + bytes, beyond);
    submitted += bytes;
    current = next;
    filled = beyond;
  }
};

OutputFile::OutputFile(const std::string& path, Overwrite overwrite, MemoryBudget& budget,
                       IoStatistics& statistics, OutputSet& outputs)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  // If standard output is a regular file, its other names would look like regular files, too.
  state.path = names_standard_output(path) ? "-" : path;
  const bool stream = is_stream(state.path, overwrite);
  const Layout layout = layout_for(budget.limit(), stream);
  state.request_bytes = layout.request_bytes;
  state.slots.resize(layout.buffers);
  for (State::Slot& slot : state.slots) {
    slot.buffer = Buffer(budget, layout.request_bytes + window_bytes, "buffers of the output");
  }
  if (!stream) state.start = Buffer(budget, start_bytes, "start of the output");
  if (overwrite == Overwrite::rehearse) {
    state.target = make_rehearsed_target(!stream);
  } else if (stream) {
    state.target = make_stream_target(state.path, statistics);
    outputs.names().note_written();
  } else {
    state.target = make_renamed_target(state.path, overwrite, statistics, outputs,
                                       static_cast<unsigned>(layout.buffers) - 1);
    state.resumable = !outputs.part_of(state.path).empty();
    if (state.resumable) state.sum = std::make_unique<ChecksumStream>();
  }
}

std::size_t OutputFile::buffer_bytes(std::size_t limit_bytes) {
  const Layout layout = layout_for(limit_bytes, false);
  return layout.buffers * (layout.request_bytes + window_bytes) + start_bytes;
}

OutputFile::~OutputFile() = default;

std::span<std::byte> OutputFile::window() {
  return {state_->data() + state_->filled, state_->slots[state_->current].buffer.size() - state_->filled};
}

void OutputFile::commit(std::size_t bytes) {
  State& state = *state_;
  state.filled += bytes;
  while (state.filled >= state.request_bytes) state.flush(state.request_bytes);
}

void OutputFile::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::span<std::byte> room = window();
    const std::size_t piece = std::min(room.size(), bytes.size());
    std::memcpy(room.data(), bytes.data(), piece);
    bytes = bytes.subspan(piece);
    commit(piece);
  }
}

bool OutputFile::rewritable() const {
  return state_->target->rewritable();
}

void OutputFile::rewrite_start(std::span<const std::byte> bytes) {
  State& state = *state_;
  if (!rewritable() || bytes.size() > start_bytes || bytes.size() > size()) {
    throw std::logic_error("OutputFile: this part of the output cannot be rewritten");
  }
  if (bytes.empty()) return;
  state.start_changed = state.submitted > 0;
  std::memcpy(state.start_changed ? state.start.data() : state.data(), bytes.data(), bytes.size());
}

void OutputFile::require_space(std::uint64_t bytes, const std::string& advice) const {
  const std::optional<std::uint64_t> free = state_->target->free_bytes();
  if (!free || bytes <= *free) return;
  throw EnvironmentError(path() + ": needs " + format_size(bytes) + ", " + format_size(*free) +
                         " are free on its disk" + advice);
}

bool OutputFile::resumable() const {
  return state_->resumable;
}

void OutputFile::save(StateWriter& to) {
  State& state = *state_;
  if (!state.resumable) throw std::logic_error("OutputFile: an output without a part is saved");
  if (const std::size_t whole = round_down(state.filled, page_bytes); whole > 0) state.flush(whole);
  for (State::Slot& slot : state.slots) state.wait_for(slot);
  to.value(state.submitted);
  to.value(state.sum->value());
  to.value(static_cast<std::uint64_t>(state.filled));
  to.put({state.data(), state.filled});
  to.put(state.start.bytes());
}

void OutputFile::restore(StateReader& from) {
  State& state = *state_;
  for (State::Slot& slot : state.slots) state.wait_for(slot);
  state.submitted = from.value<std::uint64_t>();
  const auto expected = from.value<std::uint64_t>();
  const auto filled = from.value<std::uint64_t>();
  if (filled >= page_bytes || state.submitted % page_bytes != 0) {
    throw EnvironmentError(path() + ": the checkpoint describes no output");
  }
  state.sum = std::make_unique<ChecksumStream>();
  if (state.target->held_bytes() < state.submitted) {
    throw EnvironmentError(
        path() + ": the part of it that was written before is missing or shorter than it was; the " +
        "checkpoint cannot be used: remove it");
  }
  for (std::uint64_t at = page_bytes; at < state.submitted;) {
    const auto piece =
        std::span(state.data(), std::min<std::uint64_t>(state.request_bytes, state.submitted - at));
    state.target->read(at, piece)->wait();
    state.sum->append(piece);
    at += piece.size();
  }
  if (state.sum->value() != expected) {
    throw EnvironmentError(path() + ": the part of it that was written before is not what was written; the " +
                           "checkpoint cannot be used: remove it");
  }
  state.filled = filled;
  from.get({state.data(), filled});
  from.get(state.start.bytes());
  state.start_changed = state.submitted > 0;
}

std::uint64_t OutputFile::size() const {
  return state_->submitted + state_->filled;
}

const std::string& OutputFile::path() const {
  return state_->path;
}

void OutputFile::finish() {
  State& state = *state_;
  if (state.finished) return;
  const std::uint64_t size_bytes = size();
  if (state.filled > 0) {
    std::size_t bytes = state.filled;
    if (rewritable()) {
      bytes = round_up(bytes, page_bytes);
      std::memset(state.data() + state.filled, 0, bytes - state.filled);
    }
    state.flush(bytes);
  }
  for (State::Slot& slot : state.slots) state.wait_for(slot);
  if (state.start_changed) state.target->write(0, state.start.bytes())->wait();
  state.target->complete(size_bytes);
  state.submitted = size_bytes;  // without the padding, which complete() has cut off
  state.finished = true;
}

}  // namespace emgraph::core
