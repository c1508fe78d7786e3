// The launches of a sweep. Tiles are as long along the line as it has elements for, and then as high and deep as fits many blocks: rows
// that a block reads twice come from the first cache. Launches differ in where they read and write and in their list of points, so there
// are at most four for a list, whatever the number of steps.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cuda_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "cuda/device_buffers.hpp"
#include "stencil/cuda_form.hpp"
#include "stencil/shape.hpp"

namespace crinkle {
namespace {

int bits_for(std::int64_t n) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1) - 1))); }

/// A tile is of the last three axes: at least as many, the first of one cell.
void fill_up(ShapedSweep& shaped) {
  while (shaped.shape.axes.size() < 3) {
    const std::size_t n = shaped.shape.axes.size();
    SweepAxis axis;
    axis.array_axis = -1;
    shaped.shape.axes.insert(shaped.shape.axes.begin(), axis);
    for (AxisNumbers* numbers : {&shaped.source.strides, &shaped.destination.strides})
      std::rotate(numbers->begin(), numbers->end() - 1, numbers->end());
    for (Stage& stage : shaped.stages) {
      for (std::int64_t k = 0; k < stage.n_points(); ++k)
        stage.offsets.insert(stage.offsets.begin() + k * static_cast<std::ptrdiff_t>(n + 1), 0);
      for (AxisNumbers* numbers : {&stage.below, &stage.above}) std::rotate(numbers->begin(), numbers->end() - 1, numbers->end());
    }
  }
}

template <class T>
class Launches : public CudaSweep {
 public:
  Launches(const Sweep& sweep, Device device) : device_(device), shaped_(shaped(sweep)) {
    n_passes_ = multiply(sweep.steps, std::ssize(shaped_.stages));
    fill_up(shaped_);
    n_cells_ = shaped_.shape.n_cells();
    const DeviceFacts facts = facts_of(device);
    const std::int64_t bytes = multiply(multiply(n_cells_, shaped_.shape.width), size);
    n_buffers_ = std::min<std::int64_t>(n_passes_ - 1, 2);
    workers_ = facts.multiprocessors;
    name_ = facts.name;
    upload_points();
    for (const bool is_first : {false, true})
      for (const bool is_last : {false, true})
        for (std::size_t k = 0; k < shaped_.stages.size(); ++k) stages_.push_back(stage(k, is_first, is_last));
    for (std::int64_t b = 0; b < n_buffers_; ++b) buffers_[static_cast<std::size_t>(b)] = DeviceMemory(device, bytes);
  }

  void run(const std::byte* source, std::byte* destination, const Stream& stream) const override {
    if (n_cells_ == 0) return;
    const std::byte* from = source + shaped_.source.offset;
    for (std::int64_t p = 0; p < n_passes_; ++p) {
      const bool is_first = p == 0, is_last = p + 1 == n_passes_;
      std::byte* const to = is_last ? destination + shaped_.destination.offset : static_cast<std::byte*>(buffers_[at(p % 2)].data());
      const std::size_t kind = (is_first ? 2u : 0u) + (is_last ? 1u : 0u), n = shaped_.stages.size();
      CudaStage<T> launched = stages_[kind * n + at(p) % n];
      launched.is_aligned = launched.is_aligned && is_aligned(from) && is_aligned(to);
      launched.is_direct = launched.is_direct && launched.is_aligned;
      gpu::entry<&launch_stencil<T>>(launched, from, to, stream.get());
      from = to;
    }
  }

  std::int64_t passes() const override { return n_passes_; }
  std::int64_t workspace_bytes() const override { return n_buffers_ * n_cells_ * shaped_.shape.width * size; }
  std::string describe() const override {
    const CudaStage<T>& s = stages_.back();
    std::string extents;
    for (const SweepAxis& axis : shaped_.shape.axes)
      if (axis.array_axis >= 0) extents += (extents.empty() ? "" : " x ") + std::to_string(axis.extent);
    std::string text = fmt::format("{} cells", extents);
    if (s.width > 1) text += fmt::format(" of {} elements", s.width);
    text += fmt::format(", sums in {}, {} launch{} of {} blocks on {}, tiles of {} x {} x {}{}\n", size == 4 ? "float32" : "float64",
                        n_passes_, n_passes_ == 1 ? "" : "es", s.n_blocks, name_, 1 << s.deep_bits, 1 << s.row_bits, s.line_tile,
                        s.is_direct ? "" : ", element by element");
    if (n_buffers_ > 0)
      text += fmt::format("{} array{} of {} bytes between them\n", n_buffers_, n_buffers_ == 1 ? "" : "s", workspace_bytes() / n_buffers_);
    return text;
  }

 private:
  static constexpr std::int64_t size = sizeof(T);
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  static bool is_aligned(const std::byte* address) { return reinterpret_cast<std::uintptr_t>(address) % sizeof(T) == 0; }

  SweepPlaces between() const { return dense_places(shaped_.shape, {size == 4 ? Number::float32 : Number::float64}); }
  SweepPlaces read(bool is_first) const { return is_first ? shaped_.source : between(); }
  SweepPlaces written(bool is_last) const { return is_last ? shaped_.destination : between(); }

  // Offsets of all lists; and the points of lists that are too long for a launch, as they lie in a buffer and in the source.
  void upload_points() {
    std::vector<std::int32_t> offsets;
    std::vector<CudaPoint<T>> points;
    for (const bool is_first : {false, true}) {
      for (const Stage& stage : shaped_.stages) {
        if (!is_first) {
          offsets_begin_.push_back(std::ssize(offsets));
          for (const std::int64_t o : stage.offsets) offsets.push_back(static_cast<std::int32_t>(o));
        }
        far_begin_.push_back(std::ssize(points));
        if (stage.n_points() <= most_cuda_points) continue;
        const SweepPlaces source = read(is_first);
        for (std::int64_t p = 0; p < stage.n_points(); ++p) points.push_back(point(stage, p, source));
      }
    }
    offsets_ = uploaded(offsets);
    far_points_ = uploaded(points);
  }
  template <class E>
  DeviceMemory uploaded(const std::vector<E>& values) const {
    const std::int64_t bytes = multiply(std::ssize(values), static_cast<std::int64_t>(sizeof(E)));
    DeviceMemory memory(device_, bytes);
    if (bytes > 0) copy_bytes({values.data(), bytes}, memory);
    return memory;
  }

  CudaPoint<T> point(const Stage& stage, std::int64_t p, const SweepPlaces& source) const {
    const std::size_t n = shaped_.shape.axes.size();
    CudaPoint<T> result{0, static_cast<T>(stage.coefficients[at(p)])};
    // An axis shorter than an offset has no cell whose points are all inside: what this would be is not asked for.
    for (std::size_t a = 0; a < n; ++a) {
      const std::int64_t o = stage.offsets[at(p) * n + a];
      if (std::abs(o) < shaped_.shape.axes[a].extent) result.delta += o * source.strides[a];
    }
    return result;
  }

  CudaStage<T> stage(std::size_t k, bool is_first, bool is_last) const {
    const Stage& of = shaped_.stages[k];
    const SweepPlaces source = read(is_first), destination = written(is_last);
    const std::size_t n = shaped_.shape.axes.size();
    CudaStage<T> s;
    s.n_axes = static_cast<std::int32_t>(n);
    s.width = static_cast<std::int32_t>(shaped_.shape.width);
    s.in_element = source.element_stride;
    s.out_element = destination.element_stride;
    for (std::size_t a = 0; a < n; ++a) {
      const SweepAxis& axis = shaped_.shape.axes[a];
      s.axes[a] = {axis.extent,
                   source.strides[a],
                   destination.strides[a],
                   static_cast<std::int32_t>(of.below[a]),
                   static_cast<std::int32_t>(of.above[a]),
                   axis.array_axis,
                   axis.faces.low.bound,
                   axis.faces.high.bound,
                   static_cast<T>(axis.faces.low.value),
                   static_cast<T>(axis.faces.high.value)};
    }
    const auto is_multiple = [](std::int64_t bytes) { return bytes % size == 0; };
    s.is_aligned = is_multiple(s.in_element) && is_multiple(s.out_element);
    for (std::size_t a = 0; a < n; ++a)
      s.is_aligned = s.is_aligned && (s.axes[a].extent == 1 || (is_multiple(s.axes[a].in) && is_multiple(s.axes[a].out)));
    s.is_direct = is_plain_line<T>(shaped_.shape, source) && is_plain_line<T>(shaped_.shape, destination);
    s.n_points = static_cast<std::int32_t>(of.n_points());
    s.offsets = static_cast<const std::int32_t*>(offsets_.data()) + offsets_begin_[k];
    if (of.n_points() > most_cuda_points) {
      const std::size_t list = is_first ? shaped_.stages.size() + k : k;
      s.far_points = static_cast<const CudaPoint<T>*>(far_points_.data()) + far_begin_[list];
    } else {
      for (std::int64_t p = 0; p < of.n_points(); ++p) s.points[p] = point(of, p, source);
    }
    set_tile(s);
    return s;
  }

  void set_tile(CudaStage<T>& s) const {
    const CudaSweepAxis<T>* axes = s.axes + s.n_axes - 3;
    const std::int64_t line = axes[2].extent * s.width;
    std::int64_t outer = 1;
    for (int a = 0; a + 3 < s.n_axes; ++a) outer *= s.axes[a].extent;
    const auto measure = [&] {
      s.line_tile = s.lane_bits < 5 ? 1 << s.lane_bits : cuda_elements << s.lane_bits;
      s.counts[0] = ceil_divide(axes[0].extent, std::int64_t{1} << s.deep_bits);
      s.counts[1] = ceil_divide(axes[1].extent, std::int64_t{1} << s.row_bits);
      s.counts[2] = ceil_divide(line, std::int64_t{s.line_tile});
      s.n_blocks = s.counts[0] * s.counts[1] * s.counts[2] * outer;
    };
    s.lane_bits = std::min(bits_for(line), 5);
    s.deep_bits = std::min(bits_for(axes[0].extent), 3);
    s.row_bits = std::min(bits_for(axes[1].extent), s.deep_bits > 0 ? 3 : 5);
    constexpr int thread_bits = 8;
    static_assert(1 << thread_bits == cuda_sweep_threads);
    while (s.lane_bits >= 5 && s.lane_bits + s.row_bits + s.deep_bits < thread_bits && cuda_elements << s.lane_bits < line) ++s.lane_bits;
    measure();
    while (s.n_blocks < 4 * workers_ && s.lane_bits + s.row_bits + s.deep_bits > thread_bits) {
      --(s.deep_bits > 0 ? s.deep_bits : s.row_bits);
      measure();
    }
  }

  Device device_;
  ShapedSweep shaped_;
  std::int64_t n_passes_ = 0, n_cells_ = 0, n_buffers_ = 0, workers_ = 1;
  std::string name_;                                     // of the device
  std::vector<std::int64_t> offsets_begin_, far_begin_;  // [list]; [reads the source][list]
  std::vector<CudaStage<T>> stages_;                     // [reads the source][writes the destination][list]
  DeviceMemory offsets_, far_points_;
  std::array<DeviceMemory, 2> buffers_;
};

}  // namespace

std::unique_ptr<CudaSweep> make_cuda_sweep(const Sweep& sweep, Device device) {
  device.index = gpu::cuda_index(device, "a stencil");
  const NumberType type = sweep.source_type;
  const bool is_float = type.number == Number::float32 || type.number == Number::float64;
  if (!is_float || type.is_swapped || sweep.destination_type != type) {
    const auto told = [](NumberType t) { return std::string(name_of(t.number)) + (t.is_swapped ? " in the other byte order" : ""); };
    throw Error(ErrorCode::unsupported,
                fmt::format("a stencil from {} to {} on a GPU; there it takes float32 to float32 or float64 to float64, in the machine's "
                            "byte order: use the CPU, or convert first",
                            told(type), told(sweep.destination_type)));
  }
  if (type.number == Number::float32) return std::make_unique<Launches<float>>(sweep, device);
  return std::make_unique<Launches<double>>(sweep, device);
}

}  // namespace crinkle
