// SPDX-License-Identifier: MIT
// The place of an output: which file its name means, and what dead runs left beside it.
#pragma once

#include <string>

namespace emgraph::core {

std::string directory_of(const std::string& path);

/// True for /dev/stdout, /dev/fd/1 and all other links that end at the descriptor 1 of this process.
bool names_standard_output(const std::string& path);

/// The file that `path` names: the end of its symbolic links, which need not exist. Throws
/// EnvironmentError if the links are a loop, or if a link or FIFO at the end of the path may be a trap: it
/// stands in a sticky directory that everybody may write, and belongs neither to the caller nor to the
/// directory's owner. The kernel has this rule for links as fs.protected_symlinks, but cannot apply it to
/// readlink and rename.
std::string resolved_output(const std::string& path);

/// Device, inode, size and time of the last change of content, as text, of an open file or of the file that
/// `path` names; empty: there is none. Another file may get the inode of a removed one.
std::string file_identity(int descriptor);
std::string file_identity(const std::string& path);

/// A name in the directory of `path`, for an output that is not published yet:
/// "NAME.emgraph-tmp.PID@HOST", with ".1", ".2", … where that exists.
std::string temporary_name(const std::string& path);

/// A name beside `path` for the only copy of an old file while a new one takes its name:
/// "NAME.emgraph-old.PID@HOST", with ".1", ".2", … where that exists. remove_leftovers() leaves it alone.
std::string backup_name(const std::string& path);

/// Removes temporary_name()s of `path` that runs of the caller left on this machine: their process does not
/// exist any more, and nobody has locked them. Ignores what it cannot examine.
void remove_leftovers(const std::string& path) noexcept;

/// Makes the entries of a directory durable. Returns the error number of the disk; 0 if there was none, or
/// if the directory cannot be opened or synchronised at all.
int sync_directory(const std::string& directory) noexcept;

}  // namespace emgraph::core
