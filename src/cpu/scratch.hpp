// Memory that a thread keeps from one run to the next, so that running a plan allocates nothing once its threads have done it before.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <new>

namespace crinkle::simd {

class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { release(); }

  /// At least so many bytes, aligned to a page; what was in it is lost. Throws std::bad_alloc.
  void* get(std::size_t bytes) {
    if (bytes > bytes_) {
      release();
      memory_ = ::operator new(bytes, alignment);
      bytes_ = bytes;
    }
    return memory_;
  }

  static Scratch& of_this_thread() {
    thread_local Scratch scratch;
    return scratch;
  }

 private:
  static constexpr std::align_val_t alignment{4096};
  void release() {
    if (memory_ != nullptr) ::operator delete(memory_, alignment);
    memory_ = nullptr;
    bytes_ = 0;
  }

  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace crinkle::simd
