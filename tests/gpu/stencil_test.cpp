// Sweeps on a real GPU are the CPU's bit for bit, whose own are their definition's: every boundary, extents around the radius and the
// tiles, ranks 1 to 8, many steps, any layout, in a graph, guard zones included; and what is refused.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/stencils.hpp"

#include <string>
#include <vector>

#include "graph.hpp"
#include "notation/expect_error.hpp"
#include "on_gpu.hpp"

namespace crinkle::testing::stencil_test {
namespace {

using Gpu = OnGpu;
// A sweep's arrays on the device, the source filled and the destination's every byte known.
class GpuSweep {
 public:
  explicit GpuSweep(const Sweep& sweep, std::int64_t src_shift = 0, std::int64_t dst_shift = 0)
      : sweep_(sweep),
        sweeper_(sweep, cuda()),
        content_(numbers_for(sweep.source, sweep.source_type)),
        src_(span_of(sweep.source), src_shift),
        dst_(span_of(sweep.destination), dst_shift) {
    const ByteSpan from = span_of(sweep.source);
    std::copy(content_.begin(), content_.end(), src_.host() + from.first);
    src_.upload();
    dst_.upload();
  }
  void give(const Stream& stream) {
    const ByteSpan from = span_of(sweep_.source), to = span_of(sweep_.destination);
    sweeper_.run({src_.device(), from.last}, {dst_.device(), to.last}, stream);
  }
  void poison() { dst_.upload(); }
  // The destination is what the CPU makes of the same, between bytes that are as they were.
  void expect_as_on_the_cpu(const char* what = "") {
    EXPECT_TRUE(src_.download() == src_.host_bytes()) << "the source was changed";
    std::vector<std::byte> want = dst_.host_bytes();
    const ByteSpan from = span_of(sweep_.source), to = span_of(sweep_.destination);
    std::byte* const begin = want.data() + (dst_.host() - dst_.host_begin());
    Sweeper(sweep_).run({src_.host(), from.last}, {begin, to.last});
    const std::vector<std::byte> have = dst_.download();
    const auto at = static_cast<std::size_t>(std::mismatch(have.begin(), have.end(), want.begin()).first - have.begin());
    EXPECT_TRUE(have == want) << what << told(sweep_) << ": byte " << dst_.offset_of(at) << " of " << to.first << " to " << to.last << "\n"
                              << sweeper_.describe();
  }

 private:
  Sweep sweep_;
  Sweeper sweeper_;
  Bytes content_;
  Guarded src_, dst_;
};

void expect_as_on_the_cpu(const Sweep& sweep, std::int64_t src_shift = 0, std::int64_t dst_shift = 0) {
  GpuSweep run(sweep, src_shift, dst_shift);
  const Stream stream(cuda());
  run.give(stream);
  stream.synchronize();
  run.expect_as_on_the_cpu();
}

std::vector<int> axes_of(std::size_t n) {
  std::vector<int> axes(n);
  for (std::size_t a = 0; a < n; ++a) axes[a] = static_cast<int>(a);
  return axes;
}

TEST_F(Gpu, stencils_of_every_boundary_and_extent_along_a_line) {
  for (const std::int64_t r : {1, 2, 3, 4}) {
    for (const Faces& faces : all_faces) {
      for (const std::int64_t n : {std::int64_t{1}, std::int64_t{2}, r, 2 * r, 2 * r + 1, std::int64_t{31}, std::int64_t{32},
                                   std::int64_t{33}, std::int64_t{127}, std::int64_t{128}, std::int64_t{129}, std::int64_t{5000}}) {
        expect_as_on_the_cpu(sweep_of(laplacian(1, static_cast<int>(2 * r)), {n}, f4, {0}, {faces}));
        expect_as_on_the_cpu(sweep_of(laplacian(1, static_cast<int>(2 * r)), {n}, f8, {0}, {faces}));
      }
    }
  }
}

// Extents drawn from those around the radius r and around the tiles.
TEST_F(Gpu, stencils_of_drawn_extents_boundaries_and_steps) {
  std::mt19937 random(41);
  const auto draw = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
  const int n = n_cases(300);
  for (int c = 0; c < n; ++c) {
    const std::int64_t rank = 1 + draw(5), r = 1 + draw(4);
    const std::int64_t lengths[] = {1, 2, r, 2 * r, 2 * r + 1, 31, 32, 33, 127, 128, 129};
    Extents extents;
    std::vector<Faces> boundary;
    std::int64_t cells = 1;
    for (std::int64_t a = 0; a < rank; ++a) {
      std::int64_t extent = lengths[draw(11)];
      while (cells * extent > 40000) extent = lengths[draw(5)];
      extents.insert(extents.begin() + draw(std::ssize(extents) + 1), extent);
      cells *= extent;
      boundary.push_back(all_faces[static_cast<std::size_t>(draw(std::ssize(all_faces)))]);
    }
    const bool is_box = draw(3) == 0 && rank <= 3 && r <= 2;
    std::vector<int> axes = axes_of(static_cast<std::size_t>(rank));
    std::shuffle(axes.begin(), axes.end(), random);
    const NumberType type = draw(2) == 0 ? f4 : f8;
    Sweep sweep = sweep_of(is_box ? average(static_cast<int>(rank), r) : laplacian(static_cast<int>(rank), static_cast<int>(2 * r)),
                           extents, type, axes, boundary);
    sweep.steps = 1 + draw(4);
    expect_as_on_the_cpu(sweep);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST_F(Gpu, stencils_of_large_planes_and_volumes) {
  for (const NumberType type : {f4, f8}) {
    expect_as_on_the_cpu(sweep_of(laplacian(2, 2), {1025, 1157}, type, {0, 1}, {Faces(Bound::periodic)}));
    expect_as_on_the_cpu(sweep_of(laplacian(2, 8), {700, 1300}, type, {0, 1}, {Faces(Bound::edge), all_faces[6]}));
    expect_as_on_the_cpu(sweep_of(laplacian(3, 2), {97, 131, 140}, type, {0, 1, 2}, {all_faces[7], all_faces[5], all_faces[2]}));
    expect_as_on_the_cpu(sweep_of(average(3), {70, 65, 260}, type, {0, 1, 2}, {Faces(Bound::symmetric)}));
  }
}

// Those that have a kernel of their own, on lines of whole vectors and others.
TEST_F(Gpu, stars_and_boxes_of_every_radius_and_boundary) {
  std::mt19937 random(42);
  const auto draw = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
  for (const NumberType type : {f4, f8}) {
    for (const std::int64_t line : {12, 16, 36, 124, 128, 132, 520, 1030}) {
      for (int c = 0; c < n_cases(24); ++c) {
        const int r = 1 + static_cast<int>(draw(4)), rank = 2 + static_cast<int>(draw(2));
        const bool is_box = draw(3) == 0;
        Extents extents = {9 + draw(60), line};
        if (rank == 3) extents.insert(extents.begin(), 9 + draw(12));
        std::vector<Faces> boundary;
        for (int a = 0; a < rank; ++a) boundary.push_back(all_faces[static_cast<std::size_t>(draw(std::ssize(all_faces)))]);
        Sweep sweep =
            sweep_of(is_box ? average(rank) : laplacian(rank, 2 * r), extents, type, axes_of(static_cast<std::size_t>(rank)), boundary);
        sweep.steps_at_once = draw(2);
        sweep.steps = 1 + draw(3);
        expect_as_on_the_cpu(sweep);
        if (::testing::Test::HasFailure()) return;
      }
    }
    for (const Faces& faces : all_faces) {
      expect_as_on_the_cpu(sweep_of(average(4, 1, StencilShape::star), {3, 6, 11, 64}, type, axes_of(4), {faces}));
      expect_as_on_the_cpu(
          sweep_of(laplacian(6), {3, 4, 3, 5, 9, 24}, type, axes_of(6), {faces, all_faces[2], faces, faces, all_faces[5], faces}));
      for (const int r : {1, 2, 3, 4}) {
        expect_as_on_the_cpu(sweep_of(laplacian(1, 2 * r), {4000}, type, {0}, {faces}));
        expect_as_on_the_cpu(sweep_of(average(1, r), {4000}, type, {0}, {faces}));
        expect_as_on_the_cpu(sweep_of(average(1, r), {3, 7, 44}, type, {2}, {faces}));
        expect_as_on_the_cpu(sweep_of(average(2, r), {60, 200}, type, {0, 1}, {faces, all_faces[4]}));
        expect_as_on_the_cpu(sweep_of(laplacian(2, 2 * r), {11, 5, 40}, type, {0, 2}, {faces, all_faces[6]}));  // not neighbours
      }
      expect_as_on_the_cpu(sweep_of(laplacian(4, 4), {5, 7, 6, 36}, type, axes_of(4), {faces, all_faces[4], faces, faces}));
      expect_as_on_the_cpu(sweep_of(average(4, 1, StencilShape::star), {3, 5, 2, 6, 16}, type, {0, 1, 3, 4}, {faces}));  // a batch between
      expect_as_on_the_cpu(sweep_of(laplacian(2), {5, 40, 64, 3}, type, {0, 1}, {faces}));  // a line that nothing reaches along
    }
  }
}

// Steps that share a pass over memory where there are two axes, tiles and parts of the marching axis of every length.
TEST_F(Gpu, several_steps_at_once_of_every_boundary) {
  std::mt19937 random(43);
  const auto draw = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
  for (const NumberType type : {f4, f8}) {
    for (const std::int64_t line : {4, 8, 12, 120, 124, 128, 240, 244, 516}) {
      for (int c = 0; c < n_cases(24); ++c) {
        const int rank = 2 + static_cast<int>(draw(2));
        const std::int64_t rows[] = {3, 4, 5, 7, 25, 26, 27, 28, 29, 53, 56, 130, 300};
        Extents extents = {rows[draw(13)], line};
        if (rank == 3) extents.insert(extents.begin(), rows[draw(11)]);
        std::vector<Faces> boundary;
        for (int a = 0; a < rank; ++a) boundary.push_back(all_faces[static_cast<std::size_t>(draw(std::ssize(all_faces)))]);
        const bool is_box = rank == 2 && draw(2) == 0;
        Sweep sweep = sweep_of(is_box ? average(2) : average(rank, 1, StencilShape::star), extents, type,
                               axes_of(static_cast<std::size_t>(rank)), boundary);
        sweep.steps = 2 + draw(9);
        expect_as_on_the_cpu(sweep);
        if (draw(8) == 0) expect_as_on_the_cpu(sweep, bytes_of(type.number), 0);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
  Sweep batch = sweep_of(laplacian(2), {5, 3, 70, 260}, f4, {2, 3}, two_faces);
  batch.steps = 7;
  expect_as_on_the_cpu(batch);
  EXPECT_EQ(Sweeper(batch, cuda()).passes(), 3);
}

TEST_F(Gpu, stencils_of_more_points_than_a_launch_carries) {
  for (const NumberType type : {f4, f8}) {
    std::vector<double> weights(13 * 11);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 1.0 / static_cast<double>(3 + i);
    Sweep sweep = sweep_of(from_array(weights, {13, 11}), {60, 300}, type, {0, 1}, {all_faces[6], all_faces[0]});
    ASSERT_GT(sweep.stencil.passes[0].n_points(), 128);
    expect_as_on_the_cpu(sweep);
    sweep.steps = 3;
    sweep.source.strides[0] += 5 * sweep.source.element_bytes;
    expect_as_on_the_cpu(sweep);
  }
}

TEST_F(Gpu, stencils_of_several_lists_and_steps) {
  for (const NumberType type : {f4, f8}) {
    Sweep sweep = sweep_of(gaussian({3, 2}), {90, 201}, type, {0, 1}, {all_faces[3], all_faces[4]});
    ASSERT_EQ(sweep.stencil.passes.size(), 2u);
    for (const std::int64_t steps : {1, 2, 5}) {
      sweep.steps = steps;
      expect_as_on_the_cpu(sweep);
    }
  }
}

TEST_F(Gpu, stencils_of_any_strides_on_either_side) {
  for (const Layout& source : layouts_of_6_by_37()) {
    for (const Layout& destination : layouts_of_6_by_37()) {
      for (const std::int64_t steps : {1, 3}) {
        Sweep sweep = sweep_of(lopsided, {6, 37}, f4, {0, 1}, two_faces);
        sweep.source = source;
        sweep.destination = destination;
        sweep.steps = steps;
        expect_as_on_the_cpu(sweep);
      }
    }
  }
  Sweep repeated = sweep_of(lopsided, {6, 37}, f8, {0, 1}, two_faces);
  for (const std::vector<std::int64_t>& strides : {std::vector<std::int64_t>{0, 8}, {8, 0}, {8, 8}}) {
    repeated.source.strides = {strides[0], strides[1]};
    expect_as_on_the_cpu(repeated);
  }
}

TEST_F(Gpu, stencils_at_any_address) {
  for (const std::int64_t src : {0, 1, 4, 8, 12}) {
    for (const std::int64_t dst : {0, 2, 4, 8}) {
      expect_as_on_the_cpu(sweep_of(lopsided, {40, 300}, f4, {0, 1}, two_faces), src, dst);
      expect_as_on_the_cpu(sweep_of(lopsided, {40, 300}, f8, {0, 1}, two_faces), src, dst);
    }
  }
}

// Values between steps are what the destination's type holds.
TEST_F(Gpu, stencils_of_every_type_of_numbers) {
  const Number all[] = {Number::float16, Number::float32, Number::float64, Number::int8,  Number::int16,
                        Number::int32,   Number::uint8,   Number::uint16,  Number::uint32};
  std::mt19937 random(44);
  for (const Number from : all) {
    for (const Number to : all) {
      for (const std::int64_t steps : {1, 2, 3}) {
        const NumberType source{from, bytes_of(from) > 1 && random() % 2 == 0}, destination{to, bytes_of(to) > 1 && random() % 2 == 0};
        Sweep sweep = sweep_of(random() % 2 == 0 ? gaussian({3, 2}) : laplacian(2, 2), {33, 20 + static_cast<std::int64_t>(random() % 5)},
                               source, {0, 1}, two_faces);
        sweep.destination_type = destination;
        sweep.destination = dense(sweep.source.extents, destination);
        sweep.steps = steps;
        expect_as_on_the_cpu(sweep);
        sweep.destination.strides = {3 + bytes_of(to), (3 + bytes_of(to)) * 33};  // transposed, at any address
        expect_as_on_the_cpu(sweep, 1, 3);
      }
    }
  }
  Sweep picture = sweep_of(average(2, 2), {130, 170, 3}, {Number::uint8}, {0, 1}, two_faces);
  picture.steps = 4;
  expect_as_on_the_cpu(picture);
}

TEST_F(Gpu, stencils_along_some_axes_only) {
  const Extents extents = {3, 5, 4, 7, 3};
  for (const std::vector<int>& axes : {std::vector<int>{1, 3}, {3, 1}, {0, 4}, {4, 2}, {0, 1}, {3, 4}, {2, 0}}) {
    for (const NumberType type : {f4, f8}) {
      Sweep sweep = sweep_of(lopsided, extents, type, axes, two_faces);
      sweep.steps = 3;
      expect_as_on_the_cpu(sweep);
    }
  }
  expect_as_on_the_cpu(sweep_of(lopsided, {130, 170, 3}, f4, {0, 1}, two_faces));  // channels
  expect_as_on_the_cpu(sweep_of(lopsided, {130, 70, 100}, f4, {0, 1}, two_faces));
  Sweep planes = sweep_of(lopsided, {4, 9, 8, 3}, f4, {1, 2}, two_faces);
  planes.source = {{4, 9, 8, 3}, {9 * 8 * 16, 8 * 16, 16, 4}, 0, 4};  // three of four channels
  expect_as_on_the_cpu(planes);
  for (const Extents& few : {Extents{0, 5}, Extents{5, 0}, Extents{1, 1}, Extents{1, 9}})
    expect_as_on_the_cpu(sweep_of(lopsided, few, f4, {0, 1}, two_faces));
}

TEST_F(Gpu, stencils_of_many_axes) {
  expect_as_on_the_cpu(sweep_of(average(8), {2, 3, 1, 2, 3, 2, 4, 3}, f8, axes_of(8), {Faces(Bound::periodic)}));
  const LinearStencil corner{"corner", 8, {{{1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0, 0, 0, 0, 2}, {1, -0.5}}}};
  expect_as_on_the_cpu(sweep_of(corner, {2, 3, 1, 2, 3, 2, 4, 3}, f4, {7, 6, 5, 4, 3, 2, 1, 0}, {Faces(Bound::reflect)}));
  expect_as_on_the_cpu(sweep_of(laplacian(6, 4), {5, 6, 7, 6, 5, 40}, f4, axes_of(6), {all_faces[7]}));
}

TEST_F(Gpu, a_sweep_can_be_captured_and_replayed) {
  Sweep sweep = sweep_of(laplacian(2, 4), {150, 333}, f4, {0, 1}, two_faces);
  sweep.steps = 7;
  GpuSweep run(sweep);
  const Stream stream(cuda());
  const Graph graph(stream, [&] { run.give(stream); });
  for (int i = 0; i < 2; ++i) {
    run.poison();
    graph.run();
    run.expect_as_on_the_cpu("from a graph: ");
  }
}

TEST_F(Gpu, a_copy_of_a_sweeper_has_arrays_of_its_own) {
  Sweep sweep = sweep_of(lopsided, {40, 50}, f4, {0, 1}, two_faces);
  sweep.steps = 3;
  const Sweeper first(sweep, cuda()), second(first);
  EXPECT_EQ(second.workspace_bytes(), 2 * 40 * 50 * 4);
  EXPECT_EQ(second.passes(), 3);
  EXPECT_EQ(first.describe(), second.describe());
}

TEST_F(Gpu, stencils_refuse_memory_of_the_host_and_the_wrong_device) {
  Sweep sweep = sweep_of(lopsided, {4, 8}, f4, {0, 1}, two_faces);
  std::vector<std::byte> on_host(256);
  const DeviceMemory memory(cuda(), 256);
  const ConstBuffer src{memory.data(), 128};
  const Buffer dst{static_cast<std::byte*>(memory.data()) + 128, 128};
  const Stream stream(cuda());
  Sweeper on_gpu(sweep, cuda()), on_cpu(sweep);
  EXPECT_NE(error_of(ErrorCode::device, [&] { on_gpu.run({on_host.data(), 128}, dst, stream); }).find("the source"), std::string::npos);
  EXPECT_NE(error_of(ErrorCode::device, [&] { on_gpu.run(src, {on_host.data(), 128}, stream); }).find("the destination"),
            std::string::npos);
  error_of(ErrorCode::device, [&] { on_gpu.run({on_host.data(), 128}, {on_host.data() + 128, 128}); });
  error_of(ErrorCode::device, [&] { on_cpu.run(src, dst, stream); });
  error_of(ErrorCode::bad_shape, [&] { on_gpu.run({memory.data(), 127}, dst, stream); });
  error_of(ErrorCode::overlap, [&] { on_gpu.run(src, {memory.data(), 128}, stream); });
  Sweep huge = sweep_of(lopsided, {1 << 20, 1 << 20}, f4, {0, 1}, two_faces);
  huge.steps = 2;
  error_of(ErrorCode::out_of_memory, [&] { Sweeper(huge, cuda()); });
}

}  // namespace
}  // namespace crinkle::testing::stencil_test
