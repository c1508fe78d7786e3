// The variants of paper 1 that the suite `fft_paper` passes: tables 1a and 1b, for 2^15 signals of 2^9 samples, and figure 5, for signals
// of any size; each a list of launches.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include "crinkle/executor.hpp"
#include "papers/fft/whole.hpp"

struct CUstream_st;

namespace crinkle::bench::fft_paper {

/// In the order of the tables, whose columns they are, but for the first three, which are figure 5's with more radices.
enum class Variant : std::uint8_t {
  radix_2,             // ctFFT: in shared memory
  radix_4,             // and with padding
  radix_8,             // likewise
  global,              // ctFFT (global): a launch a stage
  unrolled,            // of radix 2 from here on, in time, for 2^9 samples alone
  padded,              //
  padded_radix_4,      //
  padded_radix_8,      //
  folded,              // + constant propagation
  unreversed,          // DIT, no bit reversal
  frequency,           // DIF without more barriers
  frequency_barriers,  // DIF with more barriers
  stockham
};
inline constexpr int n_variants = 13, table_stages = 9, table_log_batch = 15;

struct Named {
  const char* name;
  Form form;
};
CRINKLE_HD constexpr Named named(Variant v) {
  constexpr int n = table_stages;
  using enum Variant;
  switch (v) {
    case radix_2: return {"radix_2", {}};
    case radix_4: return {"radix_4", {.log_radix = 2, .is_padded = true}};
    case radix_8: return {"radix_8", {.log_radix = 3, .is_padded = true}};
    case global: return {"global", {}};
    case unrolled: return {"unrolled", {.stages = n}};
    case padded: return {"padded", {.stages = n, .is_padded = true}};
    case padded_radix_4: return {"padded_radix_4", {.log_radix = 2, .stages = n, .is_padded = true}};
    case padded_radix_8: return {"padded_radix_8", {.log_radix = 3, .stages = n, .is_padded = true}};
    case folded: return {"folded", {.log_radix = 3, .stages = n, .is_padded = true, .is_folded = true}};
    case unreversed: return {"unreversed", {.log_radix = 3, .stages = n, .is_padded = true, .is_folded = true, .is_reversed = false}};
    case frequency: return {"frequency", {.order = Order::frequency, .log_radix = 3, .stages = n, .is_padded = true, .is_folded = true}};
    case frequency_barriers:
      return {"frequency_barriers",
              {.order = Order::frequency, .log_radix = 3, .stages = n, .is_padded = true, .is_folded = true, .has_more_barriers = true}};
    case stockham: return {"stockham", {.order = Order::stockham, .log_radix = 3, .stages = n, .is_padded = true, .is_folded = true}};
  }
  return {"", {}};
}

/// f(a constant whose value is v): kernels are compiled for a form.
template <class F>
decltype(auto) with_constant(Variant v, F&& f) {
  const auto of = [&]<int k>(auto&& self, std::integral_constant<int, k>) -> decltype(auto) {
    if constexpr (k + 1 < n_variants) {
      if (static_cast<int>(v) != k) return self(self, std::integral_constant<int, k + 1>{});
    }
    return f(std::integral_constant<Variant, static_cast<Variant>(k)>{});
  };
  return of(of, std::integral_constant<int, 0>{});
}

/// The bits of a block: it has 2^(c + k) samples, chunks of 2^c.
struct Chunks {
  int c = 5, k = 5;
};

/// One launch. The first of a transform reads the source, all others the destination.
struct Pass {
  enum class Kind : std::uint8_t { blocks, reversal, stage } kind = Kind::blocks;
  Launch launch = {};
  Reversal reversal = {};
  int stage = 0;

  static constexpr int log_stage_threads = 8;  // of a block of a stage, each with two samples
  constexpr int log_block() const {            // samples
    return kind == Kind::blocks ? launch.m : kind == Kind::reversal ? 2 * reversal.c : log_stage_threads + 1;
  }
};

/// Of 2^log_batch signals of 2^n samples. Where n > c + k, or every stage goes through global memory, bits are reversed by a launch of
/// their own, first. The last launch has fewer than k stages left where k does not divide n − c − k, and longer chunks then (the paper
/// leaves its threads idle). Requires: time; or n ≤ c + k and, for Stockham, c + k = n, a multiple of r.
std::vector<Pass> passes_of(const Form& form, int n, int log_batch, const Chunks& chunks);
std::vector<Pass> passes_of(Variant v, int n, int log_batch, const Chunks& chunks);

/// The tables of `Roots`, coarse and behind it fine, rounded from float64.
std::vector<Sample> make_roots();
Roots roots_in(const Sample* tables);

/// A transform of a device's arrays; tables are those of make_roots(), there too.
std::function<void()> transform_on_gpu(Variant v, std::vector<Pass> passes, std::int64_t n_samples, const Sample* src, Sample* dst,
                                       const Sample* tables, CUstream_st* stream);
/// The same on a CPU: a loop over the blocks of each launch, whose threads take a step each in turn. The executor outlives the result.
std::function<void()> transform_in_loops(Variant v, std::vector<Pass> passes, std::int64_t n_samples, const Sample* src, Sample* dst,
                                         const Sample* tables, Executor& executor);

/// A signal of 2^n samples, 2^log_batch of them.
struct Size {
  int log_batch = 0, n = 0;
};
/// Of figure 5: 2^26 samples in all at most, as the paper's; loops on a CPU have 2^18.
std::vector<Size> figure5_sizes(bool is_on_gpu);

}  // namespace crinkle::bench::fft_paper
