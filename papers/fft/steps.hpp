// What one thread does in the kernels of the suite `fft_paper`, step by step, on a host as well: paper 1's (Gutierrez, Romero, Trenas and
// Plata, section 3) transform of 2^n samples by launches of blocks that hold 2^m of them in shared memory. Bits of a sample's address and
// of its cell in a block (figure 4a, low bits on the right):
//     address   signals and subsignals | k | s: the block | c        cell   the rest | k | c
// so that stages s + c … s + c + k − 1 of the signal are stages c … c + k − 1 of the cells. (The paper prints upper ends that are one too
// many.) The first launch has s = 0 and c = 0: its cells are its samples.
// Stage S joins X, whose address has bit S = 0, with Y, which has 1: in time X ± Y·W^b, in frequency X + Y and (X − Y)·W^b,
// W = exp(−2πi / 2^(S+1)), b the address's bits below S. A thread has 2^r samples in registers and does r stages with them.
// Whatever is written or read goes through `Memory`, a kernel's or that of a walk (walk.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/detail/hd.hpp"

#if defined(__CUDA_ARCH__)
#define PAPER_FFT_NO_UNROLL _Pragma("unroll 1")
#else
#define PAPER_FFT_NO_UNROLL
#endif

namespace crinkle::bench::fft_paper {

struct alignas(8) Sample {
  float re, im;
  CRINKLE_HD friend Sample operator+(Sample a, Sample b) { return {a.re + b.re, a.im + b.im}; }
  CRINKLE_HD friend Sample operator-(Sample a, Sample b) { return {a.re - b.re, a.im - b.im}; }
  CRINKLE_HD friend Sample operator*(Sample a, Sample b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
};

/// w·exp(−2πi·eighths / 8), eighths in 0 … 3.
CRINKLE_HD inline Sample turned(Sample w, int eighths) {
  constexpr float half_root = 0.70710678118654752F;
  if (eighths & 2) w = {w.im, -w.re};
  if (eighths & 1) w = {half_root * (w.re + w.im), half_root * (w.im - w.re)};
  return w;
}

enum class Order : std::uint8_t { time, frequency, stockham };

/// Of a kernel: what it is compiled for.
struct Form {
  Order order = Order::time;
  int log_radix = 1;               // r, 1 to 3
  int stages = 0;                  // n = m = k, and every loop is unrolled; 0: any launch, in loops
  bool is_padded = false;          // an idle cell after every 16
  bool is_folded = false;          // places of a thread's cells are one place and constants
  bool is_reversed = true;         // whether bits are reversed; without, a signal is taken, or left, in the order of reversed bits
  bool has_more_barriers = false;  // also where no thread has to wait
};

/// A launch of blocks.
struct Launch {
  int m = 0, c = 0, k = 0, s = 0;
  bool is_reversed = false;  // signals are put in order of reversed bits: in time when they are read, in frequency when they are written

  CRINKLE_HD constexpr std::int64_t address(std::int64_t block, std::int32_t cell) const {
    const std::int64_t low = cell & ((1 << c) - 1), middle = (cell >> c) & ((1 << k) - 1), rest = cell >> (c + k);
    const std::int64_t begin = block & ((std::int64_t{1} << s) - 1), outer = ((block >> s) << (m - c - k)) | rest;
    return (((outer << k | middle) << s | begin) << c) | low;
  }
  CRINKLE_HD constexpr int n_groups(int log_radix) const { return (k + log_radix - 1) / log_radix; }
};

/// Stages that a thread does at once: its cells differ in the bits from `bit` on, and of their stages first ≤ i < last are done.
struct Group {
  int bit = 0, first = 0, last = 0;
};
CRINKLE_HD constexpr Group group_of(const Form& form, const Launch& at, int g) {
  const int r = form.log_radix, end = at.c + at.k;
  if (form.order == Order::frequency) {
    const int top = end - g * r, low = top - r > at.c ? top - r : at.c, bit = top > r ? top - r : 0;
    return {bit, low - bit, top - bit};
  }
  const int low = at.c + g * r, top = low + r < end ? low + r : end, last_bit = end > r ? end - r : 0;
  const int bit = low < last_bit ? low : last_bit;
  return {bit, low - bit, top - bit};
}

/// The n_bits low bits of x in reversed order.
CRINKLE_HD constexpr std::int32_t reversed(std::int32_t x, int n_bits) {
#if defined(__CUDA_ARCH__)
  return n_bits == 0 ? 0 : static_cast<std::int32_t>(__brev(static_cast<unsigned>(x)) >> (32 - n_bits));
#else
  std::int32_t y = 0;
  for (int i = 0; i < n_bits; ++i) y |= ((x >> i) & 1) << (n_bits - 1 - i);
  return y;
#endif
}

/// A number of thread t with its bits from `bit` on set apart for j.
CRINKLE_HD constexpr std::int32_t spread(std::int32_t t, int bit, int r) { return ((t >> bit) << (bit + r)) | (t & ((1 << bit) - 1)); }

/// Where a cell lies. Where a and b have no bit in common the place of a + b is the sum of theirs.
template <Form form>
CRINKLE_HD constexpr std::int32_t place_of(std::int32_t cell) {
  return form.is_padded ? cell + (cell >> 4) : cell;
}
template <Form form>
CRINKLE_HD constexpr std::int32_t place_of(std::int32_t base, std::int32_t offset) {
  return form.is_folded ? place_of<form>(base) + place_of<form>(offset) : place_of<form>(base + offset);
}
constexpr std::int32_t n_places(const Form& form, int m) { return form.is_padded ? (1 << m) + (1 << m) / 16 : 1 << m; }

/// exp(−2πi b / 2^(stage+1)) for b < 2^stage < 2^27, out of two tables that have a stage's values side by side:
/// coarse[2^i + b] = exp(−2πi b / 2^(i+1)), i ≤ 12; above, of bits of b, fine[2^i + b] = exp(−2πi b / 2^(i+13)), i ≤ 14.
struct Roots {
  static constexpr int coarse_stages = 12, fine_stages = 14;
  const Sample* coarse = nullptr;
  const Sample* fine = nullptr;

  template <class Memory>
  CRINKLE_HD Sample at(int stage, std::int64_t b, Memory& memory) const {
    if (stage <= coarse_stages) return memory.root(coarse + (std::int64_t{1} << stage) + b);
    const int more = stage - coarse_stages;
    const std::int64_t low = b & ((std::int64_t{1} << more) - 1);
    return memory.root(coarse + (std::int64_t{1} << coarse_stages) + (b >> more)) * memory.root(fine + (std::int64_t{1} << more) + low);
  }
};

enum class Step : std::uint8_t { load, put, read, write, take, store };

/// Calls each(step, group) for what a thread does, one after the other.
template <Form form, class Each>
CRINKLE_HD void for_each_step(const Launch& at, Each&& each) {
  constexpr bool has_copies = form.order != Order::stockham;  // whose groups read and write the signal themselves
  if constexpr (has_copies) {
    each(Step::load, 0);
    each(Step::put, 0);
  }
  if constexpr (form.stages > 0) {
    CRINKLE_UNROLL for (int g = 0; g < at.n_groups(form.log_radix); ++g) {
      each(Step::read, g);
      each(Step::write, g);
    }
  } else {
    PAPER_FFT_NO_UNROLL for (int g = 0; g < at.n_groups(form.log_radix); ++g) {
      each(Step::read, g);
      each(Step::write, g);
    }
  }
  if constexpr (has_copies) {
    each(Step::take, 0);
    each(Step::store, 0);
  }
}

/// Whether threads wait for each other after a step. Groups work in place, cell by cell, so that none has to before it writes; Stockham's
/// write where others read.
template <Form form>
CRINKLE_HD constexpr bool has_barrier(const Launch& at, Step step, int g) {
  if (step == Step::store) return false;
  const bool is_written = step == Step::put || step == Step::write;
  if (form.order == Order::stockham) return g + 1 < at.n_groups(form.log_radix) && (is_written || g > 0);
  return is_written || form.has_more_barriers;
}

/// One thread of a block; m ≥ r.
template <Form form>
struct Thread {
  static constexpr int r = form.log_radix, n = 1 << r;
  Array<Sample, n> x;

  template <class Memory>
  CRINKLE_HD void step(const Launch& at, Step step, int g, std::int64_t block, std::int32_t t, const Roots& roots, Memory& memory) {
    if constexpr (form.order == Order::stockham) {
      if (step == Step::read) read_sorted(at, g, block, t, roots, memory);
      else write_sorted(at, g, block, t, memory);
    } else {
      const bool reverses_in = form.order == Order::time && at.is_reversed, reverses_out = form.order == Order::frequency && at.is_reversed;
      const int across = at.m - r;  // a thread's cells of a copy are threads apart
      switch (step) {
        case Step::load: CRINKLE_UNROLL for (int j = 0; j < n; ++j) x[j] = memory.load(at.address(block, t + (j << across))); break;
        case Step::put: CRINKLE_UNROLL for (int j = 0; j < n; ++j) memory.put(in_order(at, reverses_in, t, j << across), x[j]); break;
        case Step::read: read_group(at, group_of(form, at, g), block, t, roots, memory); break;
        case Step::write: {
          const Group group = group_of(form, at, g);
          const std::int32_t base = spread(t, group.bit, r);
          CRINKLE_UNROLL for (int j = 0; j < n; ++j) memory.put(place_of<form>(base, j << group.bit), x[j]);
          break;
        }
        case Step::take: CRINKLE_UNROLL for (int j = 0; j < n; ++j) x[j] = memory.take(in_order(at, reverses_out, t, j << across)); break;
        case Step::store: CRINKLE_UNROLL for (int j = 0; j < n; ++j) memory.store(at.address(block, t + (j << across)), x[j]); break;
      }
    }
  }

 private:
  /// The place of cell t + offset, which have no bit in common, or of the one whose k low bits are its reversed.
  CRINKLE_HD static std::int32_t in_order(const Launch& at, bool is_reversed, std::int32_t t, std::int32_t offset) {
    if (!is_reversed) return place_of<form>(t, offset);
    const std::int32_t above = ~((1 << at.k) - 1);
    return place_of<form>((t & above) | reversed(t, at.k), (offset & above) | reversed(offset, at.k));
  }

  template <class Memory>
  CRINKLE_HD void read_group(const Launch& at, const Group& group, std::int64_t block, std::int32_t t, const Roots& roots, Memory& memory) {
    const std::int32_t base = spread(t, group.bit, r);
    CRINKLE_UNROLL for (int j = 0; j < n; ++j) x[j] = memory.take(place_of<form>(base, j << group.bit));
    CRINKLE_UNROLL for (int i = 0; i < r; ++i) {
      const int stage = form.order == Order::frequency ? r - 1 - i : i;
      if (stage >= group.first && stage < group.last) do_stage(at, group, stage, at.address(block, base), roots, memory);
    }
  }

  /// Registers' bits below `first` belong to stages done before, or to chunks; of those above, what they add to b is a part of an eighth.
  template <class Memory>
  CRINKLE_HD void do_stage(const Launch& at, const Group& group, int stage, std::int64_t address, const Roots& roots, Memory& memory) {
    const int signal_stage = group.bit + stage + at.s, n_apart = 1 << group.first;
    const std::int64_t below = address & ((std::int64_t{1} << signal_stage) - 1);
    CRINKLE_UNROLL for (int apart = 0; apart < n / 2; ++apart) {
      if (apart >= n_apart) continue;
      const bool is_one = group.first == 0 && group.bit + at.s == 0;
      const Sample w = is_one ? Sample{1, 0} : roots.at(signal_stage, below + at.address(0, apart << group.bit), memory);
      CRINKLE_UNROLL for (int j = 0; j < n; ++j) {
        if ((j >> stage & 1) != 0 || (j & (n_apart - 1)) != apart) continue;
        const int i = stage - group.first;
        butterfly(x[j], x[j | 1 << stage], turned(w, (j >> group.first & ((1 << i) - 1)) << (2 - i)));
      }
    }
  }
  CRINKLE_HD static void butterfly(Sample& a, Sample& b, Sample w) {
    constexpr bool is_in_time = form.order != Order::frequency;
    const Sample x = a, y = is_in_time ? b * w : b;
    a = x + y;
    b = is_in_time ? x - y : (x - y) * w;
  }

  /// Group g of Stockham's order, of whole groups and one signal a block: L = 2^(g·r) results lie side by side,
  ///     y[(t / L)·2^r·L + t mod L + i·L] = Σ_j x[t + j·2^(k−r)] W_(2^r·L)^(j·(t mod L)) W_(2^r)^(i·j).
  template <class Memory>
  CRINKLE_HD void read_sorted(const Launch& at, int g, std::int64_t block, std::int32_t t, const Roots& roots, Memory& memory) {
    const int across = at.k - r, done = g * r;
    CRINKLE_UNROLL for (int j = 0; j < n; ++j) {
      const std::int32_t offset = j << across;
      x[j] = g == 0 ? memory.load(at.address(block, t + offset)) : memory.take(place_of<form>(t, offset));
    }
    // In time of reversed registers: stage i has the root of b + a part of an eighth, as above.
    CRINKLE_UNROLL for (int i = 0; i < r; ++i) {
      const Sample w = g == 0 ? Sample{1, 0} : roots.at(done + i, t & ((1 << done) - 1), memory);
      CRINKLE_UNROLL for (int j = 0; j < n; ++j) {
        if ((j >> i & 1) == 0) butterfly(x[reversed(j, r)], x[reversed(j | 1 << i, r)], turned(w, (j & ((1 << i) - 1)) << (2 - i)));
      }
    }
  }
  template <class Memory>
  CRINKLE_HD void write_sorted(const Launch& at, int g, std::int64_t block, std::int32_t t, Memory& memory) {
    const int done = g * r;
    const std::int32_t base = spread(t, done, r);
    const bool is_last = g + 1 == at.n_groups(r);
    CRINKLE_UNROLL for (int i = 0; i < n; ++i) {
      const Sample y = x[reversed(i, r)];
      if (is_last) memory.store(at.address(block, base + (i << done)), y);
      else memory.put(place_of<form>(base, i << done), y);
    }
  }
};

}  // namespace crinkle::bench::fft_paper
