// What a GPU does unit by unit, and tiles that change places with their mirror images, walked on the CPU block by block over real bytes:
// steps with index arrays as they are defined, and involutions within their buffer, in any order of the blocks.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/unit_tiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "crinkle/operations.hpp"
#include "form/check.hpp"
#include "form/simplify.hpp"
#include "move/reference.hpp"
#include "plan/involution.hpp"
#include "plan/pass.hpp"
#include "support/guard.hpp"
#include "support/involutions.hpp"
#include "support/walk.hpp"

namespace crinkle::unit_tiles_test {
namespace {

/// Calls visit(place) for every unit of a tile that is wanted.
template <class Visit>
void for_each_unit(const tile::UnitTile& t, const std::vector<std::byte>& tables, Visit visit) {
  const auto* at = reinterpret_cast<const char*>(tables.data());
  for (std::uint32_t block = 0; block < t.n_blocks; ++block)
    for (std::int32_t e = 0; e < tile::UnitTile::each; ++e)
      for (std::int32_t thread = 0; thread < tile::UnitTile::threads; ++thread) {
        const auto place = t.place(t.number(block, thread, e), at);
        if (place.is_wanted) visit(place);
      }
}

void move_as_units(const Step& step, const std::byte* src, std::byte* dst) {
  std::vector<std::byte> tables;
  const EntriesAt entries = append_entries(tables_of(step.gathers), tables);
  const auto move = [&](const Boxes& boxes, std::int32_t fill) {
    for (const Box& box : boxes) {
      tile::UnitTile t = unit_tile(box, entries);
      t.wanted_fill = fill;
      for_each_unit(t, tables, [&](const tile::UnitTile::Place& p) {
        const void* from = t.is_fill ? static_cast<const void*>(t.pattern.begin()) : src + p.src;
        std::memcpy(dst + p.dst, from, static_cast<std::size_t>(t.unit));
      });
    }
  };
  move(step.boxes, -1);
  for (std::size_t f = 0; f < step.fill_boxes.size(); ++f) move(step.fill_boxes[f], static_cast<std::int32_t>(f));
}

TEST(unit_tiles, gather_and_scatter_as_defined) {
  std::size_t n_arrays = 0;
  EXPECT_TRUE(check_many("index arrays", 1000, [&] {
    const std::int64_t e = one_of<std::int64_t>({1, 2, 3, 4, 8, 12, 16}), z = pick(1, 6), y = pick(1, 9), x = pick(1, 20);
    const Layout layout = Layout::dense({z, y, x}, e);
    Rearrangement r(layout, {"z", "y", "x"});
    const std::vector<std::int64_t> extents{z, y, x};
    if (chance(3)) {
      const std::int64_t axis = pick(0, 2), n = extents[static_cast<std::size_t>(axis)];
      std::vector<std::int64_t> places(static_cast<std::size_t>(n + pick(0, 3)));
      std::iota(places.begin(), places.end(), std::int64_t{0});
      const auto n_places = std::ssize(places);
      places = shuffled(places);
      places.resize(static_cast<std::size_t>(n));
      r = scatter(layout, axis, places, n_places);
    } else {
      for (std::size_t a = 0; a < 3; ++a) {
        if (chance(2)) continue;
        const std::string name(1, "zyx"[a]);
        std::vector<std::int64_t> indices(static_cast<std::size_t>(pick(1, 70)));
        for (std::int64_t& i : indices) i = pick(-extents[a], extents[a] - 1);
        r = r.take(name, indices);
        if (chance(3)) r = r.pad(name, pick(0, 3), 1, PadMode::constant, noise(e, 3));
      }
    }
    const Steps steps = r.steps();
    if (steps.steps.size() != 1 || steps.steps[0].gathers.empty()) return;
    n_arrays += steps.steps[0].gathers.size();
    const Bytes source = noise(r.source().n_bytes(), 3);
    Bytes expected(static_cast<std::size_t>(r.destination().n_bytes()), poison), have = expected;
    const std::byte* in = source.data();
    std::byte* out = expected.data();
    run_reference(steps.steps[0], {&in, 1}, {&out, 1});
    move_as_units(steps.steps[0], source.data(), have.data());
    RC_ASSERT(have == expected);
  }));
  EXPECT_GT(n_arrays, 100u);
}

struct Change {
  std::int64_t src, dst;
};

/// What a block of tiles that change places writes, after all of it was read.
testing::Fault exchange_block(const tile::ExchangeTile& t, std::uint32_t index, std::byte* data, std::int64_t n_bytes) {
  const std::uint32_t partner = t.partner(index);
  if (t.partner(partner) != index) return "a partner's partner is another";
  if (partner < index) return "";
  std::vector<Change> changes;
  const testing::Span span{0, n_bytes};
  for (const std::uint32_t block : {index, partner}) {
    if (block == partner && partner == index && !changes.empty()) break;
    const testing::Fault fault = testing::walk_block(
        t.tile, block, span, [&](const testing::Unit& to, const testing::Unit& from) { changes.push_back({from.address, to.address}); });
    if (!fault.empty()) return fault;
  }
  const auto unit = static_cast<std::size_t>(t.tile.frame.unit);
  std::vector<std::byte> read(changes.size() * unit);
  std::vector<std::int64_t> from, to;
  for (std::size_t c = 0; c < changes.size(); ++c) {
    std::memcpy(read.data() + c * unit, data + changes[c].src, unit);
    from.push_back(changes[c].src);
    to.push_back(changes[c].dst);
  }
  std::sort(from.begin(), from.end());
  std::sort(to.begin(), to.end());
  if (from != to) return "what two partners read is not what they write";
  for (std::size_t c = 0; c < changes.size(); ++c) std::memcpy(data + changes[c].dst, read.data() + c * unit, unit);
  return "";
}

TEST(unit_tiles, involutions_change_places_within_their_buffer_in_any_order_of_the_blocks) {
  std::size_t n_mirrored = 0, n_by_unit = 0, n_tiles = 0;
  EXPECT_TRUE(check_many("involutions", 1000, [&] {
    std::string text;
    const Rearrangement r = testing::any_involution(text, chance(4) ? 20000 : 2000);
    const Steps steps = r.steps();
    if (steps.steps.size() != 1) return;
    const auto span = spans_of(steps.steps[0].boxes, Side::source, 1)[0];
    Boxes boxes = steps.steps[0].boxes;
    for (Box& b : boxes) b.src_offset -= span.first, b.dst_offset -= span.first;
    simplify(boxes);
    const auto partners = planning::partners_of(boxes);
    if (!partners) return;
    const std::int64_t n_bytes = span.last - span.first, alignment = std::int64_t{1} << pick(0, 4);
    Bytes data = noise(n_bytes, 7), expected = data;
    const Bytes before = data;
    const std::byte* in = before.data();
    std::byte* out = expected.data();
    run_reference(boxes, {&in, 1}, {&out, 1});
    Machine machine = Machine::h200();
    if (chance(2)) machine.shared_bytes_block = 1 << pick(9, 13);
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      const Box box = planning::box_for(tile::rows_of(boxes[b]), alignment, machine);
      const bool is_own = (*partners)[b] == static_cast<std::int32_t>(b);
      if (const auto exchange = is_own ? exchange_tile(box, machine, static_cast<std::int32_t>(alignment)) : std::nullopt) {
        ++n_mirrored;
        std::vector<std::uint32_t> order(exchange->tile.frame.n_blocks);
        std::iota(order.begin(), order.end(), 0u);
        std::shuffle(order.begin(), order.end(), std::mt19937(static_cast<unsigned>(n_bytes)));
        n_tiles += order.size();
        for (const std::uint32_t block : order) {
          const testing::Fault fault = exchange_block(*exchange, block, data.data(), n_bytes);
          if (!fault.empty()) RC_FAIL(text + "\n" + fault);
        }
      } else {
        ++n_by_unit;
        for_each_unit(unit_tile(box), {}, [&](const tile::UnitTile::Place& p) {
          if (tile::UnitTile::is_first(p)) std::swap_ranges(data.begin() + p.src, data.begin() + p.src + box.unit, data.begin() + p.dst);
        });
      }
    }
    if (data != expected) RC_FAIL(text);
  }));
  EXPECT_GT(n_mirrored, 50u);
  EXPECT_GT(n_by_unit, 200u);
  EXPECT_GT(n_tiles, 4 * n_mirrored) << "hardly any of more than one tile";
}

TEST(unit_tiles, square_transposes_and_bit_reversals_are_tiles_with_mirror_images) {
  const std::vector<Rearrangement> all = {permute(Layout::dense({512, 512}, 4), std::vector<std::int64_t>{1, 0}),
                                          permute(Layout::dense({509, 509}, 8), std::vector<std::int64_t>{1, 0}),
                                          permute(Layout::dense({3, 100, 100}, 2), std::vector<std::int64_t>{0, 2, 1}),
                                          permute(Layout::dense({100, 5, 100}, 1), std::vector<std::int64_t>{2, 1, 0}),
                                          permute(Layout::dense({60, 60, 24}, 1), std::vector<std::int64_t>{1, 0, 2}),
                                          bit_reverse(Layout::dense({1 << 16}, 4)),
                                          bit_reverse(Layout::dense({1 << 15}, 8))};
  for (const Rearrangement& r : all) {
    Boxes boxes = r.steps().steps[0].boxes;
    simplify(boxes);
    ASSERT_EQ(boxes.size(), 1u);
    const Machine machine = Machine::h200();
    const auto exchange = exchange_tile(planning::box_for(tile::rows_of(boxes[0]), 16, machine), machine);
    ASSERT_TRUE(exchange) << r.source().element_bytes;
    EXPECT_GE(exchange->tile.read.n_pieces * exchange->tile.load_bytes, 32);
    EXPECT_LE(exchange->shared_bytes(), 100 << 10);
  }
}

}  // namespace
}  // namespace crinkle::unit_tiles_test
