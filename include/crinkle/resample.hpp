// Arrays resampled: every element of the result is the source's value at coordinates of its own,
//
//     out[p] = source(q),    q = T(p),    in 1 to 3 dimensions,
//
// T being an affine map, a change to or from polar coordinates, or an array of coordinates. Coordinates are indices, 0 being the centre of
// the first element: those of SciPy's map_coordinates and affine_transform. Between elements
//
//     source(q) = Σ_i w(q_0 − i_0) w(q_1 − i_1) … source[i],
//
//     nearest   w = 1 at ⌊q + ½⌋
//     linear    w(x) = 1 − |x|, |x| ≤ 1
//     cubic     w(x) = 3/2|x|³ − 5/2|x|² + 1, |x| ≤ 1;  −1/2|x|³ + 5/2|x|² − 4|x| + 2, |x| ≤ 2: Keys' convolution with a = −1/2
//     spline    the cubic B-spline through the samples, as SciPy's order 3: its coefficients are computed first, in a workspace
//
//     Resampling half;
//     half.source = Layout::dense({480, 640, 3}, 1);
//     half.destination = Layout::dense({240, 320, 3}, 1);
//     half.source_type = half.destination_type = {Number::uint8};
//     half.axes = {0, 1};                                        // channels are resampled one by one
//     half.map = zoom_map({480, 640}, {240, 320});
//     resample(half, {picture, bytes}, {smaller, bytes / 4});
//
// An index outside the array is what its face says (detail/stencil_boundary.hpp: periodic, edge, reflect, symmetric, constant). An element
// whose weight is 0 does not count, so that integer coordinates give the source's bits, whatever lies beside them. Where no element of an
// axis is inside and the face is constant, the constant is the value (of several such axes the last one's); otherwise a constant counts as
// an element, of several the last axis' one, as in numpy.pad. A coordinate that is not finite or 2^52 or more from 0 gives `nodata`.
//
// Coordinates are computed in float64. One that is the centre of an element, or half-way between two, but for roundings is there: where it
// lies within 4 ulp of the numbers that it was computed from, |matrix · p|, |offset| and AffineMap::size. Those of an array of coordinates
// are taken as they are. Weights and sums are float32 where both types are float32, float16 or of 8 or 16 bits, else float64,
// every product and sum rounded by itself, innermost axis first (of kernels that grow: last): the same bits on every number of threads, and
// on a GPU, where polar maps alone may differ in their coordinates' last bits. Integers are rounded to the nearest (half to even) and
// saturated, NaN becomes 0. Source: Keys, "Cubic convolution interpolation for digital image processing", 1981; Unser, "Splines: a perfect
// fit for signal and image processing", 1999.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <variant>
#include <vector>

#include "crinkle/cuda.hpp"
#include "crinkle/detail/stencil_boundary.hpp"
#include "crinkle/device.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/layout.hpp"
#include "crinkle/number.hpp"
#include "crinkle/operation.hpp"
#include "crinkle/real.hpp"

namespace crinkle {

/// Where a result is smaller, kernels that grow with the scale s, the source's elements from one of the result to the next, count them all:
///
///     area      the mean of the cells [i, i + 1] that [q + ½ − s/2, q + ½ + s/2] covers, weighted by how much it covers of each: `average`
///     mode      of these the commonest value, each counting as much; of equally common ones the smallest. NaN does not count
///     lanczos   w(x) = sinc(x) sinc(x/3), |x| < 3, of x = (q − i) / max(s, 1)
///     linear and cubic that are antialiased: their w(x) of this x
///
/// What lies beyond the array does not count for these, and weights are divided by their sum along the axis, in float64, as Pillow does and
/// gdalwarp; a periodic axis goes on at its other end. Where q is outside the array (area, mode: where nothing of it is covered) the result
/// is `nodata`. Axes scale one by one: maps that turn have no such kernels.
enum class ResampleBy : std::uint8_t { nearest, linear, cubic, spline, area, mode, lanczos };
/// "nearest", "linear", "cubic", "spline", "area" or GDAL's "average" for it, "mode" or "lanczos". Throws bad_notation that names them.
ResampleBy parse_resample_by(std::string_view text);
const char* name_of(ResampleBy by);

/// q_a = Σ_b matrix[a][b] · p_b + offset[a], summed in this order: from the result's indices to the source's, as SciPy's affine_transform.
struct AffineMap {
  int rank = 1;  // 1 to 3
  std::array<std::array<double, 3>, 3> matrix = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  std::array<double, 3> offset = {};
  Faces usual = Bound::constant;  // where no boundary is given
  /// In elements: up to which numbers the offset was computed from, such as places on the ground over the side of a cell.
  std::array<double, 3> size = {};
};

/// A zoom keeps edges or centres in place. Edges: the outer edges of the outer elements, q = (p + ½) n_in / n_out − ½ (SciPy's
/// grid_mode=True, OpenCV, Pillow, PyTorch's align_corners=False). Centres: the centres of the first and the last, q = p (n_in − 1) /
/// (n_out − 1) (SciPy's zoom, align_corners=True).
enum class ZoomKeeps : std::uint8_t { edges, centres };
/// From one shape to another; faces are edges where nothing is said. An extent of 1 that keeps centres stays at index 0. Throws bad_shape
/// for extents that are not 1 to 3, that differ in number or are below 1.
AffineMap zoom_map(const Extents& source, const Extents& destination, ZoomKeeps keeps = ZoomKeeps::edges);

/// A plane turned by `degrees` about its centre, which becomes the centre of the result: counterclockwise where the second axis leads right
/// and the first one down, as SciPy's rotate(axes=(1, 0)) and Pillow's. Multiples of 90° are exact. Throws bad_shape for other than 2 axes
/// and an angle that is not finite.
AffineMap rotation_map(double degrees, const Extents& source, const Extents& destination);
/// The shape that holds all of the turned plane, as SciPy's reshape=True.
Extents rotated_extents(double degrees, const Extents& source);

/// Polar coordinates of a plane (y, x): element (j, i) of a polar array lies at angle θ = first_angle + j · angle_step, counted from x
/// towards y, in radians, and at radius r = first_radius + i · radius_step, or where is_logarithmic at ln r = that:
///     to_polar     (j, i) ↦ (centre[0] + r sin θ, centre[1] + r cos θ)
///     from_polar   (y, x) ↦ the (j, i) of that place, 0 ≤ j < 2π / |angle_step|
/// The angle axis is periodic, where no boundary is given and it goes all around; the others are constant.
struct PolarMap {
  enum class Direction : std::uint8_t { to_polar, from_polar };
  Direction direction = Direction::to_polar;
  std::array<double, 2> centre = {};
  double first_angle = 0, angle_step = 1;
  double first_radius = 0, radius_step = 1;
  bool is_logarithmic = false;
};
/// All around `centre` out to `radius`, for a polar array [angles][radii] such as scikit-image's warp_polar and OpenCV's warpPolar make:
/// θ_j = 2π j / angles; r_i = i · radius / radii, or r_i = radius^(i / radii) where logarithmic. Throws bad_shape for a radius that is not
/// finite or not above 0 (logarithmic: 1), a centre that is not finite, extents below 1.
enum class PolarScale : std::uint8_t { linear, logarithmic };
PolarMap polar_map(PolarMap::Direction direction, const Extents& polar, std::array<double, 2> centre, double radius,
                   PolarScale scale = PolarScale::linear);
/// From the centre to the farthest element of a plane. Throws bad_shape for other than 2 axes and extents below 1.
double farthest_corner(const Extents& plane, std::array<double, 2> centre);

/// q_a at p is element [a][p] of an array of float32 or float64, as SciPy's map_coordinates: its first extent is the number of coordinates,
/// the others are those of the result's axes.
struct CoordinateField {
  Layout layout{};
  Real type = Real::float64;
  ConstBuffer data{};  // begins at byte 0 of the layout; on a GPU memory of it
};

using CoordinateMap = std::variant<AffineMap, PolarMap, CoordinateField>;

struct Resampling {
  CoordinateMap map{};
  Layout source{}, destination{};  // any strides, also negative and, in the source, 0
  NumberType source_type{}, destination_type{};
  std::vector<int> axes{};              // of the source: axes[a] is what coordinate a counts along; −1 is the last
  std::vector<int> destination_axes{};  // of the result, those of p; empty: `axes`. All other axes of both are the same, in order
  ResampleBy by = ResampleBy::linear;
  std::vector<Faces> boundary{};  // one an axis of the source, or one for all; empty: usual_boundary()
  double nodata = std::numeric_limits<double>::quiet_NaN();
  bool is_antialiased = false;  // linear and cubic grow with the scale, as area, mode and lanczos do of themselves
};

/// The largest scale at which a result skips elements of the source, as shrinking does with kernels that do not grow: above 1 for nearest,
/// 2 for linear, 4 for cubic and splines. 0 where none is skipped, and for maps other than scales of one axis each.
double skipping_scale(const Resampling& resampling);

/// The faces of each axis of the source where none are given.
std::vector<Faces> usual_boundary(const Resampling& resampling);

/// The resampling from "source" to "destination". An array of coordinates belongs to the request: it outlives the operation, and is not
/// changed. Cuts: every axis of the destination. A part needs the elements around its coordinates: along axes that are resampled a range
/// that holds all of them (the whole axis for angles, for a spline, and where a part goes round the end of a periodic axis; on a GPU also
/// for an array of coordinates), along the others its own. Stages of a spline: its coefficients ("prefilter"), of which a part needs whole
/// lines, as floats or doubles, and the sampling of these. Workspace: a copy of the source, as the numbers that are computed with, for
/// types other than uint8, uint16, int16, float32 and float64, in the other byte order and for 8, 16 and 32 bits to float64, but for scales
/// of one axis each (a zoom), which read any type; the coefficients, and as much again, for `spline` (on a GPU also a number of each 32);
/// on a GPU, of kernels that grow, sums along the first axis and the first two. A GPU's plan holds the weights of such kernels, at most
/// 2^27 of an axis. Cost: O(elements of the result · 2^n or 4^n for linear or cubic); of scales of one axis each O(elements · 2 n or 4 n);
/// of kernels that grow O(elements of the source · what counts each), of `mode` in memory as many numbers as one element's cells have.
/// Throws bad_shape (ranks, axes, extents or an array of coordinates that do not fit each other, a map that is not finite, a source axis
/// that is resampled and empty, periodic on one face; of kernels that grow: a face that is given and not periodic, a scale of 0), overlap
/// (a destination that writes a place twice), too_large, unsupported (more than 16 axes; a spline beyond whose array lies a number that is
/// not finite; antialiased nearest or splines; kernels that grow where axes do not scale one by one, or that go more than 8 times round a
/// periodic axis); on a CUDA device also unsupported for what is not uint8, uint16, int16, float32 or float64 of one type in the machine's
/// byte order on both sides, and in a build without CUDA, and device. run() throws also overlap where the array of coordinates is written
/// to, unsupported for splines through numbers that are not finite: of floats a GPU's stream is waited for until they are counted, before
/// the destination is written. In a graph that is captured nobody could be told: there they spread along their lines.
Operation plan(const Resampling& resampling, Device device = cpu());

/// The same at once. Throws what plan() and Operation::run throw.
void resample(const Resampling& resampling, ConstBuffer source, Buffer destination, Executor& executor = default_executor());

/// The same on a CUDA device: given to the stream, not waited for, nothing allocated on the device (of a spline and of kernels that grow:
/// their workspace and weights are, and it is waited for).
void resample(const Resampling& resampling, ConstBuffer source, Buffer destination, Device device, const Stream& stream);

}  // namespace crinkle
