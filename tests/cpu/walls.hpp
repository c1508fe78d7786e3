// Memory with walls: pages before and behind that no one may touch. A kernel that reads or writes one byte too far stops the test program.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "cpu/kernels.hpp"
#include "support/guard.hpp"

namespace crinkle::simd {

class Walled {
 public:
  explicit Walled(std::int64_t bytes) {
    const std::int64_t page = sysconf(_SC_PAGESIZE);
    bytes_ = (bytes + page - 1) / page * page;
    all_bytes_ = static_cast<std::size_t>(bytes_ + 2 * page);
    void* all = mmap(nullptr, all_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::runtime_error("no memory for a walled array");
    all_ = static_cast<std::byte*>(all);
    first_ = all_ + page;
    allow(PROT_READ | PROT_WRITE);
  }
  ~Walled() { munmap(all_, all_bytes_); }
  Walled(const Walled&) = delete;
  Walled& operator=(const Walled&) = delete;

  void allow(int protection) { mprotect(first_, static_cast<std::size_t>(bytes_), protection); }
  std::byte* first() { return first_; }
  std::byte* last() { return first_ + bytes_; }

 private:
  std::byte *all_ = nullptr, *first_ = nullptr;
  std::size_t all_bytes_ = 0;
  std::int64_t bytes_ = 0;
};

/// Where a span lies: `offset` bytes behind the first wall, or `offset` bytes before the last.
struct Place {
  enum class Wall : std::uint8_t { before, behind } wall = Wall::before;
  std::int64_t offset = 0;

  std::byte* start(Walled& memory, std::int64_t bytes) const {
    return wall == Wall::before ? memory.first() + offset : memory.last() - bytes - offset;
  }
  std::string name() const { return std::to_string(offset) + (wall == Wall::before ? " behind the wall" : " before the wall"); }
};
inline constexpr Place at_start{Place::Wall::before, 0}, at_end{Place::Wall::behind, 0};
inline constexpr Place both_places[] = {at_start, at_end};

/// Runs kernels of every instruction set between walls and compares what they wrote with plain loops, 128 bytes on either side included.
/// The source is noise in memory that cannot be written.
class Comparison {
 public:
  Comparison() : source_(room), destination_(room) {
    const Bytes content = noise(room);
    std::copy(content.begin(), content.end(), source_.first());
    source_.allow(PROT_READ);
  }

  /// plain(from, to) and call(kernels, from, to) get the starts of spans of in_bytes and out_bytes.
  template <class Plain, class Call>
  bool agrees(std::int64_t in_bytes, std::int64_t out_bytes, Place in, Place out, const Plain& plain, const Call& call) {
    const std::byte* from = in.start(source_, in_bytes);
    std::byte* to = out.start(destination_, out_bytes);
    std::byte* first = to - std::min<std::int64_t>(128, to - destination_.first());
    std::byte* last = to + out_bytes + std::min<std::int64_t>(128, destination_.last() - to - out_bytes);
    want_.assign(static_cast<std::size_t>(last - first), poison);
    plain(from, want_.data() + (to - first));
    for (const Kernels* kernels : tables_) {
      std::memset(first, static_cast<int>(poison), want_.size());
      call(*kernels, from, to);
      kernels->fence();
      if (std::memcmp(first, want_.data(), want_.size()) == 0) continue;
      const auto at = std::mismatch(want_.begin(), want_.end(), first).first - want_.begin() - (to - first);
      ADD_FAILURE() << kernels->target << " differs at byte " << at << " of " << out_bytes << "; in " << in.name() << ", out "
                    << out.name();
      return false;
    }
    return true;
  }

  static constexpr std::int64_t room = std::int64_t{1} << 18;

 private:
  Walled source_, destination_;
  Bytes want_;
  std::vector<const Kernels*> tables_ = all_kernels();
};

}  // namespace crinkle::simd
