// Libraries that are loaded when a file needs them, and used by one thread at a time.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dlfcn.h>

#include <mutex>
#include <string>

namespace crinkle::tool {

/// A library and functions in it, by their names.
class SharedLibrary {
 public:
  explicit SharedLibrary(const char* name) : library_(::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) why_ = ::dlerror();
  }
  template <class Member>
  void find(Member& member, const char* name) {
    if (library_ == nullptr) return;
    member = reinterpret_cast<Member>(::dlsym(library_, name));
    if (member == nullptr) why_ = std::string("it has no ") + name;
  }
  /// "": it is there, with all that was looked for.
  const std::string& why_not() const noexcept { return why_; }

 private:
  void* library_;
  std::string why_;
};

/// The lock of a library, of which `Library` is the name. Its thread may take it again. A child process, whose thread is another one to a
/// recursive mutex, goes on inside of it.
template <class Library>
class Held {
 public:
  Held() {
    if (depth() == 0) mutex().lock();
    ++depth();
  }
  ~Held() {
    if (--depth() == 0) mutex().unlock();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  static int& depth() noexcept {
    thread_local int depth = 0;
    return depth;
  }
  static std::mutex& mutex() {
    static auto* const made = new std::mutex;  // outlives what threads do at the program's end
    return *made;
  }
};

}  // namespace crinkle::tool
