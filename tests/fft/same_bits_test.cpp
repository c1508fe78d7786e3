// A line has the same bits alone, among others, side by side with them, strided, backward, in place: byte for byte.
// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "fft/arrays.hpp"
#include "support/drawn.hpp"
#include "support/threads.hpp"

namespace crinkle::fft::same_bits_test {
namespace {

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

Layout layout_of(const Extents& extents, const Extents& strides, std::int64_t element, std::int64_t offset = 0) {
  return {extents, strides, offset, element};
}

// Side by side where beside > 1 elements of `size` bytes: the axis is the first; else the last one.
Layout columns(std::int64_t n, std::int64_t n_lines, std::int64_t size) { return Layout::dense({n, n_lines}, size); }

/// [n_lines][n]: rows, columns, rows with gaps, strided rows, rows backward, between two axes, an unaligned one.
std::vector<Place> places_of(const Wish& wish, std::int64_t n_lines) {
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

FftRequest request_of(const Wish& wish, const Place& place) {
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

Lines transformed_lines(const FftPlan& plan, const Place& place, const Lines& lines, bool is_in_place = false) {
  Bytes src(bytes_of(place.in)), dst(bytes_of(place.out));
  for_each_line(place.in, place.axis, [&](std::int64_t line, std::int64_t j, std::int64_t byte) {
    std::memcpy(src.data() + byte, lines[at(line)].data() + j * place.in.element_bytes, at(place.in.element_bytes));
  });
  Threads executor(1 + static_cast<int>(place.in.n_elements() % 3));
  run(plan, src.buffer(), is_in_place ? src.buffer() : dst.buffer(), executor);
  Bytes& result = is_in_place ? src : dst;
  EXPECT_TRUE(result.is_intact_around());
  Lines got(at(place.out.n_elements() / place.out.extents[place.axis]));
  for_each_line(place.out, place.axis, [&](std::int64_t line, std::int64_t, std::int64_t byte) {
    got[at(line)].insert(got[at(line)].end(), result.data() + byte, result.data() + byte + place.out.element_bytes);
  });
  return got;
}

// Zeros of either sign are among the numbers.
Lines random_lines(const Wish& wish, std::int64_t n_lines) {
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

/// The lines of all places, compared with each alone.
void expect_same_bits(const Wish& wish, const std::vector<std::int64_t>& counts) {
  const std::int64_t most = *std::max_element(counts.begin(), counts.end());
  const Lines lines = random_lines(wish, most);
  const Elements b = wish.bytes();
  const Place alone{"alone", Layout::dense({wish.n_in()}, b.in), Layout::dense({wish.n_out()}, b.out), 0};
  const FftPlan plan_alone(request_of(wish, alone));
  Lines want;
  for (std::int64_t l = 0; l < most; ++l) want.push_back(transformed_lines(plan_alone, alone, {lines[at(l)]})[0]);
  for (const std::int64_t n_lines : counts) {
    for (const Place& place : places_of(wish, n_lines)) {
      const bool may_be_in_place = place.in == place.out && wish.n_given == 0 && wish.kind != FftKind::complex_to_real;
      const FftPlan plan(request_of(wish, place));
      for (const bool is_in_place : {false, true}) {
        if (is_in_place && !may_be_in_place) continue;
        const Lines got = transformed_lines(plan, place, lines, is_in_place);
        for (std::int64_t l = 0; l < n_lines; ++l) {
          ASSERT_TRUE(got[at(l)] == want[at(l)])
              << wish.name() << ": line " << l << " of " << n_lines << ", " << place.name << (is_in_place ? ", in place" : "") << '\n'
              << plan.describe() << plan_alone.describe();
        }
      }
    }
  }
}

constexpr FftKind kinds[] = {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real, FftKind::cosine,
                             FftKind::sine};

void expect_kinds(FftReal real, const std::vector<std::int64_t>& lengths, const std::vector<std::int64_t>& counts) {
  for (const std::int64_t n : lengths) {
    for (const FftKind kind : kinds) {
      const auto direction = n % 2 == static_cast<int>(kind) % 2 ? FftDirection::inverse : FftDirection::forward;
      expect_same_bits({.kind = kind, .real = real, .direction = direction, .n = n}, counts);
    }
  }
}

// Short ones; powers of two; products; primes by sums, by Rader's convolution and by Bluestein's.
const std::vector<std::int64_t> lengths = {1,   2,   3,   4,   7,   8,   12,  15,   16,   31,   32,   48,   61,   62,   64,  67,
                                           77,  80,  96,  97,  100, 101, 107, 112,  122,  127,  128,  144,  194,  240,  256, 270,
                                           360, 375, 427, 500, 536, 729, 960, 1000, 1008, 1009, 1024, 1147, 2018, 4096, 4100};

TEST(SameBits, complex_lines_of_float32) {
  for (const std::int64_t n : lengths)
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse})
      expect_same_bits({.direction = direction, .n = n}, {1, 2, 7, 8, 9, 64});
}
TEST(SameBits, complex_lines_of_float64) {
  for (const std::int64_t n : lengths) expect_same_bits({.real = FftReal::float64, .n = n}, {1, 2, 3, 4, 5, 64});
}

TEST(SameBits, every_kind_of_float32) { expect_kinds(FftReal::float32, lengths, {1, 3, 8, 18}); }
TEST(SameBits, every_kind_of_float64) { expect_kinds(FftReal::float64, lengths, {1, 3, 4, 18}); }
TEST(SameBits, every_kind_of_float16) { expect_kinds(FftReal::float16, {7, 12, 64, 100, 101, 127, 360, 1000, 1009, 1024}, {1, 3, 8, 18}); }

TEST(SameBits, lengths_drawn_at_random) {
  std::mt19937 random(53);
  for (int i = 0; i < 40; ++i) {
    const FftKind kind = kinds[random() % std::size(kinds)];
    const auto n = static_cast<std::int64_t>(1 + random() % (i % 4 == 0 ? 6000 : 700));
    expect_same_bits({.kind = kind, .real = random() % 2 == 0 ? FftReal::float32 : FftReal::float64, .n = n}, {1, 9, 16});
  }
}

TEST(SameBits, padded_cropped_and_shifted_lines) {
  for (const std::int64_t n : {12, 64, 100, 101, 360, 1000, 1009}) {
    for (const FftReal real : {FftReal::float32, FftReal::float64}) {
      for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
        for (const FftKind kind : kinds) {
          for (const std::int64_t n_given : {n / 3, n + 5})
            expect_same_bits({.kind = kind, .real = real, .direction = direction, .n = n, .n_given = n_given}, {1, 9});
        }
        for (const FftShift shift : {FftShift::input, FftShift::output, FftShift::both})
          expect_same_bits({.real = real, .direction = direction, .n = n, .shift = shift}, {1, 9});
      }
    }
  }
}

// 65537 is a prime; complex lines of 1 MiB and more go twice through memory where N is a multiple of lanes².
TEST(SameBits, long_lines) {
  for (const std::int64_t n : {10007, 65536, 65537}) {
    for (const FftKind kind : {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real})
      expect_same_bits({.kind = kind, .n = n}, {kind == FftKind::complex_to_real ? 1 : 9});
    expect_same_bits({.real = FftReal::float64, .n = n}, {5});
  }
}
TEST(SameBits, lines_of_a_mebibyte_and_more) {
  for (const std::int64_t n : {131072, 140625, 153664}) {
    for (const FftKind kind : {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real})
      expect_same_bits({.kind = kind, .n = n}, {1, 2});
    if (n != 131072 && testing::drawn(5) < 5) continue;  // these take minutes: ./test.sh long
    expect_same_bits({.direction = FftDirection::inverse, .n = n}, {9});
    for (const FftShift shift : {FftShift::input, FftShift::output, FftShift::both}) expect_same_bits({.n = n, .shift = shift}, {1, 2});
    expect_same_bits({.direction = FftDirection::inverse, .n = n, .n_given = n / 2 + 1, .shift = FftShift::both}, {1, 2});
    expect_same_bits({.real = FftReal::float64, .direction = FftDirection::inverse, .n = n}, {1, 5});
    expect_same_bits({.real = FftReal::float16, .n = n}, {1, 9});
  }
}

// A number that is not finite, and what comes of it.
TEST(SameBits, zeros_and_numbers_that_are_not_finite) {
  for (const std::int64_t n : {64, 100, 1000}) {
    const Wish wish{.n = n};
    Lines lines = random_lines(wish, 9);
    for (auto& line : lines) std::fill(line.begin(), line.end(), std::byte{0});
    put<float>(lines[0].data(), {INFINITY, 0}, false);
    put<float>(lines[1].data() + 8 * (n - 1), {0, -INFINITY}, false);
    put<float>(lines[2].data(), {-0.0F, -0.0F}, false);
    put<float>(lines[3].data() + 8 * (n / 2), {0, 1}, false);
    const Place alone{"alone", Layout::dense({n}, 8), Layout::dense({n}, 8), 0}, rows = places_of(wish, 9)[0],
                                                                                 beside = places_of(wish, 9)[1];
    const FftPlan plan_alone(request_of(wish, alone));
    const Lines of_rows = transformed_lines(FftPlan(request_of(wish, rows)), rows, lines),
                of_columns = transformed_lines(FftPlan(request_of(wish, beside)), beside, lines);
    for (std::int64_t l = 0; l < 9; ++l) {
      const std::vector<std::byte> want = transformed_lines(plan_alone, alone, {lines[at(l)]})[0];
      for (const Lines* got : {&of_rows, &of_columns}) {
        for (std::int64_t i = 0; i < 2 * n; ++i) {
          float a = 0, b = 0;
          std::memcpy(&a, want.data() + 4 * i, 4);
          std::memcpy(&b, (*got)[at(l)].data() + 4 * i, 4);
          ASSERT_TRUE((std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, 4) == 0) << n << ", line " << l << ", part " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace crinkle::fft::same_bits_test
