// What kernels of transforms are told: plain values, the same for host and device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "crinkle/detail/hd.hpp"

struct CUstream_st;

namespace crinkle::fft {

template <class T>
struct alignas(2 * sizeof(T)) Number {
  T re = 0, im = 0;
};

/// By a constant, of numbers below 2^16. Requires 1 ≤ divisor < 2^16.
struct Division {
  std::uint32_t divisor = 1, magic = 0;  // 2^32 / divisor + 1; 0 for 1
};
inline Division division_by(std::int64_t divisor) {
  return {static_cast<std::uint32_t>(divisor),
          divisor == 1 ? 0 : static_cast<std::uint32_t>((std::uint64_t{1} << 32) / static_cast<std::uint64_t>(divisor) + 1)};
}

/// Of Stockham's algorithm: y[q + s(r p + k)] = W^{pk} Σ_i x[q + s(p + m i)] W_r^{ik}, W = W_{rm}, for p < m and q < s.
struct CudaStage {
  std::int32_t radix = 1;
  std::uint32_t m = 1, s = 1, n_butterflies = 1;  // m s
  Division by_s, by_butterflies, by_columns;      // columns: butterflies of all lines of a block
  std::int64_t twiddles = 0;  // where W^p, W^2p, W^4p … begin in the tables, m of each; of a prime without a butterfly W^kp of all k
  std::int64_t sums = -1;     // of such a prime: where cos and sin of 2πjk/r begin, n_sums k of every j, then the next n_sums k
};
inline constexpr std::size_t most_stages = 14;

/// Numbers that a thread holds at once, so many of a radix' butterflies as that is enough for: a few where that does, since more threads
/// run at once then; many where a radix is larger (float32 alone); threads of a block.
inline constexpr std::int64_t most_held = 16, few_held = 10, many_held = 32, most_fft_threads = 512;
/// Butterflies of radix r ≤ held that a thread has at once.
CRINKLE_HD constexpr std::int64_t butterflies_held(std::int64_t held, std::int64_t r) {
  return held <= most_held || r > 8 ? held / r : most_held / r;
}
/// The largest radix that is no prime.
template <class T>
inline constexpr std::int64_t largest_radix = sizeof(T) == 4 ? 30 : most_held;
/// Pairs of results that a thread has of a prime radix above most_held.
inline constexpr std::int64_t n_sums = most_held / 2;
/// Numbers of which one place is left out in shared memory: as many as all banks hold.
template <class T>
inline constexpr std::int64_t numbers_a_row = 128 / sizeof(Number<T>);

/// What a line's numbers are made of, and what is made of them.
enum class CudaIn : std::uint8_t { numbers, pairs, reals, folded, mirrored };
enum class CudaOut : std::uint8_t { numbers, halves, folded, pairs, reals };

/// How a line of an array becomes the n numbers of a transform, and how those of its result become a line.
///     numbers    as they are                               halves    the first n_out, X[0] real
///     pairs      x[2j] + i x[2j + 1]                       folded    of n = N/2 numbers between real ones and their transform
///     reals      x[j]                                      mirrored  X[n − k] = conj X[k]
template <class T>
struct CudaEnds {
  CudaIn in_kind = CudaIn::numbers;
  CudaOut out_kind = CudaOut::numbers;
  std::int32_t in_unit = 1, out_unit = 1;                    // bytes that are moved at once: a number, a part, or 1
  std::int32_t in_part = sizeof(T), out_part = sizeof(T);    // bytes of a part in the arrays: 2 of float16
  std::int64_t n = 1;                                        // of the transform
  std::int64_t n_in = 1, n_out = 1;                          // elements of the arrays
  std::int64_t in = 0, out = 0;                              // strides in bytes
  std::int64_t in_shift = 0, out_shift = 0;                  // element j of an array lies at place (j + shift) mod its elements
  T im_in = 1, re = 1, im = 1;                               // factors of imaginary parts that come in, and of the result's parts
  const Number<T>* fold = nullptr;                           // −i W_N^k, k ≤ n
  const Number<T>*chirp_in = nullptr, *chirp_out = nullptr;  // Bluestein's c[n], where numbers come in and where they go out, or null
};

/// An axis besides the transformed one.
struct CudaLoop {
  std::int64_t extent = 1, in = 0, out = 0;
};
inline constexpr std::size_t most_cuda_loops = 50;

template <std::size_t most>
struct CudaLoops {
  std::int32_t n = 0;
  CudaLoop loops[most];  // outermost first
};

/// Lines that are transformed in shared memory, several a block.
template <class T>
struct CudaLines {
  static constexpr bool are_known = false, are_numbers_in = false, are_numbers_out = false;  // never (KnownCells, known.cuh)
  CudaEnds<T> ends;
  std::int64_t n = 1;  // of the stages: ends.n, or that of the convolution
  std::int32_t n_stages = 0;
  CudaStage stages[most_stages];  // behind them so many of a convolution's second transform
  const Number<T>* tables = nullptr;
  const Number<T>* second_tables = nullptr;  // of a plane's second axis (known_plane.cuh)
  const Number<T>* kernel = nullptr;         // of the convolution, or null
  std::int64_t kernel_step = 1;              // number j of line c (twist_loop) is multiplied by the kernel's number c + j·kernel_step
  // Lines that are parts of longer ones: of number j of line c the array's place is that of number c + j·part_in of the longer line, whose
  // ends they have; where they are written, of number c + j·part_out. 0: lines of their own.
  std::int64_t part_in = 0, part_out = 0;
  const std::uint32_t* order =
      nullptr;  // Rader's, or null: of number i > 0 its place before the stages, and 2^16 times that of X[i] behind

  std::int32_t n_lanes = 1;      // lines in a block
  std::int32_t cell_stride = 1;  // numbers between lines in shared memory
  std::int32_t threads = 32;
  std::int32_t held = most_held;                         // numbers of a thread
  std::int32_t known = -1;                               // whose kernel: a place of known_shapes (known.hpp), or −1
  bool reads = false, writes = false;                    // numbers of memory in butterflies: pairs of real ones are numbers, too
  bool folds_in = false, folds_out = false;              // the parts of long real lines, folded where they are read or written
  bool lanes_first_in = false, lanes_first_out = false;  // which of a line's places and the lines lie closer in memory
  std::int32_t n_put = 1;                                // places that are written
  Division by_lanes, by_n;                               // of the stages
  Division by_in, by_put;  // places that are read and written: n/2 + 1 of real lines that are folded (are_folded_in, are_folded_out)

  CudaLoop lane;
  std::int64_t n_groups = 1;  // of n_lanes in lane.extent
  std::int64_t n_blocks = 1;
  CudaLoops<most_cuda_loops> loops;

  std::int32_t twist_loop = -1;     // says a line's c: −1: none; 0: the lanes; i + 1: loop i. X[k] is multiplied by W^{kc} (is_twisted):
  std::int32_t twist_bits = 0;      // low[kc mod 2^bits] · high[kc / 2^bits]
  std::uint32_t first_stage_m = 0;  // > 0: these lines are butterflies, so many, the first stage of longer ones, with its twiddles of p = c
  const Number<T>*twist_low = nullptr, *twist_high = nullptr;

  CRINKLE_HD constexpr bool is_twisted() const { return twist_loop >= 0 && part_out == 0; }
  std::int64_t shared_bytes() const { return std::int64_t{n_lanes} * cell_stride * static_cast<std::int64_t>(sizeof(Number<T>)); }
};

/// Lines between an array of any layout and rows of `row` numbers, which are zero behind ends.n.
template <class T>
struct CudaRows {
  CudaEnds<T> ends;
  std::int64_t row = 1, n_lines = 1;
  bool are_halves = false;  // of real lines, folded: numbers k and n − k are read once and written together
  CudaLoops<most_cuda_loops> loops;
};

// Launches, given to the stream.
template <class T>
void launch_lines(const CudaLines<T>& lines, const std::byte* in, std::byte* out, CUstream_st* stream);
/// Before the first launch: lets it have so much shared memory. Throws unsupported.
template <class T>
void allow_lines(std::int64_t shared_bytes, int device);
template <class T>
void launch_to_rows(const CudaRows<T>& rows, const std::byte* in, std::byte* out, CUstream_st* stream);
template <class T>
void launch_from_rows(const CudaRows<T>& rows, const std::byte* in, std::byte* out, CUstream_st* stream);
/// x = conj(x · kernel) of n_rows rows of n numbers.
template <class T>
void launch_convolve(const Number<T>* kernel, std::int64_t n, std::int64_t n_rows, std::byte* x, CUstream_st* stream);

}  // namespace crinkle::fft
