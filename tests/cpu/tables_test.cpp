// Transposes between tables of addresses by whole lines, strip after strip, with columns anywhere in a line: each of the ways against
// plain loops, for every instruction set that has it, between walls.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "cpu/kernels.hpp"
#include "cpu/walls.hpp"

namespace crinkle::simd::tables_test {
namespace {

using int64 = std::int64_t;

struct Lines {
  int64 unit, n_rows, n_columns, in_stride, out_stride, strip, block;  // strip: rows, a whole number of lines; block: columns

  std::vector<const std::byte*> rows(const std::byte* in) const {
    std::vector<const std::byte*> at;
    for (int64 r = 0; r < n_rows; ++r) at.push_back(in + r * in_stride);
    return at;
  }
  std::vector<std::byte*> columns(std::byte* out) const {
    std::vector<std::byte*> at;
    for (int64 c = 0; c < n_columns; ++c) at.push_back(out + c * out_stride);
    return at;
  }
  int64 in_bytes() const { return in_stride * (n_rows - 1) + n_columns * unit; }
  int64 out_bytes() const { return out_stride * (n_columns - 1) + n_rows * unit; }
  std::string name() const {
    return std::to_string(n_rows) + " x " + std::to_string(n_columns) + " units of " + std::to_string(unit) + ", strides " +
           std::to_string(in_stride) + " and " + std::to_string(out_stride) + ", strips of " + std::to_string(strip) + ", blocks of " +
           std::to_string(block);
  }
};

class Memory {
 public:
  explicit Memory(int64 bytes) : bytes_(static_cast<std::size_t>(bytes + 64)) {}
  std::byte* lines() { return bytes_.data() + (64 - reinterpret_cast<std::uintptr_t>(bytes_.data()) % 64) % 64; }

 private:
  std::vector<std::byte> bytes_;
};

class Tables : public testing::TestWithParam<int> {
 protected:
  std::size_t which() const { return static_cast<std::size_t>(GetParam()); }
  int64 unit() const { return int64{1} << GetParam(); }

  template <class Call>
  void expect_transposed(const Lines& t, const Call& call) {
    for (const Place place : both_places) {
      const Place out{place.wall, place.offset + t.out_stride % 64 / unit() * unit()};
      const auto plain = [&](const std::byte* from, std::byte* to) {
        for (int64 r = 0; r < t.n_rows; ++r)
          for (int64 c = 0; c < t.n_columns; ++c)
            std::memcpy(to + c * t.out_stride + r * t.unit, from + r * t.in_stride + c * t.unit, static_cast<std::size_t>(t.unit));
      };
      if (!comparison().agrees(t.in_bytes(), t.out_bytes(), place, out, plain, call)) ADD_FAILURE() << t.name();
    }
  }

  // Shapes whose strips are whole lines, at all units.
  template <class Body>
  void for_shapes(const Body& body) {
    for (const int64 n_lines : {1, 2, 5}) {
      for (const int64 more : {int64{0}, int64{1}, 64 / unit() - 1}) {
        for (const int64 n_columns : {1, 3, 16, 37, 64, 65, 130, 300}) {
          const int64 n_rows = n_lines * 64 / unit() + more, gap = (n_columns * 7 + n_rows) % 5 * unit();
          for (const int64 strip_lines : {1, 2, 4}) {
            for (const int64 block : {64, 128, 512}) {
              body(Lines{unit(), n_rows, n_columns, n_columns * unit() + gap, n_rows * unit() + gap, strip_lines * 64 / unit(), block});
              body(Lines{unit(), n_rows, n_columns, n_columns * unit() + 3, (n_lines + 1) * 64, strip_lines * 64 / unit(), block});
              if (testing::Test::HasFailure()) return;
            }
          }
        }
      }
    }
  }

  static Comparison& comparison() {
    static Comparison one;
    return one;
  }
};

TEST_P(Tables, go_through_a_stage) {
  for_shapes([&](const Lines& t) {
    Memory memory(2 * stage_bytes(t.strip, t.block, unit()) + t.n_columns * 64);
    expect_transposed(t, [&](const Kernels& k, const std::byte* from, std::byte* to) {
      const auto staged = k.table_staged[which()];
      const std::vector<const std::byte*> rows = t.rows(from);
      const std::vector<std::byte*> columns = t.columns(to);
      if (staged == nullptr) return k.table_transpose[which()](rows.data(), t.n_rows, columns.data(), t.n_columns, 0, 0);
      std::uintptr_t low = 0;
      for (const std::byte* c : columns) low |= reinterpret_cast<std::uintptr_t>(c) % 64;
      std::vector<StagedBlock> blocks;
      for (int64 r = 0; r < t.n_rows; r += t.strip) {
        for (int64 c = 0; c < t.n_columns; c += t.block) {
          const int64 n = std::min(t.strip, t.n_rows - r);
          std::byte* const stage = memory.lines() + static_cast<int64>(blocks.size() % 2) * stage_bytes(t.strip, t.block, unit());
          std::byte* const carry = memory.lines() + 2 * stage_bytes(t.strip, t.block, unit()) + c * 64;
          blocks.push_back({rows.data() + r, n, columns.data() + c, std::min(t.block, t.n_columns - c), c * unit(), r * unit(), stage,
                            carry, low == 0, r == 0, r + n == t.n_rows});
        }
      }
      for (std::size_t b = 0; b <= blocks.size(); ++b) {
        staged(b < blocks.size() ? &blocks[b] : nullptr, b > 0 ? &blocks[b - 1] : nullptr,
               b + 1 < blocks.size() ? &blocks[b + 1] : nullptr);
      }
    });
  });
}

TEST_P(Tables, keep_what_is_not_yet_a_line) {
  for_shapes([&](const Lines& t) {
    Memory memory(t.n_columns * 64);
    expect_transposed(t, [&](const Kernels& k, const std::byte* from, std::byte* to) {
      const auto shift = k.table_shift[which()];
      const std::vector<const std::byte*> rows = t.rows(from);
      const std::vector<std::byte*> columns = t.columns(to);
      if (shift == nullptr) return k.table_transpose[which()](rows.data(), t.n_rows, columns.data(), t.n_columns, 0, 0);
      for (int64 r = 0; r < t.n_rows; r += t.strip) {
        const int64 n = std::min(t.strip, t.n_rows - r);
        shift(rows.data() + r, n, columns.data(), t.n_columns, r * unit(), memory.lines(), r == 0, r + n == t.n_rows, t.block - 64);
      }
    });
  });
}

TEST(Runs, of_a_line_and_more_go_to_columns_anywhere) {
  Comparison comparison;
  for (const int64 element : {64, 65, 68, 100, 127, 128, 200, 320, 1000}) {
    for (const int64 n_rows : {1, 2, 3, 9}) {
      for (const int64 n_columns : {1, 2, 5, 20}) {
        for (const int64 gap : {0, 5, 16}) {
          const Lines t{element, n_rows, n_columns, n_columns * element + gap, n_rows * element + gap, 1 + (element + gap) % 3, 0};
          const auto plain = [&](const std::byte* from, std::byte* to) {
            for (int64 r = 0; r < n_rows; ++r)
              for (int64 c = 0; c < n_columns; ++c)
                std::memcpy(to + c * t.out_stride + r * element, from + r * t.in_stride + c * element, static_cast<std::size_t>(element));
          };
          Memory carry((n_columns + 1) * 64);
          const auto call = [&](const Kernels& k, const std::byte* from, std::byte* to) {
            const std::vector<const std::byte*> rows = t.rows(from);
            const std::vector<std::byte*> columns = t.columns(to);
            const bool is_on_lines = element % 64 == 0 && gap == 0 && reinterpret_cast<std::uintptr_t>(to) % 64 == 0;
            for (int64 r = 0; r < n_rows; r += t.strip) {
              const int64 n = std::min(t.strip, n_rows - r), ahead = r % 2 * 4096;
              if (is_on_lines) {
                k.table_runs_stream(rows.data() + r, n, columns.data(), n_columns, r * element, element, ahead);
              } else {
                k.table_runs_shift(rows.data() + r, n, columns.data(), n_columns, r * element, element, carry.lines(), r == 0,
                                   r + n == n_rows, ahead);
              }
            }
          };
          for (const Place place : {at_start, at_end, Place{Place::Wall::before, 4}})
            ASSERT_TRUE(comparison.agrees(t.in_bytes(), t.out_bytes(), place, place, plain, call)) << t.name();
        }
      }
    }
  }
}

TEST(Elements, of_any_size_are_transposed_between_tables) {
  Comparison comparison;
  for (int64 element = 3; element <= 70; ++element) {
    if (is_unit(element)) continue;
    for (const auto& [n_rows, n_columns] : {std::pair<int64, int64>{1, 1}, {1, 7}, {2, 33}, {5, 3}, {31, 2}, {33, 65}, {70, 34}}) {
      const int64 gap = (element + n_rows) % 3;
      const Lines t{element, n_rows, n_columns, n_columns * element + gap, n_rows * element + gap, 0, 0};
      const auto plain = [&](const std::byte* from, std::byte* to) {
        for (int64 r = 0; r < n_rows; ++r)
          for (int64 c = 0; c < n_columns; ++c)
            std::memcpy(to + c * t.out_stride + r * element, from + r * t.in_stride + c * element, static_cast<std::size_t>(element));
      };
      const auto call = [&](const Kernels& k, const std::byte* from, std::byte* to) {
        const std::vector<const std::byte*> rows = t.rows(from);
        const std::vector<std::byte*> columns = t.columns(to);
        k.table_runs(rows.data(), n_rows, columns.data(), n_columns, 0, 0, element);
      };
      for (const Place place : both_places)
        ASSERT_TRUE(comparison.agrees(t.in_bytes(), t.out_bytes(), place, place, plain, call)) << t.name();
    }
  }
}

TEST(Elements, of_less_than_a_line_keep_what_is_not_yet_a_line) {
  Comparison comparison;
  for (int64 element = 3; element < 64; ++element) {
    if (is_unit(element)) continue;
    const int64 whole_lines = 64 / std::gcd(int64{64}, element);  // rows
    for (const int64 n_rows : {int64{1}, whole_lines, whole_lines + 1, 2 * whole_lines + 7}) {
      for (const int64 n_columns : {1, 2, 15, 16, 20}) {
        const int64 gap = (element + n_rows + n_columns) % 5;
        const Lines t{element, n_rows, n_columns, n_columns * element + gap, n_rows * element + gap, whole_lines, 0};
        const auto plain = [&](const std::byte* from, std::byte* to) {
          for (int64 r = 0; r < n_rows; ++r)
            for (int64 c = 0; c < n_columns; ++c)
              std::memcpy(to + c * t.out_stride + r * element, from + r * t.in_stride + c * element, static_cast<std::size_t>(element));
        };
        Memory carry(n_columns * 64);
        const auto call = [&](const Kernels& k, const std::byte* from, std::byte* to) {
          const std::vector<const std::byte*> rows = t.rows(from);
          const std::vector<std::byte*> columns = t.columns(to);
          if (k.table_odd_shift == nullptr) return k.table_runs(rows.data(), n_rows, columns.data(), n_columns, 0, 0, element);
          for (int64 r = 0; r < n_rows; r += t.strip) {
            const int64 n = std::min(t.strip, n_rows - r);
            k.table_odd_shift(rows.data() + r, n, columns.data(), n_columns, r * element, element, carry.lines(), r == 0, r + n == n_rows,
                              r / t.strip % 2 * 256);
          }
        };
        for (const Place place : {at_start, at_end, Place{Place::Wall::before, 4}})
          ASSERT_TRUE(comparison.agrees(t.in_bytes(), t.out_bytes(), place, place, plain, call)) << t.name();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(units, Tables, testing::Range(0, n_units),
                         [](const auto& unit) { return std::to_string(1 << unit.param) + "_bytes"; });

}  // namespace
}  // namespace crinkle::simd::tables_test
