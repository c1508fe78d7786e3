// A conversion on the CPU: each part of the work is a share of every piece's lines, so that all parts have about as many bytes whatever the
// lines' lengths; parts write disjoint bytes, and the result does not depend on the number of threads.
// SPDX-License-Identifier: BSD-3-Clause
#include "triangle/cpu/convert.hpp"

#include <cstring>
#include <functional>

#include "base/checked.hpp"
#include "triangle/triangle.hpp"
#include "triangle/works.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t parts_per_worker = 4;

std::int64_t pairs_before(const tile::PartByLines& lines, std::int64_t line) {
  TrianglePart before = lines.part;
  (lines.are_columns ? before.j_end : before.i_end) = line;
  return count_pairs(common_part(before, before));
}

// The beginning of part p of n: the first line before which at least p/n of all pairs lie.
std::int64_t line_at(const tile::PartByLines& lines, std::int64_t p, std::int64_t n) {
  const std::int64_t all = count_pairs(lines.part), wanted = all / n * p + all % n * p / n;
  std::int64_t low = lines.first_line(), high = lines.last_line();
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (pairs_before(lines, middle) >= wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}

void zero(const TriangleRun& run, const DiagonalLines& diagonal, std::int64_t p, std::int64_t n_parts) {
  const std::int64_t n = diagonal.end - diagonal.begin;
  for (std::int64_t i = diagonal.begin + n * p / n_parts; i < diagonal.begin + n * (p + 1) / n_parts; ++i)
    std::memset(run.to(diagonal.lines.place(i, i)), 0, static_cast<std::size_t>(run.element));
}

}  // namespace

LineRange lines_of(const tile::PartByLines& lines, std::int64_t p, std::int64_t n_parts) {
  return {p == 0 ? lines.first_line() : line_at(lines, p, n_parts), p + 1 == n_parts ? lines.last_line() : line_at(lines, p + 1, n_parts)};
}

void convert_cpu(const Conversion& conversion, const std::byte* src, std::byte* dst, Executor& executor, const simd::Kernels& kernels,
                 const TriangleLimits& limits) {
  const std::int64_t element = conversion.element;
  std::int64_t n_bytes = 0;
  for (const TriangleWork& work : conversion.works) n_bytes += count_pairs(work.piece.part) * element * (work.beside ? 2 : 1);
  const bool is_parted = executor.n_workers() > 1 && n_bytes >= limits.parted_bytes;
  const std::int64_t n_parts = is_parted ? parts_per_worker * executor.n_workers() : 1;
  const bool is_streaming = n_bytes >= (is_parted ? limits.parted_streamed_bytes : limits.lone_streamed_bytes);
  const TriangleRun run{src, dst, conversion.src_bytes, element, &kernels, is_streaming, limits.habits};
  const auto do_part = [&](std::int64_t p) {
    for (const TriangleWork& work : conversion.works) {
      const LineRange range = lines_of({work.piece.part, work.piece.to.are_columns}, p, n_parts);
      if (work.piece.is_crossing()) cross_lines(run, work.piece, work.beside, range);
      else copy_lines(run, work.piece, range);
    }
    for (const DiagonalLines& diagonal : conversion.zeros) zero(run, diagonal, p, n_parts);
    if (run.is_streaming) kernels.fence();
  };
  if (n_parts == 1) return do_part(0);
  executor.parallel_for(n_parts, std::ref(do_part));
}

void convert_cpu(const TriangleLayout& from, const TriangleLayout& to, const std::byte* src, std::byte* dst, Executor& executor,
                 const simd::Kernels& kernels, const TriangleLimits& limits) {
  convert_cpu(conversion_of(from, to), src, dst, executor, kernels, limits);
}

}  // namespace crinkle
