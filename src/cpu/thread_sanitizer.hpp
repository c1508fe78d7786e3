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

/// Of one loop: the object is made before every chunk begins, and every chunk ends before `joined`.
class ThreadOrder {
 public:
#ifdef CRINKLE_THREAD_SANITIZER
  ThreadOrder() { __tsan_release(&begin_); }
  void begins() { __tsan_acquire(&begin_); }
  void ends() { __tsan_release(&end_); }
  void joined() { __tsan_acquire(&end_); }

 private:
  char begin_ = 0, end_ = 0;
#else
  void begins() {}
  void ends() {}
  void joined() {}
#endif
};

}  // namespace crinkle
