// Layouts made from a structure's type, and buffers of structures and numbers: what is given as another layout is refused.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "crinkle/notation.hpp"
#include "crinkle/plan.hpp"
#include "crinkle/record_layout.hpp"
#include "crinkle/records.hpp"
#include "notation/expect_error.hpp"

namespace crinkle::testing::struct_test {
namespace {

struct Hit {
  double energy;
  float x, y;
  int id;
  char flag;
};
using Hits = Record<Hit, &Hit::energy, &Hit::x, &Hit::y, &Hit::id, &Hit::flag>;
using Some = Record<Hit, &Hit::x, &Hit::id>;
constexpr const char* hit_fields = "energy:f8 x:f4 y:f4 id:i4 flag:i1";

void expect_error(ErrorCode code, const std::string& part, const auto& act) {
  const std::string text = error_of(code, act);
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

std::vector<Hit> hits(int n) {
  std::vector<Hit> all;
  for (int i = 0; i < n; ++i)
    all.push_back({i + 0.5, static_cast<float>(2 * i), static_cast<float>(-i), 7 * i, static_cast<char>('a' + i)});
  return all;
}

// A view takes an array of structures only as what it is; bytes, and numbers where all fields are such, as any layout.
static_assert(!std::is_constructible_v<RecordView<Hits, Aos<>>, Hit*, std::int64_t>);
static_assert(!std::is_constructible_v<RecordView<Some, Aos<8>>, Hit*, std::int64_t>);
static_assert(!std::is_constructible_v<RecordView<const Hits, Soa>, const Hit*, std::int64_t>);
static_assert(!std::is_constructible_v<RecordView<Hits, RunTime>, Hit*, const PlainPlace*, std::int64_t>);
static_assert(!std::is_constructible_v<RecordView<Hits, Soa>, float*, std::int64_t>);
static_assert(std::is_constructible_v<RecordView<Some, Soa>, float*, std::int64_t>);
static_assert(std::is_constructible_v<RecordView<Hits, Aos<>>, void*, std::int64_t>);
static_assert(std::is_constructible_v<RecordView<Hits, Aos<>>, std::byte*, std::int64_t>);
static_assert(std::is_constructible_v<RecordView<Hits, AosOf<Hit>>, Hit*, std::int64_t>);
static_assert(std::is_constructible_v<RecordView<Hits, AosOf<Hit>>, std::vector<Hit>&>);
static_assert(std::is_constructible_v<RecordView<const Hits, AosOf<Hit>>, const std::vector<Hit>&>);
static_assert(!std::is_constructible_v<RecordView<Hits, AosOf<Hit>>, const std::vector<Hit>&>);
static_assert(!std::is_constructible_v<RecordView<Hits, AosOf<Hit>>, std::vector<double>&>);

TEST(Structs, views_read_and_write_the_members_where_they_are) {
  std::vector<Hit> all = hits(5);
  const RecordView<Some, AosOf<Hit>> some(all);
  EXPECT_EQ(some.size(), 5);
  some.get(field<&Hit::x>(), 3) = 9;
  some.store(field<&Hit::id>(), 4, -4);
  some.store(1, Hit{0, 4, 5, 6, 'z'});  // energy, y and flag are no fields of it: they stay
  EXPECT_EQ(all[3].x, 9);
  EXPECT_EQ(all[4].id, -4);
  EXPECT_EQ(all[1].energy, 1.5);
  EXPECT_EQ(all[1].x, 4);
  EXPECT_EQ(all[1].y, -1);
  EXPECT_EQ(all[1].id, 6);
  EXPECT_EQ(all[1].flag, 'b');
  const RecordView<const Some, AosOf<Hit>> to_read = some;
  EXPECT_EQ(to_read.load(2).energy, 2.5);
  EXPECT_EQ(to_read.load(field<&Hit::x>(), 2), 4);
}

TEST(Structs, layouts_of_a_type_have_its_padding_and_its_other_members) {
  const Fields fields = parse_fields(hit_fields);
  const RecordLayout whole = layout_of<Hits>(fields);
  EXPECT_EQ(whole.print(), "(energy x y id flag)@8");
  EXPECT_EQ(whole.record_bytes(), static_cast<std::int64_t>(sizeof(Hit)));
  const Fields two = parse_fields("x:f4 id:i4");
  const RecordLayout some = layout_of<Some>(two);
  EXPECT_EQ(some.print(), "(8 x 4 id 4)");
  EXPECT_EQ(some.record_bytes(), 24);
  EXPECT_EQ(some.find("id")->offset, 16);
  EXPECT_EQ(RecordLayout::parse(some.print(), two), some);
  expect_error(ErrorCode::bad_shape, "2 fields for 5 members", [&] { layout_of<Hits>(two); });
  expect_error(ErrorCode::bad_shape, "field 'id' has 8 bytes and its member has 4", [] { layout_of<Some>(parse_fields("x:f4 id:i8")); });
}

TEST(Structs, a_vector_of_them_is_converted_by_the_layout_of_its_type) {
  const std::vector<Hit> all = hits(1000);
  const Fields fields = parse_fields(hit_fields);
  const Rearrangement r =
      convert_records(layout_of<Hits>(fields), RecordLayout::parse("energy|x|y|id|flag", fields), std::ssize(all), {.to = Storage::apart});
  std::vector<double> energy(all.size());
  std::vector<float> x(all.size()), y(all.size());
  std::vector<int> id(all.size());
  std::vector<char> flag(all.size());
  Plan(r).run({all}, {energy, x, y, id, flag});
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(energy[i], all[i].energy) << i;
    ASSERT_EQ(x[i], all[i].x) << i;
    ASSERT_EQ(y[i], all[i].y) << i;
    ASSERT_EQ(id[i], all[i].id) << i;
    ASSERT_EQ(flag[i], all[i].flag) << i;
  }
  std::vector<Hit> back(all.size());
  Plan(convert_records(RecordLayout::parse("energy|x|y|id|flag", fields), layout_of<Hits>(fields), std::ssize(all),
                       {.from = Storage::apart}))
      .run({energy, x, y, id, flag}, {back});
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(back[i].id, all[i].id) << i;
}

TEST(Structs, a_vector_of_them_is_refused_where_records_are_packed) {
  const std::vector<Hit> all = hits(8);
  std::vector<std::byte> out(8 * 21);
  const Rearrangement packed = convert_records(hit_fields, "(energy x y id flag)", "(flag id y x energy)", all.size());
  expect_error(ErrorCode::bad_shape, "structures of 24 bytes", [&] { Plan(packed).run(all, out); });
  expect_error(ErrorCode::bad_shape, "elements of 21 bytes", [&] { Plan(packed).run(all, out); });
  Plan(packed).run({all.data(), 8 * 21}, out);  // bytes are whatever they are said to be
}

TEST(Buffers, of_numbers_have_the_size_of_elements_or_of_the_two_in_one) {
  const std::vector<float> from(12, 1.0F);
  std::vector<double> wide(12);
  std::vector<float> to(12);
  std::vector<std::complex<float>> pairs(6);
  const Plan plan(parse("y x -> x y", Layout::dense({3, 4}, 4)));
  expect_error(ErrorCode::bad_shape, "the destination is given as numbers of 8 bytes", [&] { plan.run(from, wide); });
  expect_error(ErrorCode::bad_shape, "the source is given as numbers of 8 bytes", [&] { plan.run(wide, to); });
  plan.run(from, to);
  plan.run(from, pairs);  // structures of two elements
  plan.run({from.data(), 48}, {wide.data(), 48});
  const Plan of_complex(parse("y x -> x y", Layout::dense({2, 3}, 8)));
  of_complex.run(from, pairs);  // 12 numbers, two an element
  of_complex.run(pairs, to);
  std::vector<std::array<float, 3>> threes(4);
  expect_error(ErrorCode::bad_shape, "structures of 12 bytes", [&] { of_complex.run(threes, pairs); });
  const std::vector<short> halves(24);
  expect_error(ErrorCode::bad_shape, "numbers of 2 bytes", [&] { of_complex.run(halves, pairs); });
}

TEST(Buffers, of_a_map_and_its_inverse_and_of_two_maps_keep_their_forms) {
  const Fields fields = parse_fields(hit_fields);
  const RecordLayout of_type = layout_of<Hits>(fields), packed = RecordLayout::parse("(energy x y id flag)", fields);
  const std::vector<Hit> all = hits(6);
  std::vector<Hit> again(6);
  std::vector<std::byte> bytes(6 * 21);
  const Rearrangement there = convert_records(of_type, packed, 6), back = convert_records(packed, of_type, 6);
  Plan(there.then(back)).run(all, again);
  EXPECT_EQ(again[5].id, all[5].id);
  expect_error(ErrorCode::bad_shape, "structures of 24 bytes", [&] { Plan(back.then(there)).run(again, bytes); });
}

}  // namespace
}  // namespace crinkle::testing::struct_test
