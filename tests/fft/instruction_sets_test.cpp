// The same transforms on every instruction set that this processor has, against the definition.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cpu/line.hpp"
#include "fft/fft_support.hpp"

namespace crinkle::fft::instruction_sets_test {
namespace {

// Every butterfly first, last and in the middle; blocks of rows that end before, at and behind a whole one.
constexpr std::int64_t lengths[] = {1,  2,  3,  4,  5,  6,  7,  8,   9,   10,  11,  12,  13,  14,  15,  16,  17,  24,  31,  32,
                                    40, 48, 61, 64, 67, 72, 77, 104, 105, 120, 128, 135, 143, 176, 225, 243, 256, 289, 512, 1000};

template <class T>
void expect_definition(const simd::FftKernels& table) {
  const simd::FftKernelsOf<T>& kernels = table.of<T>();
  const std::int64_t v = kernels.lanes, vector = 2 * v, number = 2 * sizeof(T);
  for (const std::int64_t n : lengths) {
    const Series x = random_line(n, static_cast<unsigned>(n));
    const Series want = Reference(n, Sign::minus).line(x);
    std::vector<T> numbers, result(at(2 * n));
    for (const LongComplex& value : x) numbers.insert(numbers.end(), {static_cast<T>(value.real()), static_cast<T>(value.imag())});
    const auto compare = [&](const std::string& what) {
      Series got;
      for (std::int64_t k = 0; k < n; ++k) got.emplace_back(result[at(2 * k)], result[at(2 * k + 1)]);
      EXPECT_LE(error_of<T>(got, want, n), 3.0L) << what << ' ' << n << " of float" << 8 * sizeof(T) << " on " << table.target;
    };
    const Line<T> one(n, Lanes::numbers, kernels);
    const bool has_one_line = one.has_one_line();
    if (has_one_line) {
      std::vector<T> a(at(one.line_elements())), b(a.size());
      one.run_line({reinterpret_cast<const std::byte*>(numbers.data()), T{1}, reinterpret_cast<std::byte*>(result.data()), {T{1}, T{1}}},
                   a.data(), b.data());
      compare("one line");
    }
    const std::vector<T> of_one = result;
    const Line<T> several(n, Lanes::lines, kernels);
    for (const std::int64_t w : {1, 2, 3}) {
      std::vector<T> rows(at((several.n_rows() + 2) * w * vector)), other(rows.size()), columns(at(n * w * vector));
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t l = 0; l < w * v; ++l) {  // line l is x · (l + 1)
          columns[at((j * w * v + l) * 2)] = numbers[at(2 * j)] * static_cast<T>(l + 1);
          columns[at((j * w * v + l) * 2 + 1)] = numbers[at(2 * j + 1)] * static_cast<T>(l + 1);
        }
      }
      const std::int64_t stride = w * v * number;
      std::byte* bytes = reinterpret_cast<std::byte*>(columns.data());
      kernels.load_rows(bytes, stride, n, w, rows.data(), {T{1}, T{1}});
      std::vector<T> written(columns.size());
      kernels.store_rows(several.run_rows(rows.data(), other.data(), w), n, w, reinterpret_cast<std::byte*>(written.data()), stride,
                         {T{1}, T{1}});
      const auto compare_columns = [&](const std::string& what) {
        for (const std::int64_t l : {std::int64_t{0}, w * v - 1}) {
          for (std::int64_t k = 0; k < n; ++k) {
            result[at(2 * k)] = written[at((k * w * v + l) * 2)] / static_cast<T>(l + 1);
            result[at(2 * k + 1)] = written[at((k * w * v + l) * 2 + 1)] / static_cast<T>(l + 1);
          }
          compare(what);
          if (l == 0 && has_one_line) {
            EXPECT_EQ(std::memcmp(result.data(), of_one.data(), result.size() * sizeof(T)), 0)
                << what << ' ' << n << " on " << table.target;
          }
        }
      };
      compare_columns("columns");
      if (!several.can_run_through()) continue;
      several.run_through({bytes, stride, T{1}}, rows.data(), other.data(), w, {bytes, stride, {T{1}, T{1}}});
      written = columns;
      compare_columns("columns in place");
    }
  }
}

TEST(InstructionSets, all_give_the_definition) {
  const auto tables = simd::FftKernels::all();
  ASSERT_FALSE(tables.empty());
  for (const simd::FftKernels* table : tables) {
    expect_definition<float>(*table);
    expect_definition<double>(*table);
  }
}

}  // namespace
}  // namespace crinkle::fft::instruction_sets_test
