// Moves of more than 2^32 elements, all of them: few pages of memory, mapped again and again, hold source and destination. Values repeat
// with a period that does not divide 2^32, so that an offset which has lost its upper half writes what belongs elsewhere.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "crinkle/plan.hpp"
#include "support/threads.hpp"

namespace crinkle::huge_test {
namespace {

constexpr std::int64_t page = 4096;

// `bytes` of addresses over `period` bytes of memory, whole pages.
class Repeated {
 public:
  Repeated(std::int64_t period, std::int64_t bytes) : bytes_(static_cast<std::size_t>(bytes)) {
    const int file = memfd_create("repeated", 0);
    if (file < 0 || ftruncate(file, period) != 0) throw std::runtime_error("no memory to map");
    void* all = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) throw std::runtime_error("no addresses");
    first_ = static_cast<std::byte*>(all);
    for (std::int64_t at = 0; at < bytes; at += period) {
      void* here = mmap(first_ + at, static_cast<std::size_t>(std::min(period, bytes - at)), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                        file, 0);
      if (here == MAP_FAILED) throw std::runtime_error("a part cannot be mapped");
    }
    close(file);
  }
  ~Repeated() { munmap(first_, bytes_); }
  Repeated(const Repeated&) = delete;
  Repeated& operator=(const Repeated&) = delete;

  std::byte* data() { return first_; }

 private:
  std::byte* first_ = nullptr;
  std::size_t bytes_;
};

// Without an optimizer such a move takes minutes.
#ifdef __OPTIMIZE__
constexpr bool is_quick = true;
#else
constexpr bool is_quick = false;
#endif

std::byte value(std::int64_t k) { return static_cast<std::byte>((static_cast<std::uint64_t>(k) * 0x9E3779B97F4A7C15u) >> 56); }

// out[x, y] = in[y, x], each row of the source of one value, which repeats with y.
TEST(Huge, more_than_four_thousand_million_elements_are_transposed) {
  if (!is_quick) GTEST_SKIP() << "not optimized";
  constexpr std::int64_t period = 61 * page, n_x = 72, n_y = 245 * period;  // 1.02 · 2^32 elements
  static_assert(n_x * n_y > std::int64_t{1} << 32);
  Repeated src(period * n_x, n_x * n_y), dst(period, n_x * n_y);
  for (std::int64_t y = 0; y < period; ++y) std::memset(src.data() + y * n_x, static_cast<int>(value(y)), static_cast<std::size_t>(n_x));
  Threads threads(2);
  const ConstBuffer in{src.data(), n_x * n_y};
  const Buffer out{dst.data(), n_x * n_y};
  Plan(parse("y x -> x y", Layout::dense({n_y, n_x}, 1))).run({&in, 1}, {&out, 1}, threads);
  std::int64_t n_wrong = 0;
  for (std::int64_t y = 0; y < period; ++y) n_wrong += dst.data()[y] != value(y);
  EXPECT_EQ(n_wrong, 0);
}

// out[y, x] = in[y, n_x − 1 − x], rows that repeat.
TEST(Huge, more_than_four_thousand_million_elements_are_flipped) {
  if (!is_quick) GTEST_SKIP() << "not optimized";
  constexpr std::int64_t n_x = page, n_rows = 997, n_y = 1057 * n_rows;
  constexpr std::int64_t period = n_x * n_rows;
  static_assert(n_x * n_y > std::int64_t{1} << 32);
  Repeated src(period, n_x * n_y), dst(period, n_x * n_y);
  for (std::int64_t k = 0; k < period; ++k) src.data()[k] = value(k);
  Threads threads(2);
  const ConstBuffer in{src.data(), n_x * n_y};
  const Buffer out{dst.data(), n_x * n_y};
  Plan(parse("y x -> y x", Layout::dense({n_y, n_x}, 1)).flip("x")).run({&in, 1}, {&out, 1}, threads);
  std::int64_t n_wrong = 0;
  for (std::int64_t y = 0; y < n_rows; ++y)
    for (std::int64_t x = 0; x < n_x; ++x) n_wrong += dst.data()[y * n_x + x] != value(y * n_x + n_x - 1 - x);
  EXPECT_EQ(n_wrong, 0);
}

}  // namespace
}  // namespace crinkle::huge_test
