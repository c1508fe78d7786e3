// From scattered samples to a map: inverse-distance interpolation, its cross-validation, and samples binned onto a raster.
//
//     value(q) = Σ w_i z_i / Σ w_i,    w_i = m_i / (|q − x_i|² + s²)^(p/2),
//
// over all samples i, or over the nearest of them. q is where a value is wanted, x_i, z_i and m_i are a sample's place, value and weight
// (1 unless given), p > 0 is the power and s ≥ 0 the smoothing. Without smoothing, a q on a sample has that sample's value; on several,
// the mean of all of theirs weighted by m. Samples on one place are as many neighbours, and each of them counts as their mean.
//
//     const Samples samples{.places = xy, .values = height};                       // xy: x0 y0 x1 y1 …, height: z0 z1 …
//     const Raster raster = raster_over(0, 0, 1000, 500, 10);
//     std::vector<float> map(static_cast<std::size_t>(raster.n_cells()));
//     interpolate(samples, raster, {.power = 2, .neighbours = 12}, std::span<float>(map));
//
// Source: Shepard, "A two-dimensional interpolation function for irregularly-spaced data", 1968; Mei and Tian, "Impact of data layouts on
// the efficiency of GPU-accelerated IDW interpolation", 2016, equation 1.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "crinkle/cuda.hpp"
#include "crinkle/detail/record_place.hpp"
#include "crinkle/device.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/operation.hpp"
#include "crinkle/real.hpp"

namespace crinkle {

/// float32 or float64 numbers one after the other, owned by somebody else.
class Reals {
 public:
  Reals() = default;
  Reals(std::span<const float> numbers) : data_(numbers.data()), n_(std::ssize(numbers)), is_float_(true) {}  // NOLINT: any of these is one
  Reals(std::span<const double> numbers) : data_(numbers.data()), n_(std::ssize(numbers)) {}                  // NOLINT
  Reals(const std::vector<float>& numbers) : Reals(std::span<const float>(numbers)) {}                        // NOLINT
  Reals(const std::vector<double>& numbers) : Reals(std::span<const double>(numbers)) {}                      // NOLINT

  std::int64_t size() const noexcept { return n_; }
  const void* data() const noexcept { return data_; }
  bool is_float() const noexcept { return is_float_; }
  double operator[](std::int64_t i) const noexcept {
    return is_float_ ? static_cast<double>(static_cast<const float*>(data_)[i]) : static_cast<const double*>(data_)[i];
  }

 private:
  const void* data_ = nullptr;
  std::int64_t n_ = 0;
  bool is_float_ = false;
};

/// n samples of n_columns values each, in 2 or 3 dimensions.
struct Samples {
  Reals places{};   // [n][n_dimensions]: x y or x y z of one sample after the other
  Reals values{};   // [n][n_columns]
  Reals weights{};  // [n], at least 0, or none: all 1
  int n_dimensions = 2;
  std::int64_t n_columns = 1;
};

/// A number of each of n records in memory of a GPU: where, `place` says (records.hpp, places_of() in record_layout.hpp). Numbers that are
/// S bytes apart: {first, {.record_bytes = S}, type}.
struct RecordNumbers {
  const void* base = nullptr;
  PlainPlace place{};  // its group is not looked at: `base` is that of its array
  Real type = Real::float32;
};
/// n samples in memory of a GPU, in any layout of records. They are read where they lie, all the time that the interpolator is made.
struct DeviceSamples {
  std::int64_t n = 0;
  std::vector<RecordNumbers> places{};     // 2 or 3: x, y, z
  std::vector<RecordNumbers> values{};     // of every column
  std::optional<RecordNumbers> weights{};  // at least 0, or none: all 1
};

/// Cells whose values are wanted, in 1 to 3 axes, x first. The centre of cell (i, j, k) is first + (i, j, k) · step, and its value is
/// element (k · extents[1] + j) · extents[0] + i of a plane [z][y][x].
struct Raster {
  std::array<double, 3> first{}, step{1, 1, 1};  // steps may be negative: rows of a map go from north to south
  std::array<std::int64_t, 3> extents{1, 1, 1};

  std::int64_t n_cells() const;  // the product of the extents; throws too_large, and bad_shape for a negative one
};

/// Square cells that cover [x0, x1] × [y0, y1] from its upper left corner (x0, y1) on, the upper row first; the last column and row may
/// reach beyond. Throws bad_shape for an extent that is empty or not finite and a cell that is not above 0, too_large.
Raster raster_over(double x0, double y0, double x1, double y1, double cell);
/// The same in three dimensions, layers from z0 upwards.
Raster raster_over(double x0, double y0, double z0, double x1, double y1, double z1, double cell);

/// Distances are measured in an ellipse, in two dimensions only: a step across its long axis counts `ratio` times. `angle` turns the long
/// axis counterclockwise from x, in degrees.
struct Anisotropy {
  double ratio = 1;  // at least 1
  double angle = 0;
};

struct Interpolation {
  double power = 2;
  double smoothing = 0;  // a distance
  /// The nearest so many samples count, of each sector; 0: all of them. Equal distances go to the lower index. Those
  /// of decimal numbers, and with an anisotropy of turned and stretched coordinates, are rounded: some that should be equal may not be.
  std::int64_t neighbours = 0;
  /// Only samples at most so far away count, up to 4 ulp of the largest of the coordinates: roundings of decimal numbers do not matter.
  double radius = std::numeric_limits<double>::infinity();
  /// A target with fewer samples, all sectors together, gets nodata.
  std::int64_t least_neighbours = 1;
  /// 1, 4 (quadrants, in two dimensions) or 8 (octants: in two dimensions halves of quadrants, in three dimensions by signs). With an
  /// anisotropy they are those of its axes, turned and stretched. A sample between two, up to as many ulp, belongs to the first of them.
  int sectors = 1;
  Anisotropy anisotropy{};
  double nodata = std::numeric_limits<double>::quiet_NaN();  // finite as float32, or not finite, for float32 results
  /// How far a value over all samples may be from the exact one, as a part of its column's range; 0: as near as run() says.
  ///     |value − exact| ≤ tolerance · (max − min)
  /// A promise, not an estimate: far samples are summed by cells of a tree, as polynomials whose error is bounded. CPUs use it, where it
  /// saves work; everything else is exact: GPUs, neighbours, cross-validation, and sums that a tree would not make faster (few samples,
  /// powers above 16, tolerances below 1e-10). Source: docs/interpolation.md.
  double tolerance = 0;

  /// Not every sample counts for every place.
  bool is_local() const noexcept { return neighbours > 0 || radius < std::numeric_limits<double>::infinity(); }
};

/// n places that come when an operation is run, by its input "places": [n][n_dimensions] numbers of the type.
struct TargetPlaces {
  std::int64_t n = 0;
  Real type = Real::float64;
};
/// The places whose values are wanted: a raster, places known now (in memory of the host, of which a copy is kept), or places given later.
using InterpolationTargets = std::variant<Raster, Reals, TargetPlaces>;

/// The output "values" is [n_columns][z][y][x] of a raster, without z for samples in two dimensions, and [n_columns][n_targets] of places.
struct InterpolateRequest {
  Samples samples{};  // a copy of them is kept
  Interpolation how{};
  InterpolationTargets targets{};
  Real type = Real::float32;  // of the values
};

/// Cuts: the axes of a raster, the list of places; a part shares the samples, and reads its own places where these are an input. Its
/// coordinates are computed from the whole raster's. Over all samples float32 results depend on their neighbours among the targets, so that
/// a part computes whole groups of 64 of them, those it writes and those beside them. Not cut: sums with a tolerance for which a tree is
/// made; sums over all samples at places that come later; on a GPU float32 sums over all samples. A run on a CPU allocates: over all
/// samples these once more. Throws what Interpolator says.
Operation plan(const InterpolateRequest& request, Device device = cpu());

namespace interpolation {
struct Ready;
}

/// Samples made ready once for any number of targets; a copy of them is kept, which copies share. Every run gives the same bits for any
/// number of threads.
class Interpolator {
 public:
  /// Throws bad_shape for: no samples; sizes that do not fit each other; places, values and weights that are not finite, negative
  /// weights, weights that are all 0; p ≤ 0, p > 1024; s < 0; a tolerance < 0; neighbours < 0; radius ≤ 0;
  /// sectors other than 1, 4 and 8; a ratio below 1; anisotropy, and 4 sectors, in three dimensions. Cost: O(n log n).
  Interpolator(const Samples& samples, const Interpolation& how, Executor& executor = default_executor());
  /// The same for a CUDA device, whose memory then has the samples: run it on a stream. Throws also unsupported in a build without CUDA;
  /// device; out_of_memory; too_large for neighbours among 2^32 samples.
  Interpolator(const Samples& samples, const Interpolation& how, Device device);
  /// The same of samples in the device's memory: what a search reads, or a sum over all of them, is made there, on the stream, which is
  /// waited for. Results have the bits of samples in the host's memory, and what is refused the same text; those from a radius alone are
  /// within 1e-12. Cost over all samples: a sort and a few passes. From neighbours or within a radius: sorts along every axis, and as many
  /// times a pass through all samples as the tree has levels, log2 (n / 8); those of one place are read after each other. While it is made
  /// it takes up to 135 bytes of the device's memory a sample in 2 dimensions and 175 in 3, of which 50 and 66 stay, over all samples 153
  /// and 201, of which 69 and 93 stay; for every further column, and for weights, 8 more of a tree, 20 over all samples.
  Interpolator(const DeviceSamples& samples, const Interpolation& how, Device device, const Stream& stream = {});

  std::int64_t n_columns() const noexcept;
  /// The same operation as plan(InterpolateRequest) makes of these samples.
  Operation operation(const InterpolationTargets& targets, Real type) const;

  /// out[c][t] = the value of column c at target t. Throws bad_shape where out holds fewer than n_columns · n_targets numbers.
  /// Ensures: a column that is constant gives exactly that constant, and every value lies between the least and the greatest of its column.
  /// Over all samples, float32 results are computed in float32 from differences of places that keep more than its 24 bits: within 1e-6 of
  /// the column's range, plus half a step of float32 at the value (0.03 at 1e6: take float64 for small ranges around great values); float64
  /// within 1e-12; with a tolerance, within that. With neighbours everything is computed in float64, and float32 results are rounded once.
  /// Throws bad_shape for targets that are not finite and a nodata that float32 does not hold, and what Operation::run throws. Cost: n ·
  /// n_targets pairs over all samples, with a tolerance O(log n) cells and samples a target, and as many samples near it as the tolerance
  /// asks; with neighbours O(k + log n) a target, wherever the samples lie; with a radius alone as many samples as it holds.
  void run(const Raster& targets, std::span<float> out, Executor& executor = default_executor()) const;
  void run(const Raster& targets, std::span<double> out, Executor& executor = default_executor()) const;
  /// places: [n_targets][n_dimensions].
  void run(const Reals& places, std::span<float> out, Executor& executor = default_executor()) const;
  void run(const Reals& places, std::span<double> out, Executor& executor = default_executor()) const;

  /// On a CUDA device, for an interpolator made for it: `out`, and `places`, are memory of the device. Given to the stream, not waited for,
  /// nothing allocated. Every run gives the same bits. Over all samples, float32 results are within 2e-5 of the column's range, float64
  /// within 1e-12. From neighbours, they are computed in float64 from the samples that a CPU finds: to the bit as there where p is 1, 2, 3
  /// or 4 and there are neighbours, within 1e-12 otherwise. A place that is not finite gives NaN. Cost from neighbours: as on a CPU up to
  /// 32 of them; a search for every 32 of a sector; places are best in an order in which those that follow each other are near. Throws
  /// device for memory that the device cannot reach, a stream of another one, and an interpolator made for the CPU; bad_shape as above.
  void run(const Raster& targets, std::span<float> out, const Stream& stream) const;
  void run(const Raster& targets, std::span<double> out, const Stream& stream) const;
  void run(const Reals& places, std::span<float> out, const Stream& stream) const;
  void run(const Reals& places, std::span<double> out, const Stream& stream) const;

 private:
  std::shared_ptr<const interpolation::Ready> ready_;
};

/// Interpolator(samples, how).run(targets, out).
template <class Targets, class T>
void interpolate(const Samples& samples, const Targets& targets, const Interpolation& how, std::span<T> out,
                 Executor& executor = default_executor()) {
  Interpolator(samples, how, executor).run(targets, out, executor);
}

/// How well samples predict each other.
struct Score {
  double power = 0;
  std::int64_t neighbours = 0;   // 0: all
  double rmse = 0;               // √ of the mean of (prediction − value)² over all columns; NaN where nothing could be predicted
  std::int64_t n_predicted = 0;  // samples; the others have fewer than least_neighbours
};

/// How many samples share their place with another one. Throws bad_shape as Interpolator does. Cost: O(n), 40 to 64 bytes a sample.
std::int64_t count_coincident(const Samples& samples, Executor& executor = default_executor());

/// Leave-one-out cross-validation: every sample is predicted from all others, for every power and every number of neighbours (0: all),
/// which take the places of those of `how`; powers vary fastest. Another sample on the same place predicts as any other does: exactly. Sums
/// over all samples are exact, whatever the tolerance.
/// Throws as Interpolator does, and bad_shape for fewer than 2 samples and for an empty list.
/// Cost: one search for the most neighbours a sample; n² pairs a power for 0.
std::vector<Score> cross_validate(const Samples& samples, const Interpolation& how, std::span<const double> powers,
                                  std::span<const std::int64_t> neighbours, Executor& executor = default_executor());
/// The same on a CUDA device, samples in memory of the host; waited for. Predictions from neighbours with p = 1, 2, 3 and 4 have the bits
/// of the CPU's, and so has their rmse; all others are within 1e-12 of their column's range of the exact ones, and rmse of the greatest
/// range. Throws also unsupported in a build without CUDA; device; out_of_memory; too_large for neighbours among 2^32 samples.
/// Cost: a search for every power and number of neighbours, and for every 32 of a sector; n² pairs in float64, twice, a power for 0.
std::vector<Score> cross_validate(const Samples& samples, const Interpolation& how, std::span<const double> powers,
                                  std::span<const std::int64_t> neighbours, Device device);
/// The score with the least error among those that predict the most samples; the first of equals. Throws bad_shape for none.
Score best_of(std::span<const Score> scores);

/// The number that a cell keeps of the samples in it. The deviation is √(Σ (z − mean)² / count), NumPy's std.
enum class Statistic : std::uint8_t { count, sum, mean, min, max, deviation };
Statistic parse_statistic(std::string_view name);  // by these names; throws bad_notation

/// The output "statistics" is [statistic][n_columns][z][y][x] of float64, without z for samples in two dimensions. There is no input.
struct BinRequest {
  Samples samples{};  // a copy of them is kept
  Raster raster{};
  std::vector<Statistic> statistics{};
  double nodata = std::numeric_limits<double>::quiet_NaN();
};

/// Cuts: the raster's axes; every part goes through all samples. Throws what bin() says. Running it on a device waits for it and allocates
/// there.
Operation plan(const BinRequest& request, Device device = cpu());

/// out[s][c][cell] = statistic s of column c of the samples in the cell. A cell holds what lies at its lower edges (those of lower
/// indices), not what lies at its upper ones, but the last cell of an axis holds both. Samples outside belong to none. Cells without
/// samples have count 0 and nodata for all else. Weights do not count. Sums are in the order of the samples, and those of more than 1024
/// samples are sums of sums of 1024. Where (x − first) / step + 1/2 lies within 4 ulp of max(|x|, |first|) / |step| of a whole number, x
/// lies on that edge: the roundings of places that were decimal numbers do not matter. Returns how many samples lie in cells. Throws
/// bad_shape as Interpolator does, too_large. Cost: O(n + cells).
std::int64_t bin(const Samples& samples, const Raster& raster, std::span<const Statistic> statistics, std::span<double> out,
                 double nodata = std::numeric_limits<double>::quiet_NaN(), Executor& executor = default_executor());
/// The same bits from a CUDA device, samples and `out` in memory of the host; waited for. Throws also unsupported in a build without CUDA;
/// device; out_of_memory; too_large for 2^32 samples. Cost: a sort by cell; however many of the samples lie in one cell, 1024 of them are
/// read after each other and n / 1024 sums are added by one thread. Memory of the device: 56 bytes a sample and 40 + 8 · statistics a cell,
/// for any number of columns.
std::int64_t bin(const Samples& samples, const Raster& raster, std::span<const Statistic> statistics, std::span<double> out, double nodata,
                 Device device);
/// The same bits of samples in the device's memory, in any layout of records and without weights; `out` lies there, too. The stream is
/// waited for, and so is the result. Memory of the device: 84 bytes a sample more in 2 dimensions, 108 in 3.
std::int64_t bin(const DeviceSamples& samples, const Raster& raster, std::span<const Statistic> statistics, std::span<double> out,
                 double nodata, Device device, const Stream& stream = {});

}  // namespace crinkle
