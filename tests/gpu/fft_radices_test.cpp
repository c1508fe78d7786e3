// The radices that a GPU's kernels make a length of: one list for all of them.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "fft/cuda/known.hpp"
#include "fft/cuda/stages.hpp"

namespace crinkle::fft::radices_test {
namespace {

template <class T>
void expect_whole() {
  for (std::int64_t n = 2; n <= 20000; ++n) {
    const Radices radices = cuda_radices<T>(n);
    EXPECT_EQ(has_cuda_radices(n), !radices.empty());
    if (radices.empty()) continue;
    ASSERT_EQ(std::accumulate(radices.begin(), radices.end(), std::int64_t{1}, std::multiplies<>()), n);
    ASSERT_LE(radices.size(), most_stages) << n;
    const auto primes = std::find_if(radices.begin(), radices.end(), [](std::int64_t r) { return has_sums(r); });
    ASSERT_TRUE(std::is_sorted(radices.begin(), primes, std::greater<>())) << n;
    ASSERT_TRUE(primes == radices.begin() || radices.front() <= largest_radix<T>) << n;
    for (auto p = primes; p != radices.end(); ++p) ASSERT_TRUE(has_sums(*p) && *p <= most_prime) << n;
  }
}
TEST(CudaRadices, multiply_to_the_length_with_primes_at_the_end) {
  expect_whole<float>();
  expect_whole<double>();
}
TEST(CudaRadices, above_16_are_those_of_float32) {
  EXPECT_EQ(cuda_radices<float>(9261), (Radices{21, 21, 21}));
  EXPECT_EQ(cuda_radices<double>(9261), (Radices{9, 7, 7, 7, 3}));
  EXPECT_EQ(cuda_radices<float>(18), (Radices{6, 3})) << "two at least";
  EXPECT_EQ(cuda_radices<float>(1000), (Radices{10, 10, 10}));
  EXPECT_EQ(cuda_radices<float>(16000), cuda_radices<double>(16000)) << "of 25 · 24 and more a block has not the registers";
}

// Kernels whose lengths the compiler knows have butterflies that fit a thread's numbers.
template <class T>
void expect_known_radices() {
  for (const KnownShape& shape : known_shapes<T>) {
    const Radices radices = cuda_radices<T>(shape.n());
    ASSERT_GE(radices.size(), 2U) << shape.n();
    EXPECT_LE(radices.front(), std::int64_t{1} << shape.log_held) << shape.n();
    const KnownRadices powers = power_radices(shape.log_n);
    ASSERT_EQ(std::ssize(radices), powers.n) << shape.n();
    for (std::size_t i = 0; i < radices.size(); ++i) EXPECT_EQ(radices[i], powers.of[i]) << shape.n();
  }
}
TEST(CudaRadices, of_known_lengths_are_those_of_all_kernels) {
  expect_known_radices<float>();
  expect_known_radices<double>();
}

// The first stage of a line, and the others, as lines: the twiddles of the whole line's stages.
TEST(CudaRadices, two_steps_have_the_twiddles_of_one) {
  for (const std::int64_t n : {1000, 4100, 5005, 6499, 8192}) {
    const Radices radices = cuda_radices<double>(n), others(radices.begin() + 1, radices.end());
    const std::int64_t first = radices.front();
    CudaLines<double> whole, butterflies, rest;
    std::vector<Number<double>> of_whole, of_butterflies, of_rest;
    whole.n = n;
    butterflies.n = first;
    rest.n = n / first;
    add_stages(radices, 1, whole, of_whole);
    add_stages({first}, n / first, butterflies, of_butterflies);
    add_stages(others, 1, rest, of_rest);
    EXPECT_EQ(butterflies.first_stage_m, whole.stages[0].m);
    const auto are_same = [](const CudaStage& a, const std::vector<Number<double>>& of_a, const CudaStage& b,
                             const std::vector<Number<double>>& of_b, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) {
        const auto &x = of_a[static_cast<std::size_t>(a.twiddles + i)], &y = of_b[static_cast<std::size_t>(b.twiddles + i)];
        if (x.re != y.re || x.im != y.im) return false;
      }
      return true;
    };
    EXPECT_TRUE(are_same(whole.stages[0], of_whole, butterflies.stages[0], of_butterflies, n / first)) << n;
    for (std::int32_t i = 1; i < whole.n_stages; ++i) {
      EXPECT_EQ(whole.stages[i].m, rest.stages[i - 1].m);
      const std::int64_t count = whole.stages[i].m > 1 ? whole.stages[i].m : 0;
      EXPECT_TRUE(are_same(whole.stages[i], of_whole, rest.stages[i - 1], of_rest, count)) << n;
    }
  }
}

}  // namespace
}  // namespace crinkle::fft::radices_test
