// SPDX-License-Identifier: MIT
// Counts per file.
#include "graph/format/text/left_out_lines.hpp"

#include <algorithm>

namespace emgraph::graph::format {

LeftOutLines::File& LeftOutLines::file_called(const std::string& name) {
  const auto found = std::ranges::find(files_, name, &File::name);
  if (found != files_.end()) return *found;
  return files_.emplace_back(File{.name = name, .counts = {}, .first = {}});
}

void LeftOutLines::set_inputs(const std::vector<std::string>& names) {
  times_.clear();
  for (const std::string& name : names) ++times_[name];
  std::erase_if(times_, [](const auto& entry) { return entry.second == 1; });
}

void LeftOutLines::count(const std::string& file, const LeftOutCounts& counts) {
  const std::lock_guard lock(mutex_);
  File& known = file_called(file);
  known.counts.skipped = std::max(known.counts.skipped, counts.skipped);
  known.counts.missing = std::max(known.counts.missing, counts.missing);
}

void LeftOutLines::add(const std::string& file, std::uint64_t line, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  std::vector<LeftOutLine>& first = file_called(file).first;
  if (first.size() == most_shown || (!first.empty() && first.back().line >= line)) return;
  first.push_back({file, line, reason});
}

LeftOutCounts LeftOutLines::all() const {
  const std::lock_guard lock(mutex_);
  LeftOutCounts all;
  for (const File& file : files_) {
    const auto several = times_.find(file.name);
    const std::uint64_t times = several == times_.end() ? 1 : several->second;
    all.skipped += times * file.counts.skipped;
    all.missing += times * file.counts.missing;
  }
  // Files that are read again are counted again.
  return {std::max(all.skipped, before_.skipped), std::max(all.missing, before_.missing)};
}

void LeftOutLines::restore(const LeftOutCounts& before) {
  const std::lock_guard lock(mutex_);
  before_ = before;
}

std::vector<LeftOutLine> LeftOutLines::first() const {
  const std::lock_guard lock(mutex_);
  std::vector<LeftOutLine> lines;
  for (const File& file : files_) {
    const std::size_t left = most_shown - lines.size();
    lines.insert(lines.end(), file.first.begin(),
                 file.first.begin() + static_cast<std::ptrdiff_t>(std::min(left, file.first.size())));
  }
  return lines;
}

}  // namespace emgraph::graph::format
