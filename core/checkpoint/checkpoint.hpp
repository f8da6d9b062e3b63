// SPDX-License-Identifier: MIT
// A directory that keeps what a run has finished, so that a later run can go on from there.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/function_ref.hpp"
#include "core/checkpoint/journal.hpp"
#include "core/io/file.hpp"

namespace emgraph::core {

/// The run has stopped on request after its state was sealed (exit code 75).
class Stopped : public Error {
 public:
  using Error::Error;
};

struct CheckpointOptions {
  std::string directory;
  bool resume = false;
  double period_seconds = 60;  ///< between two seals
  std::string command;
  std::vector<IdentityLine> identity;       ///< must be the same in the run that goes on
  std::string output;                       ///< path of the result, a regular file or none yet
  const std::atomic<bool>* stop = nullptr;  ///< set on request to stop
  /// Tells the thread that handles signals that the run will stop by itself: true from the time it has seen
  /// the request, and while a state is sealed, after which it looks. May be null.
  std::atomic<bool>* stop_heeded = nullptr;
  /// Returns counts that go into every journal. May be null.
  std::function<std::vector<std::uint64_t>()> counts = nullptr;
  /// Gets those of the earlier run on resuming. May be null.
  std::function<void(const std::vector<std::uint64_t>&)> restore_counts = nullptr;
};

/// Files in the directory, README.md has their order of writing: emgraph.journal, before the first seal
/// emgraph.begun, emgraph.data (blocks of temporary data), emgraph.state-N (what states name),
/// emgraph.published, emgraph.lock. The result is written to "OUTPUT.emgraph-part" meanwhile.
///
/// Threads: due() and stop_if_asked() any, while no other function runs; the others one at a time. Throws
/// EnvironmentError.
class Checkpoint {
 public:
  /// Creates the directory, or opens it to resume. Throws UsageError: there is a checkpoint and `resume` is
  /// false, there is none and it is true, another run uses it, or the run is not the same.
  explicit Checkpoint(CheckpointOptions options);
  /// Keeps the directory if a state was sealed, or if the run has stopped on request; else removes it.
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;

  /// The width of ids that an earlier attempt has found to be needed; 0: not known.
  std::uint64_t id_bytes() const { return head_.id_bytes; }
  /// Path of the result while it is written.
  const std::string& part() const { return head_.part; }
  std::string file(const char* name) const { return options_.directory + "/" + name; }
  const std::string& directory() const { return options_.directory; }

  /// The state that the earlier run has sealed; null if there is none, or after the first call.
  std::unique_ptr<JournalReader> take_state() { return std::move(state_); }
  bool has_state() const { return state_ != nullptr; }

  /// True if it is time for seal(): the period is over, or the run is asked to stop. The period is longer
  /// while sealing takes more than 3 % of the time, but at most a twentieth of the run so far.
  bool due() const;
  /// True if this part of a period is over since the last seal, or the run is asked to stop.
  bool due(double part_of_period) const;
  /// Makes all files durable, and a journal with the state that `save` writes. `done`: for people.
  /// Throws Stopped afterwards if the run is asked to stop.
  void seal(const std::string& done, FunctionRef<void(StateWriter&)> save);
  /// Where nothing can be sealed: throws Stopped if the run is asked to stop. The last seal stands; without
  /// one the run that goes on starts from the beginning.
  void stop_if_asked();
  /// Drops the state: the work starts again, with ids of this width.
  void start_again(std::uint64_t id_bytes);
  /// Writes a further file, durable and with a checksum of its own. The states that are sealed from now on
  /// name it, until drop().
  StateFile write_state_file(FunctionRef<void(StateWriter&)> write);
  /// Opens a file that the state names. Throws EnvironmentError if it is not what was written.
  std::unique_ptr<StateReader> read_state_file(const StateFile& file) const;
  /// The next state does not name the file: it is deleted when that state is sealed. Does nothing for none.
  void drop(const StateFile& file);

  /// Records the path and file_identity() of all outputs, for finish_published(). To be called before the
  /// OutputSet gives them their names. `others`: the outputs beside the result.
  void note_publication(const std::vector<IdentityLine>& others) const;
  /// Removes the directory. The result has its name.
  void finish();

  /// If a run was killed after its result got its name: removes the checkpoint in `directory` and returns the
  /// path of the result. If only other outputs had got their names: removes these outputs and returns
  /// nullopt; the resumed run writes all again. Throws UsageError if the run was one of another command.
  static std::optional<std::string> finish_published(const std::string& directory, std::string_view command);
  /// The head of the journal; nullopt if the directory holds no checkpoint.
  static std::optional<JournalHead> look(const std::string& directory);

 private:
  void open_or_create();
  void write_beginning();
  void keep_beginning() noexcept;
  [[noreturn]] void refuse_part() const;
  void compare(const JournalHead& before) const;
  bool stop_asked() const;
  void heed_stop(bool heeded) const;
  void write_empty_journal();
  void write_journal(FunctionRef<void(StateWriter&)> save);
  void remove_data() const noexcept;
  std::string state_file(const StateFile& file) const;
  void remove_all() noexcept;

  CheckpointOptions options_;
  JournalHead head_;
  std::unique_ptr<JournalReader> state_;
  File lock_;
  bool made_ = false;  ///< this object has made the directory
  bool keep_ = false;  ///< a state was sealed
  std::atomic<bool> stopped_ = false;
  bool finished_ = false;
  std::uint64_t last_file_ = 0;     ///< number of the latest state file
  std::vector<StateFile> dropped_;  ///< to be deleted after the next seal
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point sealed_ = start_;
  double seal_seconds_ = 0;  ///< that the latest seal took
};

}  // namespace emgraph::core
