// Cosine and sine transforms on a GPU, as fft/cpu/cosine.cpp has them: pairs of numbers into rows of the workspace, real transforms from
// rows to rows, pairs back into the array.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"
#include "fft/at.hpp"
#include "fft/cuda/between.hpp"
#include "fft/pass.hpp"
#include "fft/roots.hpp"
#include "fft/sizes.hpp"

namespace crinkle::fft {
namespace {

constexpr std::int64_t most_beside = 32;  // lines of a tile, where a line has as many pairs

template <class T>
class CudaCosinePass final : public Pass {
 public:
  CudaCosinePass(const Axis& axis, Device device) : axis_(axis), is_inverse_(axis.direction == FftDirection::inverse) {
    std::erase_if(axis_.loops, [](const Loop& loop) { return loop.extent == 1; });
    std::int64_t n_lines = 1;
    for (const Loop& loop : axis_.loops) n_lines = multiply(n_lines, loop.extent);
    const std::int64_t n_half = axis.n / 2 + 1, real = multiply(axis.n, size), complex = multiply(n_half, 2 * size);
    inner_ = make_cuda_pass(real_axis_of(axis, n_lines, size), sizeof(T) == 4 ? FftReal::float32 : FftReal::float64, device);
    first_bytes_ = aligned_bytes(multiply(n_lines, is_inverse_ ? complex : real));
    second_bytes_ = aligned_bytes(multiply(n_lines, is_inverse_ ? real : complex));
    if (n_lines == 0) return;
    upload(device, n_half);
    load_ = pairs(true, n_half);
    store_ = pairs(false, n_half);
  }

  std::int64_t workspace_bytes() const override { return add(add(first_bytes_, second_bytes_), inner_->workspace_bytes()); }

  void run(const std::byte* in, std::byte* out, std::byte* workspace, const Worker& by) const override {
    if (load_.n_blocks == 0) return;
    std::byte *const first = workspace, *const second = first + first_bytes_;
    launch(load_, in, in, first, by);
    inner_->run(first, second, second + second_bytes_, by);
    launch(store_, out, second, out, by);
  }

  std::string describe() const override {
    return fmt::format("axis {}: {} transform of type {}, pairs into rows and back, a launch each, around {}", axis_.number,
                       axis_.kind == FftKind::cosine ? "cosine" : "sine", is_inverse_ ? "III" : "II", inner_->describe());
  }

 private:
  static constexpr std::int64_t size = sizeof(T);

  void upload(Device device, std::int64_t n_half) {
    std::vector<Number<T>> turns;
    for (std::int64_t k = 0; k < n_half; ++k) {
      const Root<T> w = root<T>(k, 4 * axis_.n);
      turns.push_back({w.re, w.im});
    }
    const gpu::OnDevice on(device.index);
    turns_ = DeviceMemory(device, std::ssize(turns) * 2 * size);
    copy_bytes({turns.data(), std::ssize(turns) * 2 * size}, turns_);
  }

  CudaPairs<T> pairs(bool is_load, std::int64_t n_half) const {
    CudaPairs<T> of;
    of.pairs = is_load == is_inverse_ ? Pairs::turned : Pairs::ordered;
    of.is_load = is_load;
    of.is_sine = axis_.kind == FftKind::sine;
    of.n = axis_.n;
    of.n_there = is_load ? axis_.n_in : axis_.n;
    of.n_pairs = of.pairs == Pairs::turned ? n_half : ceil_divide(axis_.n, std::int64_t{2});
    of.stride = is_load ? axis_.in : axis_.out;
    of.part = (is_load ? axis_.in_is_float16 : axis_.out_is_float16) ? 2 : static_cast<std::int32_t>(size);
    of.of_first = axis_.is_orthonormal ? std::sqrt(T{2}) : is_load ? T{1} : T{2};
    of.turns = static_cast<const Number<T>*>(turns_.data());
    add_lines(of);
    const bool follow = of.pairs == Pairs::ordered && of.stride == of.part;
    of.unit = fitting(of.part, (follow ? 2 : 1) * of.part, follow ? 0 : of.stride);
    of.unit = fitting(of.part, of.unit, of.lane.in);
    for (int i = 0; i < of.loops.n; ++i) of.unit = fitting(of.part, of.unit, of.loops.loops[i].in);
    return of;
  }

  // Rows are numbered by the loops in their order; lines that lie nearest to each other in the array go together.
  void add_lines(CudaPairs<T>& of) const {
    if (std::ssize(axis_.loops) > static_cast<std::int64_t>(most_cuda_loops))
      throw Error(ErrorCode::too_large, fmt::format("{} axes beside a transform's; {} at most", axis_.loops.size(), most_cuda_loops));
    std::int64_t row = 1;
    for (std::size_t i = axis_.loops.size(); i-- > 0; row *= axis_.loops[i].extent)
      of.loops.loops[i] = {axis_.loops[i].extent, of.is_load ? axis_.loops[i].in : axis_.loops[i].out, row};
    CudaLoop* const end = of.loops.loops + axis_.loops.size();
    const auto nearest =
        std::min_element(of.loops.loops, end, [](const CudaLoop& a, const CudaLoop& b) { return std::abs(a.in) < std::abs(b.in); });
    if (nearest != end) {
      of.lane = *nearest;
      of.loops.n = static_cast<std::int32_t>(std::copy(nearest + 1, end, nearest) - of.loops.loops);
    }
    of.lanes_first = of.lane.extent > 1 && std::abs(of.lane.in) < std::abs(of.stride);
    std::int64_t beside = of.lanes_first ? std::min(most_beside, of.lane.extent) : 1;
    const std::int64_t along = std::min(of.n_pairs, most_tile_pairs / beside);
    beside = std::min(of.lane.extent, most_tile_pairs / along);
    of.by_pairs = division_by(along);
    of.by_lanes = division_by(beside);
    of.n_tiles = ceil_divide(of.n_pairs, along);
    of.n_groups = ceil_divide(of.lane.extent, beside);
    of.n_blocks = multiply(of.n_tiles, of.n_groups);
    for (int i = 0; i < of.loops.n; ++i) of.n_blocks = multiply(of.n_blocks, of.loops.loops[i].extent);
  }

  // `unit`, a part or 1: what the bytes are a multiple of.
  static std::int32_t fitting(std::int32_t part, std::int32_t unit, std::int64_t bytes) {
    return bytes % unit == 0 ? unit : unit > part && bytes % part == 0 ? part : 1;
  }

  static void launch(CudaPairs<T> pairs, const std::byte* array, const std::byte* from, std::byte* to, const Worker& by) {
    pairs.unit = fitting(pairs.part, pairs.unit, static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(array) % (2 * size)));
    gpu::entry<&launch_pairs<T>>(pairs, from, to, by.stream);
  }

  Axis axis_;
  bool is_inverse_;
  std::int64_t first_bytes_ = 0, second_bytes_ = 0;  // rows that the real transforms read, and that they write
  std::unique_ptr<Pass> inner_;
  DeviceMemory turns_;
  CudaPairs<T> load_, store_;
};

}  // namespace

std::unique_ptr<Pass> make_cuda_cosine_pass(const Axis& axis, FftReal real, Device device) {
  if (real == FftReal::float32) return std::make_unique<CudaCosinePass<float>>(axis, device);
  return std::make_unique<CudaCosinePass<double>>(axis, device);
}

}  // namespace crinkle::fft
