// The C interface: the same bytes as the C++ one for every verb, a status and a text for everything that is wrong, nothing changed then.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "crinkle/crinkle.h"
#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "crinkle/plan.hpp"

namespace crinkle::c_interface_test {
namespace {

struct Free {
  void operator()(crinkle_map* map) const { crinkle_free_map(map); }
  void operator()(crinkle_plan* plan) const { crinkle_free_plan(plan); }
};
using OwnedMap = std::unique_ptr<crinkle_map, Free>;
using OwnedPlan = std::unique_ptr<crinkle_plan, Free>;

std::vector<std::byte> numbered(std::int64_t n) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 2654435761U >> 11);
  return bytes;
}

constexpr std::int64_t extents[] = {6, 8};
constexpr crinkle_layout source = {2, extents, nullptr, 0, 4};

OwnedMap parsed(const char* spec) {
  crinkle_map* map = nullptr;
  EXPECT_EQ(crinkle_parse(spec, &source, nullptr, &map), crinkle_done) << crinkle_error_text();
  return OwnedMap(map);
}

// What a map moves, by way of the C interface and of the other.
void expect_same(const crinkle_map* map, const Rearrangement& expected, const std::string& what) {
  crinkle_plan* made = nullptr;
  ASSERT_EQ(crinkle_make_plan(map, crinkle_cpu, 2, &made), crinkle_done) << what << ": " << crinkle_error_text();
  const OwnedPlan plan(made);
  const std::vector<std::byte> src = numbered(expected.source().n_bytes());
  const std::int64_t src_bytes = std::ssize(src), dst_bytes = expected.destination().n_bytes();
  std::vector<std::byte> dst(static_cast<std::size_t>(dst_bytes), std::byte{1}), wanted(dst.size(), std::byte{1});
  const void* from = src.data();
  void* to = dst.data();
  ASSERT_EQ(crinkle_run(plan.get(), &from, &src_bytes, &to, &dst_bytes), crinkle_done) << what << ": " << crinkle_error_text();
  Plan(expected).run(ConstBuffer{src.data(), src_bytes}, Buffer{wanted.data(), dst_bytes});
  EXPECT_EQ(dst, wanted) << what;
  std::vector<std::int64_t> found(8);
  found.resize(static_cast<std::size_t>(crinkle_extents(map, 8, found.data())));
  EXPECT_EQ(found, expected.destination().extents) << what;
  EXPECT_GE(crinkle_bytes_moved(plan.get()), dst_bytes) << what;
}

TEST(CInterface, every_verb_is_that_of_the_library) {
  const Rearrangement same = parse("y x -> y x", Layout::dense({6, 8}, 4));
  const float value = 2.5F;
  std::array<std::byte, 4> value_bytes;
  std::memcpy(value_bytes.data(), &value, 4);
  const std::int64_t indices[] = {3, -1, 0};
  struct Verb {
    const char* name;
    std::function<crinkle_status(crinkle_map*)> change;
    Rearrangement expected;
  };
  const Verb verbs[] = {
      {"flip", [](crinkle_map* m) { return crinkle_flip(m, "x"); }, same.flip("x")},
      {"roll", [](crinkle_map* m) { return crinkle_roll(m, "y", -2); }, same.roll("y", -2)},
      {"slice", [](crinkle_map* m) { return crinkle_slice(m, "x", 1, CRINKLE_OMITTED, 2); }, same.slice("x", 1, {}, 2)},
      {"slice back", [](crinkle_map* m) { return crinkle_slice(m, "x", CRINKLE_OMITTED, CRINKLE_OMITTED, -3); },
       same.slice("x", {}, {}, -3)},
      {"pad", [](crinkle_map* m) { return crinkle_pad(m, "y", 1, 2, "reflect", nullptr); }, same.pad("y", 1, 2, PadMode::reflect)},
      {"pad by a value", [&](crinkle_map* m) { return crinkle_pad(m, "x", 0, 3, "constant", &value); },
       same.pad("x", 0, 3, PadMode::constant, value_bytes)},
      {"dilate", [](crinkle_map* m) { return crinkle_dilate(m, "x", 3); }, same.dilate("x", 3)},
      {"take", [&](crinkle_map* m) { return crinkle_take(m, "y", 3, indices); }, same.take("y", indices)},
      {"take nothing", [](crinkle_map* m) { return crinkle_take(m, "y", 0, nullptr); }, same.take("y", {})},
      {"reverse bits", [](crinkle_map* m) { return crinkle_bit_reverse(m, "x"); }, same.bit_reverse("x")},
      {"swap bytes", [](crinkle_map* m) { return crinkle_byte_swap(m); }, same.byte_swap()},
      {"invert a roll", [](crinkle_map* m) { return crinkle_roll(m, "x", 3) == crinkle_done ? crinkle_invert(m) : crinkle_failed; },
       same.roll("x", 3).inverse()}};
  for (const Verb& verb : verbs) {
    const OwnedMap map = parsed("y x -> y x");
    ASSERT_EQ(verb.change(map.get()), crinkle_done) << verb.name << ": " << crinkle_error_text();
    expect_same(map.get(), verb.expected, verb.name);
  }
  const OwnedMap transposed = parsed("y x -> x y");
  expect_same(transposed.get(), parse("y x -> x y", Layout::dense({6, 8}, 4)), "transpose");
}

TEST(CInterface, strides_and_a_destination_may_be_given) {
  const std::int64_t strides[] = {4, 24}, wide[] = {8, 6}, wide_strides[] = {64, 4};
  const crinkle_layout from = {2, extents, strides, 0, 4}, to = {2, wide, wide_strides, 8, 4};
  crinkle_map* made = nullptr;
  ASSERT_EQ(crinkle_parse("y x -> x y", &from, &to, &made), crinkle_done) << crinkle_error_text();
  const OwnedMap map(made);
  crinkle_plan* planned = nullptr;
  ASSERT_EQ(crinkle_make_plan(map.get(), crinkle_cpu, 1, &planned), crinkle_done);
  const OwnedPlan plan(planned);
  const std::vector<std::byte> src = numbered(192);
  std::vector<std::byte> dst(512, std::byte{7});
  const void* in = src.data();
  void* out = dst.data();
  const std::int64_t in_bytes = 192, out_bytes = 512;
  ASSERT_EQ(crinkle_run(plan.get(), &in, &in_bytes, &out, &out_bytes), crinkle_done) << crinkle_error_text();
  for (std::size_t x = 0; x < 8; ++x) EXPECT_EQ(std::memcmp(&dst[8 + 64 * x], &src[24 * x], 24), 0) << x;
  EXPECT_EQ(dst[7], std::byte{7});
  EXPECT_EQ(dst[32], std::byte{7});
}

TEST(CInterface, several_buffers_are_interlaced_and_records_converted) {
  const std::int64_t n = 100;
  const crinkle_layout each = {1, &n, nullptr, 0, 4};
  for (const bool by_records : {false, true}) {
    crinkle_map* made = nullptr;
    const crinkle_status status =
        by_records ? crinkle_records("a:f4 b:f4 c:f4", "a|b|c", "(a b c)", n, 1, &made) : crinkle_interlace(&each, 3, -1, &made);
    ASSERT_EQ(status, crinkle_done) << crinkle_error_text();
    const OwnedMap map(made);
    EXPECT_EQ(crinkle_n_sources(made), 3);
    EXPECT_EQ(crinkle_n_destinations(made), 1);
    crinkle_plan* planned = nullptr;
    ASSERT_EQ(crinkle_make_plan(made, crinkle_cpu, 0, &planned), crinkle_done);
    const OwnedPlan plan(planned);
    const std::vector<std::byte> src = numbered(1200);
    std::vector<std::byte> dst(1200);
    const void* from[] = {src.data(), src.data() + 400, src.data() + 800};
    const std::int64_t from_bytes[] = {400, 400, 400}, to_bytes[] = {1200};
    void* to[] = {dst.data()};
    ASSERT_EQ(crinkle_run(plan.get(), from, from_bytes, to, to_bytes), crinkle_done) << crinkle_error_text();
    for (std::size_t i = 0; i < 300; ++i) EXPECT_EQ(std::memcmp(&dst[4 * i], &src[i % 3 * 400 + i / 3 * 4], 4), 0) << i;
  }
  crinkle_map* apart = nullptr;
  const std::int64_t both[] = {100, 3};
  const crinkle_layout pixels = {2, both, nullptr, 0, 4};
  ASSERT_EQ(crinkle_deinterlace(&pixels, -1, &apart), crinkle_done);
  EXPECT_EQ(crinkle_n_destinations(apart), 3);
  crinkle_free_map(apart);
}

TEST(CInterface, what_is_wrong_has_a_status_and_a_text_and_changes_nothing) {
  const OwnedMap map = parsed("y x -> y x");
  crinkle_map* const untouched = map.get();
  crinkle_map* made = untouched;
  const auto expect = [](crinkle_status found, crinkle_status wanted, const char* says) {
    EXPECT_EQ(found, wanted) << says;
    EXPECT_NE(std::string(crinkle_error_text()).find(says), std::string::npos) << crinkle_error_text();
  };
  expect(crinkle_parse("y x -> x z", &source, nullptr, &made), crinkle_bad_notation, "z");
  expect(crinkle_parse("y x -> x y", nullptr, nullptr, &made), crinkle_bad_shape, "source is NULL");
  expect(crinkle_parse(nullptr, &source, nullptr, &made), crinkle_bad_shape, "spec is NULL");
  expect(crinkle_parse("y x -> x y", &source, nullptr, nullptr), crinkle_bad_shape, "map is NULL");
  const std::int64_t huge[] = {INT64_MAX, 8};
  const crinkle_layout too_large = {2, huge, nullptr, 0, 4}, negative = {-1, extents, nullptr, 0, 4}, none = {2, nullptr, nullptr, 0, 4};
  expect(crinkle_parse("y x -> x y", &too_large, nullptr, &made), crinkle_too_large, "");
  expect(crinkle_parse("y x -> x y", &negative, nullptr, &made), crinkle_bad_shape, "rank of -1");
  expect(crinkle_parse("y x -> x y", &none, nullptr, &made), crinkle_bad_shape, "extents is NULL");
  expect(crinkle_records("a:f4", "a", "b", 3, 0, &made), crinkle_bad_notation, "b");
  EXPECT_EQ(made, untouched);
  expect(crinkle_flip(map.get(), "z"), crinkle_bad_shape, "z");
  expect(crinkle_flip(map.get(), nullptr), crinkle_bad_shape, "axis is NULL");
  expect(crinkle_pad(map.get(), "x", 1, 1, "mirror", nullptr), crinkle_bad_notation, "mirror");
  expect(crinkle_flip(nullptr, "x"), crinkle_bad_shape, "map is NULL");
  expect_same(map.get(), parse("y x -> y x", Layout::dense({6, 8}, 4)), "unchanged");

  crinkle_plan* plan = nullptr;
  expect(crinkle_make_plan(map.get(), -2, 0, &plan), crinkle_bad_device, "-2");
  expect(crinkle_make_plan(map.get(), crinkle_cpu, -1, &plan), crinkle_bad_shape, "-1");
  EXPECT_EQ(plan, nullptr);
  ASSERT_EQ(crinkle_make_plan(map.get(), crinkle_cpu, 1, &plan), crinkle_done);
  EXPECT_STREQ(crinkle_error_text(), "");
  const OwnedPlan owned(plan);
  std::vector<std::byte> src(192), dst(192, std::byte{9});
  const void* from = src.data();
  void* to = dst.data();
  const std::int64_t right = 192, little = 191;
  expect(crinkle_run(plan, &from, &little, &to, &right), crinkle_bad_shape, "191");
  expect(crinkle_run(plan, nullptr, &right, &to, &right), crinkle_bad_shape, "src is NULL");
  expect(crinkle_run_on_stream(plan, &from, &right, &to, &right, nullptr), crinkle_unsupported, "CPU");
  EXPECT_EQ(dst, std::vector<std::byte>(192, std::byte{9}));
  expect(crinkle_copy(dst.data(), src.data(), 10, "quick", 1), crinkle_bad_notation, "quick");
  expect(crinkle_copy(dst.data(), src.data(), -1, "memcpy", 1), crinkle_bad_shape, "-1");
  expect(crinkle_copy(dst.data(), nullptr, 1, "memcpy", 1), crinkle_bad_shape, "src is NULL");
  EXPECT_EQ(crinkle_copy(dst.data(), src.data(), 192, "interleaved", 2), crinkle_done);
  EXPECT_EQ(dst, src);
  crinkle_free_map(nullptr);
  crinkle_free_plan(nullptr);
}

TEST(CInterface, threads_of_numbers_that_were_used_long_ago_end) {
  const auto n_threads = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
  };
  const auto before = n_threads();
  const std::vector<std::byte> src = numbered(1 << 20);
  std::vector<std::byte> dst(src.size());
  for (int n = 2; n < 40; ++n) {
    ASSERT_EQ(crinkle_copy(dst.data(), src.data(), std::ssize(src), "interleaved", n), crinkle_done);
    EXPECT_LE(n_threads(), before + 4 * n + 8);
  }
  EXPECT_EQ(dst, src);
}

TEST(CInterface, bit_planes_go_there_and_back) {
  const std::vector<std::byte> src = numbered(3 * 101);
  std::vector<std::byte> planes(static_cast<std::size_t>(bit_planes_bytes(101, 3))), wanted(planes.size()), back(src.size());
  ASSERT_EQ(crinkle_bit_planes(planes.data(), src.data(), 101, 3, 0, 2), crinkle_done) << crinkle_error_text();
  bit_planes(src, wanted, 101, 3);
  EXPECT_EQ(planes, wanted);
  ASSERT_EQ(crinkle_bit_planes(back.data(), planes.data(), 101, 3, 1, 1), crinkle_done);
  EXPECT_EQ(back, src);
  EXPECT_EQ(crinkle_bit_planes(nullptr, nullptr, 0, 3, 0, 1), crinkle_done);
  EXPECT_EQ(crinkle_bit_planes(planes.data(), src.data(), 101, 0, 0, 1), crinkle_bad_shape);
  EXPECT_EQ(crinkle_bit_planes(planes.data(), src.data(), INT64_MAX, 8, 0, 1), crinkle_too_large);
  EXPECT_EQ(crinkle_bit_planes(planes.data(), nullptr, 8, 8, 0, 1), crinkle_bad_shape);
}

TEST(CInterface, a_plan_describes_itself_into_as_many_bytes_as_there_are) {
  const OwnedMap map = parsed("y x -> x y");
  crinkle_plan* plan = nullptr;
  ASSERT_EQ(crinkle_make_plan(map.get(), crinkle_cpu, 1, &plan), crinkle_done);
  const OwnedPlan owned(plan);
  const std::int64_t all = crinkle_describe(plan, nullptr, 0);
  std::string text(static_cast<std::size_t>(all), '?');
  EXPECT_EQ(crinkle_describe(plan, text.data(), all), all);
  EXPECT_EQ(text.back(), '\0');
  EXPECT_NE(text.find("[6][8]"), std::string::npos);
  char few[5] = {'?', '?', '?', '?', '?'};
  EXPECT_EQ(crinkle_describe(plan, few, 4), all);
  EXPECT_EQ(std::string(few, 3), text.substr(0, 3));
  EXPECT_EQ(few[3], '\0');
  EXPECT_EQ(few[4], '?');
  EXPECT_STRNE(crinkle_version(), "");
}

}  // namespace
}  // namespace crinkle::c_interface_test
