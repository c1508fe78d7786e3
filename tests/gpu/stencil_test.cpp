// Sweeps on a real GPU are the CPU's bit for bit, whose own are their definition's: every boundary, extents around the radius and the
// tiles, ranks 1 to 8, many steps, any layout, in a graph, guard zones included; and what is refused.
// SPDX-License-Identifier: BSD-3-Clause
#include "gpu_sweep.hpp"

namespace crinkle::testing::stencil_test {
namespace {

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

// One launch, whose blocks keep their rows in shared memory and wait for their neighbours; at odd addresses launches step by step.
TEST_F(Gpu, stencils_of_many_steps_over_small_arrays) {
  for (const NumberType type : {f4, f8}) {
    for (const Extents& extents : {Extents{64, 64}, {128, 128}, {150, 333}, {256, 256}, {512, 512}, {400, 3}}) {
      for (const Faces& faces : all_faces) {
        Sweep sweep = sweep_of(laplacian(2, 4), extents, type, {0, 1}, {faces, all_faces[0]});
        sweep.steps = 21;
        expect_as_on_the_cpu(sweep);
        if (HasFailure()) return;
      }
    }
    Sweep volume = sweep_of(average(3, 1, StencilShape::star), {24, 20, 28}, type, {0, 1, 2}, {all_faces[6], all_faces[7], all_faces[2]});
    volume.steps = 8;
    expect_as_on_the_cpu(volume);
    expect_as_on_the_cpu(volume, 0, 2);
    if (type == f4) { EXPECT_EQ(Sweeper(volume, cuda()).passes(), 1); }
  }
}

// The same sweep on two streams at once: each run counts its own steps.
TEST_F(Gpu, small_sweeps_wait_for_their_own_neighbours_alone) {
  Sweep sweep = sweep_of(average(2, 1, StencilShape::star), {256, 256}, f4, {0, 1}, {Faces(Bound::periodic)});
  sweep.steps = 200;
  ASSERT_EQ(Sweeper(sweep, cuda()).passes(), 1);
  GpuSweep one(sweep), other(sweep);
  const Stream stream(cuda()), beside(cuda());
  for (int i = 0; i < 20; ++i) {
    one.give(stream);
    other.give(beside);
  }
  stream.synchronize();
  beside.synchronize();
  one.expect_as_on_the_cpu("on one stream: ");
  other.expect_as_on_the_cpu("on the other: ");
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

// The second run with the same buffers makes a graph of the passes, others make none.
TEST_F(Gpu, sweeps_of_many_steps_can_be_run_again) {
  Sweep sweep = sweep_of(laplacian(2, 4), {150, 333}, f4, {0, 1}, two_faces);
  sweep.steps = 25;
  sweep.steps_at_once = 4;  // so that there are passes
  GpuSweep run(sweep);
  const Stream stream(cuda()), other(cuda());
  for (const Stream* on : {&stream, &stream, &stream, &other}) {
    run.poison();
    run.give(*on);
    on->synchronize();
    run.expect_as_on_the_cpu("again: ");
  }
  const Graph graph(stream, [&] { run.give(stream); });
  run.poison();
  graph.run();
  run.expect_as_on_the_cpu("captured behind a graph of its own: ");
}

TEST_F(Gpu, a_graph_is_of_the_last_buffers) {
  Sweep sweep = sweep_of(lopsided, {40, 300}, f4, {0, 1}, two_faces);
  sweep.steps = 9;
  sweep.steps_at_once = 1;
  const std::int64_t bytes = sweep.source.n_bytes();
  Bytes content = numbers_for(sweep.source, sweep.source_type), want(content.size());
  std::vector<DeviceMemory> arrays;
  for (int i = 0; i < 4; ++i) {
    arrays.emplace_back(cuda(), bytes);
    content[static_cast<std::size_t>(4 * i) + 2] = std::byte{0x42};
    copy_bytes({content.data(), bytes}, arrays.back());
    content = numbers_for(sweep.source, sweep.source_type);
  }
  Sweeper sweeper(sweep, cuda());
  const Stream stream(cuda());
  const auto expect_from = [&](std::size_t from, std::size_t to) {
    Bytes source(content.size()), got(content.size());
    copy_bytes(arrays[from], {source.data(), bytes});
    sweeper.run(arrays[from], arrays[to], stream);
    stream.synchronize();
    copy_bytes(arrays[to], {got.data(), bytes});
    Sweeper(sweep).run({source.data(), bytes}, {want.data(), bytes});
    EXPECT_TRUE(got == want) << from << " to " << to;
  };
  for (const auto& [from, to] : {std::pair{0, 1}, {0, 1}, {0, 1}, {0, 2}, {0, 2}, {3, 2}, {3, 2}, {3, 2}, {0, 1}, {0, 1}})
    expect_from(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
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
