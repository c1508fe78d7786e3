// The inner loops of resampling axis by axis, one table of functions per instruction set (cpu/targets-inl.hpp): elements become numbers,
// numbers of a row are spread to a line of the result's columns, lines are summed and stored as elements. Every product and every sum is
// rounded by itself, in the order of the definition, so that results are the same on every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "crinkle/number.hpp"

namespace crinkle::simd {

/// Numbers that lines are padded to, and that are read behind the last one of a row: two of the widest vectors.
inline constexpr std::int64_t line_padding = 32;

/// How the numbers of a vector of columns are found: in one vector of the row, in two, or one by one.
enum class SpreadBy : std::uint8_t { vector, two_vectors, gather };

/// Places of n columns in a row.
template <class T>
struct LinePlaces {
  using Index = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

  std::vector<Index> index;         // [n, padded]: of column i from its vector's place
  std::vector<std::int64_t> begin;  // of every vector
  SpreadBy by = SpreadBy::vector;
  bool has_zero = false;  // products with a weight of 0 do not count, whatever the number
  std::int64_t n = 0, step = 1;
};

/// line[i] = Σ_k weights[k][i] · row[place of i + k · step], 0 ≤ i < n, in the order of k.
template <class T>
struct SpreadTable : LinePlaces<T> {
  static constexpr int most_taps = 4;

  std::vector<T> weights[most_taps];  // NOLINT: [n, padded]
};

/// The same of any number of taps.
template <class T>
struct WindowTable : LinePlaces<T> {
  std::int64_t n_taps = 0, pitch = 0;
  std::vector<T> weights;  // [n_taps][pitch], n padded
};

/// to[i] = Σ_k weights[k] · rows[k][i], 0 ≤ i < n, in the order of k; a sum that is continued begins with to[i]. No weight is 0.
template <class T>
struct RowSum {
  const std::byte* const* rows = nullptr;
  const T* weights = nullptr;
  int n_rows = 0;
  bool is_continued = false;
  std::int64_t n = 0;
};

/// out[i] = Σ_z of_planes[z] (Σ_y weights[y] · lines[z · n_lines + y][i]), 0 ≤ i < n; without planes the inner sum alone.
template <class T>
struct LineSum {
  const T* const* lines = nullptr;
  const T* weights = nullptr;    // [n_lines]
  const T* of_planes = nullptr;  // [n_planes]
  int n_lines = 1, n_planes = 0;
  std::int64_t n = 0;
};

template <class T>
struct LineKernelsOf {
  /// Chooses how columns whose first numbers lie at place[i] are found; `table` has n.
  void (*set_places)(const std::int32_t* place, LinePlaces<T>& table);
  /// For 1, 2 and 4 taps, [log2].
  void (*spread[3])(const SpreadTable<T>& table, const T* row, T* line);
  void (*sum)(const LineSum<T>& sum, std::byte* out);
  void (*window)(const WindowTable<T>& table, const T* row, T* line);
  /// Of rows of T.
  void (*add)(const RowSum<T>& sum, T* to);
};

struct LineKernels {
  const char* target;
  LineKernelsOf<float> float32;
  LineKernelsOf<double> float64;
  /// Sums as elements, rounded and saturated as number_element.hpp says.
  void (*sum_uint8)(const LineSum<float>& sum, std::byte* out);
  void (*sum_uint16)(const LineSum<float>& sum, std::byte* out);
  void (*sum_int16)(const LineSum<float>& sum, std::byte* out);
  void (*add_uint8)(const RowSum<float>& sum, float* to);
  void (*add_uint16)(const RowSum<float>& sum, float* to);
  void (*add_int16)(const RowSum<float>& sum, float* to);

  template <class T>
  const LineKernelsOf<T>& of() const {
    if constexpr (sizeof(T) == 4) return float32;
    else return float64;
  }

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const LineKernels& best();
  static std::vector<const LineKernels*> all();
};

}  // namespace crinkle::simd
