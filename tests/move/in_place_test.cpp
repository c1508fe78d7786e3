// Moves in place do what the definition does from a copy, byte for byte: every kind of exchange, every instruction set, any number of
// threads, between pages that may not be touched; bytes in gaps stay.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <set>

#include "cpu/walls.hpp"
#include "crinkle/operations.hpp"
#include "form/check.hpp"
#include "move/cpu/in_place.hpp"
#include "support/involutions.hpp"
#include "support/threads.hpp"

namespace crinkle::in_place_test {
namespace {

// The boxes with offsets that count from the first byte that they touch.
Boxes from_first_byte(Boxes boxes, const ByteSpan& span) {
  for (Box& b : boxes) b.src_offset -= span.first, b.dst_offset -= span.first;
  simplify(boxes);
  return boxes;
}

struct InPlace {
  simd::Walled memory{std::int64_t{1} << 20};
  std::vector<const simd::Kernels*> tables = simd::all_kernels();
  std::set<planning::Exchanged> kinds;
  std::size_t n_refused = 0;
  std::size_t n_runs = 0;

  // "" or what is wrong.
  std::string fault(const Rearrangement& r, int n_threads, const simd::Place& place, const CpuLimits& limits) {
    const Steps steps = r.steps();
    if (steps.steps.size() != 1) return "";
    const Boxes& boxes = steps.steps[0].boxes;
    const ByteSpan span = span_of(r.source());
    const std::int64_t n = span.last - span.first;
    const Boxes shifted = from_first_byte(boxes, span);
    const auto partners = planning::partners_of(shifted);
    if (!partners) {
      ++n_refused;
      return shifted.size() > 20 ? "" : "is refused: " + planning::why_not_its_own_inverse(shifted);
    }
    const std::vector<planning::Exchange> exchanges = planning::exchanges_of(shifted, *partners);

    const Bytes before = noise(n, n_runs + 1);
    Bytes expected = before;
    const std::byte* in = before.data() - span.first;
    std::byte* wanted = expected.data() - span.first;
    run_reference(boxes, {&in, 1}, {&wanted, 1});

    std::byte* const data = place.start(memory, n);
    std::memset(memory.first(), static_cast<int>(poison), static_cast<std::size_t>(memory.last() - memory.first()));
    std::copy(before.begin(), before.end(), data);
    Threads threads(n_threads);
    const simd::Kernels& kernels = *tables[n_runs++ % tables.size()];
    run_in_place(exchanges, {&data, 1}, threads, kernels, limits);

    std::string how = std::string(kernels.target) + ", " + std::to_string(n_threads) + " threads, " + place.name() + ":";
    for (const planning::Exchange& x : exchanges) {
      how += std::string(" ") + planning::name_of(x.kind);
      kinds.insert(x.kind);
    }
    const auto differs = std::mismatch(expected.begin(), expected.end(), data);
    if (differs.first != expected.end()) return how + " byte " + std::to_string(differs.first - expected.begin()) + " is wrong";
    const auto is_poison = [](std::byte b) { return b == poison; };
    if (!std::all_of(memory.first(), data, is_poison) || !std::all_of(data + n, memory.last(), is_poison)) return how + " writes beside";
    return "";
  }
};

TEST(in_place, involutions_do_what_they_do_from_a_copy) {
  InPlace in_place;
  EXPECT_TRUE(check_many("run_in_place", 2000, [&] {
    std::string text;
    const Rearrangement r = testing::any_involution(text, chance(4) ? 20000 : 2000);
    const simd::Place place{chance(2) ? simd::Place::Wall::before : simd::Place::Wall::behind, chance(2) ? 0 : pick(0, 17)};
    const std::string fault =
        in_place.fault(r, static_cast<int>(one_of<std::int64_t>({1, 1, 2, 3, 7})), place, {chance(2) ? 1 : 1 << 16, 1 << 20});
    if (!fault.empty()) RC_FAIL(text + "\n" + fault);
  }));
  EXPECT_LT(in_place.n_refused, in_place.n_runs / 20) << "lists of boxes too long to tell";
  for (const auto kind :
       {planning::Exchanged::runs, planning::Exchanged::reversed, planning::Exchanged::tiles, planning::Exchanged::squares,
        planning::Exchanged::turned, planning::Exchanged::ordered, planning::Exchanged::panels})
    EXPECT_TRUE(in_place.kinds.count(kind)) << planning::name_of(kind) << " was never tried";
}

// Large enough for several tiles, blocks and pieces of rows; edges on either side of them.
TEST(in_place, large_transposes_flips_rolls_and_reversals_do_what_they_do_from_a_copy) {
  InPlace in_place;
  std::vector<std::pair<std::string, Rearrangement>> cases;
  for (const std::int64_t e : {1, 2, 3, 4, 6, 8, 12, 16, 24, 40}) {
    for (const std::int64_t n : e <= 4 ? std::vector<std::int64_t>{64, 129, 257, 300} : std::vector<std::int64_t>{31, 64, 65, 143}) {
      const Layout square = Layout::dense({n, n}, e), pitched{{n, n}, {n * e + 24, e}, 8, e};
      const std::string text = std::to_string(n) + " squared, elements of " + std::to_string(e);
      for (const Layout& layout : {square, pitched}) {
        const Rearrangement turned = permute(layout, std::vector<std::int64_t>{1, 0});
        cases.emplace_back("transpose of " + text, turned.into(layout));
        cases.emplace_back("transpose and byte swap of " + text, Rearrangement(turned).byte_swap().into(layout));
        cases.emplace_back("flip of " + text, Rearrangement(layout).flip("@1").into(layout));
        cases.emplace_back("byte swap of " + text, Rearrangement(layout).byte_swap().into(layout));
      }
    }
    const Layout long_rows = Layout::dense({3, 70001 / e * 2}, e);
    cases.emplace_back("flip of long rows", Rearrangement(long_rows).flip("@1"));
    cases.emplace_back("flip of long rows and slow axis", Rearrangement(long_rows).flip("@1").flip("@0"));
    cases.emplace_back("half a roll of long rows", Rearrangement(long_rows).roll("@1", 70001 / e));
    cases.emplace_back("byte swap and half a roll", Rearrangement(long_rows).roll("@1", 70001 / e).byte_swap());
    const Layout bits = Layout::dense({1 << 14}, e);
    if (e <= 24) cases.emplace_back("bit reversal", bit_reverse(bits));
    const Layout cube = Layout::dense({24, 25, 24}, e);
    cases.emplace_back("z against x", permute(cube, std::vector<std::int64_t>{2, 1, 0}));
    const Layout squares = Layout::dense({9, 33, 33}, e);
    cases.emplace_back("many squares", permute(squares, std::vector<std::int64_t>{0, 2, 1}));
    cases.emplace_back("many squares, turned round", permute(squares, std::vector<std::int64_t>{0, 2, 1}).flip("@0"));
  }
  bool is_odd = false;
  for (const auto& [text, r] : cases) {
    is_odd = !is_odd;
    for (const int n_threads : {is_odd ? 1 : 2, is_odd ? 7 : 3}) {
      const std::string fault = in_place.fault(r, n_threads, simd::both_places[n_threads % 2], {1, 1 << 20});
      ASSERT_EQ(fault, "") << text << ", elements of " << r.element_bytes();
    }
  }
}

}  // namespace
}  // namespace crinkle::in_place_test
