// Lengths whose kernels the compiler knows: 2^3 … 2^14 complex numbers, and how many of them a block and a thread have; kernels are
// compiled for this list (known.cuh). Their radices are those of every other kernel. docs/tuning.md says what the shapes were compared
// with.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "fft/cuda/form.hpp"

namespace crinkle::fft {

struct KnownShape {
  int log_n = 0, log_lanes = 0;  // of a line, and of the lines of a block
  int log_held = 4;              // numbers of a thread
  int n_blocks = 1;              // that run at once on a multiprocessor
  bool are_columns = false;      // lines that lie side by side where they are read or where they are written
  int fetched = 0;               // bytes that the L2 cache fetches around a number, or 0
  int log_cluster = 0;           // of the blocks that have a group of lines together
  bool are_mirrored = false;     // columns of long real lines, half of them mirrored to the others (known_ends.cuh)

  constexpr std::int64_t n() const { return std::int64_t{1} << log_n; }
  constexpr std::int64_t n_lanes() const { return std::int64_t{1} << log_lanes; }
  constexpr std::int64_t cluster() const { return std::int64_t{1} << log_cluster; }
  constexpr std::int64_t of_block() const { return n() / cluster(); }  // of a line's numbers
  constexpr std::int64_t threads() const { return of_block() * n_lanes() >> log_held; }
};

template <class T>
inline constexpr KnownShape known_shapes[1] = {};
template <>
inline constexpr KnownShape known_shapes<float>[] = {{3, 6, 2, 12, false},
                                                     {4, 5, 2, 12, false},
                                                     {5, 5, 3, 8, false},
                                                     {6, 5, 3, 4, false},
                                                     {7, 3, 4, 8, false},
                                                     {8, 3, 4, 8, false},
                                                     {9, 0, 3, 16, false},
                                                     {10, 0, 4, 12, false},
                                                     {11, 0, 4, 6, false},
                                                     {12, 0, 4, 4, false},
                                                     {13, 0, 4, 2, false},
                                                     {14, 0, 4, 1, false},
                                                     {3, 6, 2, 8, true},
                                                     {4, 6, 2, 4, true},
                                                     {5, 6, 3, 4, true},
                                                     {6, 5, 3, 4, true},
                                                     {7, 5, 4, 4, true},
                                                     {8, 5, 4, 2, true},
                                                     {9, 4, 4, 2, true},
                                                     {10, 3, 4, 2, true, 128},
                                                     // Those of a cluster, which a device without has not, come first.
                                                     {11, 3, 4, 4, true, 128, 2},
                                                     {12, 3, 4, 4, true, 128, 3},
                                                     {13, 3, 4, 2, true, 128, 3},
                                                     {11, 3, 4, 1, true, 256},
                                                     {12, 2, 4, 1, true, 256},
                                                     {7, 5, 4, 4, true, 0, 0, true},
                                                     {8, 5, 4, 2, true, 0, 0, true},
                                                     {9, 4, 4, 2, true, 128, 0, true},
                                                     {10, 4, 4, 1, true, 128, 0, true}};
template <>
inline constexpr KnownShape known_shapes<double>[] = {{3, 5, 2, 12, false},
                                                      {4, 4, 2, 12, false},
                                                      {5, 4, 3, 8, false},
                                                      {6, 4, 3, 4, false},
                                                      {7, 2, 4, 12, false},
                                                      {8, 2, 4, 8, false},
                                                      {9, 0, 3, 8, false},
                                                      {10, 0, 4, 8, false},
                                                      {11, 0, 4, 4, false},
                                                      {12, 0, 4, 2, false},
                                                      {13, 0, 4, 1, false},
                                                      {3, 5, 2, 8, true},
                                                      {4, 5, 2, 4, true},
                                                      {5, 5, 3, 4, true},
                                                      {6, 4, 3, 4, true},
                                                      {7, 4, 4, 4, true},
                                                      {8, 4, 4, 2, true},
                                                      {9, 3, 4, 2, true},
                                                      {10, 2, 4, 2, true, 128},
                                                      // Of a cluster.
                                                      {11, 2, 4, 2, true, 128, 1},
                                                      {12, 2, 4, 2, true, 128, 2},
                                                      {13, 2, 4, 2, true, 128, 3},
                                                      {11, 2, 4, 1, true, 256},
                                                      {12, 1, 4, 1, true, 256},
                                                      {7, 4, 4, 4, true, 0, 0, true},
                                                      {8, 4, 4, 2, true, 0, 0, true},
                                                      {9, 3, 4, 2, true, 128, 0, true},
                                                      {10, 3, 4, 1, true, 128, 0, true}};
template <class T>
inline constexpr int n_known_shapes = static_cast<int>(sizeof(known_shapes<T>) / sizeof(KnownShape));

/// The place of a length among them, or −1; of those that blocks have together only where that may be.
template <class T>
constexpr int known_place(std::int64_t n, bool are_columns, bool may_be_together, bool are_mirrored = false) {
  for (int i = 0; i < n_known_shapes<T>; ++i) {
    const KnownShape& shape = known_shapes<T>[i];
    if (shape.n() == n && shape.are_columns == are_columns && shape.are_mirrored == are_mirrored &&
        (may_be_together || shape.cluster() == 1))
      return i;
  }
  return -1;
}

/// Where a line's numbers lie in shared memory: number j at j + j/pad · by; pad = 0: at j. Places between lines.
struct KnownPlaces {
  std::uint32_t pad = 0, by = 0, stride = 0;
};

/// The radices of 2^log_n in every kernel, of[0] ≥ of[1] ≥ …: as few as there are when none is above 16, but two at least, so that
/// the threads of a line read and write whole sectors.
struct KnownRadices {
  int n = 0;
  int of[14] = {};
};
constexpr KnownRadices power_radices(int log_n) {
  KnownRadices radices;
  int n_left = (log_n + 3) / 4;
  if (n_left == 1 && log_n >= 3) n_left = 2;
  for (int rest = log_n; n_left > 0; --n_left) {
    const int of = (rest + n_left - 1) / n_left;
    radices.of[radices.n++] = 1 << of;
    rest -= of;
  }
  return radices;
}

/// Numbers between lines in shared memory: those of lines that are reached at once lie in different banks.
template <class T>
constexpr std::int64_t known_stride(const KnownShape& shape) {
  constexpr std::int64_t row = numbers_a_row<T>;
  const std::int64_t of_a_line = shape.n() >> shape.log_held;  // threads
  const std::int64_t apart = shape.are_columns ? (shape.n_lanes() < row ? row / shape.n_lanes() : 1) : of_a_line < row ? of_a_line : 1;
  const std::int64_t cells = shape.of_block() + shape.of_block() / row;
  return cells + (apart + row * row - cells % row) % row;
}
/// Of shared memory.
template <class T>
constexpr std::int64_t known_bytes(const KnownShape& shape) {
  return shape.n_lanes() * known_stride<T>(shape) * static_cast<std::int64_t>(sizeof(Number<T>));
}

/// Complex lines; pairs of real numbers to the half of their transform, which are folded where they are written; and back.
enum class KnownKind : std::uint8_t { complex, from_real, to_real };
template <class T>
constexpr KnownKind known_kind(const CudaLines<T>& lines) {
  if (lines.folds_out || lines.ends.out_kind == CudaOut::folded) return KnownKind::from_real;
  return lines.folds_in || lines.ends.in_kind == CudaIn::folded ? KnownKind::to_real : KnownKind::complex;
}

/// Before the first launch of lines with `known`: lets their kernel have its shared memory. Throws unsupported.
template <class T>
void allow_known(const CudaLines<T>& lines, int device);
template <class T>
const void* known_kernel(const CudaLines<T>& lines);

}  // namespace crinkle::fft
