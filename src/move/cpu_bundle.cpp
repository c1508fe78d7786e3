// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu_bundle.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "cpu/line_writer.hpp"
#include "cpu/scratch.hpp"

namespace crinkle {
namespace {

using Field = CpuBundle::Field;
using Region = CpuBundle::Region;

constexpr std::int64_t most_records = 1024;  // at a time

template <std::size_t bytes>
void copy_units(const std::byte* from, std::int64_t from_stride, std::byte* to, std::int64_t to_stride, std::int64_t n) {
  for (std::int64_t j = 0; j < n; ++j) std::memcpy(to + j * to_stride, from + j * from_stride, bytes);
}

void copy_each(const std::byte* from, std::int64_t from_stride, std::byte* to, std::int64_t to_stride, std::int64_t n, std::int64_t bytes) {
  if (from_stride == bytes && to_stride == bytes) {
    std::memcpy(to, from, static_cast<std::size_t>(n * bytes));
    return;
  }
  switch (bytes) {
    case 1: return copy_units<1>(from, from_stride, to, to_stride, n);
    case 2: return copy_units<2>(from, from_stride, to, to_stride, n);
    case 3: return copy_units<3>(from, from_stride, to, to_stride, n);
    case 4: return copy_units<4>(from, from_stride, to, to_stride, n);
    case 6: return copy_units<6>(from, from_stride, to, to_stride, n);
    case 8: return copy_units<8>(from, from_stride, to, to_stride, n);
    case 12: return copy_units<12>(from, from_stride, to, to_stride, n);
    case 16: return copy_units<16>(from, from_stride, to, to_stride, n);
    case 24: return copy_units<24>(from, from_stride, to, to_stride, n);
    case 32: return copy_units<32>(from, from_stride, to, to_stride, n);
    default:
      for (std::int64_t j = 0; j < n; ++j) std::memcpy(to + j * to_stride, from + j * from_stride, static_cast<std::size_t>(bytes));
  }
}

/// n records from `first` on of a region's fields, its record `first` at `to`.
void copy_fields(const Region& region, const Run& run, std::int64_t first, std::int64_t n, std::byte* to) {
  for (const Field& f : region.fields) {
    for (std::int64_t k = 0; k < f.count; ++k) {
      std::byte* const out = to + f.place + k * f.bytes;
      if (f.is_zero) {
        for (std::int64_t j = 0; j < n; ++j) std::memset(out + j * region.stride, 0, static_cast<std::size_t>(f.bytes));
        continue;
      }
      const std::byte* const in =
          run.src[static_cast<std::size_t>(f.src_slot)] + run.src_at + f.src_offset + first * f.src_stride + k * f.src_step;
      copy_each(in, f.src_stride, out, region.stride, n, f.bytes);
    }
  }
}

Field field_of(const tile::RecordTile& tile, const tile::RecordTile::Part& part, std::int64_t count) {
  Field f;
  const std::int64_t unit = tile.frame.unit;
  f.is_zero = part.cell == tile.zeros_at && part.stride == 0;
  f.bytes = unit;
  f.count = count;
  if (!f.is_zero) {
    std::int32_t r = 0;
    while (r + 1 < tile.n_sources && tile.source[r + 1].at <= part.cell) ++r;
    const tile::RecordTile::Region& source = tile.source[r];
    f.src_slot = source.slot;
    f.src_stride = source.stride;
    f.src_step = part.step;
    f.src_offset = source.begin + part.cell - source.at - (source.begin & (tile.piece_bytes - 1));
  }
  if (f.is_zero || f.src_step == unit || count == 1) f.bytes = unit * count, f.count = 1;  // they follow each other
  return f;
}

}  // namespace

CpuBundle cpu_bundle(const tile::RecordTile& tile) {
  CpuBundle bundle;
  bundle.n_records = tile.n_records;
  std::int32_t p = 0;
  for (std::int32_t g = 0; g < tile.n_destinations; ++g) {
    const tile::RecordTile::Region& to = tile.destination[g];
    const std::int32_t end = g + 1 < tile.n_destinations ? tile.destination[g + 1].at : tile.n_entries;
    Region region{to.begin, to.stride, to.slot, true, {}};
    for (; p < tile.n_parts && tile.part[p].first < end; ++p) {
      const std::int32_t next = p + 1 < tile.n_parts ? tile.part[p + 1].first : tile.n_entries;
      if (tile.part[p].cell == tile::RecordTile::no_cell) {
        region.is_dense = false;
        continue;
      }
      Field field = field_of(tile, tile.part[p], next - tile.part[p].first);
      field.place = std::int64_t{tile.part[p].first - to.at} * tile.frame.unit;
      bundle.n_bytes += field.bytes * field.count * tile.n_records;
      region.fields.push_back(field);
    }
    bundle.regions.push_back(std::move(region));
  }
  return bundle;
}

void run_bundle(const CpuBundle& bundle, const Run& run, std::int64_t part, std::int64_t n_parts) {
  const std::int64_t first = begin_of(bundle.n_records, part, n_parts), last = begin_of(bundle.n_records, part + 1, n_parts);
  const std::size_t n_regions = bundle.regions.size();
  auto* writers = static_cast<simd::LineWriter*>(simd::Scratch::of_this_thread().get(n_regions * sizeof(simd::LineWriter)));
  std::int64_t longest = 1;
  for (std::size_t g = 0; g < n_regions; ++g) {
    new (writers + g) simd::LineWriter(*run.kernels, run.is_streaming, 0);
    longest = std::max(longest, bundle.regions[g].stride);
  }
  const std::int64_t at_once = std::clamp<std::int64_t>(simd::LineWriter::capacity / longest, 1, most_records);
  for (std::int64_t at = first; at < last; at += at_once) {
    const std::int64_t n = std::min(at_once, last - at);
    for (std::size_t g = 0; g < n_regions; ++g) {
      const Region& region = bundle.regions[g];
      std::byte* const to = run.dst[static_cast<std::size_t>(region.slot)] + run.dst_at + region.offset + at * region.stride;
      if (!region.is_dense) {
        copy_fields(region, run, at, n, to);
        continue;
      }
      writers[g].go_to(to);
      copy_fields(region, run, at, n, writers[g].room());
      writers[g].wrote(n * region.stride);
      writers[g].flush();
    }
  }
  for (std::size_t g = 0; g < n_regions; ++g) writers[g].finish();
}

}  // namespace crinkle
