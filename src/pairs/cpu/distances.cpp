// Distances, line by line of the destination: along a line one point meets a range of others. Sixteen lines go through a piece of the
// planes that stays in the first cache before they all go on to the next one; pieces begin where lines of 64 bytes of the destination do.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cpu/even_parts.hpp"
#include "cpu/point_planes.hpp"
#include "pairs/cpu/pairs.hpp"
#include "pairs/squares.hpp"
#include "tile/triangle_parts.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t lines_together = 16, line_bytes = 64;
// Points of a piece: their planes fill half of a first cache, and a kernel's vectors at least once.
constexpr std::int64_t distance_piece_bytes = 24 << 10, least_piece_bytes = 256, most_piece = 4096;

struct Range {
  std::int64_t begin = 0, end = 0;
};

/// Lines of a destination, and what of each is written.
struct DestinationLines {
  PartLines of;

  Range lines() const { return of.lines.are_columns ? Range{of.part.j_begin, of.part.j_end} : Range{of.part.i_begin, of.part.i_end}; }
  Range along(std::int64_t line) const {
    const TrianglePart& p = of.part;
    if (of.lines.are_columns) return {std::max(p.i_begin, line + p.gap), p.i_end};
    return {p.j_begin, std::min(p.j_end, line - p.gap + 1)};
  }
};

// A square is written by whole lines, as a part whose gap is so wide that every pair is in it.
std::vector<DestinationLines> lines_of(PairForm form, std::int64_t n, Real type) {
  if (form == PairForm::square) return {{{{0, n, 0, n, -n}, {0, n, 0, false}}}};
  std::vector<DestinationLines> all;
  for (const PartLines& part : destinations_of(layout_of(form, n, type))) all.push_back({part});
  return all;
}

template <class T, class C>
struct Work {
  static constexpr auto element = static_cast<std::int64_t>(sizeof(T));

  const PointPlanes<C>& planes;
  simd::DistanceLine<T, C> kernel;
  std::byte* out;
  bool is_streaming;

  /// The first place from `at` on, within the range, that begins a line of 64 bytes; `at` itself where no element does.
  std::int64_t line_from(std::int64_t at, const Range& range, std::int64_t start) const {
    if (at <= range.begin || at >= range.end) return std::clamp(at, range.begin, range.end);
    const auto past_line = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out + (start + at) * element) % line_bytes);
    if (past_line == 0 || past_line % element != 0) return at;
    return std::min(range.end, at + (line_bytes - past_line) / element);
  }

  void run(const DestinationLines& lines, std::int64_t first, std::int64_t last, std::int64_t piece, C* points) const {
    const std::int64_t n_planes = planes.n_planes();
    Range ranges[lines_together], all{std::numeric_limits<std::int64_t>::max(), 0};
    std::int64_t starts[lines_together];
    for (std::int64_t l = first; l < last; ++l) {
      planes.copy_point(l, points + (l - first) * n_planes);
      ranges[l - first] = lines.along(l);
      starts[l - first] = lines.of.lines.start(l);
      all = {std::min(all.begin, ranges[l - first].begin), std::max(all.end, ranges[l - first].end)};
    }
    for (std::int64_t at = all.begin; at < all.end; at += piece) {
      for (std::int64_t l = 0; l < last - first; ++l) {
        const std::int64_t begin = line_from(at, ranges[l], starts[l]), end = line_from(at + piece, ranges[l], starts[l]);
        if (begin >= end) continue;
        auto* to = reinterpret_cast<T*>(out + (starts[l] + begin) * element);
        kernel(planes.planes(), points + l * n_planes, begin, end - begin, to, is_streaming);
      }
    }
  }
};

template <class T, class C>
void run_lines(const PointPlanes<C>& planes, simd::DistanceLine<T, C> kernel, PairForm form, std::byte* out, Executor& executor,
               const simd::PairKernels& kernels, const PairLimits& limits) {
  constexpr Real type = sizeof(T) == 4 ? Real::float32 : Real::float64;
  const std::int64_t n = planes.n(), n_planes = planes.n_planes();
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(out) % sizeof(T) == 0;
  const Work<T, C> work{planes, kernel, out, is_aligned && distance_bytes(n, form, type) >= limits.streamed_bytes};
  constexpr std::int64_t element = sizeof(C), least_piece = least_piece_bytes / element;
  const std::int64_t piece = std::clamp(distance_piece_bytes / element / n_planes / least_piece * least_piece, least_piece, most_piece);
  const std::vector<DestinationLines> parts = lines_of(form, n, type);
  struct Block {
    std::size_t part;
    Range lines;
  };
  std::vector<Block> blocks;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Range lines = parts[p].lines();
    for (std::int64_t l = lines.begin; l < lines.end; l += lines_together)
      blocks.push_back({p, {l, std::min(lines.end, l + lines_together)}});
  }
  const auto work_of = [&](std::int64_t b) {
    const Block& block = blocks[static_cast<std::size_t>(b)];
    const Range range = parts[block.part].along((block.lines.begin + block.lines.end) / 2);
    return static_cast<double>(std::max<std::int64_t>(0, range.end - range.begin)) *
           static_cast<double>(block.lines.end - block.lines.begin);
  };
  const double least = static_cast<double>(limits.parted_steps) / static_cast<double>(n_planes);
  in_even_parts(std::ssize(blocks), work_of, least, executor, [&](std::int64_t begin, std::int64_t end) {
    std::vector<C> points(static_cast<std::size_t>(lines_together * n_planes));  // [lines][planes]
    for (std::int64_t b = begin; b < end; ++b) {
      const Block& block = blocks[static_cast<std::size_t>(b)];
      work.run(parts[block.part], block.lines.begin, block.lines.end, piece, points.data());
    }
    if (work.is_streaming) kernels.fence();
  });
}

// Lengths matter to no angle: points of float64 are brought near 1, by powers of two, so that no square leaves the range.
void scale_points(PointPlanes<double>& planes, std::int64_t n_features) {
  for (std::int64_t i = 0; i < planes.n(); ++i) {
    double most = 0;
    for (std::int64_t f = 0; f < n_features; ++f) most = std::max(most, std::abs(planes.plane(f)[i]));
    if (most == 0 || !std::isfinite(most)) continue;
    const int exponent = std::ilogb(most);
    for (std::int64_t f = 0; f < n_features; ++f) planes.plane(f)[i] = std::scalbn(planes.plane(f)[i], -exponent);
  }
}

template <class T>
void run_cosine(const Points& points, PairForm form, std::byte* out, Executor& executor, const simd::PairKernels& kernels,
                const PairLimits& limits) {
  auto planes = PointPlanes<double>::of(points, 1, T{});
  if constexpr (sizeof(T) == 8) scale_points(planes, points.n_features);
  double* lengths = planes.plane(points.n_features);  // their squares first, in the end 1 over them: infinity where there is none
  for (std::int64_t f = 0; f < points.n_features; ++f) {
    const double* x = planes.plane(f);
    for (std::int64_t i = 0; i < points.n; ++i) lengths[i] += x[i] * x[i];
  }
  for (std::int64_t i = 0; i < points.n; ++i) lengths[i] = 1 / std::sqrt(lengths[i]);
  run_lines<T>(planes, kernels.of<T>().cosine, form, out, executor, kernels, limits);
}

template <class T>
void run_typed(const Points& points, Metric metric, PairForm form, std::byte* out, Executor& executor, const simd::PairKernels& kernels,
               const PairLimits& limits) {
  if (metric == Metric::cosine) return run_cosine<T>(points, form, out, executor, kernels, limits);
  const simd::PairKernelsOf<T>& of = kernels.of<T>();
  const auto euclidean = [&] {
    const Sizes sizes = sizes_of<T>(points.data.data, points.n * points.n_features);
    return squares_stay<T>(sizes, points.n_features) ? of.euclidean : of.scaled_euclidean;
  };
  const auto kernel = metric == Metric::euclidean     ? euclidean()
                      : metric == Metric::sqeuclidean ? of.sqeuclidean
                      : metric == Metric::manhattan   ? of.manhattan
                                                      : of.chebyshev;
  run_lines<T>(PointPlanes<T>::of(points, 0, T{}), kernel, form, out, executor, kernels, limits);
}

}  // namespace

void run_distances(const Points& points, Metric metric, PairForm form, std::byte* out, Executor& executor, const simd::PairKernels& kernels,
                   const PairLimits& limits) {
  if (points.n == 0) return;
  if (points.type == Real::float32) run_typed<float>(points, metric, form, out, executor, kernels, limits);
  else run_typed<double>(points, metric, form, out, executor, kernels, limits);
}

}  // namespace crinkle
