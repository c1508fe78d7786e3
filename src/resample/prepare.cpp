// The coefficients c of the spline through samples s, along one axis: c_{k−1} + 4 c_k + c_{k+1} = 6 s_k, by Unser's two recursions with the
// pole z = √3 − 2, up and down the line as its boundary continues it. Far away from a place the line does not matter to it: |z|^40 < 2^-75,
// so the recursions begin so far outside. Where the boundary continues with other numbers than the line's own (edge, constant), the
// coefficients outside are kept, as far as they differ from those numbers.
// SPDX-License-Identifier: BSD-3-Clause
#include "resample/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <span>

#include "base/checked.hpp"
#include "base/loops.hpp"
#include "base/number_lines.hpp"
#include "cpu/scratch.hpp"
#include "crinkle/error.hpp"
#include "resample/check.hpp"
#include "resample/places.hpp"

namespace crinkle::resampling {
namespace {

constexpr double pole = spline_pole;
constexpr std::int64_t run_up = spline_run_up, kept_outside = 28;  // elements; |z|^28 < 2^-53

// The extent of an axis after the first n_filtered of the resampled axes were filtered.
std::int64_t filtered_extent(const Resampling& r, std::size_t n_filtered, std::size_t axis) {
  std::int64_t extent = r.source.extents[axis];
  for (std::size_t a = 0; a < n_filtered; ++a)
    if (static_cast<std::size_t>(r.axes[a]) == axis)
      extent = add(extent, kept_beside(r.boundary[a].low.bound) + kept_beside(r.boundary[a].high.bound));
  return extent;
}

// So many lines at once, side by side: each step of a recursion waits for the last.
constexpr std::size_t lanes = 8;
using Lane = std::array<double, lanes>;

// In place, of the samples and `run_up` elements on either side.
void to_coefficients(std::span<Lane> lines) {
  Lane c;
  for (std::size_t l = 0; l < lanes; ++l) c[l] = 6 * lines.front()[l] / (1 - pole);
  for (Lane& x : lines)
    for (std::size_t l = 0; l < lanes; ++l) x[l] = c[l] = 6 * x[l] + pole * c[l];
  for (std::size_t l = 0; l < lanes; ++l) c[l] = -pole * c[l] / (1 - pole);
  for (std::size_t k = lines.size(); k-- > 0;)
    for (std::size_t l = 0; l < lanes; ++l) lines[k][l] = c[l] = pole * (c[l] - lines[k][l]);
}

// Lines along an axis of a dense array of the source's extents, to some axes of which elements were added.
struct Lines {
  std::int64_t n = 1, inner = 1, along = 1;  // lines; elements between those of a line; of a line

  Lines(const Resampling& r, std::size_t n_filtered, std::size_t axis) {
    for (std::size_t a = 0; a < r.source.extents.size(); ++a) {
      const std::int64_t extent = filtered_extent(r, n_filtered, a);
      if (a == axis) along = extent;
      else n *= extent;
      if (a > axis) inner *= extent;
    }
  }
  // The index of a line's first element, in an array that has `length` elements along the axis.
  std::int64_t begin(std::int64_t line, std::int64_t length) const { return line / inner * inner * length + line % inner; }
};

constexpr std::int64_t lines_of_a_chunk = 64;

// Numbers at any address: a stage's output.
template <class T>
T number_at(const std::byte* numbers, std::int64_t i) {
  return element_at<T>(numbers + i * static_cast<std::int64_t>(sizeof(T)), false);
}

// `to` has `before` and `behind` elements more along the axis.
template <class T>
void filter(const std::byte* from, const Lines& lines, const FormAxis& axis, std::byte* to, std::int64_t before, std::int64_t behind,
            Executor& executor) {
  const std::int64_t n = lines.along, whole = before + n + behind;
  const auto body = [&](std::int64_t chunk) {
    const auto length = static_cast<std::size_t>(n + 2 * run_up);
    const std::span several(static_cast<Lane*>(simd::Scratch::of_this_thread().get(length * sizeof(Lane))), length);
    const std::int64_t end = std::min(lines.n, (chunk + 1) * lines_of_a_chunk);
    for (std::int64_t first = chunk * lines_of_a_chunk; first < end; first += std::int64_t{lanes}) {
      const auto n_lanes = static_cast<std::size_t>(std::min<std::int64_t>(lanes, end - first));
      std::int64_t from_begin[lanes] = {}, to_begin[lanes] = {};
      for (std::size_t l = 0; l < n_lanes; ++l) {
        from_begin[l] = lines.begin(first + static_cast<std::int64_t>(l), n);
        to_begin[l] = lines.begin(first + static_cast<std::int64_t>(l), whole);
      }
      for (std::int64_t k = -run_up; k < n + run_up; ++k) {
        const std::int64_t i = element_of(axis, k);
        Lane& x = several[static_cast<std::size_t>(k + run_up)];
        if (i < 0) x.fill(i == detail::at_low_face ? axis.low_value : axis.high_value);
        else
          for (std::size_t l = 0; l < lanes; ++l)
            x[l] = l < n_lanes ? static_cast<double>(number_at<T>(from, from_begin[l] + i * lines.inner)) : 0;
      }
      to_coefficients(several);
      for (std::int64_t k = 0; k < whole; ++k) {
        const Lane& x = several[static_cast<std::size_t>(run_up - before + k)];
        for (std::size_t l = 0; l < n_lanes; ++l) {
          const T coefficient = static_cast<T>(x[l]);
          std::memcpy(to + (to_begin[l] + k * lines.inner) * static_cast<std::int64_t>(sizeof(T)), &coefficient, sizeof(T));
        }
      }
    }
  };
  executor.parallel_for(ceil_divide(lines.n, lines_of_a_chunk), std::cref(body));  // of one pointer: nothing is allocated
}

// Refuses numbers that a recursion would spread along whole lines.
template <class T>
void check_finite(const std::byte* numbers, std::int64_t n) {
  std::int64_t n_not_finite = 0;
  for (std::int64_t i = 0; i < n; ++i) n_not_finite += std::isfinite(number_at<T>(numbers, i)) ? 0 : 1;
  refuse_not_finite(n, n_not_finite);
}

std::int64_t n_of(const Extents& extents) { return Layout::dense(extents, 1).n_elements(); }

}  // namespace

void refuse_not_finite(std::int64_t n, std::int64_t n_not_finite) {
  if (n_not_finite > 0)
    throw Error(ErrorCode::unsupported,
                fmt::format("a spline through {} numbers, {} of which are NaN or infinite and would spread along all of its axes; cubic "
                            "brings them to 2 elements around",
                            n, n_not_finite));
}

std::int64_t kept_beside(Bound bound) { return bound == Bound::edge || bound == Bound::constant ? kept_outside : 0; }

Extents filtered_extents(const Resampling& r, std::size_t n_filtered) {
  Extents extents;
  for (std::size_t a = 0; a < r.source.extents.size(); ++a) extents.push_back(filtered_extent(r, n_filtered, a));
  return extents;
}

std::int64_t kept_in_front(const Faces& faces) { return kept_beside(faces.low.bound); }

Extents coefficient_extents(const Resampling& r) { return filtered_extents(r, r.axes.size()); }

void check_spline(const Resampling& r) {
  for (const Faces& faces : r.boundary)
    for (const Face& face : {faces.low, faces.high})
      if (face.bound == Bound::constant && !std::isfinite(face.value))
        throw Error(ErrorCode::unsupported,
                    fmt::format("a spline beyond whose array lies {}, which it would spread; cubic does not", face.value));
}

template <class T>
void load_numbers(const Layout& source, NumberType type, const std::byte* from, std::byte* to, Executor& executor) {
  constexpr std::int64_t n_at_once = 256;
  const std::int64_t n = source.extents.back(), rows = n == 0 ? 0 : source.n_elements() / n;
  const auto body = [&](std::int64_t chunk) {
    T numbers[n_at_once];  // NOLINT
    for (std::int64_t row = chunk * lines_of_a_chunk; row < std::min(rows, (chunk + 1) * lines_of_a_chunk); ++row) {
      std::int64_t at = source.offset;
      split_index(
          row, source.extents.size() - 1, [&](std::size_t a) { return source.extents[a]; },
          [&](std::size_t a, std::int64_t i) { at += i * source.strides[a]; });
      for (std::int64_t i = 0; i < n; i += n_at_once) {
        const std::int64_t some = std::min(n_at_once, n - i);
        load_line(numbers, 1, from + at + i * source.strides.back(), source.strides.back(), some, type);
        std::memcpy(to + (row * n + i) * static_cast<std::int64_t>(sizeof(T)), numbers, static_cast<std::size_t>(some) * sizeof(T));
      }
    }
  };
  executor.parallel_for(ceil_divide(rows, lines_of_a_chunk), std::cref(body));  // of one pointer: nothing is allocated
}

std::int64_t prefilter_bytes(const Resampling& r) { return multiply(n_of(filtered_extents(r, r.axes.size() - 1)), is_float32(r) ? 4 : 8); }

template <class T>
void prefilter(const Resampling& r, const std::byte* source, std::byte* to, std::byte* own, Executor& executor) {
  const std::size_t n_axes = r.axes.size();
  const auto array = [&](std::size_t k) { return (n_axes - k) % 2 == 0 ? to : own; };  // after k axes: they take turns
  load_numbers<T>(r.source, r.source_type, source, array(0), executor);
  check_finite<T>(array(0), r.source.n_elements());
  for (std::size_t a = 0; a < n_axes; ++a) {
    const auto along = static_cast<std::size_t>(r.axes[a]);
    const Faces& faces = r.boundary[a];
    const FormAxis axis{.extent = r.source.extents[along],
                        .low = faces.low.bound,
                        .high = faces.high.bound,
                        .low_value = faces.low.value,
                        .high_value = faces.high.value};
    filter<T>(array(a), Lines(r, a, along), axis, array(a + 1), kept_beside(axis.low), kept_beside(axis.high), executor);
  }
}

template void load_numbers<float>(const Layout&, NumberType, const std::byte*, std::byte*, Executor&);
template void load_numbers<double>(const Layout&, NumberType, const std::byte*, std::byte*, Executor&);
template void prefilter<float>(const Resampling&, const std::byte*, std::byte*, std::byte*, Executor&);
template void prefilter<double>(const Resampling&, const std::byte*, std::byte*, std::byte*, Executor&);

}  // namespace crinkle::resampling
