// SPDX-License-Identifier: MIT
// A preloaded library that cuts the power: libpower_shim.so.
//
// EMGRAPH_POWER=SHADOW:K. At event number K (0 = the first) the process is killed, before the event. Events
// are fsync, fdatasync, rename, renameat2, linkat, unlink and rmdir on files below EMGRAPH_POWER_ROOT. What
// was durable by then is in the directory SHADOW, which must be on the same file system, outside the root:
//   file-INODE       the content of a file when it was last synchronised
//   directory-INODE  the entries of a directory when it was last synchronised: "INODE NAME" a line
//   kept-INODE       a further link to a file that has lost a name
// A rebuilder (scripts/torture/power.py) makes of it what a machine could find after the power cut. Writes of
// any kind, io_uring's too, count as lost until the file is synchronised.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

namespace {

struct Plan {
  std::string shadow;
  std::string root;
  long last = -1;
};

const Plan& plan() {
  static const Plan plan = [] {
    Plan read;
    const char* const text = std::getenv("EMGRAPH_POWER");
    const char* const root = std::getenv("EMGRAPH_POWER_ROOT");
    const char* const colon = text == nullptr ? nullptr : std::strrchr(text, ':');
    if (colon == nullptr || root == nullptr) return read;
    read.shadow.assign(text, colon);
    read.root = std::string(root) + "/";
    read.last = std::atol(colon + 1);
    return read;
  }();
  return plan;
}

std::recursive_mutex order;  // events happen one after another
long events = 0;
thread_local bool inside = false;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}
#define EMGRAPH_REAL(name) static const auto real = next<decltype(name)>(#name)

std::string path_of(int descriptor) {
  std::array<char, PATH_MAX> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), path.data(), path.size());
  return length < 0 ? "" : std::string(path.data(), static_cast<std::size_t>(length));
}

bool below_root(const std::string& path) {
  return path.starts_with(plan().root) || path + "/" == plan().root;
}

std::string absolute(const char* path) {
  if (path[0] == '/') return path;
  std::array<char, PATH_MAX> here{};
  return getcwd(here.data(), here.size()) == nullptr ? path : std::string(here.data()) + "/" + path;
}

void event() {
  if (events++ >= plan().last) kill(getpid(), SIGKILL);
}

/// Writes a file of the shadow under another name, then renames it, so that it is whole or not there.
class ShadowFile {
 public:
  explicit ShadowFile(std::string path) : path_(std::move(path)) {
    descriptor_ = open((path_ + ".new").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  }
  void append(const char* data, std::size_t bytes) const {
    while (bytes > 0) {
      const ssize_t done = write(descriptor_, data, bytes);
      if (done <= 0) std::abort();
      data += done;
      bytes -= static_cast<std::size_t>(done);
    }
  }
  ~ShadowFile() {
    close(descriptor_);
    EMGRAPH_REAL(rename);
    real((path_ + ".new").c_str(), path_.c_str());
  }

 private:
  std::string path_;
  int descriptor_;
};

void note_directory(const std::string& path, ino_t inode) {
  DIR* const entries = opendir(path.c_str());
  if (entries == nullptr) return;
  ShadowFile note(plan().shadow + "/directory-" + std::to_string(inode));
  while (const dirent* const entry = readdir(entries)) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    const std::string line = std::to_string(entry->d_ino) + " " + name + "\n";
    note.append(line.data(), line.size());
  }
  closedir(entries);
}

void note_file(int descriptor, ino_t inode) {
  // The descriptor may be for writing only, or for direct transfers; a file without a name has this one.
  const int from = open(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), O_RDONLY | O_CLOEXEC);
  if (from < 0) return;
  ShadowFile note(plan().shadow + "/file-" + std::to_string(inode));
  std::string buffer(1 << 20, '\0');
  for (off_t at = 0;;) {
    const ssize_t got = pread(from, buffer.data(), buffer.size(), at);
    if (got <= 0) break;
    note.append(buffer.data(), static_cast<std::size_t>(got));
    at += got;
  }
  close(from);
}

template <class Call>
int synchronised(int descriptor, Call&& call) {
  const std::string path = path_of(descriptor);
  if (inside || plan().last < 0 || !below_root(path)) return call();
  const std::lock_guard lock(order);
  event();
  const int result = call();
  struct stat status {};
  if (result != 0 || fstat(descriptor, &status) != 0) return result;
  inside = true;
  if (S_ISDIR(status.st_mode)) {
    note_directory(path, status.st_ino);
  } else {
    note_file(descriptor, status.st_ino);
  }
  inside = false;
  return result;
}

/// A call that changes names. `loses`: the name that a file may lose by it.
template <class Call>
int renaming(const std::string& subject, const std::string& loses, Call&& call) {
  if (inside || plan().last < 0 || !below_root(subject)) return call();
  const std::lock_guard lock(order);
  event();
  inside = true;
  struct stat status {};
  if (!loses.empty() && lstat(loses.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
    EMGRAPH_REAL(linkat);
    real(AT_FDCWD, loses.c_str(), AT_FDCWD,
         (plan().shadow + "/kept-" + std::to_string(status.st_ino)).c_str(), 0);
  }
  inside = false;
  return call();
}

}  // namespace

extern "C" {

int fsync(int descriptor) {
  EMGRAPH_REAL(fsync);
  return synchronised(descriptor, [&] { return real(descriptor); });
}
int fdatasync(int descriptor) {
  EMGRAPH_REAL(fdatasync);
  return synchronised(descriptor, [&] { return real(descriptor); });
}
int rename(const char* from, const char* to) noexcept {
  EMGRAPH_REAL(rename);
  return renaming(absolute(to), absolute(to), [&] { return real(from, to); });
}
int renameat2(int from_directory, const char* from, int to_directory, const char* to,
              unsigned flags) noexcept {
  EMGRAPH_REAL(renameat2);
  return renaming(absolute(to), absolute(to),
                  [&] { return real(from_directory, from, to_directory, to, flags); });
}
int linkat(int from_directory, const char* from, int to_directory, const char* to, int flags) noexcept {
  EMGRAPH_REAL(linkat);
  return renaming(absolute(to), "", [&] { return real(from_directory, from, to_directory, to, flags); });
}
int unlink(const char* path) noexcept {
  EMGRAPH_REAL(unlink);
  return renaming(absolute(path), absolute(path), [&] { return real(path); });
}
int rmdir(const char* path) noexcept {
  EMGRAPH_REAL(rmdir);
  return renaming(absolute(path), "", [&] { return real(path); });
}

}  // extern "C"
