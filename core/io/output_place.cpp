// SPDX-License-Identifier: MIT
// Follows links one by one, and compares owners; a lock tells whether a leftover has an owner.
#include "core/io/output_place.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <string_view>

#include "core/base/error.hpp"

namespace emgraph::core {
namespace {

constexpr std::string_view temporary_mark = ".emgraph-tmp.";
constexpr std::string_view backup_mark = ".emgraph-old.";
constexpr std::size_t longest_stem = 150;  // NAME_MAX is 255; mark, process, host and counter take the rest
constexpr std::size_t longest_host = 64;
constexpr int most_links = 40;  // as the kernel follows

std::string this_host() {
  struct utsname system {};
  if (uname(&system) != 0) return "localhost";
  std::string host = std::string(system.nodename).substr(0, longest_host);
  for (char& c : host) c = c == '/' ? '_' : c;
  return host;
}

std::string name_in_directory(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// Where a symbolic link leads; empty for any other file.
std::optional<std::string> link_target(const std::string& path) {
  char target[4096];
  const ssize_t length = readlink(path.c_str(), target, sizeof target);
  if (length < 0) return std::nullopt;
  const std::string_view next(target, static_cast<std::size_t>(length));
  return next.starts_with('/') ? std::string(next) : directory_of(path).append("/").append(next);
}

std::string stem_of(const std::string& path, std::string_view mark) {
  return name_in_directory(path).substr(0, longest_stem).append(mark);
}

/// A name with this mark that does not exist yet.
std::string free_name(const std::string& path, std::string_view mark) {
  const std::string stem =
      directory_of(path) + "/" + stem_of(path, mark) + std::to_string(getpid()) + "@" + this_host();
  std::string name = stem;
  struct stat status {};
  for (unsigned i = 1; lstat(name.c_str(), &status) == 0; ++i) name = stem + "." + std::to_string(i);
  return name;
}

/// The process in "PID@HOST" or "PID@HOST.1", if the host is this one; else 0.
pid_t process_of(std::string_view text, const std::string& host) {
  pid_t process = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), process);
  if (failed != std::errc() || process <= 0) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.starts_with('@') || !text.substr(1).starts_with(host)) return 0;
  text.remove_prefix(1 + host.size());
  if (text.empty()) return process;
  if (text.size() < 2 || text.front() != '.') return 0;
  return text.find_first_not_of("0123456789", 1) == std::string_view::npos ? process : 0;
}

/// Removes the file unless somebody has locked it.
void remove_unlocked(int directory, const char* name) {
  const int descriptor = openat(directory, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat opened {};
  struct stat named {};
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &opened) == 0 &&
      S_ISREG(opened.st_mode) && opened.st_uid == geteuid() &&
      fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_ino == opened.st_ino &&
      named.st_dev == opened.st_dev) {
    unlinkat(directory, name, 0);
  }
  close(descriptor);
}

void refuse_trap(const std::string& path, const struct stat& status, const char* kind) {
  struct stat directory {};
  const std::string parent = directory_of(path);
  if (stat(parent.c_str(), &directory) != 0) return;
  const bool shared = (directory.st_mode & S_ISVTX) != 0 && (directory.st_mode & S_IWOTH) != 0;
  if (!shared || status.st_uid == geteuid() || status.st_uid == directory.st_uid) return;
  throw EnvironmentError(path + ": is a " + kind + " of user " + std::to_string(status.st_uid) + " in " +
                         parent + ", where everybody may write; write to another name");
}

std::string identity_text(const struct stat& status) {
  return std::to_string(status.st_dev) + " " + std::to_string(status.st_ino) + " " +
         std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

}  // namespace

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool names_standard_output(const std::string& path) {
  if (path == "/dev/stdout") return true;  // without /proc it is no link
  const std::string process = "/proc/" + std::to_string(getpid()) + "/";
  std::string at = path;
  for (int links = 0; links < most_links; ++links) {
    const std::unique_ptr<char, void (*)(void*)> real(realpath(directory_of(at).c_str(), nullptr), std::free);
    const std::string_view directory = real != nullptr ? real.get() : "";
    if (name_in_directory(at) == "1" && directory.starts_with(process) && directory.ends_with("/fd"))
      return true;
    const std::optional<std::string> next = link_target(at);
    if (!next) return false;
    at = *next;
  }
  return false;
}

std::string resolved_output(const std::string& path) {
  std::string at = path;
  for (int links = 0; links < most_links; ++links) {
    struct stat status {};
    if (lstat(at.c_str(), &status) != 0) break;
    if (S_ISFIFO(status.st_mode)) refuse_trap(at, status, "FIFO");
    if (!S_ISLNK(status.st_mode)) break;
    refuse_trap(at, status, "symbolic link");
    const std::optional<std::string> next = link_target(at);
    if (!next) break;
    at = *next;
  }
  if (at == path) return path;
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  if (real != nullptr) return real.get();
  // Descriptors below /proc are links that only the kernel can follow.
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) return path;
  if (errno == ELOOP) throw EnvironmentError::system(path, "cannot be opened", errno);
  return at;
}

std::string file_identity(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 ? identity_text(status) : "";
}

std::string file_identity(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? identity_text(status) : "";
}

std::string temporary_name(const std::string& path) {
  return free_name(path, temporary_mark);
}

std::string backup_name(const std::string& path) {
  return free_name(path, backup_mark);
}

void remove_leftovers(const std::string& path) noexcept try {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(directory_of(path).c_str()), closedir);
  if (directory == nullptr) return;
  const std::string stem = stem_of(path, temporary_mark);
  const std::string host = this_host();
  while (const dirent* entry = readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (!name.starts_with(stem)) continue;
    const pid_t process = process_of(name.substr(stem.size()), host);
    if (process == 0) continue;
    // Our own number on a file that nobody has locked: an earlier process had it.
    const bool gone = process == getpid() || (kill(process, 0) != 0 && errno == ESRCH);
    if (gone) remove_unlocked(dirfd(directory.get()), entry->d_name);
  }
} catch (const std::bad_alloc&) {
  // The leftovers stay for the next run.
}

int sync_directory(const std::string& directory) noexcept {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  const int error_number = fsync(descriptor) == 0 ? 0 : errno;
  close(descriptor);
  return error_number == EINVAL || error_number == ENOSYS || error_number == EBADF ? 0 : error_number;
}

}  // namespace emgraph::core
