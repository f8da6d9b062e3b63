// SPDX-License-Identifier: MIT
// A regular file that has no name, or a temporary one, until its content is complete.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/io/file.hpp"
#include "core/io/temporary_names.hpp"

namespace emgraph::core {

/// What happens to an existing file. refuse: UsageError. force: it is replaced. rehearse: nothing is written,
/// for a forecast.
enum class Overwrite { refuse, force, rehearse };

/// The file has no name (O_TMPFILE) where the file system can do that: it vanishes with the process, however
/// the process ends. Elsewhere it has a temporary_name() in the same directory and a lock; the next output of
/// the same name removes it if the process was killed. Mode, owner and access list of the file that it will
/// replace are given to it at the start. Not thread-safe.
class UnpublishedFile {
 public:
  /// `part`: the name until it is published; the file is opened if it exists, and stays if it is not
  /// published. Empty: as above. Throws EnvironmentError.
  UnpublishedFile(const std::string& path, Overwrite overwrite, TemporaryNames& names, std::string part = {});
  UnpublishedFile(const UnpublishedFile&) = delete;
  /// Removes what is not published.
  ~UnpublishedFile();

  const std::string& path() const { return path_; }
  File& file() { return file_; }
  /// Cuts the file to `bytes` and makes its content durable.
  void complete(std::uint64_t bytes);

  /// The steps to its name: prepare(), publish(), then remove_old_file() or undo(). Requires: complete() was
  /// called. prepare() may fail without a change to the name.
  void prepare();
  /// Gives the name. `undoable`: undo() must be able to bring the old file back.
  /// Throws UsageError if the name was taken meanwhile and `overwrite` is refuse; EnvironmentError.
  void publish(bool undoable);
  /// Requires: publish(true) was called.
  void undo() noexcept;
  /// Removes the old file, after which undo() is impossible.
  void remove_old_file() noexcept;

 private:
  void create_named(unsigned mode);
  void keep_attributes() noexcept;
  void give_temporary_name();
  bool link_to(const std::string& name) const;
  void replace(bool undoable);
  void give_fresh_name();

  const std::string path_;
  const Overwrite overwrite_;
  TemporaryNames& names_;
  File file_;
  std::string temporary_;  ///< the temporary name; empty: none
  std::optional<std::size_t> slot_;
  bool published_ = false;
  bool exchanged_ = false;  ///< the old file has the temporary name
  std::string backup_;      ///< another name of the old file, where names cannot be exchanged
};

}  // namespace emgraph::core
