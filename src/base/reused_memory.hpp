// Memory of the host that is used again and again, and taken anew only where it is too small.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace crinkle {

namespace detail {
struct Free {
  void operator()(std::byte* memory) const noexcept { std::free(memory); }
};
}  // namespace detail

class ReusedMemory {
 public:
  /// At least so many bytes, not cleared; what was there before is lost where they are more than ever before. Throws bad_alloc.
  std::byte* of(std::int64_t bytes) {
    if (bytes <= bytes_) return memory_.get();
    memory_.reset();
    bytes_ = 0;
    // Large pages spare a fault for every 4 KiB.
    const std::size_t page = bytes < huge ? 64 : huge, n = (static_cast<std::size_t>(bytes) + page - 1) / page * page;
    memory_.reset(static_cast<std::byte*>(std::aligned_alloc(page, n)));
    if (!memory_) throw std::bad_alloc();
    if (page == huge) ::madvise(memory_.get(), n, MADV_HUGEPAGE);
    bytes_ = bytes;
    return memory_.get();
  }

 private:
  static constexpr std::int64_t huge = 2 << 20;

  std::unique_ptr<std::byte, detail::Free> memory_;
  std::int64_t bytes_ = 0;
};

}  // namespace crinkle
