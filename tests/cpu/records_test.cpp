// Kernels that put records together and take them apart, on every instruction set, against plain loops: every byte, no byte before or
// behind.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "cpu/kernels.hpp"
#include "cpu/line_writer.hpp"
#include "cpu/walls.hpp"

namespace crinkle::simd::records_test {
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

TEST(LineWriter, puts_records_together_from_any_byte_of_a_line_on) {
  Comparison comparison;
  std::mt19937_64 random(17);
  for (const std::int64_t unit : {1, 2, 4, 8}) {
    for (const std::int64_t n_rows : {1, 2, 3, 5, 6, 9, 16, 17, 33, 64, 65}) {
      for (const std::int64_t n : {7, 64, 100, 333}) {
        const std::int64_t record = n_rows * unit, apart = n * unit + static_cast<std::int64_t>(random() % 50);
        const auto put = [&](const std::byte* in, std::byte* out, std::int64_t i) {
          for (std::int64_t r = 0; r < n_rows; ++r) std::memcpy(out + r * unit, in + r * apart + i * unit, static_cast<std::size_t>(unit));
        };
        const auto plain = [&](const std::byte* in, std::byte* out) {
          for (std::int64_t i = 0; i < n; ++i) put(in, out + i * record, i);
        };
        const auto call = [&](const Kernels& k, const std::byte* in, std::byte* out) {
          LineWriter writer(k, true, 0);
          writer.go_to(out);
          std::vector<const std::byte*> rows(static_cast<std::size_t>(n_rows));
          std::int64_t done = 0;
          for (std::int64_t some = 1; some > 0; done += some) {
            for (std::int64_t r = 0; r < n_rows; ++r) rows[static_cast<std::size_t>(r)] = in + r * apart + done * unit;
            some = writer.put_together(rows.data(), n_rows, unit, n - done);
          }
          const bool has_way = k.weave_width < LineWriter::line && k.together[unit_index(unit)] != nullptr && n_rows <= 64;
          EXPECT_TRUE(!has_way || n - done < LineWriter::line / unit);
          for (; done < n; ++done) {
            put(in, writer.room(), done);
            writer.wrote(record);
            writer.flush();
          }
          writer.finish();
        };
        const auto phase = static_cast<std::int64_t>(random() % 64);
        EXPECT_TRUE(comparison.agrees((n_rows - 1) * apart + n * unit, n * record, at_end, {Place::Wall::before, 64 + phase}, plain, call))
            << n << " records of " << n_rows << " units of " << unit;
      }
    }
  }
}

/// Lines that begin or end with bytes that wait, as a writer keeps them (cpu/line_writer.hpp).
class Waiting {
 public:
  Waiting(std::byte* out, std::int64_t phase) : phase_(phase) { std::memcpy(bytes_ + line, out - phase, static_cast<std::size_t>(phase)); }
  FieldLines of(std::byte* out) { return {out - phase_, bytes_ + line, phase_}; }
  void finish(std::byte* end) const { std::memcpy(end - phase_, bytes_ + line, static_cast<std::size_t>(phase_)); }

 private:
  static constexpr std::int64_t line = 64;
  std::int64_t phase_;
  alignas(64) std::byte bytes_[3 * line];
};

/// out[f·apart + i·unit] = in[i·stride + f·unit] for i < n, f < n_fields.
void take_apart(const std::byte* in, std::int64_t stride, std::int64_t n, std::int64_t n_fields, std::int64_t unit, std::byte* out,
                std::int64_t apart) {
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t f = 0; f < n_fields; ++f)
      std::memcpy(out + f * apart + i * unit, in + i * stride + f * unit, static_cast<std::size_t>(unit));
}

TEST(Kernels, apart_puts_units_of_records_to_arrays_that_begin_anywhere) {
  Comparison comparison;
  std::mt19937_64 random(12);
  for (const std::int64_t unit : {1, 2, 4, 8}) {
    for (const std::int64_t n_fields : {1, 2, 3, 4, 5, 8, 9, 16, 17, 40, 64}) {
      for (const std::int64_t n_lines : {1, 2, 3, 5}) {
        const std::int64_t n = n_lines * 64 / unit, dense = n_fields * unit;
        const std::int64_t stride = dense + (random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() % 9));
        const std::int64_t read = std::max(block, dense);  // of the last record
        const std::int64_t apart = n * unit + static_cast<std::int64_t>(random() % 50);
        const auto plain = [&](const std::byte* in, std::byte* out) { take_apart(in, stride, n, n_fields, unit, out, apart); };
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

TEST(Kernels, apart_streams_what_follows_bytes_that_wait) {
  Comparison comparison;
  std::mt19937_64 random(14);
  for (const std::int64_t unit : {1, 2, 4, 8}) {
    for (const std::int64_t n_fields : {1, 2, 3, 4, 5, 9, 16, 17, 40}) {
      for (std::int64_t phase = 0; phase < 64; phase += std::max<std::int64_t>(unit, 4) * (1 + static_cast<std::int64_t>(random() % 3))) {
        const std::int64_t n = (1 + static_cast<std::int64_t>(random() % 5)) * 64 / unit, dense = n_fields * unit;
        const std::int64_t stride = dense + static_cast<std::int64_t>(random() % 9), read = std::max(block, dense);
        const std::int64_t apart = n * unit + 64 * static_cast<std::int64_t>(random() % 2);  // all arrays at one place of a line
        const auto plain = [&](const std::byte* in, std::byte* out) { take_apart(in, stride, n, n_fields, unit, out, apart); };
        const auto call = [&](const Kernels& k, const std::byte* in, std::byte* out) {
          const auto apart_of = k.apart_stream[unit_index(unit)];
          if (apart_of == nullptr) return plain(in, out);
          std::vector<Waiting> waiting;
          std::vector<FieldLines> fields;
          waiting.reserve(static_cast<std::size_t>(n_fields));
          for (std::int64_t f = 0; f < n_fields; ++f) {
            waiting.emplace_back(out + f * apart, phase);
            fields.push_back(waiting.back().of(out + f * apart));
          }
          apart_of(in, stride, n, fields.data(), n_fields, 512);
          k.fence();
          for (std::int64_t f = 0; f < n_fields; ++f) waiting[static_cast<std::size_t>(f)].finish(out + f * apart + n * unit);
        };
        for (const Place in : both_places)
          EXPECT_TRUE(comparison.agrees((n - 1) * stride + read, (n_fields - 1) * apart + n * unit, in, {Place::Wall::before, 64 + phase},
                                        plain, call))
              << n << " records of " << n_fields << " units of " << unit << " from byte " << phase;
      }
    }
  }
}

TEST(FewFields, are_put_together_and_taken_apart_from_any_byte_of_a_line_on) {
  Comparison comparison;
  std::mt19937_64 random(13);
  const auto draw = [&](std::int64_t most) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1)); };
  int n_called = 0;
  for (const std::int64_t unit : {1, 2, 4, 8, 16}) {
    for (std::int64_t n_fields = 1; n_fields <= 18; ++n_fields) {
      if (!FewFields::has(n_fields, unit)) continue;
      for (int k = 0; k < 8; ++k) {
        const bool is_streamed = k % 2 != 0, is_together = k % 4 < 2;
        const std::int64_t n = (1 + draw(4)) * 64 / unit, record = n_fields * unit, phase = k < 4 ? 16 * draw(3) : draw(63);
        const std::int64_t apart = n * unit + (is_together ? draw(50) : 64 * draw(1));  // all arrays at one place of a line
        const auto put = [&](const std::byte* in, std::byte* out, bool is_source_apart) {
          for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t f = 0; f < n_fields; ++f) {
              const std::int64_t in_records = i * record + f * unit, in_arrays = f * apart + i * unit;
              std::memcpy(out + (is_source_apart ? in_records : in_arrays), in + (is_source_apart ? in_arrays : in_records),
                          static_cast<std::size_t>(unit));
            }
        };
        const auto plain = [&](const std::byte* in, std::byte* out) { put(in, out, is_together); };
        const auto call = [&](const Kernels& kernels, const std::byte* in, std::byte* out) {
          if (kernels.few_fields == nullptr) return plain(in, out);
          ++n_called;
          const FewFields& few = *kernels.few_fields;
          const std::size_t u = unit_index(unit);
          if (is_together) {
            std::vector<const std::byte*> rows;
            for (std::int64_t f = 0; f < n_fields; ++f) rows.push_back(in + f * apart);
            Waiting waiting(out, phase);
            const std::int64_t done = (is_streamed ? few.together_stream : few.together)[u](rows.data(), n_fields, n, waiting.of(out), 512);
            EXPECT_EQ(done, n);
            if (is_streamed) kernels.fence(), waiting.finish(out + n * record);
            return;
          }
          std::vector<Waiting> waiting;
          std::vector<FieldLines> fields;
          waiting.reserve(static_cast<std::size_t>(n_fields));
          for (std::int64_t f = 0; f < n_fields; ++f) {
            waiting.emplace_back(out + f * apart, is_streamed ? phase : 0);
            fields.push_back(waiting.back().of(out + f * apart));
          }
          (is_streamed ? few.apart_stream : few.apart)[u](in, record, n, fields.data(), n_fields, 256);
          kernels.fence();
          for (std::int64_t f = 0; f < n_fields; ++f) waiting[static_cast<std::size_t>(f)].finish(out + f * apart + n * unit);
        };
        const std::int64_t all = n * record, spread = (n_fields - 1) * apart + n * unit;
        for (const Place in : both_places)
          EXPECT_TRUE(
              comparison.agrees(is_together ? spread : all, is_together ? all : spread, in, {Place::Wall::before, 64 + phase}, plain, call))
              << n << " records of " << n_fields << " units of " << unit << " from byte " << phase << (is_streamed ? ", streamed" : "");
      }
    }
  }
  EXPECT_EQ(n_called > 500, all_kernels().front()->few_fields != nullptr);
}

}  // namespace
}  // namespace crinkle::simd::records_test
