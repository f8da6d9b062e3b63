// SPDX-License-Identifier: MIT
// Creates, locks, compares and removes the directory of a checkpoint.
#include "core/checkpoint/checkpoint.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "core/checkpoint/file_lock.hpp"
#include "core/io/file.hpp"
#include "core/io/output_place.hpp"

namespace emgraph::core {
namespace {

constexpr const char* journal_name = "emgraph.journal";
constexpr const char* begun_name = "emgraph.begun";
constexpr const char* lock_name = "emgraph.lock";
constexpr const char* published_name = "emgraph.published";
constexpr const char* state_prefix = "emgraph.state-";
// At most a twentieth of the work may be lost; sealing may take 1/32 of the time.
constexpr double most_lost = 0.05;
constexpr double least_work_per_seal = 32;  // times the seconds of the last seal
constexpr std::array data_names = {"emgraph.data", "emgraph.journal.new", "emgraph.begun.new",
                                   "emgraph.published.new"};

std::string in(const std::string& directory, const char* name) {
  return directory + "/" + name;
}

/// Removes the state files of a directory, except those of `kept`.
void remove_state_files(const std::string& directory, const std::vector<StateFile>& kept) noexcept {
  std::error_code ignored;
  for (auto entry = std::filesystem::directory_iterator(directory, ignored);
       !ignored && entry != std::filesystem::directory_iterator(); entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(state_prefix)) continue;
    const bool named = std::ranges::any_of(
        kept, [&](const StateFile& file) { return name == state_prefix + std::to_string(file.number); });
    if (!named) unlink(entry->path().c_str());
  }
}

/// Opens the journal. Before the first seal there is only emgraph.begun, which describes the run and has no
/// state. If it is damaged, no run has begun, as it is durable before there is a result so far. Null: there
/// is no usable file.
std::unique_ptr<JournalReader> read_journal(const std::string& directory) {
  if (name_exists(in(directory, journal_name))) {
    return std::make_unique<JournalReader>(in(directory, journal_name));
  }
  if (!name_exists(in(directory, begun_name))) return nullptr;
  try {
    return std::make_unique<JournalReader>(in(directory, begun_name));
  } catch (const EnvironmentError&) {
    return nullptr;
  }
}

/// Where emgraph.published lies while the directory is removed: beside it.
std::string published_aside(const std::string& directory) {
  return directory + "." + published_name;
}

/// Removes the files of the checkpoint and, if `itself`, the directory, unless it holds other files. The
/// journal goes first: if the removal is interrupted, nothing names data that are gone, and a run with
/// --resume begins again. emgraph.published moves beside the directory before that and is deleted last, so
/// that a later run can finish an interrupted removal.
void remove_directory(const std::string& directory, bool itself) noexcept {
  unlink(in(directory, journal_name).c_str());
  for (const char* name : data_names) unlink(in(directory, name).c_str());
  remove_state_files(directory, {});
  for (const char* name : {begun_name, lock_name}) unlink(in(directory, name).c_str());
  const std::string published = in(directory, published_name);
  const std::string aside = published_aside(directory);
  const bool moved = itself && rename(published.c_str(), aside.c_str()) == 0;
  // After a power cut both names may be there; then rename() does nothing.
  unlink(published.c_str());
  if (itself) rmdir(directory.c_str());
  if (moved) unlink(aside.c_str());
}

UsageError no_checkpoint(const std::string& directory) {
  return UsageError("--resume: " + directory + " holds no checkpoint; run without --resume to begin");
}
UsageError in_use(const std::string& directory) {
  return UsageError("--checkpoint " + directory + ": another run uses it");
}
UsageError part_in_use(const std::string& part) {
  return UsageError(part + ": another run writes it");
}

}  // namespace

Checkpoint::Checkpoint(CheckpointOptions options) : options_(std::move(options)) {
  head_ = {.command = options_.command,
           .identity = options_.identity,
           .output = options_.output,
           .part = options_.output.empty() ? "" : resolved_output(options_.output) + ".emgraph-part",
           .done = {},
           .counts = {},
           .files = {}};
  open_or_create();
  if (state_ == nullptr && in_use_elsewhere(head_.part)) throw part_in_use(head_.part);
  try {
    if (state_ == nullptr) {
      remove_data();
      // Durable before there is a result so far: after a power cut nobody would know whose that is.
      write_beginning();
    }
  } catch (...) {
    remove_all();
    throw;
  }
  keep_ = state_ != nullptr;
}

Checkpoint::~Checkpoint() {
  if (finished_ || (keep_ && name_exists(file(journal_name)))) return;
  if (stopped_) {
    keep_beginning();
  } else {
    remove_all();
  }
}

void Checkpoint::write_beginning() {
  if (name_exists(file(journal_name))) {
    write_empty_journal();
  } else {
    JournalWriter(file(begun_name), head_).finish();
    sync_entries(directory_of(options_.directory));
  }
}

/// Without a result so far, and says so: the next one at its path is that of another checkpoint.
void Checkpoint::keep_beginning() noexcept {
  remove_data();
  head_.part.clear();
  try {
    write_beginning();
  } catch (const Error&) {  // the run that goes on takes the result so far of another run for its own
  }
}

void Checkpoint::open_or_create() {
  const std::string& directory = options_.directory;
  const bool found = name_exists(directory);
  if (!found && options_.resume) throw no_checkpoint(directory);
  if (!found) {
    if (mkdir(directory.c_str(), 0777) != 0) {
      throw EnvironmentError::system(directory, "cannot create the directory", errno);
    }
    made_ = true;
  }
  // An empty directory is that of a run that was killed before it could begin.
  std::error_code failed;
  if (options_.resume && !name_exists(file(lock_name)) && !name_exists(file(journal_name)) &&
      !std::filesystem::is_empty(directory, failed)) {
    throw no_checkpoint(directory);
  }
  unlink(published_aside(directory).c_str());
  lock_ = locked(in(directory, lock_name));
  if (!lock_.is_open()) throw in_use(directory);
  std::unique_ptr<JournalReader> before = read_journal(directory);
  const bool has_part = before != nullptr && !before->head().part.empty();
  if (!has_part && name_exists(head_.part)) {
    if (before == nullptr) remove_directory(directory, made_);
    refuse_part();
  }
  if (before == nullptr) return;  // killed before it could begin
  if (!options_.resume) {
    throw UsageError("--checkpoint " + directory +
                     ": holds a checkpoint already; go on with --resume, or remove the directory");
  }
  compare(before->head());
  head_.done = before->head().done;
  head_.id_bytes = before->head().id_bytes;
  if (options_.restore_counts != nullptr) options_.restore_counts(before->head().counts);
  head_.files = before->head().files;
  remove_state_files(directory, head_.files);
  for (const StateFile& named : head_.files) last_file_ = std::max(last_file_, named.number);
  if (before->head().has_state) state_ = std::move(before);
}

/// The result so far is that of another checkpoint, which may be in use.
void Checkpoint::refuse_part() const {
  if (in_use_elsewhere(head_.part)) throw part_in_use(head_.part);
  throw UsageError(head_.part +
                   " exists: it is the result so far of a run with another checkpoint; let that run go "
                   "on with --resume, or remove the file");
}

void Checkpoint::compare(const JournalHead& before) const {
  const auto changed = [&](const std::string& what, const std::string& was, const std::string& is) {
    return UsageError("--resume: this is not the run of the checkpoint " + options_.directory + ": " + what +
                      " was " + (was.empty() ? "not given" : was) + ", is " +
                      (is.empty() ? "not given" : is));
  };
  if (before.command != head_.command) throw changed("the command", before.command, head_.command);
  if (before.output != head_.output) throw changed("the output", before.output, head_.output);
  const auto value_of = [](const std::vector<IdentityLine>& lines, const std::string& key) {
    std::string value;
    for (const auto& [other, text] : lines) {
      if (other == key) value += (value.empty() ? "" : ", ") + text;
    }
    return value;
  };
  for (const auto* lines : {&before.identity, &head_.identity}) {
    for (const auto& [key, ignored] : *lines) {
      const std::string was = value_of(before.identity, key);
      const std::string is = value_of(head_.identity, key);
      if (was != is) throw changed(key, was, is);
    }
  }
}

bool Checkpoint::due() const {
  return due(1);
}

bool Checkpoint::due(double part_of_period) const {
  if (stop_asked()) return true;
  const Clock::time_point now = Clock::now();
  const double since = std::chrono::duration<double>(now - sealed_).count();
  if (since < part_of_period * options_.period_seconds) return false;
  const double run = std::chrono::duration<double>(now - start_).count();
  if (options_.period_seconds > 0 && since < std::min(least_work_per_seal * seal_seconds_, most_lost * run)) {
    return false;
  }
  heed_stop(true);
  return true;
}

bool Checkpoint::stop_asked() const {
  if (options_.stop == nullptr || !*options_.stop) return false;
  heed_stop(true);
  return true;
}

void Checkpoint::heed_stop(bool heeded) const {
  if (options_.stop_heeded != nullptr) *options_.stop_heeded = heeded;
}

void Checkpoint::write_empty_journal() {
  head_.has_state = false;
  JournalWriter(file(journal_name), head_).finish();
}

void Checkpoint::write_journal(FunctionRef<void(StateWriter&)> save) {
  head_.has_state = true;
  if (options_.counts != nullptr) head_.counts = options_.counts();
  JournalWriter journal(file(journal_name), head_);
  save(journal);
  if (!head_.part.empty()) {
    sync_file(head_.part);
    sync_entries(directory_of(head_.part));
  }
  sync_file(file("emgraph.data"));
  journal.finish();
  if (keep_) return;
  sync_entries(directory_of(options_.directory));
  unlink(file(begun_name).c_str());
}

void Checkpoint::seal(const std::string& done, FunctionRef<void(StateWriter&)> save) {
  const Clock::time_point begin = Clock::now();
  head_.done = done;
  write_journal(save);
  keep_ = true;
  for (const StateFile& old : std::exchange(dropped_, {})) unlink(state_file(old).c_str());
  sealed_ = Clock::now();
  seal_seconds_ = std::chrono::duration<double>(sealed_ - begin).count();
  heed_stop(false);
  stop_if_asked();
}

void Checkpoint::stop_if_asked() {
  if (!stop_asked()) return;
  stopped_ = true;
  throw Stopped("stopped on request; " + (keep_ ? "what is done is kept in " + options_.directory +
                                                      ": the same command with --resume goes on"
                                                : "nothing is done yet that " + options_.directory +
                                                      " keeps: the same command with --resume begins again"));
}

void Checkpoint::start_again(std::uint64_t id_bytes) {
  state_ = nullptr;
  head_.done.clear();
  head_.id_bytes = id_bytes;
  for (const StateFile& file : std::exchange(head_.files, {})) dropped_.push_back(file);
  write_empty_journal();
  for (const StateFile& old : std::exchange(dropped_, {})) unlink(state_file(old).c_str());
}

std::string Checkpoint::state_file(const StateFile& file) const {
  return this->file((state_prefix + std::to_string(file.number)).c_str());
}

StateFile Checkpoint::write_state_file(FunctionRef<void(StateWriter&)> write) {
  StateFile file{++last_file_, 0};
  JournalWriter writer(state_file(file), {});
  write(writer);
  file.checksum = writer.finish();
  head_.files.push_back(file);
  return file;
}

std::unique_ptr<StateReader> Checkpoint::read_state_file(const StateFile& file) const {
  auto reader = std::make_unique<JournalReader>(state_file(file));
  if (reader->checksum() == file.checksum) return reader;
  throw EnvironmentError(state_file(file) + ": is not the file that the journal names");
}

void Checkpoint::drop(const StateFile& file) {
  if (std::erase(head_.files, file) > 0) dropped_.push_back(file);
}

void Checkpoint::note_publication(const std::vector<IdentityLine>& others) const {
  sync_file(head_.part);
  const std::string part = file_identity(head_.part);
  if (part.empty()) return;
  JournalHead published = head_;
  published.identity = {{published.output, part}};
  for (const auto& [path, file] : others) {
    published.identity.emplace_back(std::filesystem::absolute(path), file);
  }
  JournalWriter(file(published_name), published).finish();
}

void Checkpoint::finish() {
  finished_ = true;
  remove_directory(options_.directory, true);
}

void Checkpoint::remove_data() const noexcept {
  for (const char* name : data_names) unlink(file(name).c_str());
  remove_state_files(options_.directory, {});
  // A run that began at the same time may have made it first.
  if (!in_use_elsewhere(head_.part)) unlink(head_.part.c_str());
}

void Checkpoint::remove_all() noexcept {
  remove_data();
  finished_ = true;
  remove_directory(options_.directory, made_);
}

std::optional<std::string> Checkpoint::finish_published(const std::string& directory,
                                                        std::string_view command) {
  std::string name = directory;
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  const std::string aside = published_aside(name);
  const bool removing = name_exists(aside) && !name_exists(in(name, journal_name));
  if (!removing && !name_exists(in(name, published_name))) return std::nullopt;
  File lock;
  if (name_exists(name)) {
    lock = locked(in(name, lock_name));
    if (!lock.is_open()) throw in_use(name);
  }
  const JournalHead published = JournalReader(removing ? aside : in(name, published_name)).head();
  if (published.command != command) {
    throw UsageError("--resume: this is not the run of the checkpoint " + name + ": the command was " +
                     published.command + ", is " + std::string(command));
  }
  const std::string& output = published.output;
  const std::string& result = published.identity.front().second;
  if (file_identity(output) != result) {
    // The others lose their names only if the result has none: it may have been moved away since.
    const bool unpublished = file_identity(published.part) == result;
    for (const auto& [path, file] : published.identity) {
      if (unpublished && file_identity(path) == file) unlink(path.c_str());
    }
    unlink(in(name, published_name).c_str());
    return std::nullopt;
  }
  remove_directory(name, true);
  if (removing) unlink(aside.c_str());
  return output;
}

std::optional<JournalHead> Checkpoint::look(const std::string& directory) {
  const std::unique_ptr<JournalReader> journal = read_journal(directory);
  if (journal == nullptr) return std::nullopt;
  return journal->head();
}

}  // namespace emgraph::core
