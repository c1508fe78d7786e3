// Lines between arrays of any strides and rows of vectors (fft/cpu/fft_kernels.hpp): what the kernels' loads and stores of whole vectors do
// not do.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace crinkle::fft {

/// The place of number j of line l among rows of w vectors.
struct RowPlace {
  std::int64_t lanes, w;
  std::int64_t operator()(std::int64_t j, std::int64_t l) const { return (j * w + l / lanes) * 2 * lanes + l % lanes; }
};

/// Lines l < n_lines and places j < n of an array.
struct Lines {
  std::int64_t n, n_lines, stride, line_stride;  // strides in bytes
  std::int64_t first = 0;                        // of pairs: 1 where the first number is the second one of its pair
};

// The smaller stride innermost.
template <class F>
void for_each_place(const Lines& lines, const F& body) {
  const auto length = [](std::int64_t stride) { return stride < 0 ? -stride : stride; };
  if (length(lines.stride) < length(lines.line_stride)) {
    for (std::int64_t l = 0; l < lines.n_lines; ++l)
      for (std::int64_t j = 0; j < lines.n; ++j) body(j, l);
  } else {
    for (std::int64_t j = 0; j < lines.n; ++j)
      for (std::int64_t l = 0; l < lines.n_lines; ++l) body(j, l);
  }
}

template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}
template <class T>
void write(T value, std::byte* to) {
  std::memcpy(to, &value, sizeof(T));
}

/// rows[j] = (re, im · sign) of complex numbers.
template <class T>
void read_complex(const std::byte* from, const Lines& lines, const RowPlace& place, T sign, T* rows) {
  for_each_place(lines, [&](std::int64_t j, std::int64_t l) {
    const std::byte* at = from + j * lines.stride + l * lines.line_stride;
    T* to = rows + place(j, l);
    to[0] = read<T>(at);
    to[place.lanes] = read<T>(at + sizeof(T)) * sign;
  });
}

/// rows[j] = (x[2j], x[2j + 1]) of real numbers, of which there are lines.n; an odd last one has a zero beside it.
template <class T>
void read_pairs(const std::byte* from, const Lines& lines, const RowPlace& place, T* rows) {
  for_each_place(lines, [&](std::int64_t j, std::int64_t l) {
    const std::int64_t i = lines.first + j;
    T* to = rows + place(i / 2, l);
    if (i % 2 == 0) to[place.lanes] = T{0};
    to[i % 2 == 0 ? 0 : place.lanes] = read<T>(from + j * lines.stride + l * lines.line_stride);
  });
}

/// rows[j] = (x[j], 0).
template <class T>
void read_reals(const std::byte* from, const Lines& lines, const RowPlace& place, T* rows) {
  for_each_place(lines, [&](std::int64_t j, std::int64_t l) {
    T* to = rows + place(j, l);
    to[0] = read<T>(from + j * lines.stride + l * lines.line_stride);
    to[place.lanes] = T{0};
  });
}

template <class T>
void write_complex(const T* rows, const Lines& lines, const RowPlace& place, T re, T im, std::byte* to) {
  for_each_place(lines, [&](std::int64_t j, std::int64_t l) {
    const T* from = rows + place(j, l);
    std::byte* at = to + j * lines.stride + l * lines.line_stride;
    write(from[0] * re, at);
    write(from[place.lanes] * im, at + sizeof(T));
  });
}

template <class T>
void write_pairs(const T* rows, const Lines& lines, const RowPlace& place, T re, T im, std::byte* to) {
  for_each_place(lines, [&](std::int64_t j, std::int64_t l) {
    const std::int64_t i = lines.first + j;
    const T* from = rows + place(i / 2, l);
    write(i % 2 == 0 ? from[0] * re : from[place.lanes] * im, to + j * lines.stride + l * lines.line_stride);
  });
}

template <class T>
void write_reals(const T* rows, const Lines& lines, const RowPlace& place, T re, std::byte* to) {
  for_each_place(lines,
                 [&](std::int64_t j, std::int64_t l) { write(rows[place(j, l)] * re, to + j * lines.stride + l * lines.line_stride); });
}

}  // namespace crinkle::fft
