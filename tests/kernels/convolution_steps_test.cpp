// Convolutions that no block holds, their steps walked through on a CPU: what comes out is near to the definition, for complex and real
// lines both ways, padded, shifted and of float16, of two parts and of three, with the same bits whether steps are joined or not; and
// kernels that know a step's plan give the bits of the library's kernel for any length.
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/convolutions.hpp"

namespace crinkle::fft::convolution_steps_test {
namespace {

using namespace convolutions;

template <class T>
void expect_near(const Wish& wish) {
  Case<T> c(wish), apart(wish, ConvolutionWay::apart);
  walk_all(c);
  walk_all(apart);
  const auto what = ::testing::Message() << wish.n << " numbers, kind " << static_cast<int>(wish.kind) << ", " << wish.parts.size()
                                         << " parts, given " << wish.n_given;
  EXPECT_LT(c.error(), wish.part_bytes == 2 ? 1e-3 : sizeof(T) == 4 ? 6e-7 : 2e-15) << what;
  EXPECT_TRUE(c.out == apart.out) << what;
}

TEST(ConvolutionSteps, of_two_parts_and_three_are_near_the_definition_joined_or_not) {
  const std::vector<std::int64_t> two{8, 12}, three{4, 4, 6};
  for (const std::int64_t n : {47, 46}) expect_near<float>({.n = n, .parts = two});
  for (const std::int64_t n : {47, 94}) {
    expect_near<float>({.kind = Kind::from_real, .n = n, .parts = two});
    expect_near<float>({.kind = Kind::to_real, .n = n, .parts = two});
  }
  expect_near<double>({.n = 47, .parts = three});
  expect_near<float>({.kind = Kind::from_real, .n = 94, .parts = three});
}
TEST(ConvolutionSteps, read_padded_and_shifted_lines_and_float16) {
  expect_near<float>({.n = 47, .n_given = 13, .parts = {8, 12}});
  expect_near<float>({.kind = Kind::from_real, .n = 94, .n_given = 31, .parts = {8, 12}});
  expect_near<float>({.kind = Kind::to_real, .n = 47, .n_given = 11, .parts = {8, 12}});
  expect_near<double>({.n = 47, .shift = 23, .parts = {8, 12}});
  expect_near<double>({.kind = Kind::from_real, .n = 47, .shift = 23, .parts = {4, 4, 6}});
  for (const Kind kind : {Kind::complex, Kind::from_real, Kind::to_real})
    expect_near<float>({.kind = kind, .n = 46, .parts = {8, 12}, .part_bytes = 2});
}

/// A plan of a step: columns of groups that are whole and others.
enum class Ends : std::uint8_t { reads_array, between, convolved, writes_array };
template <class T_, Ends of, int n_, int... rs>
struct Plan {
  using T = T_;
  static constexpr KnownRadices radices{sizeof...(rs), {rs...}};
  static constexpr std::uint32_t n = n_, n_out = n, lanes = 4, threads = 64, group = 64, cluster = 1;
  static constexpr KnownPlaces places(int) { return {4, 1, n + n / 4 + 3}; }
  static constexpr int n_blocks = 1, n_loops = 2, fetched = 0, firsts = 0, in_part = sizeof(T), out_part = sizeof(T);
  static constexpr bool are_columns = true, are_apart = false, are_ordered = false, are_convolved = of == Ends::convolved;
  static constexpr bool reads = of == Ends::between || of == Ends::writes_array, writes = of == Ends::between || of == Ends::reads_array;
  static constexpr bool goes_back = false, may_be_twisted = of != Ends::writes_array, are_parts = !reads || !writes;
  static constexpr bool are_numbers_in = are_convolved, are_numbers_out = are_convolved;
  static const CudaEnds<T>& ends(const CudaLines<T>& lines) { return lines.ends; }
  static const CudaLoop& lane(const CudaLines<T>& lines) { return lines.lane; }
  static bool lanes_first_in(const CudaLines<T>& lines) { return lines.lanes_first_in; }
  static bool lanes_first_out(const CudaLines<T>& lines) { return lines.lanes_first_out; }
};

template <class... Plans, class T>
void expect_bits_of_any(Case<T> c) {
  Case<T> other = c;
  std::size_t j = 0;
  const auto step = [&](auto plan) {
    Lines<T>(c, j).walk_any(1);
    Lines<T>(other, j).template walk_known<decltype(plan)>();
    EXPECT_EQ(std::memcmp(c.rows[j % 2].data(), other.rows[j % 2].data(), at(c.n_lines * c.m * c.number)), 0) << "step " << j;
    ++j;
  };
  ASSERT_EQ(sizeof...(Plans), c.steps.size());
  (step(Plans{}), ...);
  EXPECT_TRUE(c.out == other.out) << c.wish.n;
}

TEST(ConvolutionSteps, of_kernels_that_know_them_have_the_bits_of_others) {
  using enum Ends;
  const auto of_two = [](Kind kind, std::int64_t n) { return Case<float>({.kind = kind, .n = n, .parts = {8, 12}}); };
  using A = Plan<float, reads_array, 8, 4, 2>;
  using B = Plan<float, convolved, 12, 4, 3>;
  using C = Plan<float, writes_array, 8, 4, 2>;
  ASSERT_EQ(cuda_radices<float>(8), (Radices{4, 2}));
  ASSERT_EQ(cuda_radices<float>(12), (Radices{4, 3}));
  expect_bits_of_any<A, B, C>(of_two(Kind::complex, 47));
  expect_bits_of_any<A, B, C>(of_two(Kind::from_real, 47));
  expect_bits_of_any<A, B, C>(of_two(Kind::to_real, 47));
  expect_bits_of_any<A, B, C>(of_two(Kind::to_real, 94));
  expect_bits_of_any<A, B, C>(of_two(Kind::complex, 41));
  const Wish three{.n = 47, .parts = {8, 2, 6}};
  ASSERT_EQ(cuda_radices<float>(6), (Radices{6}));
  expect_bits_of_any<Plan<double, reads_array, 8, 4, 2>, Plan<double, between, 2, 2>, Plan<double, convolved, 6, 6>,
                     Plan<double, between, 2, 2>, Plan<double, writes_array, 8, 4, 2>>(Case<double>(three));
}

}  // namespace
}  // namespace crinkle::fft::convolution_steps_test
