// What ThreadSanitizer does not see of a task arena, whose library is not built for it: in which order a parallel loop's threads run.
// For the one file that includes oneTBB; without the sanitizer this is empty.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#ifdef CRINKLE_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>

/// Memory that the library itself hands from thread to thread; what a chunk does has no frame of the library and stays watched.
extern "C" const char* __tsan_default_suppressions() { return "race:libtbb.so\ncalled_from_lib:libtbb.so\n"; }
#endif

namespace crinkle {

/// Of one loop: it is made before every chunk begins, and every chunk ends before it does, also by an exception.
class ThreadOrder {
 public:
#ifdef CRINKLE_THREAD_SANITIZER
  ThreadOrder() { __tsan_release(&begin_); }
  ~ThreadOrder() { __tsan_acquire(&end_); }
#else
  ThreadOrder() {}
  ~ThreadOrder() {}
#endif
  ThreadOrder(const ThreadOrder&) = delete;
  ThreadOrder& operator=(const ThreadOrder&) = delete;

  class Chunk {
   public:
#ifdef CRINKLE_THREAD_SANITIZER
    explicit Chunk(ThreadOrder& order) : order_(order) { __tsan_acquire(&order_.begin_); }
    ~Chunk() { __tsan_release(&order_.end_); }
    Chunk(const Chunk&) = delete;
    Chunk& operator=(const Chunk&) = delete;

   private:
    ThreadOrder& order_;
#else
    explicit Chunk(ThreadOrder&) {}
    ~Chunk() {}
#endif
  };

#ifdef CRINKLE_THREAD_SANITIZER
 private:
  char begin_ = 0, end_ = 0;
#endif
};

}  // namespace crinkle
