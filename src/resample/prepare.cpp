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
#include <new>
#include <vector>

#include "base/checked.hpp"
#include "base/number_lines.hpp"
#include "crinkle/error.hpp"
#include "resample/check.hpp"
#include "resample/places.hpp"

namespace crinkle::resampling {
namespace {

constexpr double pole = -0.26794919243112270647;
constexpr std::int64_t run_up = 40, kept_outside = 28;  // elements; |z|^28 < 2^-53

std::int64_t kept_beside(Bound bound) { return bound == Bound::edge || bound == Bound::constant ? kept_outside : 0; }

// So many lines at once, side by side: each step of a recursion waits for the last.
constexpr std::size_t lanes = 8;
using Lane = std::array<double, lanes>;

// In place, of the samples and `run_up` elements on either side.
void to_coefficients(std::vector<Lane>& lines) {
  Lane c;
  for (std::size_t l = 0; l < lanes; ++l) c[l] = 6 * lines.front()[l] / (1 - pole);
  for (Lane& x : lines)
    for (std::size_t l = 0; l < lanes; ++l) x[l] = c[l] = 6 * x[l] + pole * c[l];
  for (std::size_t l = 0; l < lanes; ++l) c[l] = -pole * c[l] / (1 - pole);
  for (std::size_t k = lines.size(); k-- > 0;)
    for (std::size_t l = 0; l < lanes; ++l) lines[k][l] = c[l] = pole * (c[l] - lines[k][l]);
}

// Lines along an axis of a dense array.
struct Lines {
  std::int64_t n = 1, inner = 1, along = 1;  // lines; elements between those of a line; of a line

  Lines(const Extents& extents, std::size_t axis) : along(extents[axis]) {
    for (std::size_t a = 0; a < extents.size(); ++a) {
      if (a != axis) n *= extents[a];
      if (a > axis) inner *= extents[a];
    }
  }
  // Of the first element of a line, in an array that has `length` elements along the axis.
  std::int64_t begin(std::int64_t line, std::int64_t length) const { return line / inner * inner * length + line % inner; }
};

constexpr std::int64_t lines_of_a_chunk = 64;

// `to` has `before` and `behind` elements more along the axis.
template <class T>
void filter(const T* from, const Lines& lines, FormAxis axis, T* to, std::int64_t before, std::int64_t behind, Executor& executor) {
  const std::int64_t n = lines.along, whole = before + n + behind;
  axis.extent = n;
  executor.parallel_for(ceil_divide(lines.n, lines_of_a_chunk), [&](std::int64_t chunk) {
    std::vector<Lane> several(static_cast<std::size_t>(n + 2 * run_up));
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
          for (std::size_t l = 0; l < n_lanes; ++l) x[l] = static_cast<double>(from[from_begin[l] + i * lines.inner]);
      }
      to_coefficients(several);
      for (std::int64_t k = 0; k < whole; ++k) {
        const Lane& x = several[static_cast<std::size_t>(run_up - before + k)];
        for (std::size_t l = 0; l < n_lanes; ++l) to[to_begin[l] + k * lines.inner] = static_cast<T>(x[l]);
      }
    }
  });
}

// What a recursion would spread along whole lines.
template <class T>
void check_finite(const T* numbers, std::int64_t n, const std::vector<Faces>& boundary) {
  for (const Faces& faces : boundary)
    for (const Face& face : {faces.low, faces.high})
      if (face.bound == Bound::constant && !std::isfinite(face.value))
        throw Error(ErrorCode::unsupported,
                    fmt::format("a spline beyond whose array lies {}, which it would spread; cubic does not", face.value));
  const std::int64_t n_not_finite = std::count_if(numbers, numbers + n, [](T x) { return !std::isfinite(x); });
  if (n_not_finite > 0)
    throw Error(ErrorCode::unsupported,
                fmt::format("a spline through {} numbers, {} of which are NaN or infinite and would spread along all of its axes; cubic "
                            "brings them to 2 elements around",
                            n, n_not_finite));
}

template <class T>
std::unique_ptr<T[]> numbers_for(const Extents& extents) {
  const std::int64_t bytes = Layout::dense(extents, sizeof(T)).n_bytes();
  try {
    return std::unique_ptr<T[]>(new T[static_cast<std::size_t>(bytes) / sizeof(T)]);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, fmt::format("resampling needs {} bytes for a copy of the source", bytes));
  }
}

// Every line of the last axis.
template <class T>
void load(const Layout& source, NumberType type, const std::byte* from, T* to, Executor& executor) {
  Layout layout = source;
  if (layout.extents.empty()) {
    layout.extents = {1};
    layout.strides = {0};
  }
  const std::int64_t n = layout.extents.back(), rows = n == 0 ? 0 : layout.n_elements() / n;
  executor.parallel_for(ceil_divide(rows, lines_of_a_chunk), [&](std::int64_t chunk) {
    for (std::int64_t row = chunk * lines_of_a_chunk; row < std::min(rows, (chunk + 1) * lines_of_a_chunk); ++row) {
      std::int64_t at = layout.offset, rest = row;
      for (std::size_t a = layout.extents.size() - 1; a-- > 0; rest /= layout.extents[a])
        at += rest % layout.extents[a] * layout.strides[a];
      load_line(to + row * n, 1, from + at, layout.strides.back(), n, type);
    }
  });
}

}  // namespace

template <class T>
Prepared<T> prepared(const Resampling& resampling, const std::byte* source, Executor& executor) {
  constexpr std::int64_t size = sizeof(T);
  Resampling of = resampling;
  of.source = Layout::dense(resampling.source.extents, size);
  of.source_type = {size == 4 ? Number::float32 : Number::float64};
  Prepared<T> made;
  made.numbers = numbers_for<T>(of.source.extents);
  load(resampling.source, resampling.source_type, source, made.numbers.get(), executor);
  std::int64_t before[slots] = {};
  if (resampling.by == ResampleBy::spline) {
    check_finite(made.numbers.get(), of.source.n_elements(), resampling.boundary);
    const Form form = form_of(of);
    for (std::size_t a = 0; a < of.axes.size(); ++a) {
      const FormAxis& axis = form.in[slots - of.axes.size() + a];
      const auto along = static_cast<std::size_t>(of.axes[a]);
      before[a] = kept_beside(axis.low);
      Extents extents = of.source.extents;
      extents[along] = add(extents[along], before[a] + kept_beside(axis.high));
      std::unique_ptr<T[]> filtered = numbers_for<T>(extents);
      filter(made.numbers.get(), Lines(of.source.extents, along), axis, filtered.get(), before[a], kept_beside(axis.high), executor);
      made.numbers = std::move(filtered);
      of.source = Layout::dense(extents, size);
    }
  }
  made.form = form_of(of);
  for (std::size_t a = 0; a < of.axes.size(); ++a) made.form.in[slots - of.axes.size() + a].before = before[a];
  return made;
}

template Prepared<float> prepared(const Resampling&, const std::byte*, Executor&);
template Prepared<double> prepared(const Resampling&, const std::byte*, Executor&);

}  // namespace crinkle::resampling
