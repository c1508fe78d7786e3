// Passes: the definition by hand, and on a CPU and thread by thread as on a GPU what is defined, whatever the fields, layout, pattern and
// order.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "advise/cpu/pass.hpp"
#include "advise/cuda/word_table.hpp"
#include "advise/passes.hpp"

namespace crinkle::testing::pass_test {
namespace {

using advising::Pass;
using advising::Word;

TEST(Pass, is_what_its_definition_says) {
  const Fields fields = parse_fields("a:u4 b:u1[6] c:u2");
  const RecordLayout layout = RecordLayout::parse("(a b c)", fields);
  const AccessPattern pattern{{"b", "a"}, {"c", "a"}, {}};
  const std::vector<unsigned char> record{0x01, 0x02, 0x03, 0x04, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0xEE, 0xFF};
  std::vector<std::byte> bytes;
  for (const unsigned char c : record) bytes.push_back(static_cast<std::byte>(c));
  advising::visit_as_defined(layout, pattern, 9, [&](const RecordLayout::Place& place) { return bytes.data() + place.offset; });
  // The words of b are 10 20 30 40 and 50 60 0 0, that of a is 1 2 3 4: bytes 41 42 33 44.
  const std::uint32_t sum = 0x44334241u ^ 9u, c_value = sum + 0x9E3779B9u, a_value = sum + 2 * 0x9E3779B9u;
  std::uint32_t a = 0;
  std::uint16_t c = 0;
  std::memcpy(&a, &bytes[0], 4);
  std::memcpy(&c, &bytes[10], 2);
  EXPECT_EQ(a, a_value);
  EXPECT_EQ(c, static_cast<std::uint16_t>(c_value));
  for (std::size_t k = 4; k < 10; ++k) EXPECT_EQ(bytes[k], static_cast<std::byte>(record[k]));
}

TEST(Pass, arrays_lie_apart_at_multiples_of_256) {
  const Fields fields = parse_fields("x:f4 y:f8 z:u1");
  const advising::Arrays arrays = advising::arrays_of(RecordLayout::parse("x|(y z)*8", fields), 1000);
  ASSERT_EQ(arrays.begin.size(), 2u);
  EXPECT_EQ(arrays.bytes, (std::vector<std::int64_t>{4000, 9000}));
  EXPECT_EQ(arrays.begin, (std::vector<std::int64_t>{0, 4096 + 256}));
  EXPECT_EQ(arrays.end, 4096 + 256 + 9000);
}

TEST(Pass, on_a_cpu_is_the_one_that_is_defined) {
  const std::unique_ptr<Executor> executors[] = {make_executor(1), make_executor(2), make_executor(3)};
  EXPECT_TRUE(check_many("a pass on a CPU is as defined", 1500, [&] {
    const PassCase c = any_pass();
    const RecordLayout layout = RecordLayout::parse(c.layout, c.fields);
    PassMemory memory(layout, c.fields, c.n);
    const Pass pass{layout, c.pattern, memory.arrays(), advising::visit_of(c.pattern.order, c.n, 3)};
    const Bytes expected = expected_after(pass, memory);
    run_pass(advising::cpu_pass(pass), memory.data(), *executors[pick(0, 2)]);
    if (memory.used() != expected) RC_FAIL(c.print());  // padding, too
  }));
}

TEST(Pass, by_many_threads_is_the_one_that_is_defined) {
  const Fields fields = parse_fields("x:f4 y:f4 z:f4 p:f8");
  const std::int64_t n = 600011;
  const auto executor = make_executor(4);
  for (const char* text : {"(x y z p)", "x|y|z|p", "(x y z p)*8", "(x p)*24|(y z)@16"})
    for (const char* order : {"sequential", "random", "strided:1000"}) {
      const RecordLayout layout = RecordLayout::parse(text, fields);
      const AccessPattern pattern{{"x", "y", "z", "p"}, {"p", "x"}, AccessOrder::parse(order)};
      PassMemory memory(layout, fields, n);
      const Pass pass{layout, pattern, memory.arrays(), advising::visit_of(pattern.order, n, 3)};
      const Bytes expected = expected_after(pass, memory);
      run_pass(advising::cpu_pass(pass), memory.data(), *executor);
      ASSERT_TRUE(memory.used() == expected) << text << ", " << order;
    }
}

// As a GPU's threads would, one after the other; every word aligned and within its array.
void walk(const Pass& pass, PassMemory& memory, const std::string& what) {
  const advising::WordTable table = advising::words_of(pass);
  const auto n_words = static_cast<std::int32_t>(std::ssize(table.words));
  const advising::Arrays& arrays = memory.arrays();
  for (std::int64_t t = 0; t < pass.n(); ++t) {
    const std::int64_t i = pass.visit.record(t);
    for (const Word& word : table.words) {
      const std::int64_t at = word.address(i, pass.n());
      ASSERT_EQ(at % word.bytes, 0) << what;
      const auto is_within = [&](std::size_t g) { return arrays.begin[g] <= at && at + word.bytes <= arrays.begin[g] + arrays.bytes[g]; };
      bool is_in_an_array = false;
      for (std::size_t g = 0; g < arrays.begin.size(); ++g) is_in_an_array |= is_within(g);
      ASSERT_TRUE(is_in_an_array) << what << ": record " << i << " has a word at byte " << at;
    }
    visit_record(table, table.n_loads, n_words, i, pass.n(), reinterpret_cast<unsigned char*>(memory.data()));
  }
}

TEST(Pass, thread_by_thread_is_the_one_that_is_defined) {
  EXPECT_TRUE(check_many("a pass in words is as defined", 1500, [&] {
    const PassCase c = any_pass();
    const RecordLayout layout = RecordLayout::parse(c.layout, c.fields);
    PassMemory memory(layout, c.fields, c.n);
    const Pass pass{layout, c.pattern, memory.arrays(), advising::visit_of(c.pattern.order, c.n, 3)};
    const Bytes expected = expected_after(pass, memory);
    walk(pass, memory, c.print());
    if (!have_equal_fields(pass, memory.used(), expected)) RC_FAIL(c.print());
  }));
}

std::string words_of(const char* fields_text, const char* layout_text, std::vector<std::string> reads, std::vector<std::string> writes,
                     std::int64_t n = 64) {
  const Fields fields = parse_fields(fields_text);
  const RecordLayout layout = RecordLayout::parse(layout_text, fields);
  const AccessPattern pattern{std::move(reads), std::move(writes), {}};
  const advising::Arrays arrays = advising::arrays_of(layout, n);
  const advising::WordTable table = advising::words_of({layout, pattern, arrays, advising::visit_of(pattern.order, n, 1)});
  std::string text;
  for (std::size_t k = 0; k < table.words.size(); ++k) {
    if (static_cast<std::int32_t>(k) == table.n_loads) text += "> ";
    text += std::to_string(table.words[k].bytes) + ' ';
  }
  return text;
}

TEST(Words, neighbours_in_an_aligned_word_are_one_access) {
  const char* four = "x:f4 y:f4 z:f4 p:f4";
  EXPECT_EQ(words_of(four, "(x y z p)", {"x", "y", "z"}, {"p"}), "16 > 4 ");
  EXPECT_EQ(words_of(four, "(x y z p)", {"x", "y"}, {"z", "p"}), "8 > 8 ");
  EXPECT_EQ(words_of(four, "(x y z p)", {"y", "z"}, {"y", "z"}), "16 > 4 4 ");  // a store must leave x and p
  EXPECT_EQ(words_of(four, "(x y z p)", {}, {"p", "x", "z", "y"}), "> 16 ");
  EXPECT_EQ(words_of(four, "x|y|z|p", {"x", "y", "z"}, {"p"}), "4 4 4 > 4 ");
  EXPECT_EQ(words_of(four, "(x y)@8|(z p)@8", {"x", "y", "z"}, {"p"}), "8 4 > 4 ");
  EXPECT_EQ(words_of("x:f4 y:f4 z:f4", "(x y z)", {"x", "y", "z"}, {"z"}), "4 4 4 > 4 ");
  EXPECT_EQ(words_of("x:f4 y:f4 z:f4", "(x y z)@16", {"x", "y", "z"}, {"x", "y", "z"}), "16 > 16 ");  // padding may be written
  EXPECT_EQ(words_of("x:f4 y:f4 z:f4", "(x y z)@16", {"z"}, {"z"}), "4 > 8 ");
  EXPECT_EQ(words_of("x:f8 y:f8 z:f8", "(x y z)@16", {"x", "y", "z"}, {}), "16 8 ");
  EXPECT_EQ(words_of("a:u1 b:u1 c:u1 d:u1", "(a b c d)", {"b"}, {"c", "d"}), "1 > 2 ");
  EXPECT_EQ(words_of("a:u1 b:f8", "(a b)", {"b"}, {"b"}), "1 1 1 1 1 1 1 1 > 1 1 1 1 1 1 1 1 ");  // nine bytes a record
}

TEST(Words, fields_of_blocks_have_words_of_their_own) {
  EXPECT_EQ(words_of("x:f4 y:f4", "(x y)*8", {"x", "y"}, {"x"}), "4 4 > 4 ");
  EXPECT_EQ(words_of("x:f8 y:c16", "(x y)*8", {"x", "y"}, {}), "8 16 ");
  EXPECT_EQ(words_of("x:u1 y:f8", "(x y)*8", {"y"}, {}), "8 ");
  EXPECT_EQ(words_of("x:u1 y:f8", "(x y)*8", {"y"}, {}, 67), "1 1 1 1 1 1 1 1 ");  // the last block has 3 records: y begins at byte 3 of it
  EXPECT_EQ(words_of("v:f4[3] w:f4", "(v w)*4", {"v"}, {"v"}), "4 4 4 > 4 4 4 ");
}

}  // namespace
}  // namespace crinkle::testing::pass_test
