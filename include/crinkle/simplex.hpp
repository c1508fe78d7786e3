// Triangles, tetrahedra and simplices for your own loops and kernels: from a number to a cell and back, by integers that are exact,
//     pair_of(w) = (i, j),         w = i(i + 1)/2 + j,                      i ≥ j
//     triplet_of(w) = (i, j, k),   w = i(i + 1)(i + 2)/6 + j(j + 1)/2 + k,  i ≥ j ≥ k
//     simplex_digits<m>(w)         the same in up to 8 dimensions
// each with or without the diagonal, and maps of a grid of blocks onto the blocks of a triangle or a tetrahedron, so that a GPU starts
// no block, or few, that has nothing to do:
//
//     __global__ void visit(TriangleMap<std::uint32_t> map) {
//       const auto block = map.at(blockIdx.x);     // block.i ≥ block.j
//       …
//     }
//     const TriangleMap<std::uint32_t> map(m, Diagonal::with);    // m blocks along a side
//     visit<<<map.size(), threads>>>(map);
//
// TriangleMap is Fold; the others are here to be compared: Lambda, BalancedLambda, BoundingBox, RectangularBox, Recursive,
// UpperTriangular, Banded; of tetrahedra TetrahedronMap, BalancedTetrahedron, TetrahedronBox. Numbers have 32 or 64 bits; nothing throws or
// allocates: ask Map::fits(m, diagonal) first. Plain nvcc compiles it without a flag. simplex_loops.hpp and simplex_loops.cuh have loops.
// Source: Navarro, Bustos and Hitschfeld, "A non-linear GPU thread map for triangular domains", 2016.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/simplex_cells.hpp"
#include "crinkle/detail/simplex_digits.hpp"
#include "crinkle/detail/simplex_pieces.hpp"
#include "crinkle/detail/simplex_roots.hpp"
#include "crinkle/detail/simplex_tetrahedra.hpp"
#include "crinkle/detail/simplex_triangles.hpp"
