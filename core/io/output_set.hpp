// SPDX-License-Identifier: MIT
// The outputs of one run, which get their names together.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/io/temporary_names.hpp"
#include "core/io/unpublished_file.hpp"

namespace emgraph::core {

/// Several outputs are one result: each is complete and durable before the first gets its name, and if one
/// cannot get its name, the others lose theirs again and old files come back. Destruction without publish()
/// removes what was added. Thread-safe.
class OutputSet {
 public:
  enum class Publish {
    at_once,  ///< an output gets its name when it is added
    together  ///< outputs get their names in publish()
  };

  explicit OutputSet(TemporaryNames& names, Publish publish = Publish::at_once)
      : names_(names), publish_(publish) {}
  OutputSet(const OutputSet&) = delete;

  TemporaryNames& names() { return names_; }
  /// The output `path` is written to the file `part`, which stays if the run fails, so that a later run can
  /// continue it (OutputFile::restore).
  void keep_part(std::string path, std::string part) {
    kept_path_ = std::move(path);
    part_ = std::move(part);
  }
  /// The part of an output; empty: it has none.
  std::string part_of(const std::string& path) const { return path == kept_path_ ? part_ : ""; }
  /// Takes an output that is complete. One of the same path that was added before is dropped: the run has
  /// written it again.
  void add(std::unique_ptr<UnpublishedFile> output);
  /// Path and file_identity() of the outputs that are not published yet and have no part.
  std::vector<std::pair<std::string, std::string>> unpublished() const;
  /// Gives all outputs their names. Throws as UnpublishedFile; then no output has its name.
  void publish();
  /// Directories whose entries could not be made durable: their outputs are complete, but a power cut may
  /// take their names away.
  const std::vector<std::string>& not_durable() const { return not_durable_; }

 private:
  void publish_locked();
  TemporaryNames& names_;
  const Publish publish_;
  std::string kept_path_;
  std::string part_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<UnpublishedFile>> outputs_;
  std::vector<std::string> not_durable_;
};

}  // namespace emgraph::core
