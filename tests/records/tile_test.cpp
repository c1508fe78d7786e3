// Tiles of records, walked thread by thread: every byte of the destination once, from the right source, at every alignment.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "crinkle/record_layout.hpp"
#include "form/check.hpp"
#include "plan/pass.hpp"
#include "support/draw.hpp"
#include "support/records.hpp"
#include "support/walk.hpp"

namespace crinkle::testing::tile_test {
namespace {

/// Which source byte every byte of a list of boxes comes from, by its buffer and address.
class ByteMap {
 public:
  explicit ByteMap(const Boxes& boxes) {
    for (const Box& box : boxes) append(box, 0, {box.src_offset, box.src_slot}, {box.dst_offset, box.dst_slot});
  }
  std::size_t size() const { return sources_.size(); }
  /// Takes the unit out; false where a byte of it is not there, or from elsewhere.
  bool take(const Unit& to, const Unit& from, std::int32_t unit) {
    for (std::int32_t k = 0; k < unit; ++k) {
      const auto found = sources_.find({to.slot, to.address + k});
      const Unit wanted = from.slot == filled ? from : Unit{from.address + k, from.slot};
      if (found == sources_.end() || !(found->second == wanted)) return false;
      sources_.erase(found);
    }
    return true;
  }

 private:
  void append(const Box& box, std::size_t a, Unit src, Unit dst) {
    if (a == box.axes.size()) {
      for (std::int32_t k = 0; k < box.unit; ++k)
        sources_[{dst.slot, dst.address + k}] = box.is_fill ? Unit{0, filled} : Unit{src.address + k, src.slot};
      return;
    }
    const Axis& axis = box.axes[a];
    const auto step = [](Unit& unit, Counts counts, std::int64_t stride) {
      if (counts == Counts::bytes) unit.address += stride;
      else unit.slot += static_cast<std::int32_t>(stride);
    };
    for (std::int64_t i = 0; i < axis.extent; ++i) {
      append(box, a + 1, src, dst);
      step(src, axis.src_counts, axis.src_stride);
      step(dst, axis.dst_counts, axis.dst_stride);
    }
  }

  std::map<std::pair<std::int32_t, std::int64_t>, Unit> sources_;
};

/// How far a tile reads: what the boxes read of any buffer.
Span span_of(const Boxes& boxes) {
  Span span{INT64_MAX, INT64_MIN};
  for (const ByteSpan& s : spans_of(boxes, Side::source, count_slots(boxes, Side::source)))
    if (s.first != s.last) span = {std::min(span.begin, s.first), std::max(span.end, s.last)};
  return span;
}

std::string walked(const Boxes& boxes, const tile::Tile& tile) {
  ByteMap expected(boxes);
  std::string wrong;
  for (std::uint32_t block = 0; block < tile::frame_of(tile).n_blocks; ++block) {
    const Fault fault = walk_block(tile, block, span_of(boxes), [&](const Unit& to, const Unit& from) {
      if (wrong.empty() && !expected.take(to, from, tile::frame_of(tile).unit))
        wrong = "byte " + std::to_string(to.address) + " of buffer " + std::to_string(to.slot) + " from " + std::to_string(from.address);
    });
    if (!fault.empty()) return fault;
    if (!wrong.empty()) return wrong;
  }
  return expected.size() == 0 ? "" : std::to_string(expected.size()) + " bytes are not written";
}

TEST(RecordTile, moves_every_byte_of_every_pair_of_layouts_once) {
  Draw draw{std::mt19937_64(20261127)};
  std::map<int, int> n_of_unit;
  const Machine large = Machine::h200();
  Machine small = large;
  small.shared_bytes_block = 36 << 10;  // of 48 KiB that every GPU has, what a launch of several tiles leaves
  for (const char* mix : {"x:f4 y:f4 z:f4 p:f4", "a:u1 b:f8 c:i2 d:f4[3] e:c8", "x:f4 y:f4 z:f4", "a:u1 b:S3 c:>f12 d:f16 e:u2[2,3]",
                          "a:u1 b:f8 c:f4", "a:u2 b:f4 c:i2", "a:f8 b:c16 c:f16"}) {
    const Fields fields = parse_fields(mix);
    for (const std::string& from : layouts_of(fields))
      for (const std::string& to : layouts_of(fields)) {
        if (!draw.chance(5)) continue;
        const std::int64_t n = draw.pick(1030, 2000);
        const auto storage = [&] { return draw.chance(2) ? Storage::together : Storage::apart; };
        const RecordOptions options{storage(), storage(), draw.chance(3) ? Padding::zero : Padding::keep};
        const Rearrangement r = convert_records(RecordLayout::parse(from, fields), RecordLayout::parse(to, fields), n, options);
        const Machine& machine = draw.chance(2) ? small : large;
        const planning::Pass pass = planning::plan_pass(r.steps().steps.at(0).boxes, machine);
        for (const Boxes& bundle : pass.bundles)
          for (const std::int64_t alignment : {16, 4, 1}) {
            const auto tile = planning::tile_of(bundle, alignment, machine);
            if (!tile) continue;
            ++n_of_unit[tile->frame.unit];
            ASSERT_LE(tile->shared_bytes(), machine.shared_bytes_block);
            ASSERT_EQ(walked(bundle, *tile), "") << n << " of " << from << " to " << to << ", alignment " << alignment;
          }
      }
  }
  for (const int unit : {1, 2, 4, 8}) EXPECT_GT(n_of_unit[unit], 0) << unit;
}

TEST(RecordTile, takes_no_more_than_a_gpu_has_for_records_that_are_mostly_padding) {
  std::string fields_text, groups;
  for (int k = 0; k < 30; ++k) {
    fields_text += " f" + std::to_string(k) + (k % 2 == 0 ? ":u1" : ":f4");
    groups += (k == 0 ? "f" : "|f") + std::to_string(k);
  }
  const Fields fields = parse_fields(fields_text);
  for (const char* aligned : {"@16", "@64", "@2048"}) {
    std::string to_text;
    for (const Field& f : fields) to_text += (to_text.empty() ? "" : "|") + f.name + aligned;
    const RecordLayout to = RecordLayout::parse(to_text, fields), from = RecordLayout::parse(groups, fields);
    for (const Padding padding : {Padding::keep, Padding::zero})
      for (const RecordLayout& source : {from, RecordLayout(fields, {FieldGroup{[&] {
                                                              std::vector<std::string> names;
                                                              for (const Field& f : fields) names.push_back(f.name);
                                                              return names;
                                                            }()}})}) {
        const Rearrangement r = convert_records(source, to, 1 << 20, {Storage::together, Storage::together, padding});
        for (const Boxes& bundle : planning::plan_pass(r.boxes(), Machine::h200()).bundles)
          for (const std::int64_t alignment : {16, 1})
            if (const auto tile = planning::tile_of(bundle, alignment, Machine::h200())) {
              EXPECT_LE(tile->shared_bytes(), 72 << 10) << to_text;
              EXPECT_LE(std::int64_t{tile->write_pieces} * tile->piece_bytes, 1 << 20) << to_text;
            }
      }
  }
}

TEST(RecordTile, is_made_where_boxes_lie_between_each_other_and_nowhere_else) {
  const auto bundles = [](const char* fields_text, const char* from, const char* to, std::int64_t n) {
    const Fields fields = parse_fields(fields_text);
    const Rearrangement r = convert_records(RecordLayout::parse(from, fields), RecordLayout::parse(to, fields), n);
    return planning::plan_pass(r.boxes(), Machine::h200()).bundles.size();
  };
  EXPECT_EQ(bundles("a:u1 b:f8 c:f4", "(a b c)", "a|b|c", 100000), 1u);
  EXPECT_EQ(bundles("a:u1 b:f8 c:f4", "a|b|c", "(a b c)", 100000), 1u);
  EXPECT_EQ(bundles("a:u1 b:f8 c:f4", "a|b|c", "c|b|a", 100000), 0u) << "three copies";
  EXPECT_EQ(bundles("a:u1 b:f8 c:f4", "(a b c)", "a|b|c", 100), 0u) << "few records";
  EXPECT_EQ(bundles("a:u1 b:S4000 c:f4", "(a b c)", "a|b|c", 100000), 0u) << "long records";
}

}  // namespace
}  // namespace crinkle::testing::tile_test
