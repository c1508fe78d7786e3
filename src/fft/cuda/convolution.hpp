// Convolutions that no block holds, of lines of m numbers, the product of parts: transform, product with the kernel, transform back,
// product with the chirp. The second transform has the parts the other way round.
//     apart      numbers to rows · N₁ · N₂ · product with the kernel · N₂ · N₁ · from rows: seven times through memory
//     joined     N₁ from the array · N₂, the product, N₂ · N₁ to the array: three times. The last part of the first transform and the first
//                one of the second are of the same numbers.
// Three parts and more likewise. Both have the same bits: joined is for kernels that are compiled for it, apart has those of the library.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "base/loops.hpp"
#include "fft/cuda/form.hpp"

namespace crinkle::fft {

/// A step through lines of part·q·done numbers: of number i of line (r, d), r < q and d < done, the place is (i q + r) done + d, and of its
/// X[k] (r part + k) done + d. Unless q is 1, X[k] of line (r, d) is multiplied by W^{rk}, W = W_{part·q}.
struct ChainPart {
  std::int64_t part = 1, q = 1, done = 1;
};
std::vector<ChainPart> chain_parts(const std::vector<std::int64_t>& parts);

/// A step of a convolution: its lines, with strides of arrays of rows of m numbers or of the array; where its loops go.
template <class T>
struct ConvolutionStep {
  CudaLines<T> lines;         // n, ends, parts and kernel_step of them
  Loop along;                 // the loop that says a line's c
  Loop other;                 // the other one of a line's, besides those of the array's axes
  std::int64_t twisted = 0;   // W = W_twisted, or 0: X[k] is not multiplied
  bool is_convolved = false;  // by the kernel, and transformed again, with the same radices
  bool reads_array = false, writes_array = false;
};

/// The steps for an array with `ends`: of a way that is joined the first one reads it, and the last one writes it unless the result is
/// folded, which needs numbers of two lines; else all are of rows, the first half of them of the first transform.
enum class ConvolutionWay : std::uint8_t { joined, apart };
template <class T>
std::vector<ConvolutionStep<T>> convolution_steps(const CudaEnds<T>& ends, std::vector<std::int64_t> parts, ConvolutionWay way);

}  // namespace crinkle::fft
