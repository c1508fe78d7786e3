// Distances, line by line of the destination: along a line one point meets a range of others. Sixteen lines go through a piece of the
// planes that stays in the first cache before they all go on to the next one; pieces begin where lines of 64 bytes of the destination do.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/checked.hpp"
#include "cpu/even_parts.hpp"
#include "cpu/point_planes.hpp"
#include "cpu/scratch.hpp"
#include "pairs/cpu/pairs.hpp"
#include "pairs/squares.hpp"
#include "tile/triangle_parts.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t lines_together = 16, line_bytes = 64;
// Points of a piece: their planes fill half of a first cache, and a kernel's vectors at least once.
constexpr std::int64_t distance_piece_bytes = 24 << 10, least_piece_bytes = 256, most_piece = 4096;

struct Extent {
  std::int64_t begin = 0, end = 0;
};

/// Lines of a destination, and what of each is written.
struct DestinationLines {
  PartLines of;
  Extent lines;
  std::int64_t unit = 1, before = 0;  // bytes: a line begins at start(line) · unit − before

  std::int64_t start(std::int64_t line) const { return of.lines.start(line) * unit - before; }
  Extent along(std::int64_t line) const {
    const TrianglePart& p = of.part;
    if (of.lines.are_columns) return {std::max(p.i_begin, line + p.gap), p.i_end};
    return {p.j_begin, std::min(p.j_end, line - p.gap + 1)};
  }
};

/// The memory that distances go to.
struct Destination {
  std::byte* out = nullptr;
  detail::SmallVector<DestinationLines, 3> parts;
  std::int64_t bytes = 0;
  bool is_aligned = true;  // every line begins at a multiple of its elements
};

// n lines of m elements, `pitch` bytes apart: a part whose gap is so wide that every pair is in it.
Destination rectangle(std::byte* out, std::int64_t n, std::int64_t m, std::int64_t pitch, std::int64_t element) {
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(out) % static_cast<std::uintptr_t>(element) == 0 && pitch % element == 0;
  Destination to{.out = out, .bytes = n * m * element, .is_aligned = is_aligned};
  to.parts.push_back({{{0, n, 0, m, -m}, {0, 1, 0, false}}, {0, n}, pitch, 0});
  return to;
}

Destination form_lines(std::byte* out, PairForm form, std::int64_t n, const PairLines& lines, Real type) {
  const std::int64_t element = bytes_of(type);
  if (form == PairForm::square) return rectangle(out, n, n, n * element, element);
  Destination to{.out = out, .is_aligned = reinterpret_cast<std::uintptr_t>(out) % static_cast<std::uintptr_t>(element) == 0};
  const std::int64_t first = is_of_lines(form) ? elements_before(form, n, lines.first) : 0;
  to.bytes = (is_of_lines(form) ? elements_before(form, n, lines.last) - first : layout_of(form, n, type).n_elements()) * element;
  for (const PartLines& part : destinations_of(layout_of(form, n, type))) {
    const TrianglePart& p = part.part;
    Extent range = part.lines.are_columns ? Extent{p.j_begin, p.j_end} : Extent{p.i_begin, p.i_end};
    if (is_of_lines(form)) range = {std::max(range.begin, lines.first), std::min(range.end, lines.last)};
    to.parts.push_back({part, range, element, first * element});
  }
  return to;
}

template <class T, class C>
struct Work {
  static constexpr auto element = static_cast<std::int64_t>(sizeof(T));

  const PointPlanes<C>&of_lines, &of_alongs;
  simd::DistanceLine<T, C> kernel;
  std::byte* out;
  bool is_streaming;

  /// The first place from `at` on, within the range, that begins a line of 64 bytes; `at` itself where no element does.
  std::int64_t line_from(std::int64_t at, const Extent& range, std::int64_t start) const {
    if (at <= range.begin || at >= range.end) return std::clamp(at, range.begin, range.end);
    const auto past_line = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out + start + at * element) % line_bytes);
    if (past_line == 0 || past_line % element != 0) return at;
    return std::min(range.end, at + (line_bytes - past_line) / element);
  }

  void run(const DestinationLines& lines, std::int64_t first, std::int64_t last, std::int64_t piece, C* points) const {
    const std::int64_t n_planes = of_lines.n_planes();
    Extent ranges[lines_together], all{std::numeric_limits<std::int64_t>::max(), 0};
    std::int64_t starts[lines_together];
    for (std::int64_t l = first; l < last; ++l) {
      of_lines.copy_point(l, points + (l - first) * n_planes);
      ranges[l - first] = lines.along(l);
      starts[l - first] = lines.start(l);
      all = {std::min(all.begin, ranges[l - first].begin), std::max(all.end, ranges[l - first].end)};
    }
    for (std::int64_t at = all.begin; at < all.end; at += piece) {
      for (std::int64_t l = 0; l < last - first; ++l) {
        const std::int64_t begin = line_from(at, ranges[l], starts[l]), end = line_from(at + piece, ranges[l], starts[l]);
        if (begin >= end) continue;
        auto* to = reinterpret_cast<T*>(out + starts[l] + begin * element);
        kernel(of_alongs.planes(), points + l * n_planes, begin, end - begin, to, is_streaming);
      }
    }
  }
};

template <class C>
struct Sets {
  const PointPlanes<C>&of_lines, &of_alongs;
};

template <class T, class C>
void run_lines(const Sets<C>& sets, simd::DistanceLine<T, C> kernel, const Destination& to, Executor& executor,
               const simd::PairKernels& kernels, const PairLimits& limits) {
  const std::int64_t n_planes = sets.of_lines.n_planes();
  const Work<T, C> work{sets.of_lines, sets.of_alongs, kernel, to.out, to.is_aligned && to.bytes >= limits.streamed_bytes};
  constexpr std::int64_t element = sizeof(C), least_piece = least_piece_bytes / element;
  const std::int64_t piece = std::clamp(distance_piece_bytes / element / n_planes / least_piece * least_piece, least_piece, most_piece);
  struct Block {
    const DestinationLines* part;
    Extent lines;
  };
  const auto n_blocks_of = [](const DestinationLines& part) {
    return ceil_divide(std::max<std::int64_t>(0, part.lines.end - part.lines.begin), lines_together);
  };
  const auto block_of = [&](std::int64_t b) {
    const DestinationLines* part = to.parts.begin();
    for (; b >= n_blocks_of(*part); ++part) b -= n_blocks_of(*part);
    const std::int64_t begin = part->lines.begin + b * lines_together;
    return Block{part, {begin, std::min(part->lines.end, begin + lines_together)}};
  };
  std::int64_t n_blocks = 0;
  for (const DestinationLines& part : to.parts) n_blocks += n_blocks_of(part);
  const auto work_of = [&](std::int64_t b) {
    const Block block = block_of(b);
    const Extent range = block.part->along((block.lines.begin + block.lines.end) / 2);
    return static_cast<double>(std::max<std::int64_t>(0, range.end - range.begin)) *
           static_cast<double>(block.lines.end - block.lines.begin);
  };
  const double least = static_cast<double>(limits.parted_steps) / static_cast<double>(n_planes);
  in_even_parts(n_blocks, work_of, least, executor, [&](std::int64_t begin, std::int64_t end) {
    // [lines][planes]
    auto* const points =
        static_cast<C*>(simd::Scratch::of_this_thread().get(static_cast<std::size_t>(lines_together * n_planes) * sizeof(C)));
    for (std::int64_t b = begin; b < end; ++b) {
      const Block block = block_of(b);
      work.run(*block.part, block.lines.begin, block.lines.end, piece, points);
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

// Behind the features a plane of 1/√Σ x²: infinity where there is no length.
template <class T>
PointPlanes<double> directions_of(const Points& points, std::byte* there) {
  auto planes = PointPlanes<double>::of(points, 1, T{}, 1.0, there);
  if constexpr (sizeof(T) == 8) scale_points(planes, points.n_features);
  double* lengths = planes.plane(points.n_features);
  for (std::int64_t f = 0; f < points.n_features; ++f) {
    const double* x = planes.plane(f);
    for (std::int64_t i = 0; i < points.n; ++i) lengths[i] += x[i] * x[i];
  }
  for (std::int64_t i = 0; i < points.n; ++i) lengths[i] = 1 / std::sqrt(lengths[i]);
  return planes;
}

template <class T>
bool all_squares_stay(const Points& lines, const Points& alongs) {
  const Sizes a = sizes_of<T>(lines.data.data, lines.n * lines.n_features);
  const Sizes b = &lines == &alongs ? a : sizes_of<T>(alongs.data.data, alongs.n * alongs.n_features);
  const Sizes both = a.most == 0 ? b : b.most == 0 ? a : Sizes{std::min(a.least, b.least), std::max(a.most, b.most)};
  return squares_stay<T>(both, lines.n_features);
}

/// `lines` and `alongs` may be one and the same object.
template <class T>
void run_typed(const Points& lines, const Points& alongs, Metric metric, const Destination& to, Executor& executor,
               const simd::PairKernels& kernels, const PairLimits& limits, std::byte* workspace) {
  const simd::PairKernelsOf<T>& of = kernels.of<T>();
  std::byte* const behind = workspace == nullptr ? nullptr : workspace + plane_bytes(alongs.n, alongs.n_features, alongs.type, metric);
  const auto run = [&]<class C>(simd::DistanceLine<T, C> kernel, const auto& planes_of) {
    const PointPlanes<C> of_alongs = planes_of(alongs, workspace);
    std::optional<PointPlanes<C>> others;
    if (&lines != &alongs) others.emplace(planes_of(lines, behind));
    run_lines<T, C>({others ? *others : of_alongs, of_alongs}, kernel, to, executor, kernels, limits);
  };
  if (metric == Metric::cosine) return run(of.cosine, directions_of<T>);
  const auto euclidean = [&] { return all_squares_stay<T>(lines, alongs) ? of.euclidean : of.scaled_euclidean; };
  const auto kernel = metric == Metric::euclidean     ? euclidean()
                      : metric == Metric::sqeuclidean ? of.sqeuclidean
                      : metric == Metric::manhattan   ? of.manhattan
                                                      : of.chebyshev;
  run(kernel, [](const Points& points, std::byte* there) { return PointPlanes<T>::of(points, 0, T{}, T{1}, there); });
}

void run_any(const Points& lines, const Points& alongs, Metric metric, const Destination& to, Executor& executor,
             const simd::PairKernels& kernels, const PairLimits& limits, std::byte* workspace) {
  if (to.bytes == 0) return;
  if (lines.type == Real::float32) run_typed<float>(lines, alongs, metric, to, executor, kernels, limits, workspace);
  else run_typed<double>(lines, alongs, metric, to, executor, kernels, limits, workspace);
}

}  // namespace

std::int64_t plane_bytes(std::int64_t n, std::int64_t n_features, Real type, Metric metric) {
  if (metric == Metric::cosine) return PointPlanes<double>::bytes(n, add(n_features, 1));
  return type == Real::float32 ? PointPlanes<float>::bytes(n, n_features) : PointPlanes<double>::bytes(n, n_features);
}

void run_distances(const Points& points, Metric metric, PairForm form, const PairLines& lines, std::byte* out, Executor& executor,
                   const simd::PairKernels& kernels, const PairLimits& limits, std::byte* workspace) {
  run_any(points, points, metric, form_lines(out, form, points.n, lines, points.type), executor, kernels, limits, workspace);
}

void run_distances(const Points& points, Metric metric, PairForm form, std::byte* out, Executor& executor, const simd::PairKernels& kernels,
                   const PairLimits& limits) {
  run_distances(points, metric, form, {0, points.n}, out, executor, kernels, limits);
}

void run_cross(const Points& rows, const Points& columns, Metric metric, std::byte* out, std::int64_t pitch, Executor& executor,
               const simd::PairKernels& kernels, const PairLimits& limits, std::byte* workspace) {
  const bool is_one_set = rows.data.data == columns.data.data && rows.n == columns.n;
  run_any(is_one_set ? columns : rows, columns, metric, rectangle(out, rows.n, columns.n, pitch, bytes_of(rows.type)), executor, kernels,
          limits, workspace);
}

}  // namespace crinkle
