// SPDX-License-Identifier: MIT
// The journal of a checkpoint: what a run is, and the state it can go on from.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/io/state_stream.hpp"

namespace emgraph::core {

/// An option or input that the answer depends on, and its value.
using IdentityLine = std::pair<std::string, std::string>;

/// A further file of a checkpoint that a state names: large data that stay the same for several states.
struct StateFile {
  std::uint64_t number = 0;  ///< 0: none
  std::uint64_t checksum = 0;
  bool operator==(const StateFile&) const = default;
};

/// The part of a journal before the state.
struct JournalHead {
  std::string command;
  std::vector<IdentityLine> identity;
  std::string output;          ///< absolute path of the result
  std::string part;            ///< absolute path of the result while it is written; empty: there is none
  std::string done;            ///< what is done, as text for the user; empty: nothing
  std::uint64_t id_bytes = 0;  ///< width of ids that the run has found to need; 0: not known
  std::vector<std::uint64_t> counts;  ///< numbers that the caller wants kept
  std::vector<StateFile> files;       ///< those that the state names
  bool has_state = false;
};

/// Layout: mark, head, state, XXH3-64 of all bytes before. Texts have their length in front. The file gets
/// its name when it is complete and durable, so there is always one whole journal. Not thread-safe.
class JournalWriter final : public StateWriter {
 public:
  /// Writes to "PATH.new". Throws EnvironmentError.
  JournalWriter(const std::string& path, const JournalHead& head);
  ~JournalWriter() override;
  void put(std::span<const std::byte> bytes) override;
  /// Makes the file durable and gives it its name. Returns its checksum.
  std::uint64_t finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Checks the whole file, then reads its state. Throws EnvironmentError for a file that is damaged or
/// missing.
class JournalReader final : public StateReader {
 public:
  explicit JournalReader(const std::string& path);
  ~JournalReader() override;
  const JournalHead& head() const;
  std::uint64_t checksum() const;
  void get(std::span<std::byte> bytes) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Forces the content of a file to the medium; does nothing if there is none. Throws EnvironmentError.
void sync_file(const std::string& path);
/// Forces the entries of a directory to the medium. Throws EnvironmentError.
void sync_entries(const std::string& directory);

}  // namespace emgraph::core
