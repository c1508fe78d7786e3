// Convolutions that no block holds, for walks of kernels: arrays of lines, tables, the definition, and all steps by the library's kernels.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cluster.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <numbers>
#include <random>

#include "fft/at.hpp"
#include "fft/chirp.hpp"
#include "fft/cuda/convolution.hpp"
#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "fft/cuda/known.cuh"
#include "fft/cuda/lines.cuh"
#include "fft/cuda/rows.cuh"
#pragma GCC diagnostic pop
#include "fft/cuda/stages.hpp"
#include "fft/roots.hpp"

namespace crinkle::fft::kernel {
extern char all_shared[1 << 18], shared[1 << 18];
}

namespace crinkle::fft::convolutions {

namespace walk = crinkle::testing::walk;
using Complex = std::complex<double>;

enum class Kind : std::uint8_t { complex, from_real, to_real };

/// Lines of N elements and what is read of them: n_given, from place `shift` on.
struct Wish {
  Kind kind = Kind::complex;
  std::int64_t n = 1, n_given = 0, shift = 0;
  std::vector<std::int64_t> parts;
  int part_bytes = 0;  // 2 of float16
};

template <class T>
std::vector<Number<T>> numbers_of(const std::vector<Root<double>>& roots) {
  std::vector<Number<T>> numbers;
  for (const Root<double>& w : roots) numbers.push_back({static_cast<T>(w.re), static_cast<T>(w.im)});
  return numbers;
}

/// Some lines, an array of them and one of their results, the ends of their transforms, and tables.
template <class T>
struct Case {
  static constexpr std::int64_t n_lines = 2, number = sizeof(Number<T>);
  Wish wish;
  std::int64_t n, m = 1, part, in_line, out_line;
  CudaEnds<T> ends;
  std::vector<std::byte> in, out;
  std::vector<Number<T>> kernel, chirp, folds, rows[2];
  std::vector<ConvolutionStep<T>> steps;

  explicit Case(const Wish& of, ConvolutionWay way = ConvolutionWay::joined)
      : wish(of), n(of.kind != Kind::complex && of.n % 2 == 0 ? of.n / 2 : of.n) {
    const bool is_half = n != of.n;
    part = of.part_bytes == 0 ? std::int64_t{sizeof(T)} : of.part_bytes;
    const std::int64_t in_element = of.kind == Kind::from_real ? part : 2 * part, out_element = of.kind == Kind::to_real ? part : 2 * part;
    CudaEnds<T>& e = ends;
    e.n = n;
    e.n_in = of.n_given > 0 ? of.n_given : of.kind == Kind::to_real ? of.n / 2 + 1 : of.n;
    e.n_out = of.kind == Kind::from_real ? of.n / 2 + 1 : of.n;
    e.in_part = e.out_part = static_cast<std::int32_t>(part);
    e.in_unit = e.out_unit = static_cast<std::int32_t>(part);
    e.in = in_element;
    e.out = out_element;
    e.in_shift = of.shift;
    e.re = e.im = T{0.5};
    if (of.kind == Kind::from_real) {
      e.in_kind = is_half ? CudaIn::pairs : CudaIn::reals;
      e.out_kind = is_half ? CudaOut::folded : CudaOut::halves;
      if (is_half) e.re = e.im = T{0.25};
    } else if (of.kind == Kind::to_real) {
      e.in_kind = is_half ? CudaIn::folded : CudaIn::mirrored;
      e.out_kind = is_half ? CudaOut::pairs : CudaOut::reals;
      e.im_in = T{-1};
      e.im = T{-0.5};
    }
    in_line = e.n_in * in_element + 2 * part;
    out_line = e.n_out * out_element + 4 * part;
    in.resize(at(n_lines * in_line));
    out.assign(at(n_lines * out_line), std::byte{0x5A});
    std::mt19937 random(static_cast<unsigned>(of.n));
    std::uniform_real_distribution<T> uniform(-1, 1);
    for (std::int64_t i = 0; i < n_lines * in_line / part; ++i) {
      const T x = uniform(random);
      const Half half(static_cast<float>(x));
      std::memcpy(in.data() + i * part, part == 2 ? static_cast<const void*>(&half) : &x, at(part));
    }
    for (const std::int64_t of_m : of.parts) m *= of_m;
    const Chirp made = chirp_of(n, m);
    kernel = numbers_of<T>(made.kernel);
    chirp = numbers_of<T>(made.numbers);
    for (std::int64_t k = 0; k <= n; ++k) {
      const Root<T> w = root<T>(k, of.n);
      folds.push_back({w.im, -w.re});
    }
    for (auto& row : rows) row.assign(at(n_lines * m), {7, 7});
    steps = convolution_steps<T>(ends, of.parts, way);
  }

  double value(const std::vector<std::byte>& array, std::int64_t byte) const {
    T x;
    Half half;
    std::memcpy(part == 2 ? static_cast<void*>(&half) : &x, array.data() + byte, at(part));
    return part == 2 ? static_cast<double>(static_cast<float>(half)) : static_cast<double>(x);
  }
  Complex element(std::int64_t line, std::int64_t j) const {  // of the array, before its transform
    if (j >= ends.n_in) return 0;
    const std::int64_t byte = line * in_line + (j + wish.shift) % ends.n_in * ends.in;
    return {value(in, byte), wish.kind == Kind::from_real ? 0 : value(in, byte + part)};
  }
  // In the L2 norm, of all lines.
  double error() const {
    double off = 0, size = 0;
    const std::int64_t N = wish.n;
    const double sign = wish.kind == Kind::to_real ? 1 : -1;
    for (std::int64_t line = 0; line < n_lines; ++line) {
      for (std::int64_t k = 0; k < ends.n_out; ++k) {
        Complex sum = 0;
        for (std::int64_t j = 0; j < N; ++j) {
          Complex x = wish.kind == Kind::to_real && 2 * j > N ? std::conj(element(line, N - j)) : element(line, j);
          if (wish.kind == Kind::to_real && (j == 0 || 2 * j == N)) x = x.real();
          sum += x * std::polar(0.5, sign * 2 * std::numbers::pi * static_cast<double>(j * k % N) / static_cast<double>(N));
        }
        const std::int64_t byte = line * out_line + k * ends.out;
        const Complex got{value(out, byte), wish.kind == Kind::to_real ? 0 : value(out, byte + part)};
        if (wish.kind == Kind::to_real) sum = sum.real();
        off += std::norm(got - sum);
        size += std::norm(sum);
      }
    }
    return std::sqrt(off / size);
  }
};

/// The lines of step j, as a plan tells kernels of them, and their tables.
template <class T>
struct Lines {
  CudaLines<T> lines;
  Radices radices;
  std::vector<Number<T>> tables, low, high;
  const char* from;
  char* to;

  Lines(Case<T>& c, std::size_t j) {
    const ConvolutionStep<T>& step = c.steps[j];
    lines = step.lines;
    radices = cuda_radices<T>(lines.n);
    add_stages(radices, 1, lines, tables);
    if (step.is_convolved) {
      add_stages(radices, 1, lines, tables);
      lines.n_stages /= 2;
      lines.kernel = c.kernel.data();
    }
    tables.push_back({});  // never none
    lines.tables = tables.data();
    lines.lane = {step.along.extent, step.along.in, step.along.out};
    lines.twist_loop = step.twisted > 0 || step.writes_array ? 0 : -1;
    const std::int64_t row = c.m * c.number;
    lines.loops.n = 2;
    lines.loops.loops[0] = {c.n_lines, step.reads_array ? c.in_line : row, step.writes_array ? c.out_line : row};
    lines.loops.loops[1] = {step.other.extent, step.other.in, step.other.out};
    lines.lanes_first_in = std::abs(lines.lane.in) < std::abs(lines.ends.in);
    lines.lanes_first_out = std::abs(lines.lane.out) < std::abs(lines.ends.out);
    lines.ends.fold = c.folds.data();
    if (step.reads_array) lines.ends.chirp_in = c.chirp.data();
    if (step.writes_array) lines.ends.chirp_out = c.chirp.data();
    if (!step.reads_array) lines.ends.in_unit = static_cast<std::int32_t>(c.number);
    if (!step.writes_array) lines.ends.out_unit = static_cast<std::int32_t>(c.number);
    if (step.twisted > 0) {
      lines.twist_bits = 3;
      for (std::int64_t k = 0; k < 8; ++k) low.push_back({root<T>(k, step.twisted).re, root<T>(k, step.twisted).im});
      for (std::int64_t k = 0; k * 8 < step.twisted; ++k)
        high.push_back({root<T>(8 * k, step.twisted).re, root<T>(8 * k, step.twisted).im});
      lines.twist_low = low.data();
      lines.twist_high = high.data();
    }
    from = step.reads_array ? reinterpret_cast<const char*>(c.in.data()) : reinterpret_cast<const char*>(c.rows[(j + 1) % 2].data());
    to = step.writes_array ? reinterpret_cast<char*>(c.out.data()) : reinterpret_cast<char*>(c.rows[j % 2].data());
  }

  void walk_any(std::int32_t n_lanes) {
    CudaLines<T> any = lines;
    any.n_lanes = n_lanes;
    count_blocks(any);
    any.cell_stride = static_cast<std::int32_t>(2 * any.n + 40);
    any.n_put = static_cast<std::int32_t>(any.part_out > 0 ? any.n : any.ends.n_out);
    any.by_lanes = division_by(n_lanes);
    any.by_n = any.by_in = division_by(any.n);
    any.by_put = division_by(any.n_put);
    for (std::size_t i = 0; i < most_stages; ++i)
      if (any.stages[i].n_butterflies > 0) any.stages[i].by_columns = division_by(n_lanes * std::int64_t{any.stages[i].n_butterflies});
    std::memset(kernel::shared, 0xFF, sizeof(kernel::shared));
    walk::launch(static_cast<std::uint32_t>(any.n_blocks), static_cast<std::uint32_t>(cuda_threads(radices, any.n, n_lanes)),
                 [&] { kernel::staged_lines<T, false>(any, 0, from, to); });
  }
  template <class P>
  void walk_known() {
    CudaLines<T> known = lines;
    known.n_lanes = P::lanes;
    count_blocks(known);
    std::memset(kernel::all_shared, 0xFF, sizeof(kernel::all_shared));
    walk::launch(static_cast<std::uint32_t>(known.n_blocks), P::threads, [&] { kernel::transform_lines<P>(known, 0, from, to); });
  }
};

template <class T>
CudaRows<T> rows_of(const Case<T>& c) {
  CudaRows<T> rows;
  rows.ends = c.ends;
  rows.ends.fold = c.folds.data();
  rows.ends.chirp_in = rows.ends.chirp_out = c.chirp.data();
  rows.row = c.m;
  rows.n_lines = c.n_lines;
  rows.loops.n = 1;
  rows.loops.loops[0] = {c.n_lines, c.in_line, c.out_line};
  return rows;
}
template <class T>
void walk_all(Case<T>& c) {
  const CudaRows<T> rows = rows_of(c);
  constexpr std::uint32_t n_blocks = 3, n_threads = kernel::row_threads;
  if (!c.steps.front().reads_array)
    walk::launch(n_blocks, n_threads,
                 [&] { kernel::lines_to_rows<T>(rows, reinterpret_cast<const char*>(c.in.data()), c.rows[1].data()); });
  for (std::size_t j = 0; j < c.steps.size(); ++j) {
    if (!c.steps.front().reads_array && 2 * j == c.steps.size())
      walk::launch(n_blocks, n_threads, [&] { kernel::convolve_rows<T>(c.kernel.data(), c.m, c.n_lines, c.rows[(j + 1) % 2].data()); });
    Lines<T>(c, j).walk_any(3);
  }
  if (c.steps.back().writes_array) return;
  const std::int64_t n_put = c.ends.out_kind == CudaOut::pairs ? c.ends.n : c.ends.n_out;
  const Number<T>* const from = c.rows[(c.steps.size() - 1) % 2].data();
  walk::launch(n_blocks, n_threads, [&] { kernel::rows_to_lines<T>(rows, n_put, from, reinterpret_cast<char*>(c.out.data())); });
}

}  // namespace crinkle::fft::convolutions
