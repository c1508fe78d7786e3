// Planes of two axes for walks of kernels that take both at once (known_plane.cuh): their plans, and a pass of one axis by the library's
// kernel.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cluster.hpp"

#include <gtest/gtest.h>

#include <random>
#include <type_traits>
#include <utility>

#include "fft/at.hpp"
#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "fft/cuda/known_plane.cuh"
#include "fft/cuda/lines.cuh"
#pragma GCC diagnostic pop
#include "fft/cuda/stages.hpp"
#include "fft/roots.hpp"
#include "kernels/staged.hpp"

namespace crinkle::fft::kernel {
extern char all_shared[1 << 18], shared[1 << 18];
}

namespace crinkle::fft::planes {

namespace walk = crinkle::testing::walk;

enum class Way : std::uint8_t { rows_first, columns_first, from_real, to_real, long_line };

/// How a block goes about a plane of nx · ny numbers.
struct Shape {
  int nx = 1, ny = 1;
  std::uint32_t threads = 64, pitch = 0;
  std::uint32_t row_lanes = 1, row_group = 64, pad = 0, by = 0;
  std::uint32_t column_lanes = 1;
  int part = 0;                                  // bytes in memory: 2 of float16, else 0
  std::uint32_t together = 1, column_pitch = 0;  // of columns, where several blocks have a plane
};

template <class T_, Way way, Shape shape, bool are_rows, bool is_second_, int... rs>
struct Plan {
  using T = T_;
  static constexpr KnownRadices radices{sizeof...(rs), {rs...}};
  static constexpr std::uint32_t n = are_rows ? shape.nx : shape.ny, n_out = n, threads = shape.threads, cluster = 1;
  static constexpr std::uint32_t lanes = are_rows ? shape.row_lanes : shape.column_lanes, group = are_rows ? shape.row_group : threads;
  static constexpr bool is_real = way == Way::from_real || way == Way::to_real;
  static constexpr std::uint32_t n_lines = are_rows ? shape.ny : shape.nx + (is_real ? 1 : 0);
  static constexpr std::uint32_t together = shape.together, n_own = (n_lines + together - 1) / together;
  static constexpr KnownPlaces places(int i) {
    if (!are_rows) return {1, (together == 1 ? shape.pitch : shape.column_pitch) - 1, 1};
    return i == 0 || i == sizeof...(rs) ? KnownPlaces{0, 0, shape.pitch} : KnownPlaces{shape.pad, shape.by, shape.pitch};
  }
  static constexpr int n_blocks = 1, n_loops = 1, fetched = 0, firsts = 0;
  static constexpr int in_part = !is_second_ && shape.part > 0 ? shape.part : sizeof(T), out_part = is_second_ && shape.part > 0
                                                                                                        ? shape.part
                                                                                                        : sizeof(T);
  static constexpr bool are_columns = !are_rows, are_apart = false, reads = !is_second_, writes = is_second_;
  static constexpr bool goes_back = false, are_convolved = false, are_ordered = false;
  static constexpr bool may_be_twisted = way == Way::long_line && !is_second_;
  static constexpr bool are_numbers_in = false, are_numbers_out = false;
  static constexpr bool is_second = is_second_, is_folded = is_real && are_rows;
  static inline CudaEnds<T> its_ends;
  static inline CudaLoop its_lane;
  static CudaEnds<T> ends(const CudaLines<T>&) { return its_ends; }
  static CudaLoop lane(const CudaLines<T>&) { return its_lane; }
  static bool lanes_first_in(const CudaLines<T>&) { return are_columns; }
  static constexpr bool are_beside_out = are_columns || way == Way::long_line;
  static bool lanes_first_out(const CudaLines<T>&) { return are_beside_out; }
};

/// A pass by the library's kernel: all of its lines, one a block.
template <class T>
void pass(CudaLines<T> lines, const Radices& radices, const std::byte* in, std::byte* out) {
  std::vector<Number<T>> tables;
  add_stages(radices, 1, lines, tables);
  tables.push_back({});  // never none
  lines.tables = tables.data();
  lines.n_lanes = 1;
  count_blocks(lines);
  const CudaEnds<T>& e = lines.ends;
  lines.cell_stride = static_cast<std::int32_t>(2 * lines.n + 40);
  lines.by_lanes = division_by(1);
  lines.by_n = division_by(lines.n);
  lines.by_in = division_by(e.in_kind == CudaIn::folded ? e.n / 2 + 1 : e.n);
  lines.by_put = division_by(e.out_kind == CudaOut::folded ? e.n / 2 + 1 : e.n);
  lines.n_put = static_cast<std::int32_t>(e.n);
  for (std::size_t i = 0; i < most_stages; ++i)
    if (lines.stages[i].n_butterflies > 0) lines.stages[i].by_columns = division_by(lines.stages[i].n_butterflies);
  walk::launch(static_cast<std::uint32_t>(lines.n_blocks), static_cast<std::uint32_t>(cuda_threads(radices, lines.n, 1)), [&] {
    const auto* const from = reinterpret_cast<const char*>(in);
    auto* const to = reinterpret_cast<char*>(out);
    transform_staged(radices, lines, from, to);
  });
}

template <int... of>
inline constexpr std::integer_sequence<int, of...> by{};

inline constexpr Shape in_groups{20, 24, 64, 33, 6, 64, 5, 2, 8}, not_whole{30, 21, 96, 47, 4, 96, 6, 1, 9},
    of_warps{36, 20, 64, 49, 8, 32, 6, 2, 8}, primes{13, 17, 64, 20, 17, 64, 0, 0, 7}, half{20, 24, 64, 24, 6, 64, 0, 0, 8, 2},
    one{2, 2, 64, 8, 1, 64, 0, 0, 2}, odd{15, 10, 32, 32, 10, 32, 5, 1, 8};

// Of two blocks, and of four, the last of which has fewer lines, or none.
inline constexpr Shape two{20, 24, 64, 24, 12, 64, 5, 1, 10, 0, 2, 10}, four{30, 21, 64, 37, 6, 64, 6, 1, 8, 0, 4, 8},
    narrow{8, 9, 64, 12, 16, 32, 4, 1, 3, 0, 4, 3}, few{5, 5, 64, 8, 2, 64, 0, 0, 2, 0, 4, 2};

}  // namespace crinkle::fft::planes
