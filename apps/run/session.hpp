// SPDX-License-Identifier: MIT
// One run of a command: builds a core::Environment from the options.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "apps/command_line/options.hpp"
#include "apps/run/progress.hpp"
#include "apps/run/signals.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/environment.hpp"
#include "core/io/file.hpp"
#include "core/io/trace_file.hpp"
#include "graph/format/nodes/kept_labels.hpp"
#include "graph/prepare/filtered_source.hpp"
#include "graph/prepare/relabel/forecast.hpp"

namespace emgraph::apps {

/// Whether the command may spill to the temporary directories.
enum class Spill { never, possible };
/// Whether a run with these options may spill: translating ids and filters need the disks for any command.
bool may_spill(const CommonOptions& options, Spill spill);

/// How --relabel or --labels gave nodes their numbers, for the summary.
struct Relabelling {
  std::string method;
  std::string reason;
  std::vector<std::optional<std::uint64_t>> numbers;  ///< numbers of CommonOptions::asked_ids or asked_labels
};

/// What --relabel or --labels would do with an input, in a plan.
struct ForeseenNumbering {
  std::optional<graph::relabel::NumberingForecast> forecast;  ///< nullopt: the number of edges is not known
  std::string edges_from;                                     ///< as KnownCount::from
  double reading_nanoseconds = 0;                             ///< as EdgeEstimate
  std::optional<std::uint64_t> file_bytes;                    ///< of one reading of the input
};

/// Owns everything an Environment refers to. During its lifetime a signal handler cleans up, and progress is
/// shown.
class Session {
 public:
  /// Throws UsageError (a configured disk, a checkpoint of another run), EnvironmentError (a temporary
  /// directory cannot be written), MemoryLimitError.
  Session(const CommonOptions& options, Spill spill);
  Session(const Session&) = delete;
  ~Session();

  core::Environment& environment() { return environment_; }
  const CommonOptions& options() const { return options_; }
  /// Sets the ids, or labels, of the nodes that are asked for, if a file names them. Those in options are set
  /// before the session (ask_for() of files/relabelled_input.hpp).
  void ask_for(std::vector<std::uint64_t> ids) { options_.asked_ids = std::move(ids); }
  void ask_for_labels(std::vector<std::string> labels) { options_.asked_labels = std::move(labels); }
  PhaseRecorder& phases() { return phases_; }
  /// Null without --checkpoint.
  core::Checkpoint* checkpoint() const { return checkpoint_.get(); }
  /// Nothing unless an input has been relabelled.
  const std::optional<Relabelling>& relabelling() const { return relabelling_; }
  void set_relabelling(Relabelling relabelling) { relabelling_ = std::move(relabelling); }
  /// Nothing unless a plan has foreseen --relabel or --labels.
  const std::optional<ForeseenNumbering>& numbering() const { return numbering_; }
  void set_numbering(ForeseenNumbering numbering) { numbering_ = std::move(numbering); }
  /// The edges that the filter of the options leaves out.
  const std::shared_ptr<graph::prepare::FilterCounts>& filter_counts() const { return filter_counts_; }
  /// Starts to keep the names of nodes; drops those of an earlier reading.
  graph::format::KeptLabels& start_names() { return kept_names_.emplace(environment_); }
  /// The names of nodes; null unless they are kept.
  const graph::format::KeptLabels* names() const { return kept_names_ ? &*kept_names_ : nullptr; }
  /// Seconds since the session began.
  double seconds() const;
  /// Ends the progress display, so that the terminal is free for other output.
  void stop_progress() { bar_.reset(); }
  /// If the output is a FIFO, keeps it open until the session ends, so that its reader sees no end before.
  /// with_edges closes and opens an output again when it starts again.
  void keep_open(const std::string& output);
  /// Remembers size, inode and time of an input, if it is a regular file. If they have changed, publish()
  /// warns, or throws DataError if inputs were read more than once.
  void watch_input(const std::string& input);
  void note_second_reading() { read_again_ = true; }
  /// The name of a file that can be read several times: `path`, or a copy on the first temporary disk if
  /// `path` is a pipe. The copy is made once and lives as long as the session. Throws EnvironmentError.
  std::string rereadable(const std::string& path);
  /// Gives the outputs their names: all of them, or throws as core::OutputSet. Warns if a power cut could
  /// still take them away.
  void publish();
  /// Completes the file of --trace, if it is given, after `command` has succeeded. A trace that cannot be
  /// completed is a warning.
  void finish_trace(const std::string& command);
  /// Prints one line on standard error, unless -q was given.
  void warn(const std::string& message) const;
  /// The same, unless it was printed already: inputs may be opened again.
  void warn_once(const std::string& message);

 private:
  void check_changed_inputs() const;
  CommonOptions options_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  core::TemporaryNames names_;
  core::OutputSet outputs_{names_, core::OutputSet::Publish::together};
  core::OutputSet trace_output_{names_};  ///< apart: a trace that cannot be written spoils no result
  core::SpillCoding spill_;
  std::optional<SignalGuard> signals_;  ///< none if another session lives
  std::optional<SoftStop> soft_stop_;
  const std::shared_ptr<graph::prepare::FilterCounts> filter_counts_ =
      std::make_shared<graph::prepare::FilterCounts>();
  std::unique_ptr<core::Checkpoint> checkpoint_;
  std::unique_ptr<core::TraceFile> trace_;
  std::optional<core::TraceSpan> main_;  ///< span of the thread that owns the session
  core::IoStatistics io_;
  core::MemoryBudget memory_;
  std::unique_ptr<core::BlockManager> blocks_;
  PhaseRecorder phases_;
  core::Environment environment_;
  std::unique_ptr<ProgressBar> bar_;
  std::optional<Relabelling> relabelling_;
  std::optional<ForeseenNumbering> numbering_;
  std::optional<graph::format::KeptLabels> kept_names_;
  std::vector<int> kept_open_;  // descriptors
  std::map<std::string, core::File> copies_;
  std::map<std::string, struct stat> watched_;
  bool read_again_ = false;
  std::set<std::string> warned_;
};

/// The default of -M: half of what is available, but not less than least_memory_bytes.
std::uint64_t default_memory_bytes(std::uint64_t available_bytes);

}  // namespace emgraph::apps
