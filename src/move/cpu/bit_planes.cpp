// Bit planes at speed, a chunk of elements at a time in buffers that stay in the caches:
//     elements  --records to lanes-->  lanes [byte][element]  --bit matrices-->  rows [plane][element / 8]  --whole lines-->  planes
// and the other way round. Lane b is byte b of every element, and makes planes 8b … 8b+7. Elements of more than 64 bytes are taken in
// bands of as many lanes, so that the buffers stay small.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu/bit_planes.hpp"

#include <algorithm>
#include <cstring>

#include "base/checked.hpp"
#include "cpu/line_writer.hpp"
#include "cpu/scratch.hpp"
#include "operations/bit_planes.hpp"

namespace crinkle {
namespace {

using simd::BitMatrices, simd::Kernels, simd::LineWriter, simd::Scratch;

constexpr std::int64_t line = BitMatrices::line, per_line = BitMatrices::line_bytes;  // elements whose bits make a line of a plane
constexpr std::int64_t most_lanes = 64;                                               // of a band
// A chunk, on the way to planes, has 8 KiB, but up to 16 where that gives each plane four lines.
constexpr std::int64_t chunk_bytes = 8 << 10, most_chunk_bytes = 16 << 10, chunk_lines = 4;
// Back, planes may lie a multiple of 4096 bytes apart and share a set of the cache, so little of them is sent for at once: 8 turns of 2
// lines of eight planes. The elements of the chunk before are written in the same turns. A lone lane is quicker with 4 lines.
constexpr std::int64_t turn_elements = 2 * per_line, turns_ahead = 8;
constexpr std::int64_t lane_elements = 32 * per_line, lone_lane_elements = 4 * per_line, lanes_bytes = 128 << 10;

std::int64_t chunk_elements(std::int64_t n_lanes) {
  const std::int64_t wanted = std::min(std::max(chunk_bytes / n_lanes, chunk_lines * per_line), most_chunk_bytes / n_lanes);
  return std::max(per_line, wanted / per_line * per_line);
}

// A thread's work: n elements that follow each other.
struct PlanesPart {
  std::int64_t n = 0, element_bytes = 0;
  std::int64_t plane_bytes = 0;  // from one plane to the next
  bool is_streaming = false;
  const BitMatrices* matrices = nullptr;
  const Kernels* kernels = nullptr;
};

void prefetch(const std::byte* from, std::int64_t bytes) {
  for (std::int64_t at = 0; at < bytes; at += line) __builtin_prefetch(from + at);
}

// Planes to be written by whole lines. Row p has a line's room, then the plane's bytes of one chunk; in the room, right before these, wait
// the bytes of the last chunk that did not fill a line.
class PlaneRows {
 public:
  static std::int64_t bytes(std::int64_t n_lanes) { return 8 * n_lanes * pitch_of(n_lanes); }
  PlaneRows(const PlanesPart& part, std::byte* rows, std::int64_t n_lanes, std::byte* out)
      : part_(&part), rows_(rows), out_(out), pitch_(pitch_of(n_lanes)), n_rows_(8 * n_lanes) {}

  std::byte* row(std::int64_t p) { return rows_ + p * pitch_ + line; }
  std::int64_t pitch() const { return pitch_; }

  // The first n bytes of rows 8b … 8b+7 belong at byte `at` of the part. Between the rows, the next elements are sent for.
  void write(std::int64_t b, std::int64_t at, std::int64_t n, bool is_last, std::span<const std::byte> next) {
    const std::int64_t share = std::ssize(next) / n_rows_;
    for (std::int64_t p = 8 * b; p < 8 * b + 8; ++p) {
      prefetch(next.data() + p * share, share);
      std::byte *begin = out_ + p * part_->plane_bytes, *to = begin + at, *from = row(p);
      if (!part_->is_streaming) {
        std::memcpy(to, from, static_cast<std::size_t>(n));
        continue;
      }
      const std::int64_t waiting = std::min(at, past_line(to)), ready = n + waiting - (is_last ? 0 : past_line(to + n));
      part_->kernels->stream_from(from - waiting, to - waiting, ready, 0);
      if (!is_last) std::memcpy(from - line, from + n - line, line);
    }
  }

 private:
  static std::int64_t pitch_of(std::int64_t n_lanes) { return line + chunk_elements(n_lanes) / 8; }
  static std::int64_t past_line(const std::byte* p) { return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(p) % line); }

  const PlanesPart* part_;
  std::byte *rows_, *out_;  // [8·n_lanes][pitch]; byte 0 of the part in the first plane
  std::int64_t pitch_, n_rows_;
};

// `elements` begins with the first element's first byte of the band, `planes` with the part's first byte in the band's first plane.
void lanes_to_planes(const PlanesPart& part, std::int64_t n_lanes, const std::byte* elements, std::byte* planes) {
  const std::int64_t most = chunk_elements(n_lanes), e = part.element_bytes;
  auto* lanes =
      static_cast<std::byte*>(Scratch::of_this_thread().get(static_cast<std::size_t>(n_lanes * most + PlaneRows::bytes(n_lanes))));
  PlaneRows rows(part, lanes + n_lanes * most, n_lanes, planes);
  for (std::int64_t i = 0; i < part.n; i += most) {
    const std::int64_t n = std::min(most, part.n - i), n_lines = ceil_divide(n, per_line);
    const std::byte* lane = elements + i;  // of one byte an element: the elements themselves, if they fill lines
    if (e > 1 || n % per_line != 0) {
      part.kernels->transpose[0](elements + i * e, e, n, n_lanes, lanes, most);
      for (std::int64_t b = 0; b < n_lanes; ++b) std::memset(lanes + b * most + n, 0, static_cast<std::size_t>(n_lines * per_line - n));
      lane = lanes;
    }
    const std::int64_t n_next = n_lanes == e ? std::min(most, part.n - i - n) : 0;
    const std::span<const std::byte> next(n_next > 0 ? elements + (i + n) * e : nullptr, static_cast<std::size_t>(n_next * e));
    for (std::int64_t b = 0; b < n_lanes; ++b) {  // what one lane writes is on its way while the next is computed
      part.matrices->to_planes(lane + b * most, n_lines, rows.row(8 * b), rows.pitch());
      rows.write(b, i / 8, ceil_divide(n, 8), i + n == part.n, next);
    }
  }
}

// One lane of n elements; its room is whole lines.
void planes_to_lane(const PlanesPart& part, const std::byte* planes, std::int64_t n, std::byte* lane, const std::byte* next) {
  const std::int64_t n_lines = n / per_line;
  part.matrices->to_bytes(planes, part.plane_bytes, n_lines, lane, next);
  const std::int64_t rest = ceil_divide(n % per_line, 8);
  if (rest == 0) return;
  alignas(64) std::byte last[8 * line] = {};
  for (std::int64_t k = 0; k < 8; ++k)
    std::memcpy(last + k * line, planes + k * part.plane_bytes + n_lines * line, static_cast<std::size_t>(rest));
  part.matrices->to_bytes(last, line, 1, lane + n_lines * per_line, nullptr);
}

// The turns in which planes are read: those of a lane, of the chunk's next lane, …, of the next chunk.
class Reading {
 public:
  Reading(const PlanesPart& part, std::int64_t n_lanes, std::int64_t chunk, const std::byte* planes)
      : part_(&part), n_lanes_(n_lanes), chunk_(chunk), planes_(planes) {}

  bool is_done() const { return first_ >= part_->n; }
  std::int64_t lane() const { return lane_; }
  std::int64_t first() const { return first_; }                                 // of the chunk
  std::int64_t at() const { return at_; }                                       // in the chunk
  std::int64_t chunk() const { return std::min(chunk_, part_->n - first_); }    // elements
  std::int64_t size() const { return std::min(turn_elements, chunk() - at_); }  // of the turn
  const std::byte* planes() const { return planes_ + 8 * lane_ * part_->plane_bytes + (first_ + at_) / 8; }
  void next() {
    if (is_done()) return;
    at_ += turn_elements;
    if (at_ < chunk()) return;
    at_ = 0;
    if (++lane_ < n_lanes_) return;
    lane_ = 0;
    first_ += chunk_;
  }

 private:
  const PlanesPart* part_;
  std::int64_t n_lanes_, chunk_;
  const std::byte* planes_;
  std::int64_t lane_ = 0, first_ = 0, at_ = 0;
};

// Puts the elements of a chunk together, a turn of them at a time.
class Writing {
 public:
  Writing(const PlanesPart& part, std::int64_t n_lanes, std::int64_t pitch, std::byte* elements)
      : part_(&part),
        n_lanes_(n_lanes),
        pitch_(pitch),
        turn_((turn_elements + n_lanes - 1) / n_lanes),
        most_(LineWriter::capacity / part.element_bytes),
        out_(elements),
        writer_(*part.kernels, part.is_streaming, 0) {
    if (n_lanes == part.element_bytes) writer_.go_to(elements);
  }
  // The next chunk, n elements in lanes `pitch` apart.
  void begin(const std::byte* lanes, std::int64_t n) {
    lanes_ = lanes;
    left_ = n;
  }
  void turn() { write(std::min(turn_, left_)); }
  void write_rest() { write(left_); }
  void finish() {
    if (n_lanes_ == part_->element_bytes) writer_.finish();
  }

 private:
  void write(std::int64_t n) {
    const std::int64_t e = part_->element_bytes;
    left_ -= n;
    if (n_lanes_ < e) {
      part_->kernels->transpose[0](lanes_, pitch_, n_lanes_, n, out_, e);
      out_ += n * e;
      lanes_ += n;
      return;
    }
    for (std::int64_t some = 0; n > 0; n -= some, lanes_ += some) {
      some = std::min(most_, n);
      if (e == 1) {
        writer_.copy(lanes_, some);
      } else {
        part_->kernels->transpose[0](lanes_, pitch_, e, some, writer_.room(), e);
        writer_.wrote(some * e);
        writer_.flush();
      }
    }
  }

  const PlanesPart* part_;
  std::int64_t n_lanes_, pitch_, turn_, most_, left_ = 0;  // turn_: elements of a turn; most_: elements that fit the writer
  const std::byte* lanes_ = nullptr;
  std::byte* out_;
  LineWriter writer_;
};

void planes_to_lanes(const PlanesPart& part, std::int64_t n_lanes, const std::byte* planes, std::byte* elements) {
  const std::int64_t most =
      std::clamp(lanes_bytes / n_lanes / turn_elements * turn_elements, turn_elements, n_lanes == 1 ? lone_lane_elements : lane_elements);
  auto* lanes = static_cast<std::byte*>(Scratch::of_this_thread().get(static_cast<std::size_t>(2 * n_lanes * most)));
  Writing writing(part, n_lanes, most, elements);
  Reading now(part, n_lanes, most, planes), later = now;
  for (std::int64_t k = 0; k < turns_ahead; ++k) later.next();
  std::byte* chunk = lanes;
  while (!now.is_done()) {
    planes_to_lane(part, now.planes(), now.size(), chunk + now.lane() * most + now.at(), later.planes());
    writing.turn();
    const std::int64_t first = now.first(), n = now.chunk();
    now.next();
    later.next();
    if (now.first() == first) continue;
    writing.write_rest();
    writing.begin(chunk, n);
    chunk = chunk == lanes ? lanes + n_lanes * most : lanes;
  }
  writing.write_rest();
  writing.finish();
}

// Calls body(part, first) for ranges of elements that begin at multiples of a line of the planes.
template <class Body>
void for_each_part(const PlanesShape& shape, Executor& executor, const BitMatrices& matrices, const CpuLimits& limits, const Body& body) {
  const std::int64_t bytes = multiply(shape.some.count, shape.element_bytes);
  if (bytes == 0) return;
  const std::int64_t n_chunks = ceil_divide(shape.some.count, per_line);
  const bool is_parted = executor.n_workers() > 1 && bytes >= limits.parted_bytes;
  const std::int64_t n_parts = is_parted ? std::min<std::int64_t>(n_chunks, std::int64_t{4} * executor.n_workers()) : 1;
  const auto begin_of = [&](std::int64_t p) { return std::min(shape.some.count, n_chunks * p / n_parts * per_line); };
  executor.parallel_for(n_parts, [&](std::int64_t p) {
    const PlanesPart part{begin_of(p + 1) - begin_of(p),  shape.element_bytes, ceil_divide(shape.n, 8),
                          bytes >= limits.streamed_bytes, &matrices,           &simd::kernels()};
    body(part, begin_of(p));
    if (part.is_streaming) part.kernels->fence();
  });
}

template <class Body>
void for_each_band(std::int64_t element_bytes, const Body& body) {
  for (std::int64_t b = 0; b < element_bytes; b += most_lanes) body(b, std::min(most_lanes, element_bytes - b));
}

}  // namespace

void run_bit_planes(const PlanesShape& shape, const std::byte* elements, std::byte* planes, Executor& executor, const BitMatrices& matrices,
                    const CpuLimits& limits) {
  for_each_part(shape, executor, matrices, limits, [&](const PlanesPart& part, std::int64_t first) {
    const std::byte* from = elements + first * part.element_bytes;
    std::byte* to = planes + (shape.some.first + first) / 8;
    for_each_band(part.element_bytes,
                  [&](std::int64_t b, std::int64_t n_lanes) { lanes_to_planes(part, n_lanes, from + b, to + 8 * b * part.plane_bytes); });
  });
}

void run_from_bit_planes(const PlanesShape& shape, const std::byte* planes, std::byte* elements, Executor& executor,
                         const BitMatrices& matrices, const CpuLimits& limits) {
  for_each_part(shape, executor, matrices, limits, [&](const PlanesPart& part, std::int64_t first) {
    const std::byte* from = planes + (shape.some.first + first) / 8;
    std::byte* to = elements + first * part.element_bytes;
    for_each_band(part.element_bytes,
                  [&](std::int64_t b, std::int64_t n_lanes) { planes_to_lanes(part, n_lanes, from + 8 * b * part.plane_bytes, to + b); });
  });
}

void bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes, ElementRange some,
                Executor& executor) {
  check_bit_planes(src.size(), dst.size(), n, element_bytes, some);
  run_bit_planes({n, element_bytes, some}, src.data(), dst.data(), executor);
}
void from_bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes,
                     ElementRange some, Executor& executor) {
  check_bit_planes(dst.size(), src.size(), n, element_bytes, some);
  run_from_bit_planes({n, element_bytes, some}, src.data(), dst.data(), executor);
}

void bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes, ElementRange some) {
  bit_planes(src, dst, n, element_bytes, some, default_executor());
}
void from_bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes,
                     ElementRange some) {
  from_bit_planes(src, dst, n, element_bytes, some, default_executor());
}
void bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes, Executor& executor) {
  bit_planes(src, dst, n, element_bytes, {0, n}, executor);
}
void from_bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes,
                     Executor& executor) {
  from_bit_planes(src, dst, n, element_bytes, {0, n}, executor);
}
void bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes) {
  bit_planes(src, dst, n, element_bytes, {0, n});
}
void from_bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes) {
  from_bit_planes(src, dst, n, element_bytes, {0, n});
}

}  // namespace crinkle
