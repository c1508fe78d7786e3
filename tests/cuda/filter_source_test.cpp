// Sources of filters' kernels compile, of every type and kind, without a GPU. SPDX-License-Identifier: BSD-3-Clause
#include "cuda/compiled_kernel.hpp"
#include "stencil/cuda/filters.hpp"
#include "stencil/cuda/stages.hpp"
#include "stencil/stencils.hpp"

namespace crinkle::filter_source_test {
namespace {

struct FilterSource : CompiledKernel {
  void expect_compiles(const Sweep& wanted) {
    const Sweep sweep = checked(wanted);
    ShapedSweep shape = shaped(sweep, {});
    fill_up(shape);
    const std::optional<Filter> filter = filter_of(shape, 0);
    ASSERT_TRUE(filter.has_value()) << told(sweep);
    FilterTypes types{sweep.source_type.number, sweep.destination_type.number, {}};
    if (types.in == Number::uint8) {
      const std::optional<FilterTypes> of_bytes = byte_types(sweep, shape, *filter);
      ASSERT_TRUE(of_bytes.has_value()) << told(sweep);
      types = *of_bytes;
    }
    const gpu::KernelSource source = source_of(*filter, shape, types, tile_of(*filter, shape.shape, types));
    EXPECT_NE(gpu::compiled_binary(source, 90, {}, options), nullptr) << (notes.empty() ? source.text : notes[0]);
    EXPECT_EQ(notes, std::vector<std::string>());
  }
};

const std::vector<Faces> two = {Faces({Bound::constant, 1}, {Bound::edge}), Faces({Bound::symmetric}, {Bound::constant, 2})};

TEST_F(FilterSource, of_lists_behind_each_other_compiles) {
  for (const NumberType type : {f4, f8}) {
    expect_compiles(sweep_of(gaussian({1, 2}), {400, 600}, type, {0, 1}, two));
    expect_compiles(sweep_of(gaussian({2, 1}), {50, 60, 3}, type, {0, 1}, two));  // cells of three elements
  }
}
TEST_F(FilterSource, of_one_list_compiles) {
  std::vector<double> weights(35);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 1 / static_cast<double>(3 + i);
  expect_compiles(sweep_of(gaussian({2}), {40, 50, 60}, f4, {0}, {Faces(Bound::periodic)}));
  expect_compiles(sweep_of(from_array(weights, {5, 7}), {60, 300}, f4, {0, 1}, two));
  expect_compiles(sweep_of(from_array(weights, {35}), {300}, f8, {0}, {two[1]}));
}
TEST_F(FilterSource, of_bytes_compiles) {
  const NumberType bytes{Number::uint8};
  Sweep sweep = sweep_of(gaussian({1, 2}), {400, 600}, bytes, {0, 1}, {Faces(), Faces(Bound::edge)});
  expect_compiles(sweep);
  sweep.destination_type = {Number::int16};
  sweep.destination = dense({400, 600}, sweep.destination_type);
  expect_compiles(sweep);
  expect_compiles(sweep_of(from_array(std::vector<double>(9, 0.125), {3, 3}), {400, 600}, bytes, {0, 1}, two));
  expect_compiles(sweep_of(gaussian({2}), {40, 50, 60}, bytes, {0}, {Faces()}));
}

}  // namespace
}  // namespace crinkle::filter_source_test
