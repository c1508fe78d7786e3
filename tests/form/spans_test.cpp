// What is touched: spans per slot against every byte walked, overlap of destinations, and axes that count buffers.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <set>

#include "crinkle/error.hpp"
#include "form/check.hpp"
#include "support/generators.hpp"

namespace crinkle::spans_test {
namespace {

// Walks a step and notes the lowest and highest byte per slot.
struct Walk {
  std::vector<ByteSpan> src, dst;

  static void note(std::vector<ByteSpan>& spans, std::int64_t slot, std::int64_t first, std::int64_t last) {
    ByteSpan& s = spans.at(static_cast<std::size_t>(slot));
    s = s.first == s.last ? ByteSpan{first, last} : ByteSpan{std::min(s.first, first), std::max(s.last, last)};
  }
  void box(const Box& b, std::size_t a, std::int64_t from, std::int64_t from_slot, std::int64_t to, std::int64_t to_slot) {
    if (a == b.axes.size()) {
      if (!b.is_fill) note(src, from_slot, from, from + b.unit);
      return note(dst, to_slot, to, to + b.unit);
    }
    const Axis& axis = b.axes[a];
    for (std::int64_t i = 0; i < axis.extent; ++i) {
      const bool is_src_slot = axis.src_counts == Counts::buffers, is_dst_slot = axis.dst_counts == Counts::buffers;
      box(b, a + 1, from + (is_src_slot ? 0 : i * axis.src_stride), from_slot + (is_src_slot ? i * axis.src_stride : 0),
          to + (is_dst_slot ? 0 : i * axis.dst_stride), to_slot + (is_dst_slot ? i * axis.dst_stride : 0));
    }
  }
  void step(const Step& s, std::size_t g, std::int64_t from, std::int64_t to, std::int32_t fill) {
    if (g == s.gathers.size()) {
      for (const Box& b : fill < 0 ? s.boxes : s.fill_boxes[static_cast<std::size_t>(fill)])
        box(b, 0, b.src_offset + from, b.src_slot, b.dst_offset + to, b.dst_slot);
      return;
    }
    const GatherAxis& axis = s.gathers[g];
    for (std::size_t j = 0; j < axis.dst_offsets.size(); ++j) {
      step(s, g + 1, from + axis.src_offsets[j], to + axis.dst_offsets[j], std::max(fill, axis.fills.empty() ? -1 : axis.fills[j]));
    }
  }
};

TEST(Spans, are_what_a_walk_touches) {
  EXPECT_TRUE(check_many("spans", 500, [] {
    const std::int64_t rank = pick(1, 4), e = any_element_bytes();
    Chain chain(any_layout(any_extents(rank, 200), e));
    if (chance(4) && chain.expected.extents[0] > 0) {
      oracle::Indices indices;
      for (std::int64_t k = 0; k < 100; ++k) indices.push_back(k * k % 7 % chain.expected.extents[0]);
      chain.r = chain.r.take("@0", indices);
      chain.expected = oracle::taken(chain.expected, 0, indices);
    }
    for (std::int64_t k = pick(0, 4); k > 0; --k) {
      const auto a = static_cast<std::size_t>(pick(0, rank - 1));
      chain.verb("@" + std::to_string(a), a, 2000);
    }
    const Rearrangement r = chain.r.into(any_layout(chain.r.destination().extents, e));
    const Steps steps = r.steps();
    RC_ASSERT(steps.steps.size() == 1);
    Walk walk{std::vector<ByteSpan>(1), std::vector<ByteSpan>(1)};
    walk.step(steps.steps[0], 0, 0, 0, -1);
    RC_ASSERT(r.source_spans() == walk.src);
    RC_ASSERT(r.destination_spans() == walk.dst);
  }));
}

TEST(Spans, of_random_boxes_are_what_a_walk_touches) {
  EXPECT_TRUE(rc::check("spans of boxes", [] {
    Boxes boxes;
    Walk walk{std::vector<ByteSpan>(4), std::vector<ByteSpan>(4)};
    for (std::int64_t k = pick(0, 3); k > 0; --k) {
      Box b = any_box();
      b.src_slot = static_cast<std::int32_t>(pick(0, 3));
      b.dst_slot = static_cast<std::int32_t>(pick(0, 2));
      if (b.dst_slot == 0) b.axes.push_back({pick(0, 3), 4, 1, Counts::bytes, Counts::buffers});
      boxes.push_back(b);
      walk.box(b, 0, b.src_offset, b.src_slot, b.dst_offset, b.dst_slot);
    }
    RC_ASSERT(spans_of(boxes, Side::source, 4) == walk.src);
    RC_ASSERT(spans_of(boxes, Side::destination, 4) == walk.dst);
  }));
}

TEST(Overlap, is_found_wherever_two_elements_share_a_byte) {
  EXPECT_TRUE(rc::check("overlap", [] {
    Layout layout{any_extents(pick(0, 3), 40), {}, pick(0, 9), pick(1, 4)};
    for (std::size_t a = 0; a < layout.extents.size(); ++a) layout.strides.push_back(pick(-30, 30));
    std::set<std::int64_t> bytes;
    bool has_overlap = false;
    for (const std::int64_t place : places_of(layout)) {
      for (std::int64_t k = 0; k < layout.element_bytes; ++k) has_overlap = !bytes.insert(place + k).second || has_overlap;
    }
    bool is_refused = false;
    try {
      check_no_overlap(layout);
    } catch (const Error& error) {
      RC_ASSERT(error.code() == ErrorCode::overlap);
      is_refused = true;
    }
    RC_ASSERT(!has_overlap || is_refused);  // strides that interleave without meeting are refused too
    Layout nested = any_layout(layout.extents, layout.element_bytes);
    check_no_overlap(nested);
  }));
}

TEST(Slots, that_an_axis_steps_over_are_not_touched) {
  Box box;
  box.unit = 4;
  box.dst_slot = 1;
  box.axes = {Axis{3, 40, 2, Counts::bytes, Counts::buffers}, Axis{10, 4, 4}};
  Boxes boxes{box};
  EXPECT_EQ(spans_of(boxes, Side::destination, count_slots(boxes, Side::destination)),
            (std::vector<ByteSpan>{{0, 0}, {0, 40}, {0, 0}, {0, 40}, {0, 0}, {0, 40}}));
}

TEST(Slots, interlacing_n_arrays_is_one_box_and_de_interlacing_too) {
  constexpr std::int64_t n = 3, length = 5;
  const std::vector<Group> arrays = {{n, 1, Counts::buffers, {}, {{"n", n, {{n, 0, 1}}}}},
                                     {length, 4, Counts::bytes, {}, {{"x", length, {{length, 0, 1}}}}}};
  const Rearrangement together(4, 0, arrays, {{{{1, 0, 1}}}, {{{0, 0, 1}}}});
  EXPECT_EQ(together.n_sources(), n);
  EXPECT_EQ(together.destination(), Layout::dense({length, n}, 4));
  ASSERT_EQ(together.boxes().size(), 1U);
  EXPECT_EQ(together.source_spans(), std::vector<ByteSpan>(n, ByteSpan{0, 4 * length}));

  std::vector<Bytes> sources;
  Bytes expected;
  std::vector<const std::byte*> src;
  for (std::uint64_t s = 0; s < n; ++s) sources.push_back(noise(4 * length, s + 1));
  for (const Bytes& s : sources) src.push_back(s.data());
  for (std::ptrdiff_t x = 0; x < length; ++x)
    for (const Bytes& s : sources) expected.insert(expected.end(), s.begin() + 4 * x, s.begin() + 4 * x + 4);
  for (const Simplified simplified : {Simplified::no, Simplified::yes}) {
    Guarded dst({0, 4 * n * length});
    run(together.steps(), simplified, src, {dst.origin()});
    EXPECT_EQ(dst.content(), expected);
    EXPECT_TRUE(dst.is_intact());
  }

  const Rearrangement apart = Rearrangement(Layout::dense({length, n}, 4))
                                  .split_and_merge({{{{"x", length}}}, {{{"n", n}}}}, {{{{1, 0, 1}}, Counts::buffers}, {{{0, 0, 1}}}});
  EXPECT_EQ(apart.n_destinations(), n);
  EXPECT_EQ(apart.destination(), Layout::dense({length}, 4));
  for (const Rearrangement& r : {apart, together.inverse(), apart.flip("n").flip("n")}) {
    std::vector<Guarded> parts(n, Guarded({0, 4 * length}));
    run(r.steps(), Simplified::yes, {expected.data()}, {parts[0].origin(), parts[1].origin(), parts[2].origin()});
    for (std::size_t s = 0; s < n; ++s) {
      EXPECT_EQ(parts[s].content(), sources[s]);
      EXPECT_TRUE(parts[s].is_intact());
    }
  }
  std::vector<Guarded> mirrored(n, Guarded({0, 4 * length}));
  run(apart.flip("n").steps(), Simplified::yes, {expected.data()}, {mirrored[0].origin(), mirrored[1].origin(), mirrored[2].origin()});
  EXPECT_EQ(mirrored[2].content(), sources[0]);
  EXPECT_EQ(together.slice("n", 1, {}).source_spans()[0], ByteSpan{});
  EXPECT_THROW(together.then(together), Error);
}

}  // namespace
}  // namespace crinkle::spans_test
