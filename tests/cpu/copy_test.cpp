// Plain copies copy: every byte, no byte beside, for sizes and alignments around lines and groups of pages, however lines are stored and
// on however many workers.
// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/copy.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace crinkle::copy_test {
namespace {

constexpr std::int64_t guard = 128;
constexpr std::int64_t n_bytes_tried[] = {
    0, 1, 15, 16, 63, 64, 65, 127, 128, 4095, 4096, 4097, 16383, 16384, 16385, 16384 + 63, 3 * 16384 + 4097};

std::vector<std::byte> counted(std::int64_t n) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 167 + i / 251);
  return bytes;
}

// Runs `copy(dst, src)` between places `to` and `from` bytes past a line, and compares, the bytes beside the destination included.
template <class Copy>
void expect_copied(std::int64_t n, std::int64_t to, std::int64_t from, const std::string& what, const Copy& copy) {
  const std::vector<std::byte> source = counted(n + from + 64);
  std::vector<std::byte> have(static_cast<std::size_t>(n + to + 64 + 2 * guard), std::byte{0xA5}), want = have;
  const auto line_of = [](const std::byte* p) { return static_cast<std::int64_t>((64 - reinterpret_cast<std::uintptr_t>(p) % 64) % 64); };
  const std::byte* src = source.data() + line_of(source.data()) + from;
  const std::int64_t at = guard + line_of(have.data()) + to;
  std::memcpy(want.data() + at, src, static_cast<std::size_t>(n));
  copy(have.data() + at, src);
  ASSERT_EQ(have, want) << what << ", " << n << " bytes, destination " << to << " past a line, source " << from;
}

TEST(PlainCopy, copies_every_byte_and_none_beside) {
  for (int s = 0; s <= static_cast<int>(widest_line_store()); ++s) {
    const auto store = static_cast<LineStore>(s);
    for (const CopyKind kind : copy_kinds) {
      for (const std::int64_t n : n_bytes_tried) {
        for (const std::int64_t to : {0, 1, 31, 63}) {
          for (const std::int64_t from : {0, 1, 17}) {
            expect_copied(n, to, from, std::string(name_of(kind)) + " by store " + std::to_string(s),
                          [&](std::byte* dst, const std::byte* src) { copy_plain(kind, dst, src, n, store); });
          }
        }
      }
    }
  }
}

TEST(PlainCopy, of_many_workers_is_that_of_one) {
  for (const int n_workers : {1, 2, 3, 7}) {
    const auto executor = make_executor(n_workers);
    for (const CopyKind kind : copy_kinds) {
      for (const std::int64_t n : n_bytes_tried) {
        for (const std::int64_t to : {0, 5}) {
          expect_copied(n, to, 3, std::string(name_of(kind)) + " on " + std::to_string(n_workers),
                        [&](std::byte* dst, const std::byte* src) { copy_plain(kind, dst, src, n, *executor); });
        }
      }
    }
  }
}

TEST(PlainCopy, kinds_have_different_names) {
  EXPECT_STREQ(name_of(CopyKind::memcpy), "memcpy");
  EXPECT_STREQ(name_of(CopyKind::streamed), "streamed");
  EXPECT_STREQ(name_of(CopyKind::interleaved), "interleaved");
}

}  // namespace
}  // namespace crinkle::copy_test
