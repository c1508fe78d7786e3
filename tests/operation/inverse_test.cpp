// Inverses bring outputs back, of parts and stages too, and have inverses themselves; what has none says so.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "crinkle/fft.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/pairs.hpp"
#include "crinkle/sweeper.hpp"
#include "crinkle/triangle.hpp"
#include "support/operations.hpp"

namespace crinkle::inverse_test {
namespace {

using namespace crinkle::testing;

/// The farthest that a float64 of the way there and back is from where it was.
double distance_back(const Operation& there, std::mt19937_64& random) {
  const Operation back = there.inverse();
  const Bytes from = random_input(there.inputs()[0], random);
  Bytes to = buffer_of(there.outputs()[0]), again = from;
  const Port& port = there.inputs()[0];
  put_back(port.layout, again, all_of(port.layout),
           Bytes(size_of(Layout::dense(port.layout.extents, port.layout.element_bytes).n_bytes())));
  there.run({ConstBuffer(from)}, {Buffer(to)});
  back.run({ConstBuffer(to)}, {Buffer(again)});
  double most = 0;
  for (std::size_t i = 0; i + 8 <= from.size(); i += 8) {
    double x, y;
    std::memcpy(&x, from.data() + i, 8);
    std::memcpy(&y, again.data() + i, 8);
    if (!(x == y)) most = std::max(most, std::abs(x - y));
  }
  return most;
}

TEST(Inverse, of_a_transform_has_the_factor_that_undoes_its_own) {
  std::mt19937_64 random(5);
  using enum FftKind;
  for (const FftKind kind : {complex_to_complex, real_to_complex, cosine, sine})
    for (const FftNorm norm : {FftNorm::backward, FftNorm::ortho, FftNorm::forward})
      for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse})
        for (const FftShift shift : {FftShift::none, FftShift::input, FftShift::output, FftShift::both}) {
          if (shift != FftShift::none && kind != complex_to_complex) continue;
          const Extents extents{5, 7, 12};
          FftRequest request{.in = Layout::dense(extents, kind == complex_to_complex ? 16 : 8),
                             .axes = {2, 1},
                             .kind = kind,
                             .direction = direction,
                             .norm = norm,
                             .real = FftReal::float64,
                             .shift = shift};
          request.out =
              Layout::dense(fft_extents(extents, request.axes, kind), kind == complex_to_complex || kind == real_to_complex ? 16 : 8);
          const Operation whole = plan(request);
          const std::string what =
              fmt::format("kind {}, norm {}, direction {}", static_cast<int>(kind), static_cast<int>(norm), static_cast<int>(direction));
          EXPECT_LT(distance_back(whole, random), 1e-11) << what;
          EXPECT_LT(distance_back(whole.part({{1, 3}}), random), 1e-11) << what;
          for (const Operation& stage : whole.stages()) EXPECT_LT(distance_back(stage, random), 1e-11) << what;
          EXPECT_EQ(whole.inverse().inverse().describe(), whole.describe());
        }
}

TEST(Inverse, of_moves_and_triangles_is_exact) {
  std::mt19937_64 random(6);
  EXPECT_EQ(distance_back(plan(parse("z y x -> x z y", Layout::dense({3, 4, 5}, 8)).roll("y", 1).flip("z")), random), 0);
  const auto triangle = [](const char* text) { return TriangleLayout::parse(text, 9, 8); };
  for (const char* to : {"packed upper", "rfp lower", "full upper", "symmetric"})
    EXPECT_EQ(distance_back(plan(TriangleRequest{triangle("packed lower"), triangle(to)}), random), 0) << to;
  EXPECT_EQ(distance_back(plan(TriangleRequest{triangle("condensed"), triangle("packed lower")}), random), 0);
}

void expect_none(const Operation& operation, const std::string& text) {
  try {
    (void)operation.inverse();
    ADD_FAILURE() << "no error: " << text;
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::unsupported);
    EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
  }
}

TEST(Inverse, is_refused_where_something_is_lost) {
  const auto layout = [](std::int64_t n) { return Layout::dense({n}, 16); };
  expect_none(plan(FftRequest{.in = layout(8), .out = layout(6), .axes = {0}, .real = FftReal::float64, .sizes = {6}}), "crops or pads");
  expect_none(plan(FftRequest{.in = layout(6), .out = layout(8), .axes = {0}, .real = FftReal::float64, .sizes = {8}}), "crops or pads");
  expect_none(plan(parse("y x -> y x", Layout::dense({4, 5}, 4)).slice("x", 0, 2)), "x");
  expect_none(plan(TriangleRequest{TriangleLayout::parse("symmetric", 4, 8), TriangleLayout::parse("condensed", 4, 8)}), "10 elements");
  expect_none(plan(TriangleRequest{TriangleLayout::parse("packed", 4, 8), TriangleLayout::parse("packed upper", 4, 8)}).part({{0, 2}}),
              "part");
  expect_none(plan(DistanceRequest{4, 3}), "distance table has no inverse");
}

}  // namespace
}  // namespace crinkle::inverse_test
