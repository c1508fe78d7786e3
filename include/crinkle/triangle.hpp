// Conversions between any two layouts of triangles of matrices and vectors of pairs, in one pass.
//
//     const auto from = TriangleLayout::parse("packed lower", n, 8), to = TriangleLayout::parse("rfp lower", n, 8);
//     convert_triangle(from, to, {src, from.bytes()}, {dst, to.bytes()});
//
// Between lower and upper a conversion transposes, as it must for symmetric matrices (for a triangular matrix it gives the transpose).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/cuda.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/operation.hpp"
#include "crinkle/triangle_layout.hpp"

namespace crinkle {

/// The input "source" and the output "destination" are the arrays of the two layouts, as elements one after the other; the output is
/// updated where the conversion leaves places of it as they were.
struct TriangleRequest {
  TriangleLayout from, to;
};

/// Cuts: the destination's lines, which lie one after the other (rows of the order `rows`, else columns; of condensed those of its first
/// index). A part reads the source from the first to the last of their elements, which is little where both have the same lines, and most
/// of it where they cross. A destination in rfp is not cut. Throws bad_shape where n or the element differ, what check() throws.
Operation plan(const TriangleRequest& request, Device device = cpu());

/// dst.place(i, j) = src.place(i, j) for every pair that both keep. A symmetric destination gets both triangles; a diagonal that the source
/// does not keep is zeros; other places of the destination, as the other triangle of `full`, are left as they are. Throws bad_shape where n
/// or the element differ or a buffer is too small, overlap where the buffers share bytes, what check() throws, all before anything is
/// written. Cost: one pass over what both keep, and planning. Deterministic for any number of threads.
void convert_triangle(const TriangleLayout& from, const TriangleLayout& to, ConstBuffer src, Buffer dst,
                      Executor& executor = default_executor());

/// The same in a device's memory: given to the stream, not waited for; no memory of the device is allocated. Throws also what cuda()
/// throws, and device for memory that the device cannot reach and a stream of another one.
void convert_triangle(const TriangleLayout& from, const TriangleLayout& to, ConstBuffer src, Buffer dst, Device device,
                      const Stream& stream);

}  // namespace crinkle
