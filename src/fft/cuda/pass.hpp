// How a GPU goes through an axis: steps, each a launch.
//     lines that shared memory holds           one step, from the input to the output
//     longer ones, complex                     N = N₁·N₂·…, a step each, X[k₁ + N₁ k₂ …]: lines of N₁ at steps of N/N₁, which are
//                                              multiplied by W^{n₂k₁} and go side by side, then those of N₂ in place; three steps through
//                                              the workspace
//     columns so long that few go side by      two steps: the first stage of a line, and the others
//     side, and lines whose only kernel
//     needs whole numbers, or to be compiled
//     longer ones that are real                the chain of half as many complex numbers, folded where it reads or writes (known_ends.cuh)
//     those without a kernel for that, or      numbers into rows of the workspace, their steps there, and out of it
//     cropped
//     longer ones with a large prime factor    convolutions, in three steps where kernels are compiled for them (convolution.hpp)
// Numbers of float16 are widened and narrowed where an array is read and written.
// A line's bits depend on its length, type and kind alone, whatever its strides, its address and the lines beside it: a length has one list
// of radices (cuda_radices) in one step and in two, or one list of parts, and all kernels have the same sums and products of it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "crinkle/cuda.hpp"
#include "fft/cuda/compiled.hpp"
#include "fft/cuda/convolution.hpp"
#include "fft/cuda/form.hpp"
#include "fft/cuda/known.hpp"
#include "fft/cuda/plane.hpp"
#include "fft/cuda/stages.hpp"
#include "fft/pass.hpp"

namespace crinkle::fft {

template <class T>
class CudaPass final : public Pass {
 public:
  enum class Addresses : std::uint8_t { of_numbers, any };
  /// `any`: of steps that can do without numbers at multiples of their size.
  CudaPass(const Axis& axis, Device device, Addresses addresses = Addresses::of_numbers);
  std::int64_t workspace_bytes() const override;
  void run(const std::byte* in, std::byte* out, std::byte* workspace, const Worker& by) const override;
  std::string describe() const override;
  /// Its lines, where a step alone takes them through their stages; they have tables of this pass.
  std::optional<PlaneAxis<T>> plane_axis() const;
  /// The two parts of its lines, where a chain of two steps takes them: axes of a plane, of which the first one's lines are twisted.
  std::optional<std::pair<PlaneAxis<T>, PlaneAxis<T>>> chain_axes() const;

 private:
  static constexpr std::int64_t number = 2 * sizeof(T), none = -1;
  static constexpr std::int64_t narrowest_bytes = 32;  // of numbers side by side: a sector of memory
  enum Place : std::uint8_t { input, output, first_rows, second_rows };
  enum class Kind : std::uint8_t { lines, to_rows, from_rows, convolve };
  enum class Known : std::uint8_t { rows, columns, columns_in };  // the last where they are read

  struct Step {
    Kind kind = Kind::lines;
    Place from = input, to = output;
    CudaLines<T> lines;     // its ends are also those of the other kinds
    CudaLines<T> known;     // of a known length, for addresses at multiples of its units
    bool is_known = false;  // whether there is one: of the library, or
    std::optional<gpu::Kernel> compiled;
    LinesShape shape;                    // of the compiled one
    bool reads = false, writes = false;  // of `lines`, for numbers at multiples of their size; of float16 in compiled kernels alone
    Radices radices;                     // of `lines`, or empty: cuda_radices
    std::int64_t n_butterflies = 1;      // more than one: the lines are those of a first stage
    std::int64_t row = 1, n_lines = 1;
    std::int64_t tables = none, kernel = none, order = none, fold = none, chirp = none, low = none, high = none,
                 known_tables = none;  // where they begin in tables_
  };
  /// An array's line and loops in one of the places; strides in bytes.
  struct Side {
    Place place = input;
    std::int64_t stride = 0;
    std::vector<std::int64_t> loops;
  };

  static std::optional<PlaneAxis<T>> axis_of(const Step& step);
  bool is_half() const { return axis_.kind != FftKind::complex_to_complex && axis_.n % 2 == 0; }
  bool fits(std::int64_t n) const;
  /// A kernel of the library for lines of n numbers, or null.
  const KnownShape* has_known(std::int64_t n, Known known) const;
  bool are_known_beside() const;
  /// The loop along which lines lie closest, or the end.
  static std::vector<Loop>::const_iterator nearest(const std::vector<Loop>& loops, std::int64_t in, std::int64_t out);
  bool is_rader(std::int64_t n) const;
  /// Whether a kernel can take lines of n numbers whole: of the library, or one that is compiled. Then two steps of them have its stages.
  bool has_kernel(std::int64_t n) const { return fits(n) || has_known(n, Known::rows) != nullptr; }
  bool is_one_step(std::int64_t n) const { return has_kernel(n) || is_compiled_length(n); }
  bool is_compiled_length(std::int64_t n) const;
  bool is_shifted_in_chain() const;
  std::vector<std::int64_t> parts_of_chain(std::int64_t n) const;
  CudaEnds<T> ends() const;
  Side rows(Place place, std::int64_t row);
  Side ordered_as(const Side& other, Place place, std::int64_t n);
  void add_one();
  bool add_known_one(bool are_narrow);
  void add_chain(const Side& from, const Side& to, Place through, std::int64_t n, const CudaEnds<T>& ends);
  void add_twist(Step& step, std::int64_t n);
  void add_rows(Addresses addresses);
  void add_convolution(const Step& in, const Step& out);
  void add_convolution(Step in, Step out, ConvolutionWay way);
  void add_lines(Step step, std::vector<Loop> loops, std::int64_t twist_loop);
  void choose_cells(Step& step) const;
  void choose_direct(Step& step) const;
  void choose_known(Step& step);
  void choose_compiled(Step& step) const;
  LinesWanted wanted_of(const Step& step) const;
  static void take_compiled(Step& step, CompiledLines<T> compiled);
  void measure();
  void add_fold_and_chirp(Step& step);
  void add_loops(Step& step, const std::vector<Loop>& loops) const;
  void upload();

  Axis axis_;
  Device device_;
  Addresses addresses_ = Addresses::of_numbers;
  std::int64_t shared_bytes_ = 0;  // that a block may have
  std::int64_t multiprocessors_ = 1;
  bool has_clusters_ = false;   // of blocks (cluster.cuh)
  std::int64_t n_ = 1, m_ = 1;  // of the transform, and of the stages: more for a convolution
  std::int64_t n_lines_ = 1;
  std::int64_t n_rows_ = 0, rows_bytes_ = 0;  // arrays of rows in the workspace
  std::vector<Step> steps_;
  std::vector<Number<T>> tables_;
  DeviceMemory memory_;
  std::vector<std::int64_t> parts_;
  std::int64_t chirp_ = none, kernel_ = none, order_ = none, fold_ = none;
  bool is_rader_ = false;                // n_ is a prime whose n_ − 1 numbers but the first are convolved
  std::unique_ptr<CudaPass> unaligned_;  // where these steps need numbers at multiples of some bytes: for others
  std::uintptr_t needed_alignment_ = static_cast<std::uintptr_t>(number);
};

}  // namespace crinkle::fft
