// A child of fork() must not share these with its parent: objects with locks, which threads may hold that the child does not have, and
// objects with threads. The child makes another at its first use; its parent's stays in memory, untouched.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace crinkle {

/// How many calls of fork() lie between this process and the one that loaded the library.
int fork_generation() noexcept;

/// One T a process, made at first use by the first thread that is ready with it. Constant-initialised, so that no lock guards its making.
/// Destroyed by end() alone: at the end of a program threads may still use it.
template <class T>
class PerProcess {
 public:
  constexpr PerProcess() noexcept = default;
  PerProcess(const PerProcess&) = delete;
  PerProcess& operator=(const PerProcess&) = delete;

  /// This process' own, made of `arguments` where there is none yet.
  template <class... Arguments>
  T& get(const Arguments&... arguments) {
    Made* made = made_.load(std::memory_order_acquire);
    if (made != nullptr && made->generation == fork_generation()) [[likely]]
      return made->value;
    auto own = std::make_unique<Made>(arguments...);
    return made_.compare_exchange_strong(made, own.get()) ? own.release()->value : made->value;
  }
  /// nullptr: this process has made none.
  T* find() noexcept {
    Made* const made = made_.load(std::memory_order_acquire);
    return made != nullptr && made->generation == fork_generation() ? &made->value : nullptr;
  }
  /// Destroys this process' own. Requires that nobody uses it.
  void end() {
    if (find() != nullptr) delete made_.exchange(nullptr);
  }

 private:
  struct Made {
    template <class... Arguments>
    explicit Made(const Arguments&... arguments) : value(arguments...) {}
    T value;
    int generation = fork_generation();
  };
  std::atomic<Made*> made_{nullptr};
};

}  // namespace crinkle
