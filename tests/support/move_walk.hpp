// Kernels of moves on a CPU, compared with their definition: memory of exactly the bytes that a move reads, and guard zones around what it
// writes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "form/check.hpp"
#include "move/reference.hpp"

namespace crinkle::testing::walk {

/// Memory of a span whose last byte is the allocation's; byte 0 of the layout lies at a multiple of 16.
class Memory {
 public:
  Memory(const ByteSpan& span, std::int64_t guard, std::uint64_t seed)
      : first_(floor_divide(span.first - guard, 64) * 64), n_(static_cast<std::size_t>(span.last + guard - first_)) {
    void* made = nullptr;
    if (posix_memalign(&made, 64, n_) != 0) throw std::bad_alloc();
    bytes_.reset(static_cast<std::byte*>(made));
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < n_; ++i) bytes_.get()[i] = static_cast<std::byte>(random());
  }
  std::byte* origin() { return bytes_.get() - first_; }
  bool operator==(const Memory& other) const { return n_ == other.n_ && std::memcmp(bytes_.get(), other.bytes_.get(), n_) == 0; }

 private:
  static std::int64_t floor_divide(std::int64_t a, std::int64_t n) { return a / n - (a % n < 0 ? 1 : 0); }
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  std::int64_t first_;
  std::size_t n_;
  std::unique_ptr<std::byte, Free> bytes_;
};

/// move(sources, dst) writes what the steps say, and nothing else.
template <class Move>
void expect_as_defined(const Steps& steps, const Move& move, const std::string& what, std::int64_t n_sources = 1) {
  std::vector<Memory> sources;
  std::vector<const std::byte*> src;
  std::vector<const char*> from;
  for (const ByteSpan& span : spans_of(steps, Side::source, n_sources)) {
    sources.emplace_back(span, 0, 1 + sources.size());
    src.push_back(sources.back().origin());
    from.push_back(reinterpret_cast<const char*>(src.back()));
  }
  const ByteSpan to = spans_of(steps, Side::destination, 1)[0];
  Memory want(to, 64, 99), made(to, 64, 99);
  std::byte* const dst = want.origin();
  std::vector<std::byte> workspace(static_cast<std::size_t>(steps.workspace_bytes));
  run_reference(steps, src, {&dst, 1}, workspace.data());
  move(from, reinterpret_cast<char*>(made.origin()));
  EXPECT_TRUE(made == want) << what;
}

}  // namespace crinkle::testing::walk
