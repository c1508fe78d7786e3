// What is refused, with the values involved; what is empty; how much is allocated.
// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <utility>

#include "fft/fft_support.hpp"

namespace crinkle::fft::errors_test {
namespace {

FftRequest request_of(const Extents& in, const Extents& out, std::vector<std::int64_t> axes, FftKind kind = FftKind::complex_to_complex) {
  return {.in = Layout::dense(in, kind == FftKind::real_to_complex ? 4 : 8),
          .out = Layout::dense(out, kind == FftKind::complex_to_real ? 4 : 8),
          .axes = std::move(axes),
          .kind = kind};
}

template <class F>
void expect_error(ErrorCode code, const std::vector<std::string>& words, const F& f) {
  try {
    f();
    ADD_FAILURE() << "nothing was refused where " << words[0] << " was expected";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    for (const std::string& word : words) EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what() << " lacks " << word;
  }
}

void expect_refused(const FftRequest& request, ErrorCode code, const std::vector<std::string>& words) {
  expect_error(code, words, [&] { FftPlan plan(request); });
}

TEST(Errors, of_axes_and_lengths) {
  const auto bad = ErrorCode::bad_shape;
  expect_refused(request_of({4, 5}, {4, 5}, {}), bad, {"none is named"});
  expect_refused(request_of({4, 5}, {4, 5}, {2}), bad, {"axis 2", "2 axes", "-2 to 1"});
  expect_refused(request_of({4, 5}, {4, 5}, {-3}), bad, {"axis -3"});
  expect_refused(request_of({4, 5}, {4, 5}, {1, -1}), bad, {"axis 1 is named twice", "[1, -1]"});
  expect_refused(request_of({4, 0}, {4, 0}, {1}), bad, {"axis 1 has 0 elements", "length 0"});
  expect_refused(request_of({0}, {0}, {0}, FftKind::real_to_complex), bad, {"length 0"});
  FftRequest sized = request_of({4, 5}, {4, 5}, {1});
  sized.sizes = {3, 3};
  expect_refused(sized, bad, {"2 sizes", "1 axes"});
  sized.sizes = {-1};
  expect_refused(sized, bad, {"size -1 of axis 1"});
  sized.sizes = {std::int64_t{1} << 41};
  expect_refused(sized, ErrorCode::too_large, {"2199023255552"});
}

TEST(Errors, of_outputs) {
  const auto bad = ErrorCode::bad_shape;
  expect_refused(request_of({4, 5}, {4, 6}, {1}), bad, {"[4, 6]", "[4, 5]"});
  expect_refused(request_of({4, 8}, {4, 8}, {1}, FftKind::real_to_complex), bad, {"[4, 8]", "gives [4, 5]"});
  expect_refused(request_of({4, 5}, {4, 7}, {1}, FftKind::complex_to_real), bad, {"[4, 7]", "gives [4, 8]", "or 9 along axis 1"});
  EXPECT_NO_THROW(FftPlan(request_of({4, 5}, {4, 9}, {1}, FftKind::complex_to_real)));
  expect_refused(request_of({4, 1}, {4, 0}, {1}, FftKind::complex_to_real), bad, {"[4, 0]"});
  FftRequest request = request_of({4, 5}, {4, 5}, {1});
  request.in.element_bytes = 4;  // as of integers
  expect_refused(request, bad, {"input", "4 bytes", "complex numbers of float32 have 8", "Convert integers"});
  request = request_of({4, 5}, {4, 5}, {1});
  request.out.strides = {0, 8};
  expect_refused(request, ErrorCode::overlap, {"share bytes", "[0, 8]"});
}

TEST(Errors, of_buffers) {
  const FftPlan plan(request_of({4, 5}, {4, 5}, {1}));
  std::vector<std::byte> a(400), b(400);
  expect_error(ErrorCode::bad_shape, {"input", "159 bytes", "0 to 160"}, [&] { plan.run({a.data(), 159}, {b.data(), 160}, {}); });
  expect_error(ErrorCode::bad_shape, {"output", "159 bytes"}, [&] { plan.run({a.data(), 160}, {b.data(), 159}, {}); });
  expect_error(ErrorCode::overlap, {"share 152 bytes", "in place"}, [&] { plan.run({a.data(), 160}, {a.data() + 8, 160}, {}); });
  EXPECT_NO_THROW(plan.run({a.data(), 160}, {a.data(), 160}, {}));
  const FftPlan real(request_of({4, 8}, {4, 5}, {1}, FftKind::real_to_complex));
  expect_error(ErrorCode::overlap, {"share 128 bytes"}, [&] { real.run({a.data(), 160}, {a.data(), 160}, {}); });
  const FftPlan both(request_of({4, 5}, {4, 8}, {0, 1}, FftKind::complex_to_real));
  ASSERT_GT(both.workspace_bytes(), 0);
  expect_error(ErrorCode::bad_shape, {"workspace", std::to_string(both.workspace_bytes())},
               [&] { both.run({a.data(), 160}, {b.data(), 160}, {b.data() + 200, 8}); });
  EXPECT_NO_THROW(both.run({a.data(), 160}, {b.data(), 160}, {}));  // it is allocated
}

TEST(Errors, an_array_of_no_lines_is_no_error) {
  for (const FftKind kind : {FftKind::complex_to_complex, FftKind::cosine, FftKind::sine}) {
    FftRequest request = request_of({0, 5}, {0, 5}, {1}, kind);
    if (kind != FftKind::complex_to_complex) request.in = request.out = Layout::dense({0, 5}, 4);
    const FftPlan plan(request);
    EXPECT_NO_THROW(plan.run({}, {}, {}));
    EXPECT_EQ(plan.n_points(), 0);
    request.in.strides = request.out.strides = {0, 0};
    EXPECT_NO_THROW(FftPlan(request).run({}, {}, {}));
  }
}

TEST(Errors, tables_that_no_memory_holds) {
  const std::int64_t n = std::int64_t{1} << 40;
  for (const auto& [in, out] : {std::pair<Extents, Extents>{{9}, {n}}, {{9, 3}, {n, 3}}, {{9}, {n - 2}}, {{9, 0}, {n, 0}}}) {
    FftRequest request = request_of(in, out, {0});
    request.sizes = {out[0]};
    expect_refused(request, ErrorCode::out_of_memory, {"axis 0", std::to_string(out[0]), "scratch memory"});
  }
}

double predicted_ms(const FftPlan& plan) {
  const std::string text = plan.describe(), word = "predicted: ";
  const std::size_t at = text.find(word);
  EXPECT_NE(at, std::string::npos) << text;
  return at == std::string::npos ? 0 : std::stod(text.substr(at + word.size()));
}

TEST(Descriptions, say_a_time_that_grows_with_the_work) {
  double before = 0;
  for (const std::int64_t n : {1 << 8, 1 << 12, 1 << 16, 1 << 20}) {
    const FftPlan plan(request_of({4, n}, {4, n}, {1}));
    const double ms = predicted_ms(plan);
    EXPECT_GT(ms, 8 * before) << plan.describe();
    before = ms;
  }
  const double of_64_bits = predicted_ms(
      FftPlan({.in = Layout::dense({4, 1 << 20}, 16), .out = Layout::dense({4, 1 << 20}, 16), .axes = {1}, .real = FftReal::float64}));
  EXPECT_NEAR(of_64_bits, 2 * before, 0.2 * before);
}

TEST(Descriptions, count_what_goes_twice_through_memory) {
  const std::int64_t n = 1 << 17;  // 1 MiB
  const FftPlan plan(request_of({3, n}, {3, n}, {1})), shorter(request_of({3, n / 2}, {3, n / 2}, {1}));
  EXPECT_NE(plan.describe().find(" " + std::to_string(3 * n * 8 * 4) + " bytes read and written"), std::string::npos) << plan.describe();
  EXPECT_NE(shorter.describe().find(" " + std::to_string(3 * n / 2 * 8 * 2) + " bytes read and written"), std::string::npos);
}

TEST(Errors, extents_are_those_of_numpy) {
  EXPECT_EQ(fft_extents({4, 9, 7}, {0, 1}, FftKind::real_to_complex), (Extents{4, 5, 7}));
  EXPECT_EQ(fft_extents({4, 9, 7}, {-1}, FftKind::complex_to_real), (Extents{4, 9, 12}));
  EXPECT_EQ(fft_extents({4, 9, 7}, {0, 2}, FftKind::complex_to_complex, {6, 0}), (Extents{6, 9, 7}));
  expect_error(ErrorCode::bad_notation, {"unit", "ortho"}, [] { parse_fft_norm("unit"); });
}

}  // namespace
}  // namespace crinkle::fft::errors_test
