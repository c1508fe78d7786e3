// Packets: packed, moved and unpacked one after the other they are the boxes, within their buffers, and their runs are as long as they
// can.
// SPDX-License-Identifier: BSD-3-Clause
#include "form/packets.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "form/check.hpp"
#include "support/chains.hpp"

namespace crinkle::packets_test {
namespace {

/// One buffer per slot, of the bytes that the boxes touch there.
class Buffers {
 public:
  Buffers(const Boxes& boxes, Side side) {
    for (const ByteSpan& span : spans_of(boxes, side, count_slots(boxes, side))) {
      if (side == Side::source) buffers_.emplace_back(span, noise(span.last - span.first, buffers_.size() + 1));
      else buffers_.emplace_back(span);
    }
  }
  template <class Byte>
  std::vector<Byte*> from(std::int64_t first = 0, std::int64_t at = 0) {
    std::vector<Byte*> p;
    for (std::size_t s = static_cast<std::size_t>(first); s < buffers_.size(); ++s) p.push_back(buffers_[s].origin() + at);
    return p;
  }
  std::vector<const std::byte*> sources(std::int64_t first = 0, std::int64_t at = 0) { return from<const std::byte>(first, at); }
  std::vector<std::byte*> destinations(std::int64_t first = 0, std::int64_t at = 0) { return from<std::byte>(first, at); }
  bool operator==(const Buffers& other) const {
    return std::equal(buffers_.begin(), buffers_.end(), other.buffers_.begin(), other.buffers_.end(),
                      [](const Guarded& a, const Guarded& b) { return a.content() == b.content() && a.is_intact() && b.is_intact(); });
  }

 private:
  std::vector<Guarded> buffers_;
};

Boxes fills_of(const Boxes& boxes) {
  Boxes fills;
  for (const Box& b : boxes)
    if (b.is_fill) fills.push_back(b);
  return fills;
}

/// As a transfer does it: fills where the destination is, everything else in packets. Requires packets within their limit.
void run_in_packets(const Boxes& boxes, PackedSides sides, std::int64_t limit, Buffers& src, Buffers& dst) {
  run_reference(fills_of(boxes), src.sources(), dst.destinations());
  for_each_packet(boxes, sides, limit, [&](const Packet& p) {
    RC_ASSERT(p.in_bytes <= limit);
    RC_ASSERT(p.out_bytes <= limit);
    RC_ASSERT(packs_source(sides) == (p.in_bytes > 0));
    RC_ASSERT(packs_destination(sides) == (p.out_bytes > 0));
    Guarded in({0, p.in_bytes}), out({0, p.out_bytes});
    if (packs_source(sides)) run_reference(p.pack, src.sources(), std::vector{in.origin()});
    run_reference(p.move, packs_source(sides) ? std::vector<const std::byte*>{in.origin()} : src.sources(p.first_slot, p.at),
                  packs_destination(sides) ? std::vector{out.origin()} : dst.destinations(p.first_slot, p.at));
    if (packs_destination(sides)) run_reference(p.unpack, std::vector<const std::byte*>{out.origin()}, dst.destinations());
    for (const Boxes* boxes_of_packet : {&p.pack, &p.move, &p.unpack}) {
      Boxes canonical = *boxes_of_packet;
      simplify(canonical);  // throws where a byte is written twice
    }
    RC_ASSERT(in.is_intact());
    RC_ASSERT(out.is_intact());
    RC_ASSERT(spans_of(p.pack, Side::destination, 1).front() == (ByteSpan{0, p.in_bytes}));
    RC_ASSERT(spans_of(p.unpack, Side::source, 1).front() == (ByteSpan{0, p.out_bytes}));
    if (sides == PackedSides::both) return;
    const Side bare = packs_source(sides) ? Side::destination : Side::source;
    std::int64_t first = INT64_MAX;
    for (const ByteSpan& s : spans_of(p.move, bare, count_slots(p.move, bare)))
      if (s.first != s.last) first = std::min(first, s.first);
    RC_ASSERT(first == 0);
  });
}

void expect_the_boxes(const Boxes& boxes, std::int64_t most = 5000) {
  const auto sides = one_of<PackedSides>({PackedSides::source, PackedSides::destination, PackedSides::both});
  const std::int64_t limit = chance(3) ? pick(16, 64) : pick(16, most);
  Buffers src(boxes, Side::source), expected(boxes, Side::destination), result = expected;
  run_reference(boxes, src.sources(), expected.destinations());
  run_in_packets(boxes, sides, limit, src, result);
  RC_ASSERT(result == expected);
}

std::vector<Packet> packets_of(const Rearrangement& r, PackedSides sides, std::int64_t limit) {
  std::vector<Packet> packets;
  for_each_packet(r.boxes(), sides, limit, [&](const Packet& p) { packets.push_back(p); });
  return packets;
}

std::int64_t shortest_run(const Boxes& boxes, Side side) {  // bytes
  std::int64_t shortest = INT64_MAX;
  for (const Box& box : boxes) {
    std::int64_t run = box.unit;
    for (bool is_longer = true; is_longer;) {
      const auto at =
          std::find_if(box.axes.begin(), box.axes.end(), [&](const Axis& a) { return a.extent > 1 && stride_of(a, side) == run; });
      is_longer = at != box.axes.end();
      if (is_longer) run *= at->extent;
    }
    shortest = std::min(shortest, run);
  }
  return shortest;
}

TEST(Packets, of_any_box_are_the_box) {
  EXPECT_TRUE(check_many("boxes in packets", 1500, [] {
    Boxes boxes;
    boxes.push_back(any_box());
    expect_the_boxes(boxes);
  }));
}

TEST(Packets, of_any_chain_of_verbs_are_the_chain) {
  EXPECT_TRUE(check_many("chains in packets", 300, [] {
    const Rearrangement r = any_chain(1).passes.front();
    const Steps steps = r.steps();
    if (steps.steps.size() == 1 && steps.steps.front().gathers.empty()) expect_the_boxes(steps.steps.front().boxes);
  }));
}

TEST(Packets, of_several_buffers_are_their_boxes) {
  EXPECT_TRUE(check_many("buffers in packets", 200, [] {
    const Layout each = Layout::dense({pick(1, 9), pick(1, 30)}, any_element_bytes());
    const std::int64_t n = pick(1, 12);
    const Rearrangement r = chance(2) ? interlace(each, n) : interlace(each, n).inverse();
    expect_the_boxes(r.boxes());
  }));
}

TEST(Packets, of_equal_parts_have_equal_moves) {
  for (const PackedSides sides : {PackedSides::source, PackedSides::destination, PackedSides::both}) {
    const std::vector<Packet> packets = packets_of(permute(Layout::dense({64, 30, 50}, 4), {{1, 2, 0}}), sides, 12800);
    ASSERT_EQ(packets.size(), 30U);
    for (const Packet& p : packets) EXPECT_EQ(p.move, packets.front().move);
    EXPECT_EQ(packets[1].at == packets[0].at, sides == PackedSides::both);
  }
}

TEST(Packets, keep_runs_of_4_KiB_on_both_sides) {
  for (const Extents& extents : {Extents{8192, 8192}, Extents{1 << 20, 1024}, Extents{1024, 1 << 20}}) {
    const Rearrangement r = permute(Layout::dense(extents, 4), {{1, 0}});
    std::int64_t n = 0, all = 0;
    for_each_packet(r.boxes(), PackedSides::both, 8 << 20, [&](const Packet& p) {
      n += 1, all += p.n_bytes;
      EXPECT_GE(shortest_run(p.pack, Side::source), 4096);
      EXPECT_GE(shortest_run(p.unpack, Side::destination), 4096);
      EXPECT_EQ(shortest_run(p.pack, Side::destination), p.in_bytes);
      EXPECT_EQ(shortest_run(p.unpack, Side::source), p.out_bytes);
    });
    EXPECT_EQ(all, r.destination().n_bytes());
    EXPECT_LE(n, 2 * r.destination().n_bytes() / (8 << 20));
  }
}

TEST(Packets, of_many_small_boxes_hold_several) {
  Rearrangement r(Layout::dense({6, 6, 6, 6}, 4));
  for (const char* axis : {"@0", "@1", "@2", "@3"}) r = r.roll(axis, 1);
  EXPECT_EQ(packets_of(r, PackedSides::both, 1 << 20).size(), 1U);
  EXPECT_EQ(packets_of(r, PackedSides::both, 1 << 20).front().move.size(), 16U);
}

TEST(Packets, have_what_is_repeated_once) {
  const std::vector<Packet> packets = packets_of(repeat(Layout::dense({10, 7}, 4), 1000), PackedSides::both, 1 << 20);
  ASSERT_EQ(packets.size(), 1U);
  EXPECT_EQ(packets[0].in_bytes, 280);
  EXPECT_EQ(packets[0].out_bytes, 280'000);
}

TEST(Packets, of_nothing_are_none) {
  EXPECT_TRUE(packets_of(Rearrangement(Layout::dense({0, 3}, 4)), PackedSides::both, 1000).empty());
  Boxes fill(1);
  fill[0].is_fill = true;
  for_each_packet(fill, PackedSides::both, 1000, [](const Packet&) { ADD_FAILURE() << "a fill travels"; });
}

}  // namespace
}  // namespace crinkle::packets_test
