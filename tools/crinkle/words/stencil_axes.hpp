// Which axes of a file's array a stencil goes along, what they are called, and what lies beyond them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "crinkle/sweeper.hpp"
#include "formats/facts.hpp"

namespace crinkle::tool {

struct NamedAxes {
  std::vector<int> axes;  // of the array
  StencilAxes named;      // names, millimetres and numbers of these axes
};

/// `asked`: "y,x", "0,1", or "": the rows and columns of a picture, the axes in space of a NIfTI volume, otherwise all. Throws as axis_of()
/// (axis_names.hpp) does.
NamedAxes axes_of(const ArrayFacts& facts, const std::string& asked);

/// "reflect", "periodic,edge" (one an axis), "edge/constant:0" (low and high end). Throws bad_notation.
std::vector<Faces> faces_of(const std::string& text, const NamedAxes& axes);

/// "array:FILE.npy" or "array:[[0,1,0],[1,-4,1],[0,1,0]]", "convolve:…" for a convolution; else the words of parse_stencil. Throws what
/// that throws, and, naming the file, what Source::open throws, unsupported for what is no real number, bad_shape for another rank than
/// there are axes and for no weights or such as are not finite.
LinearStencil stencil_of(const std::string& text, const NamedAxes& axes);

/// Throws bad_shape where a step of the stencil reaches farther along an axis than the array has cells there.
void check_reach(const LinearStencil& stencil, const NamedAxes& axes, const Extents& extents);

}  // namespace crinkle::tool
