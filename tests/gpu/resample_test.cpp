// Resampling on a real GPU is the CPU's bit for bit, whose own is its definition's: every type, boundary, interpolation, rank and layout,
// guard zones included; polar maps within the last bits of their coordinates; and what is refused.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstring>
#include <limits>

#include "crinkle/cuda_kernels.hpp"
#include "resample/resamplings.hpp"

#include "graph.hpp"
#include "notation/expect_error.hpp"
#include "on_gpu.hpp"

namespace crinkle::testing::resample_test {
namespace {

using Gpu = OnGpu;

class GpuResampling {
 public:
  explicit GpuResampling(const Resampling& r, std::int64_t shift = 0)
      : on_cpu_(r), on_gpu_(r), src_(span_of(r.source), shift), dst_(span_of(r.destination), shift) {
    const Bytes content = numbers_for(r.source, r.source_type);
    std::copy(content.begin(), content.end(), src_.host() + span_of(r.source).first);
    src_.upload();
    dst_.upload();
    if (auto* field = std::get_if<CoordinateField>(&on_gpu_.map)) {
      coordinates_ = DeviceMemory(cuda(), field->data.bytes);
      copy_bytes(field->data, coordinates_);
      field->data = coordinates_;
    }
  }
  void give(const Stream& stream) {
    resample(on_gpu_, {src_.device(), span_of(on_cpu_.source).last}, {dst_.device(), span_of(on_cpu_.destination).last}, cuda(), stream);
  }
  void poison() { dst_.upload(); }
  std::vector<std::byte> wanted() {
    std::vector<std::byte> want = dst_.host_bytes();
    std::byte* const begin = want.data() + (dst_.host() - dst_.host_begin());
    resample(on_cpu_, {src_.host(), span_of(on_cpu_.source).last}, {begin, span_of(on_cpu_.destination).last});
    return want;
  }
  std::vector<std::byte> made() const { return dst_.download(); }
  void expect_as_on_the_cpu(const char* what = "") {
    EXPECT_TRUE(src_.is_as_on_host()) << "the source was changed";
    std::vector<std::byte> want = wanted(), have = made();
    make_nans_one(want);
    make_nans_one(have);
    const std::size_t at = first_difference(have, want);
    EXPECT_EQ(at, have.size()) << what << told(on_cpu_) << ": byte " << dst_.offset_of(at);
  }

 private:
  // Devices make NaN of other bits.
  template <class T>
  void make_nans_one(std::vector<std::byte>& bytes) {
    const auto first = static_cast<std::size_t>(dst_.host() - dst_.host_begin()) % sizeof(T);
    for (std::size_t at = first; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
      T x;
      std::memcpy(&x, &bytes[at], sizeof(T));
      if (!std::isnan(x)) continue;
      x = std::numeric_limits<T>::quiet_NaN();
      std::memcpy(&bytes[at], &x, sizeof(T));
    }
  }
  void make_nans_one(std::vector<std::byte>& bytes) {
    if (on_cpu_.destination_type == NumberType{Number::float32}) make_nans_one<float>(bytes);
    if (on_cpu_.destination_type == NumberType{Number::float64}) make_nans_one<double>(bytes);
  }

  Resampling on_cpu_, on_gpu_;
  Guarded src_, dst_;
  DeviceMemory coordinates_;
};

void expect_as_on_the_cpu(const Resampling& r, std::int64_t shift = 0) {
  GpuResampling run(r, shift);
  const Stream stream(cuda());
  run.give(stream);
  stream.synchronize();
  run.expect_as_on_the_cpu();
}

TEST_F(Gpu, resampling_of_every_type_boundary_and_rank) {
  for (const Number number : {Number::uint8, Number::uint16, Number::int16, Number::float32, Number::float64}) {
    for (const ResampleBy by : all_local) {
      for (const Faces& faces : all_faces) {
        for (const std::int64_t n : {1, 2, 5, 300}) {
          for (Resampling r :
               {resampling_of(skewed(1), {n}, {700}, {number}, {faces}), resampling_of(skewed(2), {4, n}, {9, 400}, {number}, {faces}),
                resampling_of(skewed(3), {3, 2, n}, {4, 5, 90}, {number}, {faces})}) {
            r.by = by;
            expect_as_on_the_cpu(r);
          }
        }
      }
    }
  }
}

TEST_F(Gpu, resampling_at_coordinates_that_are_whole_but_for_roundings) {
  for (const std::int64_t factor : {3, 7, 9, 11}) {
    for (const ResampleBy by : all_local) {
      Resampling zoom = resampling_of(zoom_map({21, 30}, {21 * factor, 30 * factor}), {21, 30}, {21 * factor, 30 * factor}, f4,
                                      {Faces(Bound::constant, std::nan(""))});
      zoom.by = by;
      expect_as_on_the_cpu(zoom);
      AffineMap far = zoom_map({21, 30}, {21 * factor, 30 * factor});
      far.size = {5e5, 5e6, 0};
      zoom.map = far;
      expect_as_on_the_cpu(zoom);
    }
  }
}

TEST_F(Gpu, resampling_of_channels_any_strides_and_addresses) {
  for (const ResampleBy by : all_local) {
    Resampling r = resampling_of(skewed(2), {3, 8, 2, 9, 4}, {3, 7, 2, 90, 4}, f4);
    r.axes = {1, 3};
    r.by = by;
    expect_as_on_the_cpu(r);
    Resampling picture = resampling_of(skewed(2), {200, 300, 3}, {190, 301, 3}, {Number::uint8});
    picture.axes = {0, 1};
    picture.by = by;
    expect_as_on_the_cpu(picture);
    expect_as_on_the_cpu(picture, 1);
    for (const Layout& source : layouts_of_6_by_37()) {
      for (const Layout& destination : layouts_of_6_by_37()) {
        Resampling any = resampling_of(skewed(2), {6, 37}, {6, 37}, f4, two_faces);
        any.source = source;
        any.destination = destination;
        any.by = by;
        expect_as_on_the_cpu(any);
      }
    }
  }
}

TEST_F(Gpu, resampling_at_coordinates_that_may_be_anywhere) {
  std::vector<double> q(2 * 40 * 300);
  std::uint64_t x = 3;
  for (double& number : q) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    number = static_cast<double>(x >> 40) / static_cast<double>(1 << 24) * 60 - 10;
    if (x % 11 == 0) number = x % 3 == 0 ? std::nan("") : x % 2 == 0 ? 1e300 : -1e15;
  }
  for (const ResampleBy by : all_local) {
    for (const Faces& faces : all_faces) {
      Resampling r = resampling_of(CoordinateField{Layout::dense({2, 40, 300}, 8), Real::float64, q}, {37, 41}, {40, 300}, f4, {faces});
      r.by = by;
      r.nodata = -3;
      expect_as_on_the_cpu(r);
    }
  }
}

TEST_F(Gpu, polar_resampling_agrees_within_the_last_bits_of_coordinates) {
  for (const PolarScale scale : {PolarScale::linear, PolarScale::logarithmic}) {
    const Resampling to = resampling_of(polar_map(PolarMap::Direction::to_polar, {360, 200}, {100, 120}, 90, scale), {201, 241}, {360, 200},
                                        f8),
                     from = resampling_of(polar_map(PolarMap::Direction::from_polar, {360, 200}, {100, 120}, 90, scale), {360, 200},
                                          {201, 241}, f8);
    for (const Resampling& r : {to, from}) {
      GpuResampling run(r);
      const Stream stream(cuda());
      run.give(stream);
      stream.synchronize();
      const std::vector<double> want = values_of<double>(run.wanted()), have = values_of<double>(run.made());
      std::int64_t n_far = 0;  // at a face that is constant a last bit may decide
      for (std::size_t e = 8; e + 8 < want.size(); ++e) n_far += std::abs(want[e] - have[e]) > 1e-9 ? 1 : 0;
      EXPECT_LE(n_far, 8);
    }
  }
}

TEST_F(Gpu, resampling_of_large_arrays) {
  Resampling r = resampling_of(rotation_map(17, {2100, 1900}, {2200, 2300}), {2100, 1900}, {2200, 2300}, f4);
  expect_as_on_the_cpu(r);
  r.by = ResampleBy::cubic;
  expect_as_on_the_cpu(r);
}

// Zooms, turns and kernels compiled for them: of extents that no tile divides, rows at any multiple of an element, channels.
TEST_F(Gpu, resampling_by_the_ways_of_affine_maps) {
  const KernelOptions usual = kernel_options();
  for (const KernelEffort effort : {KernelEffort::library, KernelEffort::compiled}) {
    KernelOptions options = usual;
    options.effort = effort;
    set_kernel_options(options);
    for (const Number number : {Number::uint8, Number::int16, Number::float32, Number::float64}) {
      for (const ResampleBy by : {ResampleBy::nearest, ResampleBy::linear, ResampleBy::cubic, ResampleBy::spline}) {
        std::vector<Resampling> all = {
            resampling_of(zoom_map({301, 407}, {602, 1221}), {301, 407}, {602, 1221}, {number}),
            resampling_of(zoom_map({700, 900}, {333, 411}), {700, 900}, {333, 411}, {number}, {Faces(Bound::constant, 3)}),
            resampling_of(zoom_map({40, 51, 66}, {60, 77, 99}), {40, 51, 66}, {60, 77, 99}, {number}),
            resampling_of(zoom_map({1000}, {2501}), {1000}, {2501}, {number}, {Faces(Bound::reflect)}),
            resampling_of(rotation_map(25, {301, 407}, {420, 500}), {301, 407}, {420, 500}, {number}),
            resampling_of(rotation_map(25, {200, 300}, {250, 250}), {200, 300, 3}, {250, 250, 3}, {number}),
            resampling_of(skewed(3), {30, 31, 65}, {33, 29, 101}, {number}, {Faces(Bound::periodic)})};
        all[5].axes = {0, 1};
        for (Resampling& r : all) {
          r.by = by;
          expect_as_on_the_cpu(r);
          if (number != Number::float32) continue;
          expect_as_on_the_cpu(r, 4);
          expect_as_on_the_cpu(r, 1);
        }
      }
    }
  }
  set_kernel_options(usual);
}

TEST_F(Gpu, resampling_by_splines_along_long_lines_and_any_axes) {
  for (const Faces& faces : all_faces) {
    Resampling r = resampling_of(zoom_map({70, 1000}, {75, 1100}), {70, 1000}, {75, 1100}, f4, {faces});
    r.by = ResampleBy::spline;
    expect_as_on_the_cpu(r);
    Resampling stack = resampling_of(zoom_map({40, 50}, {45, 60}), {5, 40, 50, 2}, {5, 45, 60, 2}, {Number::uint16}, {faces});
    stack.axes = {1, 2};
    stack.by = ResampleBy::spline;
    expect_as_on_the_cpu(stack);
  }
}

TEST_F(Gpu, resampling_by_kernels_that_grow) {
  struct Kind {
    ResampleBy by;
    bool is_antialiased = false;
  };
  for (const Kind& kind : {Kind{ResampleBy::area}, Kind{ResampleBy::mode}, Kind{ResampleBy::lanczos}, Kind{ResampleBy::linear, true},
                           Kind{ResampleBy::cubic, true}}) {
    for (const Number number : {Number::uint8, Number::uint16, Number::int16, Number::float32, Number::float64}) {
      std::vector<Resampling> all = {
          resampling_of(zoom_map({5000}, {1234}), {5000}, {1234}, {number}),
          resampling_of(zoom_map({300, 407}, {100, 301}), {300, 407}, {100, 301}, {number}),
          resampling_of(zoom_map({90, 71}, {31, 40}), {90, 71, 3}, {31, 40, 3}, {number}, {Faces(Bound::periodic)}),
          resampling_of(zoom_map({40, 31, 66}, {13, 17, 99}), {40, 31, 66}, {13, 17, 99}, {number}),
          resampling_of(zoom_map({200, 300}, {3, 2}), {200, 300}, {3, 2}, {number})};
      all[2].axes = {0, 1};
      AffineMap beside = zoom_map({60, 70}, {20, 30});
      beside.offset = {-5, 20, 0};
      all.push_back(resampling_of(beside, {60, 70}, {20, 30}, {number}));
      all.back().nodata = 7;
      for (Resampling& r : all) {
        r.by = kind.by;
        r.is_antialiased = kind.is_antialiased;
        expect_as_on_the_cpu(r);
        if (number == Number::float32) expect_as_on_the_cpu(r, 1);
      }
    }
  }
}

// As a CPU does, before the destination is written; in a graph nobody can be told.
TEST_F(Gpu, resampling_by_splines_refuses_what_is_not_finite) {
  for (const NumberType type : {f4, f8}) {
    Resampling r = resampling_of(zoom_map({50, 70}, {60, 75}), {50, 70}, {60, 75}, type);
    r.by = ResampleBy::spline;
    Bytes numbers = numbers_for(r.source, type);
    const auto at = static_cast<std::size_t>(type == f4 ? 4 : 8);
    std::vector<double> all(static_cast<std::size_t>(r.source.n_elements()), 0.25);
    all[17] = std::nan("");
    all[3499] = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto narrow = static_cast<float>(all[k]);
      std::memcpy(&numbers[k * at], type == f4 ? static_cast<const void*>(&narrow) : &all[k], at);
    }
    Bytes made(static_cast<std::size_t>(r.destination.n_bytes()), std::byte{0x5A});
    const Bytes before = made;
    const std::string on_cpu = error_of(ErrorCode::unsupported, [&] { resample(r, numbers, made); });
    const DeviceMemory src(cuda(), std::ssize(numbers)), dst(cuda(), std::ssize(made));
    copy_bytes(numbers, src);
    copy_bytes(made, dst);
    const Stream stream(cuda());
    const Operation planned = plan(r, cuda());
    const DeviceMemory workspace(cuda(), planned.workspace_bytes());
    EXPECT_EQ(error_of(ErrorCode::unsupported, [&] { resample(r, src, dst, cuda(), stream); }), on_cpu);
    EXPECT_EQ(error_of(ErrorCode::unsupported, [&] { planned.run({src}, {dst}, stream, workspace); }), on_cpu);
    copy_bytes(dst, made);
    EXPECT_TRUE(made == before);
    const Graph graph(stream, [&] { planned.run({src}, {dst}, stream, workspace); });
    graph.run();
  }
}

TEST_F(Gpu, resampling_can_be_captured_and_replayed) {
  GpuResampling run(resampling_of(skewed(2), {150, 333}, {160, 301}, f4, two_faces));
  const Stream stream(cuda());
  const Graph graph(stream, [&] { run.give(stream); });
  for (int i = 0; i < 2; ++i) {
    run.poison();
    graph.run();
    run.expect_as_on_the_cpu("from a graph: ");
  }
}

TEST_F(Gpu, resampling_refuses_other_types_and_memory_of_the_host) {
  Resampling r = resampling_of(skewed(2), {4, 8}, {4, 8}, f4);
  std::vector<std::byte> on_host(128);
  const DeviceMemory memory(cuda(), 256);
  const ConstBuffer src{memory.data(), 128};
  const Buffer dst{static_cast<std::byte*>(memory.data()) + 128, 128};
  const Stream stream(cuda());
  EXPECT_NE(error_of(ErrorCode::device, [&] { resample(r, on_host, dst, cuda(), stream); }).find("the source"), std::string::npos);
  EXPECT_NE(error_of(ErrorCode::device, [&] { resample(r, src, on_host, cuda(), stream); }).find("the destination"), std::string::npos);
  error_of(ErrorCode::overlap, [&] { resample(r, src, {memory.data(), 128}, cuda(), stream); });
  error_of(ErrorCode::device, [&] { resample(r, src, dst, cpu(), stream); });
  r.by = ResampleBy::area;
  EXPECT_NE(error_of(ErrorCode::unsupported, [&] { resample(r, src, dst, cuda(), stream); }).find("scale one by one"), std::string::npos);
  r = resampling_of(skewed(2), {4, 8}, {4, 8}, {Number::int32});
  EXPECT_NE(error_of(ErrorCode::unsupported, [&] { resample(r, src, dst, cuda(), stream); }).find("int32"), std::string::npos);
}

}  // namespace
}  // namespace crinkle::testing::resample_test
