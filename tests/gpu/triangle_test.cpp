// Conversions of triangles on a real GPU: between layouts of all kinds, elements and alignments, guard zones included; in a graph; and what
// is refused.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>
#include <vector>

#include "graph.hpp"
#include "notation/expect_error.hpp"
#include "on_gpu.hpp"
#include "support/draw.hpp"
#include "triangle/triangle.hpp"
#include "triangle/triangles.hpp"

namespace crinkle::testing::triangle_test {
namespace {

using Gpu = OnGpu;

// The host's conversion is the measure; tests/simplex compares it with the definition.
void expect_converted(const TriangleLayout& from, const TriangleLayout& to, std::int64_t src_shift, std::int64_t dst_shift) {
  Guarded src({0, from.bytes()}, src_shift), dst({0, to.bytes()}, dst_shift);
  src.fill_random(static_cast<std::uint64_t>(from.n * 31 + to.element_bytes));
  src.upload();
  dst.upload();
  const Stream stream(cuda());
  convert_triangle(from, to, {src.device(), from.bytes()}, {dst.device(), to.bytes()}, cuda(), stream);
  stream.synchronize();
  convert_triangle(from, to, {src.host(), from.bytes()}, {dst.host(), to.bytes()});
  const std::vector<std::byte> have = dst.download();
  const std::size_t at = first_difference(have, dst.host_bytes());
  EXPECT_EQ(at, have.size()) << named(from) << " to " << named(to) << ", shifts " << src_shift << " and " << dst_shift << ": byte "
                             << dst.offset_of(at) << " of " << to.bytes() << " is wrong";
}

TEST_F(Gpu, triangles_of_all_layouts_are_converted_as_on_the_host) {
  Draw draw{std::mt19937_64(20261210)};
  for (const std::int64_t n : {0, 1, 2, 5, 16, 33, 64, 65, 127, 257, 1000, 2049})
    for (const std::int64_t e : {1, 2, 3, 4, 6, 7, 8, 12, 16, 24, 31, 40, 100}) {
      const auto layouts = all_layouts(n, e, 61);
      for (int k = 0; k < n_cases(n < 1000 ? 12 : 4); ++k) {
        const auto pick = [&] { return layouts[static_cast<std::size_t>(draw.pick(0, std::ssize(layouts) - 1))]; };
        const TriangleLayout from = pick(), to = pick();
        expect_converted(from, to, draw.chance(2) ? 0 : draw.pick(0, 15), draw.chance(2) ? 0 : draw.pick(0, 15));
        if (HasFailure()) return;
      }
    }
}

TEST_F(Gpu, large_triangles_are_converted_as_on_the_host) {
  const std::int64_t n = 3001;
  for (const std::int64_t e : {4, 8}) {
    const auto of = [&](const char* text) { return TriangleLayout::parse(text, n, e); };
    expect_converted(of("full"), of("packed"), 0, 0);
    expect_converted(of("packed"), of("packed upper"), 0, 4);
    expect_converted(of("packed upper"), of("rfp"), 8, 0);
    expect_converted(of("condensed"), of("symmetric"), 0, 0);
    expect_converted(of("rfp upper rows"), of("full upper rows"), 4, 8);
    if (HasFailure()) return;
  }
}

TEST_F(Gpu, a_conversion_can_be_captured_and_replayed) {
  const TriangleLayout from = TriangleLayout::parse("condensed", 300, 4), to = TriangleLayout::parse("packed upper", 300, 4);
  Guarded src({0, from.bytes()}, 0), dst({0, to.bytes()}, 4);
  src.fill_random(5);
  src.upload();
  const Stream stream(cuda());
  const Graph graph(stream, [&] { convert_triangle(from, to, {src.device(), from.bytes()}, {dst.device(), to.bytes()}, cuda(), stream); });
  convert_triangle(from, to, {src.host(), from.bytes()}, {dst.host(), to.bytes()});
  const std::vector<std::byte> poisoned(dst.host_bytes().size(), std::byte{0xA5});
  for (int run = 0; run < 2; ++run) {
    copy_bytes({poisoned.data(), std::ssize(poisoned)}, {dst.device() + dst.offset_of(0), std::ssize(poisoned)});
    graph.run();
    EXPECT_TRUE(dst.is_as_on_host()) << "run " << run;
  }
}

TEST_F(Gpu, memory_of_the_host_and_small_buffers_are_refused) {
  const TriangleLayout layout = TriangleLayout::parse("packed", 10, 4);
  std::vector<std::byte> on_host(220);
  const DeviceMemory memory(cuda(), 220);
  const auto convert = [&](ConstBuffer src, Buffer dst) { convert_triangle(layout, layout, src, dst, cuda(), Stream()); };
  EXPECT_NE(error_of(ErrorCode::device, [&] { convert({on_host.data(), 220}, memory); }).find("the source"), std::string::npos);
  error_of(ErrorCode::bad_shape, [&] { convert({memory.data(), 219}, memory); });
  error_of(ErrorCode::overlap, [&] { convert(memory, memory); });
  EXPECT_EQ(error_of(ErrorCode::device, [&] { convert_triangle(layout, layout, {on_host.data(), 220}, memory, cpu(), Stream()); }),
            "this triangle conversion is planned for the CPU: run it with an executor, or plan it for cuda(n)");
}

}  // namespace
}  // namespace crinkle::testing::triangle_test
