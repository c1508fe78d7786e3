// A stencil along the first axis of an array [3][0] ended the program: the empty axis behind it was taken for cells of no elements.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "crinkle/sweeper.hpp"

namespace crinkle::a_stencil_beside_an_empty_axis_divided_by_zero_test {
namespace {

TEST(Regress, a_stencil_beside_an_empty_axis_does_nothing) {
  for (const Extents& extents : {Extents{3, 0}, Extents{4, 3, 7, 0}, Extents{3, 0, 2}, Extents{0, 3}}) {
    Sweep sweep;
    sweep.stencil = average(1, 1);
    sweep.source = sweep.destination = Layout::dense(extents, 4);
    sweep.source_type = sweep.destination_type = {Number::float32};
    sweep.axes = {0};
    sweep.boundary = {Faces(Bound::edge)};
    Sweeper sweeper(sweep);
    std::byte untouched{7};
    sweeper.run({&untouched, 0}, {&untouched, 0}, default_executor());
    EXPECT_EQ(untouched, std::byte{7});
    EXPECT_FALSE(sweeper.describe().empty());
  }
}

}  // namespace
}  // namespace crinkle::a_stencil_beside_an_empty_axis_divided_by_zero_test
