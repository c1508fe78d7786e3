// Kernels that put records together and take them apart by blocks of 16 bytes, on every instruction set, against plain loops: every byte,
// no byte before or behind.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "cpu/kernels.hpp"
#include "cpu/walls.hpp"

namespace crinkle::simd {
namespace {

constexpr std::int64_t block = 16;

TEST(Kernels, together_makes_records_of_any_number_of_rows) {
  Comparison comparison;
  std::mt19937_64 random(11);
  for (const std::int64_t unit : {1, 2, 4, 8}) {
    for (const std::int64_t n_rows : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 64}) {
      for (const std::int64_t n : {1, 15, 64, 100, 333}) {
        const std::int64_t record = n_rows * unit, apart = n * unit + static_cast<std::int64_t>(random() % 50);
        const auto put = [&](const std::byte* in, std::byte* out, std::int64_t first) {
          for (std::int64_t i = first; i < n; ++i)
            for (std::int64_t r = 0; r < n_rows; ++r)
              std::memcpy(out + i * record + r * unit, in + r * apart + i * unit, static_cast<std::size_t>(unit));
        };
        const auto plain = [&](const std::byte* in, std::byte* out) { put(in, out, 0); };
        const auto call = [&](const Kernels& k, const std::byte* in, std::byte* out) {
          std::vector<const std::byte*> rows;
          for (std::int64_t r = 0; r < n_rows; ++r) rows.push_back(in + r * apart);
          const auto together = k.together[unit_index(unit)];
          const std::int64_t done = together == nullptr ? 0 : together(rows.data(), n_rows, n, out);
          EXPECT_LE(done, n);
          EXPECT_TRUE(together == nullptr || n - done < 64 + block);
          put(in, out, done);
        };
        for (const Place in : both_places)
          EXPECT_TRUE(comparison.agrees((n_rows - 1) * apart + n * unit, n * record, in, at_end, plain, call))
              << n << " records of " << n_rows << " units of " << unit;
      }
    }
  }
}

TEST(Kernels, apart_puts_units_of_records_to_arrays_that_begin_anywhere) {
  Comparison comparison;
  std::mt19937_64 random(12);
  for (const std::int64_t unit : {1, 2, 4, 8}) {
    for (const std::int64_t n_fields : {1, 2, 3, 4, 5, 8, 9, 16, 17, 40, 64}) {
      for (const std::int64_t n_lines : {1, 2, 3, 5}) {
        const std::int64_t n = n_lines * 64 / unit, dense = n_fields * unit;
        const std::int64_t stride = dense + (random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() % 9));
        const std::int64_t read = is_short_record(n_fields, unit, stride) ? dense : std::max(block, dense);  // of the last record
        const std::int64_t apart = n * unit + static_cast<std::int64_t>(random() % 50);
        const auto plain = [&](const std::byte* in, std::byte* out) {
          for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t f = 0; f < n_fields; ++f)
              std::memcpy(out + f * apart + i * unit, in + i * stride + f * unit, static_cast<std::size_t>(unit));
        };
        const auto call = [&](const Kernels& k, const std::byte* in, std::byte* out) {
          const auto apart_of = k.apart[unit_index(unit)];
          if (apart_of == nullptr) return plain(in, out);
          std::vector<FieldLines> fields;
          for (std::int64_t f = 0; f < n_fields; ++f) fields.push_back({out + f * apart, nullptr, 0});
          apart_of(in, stride, n, fields.data(), n_fields, 0);
        };
        const std::int64_t in_bytes = (n - 1) * stride + read;
        for (const Place in : both_places)
          EXPECT_TRUE(comparison.agrees(in_bytes, (n_fields - 1) * apart + n * unit, in, at_end, plain, call))
              << n << " records of " << n_fields << " units of " << unit;
      }
    }
  }
}

}  // namespace
}  // namespace crinkle::simd
