// Numbers from the threads that have them behind one stage to those that have them before the next, through shared memory, of one block or
// of a cluster (known_plan.cuh).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fft/cuda/known_plan.cuh"

namespace crinkle::fft::kernel {

/// Stage I's results to shared memory; what it reads from there, of places behind i stages. Of a part of numbers, where those are exchanged
/// one after the other.
template <class P, int I, class Cell, class Get>
__device__ __forceinline__ void write_cells(const CudaLines<typename P::T>& lines, Cell* cells, const Get& get) {
  using Stage = KnownStage<P, I>;
  for_each_item<P, I>(are_lanes_first<P, I>(lines), [&](std::uint32_t e, const Item& at) {
    const std::uint32_t j = at.b % Stage::s + Stage::s * Stage::radix * (at.b / Stage::s), first = place_of<P, I + 1>(j);
    Cell* const to = cells + at.own * Places<P, I + 1>::stride;
#pragma unroll
    for (std::uint32_t k = 0; k < Stage::radix; ++k)
      to[place_of<P, I + 1, Stage::s, Stage::radix>(j, first, k)] = get(e * Stage::radix + k);
  });
}
template <class P, int i, int I, class Cell, class Put>
__device__ __forceinline__ void read_cells(const CudaLines<typename P::T>& lines, const Cell* cells, const Put& put) {
  using Stage = KnownStage<P, I>;
  for_each_item<P, I>(are_lanes_first<P, I>(lines), [&](std::uint32_t e, const Item& at) {
    const std::uint32_t first = place_of<P, i>(at.b);
    const Cell* const from = cells + at.own * Places<P, i>::stride;
#pragma unroll
    for (std::uint32_t k = 0; k < Stage::radix; ++k)
      put(e * Stage::radix + k, from[place_of<P, i, Stage::n_b, Stage::radix>(at.b, first, k)]);
  });
}
/// From the thread that has a number behind stage I to the one that has it before stage J.
template <class P, int I, int J, class T = typename P::T>
__device__ __forceinline__ void exchange(const CudaLines<T>& lines, char* shared, Number<T>* a, bool is_in_use) {
  if (is_in_use) wait<P>();
  if constexpr (P::are_apart) {
    auto* const parts = reinterpret_cast<T*>(shared);
    write_cells<P, I>(lines, parts, [&](std::uint32_t j) { return a[j].re; });
    wait<P>();
    read_cells<P, I + 1, J>(lines, parts, [&](std::uint32_t j, T x) { a[j].re = x; });
    wait<P>();
    write_cells<P, I>(lines, parts, [&](std::uint32_t j) { return a[j].im; });
    wait<P>();
    read_cells<P, I + 1, J>(lines, parts, [&](std::uint32_t j, T x) { a[j].im = x; });
  } else {
    auto* const cells = reinterpret_cast<Number<T>*>(shared);
    write_cells<P, I>(lines, cells, [&](std::uint32_t j) { return a[j]; });
    wait<P>();
    read_cells<P, I + 1, J>(lines, cells, [&](std::uint32_t j, const Number<T>& x) { a[j] = x; });
  }
}

/// The last exchange of a cluster's lines, stage I's results to the cells of the block that has them in the last one. There the numbers of
/// all lanes lie side by side, so that a warp's travel together, and turned, so that those of a line lie in different banks, too. All have
/// arrived where none reads its cells any more (known_stages).
template <class P, int I, class T = typename P::T>
__device__ __forceinline__ void exchange_in_cluster(const CudaLines<T>& lines, char* shared, Number<T>* a) {
  using Stage = KnownStage<P, I>;
  using Last = KnownStage<P, I + 1>;
  constexpr std::uint32_t lanes = P::lanes, n_own = Stage::radix / P::cluster;  // of a butterfly's results, for each block
  static_assert(Stage::radix % P::cluster == 0 && Last::radix % P::cluster == 0);
  constexpr auto row = static_cast<std::uint32_t>(numbers_a_row<T>);
  static_assert(row % lanes == 0 && Stage::s % row == 0 && Last::n_b % row == 0);  // steps of whole turns
  const auto cell_of = [](std::uint32_t lane, std::uint32_t j) { return j * lanes + (lane ^ j / (row / lanes) % lanes); };
  auto* const cells = reinterpret_cast<Number<T>*>(shared);
  wait_in_cluster();
#pragma unroll
  for (std::uint32_t block = 0; block < P::cluster; ++block) {
    Number<T>* const there = cells_in_cluster(cells, block);
    for_each_item<P, I>(are_lanes_first<P, I>(lines), [&](std::uint32_t e, const Item& at) {
      Number<T>* const to = there + cell_of(at.own, at.b % Stage::s + Last::n_b * (whole_b<P, I>(at.b) / Stage::s));
#pragma unroll
      for (std::uint32_t k = 0; k < n_own; ++k) to[k * Stage::s * lanes] = a[e * Stage::radix + block * n_own + k];
    });
  }
  arrive_in_cluster();
  wait_in_cluster();
  for_each_item<P, I + 1>(are_lanes_first<P, I + 1>(lines), [&](std::uint32_t e, const Item& at) {
    const Number<T>* const from = cells + cell_of(at.own, at.b);
#pragma unroll
    for (std::uint32_t k = 0; k < Last::radix; ++k) a[e * Last::radix + k] = from[k * Last::n_b * lanes];
  });
}

}  // namespace crinkle::fft::kernel
