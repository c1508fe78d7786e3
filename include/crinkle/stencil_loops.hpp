// Sweeps of stencils of your own (stencil.hpp) on the threads of an executor, and fields from layouts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "crinkle/error.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/layout.hpp"
#include "crinkle/stencil.hpp"

// Before a loop that writes nothing it reads. (clang's word for it warns where a loop is not made of vectors.)
#if defined(__GNUC__) && !defined(__clang__)
#define CRINKLE_INDEPENDENT _Pragma("GCC ivdep")
#else
#define CRINKLE_INDEPENDENT
#endif

namespace crinkle {

/// The elements of a layout as a field; `origin` is its byte 0. Throws bad_shape for another rank, another element, or an offset or strides
/// that are no multiples of it.
template <int rank, class T>
StencilField<T, rank> field_of(T* origin, const Layout& layout) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const auto refuse = [](const std::string& text) { throw Error(ErrorCode::bad_shape, text); };
  if (layout.extents.size() != rank || layout.strides.size() != rank)
    refuse("a field of rank " + std::to_string(rank) + " from a layout of rank " + std::to_string(layout.extents.size()));
  if (layout.element_bytes != size || layout.offset % size != 0)
    refuse("a field of " + std::to_string(size) + "-byte elements from a layout whose elements of " + std::to_string(layout.element_bytes) +
           " bytes begin at byte " + std::to_string(layout.offset));
  StencilField<T, rank> field{origin + layout.offset / size, {}, {}};
  for (int a = 0; a < rank; ++a) {
    const auto i = static_cast<std::size_t>(a);
    if (layout.extents[i] < 0) refuse("an extent of " + std::to_string(layout.extents[i]) + "; extents are 0 or more");
    if (layout.strides[i] % size != 0)
      refuse("a stride of " + std::to_string(layout.strides[i]) + " bytes is no multiple of an element's " + std::to_string(size));
    field.extents[a] = layout.extents[i];
    field.strides[a] = layout.strides[i] / size;
  }
  return field;
}
/// A field in C order, nothing between its cells.
template <class T, int rank>
StencilField<T, rank> dense_field(T* data, const Array<std::int64_t, rank>& extents) {
  StencilField<T, rank> field{data, extents, {}};
  std::int64_t stride = 1;
  for (int a = rank; a-- > 0; stride *= extents[a]) field.strides[a] = stride;
  return field;
}

namespace detail {

/// The bytes of a field: its cells lie between two addresses, at multiples of `step` from each other.
struct FieldBytes {
  std::uintptr_t at = 0, first = 0, last = 0;
  std::uintptr_t step = 0, size = 0;
};
template <class T, int rank>
FieldBytes bytes_of_field(const StencilField<T, rank>& field) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  std::int64_t low = 0, high = 0, step = 0;
  for (int a = 0; a < rank; ++a) {
    if (field.extents[a] == 0) return {};
    const std::int64_t far = (field.extents[a] - 1) * field.strides[a];
    (far < 0 ? low : high) += far;
    if (far != 0) step = std::gcd(step, field.strides[a]);
  }
  const auto bytes = [](std::int64_t n) { return static_cast<std::uintptr_t>(n * size); };
  const auto at = reinterpret_cast<std::uintptr_t>(field.data);
  return {at, at + bytes(low), at + bytes(high + 1), bytes(step), sizeof(T)};
}
/// How many bytes two fields may share; none where all cells of one lie between those of the other, as fields of records do.
inline std::uintptr_t shared_bytes(const FieldBytes& a, const FieldBytes& b) {
  if (a.first >= b.last || b.first >= a.last) return 0;
  const std::uintptr_t step = std::gcd(a.step, b.step);
  if (step != 0) {
    const std::uintptr_t between = b.at >= a.at ? (b.at - a.at) % step : (step - (a.at - b.at) % step) % step;
    if (between >= a.size && between + b.size <= step) return 0;
  }
  return std::min(a.last, b.last) - std::max(a.first, b.first);
}

template <int rank, class T>
void check_inputs(const Inputs<rank>&, const StencilField<T, rank>&) {}
template <int rank, class T, class S, class... Rest>
void check_inputs(const Inputs<rank, S, Rest...>& inputs, const StencilField<T, rank>& out) {
  if (inputs.field.extents != out.extents)
    throw Error(ErrorCode::bad_shape, "the fields of a stencil have different extents; give them the same");
  if (const auto n = shared_bytes(bytes_of_field(inputs.field), bytes_of_field(out)); n != 0) {
    throw Error(ErrorCode::overlap,
                "a stencil would write " + std::to_string(n) + " bytes of what it reads; give what is written memory of its own");
  }
  check_inputs(inputs.rest, out);
}
template <int rank, class... T>
void check_apart(const StencilField<T, rank>&... outs) {
  const FieldBytes bytes[] = {bytes_of_field(outs)...};
  for (const FieldBytes& a : bytes)
    for (const FieldBytes* b = bytes; b != &a; ++b)
      if (const auto n = shared_bytes(a, *b); n != 0)
        throw Error(ErrorCode::overlap, "two results of a stencil share " + std::to_string(n) + " bytes; give each memory of its own");
}

template <class F, class... S, int... i>
constexpr bool says_beyond(std::integer_sequence<int, i...>) {
  return (SaysBeyond<F, Beyond<F::Radius::rank, S...>, i>::value && ...);
}

template <int rank>
bool are_unit(const Inputs<rank>&) {
  return true;
}
template <int rank, class S, class... Rest>
bool are_unit(const Inputs<rank, S, Rest...>& inputs) {
  return inputs.field.strides[rank - 1] == 1 && are_unit(inputs.rest);
}

/// Puts the value of cell i into the line at `index`.
template <bool is_unit, int rank, class T>
auto line_of(const StencilField<T, rank>& out, const Array<std::int64_t, rank>& index) {
  return [to = out.at(index), stride = is_unit ? 1 : out.strides[rank - 1]](std::int64_t i, const auto& value) {
    to[i * stride] = static_cast<T>(value);
  };
}
template <std::size_t k, class Values>
constexpr auto value_of(const Values& values) {
  if constexpr (requires { values[0]; }) return values[k];
  else return std::get<k>(values);
}
template <class Values>
constexpr std::size_t n_values() {
  if constexpr (requires { Values::size(); }) return static_cast<std::size_t>(Values::size());
  else return std::tuple_size_v<Values>;
}
/// The line of several fields; a result has a value for each.
template <bool is_unit, int rank, class... T>
auto line_of(const std::tuple<StencilField<T, rank>...>& outs, const Array<std::int64_t, rank>& index) {
  const auto lines = std::apply([&](const auto&... out) { return std::tuple(line_of<is_unit, rank>(out, index)...); }, outs);
  return [lines]<class Values>(std::int64_t i, const Values& values) {
    static_assert(n_values<Values>() == sizeof...(T), "the stencil has another number of results than there are fields for them");
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      (std::get<k>(lines)(i, value_of<k>(values)), ...);
    }(std::index_sequence_for<T...>());
  };
}

/// Cells [low, high) of a line, all inside. Flattened: a function of the user's that stays a call keeps the loop from being vectors.
template <bool is_unit, class Stencil, class Put>
[[gnu::flatten]] void sweep_inside(const Stencil& of_all, const Put& put, const typename Stencil::Index& index, std::int64_t low,
                                   std::int64_t high) {
  const Stencil stencil = of_all;  // what lies on the stack may be read whether or not it is needed
  const auto from_line = stencil.inputs().moved(index);
  CRINKLE_INDEPENDENT
  for (std::int64_t i = low; i < high; ++i) put(i, stencil.template cell_inside<is_unit>(from_line, index, i));
}

/// Cells [first, last) of the line at `index`, whose last number is 0.
template <bool is_unit, class Stencil, class Out>
void sweep_line(const Stencil& stencil, const Out& out, typename Stencil::Index index, std::int64_t first, std::int64_t last) {
  constexpr int x = Stencil::rank - 1;
  const auto put = line_of<is_unit, Stencil::rank>(out, index);
  bool is_inside = true;
  for (int a = 0; a < x; ++a) is_inside = is_inside && index[a] >= stencil.first_inside(a) && index[a] < stencil.last_inside(a);
  const std::int64_t low = is_inside ? std::clamp(stencil.first_inside(x), first, last) : last;
  const std::int64_t high = is_inside ? std::clamp(stencil.last_inside(x), low, last) : last;
  const auto at_faces = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      index[x] = i;
      put(i, stencil.cell_at_faces(index));
    }
    index[x] = 0;
  };
  at_faces(first, low);
  if (low < high) sweep_inside<is_unit>(stencil, put, index, low, high);
  at_faces(high, last);
}

/// Throws bad_shape for faces that a stencil cannot have.
template <class F, class... S>
void check_faces(const Stencil<F, S...>& stencil) {
  constexpr bool says_all = says_beyond<F, S...>(std::make_integer_sequence<int, static_cast<int>(sizeof...(S))>());
  for (int a = 0; a < Stencil<F, S...>::rank; ++a) {
    const Faces& faces = stencil.faces()[a];
    if ((faces.low.bound == Bound::periodic) != (faces.high.bound == Bound::periodic))
      throw Error(ErrorCode::bad_shape, "axis " + std::to_string(a) + " is periodic at one end only; periodic joins both ends");
    if (!says_all && (faces.low.bound == Bound::function || faces.high.bound == Bound::function))
      throw Error(ErrorCode::bad_shape,
                  "axis " + std::to_string(a) + " ends in a function, and the stencil has no member `beyond` for every field");
  }
}

/// All cells into a field, or into several.
template <class F, class Out, class... S>
void sweep_into(const Stencil<F, S...>& stencil, const Out& out, bool is_unit, Executor& executor) {
  check_faces(stencil);
  using Swept = Stencil<F, S...>;
  constexpr int x = Swept::rank - 1;
  constexpr std::int64_t longest = 16384;  // cells of a part
  const typename Swept::Index& extents = stencil.extents();
  std::int64_t n_lines = 1;
  for (int a = 0; a < x; ++a) n_lines *= extents[a];
  const std::int64_t n = extents[x], n_parts = (n + longest - 1) / longest;
  const std::int64_t n_all = n_lines * n_parts, enough = 1 + n_lines * n / longest;  // for fewer cells threads are not worth waking
  const std::int64_t n_chunks = std::min({n_all, enough, 8 * static_cast<std::int64_t>(executor.n_workers())});
  executor.parallel_for(n_chunks, [&](std::int64_t c) {
    const auto begin_of = [&](std::int64_t chunk) { return n_all / n_chunks * chunk + std::min(chunk, n_all % n_chunks); };
    for (std::int64_t p = begin_of(c); p < begin_of(c + 1); ++p) {
      typename Swept::Index index{};
      std::int64_t line = p / n_parts;
      for (int a = x; a-- > 0; line /= extents[a]) index[a] = line % extents[a];
      const std::int64_t first = p % n_parts * longest, last = std::min(n, first + longest);
      if (is_unit) sweep_line<true>(stencil, out, index, first, last);
      else sweep_line<false>(stencil, out, index, first, last);
    }
  });
}

}  // namespace detail

/// out[i] = stencil.cell(i) for all cells, in no order, as C++ converts numbers (to an integer without its fraction). Throws bad_shape
/// where extents differ, an axis is periodic at one end only or ends in a function that the stencil does not have, overlap where out shares
/// bytes with what is read. Fields of records, side by side, are apart.
template <class F, class T, class... S>
void sweep(const Stencil<F, S...>& stencil, const StencilField<T, F::Radius::rank>& out, Executor& executor = default_executor()) {
  detail::check_inputs(stencil.inputs(), out);
  detail::sweep_into(stencil, out, out.strides[F::Radius::rank - 1] == 1 && detail::are_unit(stencil.inputs()), executor);
}

/// outs[k][i] = stencil.cell(i)[k]: a stencil of several results (an Array, which kernels have, too, a std::array, a std::tuple), each into
/// a field of its own. Throws as above, and overlap where these share bytes.
template <class F, class... T, class... S>
void sweep(const Stencil<F, S...>& stencil, const std::tuple<StencilField<T, F::Radius::rank>...>& outs,
           Executor& executor = default_executor()) {
  std::apply(
      [&](const auto&... out) {
        (detail::check_inputs(stencil.inputs(), out), ...);
        detail::check_apart<F::Radius::rank>(out...);
        const bool is_unit = ((out.strides[F::Radius::rank - 1] == 1) && ...);
        detail::sweep_into(stencil, outs, is_unit && detail::are_unit(stencil.inputs()), executor);
      },
      outs);
}

}  // namespace crinkle
