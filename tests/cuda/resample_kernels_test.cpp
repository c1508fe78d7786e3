// Kernels of resampling compiled for their plan, without a GPU: each source compiles, of every type, rank, number of taps and way.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/resample.hpp"
#include "cuda/compiled_kernel.hpp"
#include "resample/check.hpp"
#include "resample/cuda/compiled.hpp"

namespace crinkle::resampling {

namespace {

struct CompiledResampling : CompiledKernel {
  void expect_compiled(const Extents& in, const Extents& out, CudaTypes types, ResampleBy by, const CoordinateMap& map, CudaWay way,
                       std::vector<int> axes) {
    Resampling r;
    r.source = Layout::dense(in, bytes_of(types.in));
    r.destination = Layout::dense(out, bytes_of(types.out));
    r.source_type = {types.in};
    r.destination_type = {types.out};
    r.axes = std::move(axes);
    r.map = map;
    r.by = by;
    const Form form = form_of(checked(r));
    const CudaShape shape = cuda_shape_of(form, bytes_of(types.out));
    ASSERT_EQ(shape.way, way);
    EXPECT_NE(gpu::compiled_binary(source_of(shape, form, types), 90, {}, options), nullptr) << (notes.empty() ? "" : notes.back());
  }
};

TEST_F(CompiledResampling, compiles_zooms) {
  const auto same = [](Number n) { return CudaTypes{n, n}; };
  const CoordinateMap plane = zoom_map({40, 60}, {80, 90});
  expect_compiled({60}, {90}, same(Number::int16), ResampleBy::cubic, zoom_map({60}, {90}), CudaWay::scales, {0});
  expect_compiled({40, 60}, {80, 90}, same(Number::float32), ResampleBy::linear, plane, CudaWay::scales, {0, 1});
  expect_compiled({40, 60, 3}, {80, 90, 3}, same(Number::uint8), ResampleBy::nearest, plane, CudaWay::scales, {0, 1});
  expect_compiled({9, 40, 60}, {11, 80, 90}, same(Number::float64), ResampleBy::linear, zoom_map({9, 40, 60}, {11, 80, 90}),
                  CudaWay::scales, {0, 1, 2});
  expect_compiled({40, 60}, {80, 90}, {Number::float32, Number::uint16}, ResampleBy::spline, plane, CudaWay::scales, {0, 1});
}

TEST_F(CompiledResampling, compiles_turns) {
  const auto same = [](Number n) { return CudaTypes{n, n}; };
  const CoordinateMap turn = rotation_map(25, {40, 60}, {40, 60});
  AffineMap shear = zoom_map({9, 40, 60}, {9, 40, 60});
  shear.matrix[0][2] = 0.1;
  expect_compiled({40, 60}, {40, 60}, same(Number::float32), ResampleBy::linear, turn, CudaWay::gathers, {0, 1});
  expect_compiled({40, 60, 3}, {40, 60, 3}, same(Number::uint8), ResampleBy::nearest, turn, CudaWay::gathers, {0, 1});
  expect_compiled({9, 40, 60}, {9, 40, 60}, same(Number::float64), ResampleBy::linear, shear, CudaWay::gathers, {0, 1, 2});
  expect_compiled({40, 60}, {40, 60}, {Number::float32, Number::int16}, ResampleBy::spline, turn, CudaWay::gathers, {0, 1});
}

}  // namespace
}  // namespace crinkle::resampling
