// Convolutions and correlations against their sum, in every mode, of any axes and for any layouts.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/convolutions.hpp"
#include "support/threads.hpp"

namespace crinkle::fft::convolve_test {
namespace {

template <class T>
Array run(const Convolution<T>& c, std::int64_t shift = 0) {
  Bytes a(bytes_of(c.request.a), shift), b(bytes_of(c.request.b), shift), dst(bytes_of(c.request.out), shift);
  put_array<T>(c.request.a, c.a, !c.request.is_complex, a);
  put_array<T>(c.request.b, c.b, !c.request.is_complex, b);
  const ConvolvePlan plan(c.request);
  std::vector<std::byte> workspace(at(plan.workspace_bytes()));
  Threads threads(3);
  plan.run(a.buffer(), b.buffer(), dst.buffer(), workspace, threads);
  EXPECT_TRUE(dst.is_intact_around()) << c.text();
  return get_array<T>(c.request.out, !c.request.is_complex, dst);
}

template <class T>
void expect_sums() {
  for (const bool is_complex : {false, true}) each_convolution<T>([](const Convolution<T>& c) { c.expect(run(c)); }, is_complex);
}

TEST(Convolve, is_the_sum_in_every_mode_of_float32) { expect_sums<float>(); }
TEST(Convolve, is_the_sum_in_every_mode_of_float64) { expect_sums<double>(); }

// A long array and a short one in blocks, whichever comes first; along both axes of pictures; not where one has to be repeated for it.
TEST(Convolve, is_cut_into_blocks_where_that_costs_less) {
  const auto told = [](const Extents& a, const Extents& b, const std::vector<std::int64_t>& axes) {
    const Layout of_a = Layout::dense(a, 4), of_b = Layout::dense(b, 4);
    return ConvolvePlan({.a = of_a, .b = of_b, .out = Layout::dense(convolve_extents(a, b, ConvolveMode::full, axes), 4), .axes = axes})
        .describe();
  };
  const std::string blocks = "numbers along axis ";
  EXPECT_NE(told({100000}, {500}, {}).find(blocks + "0"), std::string::npos);
  EXPECT_NE(told({500}, {100000}, {}).find(blocks + "0"), std::string::npos);
  EXPECT_NE(told({4, 3000}, {4, 20}, {1}).find(blocks + "1"), std::string::npos);
  EXPECT_NE(told({2000, 2000}, {15, 15}, {}).find(blocks + "0, "), std::string::npos);
  EXPECT_NE(told({2000, 2000}, {15, 15}, {}).find(blocks + "1, "), std::string::npos);
  for (const auto& [a, b] : {std::pair<Extents, Extents>{{1000}, {900}}, {{60}, {7}}, {{1, 9000}, {50, 20}}})
    EXPECT_EQ(told(a, b, {-1}).find(blocks), std::string::npos);
}

TEST(Convolve, without_a_plan_is_that_with_one) {
  const Convolution<float> c({30, 40}, {5, 4}, ConvolveMode::same, {}, false, 3);
  Bytes a(bytes_of(c.request.a)), b(bytes_of(c.request.b)), dst(bytes_of(c.request.out));
  put_array<float>(c.request.a, c.a, true, a);
  put_array<float>(c.request.b, c.b, true, b);
  fft_convolve({c.request.a, a.buffer()}, {c.request.b, b.buffer()}, c.request.out, dst.buffer(), ConvolveMode::same);
  EXPECT_TRUE(get_array<float>(c.request.out, true, dst).values == run(c, 1).values);
}

TEST(Convolve, refuses_what_has_no_meaning) {
  const auto refused = [](const Extents& a, const Extents& b, ConvolveMode mode, const std::string& word) {
    try {
      convolve_extents(a, b, mode);
      ADD_FAILURE() << word;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::bad_shape);
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    }
  };
  refused({3}, {3, 3}, ConvolveMode::full, "1 and 2 axes");
  refused({3, 0}, {3, 3}, ConvolveMode::full, "axis 1 has 0 and 3");
  refused({3, 5}, {5, 3}, ConvolveMode::valid, "[3, 5] and [5, 3]");
  const auto refused_axes = [](const Extents& a, const Extents& b, const std::vector<std::int64_t>& axes, const std::string& word) {
    try {
      convolve_extents(a, b, ConvolveMode::full, axes);
      ADD_FAILURE() << word;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::bad_shape);
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    }
  };
  refused_axes({3, 4}, {3, 4}, {2}, "axis 2 of arrays of 2");
  refused_axes({3, 4}, {3, 4}, {1, -1}, "axis 1 is named twice");
  refused_axes({3, 4}, {2, 4}, {1}, "axis 0 has 3 and 2 elements");
  const Layout layout = Layout::dense({4}, 4);
  {
    std::vector<float> x(16);
    const ConvolvePlan plan({.a = layout, .b = layout, .out = Layout::dense({7}, 4)});
    std::vector<std::byte> workspace(at(plan.workspace_bytes()));
    const Buffer a{x.data(), 16}, dst{x.data() + 8, 28};
    EXPECT_NO_THROW(plan.run(a, a, dst, workspace));
    EXPECT_THROW(plan.run(a, a, dst, {workspace.data(), plan.workspace_bytes() - 1}), Error);
    EXPECT_THROW(plan.run(a, a, {x.data() + 3, 28}, workspace), Error);
    EXPECT_THROW(plan.run({x.data(), 15}, a, dst, workspace), Error);
    EXPECT_THROW(plan.run(a, a, dst, {x.data(), plan.workspace_bytes()}), Error);
    EXPECT_THROW(ConvolvePlan({.a = {{4}, {}, 0, 4}, .b = layout, .out = Layout::dense({7}, 4)}), Error);
    EXPECT_THROW(ConvolvePlan({.a = layout, .b = layout, .out = {{7}, {0}, 0, 4}}), Error);
    EXPECT_THROW(ConvolvePlan({.a = layout, .b = layout, .out = Layout::dense({7}, 4), .is_complex = true}), Error);
    EXPECT_THROW(ConvolvePlan({.a = layout, .b = layout, .out = Layout::dense({7}, 2), .real = FftReal::float16}), Error);
  }
  std::vector<float> x(8);
  EXPECT_THROW(
      fft_convolve({layout, {x.data(), 16}}, {layout, {x.data() + 4, 16}}, Layout::dense({7}, 4), {x.data(), 28}, ConvolveMode::full),
      Error);
  EXPECT_THROW(fft_convolve({layout, {x.data(), 16}}, {layout, {x.data(), 16}}, layout, {x.data() + 4, 16}, ConvolveMode::full), Error);
}

}  // namespace
}  // namespace crinkle::fft::convolve_test
