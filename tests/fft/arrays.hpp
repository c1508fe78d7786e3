// Arrays of any rank and layout, and their transforms by the definition, an axis after another.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <numeric>

#include "fft/fft_support.hpp"
#include "support/parts.hpp"

namespace crinkle::fft {

/// Numbers in C order.
struct Array {
  Extents extents;
  Series values;
  std::int64_t n() const { return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>()); }
};

inline Array random_array(const Extents& extents, unsigned seed, bool is_real) {
  Array array{extents, {}};
  array.values = random_line(array.n(), seed, is_real);
  return array;
}

/// array[…, j, …] = f(line of it along the axis), which may have another extent; f is called on several threads.
inline void each_line(Array& array, std::size_t axis, std::int64_t n_out, const std::function<Series(const Series&)>& f) {
  Array result{array.extents, {}};
  result.extents[axis] = n_out;
  result.values.resize(at(result.n()));
  const auto inner = std::accumulate(array.extents.begin() + static_cast<std::ptrdiff_t>(axis) + 1, array.extents.end(), std::int64_t{1},
                                     std::multiplies<>());
  const std::int64_t n = array.extents[axis], n_lines = n_out == 0 ? 0 : result.n() / n_out;
  in_parts_of(1 + 10000 / (1 + n * n_out), n_lines, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t l = begin; l < end; ++l) {
      const std::int64_t outer = l / inner, i = l % inner;
      Series line(at(n));
      for (std::int64_t j = 0; j < n; ++j) line[at(j)] = array.values[at((outer * n + j) * inner + i)];
      const Series got = f(line);
      for (std::int64_t j = 0; j < n_out; ++j) result.values[at((outer * n_out + j) * inner + i)] = got[at(j)];
    }
  });
  array = std::move(result);
}

/// Makes the complex transform, without a factor, of lines of n numbers.
using Oracle = std::function<std::function<Series(const Series&)>(std::int64_t n, Sign sign)>;
inline std::function<Series(const Series&)> by_definition(std::int64_t n, Sign sign) {
  return [reference = Reference(n, sign)](const Series& x) { return reference.line(x); };
}

/// The transform that a request asks for, whose N are `sizes`.
inline Array definition(Array array, const FftRequest& request, const std::vector<std::size_t>& axes, const Extents& sizes,
                        const Oracle& oracle = by_definition) {
  const bool is_forward = request.direction == FftDirection::forward;
  long double product = 1;
  for (const std::int64_t n : sizes) product *= static_cast<long double>(n);
  const bool is_scaled = is_forward == (request.norm == FftNorm::forward);
  const long double factor = request.norm == FftNorm::ortho ? 1 / std::sqrt(product) : is_scaled ? 1 / product : 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool is_last = i + 1 == axes.size();
    const std::int64_t n = sizes[i];
    const auto transform = oracle(n, is_forward ? Sign::minus : Sign::plus);
    const bool is_half_in = is_last && request.kind == FftKind::complex_to_real;
    const bool is_half_out = is_last && request.kind == FftKind::real_to_complex;
    each_line(array, axes[i], is_half_out ? n / 2 + 1 : n, [&](Series line) {
      line.resize(at(is_half_in ? n / 2 + 1 : n));
      if (is_half_in) {
        line.resize(at(n));
        line[0] = line[0].real();
        if (n % 2 == 0) line[at(n / 2)] = line[at(n / 2)].real();
        for (std::int64_t k = n / 2 + 1; k < n; ++k) line[at(k)] = std::conj(line[at(n - k)]);
      }
      Series result = transform(line);
      if (is_last) {
        for (LongComplex& value : result) value = is_half_in ? value.real() * factor : value * factor;
      }
      result.resize(at(is_half_out ? n / 2 + 1 : n));
      return result;
    });
  }
  return array;
}

/// Axes in any order, gaps between, some backward.
inline Layout random_layout(const Extents& extents, std::int64_t element_bytes, std::mt19937& random) {
  Layout layout{extents, Extents(extents.size()), 0, element_bytes};
  std::vector<std::size_t> order(extents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (random() % 2 == 0) std::shuffle(order.begin(), order.end(), random);
  else std::reverse(order.begin(), order.end());
  std::int64_t stride = element_bytes;
  for (const std::size_t axis : order) {
    if (random() % 4 == 0) stride += element_bytes * static_cast<std::int64_t>(random() % 3);
    if (random() % 16 == 0) stride += 1;  // of no type's alignment
    layout.strides[axis] = stride;
    stride *= std::max<std::int64_t>(1, extents[axis]);
    if (random() % 4 != 0 || extents[axis] == 0) continue;
    layout.offset += layout.strides[axis] * (extents[axis] - 1);
    layout.strides[axis] = -layout.strides[axis];
  }
  layout.offset += element_bytes * static_cast<std::int64_t>(random() % 2);
  return layout;
}

inline std::int64_t bytes_of(const Layout& layout) {
  std::int64_t end = layout.offset + layout.element_bytes;
  for (std::size_t a = 0; a < layout.extents.size(); ++a) end += std::max<std::int64_t>(0, layout.strides[a] * (layout.extents[a] - 1));
  return end;
}

/// body(i, byte) for every element i, counted in C order; on several threads.
template <class Body>
void each_element(const Layout& layout, const Body& body) {
  in_parts_of(10000, layout.n_elements(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::int64_t rest = i, byte = layout.offset;
      for (std::size_t a = layout.extents.size(); a-- > 0;) {
        byte += rest % layout.extents[a] * layout.strides[a];
        rest /= layout.extents[a];
      }
      body(i, byte);
    }
  });
}

template <class T>
void put_array(const Layout& layout, const Array& array, bool is_real, std::byte* origin) {
  each_element(layout, [&](std::int64_t i, std::int64_t byte) { put<T>(origin + byte, array.values[at(i)], is_real); });
}
template <class T>
void put_array(const Layout& layout, const Array& array, bool is_real, Bytes& bytes) {
  put_array<T>(layout, array, is_real, bytes.data());
}
template <class T>
Array get_array(const Layout& layout, bool is_real, const std::byte* origin) {
  Array array{layout.extents, Series(at(layout.n_elements()))};
  each_element(layout, [&](std::int64_t i, std::int64_t byte) { array.values[at(i)] = get<T>(origin + byte, is_real); });
  return array;
}
template <class T>
Array get_array(const Layout& layout, bool is_real, Bytes& bytes) {
  return get_array<T>(layout, is_real, bytes.data());
}

}  // namespace crinkle::fft
