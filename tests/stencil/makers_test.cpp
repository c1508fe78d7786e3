// The named stencils: what they do to polynomials, to a single one among zeros, and to sums; what is refused.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <numeric>
#include <tuple>

#include "crinkle/error.hpp"

#include "stencil/stencils.hpp"

namespace crinkle::makers_test {
namespace {

std::vector<double> swept_numbers(const Sweep& sweep, const std::vector<double>& in) {
  std::vector<double> out(in.size(), NAN);
  const auto bytes = static_cast<std::int64_t>(in.size() * sizeof(double));
  Sweeper(sweep).run({in.data(), bytes}, {out.data(), bytes});
  return out;
}
Sweep of_numbers(LinearStencil stencil, const Extents& extents, Faces faces = Faces(Bound::periodic)) {
  std::vector<int> axes(extents.size());
  std::iota(axes.begin(), axes.end(), 0);
  return sweep_of(std::move(stencil), extents, {Number::float64}, axes, {faces});
}

double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }

TEST(Makers, laplacians_are_exact_for_polynomials_of_their_degree_and_not_of_a_higher_one) {
  const std::int64_t n = 17, middle = 8;
  for (const int order : {2, 4, 6, 8}) {
    for (int degree = 0; degree <= order + 2; ++degree) {
      std::vector<double> in;
      for (std::int64_t y = 0; y < n; ++y)
        for (std::int64_t x = 0; x < n; ++x)
          in.push_back(power(static_cast<double>(y - middle) * 0.5, degree) + power(static_cast<double>(x - middle), degree));
      const double got = swept_numbers(of_numbers(laplacian(2, order, {0.5, 1}), {n, n}), in)[middle * n + middle + 1];
      // At y = 0, x = 1.
      const double want = degree < 2 ? 0 : degree * (degree - 1) * (1 + (degree == 2 ? 1 : 0));
      if (degree <= order + 1) EXPECT_NEAR(got, want, 1e-9) << order << " " << degree;
      else EXPECT_GT(std::abs(got - want), 1e-3) << order << " " << degree;
    }
  }
}

TEST(Makers, gradients_are_exact_for_polynomials_of_their_degree) {
  for (const int order : {2, 4, 6, 8}) {
    std::vector<double> in;
    for (std::int64_t x = 0; x < 17; ++x) in.push_back(power(static_cast<double>(x - 8) * 0.25, order));
    EXPECT_NEAR(swept_numbers(of_numbers(gradient(1, 0, order, 0.25), {17}), in)[9], order * power(0.25, order - 1), 1e-10);
  }
}

TEST(Makers, a_single_one_comes_back_as_the_coefficients) {
  for (const LinearStencil& stencil : {laplacian(2, 8), average(2), average(2, 3, StencilShape::star), sobel(2, 1), gradient(2, 0, 6)}) {
    ASSERT_EQ(stencil.passes.size(), 1u);
    const std::int64_t n = 21, middle = 10;
    std::vector<double> in(n * n, 0.0), want(n * n, 0.0);
    in[middle * n + middle] = 1;
    const PointList& list = stencil.passes[0];
    for (std::size_t k = 0; k < list.coefficients.size(); ++k)
      want[static_cast<std::size_t>((middle - list.offsets[2 * k]) * n + middle - list.offsets[2 * k + 1])] += list.coefficients[k];
    EXPECT_EQ(swept_numbers(of_numbers(stencil, {n, n}), in), want) << stencil.name;
  }
}

TEST(Makers, passes_give_the_product_of_their_rows_for_a_single_one) {
  const std::vector<double> lopsided = {3, 1, -2, 0.5, 4, -1}, odd = {1, -3, 2, 5, 0.25, -6, 7};
  const auto row_of = [](double sigma) { return gaussian(std::vector<double>{sigma}).passes.at(0).coefficients; };
  const std::vector<double> seventh(7, 1.0 / 7);
  for (const auto& [stencil, y_row, x_row] :
       {std::tuple(average(2, 3), seventh, seventh), std::tuple(gaussian({1.5, 0.75}), row_of(1.5), row_of(0.75)),
        std::tuple(separable("lopsided", {lopsided, odd}), lopsided, odd)}) {
    ASSERT_EQ(stencil.passes.size(), 2u) << stencil.name;
    const std::int64_t n = 21, middle = 10;
    std::vector<double> in(n * n, 0.0), want(n * n, 0.0);
    in[middle * n + middle] = 1;
    for (std::int64_t y = 0; y < std::ssize(y_row); ++y)
      for (std::int64_t x = 0; x < std::ssize(x_row); ++x)
        want[static_cast<std::size_t>((middle - y + std::ssize(y_row) / 2) * n + middle - x + std::ssize(x_row) / 2)] =
            y_row[static_cast<std::size_t>(y)] * x_row[static_cast<std::size_t>(x)];
    EXPECT_EQ(swept_numbers(of_numbers(stencil, {n, n}), in), want) << stencil.name;
  }
}

TEST(Makers, sums_are_conserved_where_the_boundary_is_periodic) {
  std::vector<double> in(12 * 20);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<double>(i * i % 101);
  const double sum = std::accumulate(in.begin(), in.end(), 0.0);
  for (const LinearStencil& stencil : {average(2), average(2, 4), gaussian({0.7, 2.5}), average(2, 2, StencilShape::star)}) {
    Sweep sweep = of_numbers(stencil, {12, 20});
    sweep.steps = 9;
    const std::vector<double> out = swept_numbers(sweep, in);
    EXPECT_NEAR(std::accumulate(out.begin(), out.end(), 0.0), sum, 1e-9 * sum) << stencil.name;
  }
  const std::vector<double> out = swept_numbers(of_numbers(laplacian(2, 6), {12, 20}), in);
  EXPECT_NEAR(std::accumulate(out.begin(), out.end(), 0.0), 0, 1e-9 * sum);
}

TEST(Makers, separable_stencils_are_passes_where_they_have_many_points) {
  EXPECT_EQ(average(2).passes.size(), 1u);
  EXPECT_EQ(average(2).passes[0].n_points(), 9);
  EXPECT_EQ(average(2, 3).passes.size(), 2u);
  EXPECT_EQ(average(3).passes.size(), 1u);
  EXPECT_EQ(average(4).passes.size(), 4u);
  EXPECT_EQ(gaussian({0, 2}).passes.size(), 1u);  // nothing along the first axis
  EXPECT_EQ(gaussian({0, 2}).passes[0].n_points(), 17);
  EXPECT_EQ(gaussian({0}).passes[0].coefficients, (std::vector<double>{1}));
}

TEST(Makers, weights_lie_as_in_scipy) {
  const std::vector<double> weights = {1, 0, 2, 3};
  const PointList correlation = from_array(weights, {4}).passes[0],
                  convolution = from_array(weights, {4}, Orientation::convolution).passes[0];
  EXPECT_EQ(correlation.offsets, (std::vector<std::int64_t>{-2, 0, 1}));
  EXPECT_EQ(correlation.coefficients, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(convolution.offsets, (std::vector<std::int64_t>{-1, 0, 2}));
  EXPECT_EQ(convolution.coefficients, (std::vector<double>{3, 2, 1}));
}

template <class Body>
std::string refusal(ErrorCode code, const Body& body) {
  try {
    body();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "not refused";
  return "";
}
void expect_says(const std::string& text, const std::string& word) { EXPECT_NE(text.find(word), std::string::npos) << text; }

TEST(Makers, words_make_them) {
  const StencilAxes yx{{"y", "x"}, {0.5, 2}};
  EXPECT_EQ(parse_stencil("laplacian:6", yx).passes[0].coefficients, laplacian(2, 6).passes[0].coefficients);
  EXPECT_EQ(parse_stencil("gradient:y:4", yx).passes[0].offsets, gradient(2, 0, 4).passes[0].offsets);
  EXPECT_EQ(parse_stencil("sobel:x", yx).passes[0].offsets, sobel(2, 1).passes[0].offsets);
  EXPECT_EQ(parse_stencil("average:2:star", yx).passes[0].offsets, average(2, 2, StencilShape::star).passes[0].offsets);
  EXPECT_EQ(parse_stencil("sobel:0", yx).passes[0].offsets, sobel(2, 0).passes[0].offsets);
  EXPECT_EQ(parse_stencil("gradient:3:6", {{"y", "x"}, {}, {1, 3}}).passes[0].offsets, gradient(2, 1, 6).passes[0].offsets);
  EXPECT_EQ(parse_stencil("gaussian:1mm,4mm", yx).passes[1].coefficients, gaussian({2, 2}).passes[1].coefficients);
  EXPECT_EQ(parse_stencil("gaussian:1,4mm", yx).passes[1].coefficients, gaussian({2, 2}).passes[1].coefficients);
  for (const char* wrong : {"laplacian:x", "laplacian:4:4", "average:-1", "average:1:ball", "gradient", "gaussian", "gaussian:1,2,3",
                            "gaussian:-1", "gaussian:nan", "", "laplacian:"})
    refusal(ErrorCode::bad_notation, [&] { parse_stencil(wrong, yx); });
  expect_says(refusal(ErrorCode::bad_notation, [&] { parse_stencil("laplacan:4", yx); }), "did you mean laplacian?");
  expect_says(refusal(ErrorCode::bad_notation, [&] { parse_stencil("blur", yx); }), "gaussian:SIGMA");
  expect_says(refusal(ErrorCode::bad_notation, [&] { parse_stencil("laplacian:3", yx); }), "2, 4, 6 and 8");
  expect_says(refusal(ErrorCode::bad_notation, [&] { parse_stencil("sobel:z", yx); }), "the axes are 0 (y), 1 (x)");
  expect_says(refusal(ErrorCode::bad_notation, [&] { parse_stencil("sobel:1", {{"y", "2"}, {}, {0, 2}}); }), "the axes are 0 (y), 2");
  expect_says(refusal(ErrorCode::bad_notation, [&] { parse_stencil("sobel:c", {{"y", "x"}, {}, {}, "; there is c"}); }),
              "1 (x); there is c");
  expect_says(refusal(ErrorCode::bad_notation, [&] { parse_stencil("average:1000000000000", yx); }), "from 0 to 2147483647");
  expect_says(refusal(ErrorCode::bad_notation, [&] { parse_stencil("gaussian:1mm,2", yx); }), "behind all of them");
  expect_says(refusal(ErrorCode::bad_notation, [&] { parse_stencil("blur", yx, {"array:WEIGHTS", "list"}); }),
              "sobel:AXIS, array:WEIGHTS and list");
  expect_says(refusal(ErrorCode::bad_notation, [&] { parse_stencil("aray:w", yx, {"array:WEIGHTS"}); }), "did you mean array?");
  expect_says(refusal(ErrorCode::bad_notation, [&] { parse_stencil("gaussian:2mm", {{"y", "x"}, {}}); }), "in cells");
}

TEST(Makers, faces_are_read_and_printed) {
  for (const char* text : {"periodic", "edge", "reflect", "symmetric", "constant", "constant:-2.5"})
    EXPECT_EQ(print(parse_face(text)), text);
  expect_says(refusal(ErrorCode::bad_notation, [] { parse_face("mirror"); }), "periodic, edge, reflect, symmetric and constant:V");
  for (const auto& [word, meant] :
       {std::pair("wrap", "periodic"), {"nearest", "edge"}, {"mirror", "reflect"}, {"symetric", "symmetric"}, {"constnat:3", "constant"}})
    expect_says(refusal(ErrorCode::bad_notation, [&] { parse_face(word); }), std::string("did you mean ") + meant + "?");
  refusal(ErrorCode::bad_notation, [] { parse_face("edge:1"); });
  refusal(ErrorCode::bad_notation, [] { parse_face("constant:x"); });
}

TEST(Makers, what_cannot_be_swept_is_refused) {
  const Sweep good = of_numbers(laplacian(2), {4, 5});
  const auto broken = [&](const auto& change) {
    Sweep sweep = good;
    change(sweep);
    return [sweep] { Sweeper{sweep}; };
  };
  expect_says(refusal(ErrorCode::bad_shape, broken([](Sweep& s) { s.axes = {0}; })), "rank 2 along 1 axis");
  refusal(ErrorCode::bad_shape, broken([](Sweep& s) { s.axes = {0, 2}; }));
  refusal(ErrorCode::bad_shape, broken([](Sweep& s) { s.axes = {1, -1}; }));
  refusal(ErrorCode::bad_shape, broken([](Sweep& s) { s.steps = 0; }));
  refusal(ErrorCode::bad_shape, broken([](Sweep& s) { s.stencil.passes.clear(); }));
  refusal(ErrorCode::bad_shape, broken([](Sweep& s) { s.stencil.passes[0].coefficients[1] = INFINITY; }));
  refusal(ErrorCode::too_large, broken([](Sweep& s) { s.stencil.passes[0].offsets[1] = std::int64_t{1} << 40; }));
  refusal(ErrorCode::bad_shape, broken([](Sweep& s) { s.stencil.passes[0].offsets.pop_back(); }));
  refusal(ErrorCode::bad_shape, broken([](Sweep& s) { s.destination = Layout::dense({5, 4}, 8); }));
  refusal(ErrorCode::bad_shape, broken([](Sweep& s) { s.source_type = {Number::float32}; }));
  refusal(ErrorCode::overlap, broken([](Sweep& s) { s.destination.strides[0] = 8; }));
  expect_says(refusal(ErrorCode::bad_shape, broken([](Sweep& s) { s.boundary = {Faces({Bound::edge}, {Bound::periodic})}; })),
              "joins both ends");
  refusal(ErrorCode::bad_shape, broken([](Sweep& s) { s.boundary.resize(3); }));
  std::vector<double> both(40);
  Sweeper sweeper(good);
  expect_says(refusal(ErrorCode::overlap, [&] { sweeper.run({both.data(), 160}, {both.data() + 19, 160}); }), "share 8 bytes");
  refusal(ErrorCode::bad_shape, [&] { sweeper.run({both.data(), 159}, {both.data() + 20, 160}); });
  expect_says(refusal(ErrorCode::unsupported, [] { parse_number("complex64"); }), "float32");
}

}  // namespace
}  // namespace crinkle::makers_test
