// SPDX-License-Identifier: MIT
// Prepares all outputs, renames them one after another, then synchronises their directories. The kept output
// comes last: the directories of the others are synchronised before it gets its name.
#include "core/io/output_set.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/io/output_place.hpp"

namespace emgraph::core {
namespace {

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

std::vector<std::pair<std::string, std::string>> OutputSet::unpublished() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& output : outputs_) {
    if (output->path() == kept_path_) continue;
    files.emplace_back(output->path(), file_identity(output->file().descriptor()));
  }
  return files;
}

void OutputSet::publish() {
  const std::lock_guard lock(mutex_);
  publish_locked();
}

void OutputSet::publish_locked() {
  // A publication that fails is not repeated.
  std::vector<std::unique_ptr<UnpublishedFile>> outputs = std::exchange(outputs_, {});
  // The kept output is last: a later run takes it as the sign that all have their names.
  std::stable_partition(outputs.begin(), outputs.end(),
                        [&](const auto& output) { return output->path() != kept_path_; });
  if (outputs.empty()) return;
  std::set<std::string> directories;  // those that have a new name
  const auto synchronise = [&] {
    for (const std::string& directory : std::exchange(directories, {})) {
      if (sync_directory(directory) != 0) not_durable_.push_back(directory);
    }
  };
  {
    Publication publication(names_);
    for (const auto& output : outputs) output->prepare();
    std::size_t done = 0;
    try {
      for (; done < outputs.size(); ++done) {
        const std::string& path = outputs[done]->path();
        if (path == kept_path_) synchronise();  // no power cut leaves its name alone
        directories.insert(directory_of(path));
        outputs[done]->publish(done + 1 < outputs.size());
      }
    } catch (...) {
      while (done > 0) outputs[--done]->undo();
      throw;
    }
    for (const auto& output : outputs) output->remove_old_file();
    publication.complete();
  }
  synchronise();
}

}  // namespace emgraph::core
