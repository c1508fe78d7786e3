// The stencil kernel of paper 3, section D: 32 × 8 threads bring 32 × 32 cells and an apron of r cells on each side (no corners, which a
// star does not see) into shared memory, and each makes four cells. Table 4 is where the cells and the apron come from: memory, a texture
// of one or two dimensions, or in hybrids the cells from memory, whose reads are coalesced, and the apron from a texture.
// load() and make() are a thread's part; between them all have loaded. Beyond the faces lies the nearest cell, as a texture has it.
// Source: Bader, Bungartz, Mudigere, Narasimhan and Narayanan, "Fast GPGPU data rearrangement kernels using CUDA", section III D, table 4.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"

namespace crinkle::bench {

/// Weights of a star of radius r: the cell's, then along the slow axis −1, 1, −2, 2, …, then along the fast one.
template <int r>
struct StarWeights {
  Array<float, 4 * r + 1> of;
};

CRINKLE_HD constexpr int clamped_to(int i, int extent) { return i < 0 ? 0 : i < extent ? i : extent - 1; }

/// Cell (x, y) of width × height floats, the nearest one where it lies outside.
struct StarFromGlobal {
  const float* data;
  int width, height;
  CRINKLE_HD float operator()(int x, int y) const { return data[clamped_to(y, height) * width + clamped_to(x, width)]; }
};
/// The same of a texture of one dimension, fetch(k), which knows no rows.
template <class Fetch>
struct StarFrom1d {
  Fetch fetch;
  int width, height;
  CRINKLE_HD float operator()(int x, int y) const { return fetch(clamped_to(y, height) * width + clamped_to(x, width)); }
};
/// Of two dimensions: fetch(x, y) clamps by itself.
template <class Fetch>
struct StarFrom2d {
  Fetch fetch;
  CRINKLE_HD float operator()(int x, int y) const { return fetch(x, y); }
};

template <int r>
struct StarTile {
  static constexpr int side = 32, rows = 8, n_threads = side * rows, wide = side + 2 * r, n_cells = wide * wide;
  float* cells;          // [wide][wide], of the block
  int first_x, first_y;  // of the block's cells
  int width, height;     // of the array

  CRINKLE_HD StarTile(float* memory, int block_x, int block_y, int across, int down)
      : cells(memory), first_x(block_x * side), first_y(block_y * side), width(across), height(down) {}

  /// The place of cell (x, y) from the block's first on.
  CRINKLE_HD float& at(int x, int y) const { return cells[(y + r) * wide + x + r]; }

  template <class Inner, class Apron>
  CRINKLE_HD void load(int thread, const Inner& inner, const Apron& apron) const {
    const int x = thread % side;
    for (int y = thread / side; y < side; y += rows) at(x, y) = inner(first_x + x, first_y + y);
    constexpr int n_strip = r * side;  // above, below, left, right
    for (int e = thread; e < 4 * n_strip; e += n_threads) {
      const int strip = e / n_strip, along = e % side, out = e % n_strip / side;
      const int across = strip == 0 || strip == 2 ? -1 - out : side + out;
      const int to_x = strip < 2 ? along : across, to_y = strip < 2 ? across : along;
      at(to_x, to_y) = apron(first_x + to_x, first_y + to_y);
    }
  }

  /// Products and sums in the order of the weights.
  CRINKLE_HD void make(int thread, const StarWeights<r>& weights, float* dst) const {
    const int x = thread % side;
    if (first_x + x >= width) return;
    for (int y = thread / side; y < side && first_y + y < height; y += rows) {
      float sum = weights.of[0] * at(x, y);
      CRINKLE_UNROLL
      for (int k = 1; k <= r; ++k) {
        sum = sum + weights.of[2 * k - 1] * at(x, y - k);
        sum = sum + weights.of[2 * k] * at(x, y + k);
      }
      CRINKLE_UNROLL
      for (int k = 1; k <= r; ++k) {
        sum = sum + weights.of[2 * r + 2 * k - 1] * at(x - k, y);
        sum = sum + weights.of[2 * r + 2 * k] * at(x + k, y);
      }
      dst[(first_y + y) * width + first_x + x] = sum;
    }
  }
};

}  // namespace crinkle::bench
