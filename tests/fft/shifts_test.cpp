// Number 0 in the middle of either side, against the definition between rolls; in place, long lines, and what plans say of it.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/shifts.hpp"
#include "support/threads.hpp"

namespace crinkle::fft::shifts_test {
namespace {

template <class In, class Out>
void expect_random_shifts(int n_cases, unsigned seed, long double bound) {
  std::mt19937 random(seed);
  int n_refused = 0;
  for (int c = 0; c < n_cases; ++c) {
    RandomRequest drawn = random_request<In, Out>(random);
    FftRequest& request = drawn.request;
    request.shift = static_cast<FftShift>(1 + random() % 3);
    if (sizeof(Out) == 2) request.norm = FftNorm::ortho;
    const Array array = random_array(request.in.extents, static_cast<unsigned>(c), drawn.is_real_in());
    if (is_input_cut(drawn)) {
      EXPECT_THROW(FftPlan{request}, Error);
      ++n_refused;
      continue;
    }
    Bytes src(bytes_of(request.in)), dst(bytes_of(request.out), 4);
    put_array<In>(request.in, array, drawn.is_real_in(), src);
    const Bytes before = src;
    const FftPlan plan(request);
    Threads executor(1 + c % 3);
    run(plan, src.buffer(), dst.buffer(), executor);
    ASSERT_TRUE(src == before && dst.is_intact_around()) << c;
    const Array want = shifted_definition(array, drawn);
    const Array got = get_array<Out>(request.out, drawn.is_real_out(), dst);
    ASSERT_LE(error_of<Out>(got.values, want.values, 2 * want.n()), want.n() < 16 ? 2 * bound : bound) << "case " << c << '\n'
                                                                                                       << plan.describe();
  }
  EXPECT_GT(n_refused, n_cases / 50);
  EXPECT_LT(n_refused, n_cases / 2);
}

TEST(Shifts, random_requests_are_the_definition_between_rolls) {
  expect_random_shifts<float, float>(250, 1, 2.0L);
  expect_random_shifts<double, double>(250, 2, 2.0L);
  expect_random_shifts<Float16, Float16>(100, 3, 4.0L);
}

// The transform without a shift, rolled, but for roundings: lines alone, columns, in place, long lines that threads share.
TEST(Shifts, in_place_and_of_long_lines) {
  for (const Extents& extents : {Extents{48, 40}, {45, 96}, {3, 1000}, {64, 1, 33}, {100000}, {2, 147456}, {1 << 17}}) {
    const Layout layout = Layout::dense(extents, 8);
    std::vector<std::size_t> axes(extents.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    FftRequest request{.in = layout, .out = layout, .axes = {axes.begin(), axes.end()}};
    if (extents == Extents{2, 147456}) request.axes = {1}, axes = {1};
    const Array array = random_array(extents, 7, false);
    Bytes src(layout.n_bytes()), plain(layout.n_bytes());
    put_array<float>(layout, array, false, src);
    run(FftPlan(request), src.buffer(), plain.buffer());
    const Array want = rolled(get_array<float>(layout, false, plain), axes, false, Roll::to_middle);
    request.shift = FftShift::both;
    const FftPlan plan(request);
    put_array<float>(layout, rolled(array, axes, false, Roll::to_middle), false, src);
    for (const int n_threads : {1, 3}) {
      Threads executor(n_threads);
      Bytes both = src, dst(layout.n_bytes());
      run(plan, src.buffer(), dst.buffer(), executor);
      run(plan, both.buffer(), both.buffer(), executor);
      EXPECT_TRUE(both == dst) << plan.describe();
      EXPECT_LE(error_of<float>(get_array<float>(layout, false, dst).values, want.values, array.n()), 0.5L) << plan.describe();
    }
  }
}

TEST(Shifts, cost_no_pass_and_plans_say_so) {
  for (const Extents& extents : {Extents{64, 48}, {1 << 17}}) {
    FftRequest request{.in = Layout::dense(extents, 8), .out = Layout::dense(extents, 8), .axes = {0}};
    const FftPlan plain(request);
    for (const auto& [shift, words] : {std::pair{FftShift::input, ", input shifted on the way"},
                                       {FftShift::output, ", output shifted on the way"},
                                       {FftShift::both, ", both sides shifted on the way"}}) {
      request.shift = shift;
      const FftPlan plan(request);
      std::string text = plan.describe();
      const std::size_t place = text.find(words);
      ASSERT_NE(place, std::string::npos) << text;
      text.erase(place, std::string(words).size());
      EXPECT_EQ(text.substr(0, text.find("predicted")), plain.describe().substr(0, plain.describe().find("predicted")));
      EXPECT_EQ(plan.workspace_bytes(), plain.workspace_bytes());
    }
  }
}

TEST(Shifts, what_is_refused) {
  const Layout real = Layout::dense({8, 6}, 4);
  FftRequest request{.in = real, .out = real, .axes = {1}, .kind = FftKind::sine, .shift = FftShift::output};
  EXPECT_THROW(FftPlan{request}, Error);
  request = {.in = Layout::dense({8, 6}, 8), .out = Layout::dense({5, 6}, 8), .axes = {0}, .sizes = {5}, .shift = FftShift::input};
  try {
    const FftPlan plan(request);
    ADD_FAILURE() << "a shifted input was cropped";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::unsupported);
    for (const char* word : {"8 numbers along axis 0", "takes 5"})
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace crinkle::fft::shifts_test
