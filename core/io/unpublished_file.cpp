// SPDX-License-Identifier: MIT
// Gives a complete file its name by link or rename, so that a name always means a whole file.
#include "core/io/unpublished_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/io/file.hpp"
#include "core/io/output_place.hpp"
#include "core/io/output_target.hpp"

namespace emgraph::core {
namespace {

constexpr unsigned permissions = 0777;

std::optional<struct stat> regular_file(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return status;
}

std::string descriptor_link(const File& file) {
  return "/proc/self/fd/" + std::to_string(file.descriptor());
}

}  // namespace

UnpublishedFile::UnpublishedFile(const std::string& path, Overwrite overwrite, TemporaryNames& names,
                                 std::string part)
    : path_(resolved_output(path)), overwrite_(overwrite), names_(names), temporary_(std::move(part)) {
  const std::string directory = directory_of(path_);
  if (!name_exists(directory)) {
    throw EnvironmentError(path_ + ": the directory " + directory + " does not exist");
  }
  remove_leftovers(path_);
  // What replaces a private file is private from its first byte.
  const auto old = overwrite == Overwrite::force ? regular_file(path_) : std::nullopt;
  constexpr unsigned readable = 0666;
  constexpr unsigned owner_writes = 0600;
  const unsigned mode = old ? (old->st_mode & readable) | owner_writes : readable;
  if (!temporary_.empty()) {
    file_ = File::open_kept(temporary_, DirectIo::automatic, mode);
    if (old) keep_attributes();
    return;
  }
  file_ = File::create_unnamed(path_, directory, mode);
  // Without /proc the file could not get its name later.
  if (file_.is_open() && access(descriptor_link(file_).c_str(), F_OK) != 0) file_ = File();
  if (!file_.is_open()) create_named(mode);
  if (old) keep_attributes();
}

UnpublishedFile::~UnpublishedFile() {
  if (slot_) {
    if (!published_ || exchanged_) unlink(temporary_.c_str());
    names_.remove(*slot_);
  }
  if (!backup_.empty()) unlink(backup_.c_str());
}

// The name is registered before the file exists. So a signal never finds a file whose name is not registered.
void UnpublishedFile::create_named(unsigned mode) {
  temporary_ = temporary_name(path_);
  slot_ = names_.add(temporary_);
  try {
    file_ = File::create_new(temporary_, DirectIo::automatic, mode);
  } catch (const EnvironmentError& error) {
    names_.remove(*slot_);
    throw EnvironmentError(path_ + ": cannot be created: " + error.what());
  } catch (...) {
    names_.remove(*slot_);
    throw;
  }
  flock(file_.descriptor(), LOCK_EX | LOCK_NB);  // some network file systems have no locks
}

// Ignores what the system refuses: a user cannot give a file to somebody else.
void UnpublishedFile::keep_attributes() noexcept {
  const auto old = regular_file(path_);
  if (!old) return;
  const int descriptor = file_.descriptor();
  unsigned mode = old->st_mode & permissions;
  struct stat now {};
  if (fstat(descriptor, &now) != 0) return;
  if (now.st_uid != old->st_uid) {
    [[maybe_unused]] const int refused = fchown(descriptor, old->st_uid, static_cast<gid_t>(-1));
  }
  if (now.st_gid != old->st_gid && fchown(descriptor, static_cast<uid_t>(-1), old->st_gid) != 0) {
    // Another group must not get what the old group had; only what everybody has.
    mode = (mode & ~070U) | (mode & (mode << 3) & 070U);
  }
  fchmod(descriptor, mode);
  constexpr const char* access_list = "system.posix_acl_access";
  const ssize_t bytes = getxattr(path_.c_str(), access_list, nullptr, 0);
  if (bytes <= 0) return;
  try {
    std::vector<char> value(static_cast<std::size_t>(bytes));
    if (getxattr(path_.c_str(), access_list, value.data(), value.size()) == bytes) {
      fsetxattr(descriptor, access_list, value.data(), value.size(), 0);
    }
  } catch (const std::bad_alloc&) {
    // Without its access list the file is as private as its mode says.
  }
}

void UnpublishedFile::complete(std::uint64_t bytes) {
  file_.truncate(bytes);
  file_.sync_data();
  if (temporary_.empty()) return;
  // Network file systems report late errors when a descriptor is closed; the second one keeps the lock.
  File locked = file_.duplicate();
  file_.close();
  file_ = std::move(locked);
}

void UnpublishedFile::prepare() {
  if (overwrite_ == Overwrite::force && temporary_.empty()) give_temporary_name();
}

void UnpublishedFile::give_temporary_name() {
  flock(file_.descriptor(), LOCK_EX | LOCK_NB);
  temporary_ = temporary_name(path_);
  slot_ = names_.add(temporary_);
  if (!link_to(temporary_)) throw EnvironmentError::system(path_, "cannot be given its name", errno);
}

bool UnpublishedFile::link_to(const std::string& name) const {
  return linkat(AT_FDCWD, descriptor_link(file_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

void UnpublishedFile::publish(bool undoable) {
  if (overwrite_ == Overwrite::force) {
    replace(undoable);
  } else {
    give_fresh_name();
  }
  published_ = true;
}

void UnpublishedFile::replace(bool undoable) {
  const char* from = temporary_.c_str();
  const char* to = path_.c_str();
  bool moved = false;  // the old file has no name but the backup
  if (undoable && regular_file(path_)) {
    exchanged_ = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0;
    if (exchanged_) return;
    backup_ = temporary_name(path_);
    if (link(to, backup_.c_str()) != 0) {
      backup_ = backup_name(path_);  // a run that is killed now must not leave it as a leftover
      moved = std::rename(to, backup_.c_str()) == 0;
      if (!moved) backup_.clear();
    }
  }
  if (std::rename(from, to) == 0) return;
  const int error = errno;
  if (moved) {
    std::rename(backup_.c_str(), to);
    backup_.clear();  // the destructor must not remove the old file
  }
  throw EnvironmentError::system(path_, "cannot be given its name", error);
}

void UnpublishedFile::give_fresh_name() {
  // A file created after this output was opened must not be replaced.
  bool given = false;
  if (temporary_.empty()) {
    given = link_to(path_);
  } else {
    const char* from = temporary_.c_str();
    const char* to = path_.c_str();
    given = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0;
    if (!given && (errno == EINVAL || errno == ENOSYS)) {
      given = link(from, to) == 0;
      if (given) {
        unlink(from);
      } else if (errno != EEXIST && !name_exists(path_)) {
        given = std::rename(from, to) == 0;  // no NOREPLACE and no links: the check above has to suffice
      }
    }
  }
  if (given) return;
  const int error = errno;
  if (error == EEXIST || name_exists(path_)) throw output_exists(path_);
  throw EnvironmentError::system(path_, "cannot be given its name", error);
}

void UnpublishedFile::undo() noexcept {
  if (!published_) return;
  if (exchanged_) {
    renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_EXCHANGE);
    exchanged_ = false;
  } else if (!backup_.empty()) {
    std::rename(backup_.c_str(), path_.c_str());
    backup_.clear();
  } else {
    unlink(path_.c_str());
  }
  published_ = false;  // the destructor removes the temporary name
}

void UnpublishedFile::remove_old_file() noexcept {
  if (exchanged_) unlink(temporary_.c_str());
  exchanged_ = false;
  if (!backup_.empty()) unlink(backup_.c_str());
  backup_.clear();
}

}  // namespace emgraph::core
