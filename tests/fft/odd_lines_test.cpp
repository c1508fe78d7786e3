// Real lines of odd lengths in half the work, there and back, on every instruction set that this processor has, against the definition.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cpu/odd_line.hpp"
#include "fft/fft_support.hpp"
#include "fft/radices.hpp"

namespace crinkle::fft::odd_lines_test {
namespace {

TEST(OddLines, factors_are_two_of_the_length_and_have_radices) {
  std::int64_t n_with = 0;
  for (std::int64_t n = 1; n < 6000; ++n) {
    const std::int64_t r = odd_factor(n);
    if (r == 0) continue;
    ++n_with;
    EXPECT_TRUE(n % 2 == 1 && n % r == 0 && r * r >= n && n / r >= 13 && has_radices(r) && has_radices(n / r)) << n;
  }
  EXPECT_GT(n_with, 400);
  for (const std::int64_t n : {1, 168, 225 * 2, 1009, 3 * 67 * 67, 61 * 3}) EXPECT_EQ(odd_factor(n), 0) << n;
  EXPECT_EQ(odd_factor(275625), 525);
}

// Groups in any order, numbers of memory that no step gives are poisoned.
template <class T>
void expect_definition(std::int64_t n, const simd::FftKernels& table, const simd::OddKernels& odd) {
  ASSERT_STREQ(table.target, odd.target);
  const OddLine<T> line(n, table.of<T>(), odd.of<T>());
  std::mt19937 random(static_cast<unsigned>(n));
  std::vector<T> x(at(n)), z(at(line.between_elements()), T(NAN)), scratch(at(line.scratch_elements())), result(at(n + 1), T(NAN)),
      back(at(n));
  Series given;
  for (T& number : x) {
    number = static_cast<T>(random() % 4096) / 2048 - 1;
    given.emplace_back(number, 0);
  }
  const Series all = Reference(n, Sign::minus).line(given), want(all.begin(), all.begin() + n / 2 + 1);
  const std::string what = std::to_string(n) + " of float" + std::to_string(8 * sizeof(T)) + " on " + table.target;
  for (std::int64_t g = line.n_column_groups(); g-- > 0;)
    line.columns(g, reinterpret_cast<const std::byte*>(x.data()), z.data(), scratch.data());
  for (std::int64_t g = line.n_number_groups(); g-- > 0;)
    line.numbers(g, z.data(), reinterpret_cast<std::byte*>(result.data()), {T{0.5}, T{0.5}}, scratch.data());
  Series got;
  for (std::int64_t k = 0; k <= n / 2; ++k) got.emplace_back(result[at(2 * k)], result[at(2 * k + 1)]);
  EXPECT_LE(error_of<T>(got, want, n), 0.9L) << what;
  EXPECT_EQ(result[1], 0) << what;
  result[1] = 5;  // is not looked at
  std::fill(z.begin(), z.end(), T(NAN));
  for (std::int64_t g = line.n_number_groups(); g-- > 0;)
    line.numbers_back(g, reinterpret_cast<const std::byte*>(result.data()), T{-1}, z.data(), scratch.data());
  for (std::int64_t g = line.n_column_groups(); g-- > 0;)
    line.columns_back(g, z.data(), T{1} / static_cast<T>(n), reinterpret_cast<std::byte*>(back.data()), scratch.data());
  Series returned;
  for (const T number : back) returned.emplace_back(number, 0);
  EXPECT_LE(error_of<T>(returned, given, n), 1.4L) << what;
}

// Of fewer numbers and columns than a vector has, of whole vectors, of one behind them; squares, long factors and primes up to 61.
TEST(OddLines, are_the_definition_there_and_back_on_every_instruction_set) {
  const auto tables = simd::FftKernels::all();
  const auto odd = simd::OddKernels::all();
  ASSERT_EQ(tables.size(), odd.size());
  for (std::size_t i = 0; i < tables.size(); ++i)
    for (const std::int64_t n : {169, 195, 221, 225, 273, 289, 315, 441, 495, 527, 625, 793, 961, 1001, 1147, 1575, 2187, 3721, 4455}) {
      expect_definition<float>(n, *tables[i], *odd[i]);
      expect_definition<double>(n, *tables[i], *odd[i]);
    }
}

}  // namespace
}  // namespace crinkle::fft::odd_lines_test
