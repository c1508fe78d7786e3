// A line in many places, alone and among others: what tests compare byte for byte, on a CPU and on a GPU.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "fft/arrays.hpp"

namespace crinkle::fft::same_bits {

struct Elements {
  std::int64_t in, out;  // bytes
};

/// One transform of lines: what a request says but for where they lie.
struct Wish {
  FftKind kind = FftKind::complex_to_complex;
  FftReal real = FftReal::float32;
  FftDirection direction = FftDirection::forward;
  std::int64_t n = 1;
  std::int64_t n_given = 0;  // elements that are there, or 0: all
  FftShift shift = FftShift::none;

  bool is_real_in() const { return kind != FftKind::complex_to_complex && kind != FftKind::complex_to_real; }
  bool is_real_out() const { return kind != FftKind::complex_to_complex && kind != FftKind::real_to_complex; }
  std::int64_t part() const { return real == FftReal::float64 ? 8 : real == FftReal::float32 ? 4 : 2; }
  Elements bytes() const { return {part() * (is_real_in() ? 1 : 2), part() * (is_real_out() ? 1 : 2)}; }
  std::int64_t n_in() const { return n_given > 0 ? n_given : kind == FftKind::complex_to_real ? n / 2 + 1 : n; }
  std::int64_t n_out() const { return kind == FftKind::real_to_complex ? n / 2 + 1 : n; }

  std::string name() const {
    const char* kinds[] = {"complex", "real to complex", "complex to real", "cosine", "sine"};
    return std::string(kinds[static_cast<int>(kind)]) + ' ' + std::to_string(n) + " of parts of " + std::to_string(part()) + " bytes" +
           (direction == FftDirection::inverse ? ", inverse" : "") + (n_given > 0 ? ", padded" : "") +
           (shift != FftShift::none ? ", shifted" : "");
  }
};

/// Lines of an array along `axis`.
struct Place {
  const char* name;
  Layout in, out;
  std::size_t axis;
};

inline Layout layout_of(const Extents& extents, const Extents& strides, std::int64_t element, std::int64_t offset = 0) {
  return {extents, strides, offset, element};
}

// Side by side where beside > 1 elements of `size` bytes: the axis is the first; else the last one.
inline Layout columns(std::int64_t n, std::int64_t n_lines, std::int64_t size) { return Layout::dense({n, n_lines}, size); }

/// [n_lines][n]: rows, columns, rows with gaps, strided rows, rows backward, between two axes, an unaligned one.
inline std::vector<Place> places_of(const Wish& wish, std::int64_t n_lines) {
  const Elements b = wish.bytes();
  const auto both = [&](const char* name, std::size_t axis, const auto& layout) {
    return Place{name, layout(wish.n_in(), b.in), layout(wish.n_out(), b.out), axis};
  };
  std::vector<Place> places;
  const std::int64_t l = n_lines;
  places.push_back(both("rows", 1, [&](std::int64_t n, std::int64_t e) { return Layout::dense({l, n}, e); }));
  places.push_back(both("columns", 0, [&](std::int64_t n, std::int64_t e) { return columns(n, l, e); }));
  places.push_back({"rows to columns", layout_of({l, wish.n_in()}, {wish.n_in() * b.in, b.in}, b.in),
                    layout_of({l, wish.n_out()}, {b.out, l * b.out}, b.out), 1});
  places.push_back({"columns to rows", layout_of({l, wish.n_in()}, {b.in, l * b.in}, b.in),
                    layout_of({l, wish.n_out()}, {wish.n_out() * b.out, b.out}, b.out), 1});
  places.push_back(
      both("rows with gaps", 1, [&](std::int64_t n, std::int64_t e) { return layout_of({l, n}, {(n + 3) * e, e}, e, 2 * e); }));
  places.push_back(both("strided rows", 1, [&](std::int64_t n, std::int64_t e) { return layout_of({l, n}, {3 * n * e, 3 * e}, e, e); }));
  places.push_back(both("columns with gaps", 0, [&](std::int64_t n, std::int64_t e) { return layout_of({n, l}, {(l + 5) * e, e}, e); }));
  places.push_back(both("backward", 1, [&](std::int64_t n, std::int64_t e) { return layout_of({l, n}, {n * e, -e}, e, (n - 1) * e); }));
  places.push_back(
      both("columns backward", 0, [&](std::int64_t n, std::int64_t e) { return layout_of({n, l}, {-l * e, e}, e, (n - 1) * l * e); }));
  places.push_back(both("unaligned", 1, [&](std::int64_t n, std::int64_t e) { return layout_of({l, n}, {n * e + 1, e}, e, 1); }));
  if (l % 2 == 0)
    places.push_back(both("in the middle", 1, [&](std::int64_t n, std::int64_t e) { return Layout::dense({2, n, l / 2}, e); }));
  return places;
}

/// body(line, j, byte) of all elements.
template <class F>
void for_each_line(const Layout& layout, std::size_t axis, const F& body) {
  const std::int64_t n = layout.extents[axis], n_lines = layout.n_elements() / n;
  for (std::int64_t line = 0; line < n_lines; ++line) {
    std::int64_t byte = layout.offset, rest = line;
    for (std::size_t a = layout.extents.size(); a-- > 0;) {
      if (a == axis) continue;
      byte += rest % layout.extents[a] * layout.strides[a];
      rest /= layout.extents[a];
    }
    for (std::int64_t j = 0; j < n; ++j) body(line, j, byte + j * layout.strides[axis]);
  }
}

using Lines = std::vector<std::vector<std::byte>>;

inline FftRequest request_of(const Wish& wish, const Place& place) {
  FftRequest request{.in = place.in,
                     .out = place.out,
                     .axes = {static_cast<std::int64_t>(place.axis)},
                     .kind = wish.kind,
                     .direction = wish.direction,
                     .norm = FftNorm::ortho,
                     .real = wish.real,
                     .sizes = {},
                     .shift = wish.shift};
  if (wish.n_given > 0 || wish.kind == FftKind::complex_to_real) request.sizes = {wish.n};
  return request;
}

/// Lines into the bytes of an array, and those that are there.
inline void put_lines(const Layout& layout, std::size_t axis, const Lines& lines, std::byte* to) {
  for_each_line(layout, axis, [&](std::int64_t line, std::int64_t j, std::int64_t byte) {
    std::memcpy(to + byte, lines[at(line)].data() + j * layout.element_bytes, at(layout.element_bytes));
  });
}
inline Lines get_lines(const Layout& layout, std::size_t axis, const std::byte* from) {
  Lines got(at(layout.n_elements() / layout.extents[axis]));
  for_each_line(layout, axis, [&](std::int64_t line, std::int64_t, std::int64_t byte) {
    got[at(line)].insert(got[at(line)].end(), from + byte, from + byte + layout.element_bytes);
  });
  return got;
}

// Zeros of either sign are among the numbers.
inline Lines random_lines(const Wish& wish, std::int64_t n_lines) {
  std::mt19937 random(static_cast<unsigned>(wish.n));
  std::uniform_real_distribution<float> part(-1, 1);
  Lines lines(at(n_lines));
  const std::int64_t n_parts = wish.n_in() * (wish.is_real_in() ? 1 : 2);
  for (auto& line : lines) {
    line.resize(at(n_parts * wish.part()));
    for (std::int64_t i = 0; i < n_parts; ++i) {
      const float x = random() % 8 == 0 ? (random() % 2 == 0 ? 0.0F : -0.0F) : part(random);
      std::byte* const to = line.data() + i * wish.part();
      if (wish.real == FftReal::float16) put<Float16>(to, x, true);
      else if (wish.real == FftReal::float32) put<float>(to, x, true);
      else put<double>(to, x, true);
    }
  }
  return lines;
}

/// The lines of all places, compared with each alone. transform(plan, place, lines, is_in_place) are the lines that a plan makes of these.
template <class Transform>
void expect_same_bits(const Wish& wish, const Lines& lines, const std::vector<std::int64_t>& counts, Device device,
                      const Transform& transform) {
  const Elements b = wish.bytes();
  const Place alone{"alone", Layout::dense({wish.n_in()}, b.in), Layout::dense({wish.n_out()}, b.out), 0};
  const FftPlan plan_alone(request_of(wish, alone), device);
  Lines want;
  for (const auto& line : lines) want.push_back(transform(plan_alone, alone, Lines{line}, false)[0]);
  for (const std::int64_t n_lines : counts) {
    for (const Place& place : places_of(wish, n_lines)) {
      const bool may_be_in_place = place.in == place.out && wish.n_given == 0 && wish.kind != FftKind::complex_to_real;
      const FftPlan plan(request_of(wish, place), device);
      for (const bool is_in_place : {false, true}) {
        if (is_in_place && !may_be_in_place) continue;
        const Lines got = transform(plan, place, lines, is_in_place);
        for (std::int64_t l = 0; l < n_lines; ++l) {
          ASSERT_TRUE(got[at(l)] == want[at(l)])
              << wish.name() << ": line " << l << " of " << n_lines << ", " << place.name << (is_in_place ? ", in place" : "") << '\n'
              << plan.describe() << plan_alone.describe();
        }
      }
    }
  }
}

inline constexpr FftKind kinds[] = {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real, FftKind::cosine,
                                    FftKind::sine};

}  // namespace crinkle::fft::same_bits
