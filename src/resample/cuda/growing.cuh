// Kernels that grow with the scale, axis by axis: a thread makes one sum of elements along an axis, with weights from a table
// (growing.cpp). The commonest value is of all axes at once: a warp makes one element of the result. It looks for the 32 smallest values of
// the window, of which each lane adds up how much of the window has one, then for the next ones. Sums in the order of the definition: the
// same bits.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "resample/cuda/element.cuh"
#include "resample/cuda/growing_pass.hpp"

namespace crinkle::resampling::kernel {

/// Stored as a number that the pass names at run time. `T`: what sums are made in.
template <class Out, class T>
__device__ inline void store_element(char* to, T value, bool is_aligned) {
  const Out out = stored<Out>(value);
  if (is_aligned) *reinterpret_cast<Out*>(to) = out;
  else memcpy(to, &out, sizeof out);
}
template <class T>
__device__ inline void store_number(const GrowingPass& pass, char* to, T value) {
  if constexpr (sizeof(T) == 8) {
    store_element<double>(to, value, pass.is_aligned_out);
  } else {
    switch (pass.out) {
      case Number::uint8: return store_element<std::uint8_t>(to, value, pass.is_aligned_out);
      case Number::uint16: return store_element<std::uint16_t>(to, value, pass.is_aligned_out);
      case Number::int16: return store_element<std::int16_t>(to, value, pass.is_aligned_out);
      default: return store_element<float>(to, value, pass.is_aligned_out);
    }
  }
}

/// Where an element that is made lies, and its index along each axis.
struct GrowingPlace {
  std::int64_t in = 0, out = 0;
  std::int64_t index[slots] = {};

  __device__ GrowingPlace(const GrowingPass& pass, std::uint64_t element) {
    for (int b = pass.n_loops - 1; b >= 0; --b) {
      const auto [rest, remainder] = pass.extents[b].divide(element);
      const auto i = static_cast<std::int64_t>(remainder);
      in += i * pass.loops[b].in;
      out += i * pass.loops[b].out;
      CRINKLE_UNROLL for (int a = 0; a < slots; ++a) if (a < pass.n_axes && pass.axes[a].loop == b) index[a] = i;
      element = rest;
    }
  }
  __device__ bool is_empty(const GrowingPass& pass) const {
    bool is = false;
    CRINKLE_UNROLL for (int a = 0; a < slots; ++a) is = is || (a < pass.n_axes && pass.axes[a].count[index[a]] == 0);
    return is;
  }
};

template <class E>
__device__ inline auto number_at(const GrowingPass& pass, const char* at) {
  return static_cast<typename NumberOf<E>::Type>(element_at<E>(reinterpret_cast<const std::byte*>(at), pass.is_aligned_in));
}

/// Block first_block + blockIdx.x of cuda_growing_threads sums.
template <class E>
__device__ inline void growing_sums(const GrowingPass& pass, std::int64_t first_block, const char* in, char* out) {
  using T = typename NumberOf<E>::Type;
  const std::int64_t element = (first_block + blockIdx.x) * cuda_growing_threads + threadIdx.x;
  if (element >= pass.n_elements) return;
  const GrowingPlace place(pass, static_cast<std::uint64_t>(element));
  if (pass.is_last && place.is_empty(pass)) return store_number(pass, out + place.out, static_cast<T>(pass.nodata));
  const CountedAxis& axis = pass.axes[0];
  const std::int64_t i = place.index[0];
  const T* weight = static_cast<const T*>(axis.weights) + i;
  in += place.in;
  std::int64_t e = axis.first[i];
  T total = -T{0};
  for (std::int32_t k = axis.count[i]; k > 0; --k, ++e, weight += axis.n) {
    if (e == axis.extent) e = 0;
    total = sum(total, counted(*weight, number_at<E>(pass, in + e * axis.stride)));
  }
  store_number(pass, out + place.out, total);
}

/// A value that stands in a window, and the first place where it does.
template <class T>
struct Found {
  T value = 0;
  std::int64_t at = -1;  // below 0: none

  __device__ void take(const Found& other) {
    if (other.at < 0) return;
    if (at < 0 || other.value < value || (other.value == value && other.at < at)) *this = other;
  }
};
/// The same of all lanes, for each of them: the smallest value.
template <class T>
__device__ inline Found<T> smallest_of_warp(Found<T> own) {
  for (int mask = 16; mask > 0; mask /= 2) {
    Found<T> other;
    other.value = __shfl_xor_sync(0xffffffffu, own.value, mask);
    other.at = __shfl_xor_sync(0xffffffffu, own.at, mask);
    own.take(other);
  }
  return own;
}

/// Elements that count along axes, of the first one on.
template <class E>
struct ModeWindow {
  using T = typename NumberOf<E>::Type;
  const GrowingPass& pass;
  const GrowingPlace& place;
  const char* in;

  __device__ std::int64_t count(int a) const { return pass.axes[a].count[place.index[a]]; }
  __device__ const char* at(int a, std::int64_t k) const {
    const CountedAxis& axis = pass.axes[a];
    return in + (axis.first[place.index[a]] + k) % axis.extent * axis.stride;
  }
  __device__ double share(int a, std::int64_t k) const {
    const CountedAxis& axis = pass.axes[a];
    return static_cast<const double*>(axis.weights)[k * axis.n + place.index[a]];
  }
  __device__ std::int64_t n_all() const {
    std::int64_t n = 1;
    for (int a = 0; a < pass.n_axes; ++a) n *= count(a);
    return n;
  }
  __device__ T value(std::int64_t e) const {
    const char* from = in;
    for (int a = pass.n_axes - 1; a >= 0; --a) {
      from += at(a, e % count(a)) - in;
      e /= count(a);
    }
    return number_at<E>(pass, from);
  }
  /// How much has the value, over axes a and those behind it.
  template <int a>
  __device__ void add_shares(T wanted, std::int64_t from, double its, double& total) const {
    for (std::int64_t k = 0; k < count(a); ++k) {
      const double here = a == 0 ? share(a, k) : product(its, share(a, k));
      if (!(here > 0)) continue;
      const std::int64_t there = from + (at(a, k) - in);
      if constexpr (a + 1 < slots) {
        if (a + 1 < pass.n_axes) {
          add_shares<a + 1>(wanted, there, here, total);
          continue;
        }
      }
      if (number_at<E>(pass, in + there) == wanted) total = sum(total, here);
    }
  }
};

/// Block first_block + blockIdx.x: an element of the result for each of its warps.
template <class E>
__device__ inline void growing_mode(const GrowingPass& pass, std::int64_t first_block, const char* in, char* out) {
  using T = typename NumberOf<E>::Type;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t element = (first_block + blockIdx.x) * (cuda_growing_threads / 32) + threadIdx.x / 32;
  if (element >= pass.n_elements) return;  // the whole warp
  const GrowingPlace place(pass, static_cast<std::uint64_t>(element));
  if (place.is_empty(pass)) {
    if (lane == 0) store_number(pass, out + place.out, static_cast<T>(pass.nodata));
    return;
  }
  const ModeWindow<E> window{pass, place, in + place.in};
  const std::int64_t n = window.n_all();
  Found<T> last, best;
  double most = 0;
  for (bool is_more = true; is_more;) {
    Found<T> own;  // the lane's candidate
    for (int c = 0; c < 32 && is_more; ++c) {
      Found<T> next;
      for (std::int64_t e = lane; e < n; e += 32) {
        const T value = window.value(e);
        if (value == value && (last.at < 0 || value > last.value)) next.take({value, e});
      }
      __syncwarp();
      next = smallest_of_warp(next);
      is_more = next.at >= 0;
      if (!is_more) break;
      last = next;
      if (lane == c) own = next;
    }
    double share = 0;
    if (own.at >= 0) window.template add_shares<0>(own.value, 0, 1, share);
    if (share > most) {  // of equally common ones the first candidate, which is the smallest
      most = share;
      best = own;
    }
  }
  __syncwarp();
  for (int mask = 16; mask > 0; mask /= 2) {
    Found<T> other;
    const double its = __shfl_xor_sync(0xffffffffu, most, mask);
    other.value = __shfl_xor_sync(0xffffffffu, best.value, mask);
    other.at = __shfl_xor_sync(0xffffffffu, best.at, mask);
    if (its < most) continue;
    if (its > most) best = other;
    else best.take(other);
    most = its;
  }
  if (best.at < 0) best.value = static_cast<T>(__longlong_as_double(0x7FF8000000000000));
  if (lane == 0) store_number(pass, out + place.out, best.value);
}

}  // namespace crinkle::resampling::kernel
