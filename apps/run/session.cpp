// SPDX-License-Identifier: MIT
// Builds the environment from the options and the machine.
#include "apps/run/session.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "apps/command_line/disk_config.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/kept_run.hpp"
#include "apps/run/machine.hpp"
#include "apps/run/printable.hpp"
#include "apps/run/signals.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/input_file.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::apps {

namespace {

/// For -v: the paths, and which setting named them if no option did.
std::string named_disks(const CommonOptions& options) {
  const ConfiguredDisks named = configured_disks(options.disks);
  std::string text;
  for (const core::DiskSpec& disk : named.disks) text += (text.empty() ? "" : ", ") + disk.path;
  return named.source.empty() ? text : fmt::format("{} ({})", text, named.source);
}

std::unique_ptr<core::BlockManager> make_blocks(const CommonOptions& options, Spill spill,
                                                const core::Checkpoint* checkpoint,
                                                core::IoStatistics& statistics) {
  if (checkpoint != nullptr) {
    std::vector<core::DiskSpec> kept(1);
    kept[0].path = checkpoint->directory();
    kept[0].kept_file = checkpoint->file("emgraph.data");
    return std::make_unique<core::BlockManager>(std::move(kept), options.disk_strategy, options.seed,
                                                statistics);
  }
  if (options.disks.empty() && !may_spill(options, spill)) {
    // Nothing is spilled: a disk without space does, and no directory needs to be writable.
    std::vector<std::unique_ptr<core::Disk>> none;
    none.push_back(core::make_memory_disk(statistics, 0));
    return std::make_unique<core::BlockManager>(std::move(none), options.disk_strategy, options.seed,
                                                statistics);
  }
  const ConfiguredDisks named = configured_disks(options.disks);
  try {
    return std::make_unique<core::BlockManager>(named.disks, options.disk_strategy, options.seed, statistics);
  } catch (const core::EnvironmentError& error) {
    if (named.source.empty()) throw;
    throw core::EnvironmentError(fmt::format("{}; {} names it, -T DIR another", error.what(), named.source));
  }
}

/// The budget of data for `-M asked` if the process may still allocate `left` bytes: `asked` if heap, stacks
/// and page tables fit beside it; else less, but at least the smaller of `asked` and least_memory_bytes.
/// Measured: 1.5 to 2.5 MiB beside -M 32M, of which 0.6 MiB heap.
std::uint64_t memory_within_limits(std::uint64_t asked, std::uint64_t left) {
  const std::uint64_t room = 3 * core::MiB + std::min(asked, left) / 128;
  if (left >= core::size_sum(asked, room)) return asked;
  return std::min(asked,
                  std::max(least_memory_bytes, core::round_down(left - std::min(left, room), core::MiB)));
}

std::uint64_t memory_limit_bytes(const CommonOptions& options) {
  if (options.memory_bytes) return memory_within_limits(*options.memory_bytes, left_by_limits_bytes());
  const std::uint64_t available = available_memory_bytes();
  if (!options.memory_percent) return default_memory_bytes(available);
  const std::uint64_t bytes = core::round_down(available / 100 * *options.memory_percent, core::MiB);
  if (bytes >= least_memory_bytes) return memory_within_limits(bytes, left_by_limits_bytes());
  throw core::MemoryLimitError(fmt::format(
      "-M {}% of the {} that are available is {}; the least that works is {}M", *options.memory_percent,
      core::format_size(available), core::format_size(bytes), least_memory_bytes / core::MiB));
}

/// Of the threads that the user wants, as many as have memory for their buffers. What each command needs per
/// thread differs; up to 16 run wherever one does.
unsigned threads_within(std::uint64_t memory_bytes, unsigned wanted) {
  constexpr std::uint64_t always = 16;
  constexpr std::uint64_t share_bytes = 4 * core::MiB;
  return static_cast<unsigned>(std::min<std::uint64_t>(wanted, std::max(always, memory_bytes / share_bytes)));
}

std::unique_ptr<core::TraceFile> make_trace(const CommonOptions& options, core::OutputSet& outputs) {
  if (options.trace.empty()) return nullptr;
  return std::make_unique<core::TraceFile>(options.trace, overwrite(options), outputs);
}

}  // namespace

bool may_spill(const CommonOptions& options, Spill spill) {
  return spill == Spill::possible || options.relabel || options.labels || !options.original_ids.empty() ||
         options.filter.given();
}

std::uint64_t default_memory_bytes(std::uint64_t available_bytes) {
  return std::max(least_memory_bytes, core::round_down(available_bytes / 2, core::MiB));
}

Session::Session(const CommonOptions& options, Spill spill)
    : options_(options),
      spill_(options.spill_codec),
      signals_(options.stand_in ? std::optional<SignalGuard>()
                                : std::optional<SignalGuard>(std::in_place, names_)),
      checkpoint_(open_checkpoint(options, soft_stop_, filter_counts_->left_out)),
      trace_(make_trace(options, trace_output_)),
      io_(trace_ ? &trace_->trace() : nullptr),
      memory_(memory_limit_bytes(options), options.huge_pages),
      blocks_(make_blocks(options, spill, checkpoint_.get(), io_)),
      phases_(io_),
      environment_{
          .memory = memory_,
          .blocks = *blocks_,
          .io = io_,
          .progress = phases_,
          .outputs = outputs_,
          .spill = spill_,
          .threads = threads_within(memory_.limit(), options.threads ? *options.threads : available_cores()),
          .seed = options.seed,
          .checkpoint = checkpoint_.get()},
      bar_(std::make_unique<ProgressBar>(phases_, options.progress)) {
  phases_.foresee(options.foresight.phases);
  if (checkpoint_) {
    outputs_.keep_part(options.kept_output.empty() ? options.output : options.kept_output,
                       checkpoint_->part());
  }
  if (trace_) main_.emplace(io_.trace(), core::TraceKind::work, "main thread");
  if (options.memory_bytes && memory_.limit() < *options.memory_bytes) {
    warn(fmt::format(
        "-M {} is taken as {}: the limits of this process (cgroup, ulimit) leave no more for data",
        core::format_size(*options.memory_bytes), core::format_size(memory_.limit())));
  }
  if (options_.verbose == 0) return;
  const bool on_disks = checkpoint_ == nullptr && may_spill(options_, spill);
  fmt::print(stderr, "emgraph: memory limit {}, {} threads, temporary data in {}, seed {}\n",
             core::format_size(memory_.limit()), environment_.threads,
             checkpoint_                           ? printable(checkpoint_->directory())
             : on_disks || !options_.disks.empty() ? printable(named_disks(options_))
                                                   : "none",
             options_.seed);
}

Session::~Session() {
  for (const int descriptor : kept_open_) close(descriptor);
}

double Session::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Session::keep_open(const std::string& output) {
  if (options_.rehearse) return;
  struct stat status {};
  if (stat(output.c_str(), &status) != 0 || !S_ISFIFO(status.st_mode)) return;
  // This fails if the reader has left; the next write will tell.
  const int descriptor = open(output.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor >= 0) kept_open_.push_back(descriptor);
}

std::string Session::rereadable(const std::string& path) {
  struct stat status {};
  const bool stream = path == "-" || (stat(path.c_str(), &status) == 0 &&
                                      (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)));
  if (!stream) return path;
  auto [copy, missing] = copies_.try_emplace(path);
  if (missing) {
    const std::vector<core::DiskSpec> disks = configured_disks(options_.disks).disks;
    const bool on_disk = !disks.empty() && std::filesystem::is_directory(disks.front().path);
    copy->second = core::File::create_temporary(
        on_disk ? disks.front().path : std::filesystem::temp_directory_path().string(), core::DirectIo::off);
    core::InputFile input(path, io_);
    core::Buffer buffer(memory_, 64 * core::KiB, "a copy of a pipe");
    for (std::size_t bytes; (bytes = input.read_next(buffer.bytes())) > 0;) {
      for (std::size_t done = 0; done < bytes;) {
        const ssize_t written = write(copy->second.descriptor(), buffer.data() + done, bytes - done);
        if (written < 0 && errno != EINTR)
          throw core::EnvironmentError::system(copy->second.path(), "cannot write a copy of " + path, errno);
        done += static_cast<std::size_t>(std::max<ssize_t>(written, 0));
      }
    }
  }
  return fmt::format("/proc/self/fd/{}", copy->second.descriptor());
}

void Session::watch_input(const std::string& input) {
  struct stat status {};
  const int failed = input == "-" ? fstat(STDIN_FILENO, &status) : stat(input.c_str(), &status);
  if (failed == 0 && S_ISREG(status.st_mode)) watched_.try_emplace(input, status);
}

void Session::check_changed_inputs() const {
  for (const auto& [input, before] : watched_) {
    struct stat now {};
    const int failed = input == "-" ? fstat(STDIN_FILENO, &now) : stat(input.c_str(), &now);
    if (failed == 0 && now.st_ino == before.st_ino && now.st_dev == before.st_dev &&
        now.st_size == before.st_size && now.st_mtim.tv_sec == before.st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == before.st_mtim.tv_nsec) {
      continue;
    }
    const std::string name = input == "-" ? "standard input" : input;
    if (read_again_) {
      throw core::DataError::in_file(
          name, "was changed while it was read more than once: there is no result that fits it");
    }
    warn(fmt::format("{}: was changed while it was read; the result may fit neither the old nor the new file",
                     name));
  }
}

void Session::publish() {
  end_with_dying_parent();
  check_changed_inputs();
  if (checkpoint_) checkpoint_->note_publication(outputs_.unpublished());
  outputs_.publish();
  if (checkpoint_) checkpoint_->finish();
  SignalGuard::raise_delayed();
  for (const std::string& directory : outputs_.not_durable()) {
    warn(fmt::format("the outputs are complete, but perhaps not durable: {} cannot be synchronised",
                     directory));
  }
}

void Session::finish_trace(const std::string& command) {
  if (!trace_) return;
  phases_.end_phase();
  main_.reset();
  try {
    trace_->finish("emgraph " + command);
  } catch (const core::EnvironmentError& error) {
    // The results are complete and have their names: a missing trace does not spoil them.
    warn(fmt::format("the results are complete, the trace is not written: {}", error.what()));
  }
}

void Session::warn(const std::string& message) const {
  if (!options_.quiet) fmt::print(stderr, "emgraph: {}\n", printable(message));
}

void Session::warn_once(const std::string& message) {
  if (warned_.insert(message).second) warn(message);
}

}  // namespace emgraph::apps
