// SPDX-License-Identifier: BSD-3-Clause
#include "suites/operation.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "harness/buffers.hpp"
#include "harness/walk.hpp"
#include "move/reference.hpp"
#include "suites/indexed.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t most_reference_bytes = 4 << 20;  // beyond, one box or more of one step is checked by the walk

// Against the definition, run into an array of its own.
std::int64_t first_wrong_by_reference(const Steps& steps, std::int64_t n_bytes, const std::byte* src, const std::byte* dst) {
  std::vector<std::byte> expected(static_cast<std::size_t>(n_bytes), Region::poison_byte);  // what no box writes stays as it was
  std::vector<std::byte> workspace(static_cast<std::size_t>(steps.workspace_bytes));
  std::byte* out = expected.data();
  run_reference(steps, {&src, 1}, {&out, 1}, workspace.data());
  return first_difference(expected.data(), dst, n_bytes);
}

// Runs a plan with a workspace that is there before it is timed.
void plan_run(Operation& op, const Case& c, const Rearrangement& map, Site& site) {
  Plan plan = site.plan(map);
  op.moved_bytes = moved_bytes_of(c, op.bytes, plan);
  op.run = move_of(std::move(plan), op.bytes, buffers_of_case(c, map), site);
}

void check_by_definition(Operation& op, const Rearrangement& map, Boxes boxes, Site& site) {
  const std::int64_t n = op.bytes.destination;
  Steps steps = map.steps();
  const bool is_plain = steps.steps.size() == 1 && steps.steps[0].gathers.empty();
  if (!is_plain || (n <= most_reference_bytes && !site.is_gpu())) {
    op.checked = "reference";
    op.first_wrong = [steps = std::move(steps), n](const std::byte* src, const std::byte* dst) {
      return first_wrong_by_reference(steps, n, src, dst);
    };
    return;
  }
  const bool is_given = !boxes.empty();
  if (!is_given) boxes = steps.steps[0].boxes;
  if (is_given && bytes_written(boxes) != n)
    throw std::logic_error("boxes of " + std::to_string(bytes_written(boxes)) + " bytes for " + std::to_string(n));
  op.checked = site.is_gpu() ? "definition" : "walk";
  op.boxes = std::move(boxes);
}

// Converts records as if their groups lay in one array: in memory they do.
Rearrangement together(const Case& c) {
  const Records records = records_of(c);
  return convert_records(records.from, records.to, c.extents.at(0), {Storage::together, Storage::together, Padding::zero});
}

// The range's elements lie from c.first on in an array of c.whole; on the other side they are all.
Rearrangement of_range(const Case& c) {
  const Layout all = Layout::dense(c.extents, c.element_bytes);
  Layout range = all;
  range.offset = multiply(c.first, c.element_bytes);
  return c.kind == Case::Kind::range_read ? parse("x -> x", range, all) : parse("x -> x", all, range);
}

Operation permutation(const Case& c, Site& site) {
  Operation op;
  const Layout source = Layout::dense(c.extents, c.element_bytes);
  op.bytes = {source.n_bytes(), source.n_bytes()};
  op.element_bytes = c.element_bytes;
  const Rearrangement map = permute(source, c.order);
  plan_run(op, c, map, site);
  check_by_definition(op, map, {permuted_box(c.extents.data(), c.order.data(), c.extents.size(), c.element_bytes)}, site);
  return op;
}

Operation specified(const Case& c, const MakeSpecMap& make_map, Site& site) {
  const SpecMap made = map_of_case(c, make_map);
  Operation op;
  op.bytes = array_bytes_of(c, make_map);
  op.element_bytes = made.element_bytes;
  plan_run(op, c, made.map, site);
  check_by_definition(op, c.is_of_records() ? together(c) : made.map, {}, site);
  return op;
}

// Byte g of plane b holds bit b of elements 8g … 8g+7, the first in its lowest bit. `unused` says whether the bits of a plane's last byte
// that belong to no element are 0 or anything.
enum class UnusedBits { zero, any };
std::int64_t first_wrong_plane_byte(const std::byte* elements, const std::byte* planes, std::int64_t n, std::int64_t element_bytes,
                                    UnusedBits unused, Executor& executor) {
  const std::int64_t plane_bytes = ceil_divide(n, 8), n_bits = 8 * element_bytes;
  std::vector<std::int64_t> wrong(static_cast<std::size_t>(n_bits), -1);  // [plane]
  executor.parallel_for(n_bits, [&](std::int64_t b) {
    for (std::int64_t g = plane_bytes; g-- > 0;) {
      const std::int64_t n_here = std::min<std::int64_t>(8, n - 8 * g);
      const unsigned compared = unused == UnusedBits::zero ? 0xFFU : (1U << n_here) - 1;
      unsigned byte = 0;
      for (std::int64_t i = 0; i < n_here; ++i) {
        const auto holder = std::to_integer<unsigned>(elements[(8 * g + i) * element_bytes + b / 8]);
        byte |= ((holder >> (b % 8)) & 1U) << i;
      }
      if (((std::to_integer<unsigned>(planes[b * plane_bytes + g]) ^ byte) & compared) != 0)
        wrong[static_cast<std::size_t>(b)] = b * plane_bytes + g;
    }
  });
  const auto first = std::find_if(wrong.begin(), wrong.end(), [](std::int64_t at) { return at >= 0; });
  return first == wrong.end() ? -1 : *first;
}

Operation planes(const Case& c, Executor& executor) {
  const std::int64_t n = c.extents[0], e = c.element_bytes;
  const ArrayBytes to_planes = {multiply(n, e), bit_planes_bytes(n, e)};
  Operation op;
  op.element_bytes = e;
  op.moved_bytes = add(to_planes.source, to_planes.destination);
  op.checked = "loop";
  const auto bytes = [](auto* p, std::int64_t count) { return std::span(p, static_cast<std::size_t>(count)); };
  if (c.kind == Case::Kind::planes) {
    op.bytes = to_planes;
    op.run = [=, &executor](const std::byte* src, std::byte* dst) {
      bit_planes(bytes(src, to_planes.source), bytes(dst, to_planes.destination), n, e, executor);
    };
    op.first_wrong = [=, &executor](const std::byte* src, const std::byte* dst) {
      return first_wrong_plane_byte(src, dst, n, e, UnusedBits::zero, executor);
    };
  } else {
    op.bytes = {to_planes.destination, to_planes.source};
    op.run = [=, &executor](const std::byte* src, std::byte* dst) {
      from_bit_planes(bytes(src, to_planes.destination), bytes(dst, to_planes.source), n, e, executor);
    };
    op.first_wrong = [=, &executor](const std::byte* src, const std::byte* dst) {
      const std::int64_t at = first_wrong_plane_byte(dst, src, n, e, UnusedBits::any, executor);
      return at < 0 ? at : 8 * (at % ceil_divide(n, 8)) * e + at / ceil_divide(n, 8) / 8;  // of the first of the eight elements
    };
  }
  return op;
}

Operation indexed(const Case& c, std::uint64_t seed, Site& site) {
  const auto moved = std::make_shared<const Indexed>(c, seed);
  const Rearrangement map = indexed_map(c, *moved);
  Operation op;
  op.element_bytes = c.element_bytes;
  op.bytes = {map.source().n_bytes(), map.destination().n_bytes()};
  plan_run(op, c, map, site);
  op.loop = indexed_loop(moved, c.element_bytes, site);
  op.checked = "loop";
  op.first_wrong = [moved, n = op.bytes.destination](const std::byte* src, const std::byte* dst) {
    std::vector<std::byte> before(static_cast<std::size_t>(n), Region::poison_byte);
    return moved->first_wrong(src, std::move(before), dst, *make_executor(1));
  };
  return op;
}

}  // namespace

SpecMap map_of_case(const Case& c, const MakeSpecMap& make_map) {
  if (c.kind == Case::Kind::permutation) return {permute(Layout::dense(c.extents, c.element_bytes), c.order), c.element_bytes};
  if (c.kind == Case::Kind::records) return {together(c), c.element_bytes};
  if (c.is_range()) return {of_range(c), c.element_bytes};
  if (c.kind != Case::Kind::apart) return make_map(c);
  const Records records = records_of(c);
  return {convert_records(records.from, records.to, c.extents.at(0), {Storage::apart, Storage::apart, Padding::zero}), c.element_bytes};
}

BufferBegins buffers_of_case(const Case& c, const Rearrangement& map) {
  if (c.kind != Case::Kind::apart) return {};
  const Records records = records_of(c);
  BufferBegins begins{{}, {}};
  for (std::int64_t g = 0; g < map.n_sources(); ++g)
    begins.source.push_back(records.from.group_begin(static_cast<std::size_t>(g), c.extents[0]));
  for (std::int64_t g = 0; g < map.n_destinations(); ++g)
    begins.destination.push_back(records.to.group_begin(static_cast<std::size_t>(g), c.extents[0]));
  return begins;
}

std::int64_t moved_bytes_of(const Case& c, const ArrayBytes& bytes, const Plan& plan) {
  return c.is_of_records() ? add(bytes.source, bytes.destination) : plan.bytes_moved();
}

ArrayBytes array_bytes_of(const Case& c, const MakeSpecMap& make_map) {
  if (c.is_of_records()) {
    const Records records = records_of(c);
    return {records.from.bytes(c.extents.at(0)), records.to.bytes(c.extents.at(0))};
  }
  if (c.kind == Case::Kind::spec) {
    const SpecMap made = make_map(c);
    return {made.map.source().n_bytes(), made.map.destination().n_bytes()};
  }
  const std::int64_t n = Layout::dense(c.extents, c.element_bytes).n_bytes();
  switch (c.kind) {
    case Case::Kind::planes: return {n, bit_planes_bytes(c.extents[0], c.element_bytes)};
    case Case::Kind::from_planes: return {bit_planes_bytes(c.extents[0], c.element_bytes), n};
    case Case::Kind::scatter: return {n, multiply(2, n)};
    case Case::Kind::range_read: return {multiply(c.whole, c.element_bytes), n};
    case Case::Kind::range_write: return {n, multiply(c.whole, c.element_bytes)};
    default: return {n, n};
  }
}

Operation make_operation(const Case& c, const MakeSpecMap& make_map, std::uint64_t seed, Site& site) {
  switch (c.kind) {
    case Case::Kind::permutation: return permutation(c, site);
    case Case::Kind::records:
    case Case::Kind::apart:
    case Case::Kind::range_read:
    case Case::Kind::range_write:
    case Case::Kind::spec: return specified(c, make_map, site);
    case Case::Kind::planes:
    case Case::Kind::from_planes: return planes(c, site.executor());
    default: return indexed(c, seed, site);
  }
}

std::int64_t first_wrong(const Operation& op, Site& site) {
  if (!op.boxes.empty()) return site.first_wrong(op.boxes);
  if (!site.is_gpu()) return op.first_wrong(site.source(), site.destination());
  return op.first_wrong(site.on_host(site.source(), op.bytes.source).data(), site.on_host(site.destination(), op.bytes.destination).data());
}

Fitted fitted(const Case& asked, const MakeSpecMap& make_map, std::int64_t memory_bytes) {
  Fitted f{asked, array_bytes_of(asked, make_map)};
  while (memory_bytes > 0 && multiply(2, f.larger()) > memory_bytes) {
    std::optional<Case> smaller = halved(f.c);
    if (!smaller)
      throw Error(ErrorCode::too_large, asked.place + ": " + asked.name + " needs more than " + std::to_string(memory_bytes) +
                                            " bytes however often its extents are halved; give more with --memory");
    f.c = std::move(*smaller);
    f.bytes = array_bytes_of(f.c, make_map);
  }
  return f;
}

}  // namespace crinkle::bench
