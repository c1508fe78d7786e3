// The named rearrangements. Each returns the same type as parse(), so they chain, compose and invert. Axes are numbered as in
// NumPy: 0 is the slowest, −1 the fastest. `source` is always the array as it lies; results are dense.
// Sources: "Hawick and Playne" is K. A. Hawick and D. P. Playne, "Hypercubic storage layout and transforms in arbitrary dimensions using
// GPUs and CUDA"; "the Tesla C1060 library" is a CUDA library of data rearrangement kernels (permute, reorder, interlace) for that device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crinkle/rearrangement.hpp"

namespace crinkle {

class Executor;  // crinkle/executor.hpp

/// dst[i_order(0), i_order(1), …] = src[i_0, i_1, …]: NumPy's transpose(order). Throws bad_shape unless `order` is a permutation.
Rearrangement permute(const Layout& source, std::span<const std::int64_t> order);

/// Reverses the given axes: dst[i] = src[n−1−i] on each.
Rearrangement flip(const Layout& source, std::span<const std::int64_t> axes);

/// dst[(i + distance_a) mod n_a, …] = src[i, …] on every axis: any distances, negative and beyond the extent. One distance per axis.
Rearrangement roll(const Layout& source, std::span<const std::int64_t> distances);

struct SliceRange {
  std::optional<std::int64_t> start{}, stop{}, step{};
};
/// NumPy's source[start:stop:step, …], one range per axis.
Rearrangement slice(const Layout& source, std::span<const SliceRange> ranges);

struct PadWidth {
  std::int64_t before = 0, after = 0;
};
/// numpy.pad, one width per axis, applied from axis 0 on. `value` is one element's bytes for constant (empty: zeros).
Rearrangement pad(const Layout& source, std::span<const PadWidth> widths, PadMode mode = PadMode::constant,
                  std::span<const std::byte> value = {});

/// dst[i·step_a, …] = src[i, …], zeros between. One step per axis.
Rearrangement dilate(const Layout& source, std::span<const std::int64_t> steps);

/// dst[j, i, …] = src[i, …] for 0 ≤ j < count: a new slowest axis that repeats the data.
Rearrangement repeat(const Layout& source, std::int64_t count);

/// The N-to-M reorder of the Tesla C1060 library (section III): the box [base, base + range) of an N-dimensional array,
/// its axes listed in `order` (M ≤ N of them); axes that are not listed must have range 1. Throws bad_shape otherwise.
Rearrangement reorder(const Layout& source, std::span<const std::int64_t> order, std::span<const std::int64_t> base,
                      std::span<const std::int64_t> range);

struct Crinkle {
  std::int64_t axis = -1;
  std::int64_t step = 2;
};
/// Crinkles (Hawick and Playne, section 8.3): along each axis, every step-th element together. The phase p = i mod step becomes an axis of
/// its own, slowest of the array (global) or just before its axis (local), x = ⌊i / step⌋. Later crinkles go outside earlier ones: axes 1
/// then 0 of [y][x] give [phase 0][phase 1][y][x]. `tail` rules a step that does not divide:
///     error   not_divisible
///     pad     zeros up to the next multiple
///     drop    the end is cut
///     ragged  phases 0 … r−1 hold one element more; local: the phase and its axis are one axis of extent n;
///             global: the result is flat, the phases' arrays one after the other
Rearrangement crinkle(const Layout& source, std::span<const Crinkle> crinkles, Placement placement = Placement::global,
                      Tail tail = Tail::error);

/// The inverse: from the crinkled array, dense, back to one of `extents`. For tails error and ragged, uncrinkle after crinkle is the
/// identity.
Rearrangement uncrinkle(const Extents& extents, std::int64_t element_bytes, std::span<const Crinkle> crinkles,
                        Placement placement = Placement::global, Tail tail = Tail::error);

/// dst[…, k] = src_k[…] for n arrays of the same layout, in n buffers; axis says where the new axis goes (−1: fastest).
Rearrangement interlace(const Layout& each, std::int64_t n, std::int64_t axis = -1);
/// dst_k[…] = src[…, k, …]: one buffer per index of the axis.
Rearrangement deinterlace(const Layout& source, std::int64_t axis = -1);

/// dst[rev(i)] = src[i], rev reversing the bits of the index, on one axis whose extent is a power of two.
Rearrangement bit_reverse(const Layout& source, std::int64_t axis = -1);

/// Morton order: the bits of the indices interleaved, the fastest axis lowest; unequal extents interleave the shared low bits and keep the
/// rest on top, slowest axis first. The result is flat. Throws bad_shape unless every extent is a power of two.
Rearrangement morton(const Layout& source);

/// The elements with Σ i even, in C order, then those with Σ i odd: 2^N boxes over N axes. The result is flat.
/// Throws too_large for more than 12 axes of extent > 1.
Rearrangement checkerboard(const Layout& source);

/// Reverses the bytes of every element.
Rearrangement byte_swap(const Layout& source);

/// Byte b of every element together: dst[b][i] = byte b of src[i], as bytes, extents [element_bytes, …]. Its inverse puts them back.
Rearrangement byte_shuffle(const Layout& source);

/// dst[j, …] = src[indices[j], …] along an axis; negative indices count from the end; all are checked before anything moves.
Rearrangement gather(const Layout& source, std::int64_t axis, std::span<const std::int64_t> indices);
/// dst[indices[j], …] = src[j, …] along an axis of the new extent n; elements that no index names are left as they are.
/// Throws overlap where an index is named twice.
Rearrangement scatter(const Layout& source, std::int64_t axis, std::span<const std::int64_t> indices, std::int64_t n);

/// Bit planes ("a bit is a bit", Hawick and Playne, section 3): for n elements of e bytes, plane b = 0 … 8e−1 holds bit b (of value 2^b in
/// a little-endian element) of elements 0 … n−1, element i in bit i mod 8 of byte ⌊i/8⌋; planes are ⌈n/8⌉ bytes long, and the unused bits
/// of a plane's last byte are 0. No rearrangement of bytes, so an operation of its own.
/// Throws bad_shape when the buffers are smaller than n·e and 8e·⌈n/8⌉ bytes. Aliasing: src and dst must not overlap. Cost: one pass, on
/// the workers of `executor`, or of default_executor() where none is given; allocates at most 96 KiB per thread, which keeps them.
void bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes);
void bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes, Executor& executor);
/// The inverse: from planes back to elements.
void from_bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes);
void from_bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes,
                     Executor& executor);

struct ElementRange {
  std::int64_t first = 0, count = 0;
};
/// The same for some of the n elements, which are all that the buffer of elements holds; that of planes is for n as above, and of it only
/// the bytes of these elements are touched. Ranges that do not meet may be done at the same time. Throws bad_shape also unless the range
/// lies in [0, n), begins at a multiple of 8 and ends at one or at n.
void bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes, ElementRange some);
void bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes, ElementRange some,
                Executor& executor);
void from_bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes,
                     ElementRange some);
void from_bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes,
                     ElementRange some, Executor& executor);
std::int64_t bit_planes_bytes(std::int64_t n, std::int64_t element_bytes);  ///< 8e·⌈n/8⌉

}  // namespace crinkle
