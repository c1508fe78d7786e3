// Values in vectors, arrays and spans: they become buffers by themselves.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/move.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "crinkle/record_layout.hpp"

namespace crinkle::api_move_test {
namespace {

template <class F>
ErrorCode code_of(F&& f) {
  try {
    f();
  } catch (const Error& e) { return e.code(); }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

struct Particle {
  float x, y;
  std::uint16_t id, kind;
};

TEST(Buffers, are_made_of_what_holds_plain_values) {
  std::vector<double> v(3);
  std::array<std::uint16_t, 5> a{};
  const std::vector<Particle> records(7);
  float plain[4] = {};
  const auto bytes = [](Buffer b) { return b.bytes; };
  const auto const_bytes = [](ConstBuffer b) { return b.bytes; };
  EXPECT_EQ(bytes(v), 24);
  EXPECT_EQ(bytes(a), 10);
  EXPECT_EQ(bytes(plain), 16);
  EXPECT_EQ(bytes(std::span(v).subspan(1)), 16);
  EXPECT_EQ(bytes({v.data(), v.size()}), 3);
  EXPECT_EQ(const_bytes(records), 84);
  EXPECT_EQ(Buffer(v).data, v.data());
  EXPECT_EQ(ConstBuffer(Buffer(v)).data, v.data());
  static_assert(!std::is_constructible_v<Buffer, const std::vector<float>&>, "what is written is not const");
  static_assert(!std::is_constructible_v<ConstBuffer, std::vector<float>&&>, "a vector that is gone when the move begins");
  static_assert(!std::is_constructible_v<ConstBuffer, const std::vector<std::string>&>, "strings are no plain bytes");
}

TEST(Buffers, too_large_for_64_bits_are_refused) {
  std::byte one{};
  EXPECT_EQ(code_of([&] { Buffer(&one, UINT64_MAX); }), ErrorCode::too_large);
}

TEST(Move, transposes_a_matrix_in_vectors) {
  std::vector<float> m(6), t(6);
  std::iota(m.begin(), m.end(), 0.F);
  move("y x -> x y", {2, 3}, m, t);
  EXPECT_EQ(t, (std::vector<float>{0, 3, 1, 4, 2, 5}));
  std::vector<float> small(5);
  EXPECT_EQ(code_of([&] { move("y x -> x y", {2, 3}, m, small); }), ErrorCode::bad_shape);
  EXPECT_EQ(code_of([&] { move("y x -> x y", {2, 3}, m, m); }), ErrorCode::overlap);
}

TEST(Move, brings_records_to_an_array_for_each_field_and_back) {
  const std::vector<Particle> records = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  std::vector<float> x(3), y(3);
  std::vector<std::uint16_t> kind(3);
  const std::string fields = "x:f4 y:f4 id:u2 kind:u2";
  Plan(convert_records(fields, "(x y id kind)", "x|y|kind", records.size(), {.to = Storage::apart})).run({records}, {x, y, kind});
  EXPECT_EQ(x, (std::vector<float>{1, 5, 9}));
  EXPECT_EQ(y, (std::vector<float>{2, 6, 10}));
  EXPECT_EQ(kind, (std::vector<std::uint16_t>{4, 8, 12}));
  std::vector<Particle> back(3, Particle{0, 0, 42, 0});
  Plan(convert_records(fields, "x|y|kind", "(x y id kind)", x.size(), {.from = Storage::apart})).run({x, y, kind}, {back});
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(back[k].x, records[k].x);
    EXPECT_EQ(back[k].kind, records[k].kind);
    EXPECT_EQ(back[k].id, 42) << "what is not moved stays";
  }
}

}  // namespace
}  // namespace crinkle::api_move_test
