// Elements of 1, 2 and 4 bits: packed and unpacked as their definition says, moved as bytes are, and their shapes as text.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/packed.hpp"

#include <gtest/gtest.h>

#include <random>

#include "crinkle/bit_shape.hpp"
#include "crinkle/crinkle.hpp"
#include "move/reference.hpp"

namespace crinkle::packed_test {
namespace {

using Bytes = std::vector<std::byte>;

Bytes random_elements(std::int64_t n, int bits, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Bytes all(static_cast<std::size_t>(n));
  for (std::byte& one : all) one = static_cast<std::byte>(random() % (1U << bits));
  return all;
}

// Bit by bit.
Bytes packed_of(const Bytes& elements, int bits) {
  Bytes packed((elements.size() * static_cast<std::size_t>(bits) + 7) / 8, std::byte{0});
  for (std::size_t i = 0; i < elements.size(); ++i)
    for (int b = 0; b < bits; ++b) {
      const std::size_t at = i * static_cast<std::size_t>(bits) + static_cast<std::size_t>(b);
      packed[at / 8] |= (elements[i] >> b & std::byte{1}) << static_cast<int>(at % 8);
    }
  return packed;
}

TEST(Packed, elements_lie_side_by_side_the_lowest_bit_first) {
  const auto executor = make_executor(3);
  for (const int bits : {1, 2, 4}) {
    for (const std::int64_t n : {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 300001}) {
      const Bytes elements = random_elements(n, bits, static_cast<std::uint64_t>(n + bits)), want = packed_of(elements, bits);
      ASSERT_EQ(packed_bytes(n, bits), std::ssize(want));
      Bytes packed(want.size(), std::byte{0xEE}), back(elements.size(), std::byte{0xEE});
      pack_bits(elements, packed, n, bits, *executor);
      ASSERT_EQ(packed, want) << n << " of " << bits;
      unpack_bits(packed, back, n, bits, *executor);
      ASSERT_EQ(back, elements) << n << " of " << bits;
    }
  }
}

std::string refusal(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    EXPECT_STREQ(name_of(error.code()), "bad_shape");
    return error.what();
  }
  ADD_FAILURE() << "expected an error";
  return "";
}

TEST(Packed, what_does_not_fit_is_refused_with_its_values) {
  Bytes bytes(20), packed(10);
  bytes[7] = std::byte{16};
  bytes[11] = std::byte{99};
  EXPECT_NE(refusal([&] { pack_bits(bytes, packed, 20, 4); }).find("element 7 is 16, which 4 bits do not hold: they reach to 15"),
            std::string::npos);
  EXPECT_NE(
      refusal([&] { pack_bits(bytes, packed, 21, 4); }).find("21 elements of 4 bits take 11 bytes packed and 21 unpacked, not 10 and 20"),
      std::string::npos);
  EXPECT_NE(refusal([&] { unpack_bits(packed, bytes, 30, 2); }).find("8 bytes packed and 30 unpacked, not 10 and 20"), std::string::npos);
  EXPECT_NE(refusal([&] { packed_bytes(8, 3); }).find("1, 2 or 4 bits, not 3"), std::string::npos);
  EXPECT_NE(refusal([&] { packed_bytes(-1, 4); }).find("-1 packed elements"), std::string::npos);
}

void expect_move(const Rearrangement& r, int bits, std::int64_t workspace_bytes) {
  const Bytes elements = random_elements(r.source().n_elements(), bits, 7);
  Bytes moved(static_cast<std::size_t>(r.destination().n_elements()));
  const std::byte* from = elements.data();
  std::byte* to = moved.data();
  run_reference(r.boxes(), {&from, 1}, {&to, 1});
  const Bytes src = packed_of(elements, bits), want = packed_of(moved, bits);
  Bytes dst(want.size(), std::byte{0xEE});
  const auto executor = make_executor(2);
  move_packed(r, bits, {src.data(), std::ssize(src)}, {dst.data(), std::ssize(dst)}, *executor, workspace_bytes);
  EXPECT_EQ(dst, want) << bits << " bits";
}

TEST(Packed, they_move_as_bytes_do) {
  const Layout cube = Layout::dense({12, 10, 14}, 1), odd = Layout::dense({5, 7, 9}, 1);
  for (const int bits : {1, 2, 4})
    for (const std::int64_t workspace : {std::int64_t{64} << 20, std::int64_t{512}}) {
      expect_move(parse("z y x -> x y z", cube), bits, workspace);
      expect_move(parse("z y x -> x z y", odd), bits, workspace);
      expect_move(parse("z (y 2) x -> 2 z x y", cube), bits, workspace);
      expect_move(parse("z y x -> z y x", odd).flip("x").roll("y", 3), bits, workspace);
      expect_move(parse("z y x -> z y x", odd), bits, workspace);
    }
}

TEST(Packed, moves_that_cannot_be_are_refused_with_their_values) {
  Bytes a(1000), b(1000);
  const auto moved = [&](const Rearrangement& r, int bits, std::int64_t from, std::int64_t to) {
    return refusal([&] { move_packed(r, bits, {a.data(), from}, {b.data(), to}); });
  };
  const Rearrangement turned = parse("y x -> x y", Layout::dense({8, 5}, 1));
  EXPECT_NE(moved(turned, 4, 19, 20).find("the source is [8][5][4], 20 bytes packed, but its buffer has 19"), std::string::npos);
  EXPECT_NE(moved(turned, 4, 20, 40).find("the destination is [5][8][4], 20 bytes packed, but its buffer has 40"), std::string::npos);
  EXPECT_NE(moved(turned, 8, 40, 40).find("1, 2 or 4 bits, not 8"), std::string::npos);
  EXPECT_NE(moved(parse("y x -> x y", Layout::dense({8, 5}, 2)), 4, 20, 20).find("elements of 2 bytes"), std::string::npos);
  EXPECT_NE(moved(parse("y x -> x y", Layout::dense_fortran({8, 5}, 1)), 4, 20, 20).find("not dense"), std::string::npos);
}

TEST(Packed, moves_on_a_gpu_are_refused_before_anything_is_planned) {
  const auto planned = [](const Rearrangement& r, int bits) { return refusal([&] { PackedMove(r, bits, cpu()); }); };
  EXPECT_NE(planned(parse("y x -> x y", Layout::dense({8, 5}, 2)), 4).find("elements of 2 bytes"), std::string::npos);
  const std::byte value[] = {std::byte{4}};
  const Rearrangement padded = parse("x -> x", Layout::dense({9}, 1)).pad("x", 1, 2, PadMode::constant, value);
  EXPECT_NE(planned(padded, 2).find("the value 4 is filled in, which 2 bits do not hold: they reach to 3"), std::string::npos);
  EXPECT_THROW(PackedMove(padded, 4, cpu()), Error) << "the CPU is no GPU";
}

TEST(BitShape, is_text_down_to_the_bit) {
  const BitShape four{{128, 128, 128}, 4};
  for (const char* text : {"[128, 128, 128, 4]", "[128][128][128][4]", "[128][128][128][4 bits]", "128,128,128,4", "[128, 128, 128] · [4]",
                           "[128]·[128]·[128]·[4]", "[128, 128] * [128, 4]"})
    EXPECT_EQ(parse_bit_shape(text), four) << text;
  EXPECT_EQ(four.n_bits(), std::int64_t{128} * 128 * 128 * 4);
  EXPECT_EQ(print_bit_shape(four), "[128][128][128][4]");
  EXPECT_EQ(print_bit_shape(four, Written::as_product), "[128][128][128] · [4]");
  EXPECT_EQ(parse_bit_shape(print_bit_shape(four, Written::as_product)), four);
  EXPECT_EQ(parse_bit_shape("[64, 32, uint16]"), (BitShape{{64, 32}, 16}));
  EXPECT_EQ(parse_bit_shape("[128, 128, 128, 4, 8]"), (BitShape{{128, 128, 128, 4}, 8}));  // eq. 6
  EXPECT_EQ(parse_bit_shape("[1]"), (BitShape{{}, 1}));
  EXPECT_EQ(print_bit_shape({{}, 1}), "[1]");
  EXPECT_EQ(print_bit_shape({{}, 1}, Written::as_product), "[] · [1]");
  EXPECT_EQ(parse_shape("[128, 128] · [32]", LastNumber::is_element_bits).element_bytes, 4);
  for (const char* text : {"[128][3]", "[128][12]", "[128][0]", "[]", "", "[128] ·", "[128] · 4", "· [4]", "[128] x [4]", "[4] · [float33]",
                           "[128][4 bits][8]", "[128, -4]"})
    EXPECT_THROW(parse_bit_shape(text), Error) << text;
  EXPECT_THROW(parse_shape("[128][4]", LastNumber::is_element_bits), Error) << "whole bytes, where nothing smaller is moved";
}

}  // namespace
}  // namespace crinkle::packed_test
