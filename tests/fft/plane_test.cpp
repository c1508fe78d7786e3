// Kernels that take two axes at once, without a GPU: every number of a plane has a place of its own in the shared memory of its block, and
// sources compile.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/plane.hpp"

#include <algorithm>
#include <vector>

#include "cuda/compiled_kernel.hpp"
#include "fft/at.hpp"
#include "fft/cuda/stages.hpp"

namespace crinkle::fft::plane_test {
namespace {

constexpr std::int64_t shared_bytes = 225 << 10, worker_bytes = 228 << 10;

enum class Way : std::uint8_t { rows_first, from_real, to_real };

/// Dense planes of nx · ny numbers, 1000 of them: rows first, but to real ones columns; nx counts pairs of real numbers.
template <class T>
struct Planes {
  static constexpr std::int64_t number = sizeof(Number<T>);
  PlaneAxis<T> rows, columns;
  std::vector<Loop> loops;
  std::vector<Number<T>> tables;
  Way way;

  Planes(std::int64_t nx, std::int64_t ny, Way of) : way(of) {
    const std::int64_t width = nx + (way == Way::rows_first ? 0 : 1), row = width * number;
    const auto make = [&](PlaneAxis<T>& axis, std::int64_t n, std::int64_t stride, const CudaLoop& lane) {
      axis.radices = cuda_radices<T>(n);
      axis.lines.n = n;
      axis.lines.lane = lane;
      add_stages(axis.radices, 1, axis.lines, tables);
      CudaEnds<T>& e = axis.lines.ends;
      e.n = e.n_in = e.n_out = n;
      e.in = e.out = stride;
      e.in_unit = e.out_unit = static_cast<std::int32_t>(number);
    };
    make(rows, nx, number, {ny, row, row});
    make(columns, ny, row, {width, number, number});
    loops = {{1000, ny * row, ny * row}};
    CudaEnds<T>& e = rows.lines.ends;
    if (way == Way::from_real) {
      e.in_kind = CudaIn::pairs;
      e.out_kind = CudaOut::folded;
      e.n_in = 2 * nx;
      e.n_out = nx + 1;
      e.in = number / 2;
      rows.lines.lane.in = nx * number;
      loops[0].in = ny * nx * number;
    } else if (way == Way::to_real) {
      e.in_kind = CudaIn::folded;
      e.out_kind = CudaOut::pairs;
      e.n_in = nx + 1;
      e.n_out = 2 * nx;
      e.out = number / 2;
      rows.lines.lane.out = nx * number;
      loops[0].out = ny * nx * number;
    }
  }
  bool is_first_rows() const { return way != Way::to_real; }
  std::vector<CompiledLines<T>> planes(bool has_clusters = true, std::size_t most = 1) const {
    return planes_to_compile(is_first_rows() ? rows : columns, is_first_rows() ? columns : rows, loops, shared_bytes, worker_bytes,
                             has_clusters, most);
  }
  PlaneWanted wanted() const {
    const PlaneLines of_rows{rows.radices, rows.lines.n, rows.lines.lane.extent},
        of_columns{columns.radices, columns.lines.n, columns.lines.lane.extent};
    return {is_first_rows() ? of_rows : of_columns,
            is_first_rows() ? of_columns : of_rows,
            is_first_rows(),
            number,
            shared_bytes,
            worker_bytes,
            true};
  }
};

// Lines' places behind each number of stages: those of all lines that a block has are different, and inside its shared memory.
void expect_places(const PlaneLines& lines, const LinesShape& shape, std::int64_t n_own, std::int64_t n_numbers, std::int64_t n_places) {
  ASSERT_TRUE(shape.threads % 32 == 0 && shape.threads <= 1024 && shape.threads % shape.group == 0);
  ASSERT_EQ(shape.lanes * shape.group % shape.threads, 0);
  ASSERT_EQ(shape.places.size(), lines.radices.size() + 1);
  const std::int64_t n_lanes = (n_own + shape.lanes - 1) / shape.lanes * shape.lanes;
  for (std::size_t i = 0; i < shape.places.size(); ++i) {
    const KnownPlaces& at = shape.places[i];
    ASSERT_EQ(at.stride, shape.places[0].stride);
    const bool is_end = i == 0 || i + 1 == shape.places.size();
    std::vector<bool> taken(fft::at(n_numbers));
    for (std::int64_t lane = 0; lane < n_lanes; ++lane) {
      for (std::int64_t j = 0; j < (is_end ? n_places : lines.n); ++j) {
        const std::int64_t place = lane * at.stride + j + (at.pad == 0 ? 0 : j / at.pad * at.by);
        ASSERT_LT(place, n_numbers);
        ASSERT_FALSE(taken[fft::at(place)]);
        taken[fft::at(place)] = true;
      }
    }
  }
}

template <class T>
void expect_sound(std::int64_t nx, std::int64_t ny, Way way) {
  SCOPED_TRACE(::testing::Message() << nx << " by " << ny << " of " << sizeof(T) << " bytes, way " << static_cast<int>(way));
  const Planes<T> planes(nx, ny, way);
  const PlaneWanted wanted = planes.wanted();
  const std::vector<PlaneShape> shapes = plane_shapes(wanted, most_shapes);
  ASSERT_EQ(shapes.empty(), plane_shape(wanted).first.lanes == 0);
  for (const PlaneShape& shape : shapes) {
    ASSERT_LE(shape.shared_bytes, shared_bytes);
    ASSERT_LE(shape.first.n_blocks * (shape.shared_bytes + 1024), worker_bytes);
    ASSERT_GE(registers_of(shape.first.threads, shape.first.n_blocks),
              wanted.number / 4 * std::max(shape.first.held, shape.second.held) + 16);
    ASSERT_TRUE(shape.first.threads == shape.second.threads && shape.first.together == shape.second.together);
    const std::int64_t together = shape.first.together, n_numbers = shape.shared_bytes / wanted.number;
    ASSERT_GE(together * shape.own_rows, ny);
    ASSERT_GE(together * shape.own_columns, planes.columns.lines.lane.extent);
    const LinesShape &rows = wanted.is_first_rows ? shape.first : shape.second,
                     &columns = wanted.is_first_rows ? shape.second : shape.first;
    const std::int64_t own_first = wanted.is_first_rows ? shape.own_rows : shape.own_columns;
    if (together > 1) { ASSERT_GE(shape.first.lanes, own_first); }  // all at once
    expect_places(wanted.is_first_rows ? wanted.first : wanted.second, rows, shape.own_rows, n_numbers, planes.columns.lines.lane.extent);
    expect_places(wanted.is_first_rows ? wanted.second : wanted.first, columns, shape.own_columns, n_numbers, ny);
    if (together == 1) { ASSERT_EQ(columns.places[0].by + 1, rows.places[0].stride); }  // one plane for both
  }
}

TEST(PlaneShape, holds_every_number) {
  const std::vector<std::int64_t> sizes = {2, 7, 30, 64, 96, 121, 160, 240, 360};
  int n_found = 0;
  for (const std::int64_t nx : sizes) {
    for (const std::int64_t ny : sizes) {
      for (const Way way : {Way::rows_first, Way::from_real, Way::to_real}) {
        if ((nx * ny) % 3 != static_cast<int>(way) && nx != ny) continue;
        expect_sound<float>(nx, ny, way);
        if (nx * ny < 20000) expect_sound<double>(nx, ny, way);
        if (::testing::Test::HasFatalFailure()) return;
        n_found += plane_shape(Planes<float>(nx, ny, way).wanted()).first.lanes > 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(n_found, 30);
}

TEST(PlaneShape, of_planes_that_no_block_holds_has_several_together) {
  EXPECT_EQ(plane_shape(Planes<float>(96, 96, Way::rows_first).wanted()).first.together, 1);
  for (const std::int64_t n : {240, 256, 360}) {
    EXPECT_GT(plane_shape(Planes<float>(n, n, Way::rows_first).wanted()).first.together, 1) << n;
    EXPECT_TRUE(Planes<float>(n, n, Way::rows_first).planes(false).empty()) << n;
  }
  EXPECT_EQ(plane_shape(Planes<float>(1000, 1000, Way::rows_first).wanted()).first.lanes, 0);
}

TEST(PlaneShape, others_than_the_rules_are_worth_a_try) {
  const PlaneWanted wanted = Planes<float>(96, 96, Way::rows_first).wanted();
  const std::vector<PlaneShape> shapes = plane_shapes(wanted, most_shapes);
  ASSERT_GE(shapes.size(), 4U);
  EXPECT_EQ(shapes[0].first.threads, plane_shape(wanted).first.threads);
  EXPECT_TRUE(std::any_of(shapes.begin(), shapes.end(), [](const PlaneShape& shape) { return shape.first.together > 1; }));
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_TRUE(shapes[i].first.threads != shapes[j].first.threads || shapes[i].first.together != shapes[j].first.together)
          << i << ' ' << j;
}

// Dense lines of n1·n2 complex64: n1 numbers n2 apart, whose results are twisted, and n2 of them, which are written n1 apart.
std::vector<CompiledLines<float>> long_lines(std::int64_t n1, std::int64_t n2, std::vector<Number<float>>& tables, std::size_t most) {
  PlaneAxis<float> first, second;
  for (PlaneAxis<float>* const axis : {&first, &second}) {
    const std::int64_t n = axis == &first ? n1 : n2;
    axis->radices = cuda_radices<float>(n);
    axis->lines.n = n;
    add_stages(axis->radices, 1, axis->lines, tables);
    CudaEnds<float>& e = axis->lines.ends;
    e.n = e.n_in = e.n_out = n;
    e.in_unit = e.out_unit = 8;
    e.in = 8 * (axis == &first ? n2 : n1);
    e.out = 8 * (axis == &first ? 1 : n1);
  }
  first.lines.lane = {n2, 8, 0};
  second.lines.lane = {n1, 0, 8};
  first.lines.twist_loop = 0;
  first.lines.twist_bits = 9;
  return planes_to_compile(first, second, {{1000, n1 * n2 * 8, n1 * n2 * 8}}, shared_bytes, worker_bytes, true, most);
}

TEST(Plane, of_a_long_line_writes_whole_sectors) {
  std::vector<Number<float>> tables;
  for (const auto& [n1, n2] : {std::pair{128, 160}, {256, 256}, {180, 245}, {300, 384}}) {
    const auto lines = long_lines(n1, n2, tables, most_shapes);
    ASSERT_FALSE(lines.empty()) << n1 << " by " << n2;
    for (const CompiledLines<float>& one : lines) {
      EXPECT_EQ(one.lines.twist_loop, -1);
      const std::int64_t columns = std::min(one.shape.lanes * one.shape.group / one.shape.threads, n2 / one.shape.together);
      EXPECT_GE(8 * columns, 64) << one.source.text;  // side by side where they are read
      EXPECT_NE(one.source.text.find("may_be_twisted = true"), std::string::npos);
    }
  }
  EXPECT_TRUE(long_lines(1024, 1024, tables, 1).empty());
  EXPECT_TRUE(long_lines(17, 1024, tables, 1).empty());  // a last radix of 17 is multiplied in another order
}

TEST(Plane, is_none_of_lines_that_are_cropped_shifted_or_far_apart) {
  const auto has_plane = [](const auto& change) {
    Planes<float> planes(96, 64, Way::rows_first);
    change(planes.rows.lines, planes.columns.lines);
    return !planes.planes().empty();
  };
  using Lines = CudaLines<float>;
  EXPECT_TRUE(has_plane([](Lines&, Lines&) {}));
  EXPECT_FALSE(has_plane([](Lines& rows, Lines&) { rows.ends.n_in = 90; }));
  EXPECT_FALSE(has_plane([](Lines& rows, Lines&) { rows.ends.in_shift = 48; }));
  EXPECT_FALSE(has_plane([](Lines&, Lines& columns) { columns.ends.out_shift = 32; }));
  EXPECT_FALSE(has_plane([](Lines& rows, Lines&) { rows.ends.in_unit = 4; }));
  EXPECT_FALSE(has_plane([](Lines& rows, Lines&) { rows.ends.in = 16; }));
  EXPECT_FALSE(has_plane([](Lines&, Lines& columns) { columns.lane.out = 24; }));
}

struct PlaneSource : CompiledKernel {
  template <class T>
  void expect_compiled(std::int64_t nx, std::int64_t ny, Way way) {
    const auto planes = Planes<T>(nx, ny, way).planes();
    ASSERT_FALSE(planes.empty()) << nx << " by " << ny;
    const CompiledLines<T>* const plane = &planes.front();
    EXPECT_NE(gpu::compiled_binary(plane->source, 90, {}, options), nullptr) << plane->source.text << (notes.empty() ? "" : notes.back());
  }
};
TEST_F(PlaneSource, compiles) {
  expect_compiled<float>(96, 96, Way::rows_first);
  expect_compiled<float>(240, 240, Way::rows_first);
  expect_compiled<float>(48, 96, Way::from_real);
  expect_compiled<float>(128, 256, Way::from_real);
  expect_compiled<float>(48, 96, Way::to_real);
  expect_compiled<float>(128, 256, Way::to_real);
  expect_compiled<double>(64, 64, Way::rows_first);
  expect_compiled<double>(31, 12, Way::from_real);
  std::vector<Number<float>> tables;
  for (const auto& [n1, n2] : {std::pair{256, 256}, {180, 245}}) {
    const gpu::KernelSource source = long_lines(n1, n2, tables, 1).at(0).source;
    EXPECT_NE(gpu::compiled_binary(source, 90, {}, options), nullptr) << source.text << (notes.empty() ? "" : notes.back());
  }
}

}  // namespace
}  // namespace crinkle::fft::plane_test
