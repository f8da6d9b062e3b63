// SPDX-License-Identifier: MIT
// Prepares all outputs, then renames them in a row, then synchronises their directories.
#include "core/io/output_set.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "core/io/output_place.hpp"

namespace emgraph::core {
namespace {

/// False if the disk failed. Directories that cannot be opened or synchronised at all count as durable.
bool sync_directory(const std::string& directory) {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return true;
  const bool failed = fsync(descriptor) != 0 && errno != EINVAL && errno != ENOSYS && errno != EBADF;
  close(descriptor);
  return !failed;
}

/// Tells the signal handler to wait.
class Publication {
 public:
  explicit Publication(TemporaryNames& names) : names_(names) { names_.begin_publication(); }
  Publication(const Publication&) = delete;
  ~Publication() { names_.end_publication(complete_); }
  void complete() { complete_ = true; }

 private:
  TemporaryNames& names_;
  bool complete_ = false;
};

}  // namespace

void OutputSet::add(std::unique_ptr<UnpublishedFile> output) {
  const std::lock_guard lock(mutex_);
  std::erase_if(outputs_, [&](const auto& before) { return before->path() == output->path(); });
  outputs_.push_back(std::move(output));
  if (publish_ == Publish::at_once) publish_locked();
}

void OutputSet::publish() {
  const std::lock_guard lock(mutex_);
  publish_locked();
}

void OutputSet::publish_locked() {
  // Whatever happens, nothing is tried again.
  const std::vector<std::unique_ptr<UnpublishedFile>> outputs = std::exchange(outputs_, {});
  if (outputs.empty()) return;
  std::set<std::string> directories;
  for (const auto& output : outputs) directories.insert(directory_of(output->path()));
  {
    Publication publication(names_);
    for (const auto& output : outputs) output->prepare();
    std::size_t done = 0;
    try {
      for (; done < outputs.size(); ++done) outputs[done]->publish(done + 1 < outputs.size());
    } catch (...) {
      while (done > 0) outputs[--done]->undo();
      throw;
    }
    for (const auto& output : outputs) output->settle();
    publication.complete();
  }
  for (const std::string& directory : directories) {
    if (!sync_directory(directory)) not_durable_.push_back(directory);
  }
}

}  // namespace emgraph::core
