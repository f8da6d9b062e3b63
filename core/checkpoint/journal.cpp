// SPDX-License-Identifier: MIT
// Writes a journal through a buffer; reads it twice, for its checksum and for its content.
#include "core/checkpoint/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/io/checksum.hpp"
#include "core/io/file.hpp"
#include "core/io/output_place.hpp"

namespace emgraph::core {
namespace {

constexpr std::uint64_t journal_mark = 0x3430'4c4e'524a'4d45;  // "EMJRNL04"
constexpr std::uint64_t most_items = std::uint64_t{1} << 20;
constexpr std::size_t buffer_bytes = 64 * 1024;

void put_text(StateWriter& to, const std::string& text) {
  to.value(static_cast<std::uint64_t>(text.size()));
  to.put(std::as_bytes(std::span(text)));
}

/// A number of items, which follow.
std::uint64_t get_count(StateReader& from, const std::string& path, const std::string& what) {
  const auto count = from.value<std::uint64_t>();
  if (count > most_items) throw EnvironmentError(path + ": damaged: an impossible number of " + what);
  return count;
}

std::string get_text(StateReader& from, const std::string& path) {
  std::string text(get_count(from, path, "characters"), '\0');
  from.get(std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace

struct JournalWriter::State {
  std::string path;
  File file;
  std::vector<std::byte> buffer;
  ChecksumStream sum;
  bool named = false;  ///< the file has its final name

  std::string new_path() const { return path + ".new"; }
  void flush() {
    for (std::size_t done = 0; done < buffer.size();) {
      const ssize_t wrote = write(file.descriptor(), buffer.data() + done, buffer.size() - done);
      if (wrote >= 0) {
        done += static_cast<std::size_t>(wrote);
      } else if (errno != EINTR) {
        throw EnvironmentError::system(new_path(), "cannot write", errno);
      }
    }
    buffer.clear();
  }
};

JournalWriter::JournalWriter(const std::string& path, const JournalHead& head)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.path = path;
  state.buffer.reserve(buffer_bytes);
  unlink(state.new_path().c_str());
  state.file = File::create_new(state.new_path(), DirectIo::off);
  value(journal_mark);
  put_text(*this, head.command);
  value(static_cast<std::uint64_t>(head.identity.size()));
  for (const auto& [key, value] : head.identity) {
    put_text(*this, key);
    put_text(*this, value);
  }
  put_text(*this, head.output);
  put_text(*this, head.part);
  put_text(*this, head.done);
  value(head.id_bytes);
  value(static_cast<std::uint64_t>(head.counts.size()));
  for (const std::uint64_t count : head.counts) value(count);
  value(static_cast<std::uint64_t>(head.files.size()));
  for (const StateFile& file : head.files) value(file);
  value(head.has_state);
}

JournalWriter::~JournalWriter() {
  if (!state_->named) unlink(state_->new_path().c_str());
}

void JournalWriter::put(std::span<const std::byte> bytes) {
  State& state = *state_;
  state.sum.append(bytes);
  while (!bytes.empty()) {
    const std::size_t here = std::min(bytes.size(), buffer_bytes - state.buffer.size());
    state.buffer.insert(state.buffer.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(here));
    if (state.buffer.size() == buffer_bytes) state.flush();
    bytes = bytes.subspan(here);
  }
}

std::uint64_t JournalWriter::finish() {
  State& state = *state_;
  const std::uint64_t checksum = state.sum.value();
  value(checksum);
  state.flush();
  state.file.sync_data();
  state.file.close();
  if (std::rename(state.new_path().c_str(), state.path.c_str()) != 0) {
    throw EnvironmentError::system(state.path, "cannot be given its name", errno);
  }
  state.named = true;
  sync_entries(directory_of(state.path));
  return checksum;
}

struct JournalReader::State {
  std::string path;
  File file;
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;  ///< before the checksum
  std::uint64_t checksum = 0;
  JournalHead head;

  void read(std::uint64_t offset, std::span<std::byte> to) const {
    while (!to.empty()) {
      const ssize_t got = pread(file.descriptor(), to.data(), to.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw EnvironmentError::system(path, "cannot read", errno);
      if (got == 0) throw EnvironmentError(path + ": damaged: it ends too early");
      to = to.subspan(static_cast<std::size_t>(got));
      offset += static_cast<std::uint64_t>(got);
    }
  }
  void verify() {
    const std::uint64_t size = file.size();
    if (size < sizeof checksum) throw EnvironmentError(path + ": damaged: it ends too early");
    bytes = size - sizeof checksum;
    std::vector<std::byte> buffer(buffer_bytes);
    ChecksumStream sum;
    for (std::uint64_t offset = 0; offset < bytes; offset += buffer.size()) {
      const auto here = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), bytes - offset));
      read(offset, here);
      sum.append(here);
    }
    read(bytes, std::as_writable_bytes(std::span(&checksum, 1)));
    if (sum.value() != checksum) {
      throw EnvironmentError(path + ": damaged: its checksum does not match; remove the checkpoint");
    }
  }
};

JournalReader::JournalReader(const std::string& path) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.path = path;
  state.file = File::open_read(path, DirectIo::off);
  state.verify();
  if (value<std::uint64_t>() != journal_mark) {
    throw EnvironmentError(path + ": is no journal of a checkpoint that this program can read");
  }
  JournalHead& head = state.head;
  head.command = get_text(*this, path);
  for (std::uint64_t lines = get_count(*this, path, "options"); lines > 0; --lines) {
    std::string key = get_text(*this, path);
    head.identity.emplace_back(std::move(key), get_text(*this, path));
  }
  head.output = get_text(*this, path);
  head.part = get_text(*this, path);
  head.done = get_text(*this, path);
  head.id_bytes = value<std::uint64_t>();
  head.counts.resize(get_count(*this, path, "counts"));
  for (std::uint64_t& count : head.counts) count = value<std::uint64_t>();
  for (std::uint64_t files = get_count(*this, path, "files"); files > 0; --files) {
    head.files.push_back(value<StateFile>());
  }
  head.has_state = value<bool>();
}

JournalReader::~JournalReader() = default;

const JournalHead& JournalReader::head() const {
  return state_->head;
}

std::uint64_t JournalReader::checksum() const {
  return state_->checksum;
}

void JournalReader::get(std::span<std::byte> bytes) {
  State& state = *state_;
  if (bytes.size() > state.bytes - state.at) {
    throw EnvironmentError(state.path + ": damaged: the state ends too early");
  }
  state.read(state.at, bytes);
  state.at += bytes.size();
}

void sync_file(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return;
  if (descriptor < 0) throw EnvironmentError::system(path, "cannot open", errno);
  const int result = fsync(descriptor);  // the time of the last change, too: file_identity() has it
  const int error_number = errno;
  close(descriptor);
  if (result != 0) throw EnvironmentError::system(path, "cannot write to the disk", error_number);
}

void sync_entries(const std::string& directory) {
  const int error_number = sync_directory(directory);
  if (error_number != 0) throw EnvironmentError::system(directory, "cannot write to the disk", error_number);
}

}  // namespace emgraph::core
