// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime_api.h>

#include <algorithm>
#include <string>

#include "crinkle/error.hpp"
#include "papers/hypercubic/kernels.cuh"

namespace crinkle::bench {
namespace {

constexpr Cell most_threads = 256;

struct Arrays {
  const float* src;
  float* dst;
  CUstream_st* stream;
};

void check_launch() {
  if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess)
    throw Error(ErrorCode::device, std::string("a kernel of the benchmark: ") + cudaGetErrorString(status));
}

template <class Place>
std::function<void()> two_dimensional(const Place& place, Cell width, Cell height, Cell phases, const Arrays& a) {
  const Cell threads = std::min(width, most_threads);
  const dim3 grid(width / threads, height, phases);
  return [=] {
    in_two_dimensions<<<grid, threads, 0, a.stream>>>(a.src, a.dst, place);
    check_launch();
  };
}

std::function<void()> by_hand(const Transform& t, const Arrays& a) {
  const auto n = static_cast<Cell>(t.n);
  const auto wrapped = [n](std::int64_t by) { return static_cast<Cell>((by % n + n) % n); };
  switch (t.kind) {
    case Transform::Kind::blur:
      return [=] {
        blur_in_two_dimensions<<<dim3(n / most_threads, n), most_threads, 0, a.stream>>>(a.src, a.dst);
        check_launch();
      };
    case Transform::Kind::flip:
      if (!t.is_flipped[1]) return two_dimensional(FlipX{{}, n}, n, n, 1, a);
      if (!t.is_flipped[0]) return two_dimensional(FlipY{{}, n, n}, n, n, 1, a);
      return two_dimensional(FlipYX{{}, n, n}, n, n, 1, a);
    case Transform::Kind::shift: return two_dimensional(ShiftBoth{{}, n, n, wrapped(t.distances[1]), wrapped(t.distances[0])}, n, n, 1, a);
    default: break;
  }
  const auto step = static_cast<Cell>(t.step);
  if (t.axis == 1) return two_dimensional(CrinkleY{{}, n, step}, n, n / step, step, a);
  return two_dimensional(CrinkleX{{}, n, step}, n / step, n, step, a);
}

template <class Index>
std::function<void()> indexed(const Transform& t, const Arrays& a) {
  const auto n = static_cast<std::uint64_t>(t.n);
  const Index index({n, n});
  const Cell n_blocks = index.total() / most_threads;
  if (t.kind == Transform::Kind::blur) {
    return [=] {
      blur_by_index<<<n_blocks, most_threads, 0, a.stream>>>(index, a.src, a.dst);
      check_launch();
    };
  }
  return with_map(t, index, [&](const auto& map) {
    return std::function<void()>([=] {
      by_index<<<n_blocks, most_threads, 0, a.stream>>>(index, map, a.src, a.dst);
      check_launch();
    });
  });
}

}  // namespace

std::function<void()> kernel_of(const Transform& t, Version version, const float* src, float* dst, CUstream_st* stream) {
  const Arrays arrays{src, dst, stream};
  if (version == Version::by_hand) return by_hand(t, arrays);
  return version == Version::by_bits ? indexed<BitsIndex>(t, arrays) : indexed<DividedIndex>(t, arrays);
}

}  // namespace crinkle::bench
