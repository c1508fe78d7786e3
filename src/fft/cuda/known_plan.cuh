// Lines of a length that the compiler knows: radices, strides in shared memory and threads are constants, so that a thread computes few
// addresses, has few registers, and several blocks run at once. A plan P says them, a KnownShape compiled beforehand (Known) or a struct
// written for one plan and compiled when that is made (compiled.cpp); what it leaves to the run is asked of it with the lines:
//     T, n, radices           of a line
//     lanes, threads          of a block; n_blocks that run at once
//     cluster                 blocks that have the lines of a group together, each a part of every line (exchange_in_cluster)
//     group                   threads that have so many of the block's lines for themselves: all, or a warp, which waits for itself alone
//     are_numbers_in, _out    of lines that go through shared memory: whole complex numbers; n_out: elements of a line that are written
//     are_columns             items of a stage are lanes first: item = lane + lanes·b, else b + n/R·lane
//     places(i)               of a line's numbers in shared memory, behind i stages
//     are_apart               real and imaginary parts are exchanged one after the other, in half of the memory
//     reads, writes           the first butterflies read memory, the last ones write it; else they go through shared memory
//     are_convolved           by the numbers of lines.kernel, and transformed again; are_ordered: as Rader does, whose first numbers lie at
//                             firsts, in bytes of shared memory
//     goes_back               that second transform has the radices the other way round, and places_back(i): what the last butterflies of
//                             the first one gave is what its first ones take, thread by thread
//     n_loops, may_be_twisted of loops besides the lanes, or −1: as the lines say; whether lines may be twisted (CudaLines::is_twisted)
//     folds_in, folds_out     of columns: long real lines are folded where they are read, or written (known_ends.cuh); or not said
//     are_parts               whether lines.part_in or part_out may be there; false where a plan does not say it
//     in_part, out_part       bytes of a part in memory: 2 of float16
//     fetched                 bytes that the L2 cache fetches around a number, or 0
//     ends, lane, lanes_first_in, lanes_first_out    of lines: constants, or what the lines say
// Of a stage a block has lines·n/R butterflies, its items. Which thread has which does not change a bit.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fft/cuda/cluster.cuh"
#include "fft/cuda/form.hpp"
#include "fft/cuda/known.hpp"

namespace crinkle::fft::kernel {

/// Of numbers, not of a KnownShape: nvcc 13.0 cannot name kernels of one.
template <class T_, int log_n, int log_lanes, int log_held, int n_blocks_, bool are_columns_, int fetched_, int log_cluster>
struct Known {
  using T = T_;
  static constexpr KnownShape shape{log_n, log_lanes, log_held, n_blocks_, are_columns_, fetched_, log_cluster};
  static constexpr KnownRadices radices = power_radices(log_n);
  static constexpr std::uint32_t n = 1u << log_n, lanes = 1u << log_lanes, cluster = 1u << log_cluster;
  static constexpr std::uint32_t threads = n * lanes / cluster >> log_held;
  static constexpr int n_blocks = n_blocks_, fetched = fetched_, firsts = 0;
  static constexpr bool are_columns = are_columns_, are_apart = false, reads = true, writes = true, are_convolved = false;
  static constexpr bool are_ordered = false;
  static constexpr int in_part = sizeof(T), out_part = sizeof(T);
  static constexpr std::uint32_t group = are_columns || n >> log_held > 32 ? threads : 32;
  static constexpr KnownPlaces places(int) {
    return {static_cast<std::uint32_t>(numbers_a_row<T>), 1, static_cast<std::uint32_t>(known_stride<T>(shape))};
  }

  static constexpr int n_loops = -1;
  static constexpr bool may_be_twisted = true;

  __device__ static const CudaEnds<T>& ends(const CudaLines<T>& lines) { return lines.ends; }
  __device__ static const CudaLoop& lane(const CudaLines<T>& lines) { return lines.lane; }
  __device__ static bool lanes_first_in(const CudaLines<T>& lines) { return lines.lanes_first_in; }
  __device__ static bool lanes_first_out(const CudaLines<T>& lines) { return lines.lanes_first_out; }
};

/// The same of the first or the last step of a long line that is folded.
template <class K, bool is_in>
struct Folding : K {
  static constexpr bool folds_in = is_in, folds_out = !is_in, may_be_twisted = is_in;
  __device__ static bool lanes_first_in(const CudaLines<typename K::T>&) { return true; }
  __device__ static bool lanes_first_out(const CudaLines<typename K::T>& lines) { return !is_in || lines.lanes_first_out; }
};

template <class P>
inline constexpr int last_stage = P::radices.n - 1;
template <class P>
inline constexpr std::uint32_t lanes_of_group = P::lanes * P::group / P::threads;

/// The second transform of a convolution.
template <class P>
struct Backward : P {
  static constexpr KnownRadices reversed() {
    KnownRadices turned{P::radices.n, {}};
    for (int i = 0; i < turned.n; ++i) turned.of[i] = P::radices.of[turned.n - 1 - i];
    return turned;
  }
  static constexpr KnownRadices radices = reversed();
  static constexpr KnownPlaces places(int i) { return P::places_back(i); }
};
template <class P, int I>
struct KnownStage;
template <class P>
inline constexpr std::uint32_t first_twiddle = 0;  // of the plan in lines.tables
template <class P>
inline constexpr std::uint32_t first_twiddle<Backward<P>> = KnownStage<P, last_stage<P>>::twiddles;

/// Whether lines are parts of longer ones at one of their ends (CudaLines::part_in).
template <class P>
inline constexpr bool are_parts = requires { requires P::are_parts; };

/// Whether lines are folded where they are read, or written (known_ends.cuh), and so go with those mirrored to them.
template <class P>
inline constexpr bool folds_in = requires { requires P::folds_in; };
template <class P>
inline constexpr bool folds_out = requires { requires P::folds_out; };
template <class P>
inline constexpr bool are_mirrored = folds_in<P> || folds_out<P>;

/// The twiddles of a plan's stages: of the second axis of a plane (known_plane.cuh), its own.
template <class P>
__device__ __forceinline__ const Number<typename P::T>* tables_of(const CudaLines<typename P::T>& lines) {
  if constexpr (requires { requires P::is_second; }) return lines.second_tables;
  else return lines.tables;
}

/// Stage I of a plan: radix, m and s (CudaStage), where its twiddles begin behind those of the first, a line's butterflies that a block
/// has, and those of a thread.
template <class P, int I>
struct KnownStage {
  using Before = KnownStage<P, I - 1>;
  static constexpr std::uint32_t radix = static_cast<std::uint32_t>(P::radices.of[I]), s = Before::s * Before::radix, m = P::n / s / radix;
  static constexpr std::uint32_t n_b = P::n / radix / P::cluster,
                                 twiddles = Before::twiddles + (Before::m > 1 ? Before::m * Before::n_powers : 0);
  static constexpr std::uint32_t n_powers = radix > 16 ? 5 : radix > 8 ? 4 : radix > 4 ? 3 : radix > 2 ? 2 : 1;  // of p: W^p, W^2p, W^4p …
  static constexpr std::uint32_t n_items = lanes_of_group<P> * n_b, each = (n_items + P::group - 1) / P::group;
  static constexpr bool are_all_there = n_items % P::group == 0;
  static_assert((radix <= many_held || m == 1) && P::n / radix % P::cluster == 0);
};
template <class P>
struct KnownStage<P, -1> {
  static constexpr std::uint32_t radix = 1, s = 1, m = 1, twiddles = first_twiddle<P>, n_powers = 0;
};

template <class P, int I = last_stage<P>>
constexpr std::uint32_t held_of() {
  using Stage = KnownStage<P, I>;
  if constexpr (I == 0) return Stage::each * Stage::radix;
  else return Stage::each * Stage::radix > held_of<P, I - 1>() ? Stage::each * Stage::radix : held_of<P, I - 1>();
}
template <class P>
inline constexpr std::uint32_t held = held_of<P>();

template <class P>
__device__ __forceinline__ void wait() {
  static_assert(P::threads % 32 == 0 && P::threads <= 1024 && P::threads % P::group == 0 && P::lanes * P::group % P::threads == 0);
  if constexpr (P::group == 32) __syncwarp();
  else __syncthreads();
}

/// Columns, and rows of a plane (known_plane.cuh), which may be columns where they are written.
template <class P>
inline constexpr bool may_be_lanes_first = P::are_columns || requires { P::together; };

struct Item {
  std::uint32_t lane, b;
  std::uint32_t own;  // lane among those of the group
  bool is_there;
};
template <class P, int I>
__device__ __forceinline__ Item item_of(std::uint32_t e, bool lanes_first) {
  using Stage = KnownStage<P, I>;
  const std::uint32_t item = threadIdx.x % P::group + e * P::group, first = threadIdx.x / P::group * lanes_of_group<P>;
  const bool is_there = Stage::are_all_there || e + 1 < Stage::each || item < Stage::n_items;
  constexpr std::uint32_t own = lanes_of_group<P>;
  if (may_be_lanes_first<P> && lanes_first) {
    constexpr bool is_turned = (folds_in<P> && I == 0) || (folds_out<P> && I == last_stage<P>);
    const bool is_mirror = is_turned && item % own >= own / 2;
    return {first + item % own, is_mirror ? Stage::n_b - 1 - item / own : item / own, item % own, is_there};
  }
  return {first + item / Stage::n_b, item % Stage::n_b, item / Stage::n_b, is_there};
}
template <class P, int I>
__device__ __forceinline__ bool are_lanes_first(const CudaLines<typename P::T>& lines) {
  if constexpr (I == 0 && P::reads) return P::lanes_first_in(lines);
  else if constexpr (I == last_stage<P> && P::writes) return P::lanes_first_out(lines);
  else return P::are_columns;
}
/// body(e, item) of a thread's butterflies of stage I.
template <class P, int I, class Body>
__device__ __forceinline__ void for_each_item(bool lanes_first, const Body& body) {
#pragma unroll
  for (std::uint32_t e = 0; e < KnownStage<P, I>::each; ++e) {
    const Item at = item_of<P, I>(e, lanes_first);
    if (at.is_there) body(e, at);
  }
}

/// Which of the line's butterflies of stage I is number b of the block's. Of a cluster, each block has what becomes some numbers of every
/// last butterfly: p = b / s of all stages before is the same modulo the last radix. Of the last stage a block has so many in a row.
template <class P, int I>
__device__ __forceinline__ std::uint32_t whole_b(std::uint32_t b) {
  using Stage = KnownStage<P, I>;
  if constexpr (P::cluster == 1) return b;
  else if constexpr (I == last_stage<P>) return cluster_rank() * Stage::n_b + b;
  else {
    constexpr auto radix = static_cast<std::uint32_t>(P::radices.of[last_stage<P>]), own = radix / P::cluster;
    const std::uint32_t p = b / Stage::s;
    return b % Stage::s + Stage::s * (p / own * radix + cluster_rank() * own + p % own);
  }
}

/// Where number j of a line, or of a block's part of it, lies behind i stages.
template <class P, int i>
struct Places {
  static constexpr std::uint32_t pad = P::places(i).pad, by = P::places(i).by, stride = P::places(i).stride;
};
template <class P, int i = last_stage<P>>
constexpr std::uint32_t group_bytes_of() {
  constexpr std::uint32_t bytes = lanes_of_group<P> * P::places(i).stride * sizeof(typename P::T) * (P::are_apart ? 1 : 2);
  if constexpr (i <= 1) return bytes;
  else return bytes > group_bytes_of<P, i - 1>() ? bytes : group_bytes_of<P, i - 1>();
}
template <class P, int i>
__device__ __forceinline__ std::uint32_t place_of(std::uint32_t j) {
  using At = Places<P, i>;
  if constexpr (At::pad == 0) return j;
  else return j + j / At::pad * At::by;
}
/// Between the groups' cells.
template <class P>
inline constexpr std::uint32_t group_bytes = group_bytes_of<P>();
// Of numbers j + k·step, k < count, where j < step or what exceeds a multiple of step·count is: as far apart as the compiler can tell.
template <class P, int i, std::uint32_t step, std::uint32_t count>
__device__ __forceinline__ std::uint32_t place_of(std::uint32_t j, std::uint32_t first_place, std::uint32_t k) {
  using At = Places<P, i>;
  if constexpr (At::pad == 0) return first_place + k * step;
  else if constexpr (step % At::pad == 0) return first_place + k * (step + step / At::pad * At::by);
  else if constexpr (At::pad % (step * count) == 0) return first_place + k * step;
  else if constexpr (step == 1 && count % At::pad == 0) return first_place + place_of<P, i>(k);
  else return place_of<P, i>(j + k * step);
}

}  // namespace crinkle::fft::kernel
