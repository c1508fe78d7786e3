// Kernels that know their plan, walked through on a CPU: each number has the bits of the library's kernel for any length, and those are
// near to the definition. Lines and threads that are not whole, places with gaps, rows, columns, groups of a warp, parts exchanged one
// after the other, convolutions that go back the way they came and others.
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cluster.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <numbers>
#include <random>

#include "fft/at.hpp"
#include "fft/chirp.hpp"
#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "fft/cuda/known.cuh"
#include "fft/cuda/lines.cuh"
#pragma GCC diagnostic pop
#include "fft/cuda/stages.hpp"
#include "fft/rader.hpp"
#include "fft/roots.hpp"
#include "kernels/staged.hpp"

namespace crinkle::fft::kernel {
char all_shared[1 << 18], shared[1 << 18];
}

namespace crinkle::fft::known_lines_test {
namespace {

namespace walk = crinkle::testing::walk;

enum class Way : std::uint8_t { direct, through_cells, rader, bluestein, from_real, to_real, rader_from_real, rader_to_real };

/// How a kernel goes about lines, all numbers of the wrong kind but these.
struct Shape {
  std::uint32_t lanes = 1, threads = 64, group = 64;
  bool are_columns = false, are_apart = false;
  std::uint32_t pad = 0, by = 0;
  int part = 0;  // bytes in memory: 2 of float16, else 0
  std::uint32_t cluster = 1;
  bool are_rows_out = false, is_twisted = false;  // of columns: written one behind the other, and multiplied by roots
};

template <class T_, Way way, Shape shape, int n_, int n_elements, int... rs>
struct Planned {
  using T = T_;
  static constexpr bool is_from_real = way == Way::from_real || way == Way::rader_from_real,
                        is_to_real = way == Way::to_real || way == Way::rader_to_real;
  static constexpr KnownRadices radices{sizeof...(rs), {rs...}};
  static constexpr std::uint32_t n = n_, n_out = n_elements, lanes = shape.lanes, threads = shape.threads, group = shape.group,
                                 cluster = shape.cluster;
  static constexpr KnownPlaces places(int) {
    return {shape.pad, shape.by, n + (shape.pad == 0 ? 0 : n / (shape.pad == 0 ? 1 : shape.pad) * shape.by) + 3};
  }
  static constexpr KnownPlaces places_back(int i) { return places(i); }
  static constexpr int n_blocks = 1, n_loops = 0, fetched = 0;
  static constexpr int firsts = static_cast<int>(lanes * places(0).stride * sizeof(Number<T>));
  static constexpr int in_part = shape.part == 0 ? sizeof(T) : shape.part, out_part = in_part;
  static constexpr bool are_columns = shape.are_columns, are_apart = shape.are_apart, reads = way == Way::direct || way == Way::from_real,
                        writes = way == Way::direct || way == Way::to_real;
  static constexpr bool are_ordered = way == Way::rader || way == Way::rader_from_real || way == Way::rader_to_real;
  static constexpr bool are_convolved = are_ordered || way == Way::bluestein;
  static constexpr int last = radices.of[radices.n - 1];
  static constexpr bool is_sum = kernel::smallest_factor(last) == last && most_held < last;  // has_sums
  static constexpr bool goes_back = are_convolved && !is_sum, may_be_twisted = shape.is_twisted;
  static constexpr bool are_numbers_in = in_part == sizeof(T) && !is_from_real && !is_to_real, are_numbers_out = are_numbers_in;
  static CudaEnds<T> ends(const CudaLines<T>& lines) {  // pairs that follow each other are numbers
    CudaEnds<T> e = lines.ends;
    if (is_from_real && reads) e.in *= 2, e.n_in = e.n;
    if (is_to_real && writes) e.out *= 2;
    return e;
  }
  static CudaLoop lane(const CudaLines<T>& lines) { return lines.lane; }
  static bool lanes_first_in(const CudaLines<T>&) { return are_columns; }
  static constexpr bool are_columns_out = are_columns && !shape.are_rows_out, is_twisted = shape.is_twisted;
  static bool lanes_first_out(const CudaLines<T>&) { return are_columns_out; }
};

template <class T>
std::vector<Number<T>> numbers_of(const std::vector<Root<double>>& roots) {
  std::vector<Number<T>> numbers;
  for (const Root<double>& w : roots) numbers.push_back({static_cast<T>(w.re), static_cast<T>(w.im)});
  return numbers;
}

/// Lines of n elements, an array of them, and what kernels are told.
template <class P>
struct Case {
  using T = typename P::T;
  static constexpr std::int64_t n = P::n_out, element = 2 * P::in_part, n_lines = 2 * P::lanes + 1;
  static constexpr bool is_real = P::is_from_real || P::is_to_real;
  static constexpr std::int64_t n_in = n + (P::is_to_real ? 1 : 0), n_out = n + (P::is_from_real ? 1 : 0);  // numbers of a line
  std::vector<std::byte> in, out, other;
  std::vector<Number<T>> tables, kernel, chirp, folds, low, high;
  std::vector<std::uint32_t> order;
  Radices radices{P::radices.of, P::radices.of + P::radices.n};
  CudaLines<T> lines;

  Case() : in(at(n_in * n_lines * element)), out(at(n_out * n_lines * element), std::byte{0x5A}), other(out) {
    std::mt19937 random(static_cast<unsigned>(n));
    std::uniform_real_distribution<T> uniform(-1, 1);
    for (std::int64_t i = 0; i < 2 * n_in * n_lines; ++i) {
      const T x = uniform(random);
      if constexpr (P::in_part == 2) {
        const Half half(x);
        std::memcpy(in.data() + 2 * i, &half, 2);
      } else {
        std::memcpy(in.data() + std::int64_t{sizeof(T)} * i, &x, sizeof(T));
      }
    }
    lines.n = P::n;
    add_stages(radices, 1, lines, tables);
    if (P::are_convolved) {
      add_stages(radices_back(radices), 1, lines, tables);
      lines.n_stages /= 2;
    }
    if (P::are_ordered) {
      const Rader rader = rader_of(n);
      kernel = numbers_of<T>(rader.kernel);
      order.resize(at(n));
      for (std::int64_t q = 0; q + 1 < n; ++q) {
        order[at(rader.powers[at(q)])] += static_cast<std::uint32_t>(q);
        order[at(rader.powers[at((n - 1 - q) % (n - 1))])] += static_cast<std::uint32_t>(q) << 16;
      }
      lines.order = order.data();
    } else if (P::are_convolved) {
      const Chirp made = chirp_of(n, P::n);
      kernel = numbers_of<T>(made.kernel);
      chirp = numbers_of<T>(made.numbers);
      lines.ends.chirp_in = lines.ends.chirp_out = chirp.data();
    }
    if (P::are_convolved) lines.kernel = kernel.data();
    lines.tables = tables.data();
    CudaEnds<T>& e = lines.ends;
    e.n = e.n_in = e.n_out = n;
    e.in_part = e.out_part = P::in_part;
    e.in_unit = e.out_unit = static_cast<std::int32_t>(element);
    e.in = P::are_columns ? n_lines * element : element;
    e.out = P::are_columns_out ? n_lines * element : element;
    e.im_in = T{-1};
    e.re = T{0.5};
    e.im = T{0.5};
    lines.lane = {n_lines, P::are_columns ? element : n_in * element, P::are_columns_out ? element : n_out * element};
    if (is_real) {
      for (std::int64_t k = 0; k <= n; ++k) {
        const Root<T> w = root<T>(k, 2 * n);
        folds.push_back({w.im, -w.re});
      }
      e.fold = folds.data();
      e.in_kind = P::is_from_real ? CudaIn::pairs : CudaIn::folded;
      e.out_kind = P::is_from_real ? CudaOut::folded : CudaOut::pairs;
      e.n_in = P::is_from_real ? 2 * n : n + 1;
      e.n_out = P::is_from_real ? n + 1 : 2 * n;
      (P::is_from_real ? e.in : e.out) = P::in_part;
      if (P::is_to_real) e.im = T{-0.5};
      else e.im_in = T{1};
    }
    lines.twist_loop = P::is_twisted ? 0 : -1;
    if (P::is_twisted) {
      lines.twist_bits = 6;
      for (std::int64_t k = 0; k < 64; ++k) low.push_back({root<T>(k, n * n_lines).re, root<T>(k, n * n_lines).im});
      for (std::int64_t k = 0; k * 64 < n * n_lines; ++k)
        high.push_back({root<T>(64 * k, n * n_lines).re, root<T>(64 * k, n * n_lines).im});
      lines.twist_low = low.data();
      lines.twist_high = high.data();
    }
  }

  void walk_known() {
    lines.n_lanes = P::lanes;
    count_blocks(lines);
    std::memset(kernel::all_shared, 0xFF, sizeof(kernel::all_shared));
    const auto transform = [&] {
      kernel::transform_lines<P>(lines, 0, reinterpret_cast<const char*>(in.data()), reinterpret_cast<char*>(out.data()));
    };
    walk::launch(static_cast<std::uint32_t>(lines.n_blocks) * P::cluster, P::threads, transform, P::cluster);
  }
  void walk_any() {
    CudaLines<T> any = lines;
    any.n_lanes = 1;
    count_blocks(any);
    any.cell_stride = static_cast<std::int32_t>(2 * P::n + 40);
    any.by_lanes = division_by(1);
    any.by_n = division_by(P::n);
    any.by_in = division_by(P::is_to_real ? n / 2 + 1 : P::are_ordered ? n : P::n);
    any.by_put = division_by(P::is_from_real ? n / 2 + 1 : n);
    any.n_put = static_cast<std::int32_t>(n);
    for (std::size_t i = 0; i < most_stages; ++i)
      if (any.stages[i].n_butterflies > 0) any.stages[i].by_columns = division_by(any.stages[i].n_butterflies);
    const auto threads = static_cast<std::uint32_t>(cuda_threads(radices, P::n, 1));
    std::memset(kernel::shared, 0xFF, sizeof(kernel::shared));
    walk::launch(static_cast<std::uint32_t>(any.n_blocks), threads, [&] {
      const char* const from = reinterpret_cast<const char*>(in.data());
      char* const to = reinterpret_cast<char*>(other.data());
      transform_staged(radices, any, from, to);
    });
  }
  std::complex<double> element_of(const std::vector<std::byte>& array, std::int64_t line, std::int64_t j) const {
    const bool is_in = &array == &in;
    const std::byte* const from =
        array.data() + line * (is_in ? lines.lane.in : lines.lane.out) + j * (is_in ? lines.ends.in : lines.ends.out);
    const Number<T> x = kernel::whole_number<T>(reinterpret_cast<const char*>(from), P::in_part);
    return {x.re, x.im};
  }
  // Of some lines, in the L2 norm: 0.5 · DFT of the conjugates.
  double error() const {
    double off = 0, size = 0;
    for (const std::int64_t line : {std::int64_t{0}, n_lines - 1}) {
      for (std::int64_t k = 0; k < n; ++k) {
        std::complex<double> sum = 0;
        for (std::int64_t j = 0; j < n; ++j)
          sum += std::conj(element_of(in, line, j)) * std::polar(0.5, -2 * std::numbers::pi * static_cast<double>(j * k % n) / n);
        off += std::norm(element_of(out, line, k) - sum);
        size += std::norm(sum);
      }
    }
    return std::sqrt(off / size);
  }
};

template <class P>
void expect_bits_of_any() {
  Case<P> c;
  c.walk_known();
  c.walk_any();
  EXPECT_TRUE(c.out == c.other) << P::n_out << " numbers";
  if (Case<P>::is_real || P::is_twisted) return;
  EXPECT_LT(c.error(), P::in_part == 2 ? 1e-3 : P::in_part == 4 ? 5e-7 : 1e-15) << P::n_out << " numbers";
}

constexpr Shape rows{3, 64, 64}, gaps{2, 64, 64, false, false, 5, 2}, columns{4, 64, 64, true}, apart{2, 64, 64, false, true, 7, 1},
    warps{4, 64, 32}, half{3, 64, 64, false, false, 0, 0, 2}, half_columns{4, 64, 64, true, false, 0, 0, 2}, lines_of_threads{64, 64, 64},
    of_two{4, 64, 64, true, false, 7, 1, 0, 2}, of_four{2, 32, 32, true, false, 0, 0, 0, 4},
    in_rows{4, 64, 64, true, false, 16, 1, 0, 2, true}, twisted{4, 64, 64, true, false, 16, 1, 0, 4, true, true};

TEST(KnownLines, whose_butterflies_read_and_write) {
  expect_bits_of_any<Planned<float, Way::direct, rows, 60, 60, 10, 6>>();
  expect_bits_of_any<Planned<float, Way::direct, gaps, 100, 100, 10, 10>>();
  expect_bits_of_any<Planned<float, Way::direct, columns, 96, 96, 12, 8>>();
  expect_bits_of_any<Planned<double, Way::direct, apart, 105, 105, 7, 5, 3>>();
  expect_bits_of_any<Planned<float, Way::direct, warps, 36, 36, 6, 6>>();
  expect_bits_of_any<Planned<float, Way::direct, rows, 34, 34, 2, 17>>();
}

TEST(KnownLines, of_radices_above_16) {
  expect_bits_of_any<Planned<float, Way::direct, rows, 600, 600, 25, 6, 4>>();
  expect_bits_of_any<Planned<float, Way::direct, columns, 630, 630, 30, 21>>();
  expect_bits_of_any<Planned<float, Way::direct, gaps, 540, 540, 27, 20>>();
  expect_bits_of_any<Planned<float, Way::direct, apart, 616, 616, 28, 22>>();
  expect_bits_of_any<Planned<float, Way::through_cells, rows, 18, 18, 18>>();
  expect_bits_of_any<Planned<float, Way::from_real, rows, 432, 432, 24, 18>>();
  expect_bits_of_any<Planned<float, Way::rader, rows, 420, 421, 30, 14>>();
  expect_bits_of_any<Planned<float, Way::rader, rows, 460, 461, 20, 23>>();
  expect_bits_of_any<Planned<float, Way::bluestein, rows, 108, 53, 27, 4>>();
  expect_bits_of_any<Planned<float, Way::bluestein, gaps, 468, 229, 26, 18>>();
}

// Each has a part of every line.
TEST(KnownLines, of_several_blocks_together) {
  expect_bits_of_any<Planned<float, Way::direct, of_two, 1024, 1024, 16, 8, 8>>();
  expect_bits_of_any<Planned<float, Way::direct, of_four, 2048, 2048, 16, 16, 8>>();
  expect_bits_of_any<Planned<double, Way::direct, of_four, 512, 512, 8, 8, 8>>();
  expect_bits_of_any<Planned<double, Way::direct, of_two, 512, 512, 8, 8, 8>>();
  expect_bits_of_any<Planned<float, Way::direct, in_rows, 1024, 1024, 16, 8, 8>>();
  expect_bits_of_any<Planned<float, Way::direct, twisted, 1024, 1024, 16, 8, 8>>();
}

TEST(KnownLines, of_real_numbers) {
  expect_bits_of_any<Planned<float, Way::from_real, rows, 60, 60, 10, 6>>();
  expect_bits_of_any<Planned<double, Way::from_real, gaps, 105, 105, 7, 5, 3>>();
  expect_bits_of_any<Planned<float, Way::to_real, rows, 60, 60, 10, 6>>();
  expect_bits_of_any<Planned<double, Way::to_real, gaps, 105, 105, 7, 5, 3>>();
  expect_bits_of_any<Planned<float, Way::rader_from_real, rows, 60, 61, 10, 6>>();
  expect_bits_of_any<Planned<float, Way::rader_to_real, rows, 60, 61, 10, 6>>();
}

TEST(KnownLines, of_float16) {
  expect_bits_of_any<Planned<float, Way::direct, half, 60, 60, 10, 6>>();
  expect_bits_of_any<Planned<float, Way::direct, half_columns, 96, 96, 12, 8>>();
}

TEST(KnownLines, that_go_through_shared_memory) {
  expect_bits_of_any<Planned<float, Way::through_cells, rows, 13, 13, 13>>();
  expect_bits_of_any<Planned<double, Way::through_cells, columns, 31, 31, 31>>();
  expect_bits_of_any<Planned<float, Way::through_cells, gaps, 105, 105, 7, 5, 3>>();
  expect_bits_of_any<Planned<float, Way::through_cells, lines_of_threads, 47, 47, 47>>();
}

TEST(KnownLines, of_primes_by_rader) {
  expect_bits_of_any<Planned<float, Way::rader, rows, 36, 37, 6, 6>>();
  expect_bits_of_any<Planned<float, Way::rader, gaps, 60, 61, 10, 6>>();
  expect_bits_of_any<Planned<double, Way::rader, columns, 42, 43, 7, 6>>();
  expect_bits_of_any<Planned<float, Way::rader, rows, 46, 47, 2, 23>>();
  expect_bits_of_any<Planned<double, Way::rader, apart, 210, 211, 7, 6, 5>>();
}

TEST(KnownLines, of_primes_by_bluestein) {
  expect_bits_of_any<Planned<float, Way::bluestein, rows, 96, 47, 12, 8>>();
  expect_bits_of_any<Planned<double, Way::bluestein, columns, 120, 53, 10, 4, 3>>();
  expect_bits_of_any<Planned<float, Way::bluestein, apart, 128, 61, 16, 8>>();
}

}  // namespace
}  // namespace crinkle::fft::known_lines_test
