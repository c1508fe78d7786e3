// Fourier transforms on a CPU or a GPU: any length, any axes, any layout.
//
//     FftRequest request{.in = Layout::dense({480, 640}, 8), .out = Layout::dense({480, 640}, 8), .axes = {0, 1}};
//     const FftPlan plan(request);  // complex float32, forward
//     plan.run({x, n_bytes}, {y, n_bytes}, {});
//
// With N_a the size of axis a, signs and norms are NumPy's:
//     forward   X[k] = f Σ_n x[n] Π_a exp(−2πi k_a n_a / N_a)         inverse   the same with +2πi
//     f = 1, 1/√(Π N), 1/Π N   forward and 1/Π N, 1/√(Π N), 1   inverse,   for the norms backward, ortho and forward.
// A real array's transform keeps k = 0 … N/2 along the last of `axes`; the others follow by X[−k] = conj X[k].
// Transforms of kind cosine and sine take real numbers, along each axis (SciPy's dct and dst of type 2, and their inverses, of type 3):
//     cosine    X[k] = 2f Σ_n x[n] cos(π k (2n + 1) / 2N)             sine   X[k] = 2f Σ_n x[n] sin(π (k + 1) (2n + 1) / 2N)
// with Π 2N in the place of Π N in f; for ortho X[0] of cosines and X[N − 1] of sines are divided by √2. The inverse undoes it.
// Accuracy: the relative error in the L2 norm is at most 0.75 · ε √(log₂ N), ε = 2⁻²⁴ or 2⁻⁵³, of complex lines whose N ≥ 64 has no prime
// factor above 13, on CPUs, and of shorter ones in the mean of many; docs/fft.md has the others. NaN and infinity fill the lines they lie
// in.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crinkle/cuda.hpp"
#include "crinkle/device.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/layout.hpp"
#include "crinkle/operation.hpp"

namespace crinkle {

/// complex_to_real takes what real_to_complex makes. Its imaginary parts at k = 0 and N/2 of the last axis are not looked at.
/// cosine and sine are real to real.
enum class FftKind : std::uint8_t { complex_to_complex, real_to_complex, complex_to_real, cosine, sine };
enum class FftDirection : std::uint8_t { forward, inverse };
enum class FftNorm : std::uint8_t { backward, ortho, forward };
/// Which side has number 0 of every transformed axis in the middle, at extent/2 rounded down, as after NumPy's fftshift. An axis that is
/// halved stays as it is on that side.
enum class FftShift : std::uint8_t { none, input, output, both };
/// The type of the numbers' parts and of the arithmetic. float16 numbers are computed, and kept between two axes, in float32.
/// What is beyond float16's range becomes infinity, as in IEEE conversions; unit numbers stay within it for FftNorm::ortho.
enum class FftReal : std::uint8_t { float32, float64, float16 };

/// "backward", "ortho", "forward"; "complex", "real to complex", "complex to real", "cosine", "sine". Throw bad_notation that names them.
FftNorm parse_fft_norm(std::string_view name);
FftKind parse_fft_kind(std::string_view name);

struct FftRequest {
  /// Elements are one real number, or a complex one as re, im: element_bytes is 2, 4, 8 or 16 accordingly; for float16 either side may
  /// have float32 instead. Strides are any, negative and zero too for `in`; no two elements of `out` share a byte.
  Layout in{}, out{};
  std::vector<std::int64_t> axes{};  // transformed; −1 is the last. For real arrays the order matters: the last one is halved
  FftKind kind = FftKind::complex_to_complex;
  FftDirection direction = FftDirection::forward;
  FftNorm norm = FftNorm::backward;
  FftReal real = FftReal::float32;
  /// N of every axis of `axes`: the input is cropped to it, or padded with zeros behind. Empty, and 0: as the arrays are, where for
  /// complex_to_real the output's extent decides, whether 2(m − 1) or 2m − 1 for m of the input.
  std::vector<std::int64_t> sizes{};
  FftShift shift = FftShift::none;  // no pass of its own, but for long lines on a GPU whose parts are odd
};

/// The output's extents for an input's: N of every transformed axis, N/2 + 1 of the last for real_to_complex, 2(m − 1) for complex_to_real
/// without a size. Throws as FftPlan does.
Extents fft_extents(const Extents& in, const std::vector<std::int64_t>& axes, FftKind kind = FftKind::complex_to_complex,
                    const std::vector<std::int64_t>& sizes = {});

/// The transform as an operation, of one input and one output; cut along the axes that are not transformed; its stages are the axes, one
/// after another. Throws as FftPlan does.
Operation plan(const FftRequest& request, Device device = cpu());

/// A transform of one pair of layouts; a value, whose copies share their tables.
class FftPlan {
 public:
  /// Checks everything and computes all tables. Throws bad_shape for no axis, an axis out of range or named twice, a length of 0, extents
  /// of the output that are not those of fft_extents, element_bytes that are not the numbers'; overlap for an output whose elements share
  /// bytes; too_large; unsupported for a shift of a cosine or sine transform, and of an input that `sizes` crop; out_of_memory
  /// for lines whose tables and scratch memory the machine does not have. Cost: O(N) sines of every axis' N. For a CUDA device it puts the
  /// tables into its memory; throws unsupported in a build without CUDA, device, out_of_memory.
  explicit FftPlan(const FftRequest& request, Device device = cpu());

  /// dst = the transform of src. Ensures: src is as it was, unless dst is src: complex to complex, cosines and sines with the same layouts
  /// and no size run in place. The same bits for any number of threads. Throws bad_shape for a buffer that is too small, overlap for
  /// buffers that share bytes in any other way. `workspace` has workspace_bytes() bytes, at any address; where it
  /// is left out, it is allocated. Allocates nothing once its threads
  /// have run the plan before: each keeps scratch memory, at most some hundred KiB for lines up to 2^13.
  void run(ConstBuffer src, Buffer dst, Buffer workspace, Executor& executor = default_executor()) const;

  /// The same on a CUDA device, for a plan made for it: given to the stream, not waited for, nothing allocated, so that it can be captured
  /// into a graph; the plan must outlive that. Two runs on one workspace must not overlap. Throws also device for memory that the device
  /// cannot reach, a stream of another one, and a plan for the CPU.
  void run(ConstBuffer src, Buffer dst, Buffer workspace, const Stream& stream) const;

  std::int64_t workspace_bytes() const;
  std::int64_t n_points() const;  // Π N · lines
  /// The passes over memory, for a person: axis, how its lines are taken, radices, bytes; and a predicted time: of each pass the longer of
  /// its bytes at a copy's rate and its operations at a stated one. The first call in a process measures a CPU's copy, some 10 ms.
  std::string describe() const;

  const Operation& operation() const noexcept { return operation_; }

 private:
  Operation operation_;
};

/// Which part of a convolution is kept, as in SciPy: all of it; as much as `a` has, from its middle; what needs no zeros outside the
/// arrays.
enum class ConvolveMode : std::uint8_t { full, same, valid };
ConvolveMode parse_convolve_mode(std::string_view name);  // "full", "same", "valid"; throws bad_notation

/// The extents of a convolution: a + b − 1, a, or |a − b| + 1 along each of `axes` (none: all), elsewhere the same or, where one has 1, the
/// other's. Throws bad_shape for other ranks, an extent of 0, an axis out of range or named twice, and, for valid, where neither array is
/// at least as long as the other along every axis.
Extents convolve_extents(const Extents& a, const Extents& b, ConvolveMode mode, const std::vector<std::int64_t>& axes = {});

/// out[k] = Σ_n a[n] b[k + start − n], zeros outside, with start = 0, (b − 1)/2 rounded down or min(a, b) − 1 along each axis for full,
/// same and valid; as a correlation the same with b backwards along `axes`. Along other axes every place is a convolution of its own.
struct ConvolveRequest {
  Layout a{}, b{}, out{};  // of any strides, zero too for a and b
  ConvolveMode mode = ConvolveMode::full;
  FftReal real = FftReal::float32;
  std::vector<std::int64_t> axes{};  // convolved; −1 is the last; none: all
  bool is_correlation = false;
  bool is_complex = false;  // all three, their parts of type `real`; a correlation conjugates nothing
};

/// The convolution as an operation of the inputs a and b, cut along the axes that are not convolved. Throws as ConvolvePlan does.
Operation plan(const ConvolveRequest& request, Device device = cpu());

/// A convolution through transforms of the smallest sizes 2^i 3^j 5^k that hold the full one, on a CPU of blocks of the longer array where
/// that costs less; a value, as FftPlan. An axis along which either array has one element is not transformed.
class ConvolvePlan {
 public:
  /// Throws what FftPlan and convolve_extents throw, unsupported for float16, bad_shape for an `out` of other extents than
  /// convolve_extents.
  explicit ConvolvePlan(const ConvolveRequest& request, Device device = cpu());

  /// dst = the convolution. Ensures: an error of some ε ‖a‖ ‖b‖. Throws as FftPlan::run; overlap for dst sharing bytes with a or b.
  void run(ConstBuffer a, ConstBuffer b, Buffer dst, Buffer workspace, Executor& executor = default_executor()) const;
  /// The same on a CUDA device, given to the stream as FftPlan::run gives its own.
  void run(ConstBuffer a, ConstBuffer b, Buffer dst, Buffer workspace, const Stream& stream) const;

  std::int64_t workspace_bytes() const;  // two complex arrays of those sizes, and what their transforms need
  std::string describe() const;
  const Operation& operation() const noexcept { return operation_; }

 private:
  Operation operation_;
};

/// A real array in memory.
struct ConstArray {
  Layout layout{};
  ConstBuffer data{};
};

/// ConvolvePlan(…).run(…) of all axes on a CPU, with a workspace of its own.
void fft_convolve(const ConstArray& a, const ConstArray& b, const Layout& out, Buffer dst, ConvolveMode mode,
                  FftReal real = FftReal::float32, Executor& executor = default_executor());

}  // namespace crinkle
