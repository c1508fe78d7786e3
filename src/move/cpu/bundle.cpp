// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu/bundle.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include "cpu/line_writer.hpp"
#include "cpu/scratch.hpp"

namespace crinkle {
namespace {

using Field = CpuBundle::Field;
using Region = CpuBundle::Region;

constexpr std::int64_t most_records = 16 << 10;  // at a time
// Bytes of the destination at a time. Where weaves read the same records again, they should still be in the first cache; where one or two
// weave, what they send for should not hold them up; where nothing does, the writers' ends count; in the caches nothing is sent for and
// there are no ends.
constexpr std::int64_t turn_of_weaves = 4096, turn_of_few = 3072, turn_of_families = 64 << 10, turn_in_caches = 32 << 10;
constexpr std::int64_t most_together = 512;     // records
constexpr std::int64_t most_bundled_rows = 64;  // of a record put together in the caches
constexpr std::int32_t most_pieces = 32;        // of a woven vector

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

/// Whole records of a region as an item, and what it is woven from.
simd::Weave weave_of(const Region& region, std::int64_t n_records, int width, std::vector<CpuBundle::Base>& bases) {
  simd::Weave::Item item;
  item.most_pieces = most_pieces;
  item.constants = {0};
  item.units.resize(static_cast<std::size_t>(region.stride));
  for (const Field& f : region.fields) {
    const CpuBundle::Base base{f.src_slot, f.src_stride};
    auto at = f.is_zero ? bases.end() : std::find(bases.begin(), bases.end(), base);
    if (!f.is_zero && at == bases.end()) at = bases.insert(bases.end(), base);
    for (std::int64_t k = 0; k < f.count; ++k)
      for (std::int64_t b = 0; b < f.bytes; ++b)
        item.units[static_cast<std::size_t>(f.place + k * f.bytes + b)] =
            f.is_zero ? simd::Weave::Origin{-1, 0}
                      : simd::Weave::Origin{static_cast<std::int32_t>(at - bases.begin()), f.src_offset + k * f.src_step + b};
  }
  if (bases.empty() || std::ssize(bases) > simd::Weave::most_bases) return {};
  for (const CpuBundle::Base& b : bases) item.src_steps.push_back(b.stride);
  return {item, n_records, width};
}

bool is_unit_of_records(const Region& r) {
  return r.is_dense && r.fields.size() == 1 && r.fields[0].count == 1 && !r.fields[0].is_zero && simd::is_unit(r.stride) && r.stride < 16;
}
bool is_behind(const Region& next, const Region& r) {
  const Field &a = r.fields[0], &b = next.fields[0];
  return next.stride == r.stride && b.src_slot == a.src_slot && b.src_stride == a.src_stride && b.src_offset == a.src_offset + r.stride;
}

/// The unit that all fields are of, each in arrays where the same unit of the next record follows, or zeros; 0 where there is none.
std::int64_t unit_of_arrays(const Region& region) {
  const std::int64_t unit = region.fields.empty() ? 0 : region.fields[0].bytes;
  const auto is_of_arrays = [&](const Field& f) {
    return f.is_zero ? f.bytes * f.count % unit == 0 : f.bytes == unit && f.src_stride == unit;
  };
  const bool are_all = region.is_dense && region.stride / std::max<std::int64_t>(1, unit) <= most_bundled_rows;
  return are_all && std::all_of(region.fields.begin(), region.fields.end(), is_of_arrays) ? unit : 0;
}

void find_families(CpuBundle& bundle, const tile::RecordTile& tile, const simd::Kernels& kernels) {
  const std::vector<Region>& regions = bundle.regions;
  std::vector<bool> is_read(static_cast<std::size_t>(tile.n_sources), false);
  for (std::size_t g = 0, last; g < regions.size(); g = last) {
    for (last = g + 1; last < regions.size() && is_unit_of_records(regions[last - 1]) && is_unit_of_records(regions[last]) &&
                       is_behind(regions[last], regions[last - 1]);)
      ++last;
    const Field& f = regions[g].fields[0];
    const auto n_fields = static_cast<std::int64_t>(last - g);
    if (n_fields < 2 || !simd::LineWriter::takes_apart(kernels, regions[g].stride, n_fields, f.src_stride)) continue;
    for (std::int32_t r = 0; r < tile.n_sources; ++r) {
      const tile::RecordTile::Region& s = tile.source[r];
      if (s.slot != f.src_slot || s.stride != f.src_stride || f.src_offset < s.begin || f.src_offset >= s.begin + s.stride) continue;
      bundle.families.push_back({g, last - g, std::clamp<std::int64_t>((s.end - f.src_offset - 16) / s.stride + 1, 0, bundle.n_records)});
      bundle.n_together = std::lcm(bundle.n_together, simd::LineWriter::line / regions[g].stride);
      is_read[static_cast<std::size_t>(r)] = true;
    }
  }
  for (std::int32_t r = 0; r < tile.n_sources; ++r)
    if (!is_read[static_cast<std::size_t>(r)]) bundle.sources.push_back({tile.source[r].begin, tile.source[r].stride, tile.source[r].slot});
}

}  // namespace

CpuBundle cpu_bundle(const tile::RecordTile& tile, const simd::Kernels& kernels) {
  CpuBundle bundle;
  bundle.n_records = tile.n_records;
  std::int32_t p = 0;
  for (std::int32_t g = 0; g < tile.n_destinations; ++g) {
    const tile::RecordTile::Region& to = tile.destination[g];
    const std::int32_t end = g + 1 < tile.n_destinations ? tile.destination[g + 1].at : tile.n_entries;
    Region region{to.begin, to.stride, to.slot, true, {}, {}, {}};
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
    region.unit = unit_of_arrays(region);
    if (region.is_dense) region.weave = weave_of(region, bundle.n_records, kernels.weave_width, region.bases);
    if (const std::int64_t items = region.weave.items(); items > 0)
      bundle.n_together = std::min(most_together, std::lcm(bundle.n_together, items));
    bundle.regions.push_back(std::move(region));
  }
  find_families(bundle, tile, kernels);
  return bundle;
}

namespace {

class Running {
 public:
  Running(const CpuBundle& bundle, const Run& run) : bundle_(bundle), run_(run) {
    const std::size_t n_regions = bundle.regions.size();
    writers_ = static_cast<simd::LineWriter*>(simd::Scratch::of_this_thread().get(n_regions * sizeof(simd::LineWriter)));
    std::int64_t longest = 0, all = 0;  // longest: of those that go by way of a buffer
    for (std::size_t g = 0; g < n_regions; ++g) {
      new (writers_ + g) simd::LineWriter(*run.kernels, run.is_streaming, run.habits.ahead);
      const Region& region = bundle.regions[g];
      if (!region.weave.is_for(*run.kernels)) longest = std::max(longest, region.stride);
      all += region.stride;
    }
    const std::int64_t fit = longest == 0 ? most_records : simd::LineWriter::capacity / longest;
    const std::int64_t most = std::clamp<std::int64_t>(fit, 1, most_records);
    std::size_t n_taken_apart = 0;
    for (const CpuBundle::Family& f : bundle.families) n_taken_apart += f.n;
    const std::int64_t turn = !run.is_streaming            ? turn_in_caches
                              : n_taken_apart == n_regions ? turn_of_families
                              : n_regions <= 2             ? turn_of_few
                                                           : turn_of_weaves;
    const std::int64_t wanted = std::min(most, turn / all / bundle.n_together * bundle.n_together);
    at_once_ = std::max(wanted, std::min(most, bundle.n_together));
    if (!run.is_streaming && n_taken_apart == n_regions) at_once_ = bundle.n_records;  // nothing is read twice
  }
  void finish() {
    for (std::size_t g = 0; g < bundle_.regions.size(); ++g) writers_[g].finish();
  }

  void records(std::int64_t first, std::int64_t last) {
    const auto n_regions = std::ssize(bundle_.regions);
    for (std::int64_t at = first; at < last; at += at_once_) {
      const std::int64_t n = std::min(at_once_, last - at);
      const std::int64_t next = std::min(last, at + at_once_), n_next = std::min(at_once_, last - next);
      auto family = bundle_.families.begin();
      for (std::int64_t g = 0; g < n_regions; ++g) {
        if (family != bundle_.families.end() && family->first == static_cast<std::size_t>(g)) {
          put_family(*family, at, n);
          g += static_cast<std::int64_t>(family->n) - 1;
          ++family;
          continue;
        }
        if (run_.is_streaming) send_for(next + n_next * g / n_regions, next + n_next * (g + 1) / n_regions);
        put(static_cast<std::size_t>(g), at, n);
      }
    }
  }

 private:
  // So that memory is kept busy while these records are put together.
  void send_for(std::int64_t first, std::int64_t last) const {
    for (const CpuBundle::Source& s : bundle_.sources)
      fetch_early(run_.src[static_cast<std::size_t>(s.slot)] + run_.src_at + s.offset + first * s.stride, (last - first) * s.stride);
  }

  std::byte* destination_of(const Region& region, std::int64_t at) const {
    return run_.dst[static_cast<std::size_t>(region.slot)] + run_.dst_at + region.offset + at * region.stride;
  }

  // Fields that begin or end within a line go by way of the writers' buffers.
  void put_family(const CpuBundle::Family& family, std::int64_t at, std::int64_t n) {
    for (std::int64_t done = 0, some; done < n; done += some) {
      some = take_apart(family, at + done, n - done);
      if (some > 0) continue;
      some = std::min(n - done, bundle_.n_together);
      for (std::size_t k = 0; k < family.n; ++k) put(family.first + k, at + done, some);
    }
  }

  // Returns how many of the records.
  std::int64_t take_apart(const CpuBundle::Family& family, std::int64_t at, std::int64_t n) {
    const Region& first = bundle_.regions[family.first];
    const Field& f = first.fields[0];
    for (std::size_t k = 0; k < family.n; ++k) writers_[family.first + k].go_to(destination_of(bundle_.regions[family.first + k], at));
    const std::byte* const in = run_.src[static_cast<std::size_t>(f.src_slot)] + run_.src_at + f.src_offset + at * f.src_stride;
    return simd::LineWriter::take_apart(writers_ + family.first, static_cast<std::int64_t>(family.n), in, f.src_stride, f.bytes,
                                        std::min(n, family.end - at));
  }

  void put(std::size_t g, std::int64_t at, std::int64_t n) {
    const Region& region = bundle_.regions[g];
    std::byte* const to = destination_of(region, at);
    if (!region.is_dense) return copy_fields(region, run_, at, n, to);
    simd::LineWriter& writer = writers_[g];
    writer.go_to(to);
    for (std::int64_t done = 1; region.unit != 0 && done > 0; at += done, n -= done) done = put_together(region, writer, at, n);
    if (region.weave.is_for(*run_.kernels)) {
      const std::byte* bases[simd::Weave::most_bases];
      for (std::size_t b = 0; b < region.bases.size(); ++b)
        bases[b] = run_.src[static_cast<std::size_t>(region.bases[b].slot)] + run_.src_at;
      return writer.woven(region.weave, bases, at, n, bundle_.n_records);
    }
    copy_fields(region, run_, at, n, writer.room());
    writer.wrote(n * region.stride);
    writer.flush();
  }

  std::int64_t put_together(const Region& region, simd::LineWriter& writer, std::int64_t at, std::int64_t n) {
    static constexpr std::byte zeros[4096] = {};
    const std::byte* rows[most_bundled_rows];
    std::int64_t n_rows = 0;
    for (const Field& f : region.fields) {
      for (std::int64_t k = 0; k < f.count * f.bytes && f.is_zero; k += region.unit) {
        rows[n_rows++] = zeros;
        n = std::min(n, std::ssize(zeros) / region.unit);
      }
      for (std::int64_t k = 0; k < f.count && !f.is_zero; ++k)
        rows[n_rows++] = run_.src[static_cast<std::size_t>(f.src_slot)] + run_.src_at + f.src_offset + at * f.src_stride + k * f.src_step;
    }
    return writer.put_together(rows, n_rows, region.unit, n);
  }

  const CpuBundle& bundle_;
  const Run& run_;
  simd::LineWriter* writers_;
  std::int64_t at_once_ = 1;
};

}  // namespace

void run_bundle(const CpuBundle& bundle, const Run& run, std::int64_t part, std::int64_t n_parts) {
  Running running(bundle, run);
  running.records(begin_of(bundle.n_records, part, n_parts), begin_of(bundle.n_records, part + 1, n_parts));
  running.finish();
}

}  // namespace crinkle
