// Every kernel of every instruction set of this machine does what its equation says and touches nothing else: compared with plain loops,
// for all units, counts around vectors and lines, strides of either sign, addresses of any alignment, between walls.
// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/kernels.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "cpu/walls.hpp"

namespace crinkle::simd::kernels_test {
namespace {

using int64 = std::int64_t;

std::vector<int64> up_to(int64 last, std::vector<int64> more = {}) {
  std::vector<int64> counts;
  for (int64 n = 0; n <= last; ++n) counts.push_back(n);
  counts.insert(counts.end(), more.begin(), more.end());
  return counts;
}

struct Matrix {
  int64 unit, n_rows, n_columns, in_stride, out_stride;

  int64 in_bytes() const { return std::abs(in_stride) * (n_rows - 1) + n_columns * unit; }
  int64 out_bytes() const { return std::abs(out_stride) * (n_columns - 1) + n_rows * unit; }
  // A negative stride starts at the far end.
  int64 in_origin() const { return in_stride < 0 ? -in_stride * (n_rows - 1) : 0; }
  int64 out_origin() const { return out_stride < 0 ? -out_stride * (n_columns - 1) : 0; }

  void transpose_plainly(const std::byte* in, std::byte* out) const {
    for (int64 r = 0; r < n_rows; ++r)
      for (int64 c = 0; c < n_columns; ++c)
        std::memcpy(out + out_origin() + c * out_stride + r * unit, in + in_origin() + r * in_stride + c * unit,
                    static_cast<std::size_t>(unit));
  }
  std::string name() const {
    return std::to_string(n_rows) + " x " + std::to_string(n_columns) + " units of " + std::to_string(unit) + ", strides " +
           std::to_string(in_stride) + " and " + std::to_string(out_stride);
  }
};

class Kernel : public testing::TestWithParam<int> {
 protected:
  int which() const { return GetParam(); }
  int64 unit() const { return int64{1} << GetParam(); }

  void expect_transposed(const Matrix& m, Place in, Place out) {
    if (m.n_rows == 0 || m.n_columns == 0) return;
    const auto plain = [&](const std::byte* from, std::byte* to) { m.transpose_plainly(from, to); };
    const auto call = [&](const Kernels& k, const std::byte* from, std::byte* to) {
      k.transpose[which()](from + m.in_origin(), m.in_stride, m.n_rows, m.n_columns, to + m.out_origin(), m.out_stride);
    };
    if (!comparison().agrees(m.in_bytes(), m.out_bytes(), in, out, plain, call)) ADD_FAILURE() << m.name();
  }

  static Comparison& comparison() {
    static Comparison one;
    return one;
  }
};

TEST_P(Kernel, transposes_any_number_of_rows_and_columns) {
  const std::vector<int64> counts = up_to(18, {23, 24, 31, 32, 33, 47, 49, 63, 64, 65, 70});
  for (const int64 n_rows : counts) {
    for (const int64 n_columns : counts) {
      const int64 row = n_columns * unit(), column = n_rows * unit(), gap = 1 + (7 * n_rows + 3 * n_columns) % 23;
      for (const Matrix& m : {Matrix{unit(), n_rows, n_columns, row, column}, Matrix{unit(), n_rows, n_columns, row + gap, column},
                              Matrix{unit(), n_rows, n_columns, row, column + gap}, Matrix{unit(), n_rows, n_columns, -row, -column},
                              Matrix{unit(), n_rows, n_columns, -row - gap, column + 2 * gap}}) {
        expect_transposed(m, at_start, at_end);
        expect_transposed(m, at_end, at_start);
        if (HasFailure()) return;
      }
    }
  }
}

TEST_P(Kernel, transposes_at_every_offset) {
  for (const int64 n : {3, 5, 16, 21, 67}) {
    for (int64 offset = 0; offset < 64; ++offset) {
      const Matrix m{unit(), n, n + 1, (n + 3) * unit() + 1, n * unit() + 2};
      expect_transposed(m, {Place::Wall::before, offset}, {Place::Wall::behind, 5 * offset % 64});
      expect_transposed(m, {Place::Wall::behind, 3 * offset % 64}, {Place::Wall::before, offset});
    }
    if (HasFailure()) return;
  }
}

TEST_P(Kernel, takes_records_apart_and_puts_them_together) {
  for (int64 k = 1; k <= 17; ++k) {
    for (const int64 n : up_to(40, {63, 64, 65, 127, 128, 129, 130, 255, 300, 511})) {
      for (const int64 gap : {0, 64, 5}) {
        for (const Place place : both_places) {
          expect_transposed({unit(), n, k, k * unit(), n * unit() + gap}, place, place);
          expect_transposed({unit(), k, n, n * unit() + gap, k * unit()}, place, place);
        }
      }
    }
    if (HasFailure()) return;
  }
}

TEST_P(Kernel, streams_transposes_by_whole_lines) {
  for (const int64 n_lines : {0, 1, 2, 3}) {
    for (const int64 n_columns : up_to(36, {47, 48, 49, 63, 64, 65, 70, 127, 131})) {
      for (const int64 ahead : {0, 128}) {
        const int64 n_rows = n_lines * 64 / unit(), row = n_columns * unit(), column = n_lines * 64;
        if (n_rows == 0 || n_columns == 0) continue;
        for (const Matrix& m :
             {Matrix{unit(), n_rows, n_columns, row, column}, Matrix{unit(), n_rows, n_columns, row + 7, column + 64},
              Matrix{unit(), n_rows, n_columns, -row, column + 128}, Matrix{unit(), n_rows, n_columns, -row - 64, -column - 64}}) {
          for (const Place place : both_places) {
            const Place out{place.wall, place.wall == Place::Wall::behind ? 0 : 64};
            const auto plain = [&](const std::byte* from, std::byte* to) { m.transpose_plainly(from, to); };
            const auto call = [&](const Kernels& k, const std::byte* from, std::byte* to) {
              k.transpose_stream[which()](from + m.in_origin(), m.in_stride, m.n_rows, m.n_columns, to + m.out_origin(), m.out_stride,
                                          ahead);
            };
            if (!comparison().agrees(m.in_bytes(), m.out_bytes(), place, out, plain, call)) ADD_FAILURE() << m.name();
          }
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST_P(Kernel, reverses_rows) {
  for (const int64 n : up_to(150, {255, 256, 257, 1000, 4100})) {
    const int64 bytes = n * unit();
    const auto plain = [&](const std::byte* from, std::byte* to) {
      for (int64 i = 0; i < n; ++i) std::memcpy(to + i * unit(), from + (n - 1 - i) * unit(), static_cast<std::size_t>(unit()));
    };
    const auto ordinary = [&](const Kernels& k, const std::byte* from, std::byte* to) { k.reverse[which()](from, n, to); };
    const auto streamed = [&](const Kernels& k, const std::byte* from, std::byte* to) {
      k.stream_reversed[which()](from, n, to, n % 2 == 0 ? 256 : 0);
    };
    for (const Place in : both_places) {
      for (const int64 offset : {int64{0}, unit(), int64{1}, 7 * n % 64, int64{63}}) {
        for (const Place out : {Place{Place::Wall::before, offset}, Place{Place::Wall::behind, offset}}) {
          EXPECT_TRUE(comparison().agrees(bytes, bytes, in, out, plain, ordinary)) << n << " units of " << unit();
          EXPECT_TRUE(comparison().agrees(bytes, bytes, in, out, plain, streamed)) << n << " units of " << unit() << ", streamed";
        }
      }
    }
    if (HasFailure()) return;
  }
}

TEST_P(Kernel, gathers_rows_with_any_stride) {
  std::vector<int64> strides = {1, -1, 17, -29, 100, 2001};
  for (int64 times = -17; times <= 17; ++times) strides.push_back(times * unit());
  for (const int64 stride : strides) {
    for (const int64 n : up_to(70, {100, 127, 130})) {
      const int64 span = n == 0 ? 0 : std::abs(stride) * (n - 1) + unit(), origin = stride < 0 ? span - unit() : 0;
      const auto plain = [&](const std::byte* from, std::byte* to) {
        for (int64 i = 0; i < n; ++i) std::memcpy(to + i * unit(), from + origin + i * stride, static_cast<std::size_t>(unit()));
      };
      const auto call = [&](const Kernels& k, const std::byte* from, std::byte* to) { k.gather[which()](from + origin, stride, n, to); };
      for (const Place place : both_places) {
        EXPECT_TRUE(comparison().agrees(span, n * unit(), place, place, plain, call))
            << n << " units of " << unit() << ", stride " << stride;
      }
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(units, Kernel, testing::Range(0, n_units),
                         [](const auto& unit) { return std::to_string(1 << unit.param) + "_bytes"; });

TEST(Kernels, copy_rows_of_every_length) {
  Comparison comparison;
  for (const int64 n : up_to(600, {1023, 4095, 4096, 4097, 9999})) {
    const auto plain = [&](const std::byte* from, std::byte* to) { std::memcpy(to, from, static_cast<std::size_t>(n)); };
    const auto ordinary = [&](const Kernels& k, const std::byte* from, std::byte* to) { k.copy(from, to, n); };
    const auto streamed = [&](const Kernels& k, const std::byte* from, std::byte* to) { k.stream_from(from, to, n, n % 2 == 0 ? 256 : 0); };
    for (const Place in : both_places) {
      for (const int64 offset : {int64{0}, int64{1}, n % 61}) {
        for (const Place out : {Place{Place::Wall::before, offset}, Place{Place::Wall::behind, offset}}) {
          EXPECT_TRUE(comparison.agrees(n, n, in, out, plain, ordinary)) << n << " bytes";
          EXPECT_TRUE(comparison.agrees(n, n, in, out, plain, streamed)) << n << " bytes, streamed";
        }
      }
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Kernels, pack_elements_of_every_size) {
  constexpr int64 n = 37, span = 500;
  std::mt19937_64 random(20261122);
  for (int64 element = 1; element <= 64; ++element) {
    const int64 padded = element < 16 ? static_cast<int64>(std::bit_ceil(static_cast<std::uint64_t>(element))) : element;
    Walled from(span + padded), to(n * element + padded - element);
    std::byte* const in = from.last() - (span + padded);
    std::byte* const out = to.last() - (n * element + padded - element);
    for (int64 b = 0; b < span + padded; ++b) in[b] = static_cast<std::byte>(random() >> 56);
    std::vector<std::int32_t> offsets{0, span};
    while (std::ssize(offsets) < n) offsets.push_back(static_cast<std::int32_t>(random() % (span + 1)));
    for (const Kernels* kernels : all_kernels()) {
      std::memset(out, 0, static_cast<std::size_t>(n * element));
      kernels->pack(in, offsets.data(), n, element, out);
      for (std::size_t i = 0; i < offsets.size(); ++i) {
        EXPECT_EQ(std::memcmp(out + static_cast<int64>(i) * element, in + offsets[i], static_cast<std::size_t>(element)), 0)
            << kernels->target << ", element " << i << " of " << element << " bytes";
      }
    }
  }
}

TEST(Kernels, stream_buffers_with_every_head_and_tail) {
  Comparison comparison;
  for (int64 head = 0; head < 64; ++head) {
    for (const int64 n : {0, 1, 15, 63, 64, 65, 128, 4096}) {
      for (int64 tail = 0; tail < 64; tail += 1 + head % 5) {
        const int64 bytes = n + tail;
        const auto plain = [&](const std::byte* from, std::byte* to) { std::memcpy(to, from, static_cast<std::size_t>(bytes)); };
        const auto call = [&](const Kernels& k, const std::byte* from, std::byte* to) { k.stream(from, to, bytes); };
        for (const Place place : {Place{Place::Wall::before, head}, Place{Place::Wall::behind, head}}) {
          EXPECT_TRUE(comparison.agrees(bytes, bytes, place, place, plain, call)) << bytes << " bytes";
        }
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(Kernels, swap_the_bytes_of_items_of_any_size) {
  Comparison comparison;
  for (int item = 1; item <= 34; ++item) {
    for (const int64 n : up_to(40, {63, 64, 65, 200})) {
      const int64 bytes = n * item;
      const auto plain = [&](const std::byte* from, std::byte* to) {
        for (int64 i = 0; i < bytes; ++i) to[i] = from[i / item * item + item - 1 - i % item];
      };
      const auto call = [&](const Kernels& k, const std::byte* from, std::byte* to) { k.swap_bytes(from, bytes, item, to); };
      for (const Place place : both_places) {
        EXPECT_TRUE(comparison.agrees(bytes, bytes, place, place, plain, call)) << n << " items of " << item;
      }
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(Kernels, fill_rows_with_a_pattern) {
  Comparison comparison;
  for (const int64 n : up_to(300, {4095, 4096, 4097})) {
    const auto plain = [&](const std::byte* from, std::byte* to) {
      for (int64 i = 0; i < n; ++i) to[i] = from[i % 16];
    };
    const auto call = [&](const Kernels& k, const std::byte* from, std::byte* to) { k.fill(to, n, from); };
    for (const int64 offset : {int64{0}, int64{16}, n % 64, 7 * n % 64}) {
      for (const Place out : {Place{Place::Wall::before, offset}, Place{Place::Wall::behind, offset}}) {
        EXPECT_TRUE(comparison.agrees(16, n, at_end, out, plain, call)) << n << " bytes";
      }
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Kernels, of_plain_cpp_are_always_there_and_the_best_are_first) {
  const std::vector<const Kernels*> all = all_kernels();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front(), &kernels());
  const std::string last = all.back()->target;
  EXPECT_TRUE(last == "SCALAR" || last == "EMU128") << last;
}

}  // namespace
}  // namespace crinkle::simd::kernels_test
