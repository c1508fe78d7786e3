// One axis of a transform: all its lines, from one array to another or in place, each line read whole before it is written.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/held_bytes.hpp"
#include "base/loops.hpp"
#include "crinkle/cuda.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/fft.hpp"
#include "fft/cpu/line.hpp"

namespace crinkle::fft {

struct Axis {
  FftKind kind = FftKind::complex_to_complex;
  std::int64_t n = 1;            // N
  std::int64_t n_in = 1;         // elements that are read; behind them, up to those of N, are zeros
  std::int64_t in = 0, out = 0;  // strides in bytes
  std::int64_t in_shift = 0;     // number j lies at place (j + in_shift) mod n_in
  std::int64_t out_shift = 0;    // and k at (k + out_shift) mod n_out()
  FftDirection direction = FftDirection::forward;
  double factor = 1;
  bool is_orthonormal = false;                         // of cosines and sines: the number of frequency 0 counts 1/√2
  bool may_be_in_place = false;                        // out may be in
  bool in_is_float16 = false, out_is_float16 = false;  // and else as the arithmetic
  std::vector<Loop> loops;                             // over the other axes, outermost first
  int number = 0;                                      // of the axis, for describe()
  std::int64_t n_out() const { return kind == FftKind::real_to_complex ? n / 2 + 1 : n; }
  std::int64_t parts_in() const { return kind == FftKind::complex_to_complex || kind == FftKind::complex_to_real ? 2 : 1; }
  std::int64_t parts_out() const { return kind == FftKind::complex_to_complex || kind == FftKind::real_to_complex ? 2 : 1; }
};

/// body(byte, begin, end) for the numbers begin … end − 1 that lie one behind the other from that byte on.
template <class Byte, class F>
void for_each_part(Byte* at, std::int64_t n, std::int64_t stride, std::int64_t shift, const F& body) {
  body(at + shift * stride, std::int64_t{0}, n - shift);
  if (shift > 0) body(at, n - shift, n);
}

/// For describe(): which side is shifted, if any.
const char* shifts_of(const Axis& axis);

/// Who runs a pass: an executor, or what is given to a stream of the device.
struct Worker {
  Executor* executor = nullptr;
  CUstream_st* stream = nullptr;
  std::byte* between = nullptr;  // where a pass of two axes may leave what lies between them: as the second one reads it
};

class Pass {
 public:
  virtual ~Pass() = default;
  virtual std::int64_t workspace_bytes() const { return 0; }
  /// How often all lines are read and written.
  virtual std::int64_t times_through_memory() const { return 1; }
  /// `workspace` is aligned to workspace_alignment.
  virtual void run(const std::byte* in, std::byte* out, std::byte* workspace, const Worker& by) const = 0;
  virtual std::string describe() const = 0;
  /// Memory of its own, about.
  virtual std::int64_t held_bytes() const { return 1024; }
};

/// A pass over lines so long that one is shared among threads and goes twice through memory; null for shorter ones. Throws too_large.
std::unique_ptr<Pass> make_long_pass(const Axis& axis, FftReal real);

/// A pass over real lines of an odd length in half the work (fft/cpu/odd_line.hpp); null for other lines. Throws too_large.
std::unique_ptr<Pass> make_odd_pass(const Axis& axis, FftReal real);

/// A pass of kind cosine or sine. Throws too_large.
std::unique_ptr<Pass> make_cosine_pass(const Axis& axis, FftReal real);
/// One whose lanes are lines; null for odd and long lines, and where there are few.
std::unique_ptr<Pass> make_cosine_lanes(const Axis& axis, FftReal real);

/// From, to or between float16, in float32. Throws too_large.
std::unique_ptr<Pass> make_float16_pass(const Axis& axis);

/// Throws too_large.
std::unique_ptr<Pass> make_pass(const Axis& axis, FftReal real);
/// The same on a CUDA device. Throws too_large, out_of_memory.
std::unique_ptr<Pass> make_cuda_pass(const Axis& axis, FftReal real, Device device);
/// Two axes that follow each other, and the other ones.
struct AxisPair {
  Axis first, second;
  Loop of_first, of_second;  // the other axis of the pair: where the first one reads, and where the second one writes
  std::vector<Loop> loops;
};
/// Both axes in one pass, or null where no kernel takes them so. Its bits are those of two passes.
std::unique_ptr<Pass> make_cuda_plane(const AxisPair& pair, FftReal real, Device device);
std::unique_ptr<Pass> make_cuda_cosine_pass(const Axis& axis, FftReal real, Device device);
/// The real transform inside a cosine or sine transform: of n_lines dense lines of numbers of `size` bytes.
Axis real_axis_of(const Axis& axis, std::int64_t n_lines, std::int64_t size);

}  // namespace crinkle::fft
