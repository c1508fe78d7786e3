// Linear stencils as data, swept over arrays of any layout, type and rank:
//
//     Sweep sweep;
//     sweep.stencil = laplacian(2, 4);                         // 2-D, order 4
//     sweep.source = sweep.destination = Layout::dense({n, n}, 4);
//     sweep.source_type = sweep.destination_type = {Number::float32};
//     sweep.axes = {0, 1};
//     sweep.boundary = {{Bound::periodic}, {Bound::edge}};      // rows wrap, columns repeat their ends
//     Sweeper(sweep).run({in, bytes}, {out, bytes});
//
// One step is out[i] = Σ_k c_k · in[i + o_k], k in the order of the list: every product and every sum is rounded by itself (nothing is
// fused), the first product begins the sum. So the result is the same on every instruction set, for every number of threads, for steps one
// by one or several at once; only the payloads of NaNs may differ. Sums are float32 where both arrays are float16 or float32, otherwise
// float64, coefficients being rounded to that type, 64-bit integers when they are read; integers are rounded to the nearest (half to even)
// and saturated when they are stored, and NaN becomes 0. An index outside the array, however far, is what its face says
// (detail/stencil_boundary.hpp): a stencil may be wider than the array. Where several axes are outside and constant, the last of them gives
// the value, as in numpy.pad. Passes along one axis each, no two along the same (separable), follow each other in the order of the array's
// axes and give what their product as one list does, but for rounding: beyond a constant face they see its value times the weights of the
// passes before. Other passes see the value itself. Source: Bader, Bungartz, Mudigere, Narasimhan and Narayanan, "Fast GPGPU data
// rearrangement kernels using CUDA", 2009, section III.D.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crinkle/cuda.hpp"
#include "crinkle/detail/stencil_boundary.hpp"
#include "crinkle/device.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/layout.hpp"
#include "crinkle/number.hpp"
#include "crinkle/operation.hpp"

namespace crinkle {

/// One list of points: out[i] = Σ_k coefficients[k] · in[i + o_k], o_k[a] = offsets[k · rank + a].
struct PointList {
  std::vector<std::int64_t> offsets{};
  std::vector<double> coefficients{};

  std::int64_t n_points() const noexcept { return static_cast<std::int64_t>(coefficients.size()); }
};

/// Lists of points that follow each other, usually one. Arrays between two are of the type that sums are.
struct LinearStencil {
  std::string name{};  // for a person
  int rank = 1;        // 1 to 8
  std::vector<PointList> passes{};
};

enum class StencilShape : std::uint8_t { box, star };
/// The mean of the (2·radius + 1)^rank cells around, or of the 2·radius·rank + 1 along the axes.
LinearStencil average(int rank, std::int64_t radius = 1, StencilShape shape = StencilShape::box);
/// Σ_a ∂²/∂x_a² by central differences of order 2, 4, 6 or 8 (the paper's I to IV), exact for polynomials of degree order + 1. `spacing`:
/// of the cells, one number an axis; empty: 1.
LinearStencil laplacian(int rank, int order = 2, const std::vector<double>& spacing = {});
/// ∂/∂x_axis by central differences of order 2, 4, 6 or 8.
LinearStencil gradient(int rank, int axis, int order = 2, double spacing = 1);
/// exp(−d²/2σ²) on −r … r, r = ⌊truncate · σ + ½⌋, divided by its sum, along every axis, as SciPy's gaussian_filter; σ = 0 leaves an axis
/// as it is.
LinearStencil gaussian(const std::vector<double>& sigmas, double truncate = 4);
/// (−1, 0, 1) along `axis` and (1, 2, 1) along the others, as SciPy's sobel.
LinearStencil sobel(int rank, int axis);
/// The product of one row of weights an axis, each with its middle ⌊n / 2⌋ on the cell. One list of points where that has at most 32,
/// otherwise one pass an axis, the slowest axis first: the results differ by rounding.
LinearStencil separable(std::string name, const std::vector<std::vector<double>>& rows);
/// Weights [extents] in C order, their middle (index ⌊n / 2⌋ of every axis) on the cell: out[i] = Σ w[j] · in[i + j − ⌊n / 2⌋], as SciPy's
/// correlate; a convolution has the weights flipped, as SciPy's convolve. Weights of 0 are left out.
enum class Orientation : std::uint8_t { correlation, convolution };
LinearStencil from_array(std::span<const double> weights, const Extents& extents, Orientation orientation = Orientation::correlation);

/// The names of a stencil's axes and the distances between their cells, for the words of parse_stencil.
struct StencilAxes {
  std::vector<std::string> names{};
  std::vector<double> spacing_mm{};  // empty: lengths are not known
  std::vector<int> numbers{};        // of the array's axes; empty: 0, 1, …
  std::string advice{};              // at the end of an error about an axis
};
/// "average", "average:2", "average:2:star", "laplacian:4", "gradient:x", "gradient:x:4", "gaussian:1.5", "gaussian:2,1", "gaussian:2.0mm",
/// "gaussian:1mm,2mm", "gaussian:8mm:fwhm" (full width at half maximum), "sobel:x", "sobel:0"; one number or one an axis, axes by name or
/// number. `others`: forms that the caller makes, as in "array:WEIGHTS", which errors name too. Throws bad_notation, naming what there is,
/// and what the makers throw.
LinearStencil parse_stencil(std::string_view text, const StencilAxes& axes, const std::vector<std::string>& others = {});

/// "periodic", "edge", "reflect", "symmetric", "constant" or "constant:V". Throws bad_notation that names them all.
Face parse_face(std::string_view text);
std::string print(const Face& face);

/// A stencil, and the array that it is swept over.
struct Sweep {
  LinearStencil stencil{};
  Layout source{}, destination{};  // the same extents; any strides, also negative and, in the source, 0
  NumberType source_type{}, destination_type{};
  std::vector<int> axes{};  // of the array: axes[a] is axis a of the stencil; −1 is the last. The others are independent of each other
  std::vector<Faces> boundary{};   // one an axis of the stencil, or one for all; empty: reflect
  std::int64_t steps = 1;          // what lies between two steps is of the destination's type
  std::int64_t steps_at_once = 0;  // in one pass over memory; 0: as many as a model of the machine's time finds best
};

/// The sweep from "source" to "destination". Cuts: every axis; a part needs what its steps reach, as far as the array goes, round the ends
/// of a periodic axis, and has the faces of the whole where it reaches them. Workspace: up to two arrays between passes over memory. Cost:
/// of a part it computes only what is read behind, on a GPU all of what it needs, and a pass more. Throws as Sweeper does.
Operation plan(const Sweep& sweep, Device device = cpu());

/// A sweep that was planned, an operation that keeps its workspace, so run() of one Sweeper is not to be called by two threads at once; a
/// copy has a workspace of its own.
class Sweeper {
 public:
  /// Throws bad_shape (another rank than axes, extents that differ, a layout that writes a place twice, a stencil of no points or with a
  /// coefficient that is not finite, periodic on one face), unsupported (more than 16 axes that cannot be joined), too_large. For a CUDA
  /// device it puts the points and the workspace into its memory, makes several steps in one pass where the stencil is a star
  /// or a box of radius 1 along two axes (and buffers begin at multiples of 16 bytes, lines being as long), and throws also unsupported
  /// (a build without CUDA), device, out_of_memory.
  explicit Sweeper(Sweep sweep, Device device = cpu());
  Sweeper(const Sweeper& other);
  Sweeper(Sweeper&&) noexcept;
  Sweeper& operator=(Sweeper other) noexcept;
  ~Sweeper();

  /// Buffers begin at byte 0 of the layouts. Throws as Operation::run does. Cost: passes() passes over memory. `passed`, if there, is
  /// called after each.
  void run(ConstBuffer source, Buffer destination, Executor& executor = default_executor(), const std::function<void()>& passed = {});

  /// The same on a CUDA device, for a sweep planned for it, and the same bits: given to the stream, not waited for, and it can be captured
  /// into a graph; the sweeper must outlive that. A second run with the buffers of the last one makes a graph of 8 passes or more, which it
  /// and those behind it launch at once; apart from that nothing is allocated. Two runs of one sweeper must not overlap. Throws as
  /// Operation::run does.
  void run(ConstBuffer source, Buffer destination, const Stream& stream);

  std::int64_t passes() const noexcept;           // over memory
  std::int64_t workspace_bytes() const noexcept;  // of the arrays between them
  /// One line a pass: steps, tile, what is read and written.
  std::string describe() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace crinkle
