// What the benchmarks rest on: case files mean what they say, the walk finds a single wrong byte wherever it is, every kind of case runs
// and is told right from wrong, and the statistics are those of the samples.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/timing.hpp"
#include "crinkle/crinkle.hpp"
#include "harness/buffers.hpp"
#include "harness/effort.hpp"
#include "harness/random.hpp"
#include "harness/walk.hpp"
#include "move/reference.hpp"
#include "suites/cases.hpp"
#include "suites/operation.hpp"

namespace crinkle::bench::suites_test {
namespace {

std::vector<std::byte> random_bytes(std::int64_t n, std::uint64_t seed) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(n));
  for (std::byte& b : bytes) b = static_cast<std::byte>(next_random(seed));
  return bytes;
}

SpecMap plainly_parsed(const Case& c) { return {parse(c.words.at(0), Layout::dense(c.extents, c.element_bytes)), c.element_bytes}; }

std::string complaint_about(const std::string& text) {
  try {
    (void)parse_cases(text, "file");
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::bad_file) << text;
    return e.what();
  }
  ADD_FAILURE() << text << " was taken";
  return {};
}

TEST(CaseFile, a_permutation_is_listed_fastest_first) {
  const Case c = parse_cases("# head\n\nname 4 3 1 2 0 7 5 3\n", "file").at(0);
  EXPECT_EQ(c.name, "name");
  EXPECT_EQ(c.place, "file:3");
  EXPECT_EQ(c.element_bytes, 4);
  EXPECT_EQ(c.extents, (Extents{3, 5, 7}));
  // Destination fastest first: source axes 1, 2, 0 of extents 5, 3, 7; slowest first 7, 3, 5, which are NumPy's axes 2, 0, 1.
  EXPECT_EQ(c.order, (std::vector<std::int64_t>{2, 0, 1}));
  EXPECT_EQ(permute(Layout::dense(c.extents, 4), c.order).destination().extents, (Extents{7, 3, 5}));
}

TEST(CaseFile, other_operations_are_listed_slowest_first) {
  const std::vector<Case> cases = parse_cases(
      "a 4 spec 'y x -> x y' 3 5 --roll x=1 --flip \"y\"\r\nb 2 planes 100\nc 2 from-planes 100\nd 8 gather random 1 3 5\ne 8 scatter "
      "sorted 0 9",
      "f");
  ASSERT_EQ(cases.size(), 5U);
  EXPECT_EQ(cases[0].words, (std::vector<std::string>{"y x -> x y", "--roll", "x=1", "--flip", "y"}));
  EXPECT_EQ(cases[0].extents, (Extents{3, 5}));
  EXPECT_EQ(cases[1].kind, Case::Kind::planes);
  EXPECT_EQ(cases[2].kind, Case::Kind::from_planes);
  EXPECT_EQ(cases[3].axis, 1);
  EXPECT_EQ(cases[3].index_order, IndexOrder::random);
  EXPECT_EQ(cases[4].kind, Case::Kind::scatter);
  EXPECT_EQ(cases[4].index_order, IndexOrder::sorted);
}

TEST(CaseFile, a_wrong_line_is_named_with_what_was_expected) {
  const std::pair<const char*, const char*> wrong[] = {
      {"name", "element's bytes"},
      {"name 0 1 0 5", "1 to 1048576"},
      {"name x 1 0 5", "'x'"},
      {"name 4", "a rank"},
      {"name 4 turn 5", "found 'turn'"},
      {"name 4 2 0 0 5 5", "once"},
      {"name 4 2 0 2 5 5", "0 to 1"},
      {"name 4 2 0 1 5", "2 axes"},
      {"name 4 2 0 1 5 5 5", "found '5'"},
      {"name 4 1 0 0", "1 or more"},
      {"name 4 spec", "between quotes"},
      {"name 4 spec 'x -> x' --flip x", "an extent"},
      {"name 4 spec 'x -> x 5", "'"},
      {"name 4 planes", "number of elements"},
      {"name 4 planes 5 5", "end of the line"},
      {"name 4 gather 0 5", "sorted"},
      {"name 4 gather sorted 1 5", "rank"},
      {"name 4 scatter random 0 5 x", "found 'x'"},
      {"name 4 49 0", "1 to 48"},
      {"name 4 1 0 99999999999999999999", "extent"},
      {"name 8 2 0 1 4611686018427387904 4", "63 bits"},
  };
  for (const auto& [line, says] : wrong) {
    const std::string text = complaint_about(std::string("# one\n") + line + "\n");
    EXPECT_TRUE(text.starts_with("file:2: ")) << text;
    EXPECT_NE(text.find(says), std::string::npos) << text;
  }
}

TEST(CaseFile, halving_takes_the_longest_extent) {
  std::optional<Case> c = parse_cases("a 4 2 0 1 5 2", "f").at(0);
  std::vector<Extents> seen;
  for (; c; c = halved(*c)) seen.push_back(c->extents);
  EXPECT_EQ(seen, (std::vector<Extents>{{2, 5}, {2, 2}, {1, 2}, {1, 1}}));
  c = halved(parse_cases("a 1 spec 'n -> n' 4 6 --unshuffle u4", "f").at(0));
  EXPECT_EQ(c->extents, (Extents{4, 3}));
  EXPECT_EQ(c->scaled_by, 2);
}

TEST(Walk, finds_the_first_wrong_byte_and_only_wrong_ones) {
  const auto executor = make_executor(2);
  for (const std::int64_t e : {1, 2, 3, 4, 8, 12, 16}) {
    for (const std::vector<std::int64_t>& order : {std::vector<std::int64_t>{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {0, 2, 1}}) {
      const Extents extents = {5, 37, 34};
      const Layout source = Layout::dense(extents, e);
      const std::int64_t n = source.n_bytes();
      const std::vector<std::byte> src = random_bytes(n, 7);
      std::vector<std::byte> dst(src.size());
      const std::byte* from = src.data();
      std::byte* to = dst.data();
      run_reference(permute(source, order).boxes(), {&from, 1}, {&to, 1});
      const Boxes boxes = {permuted_box(extents.data(), order.data(), 3, e)};
      ASSERT_EQ(bytes_written(boxes), n);
      ASSERT_EQ(first_wrong_byte(boxes, from, to, *executor), -1) << e << "-byte elements";
      for (const std::int64_t at : {std::int64_t{0}, n / 3, n - 1}) {
        const std::byte kept = dst[static_cast<std::size_t>(at)];
        dst[static_cast<std::size_t>(at)] ^= std::byte{0x10};
        const std::int64_t unit = boxes[0].unit;
        ASSERT_EQ(first_wrong_byte(boxes, from, to, *executor), at / unit * unit) << e << "-byte elements";
        dst[static_cast<std::size_t>(at)] = kept;
      }
    }
  }
}

TEST(Walk, knows_fills_and_backward_axes) {
  const Layout source = Layout::dense({6, 70}, 4);
  const std::vector<std::byte> value = random_bytes(4, 3), src = random_bytes(source.n_bytes(), 5);
  const Boxes boxes = parse("y x -> x y", source).flip("x").pad("y", 2, 1, PadMode::constant, value).roll("x", 3).boxes();
  std::vector<std::byte> dst(static_cast<std::size_t>(9 * 70 * 4));
  const std::byte* from = src.data();
  std::byte* to = dst.data();
  run_reference(boxes, {&from, 1}, {&to, 1});
  ASSERT_EQ(bytes_written(boxes), std::ssize(dst));
  for (std::size_t at = 0; at < dst.size(); at += 97) {
    EXPECT_EQ(first_wrong_byte(boxes, from, to, default_executor()), -1);
    dst[at] ^= std::byte{1};
    EXPECT_EQ(first_wrong_byte(boxes, from, to, default_executor()), static_cast<std::int64_t>(at / 4 * 4));
    dst[at] ^= std::byte{1};
  }
}

TEST(Operation, of_every_kind_runs_and_is_told_right_from_wrong) {
  const auto site = cpu_site(make_executor(2));
  const std::string text =
      "a 3 3 2 0 1 4 5 6\nlarge 1 2 1 0 2100 2050\nb 4 spec '(y 2) x -> 2 x y' 6 7\nc 2 planes 1001\nd 4 from-planes 77\n"
      "e 4 gather random 0 99\nf 8 gather sorted 1 3 20 2\ng 2 scatter random 1 4 33\nh 1 scatter sorted 0 50\n";
  for (const Case& c : parse_cases(text, "f")) {
    const Operation op = make_operation(c, plainly_parsed, 11, *site);
    const ArrayBytes bytes = array_bytes_of(c, plainly_parsed);
    ASSERT_EQ(op.bytes.source, bytes.source) << c.name;
    ASSERT_EQ(op.bytes.destination, bytes.destination) << c.name;
    EXPECT_EQ(op.checked, c.name == "large" ? "walk" : c.kind > Case::Kind::spec ? "loop" : "reference");
    site->reserve(bytes);
    site->fill(bytes.source, 13);
    site->poison(bytes.destination);
    op.run(site->source(), site->destination());
    ASSERT_EQ(first_wrong(op, *site), -1) << c.name;
    site->destination()[bytes.destination / 2] ^= std::byte{4};
    EXPECT_GE(first_wrong(op, *site), 0) << c.name;
    site->destination()[bytes.destination / 2] ^= std::byte{4};
    ASSERT_EQ(op.loop != nullptr, c.kind == Case::Kind::gather || c.kind == Case::Kind::scatter) << c.name;
    if (op.loop) {
      const std::vector<std::byte> moved = site->on_host(site->destination(), bytes.destination);
      site->poison(bytes.destination);
      op.loop(site->source(), site->destination());
      EXPECT_EQ(site->on_host(site->destination(), bytes.destination), moved) << c.name;
    }
  }
}

TEST(Region, begins_behind_a_page_where_that_is_asked_for) {
  constexpr std::int64_t n = 5000;
  for (const std::int64_t behind : {std::int64_t{0}, std::int64_t{16}, Region::page_bytes / 2 - 1}) {
    Region region(n, default_executor(), behind);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(region.data()) % Region::page_bytes, static_cast<std::uintptr_t>(behind));
    region.fill_random(n, 1, default_executor());
    EXPECT_TRUE(region.is_guard_whole(n));
  }
}

TEST(Region, guards_both_sides_and_fills_by_seed) {
  const std::int64_t n = (2 << 20) + 13;
  Region a(n, default_executor()), b(n, default_executor());
  a.fill_random(n, 1, default_executor());
  b.fill_random(n, 1, default_executor());
  EXPECT_TRUE(std::equal(a.data(), a.data() + n, b.data()));
  b.fill_random(n, 2, default_executor());
  EXPECT_FALSE(std::equal(a.data(), a.data() + n, b.data()));
  b.poison(1000, default_executor());
  EXPECT_TRUE(b.is_guard_whole(1000));
  for (const std::int64_t at : {-1, -4096, 1000, 1000 + 4095}) {
    b.poison(1000, default_executor());
    b.data()[at] = std::byte{0};
    EXPECT_FALSE(b.is_guard_whole(1000)) << at;
  }
}

TEST(Turns, everyone_gets_as_many_and_begins_in_turn) {
  std::vector<std::string> log;
  const auto slow = [&](const char* name) {
    return [&log, name] {
      log.emplace_back(name);
      const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
      while (std::chrono::steady_clock::now() < end) continue;
    };
  };
  std::vector<Contender> contenders = {{"a", slow("a")}, {"b", slow("b")}};
  take_turns(contenders, 9, 0.0);  // the time is over at once: seven rounds all the same
  EXPECT_EQ(log, (std::vector<std::string>{"a", "b", "a", "b", "b", "a", "a", "b", "b", "a", "a", "b", "b", "a", "a", "b"}));
  for (const Contender& c : contenders) {
    EXPECT_EQ(c.seconds.size(), 7U);
    EXPECT_EQ(c.repeats, 1);
    EXPECT_GE(quantile(c.seconds, 0), 0.001);
  }
  log.clear();
  std::vector<Contender> warmed = {{"a", slow("a")}};
  warmed[0].is_warmed = true;
  take_turns(warmed, 7, 0.0);
  EXPECT_EQ(log.size(), 16U) << "each sample begins with a run that is not timed";
  std::vector<Contender> quick = {{"nothing", [] {}}};
  take_turns(quick, 8, 100);
  EXPECT_EQ(quick[0].seconds.size(), 8U);
  EXPECT_GT(quick[0].repeats, 100);
}

TEST(Turns, a_clock_of_ones_own_is_believed) {
  int n_runs = 0, n_asked = 0;
  const Clock clock = [&](const std::function<void()>& work) {
    const int before = n_runs;
    work();
    return (n_runs - before) * (++n_asked <= 2 ? 60e-6 : 70e-6);
  };
  std::vector<Contender> one = {{"one", [&] { ++n_runs; }}};
  one[0].clock = clock;
  take_turns(one, 7, 100);
  EXPECT_EQ(one[0].repeats, 4) << "60 µs each: so many take 200 µs";
  EXPECT_EQ(n_runs, 2 + 7 * 4);
  for (const double s : one[0].seconds) EXPECT_DOUBLE_EQ(s, 70e-6);
}

TEST(Turns, of_long_rounds_three_are_enough) {
  std::vector<Contender> two(2, {"slow", [] {}});
  for (Contender& c : two) {
    c.clock = [](const std::function<void()>&) { return 0.6 * long_round_seconds; };
  }
  take_turns(two, 9, 0.0);
  for (const Contender& c : two) EXPECT_EQ(c.seconds.size(), std::size_t{few_samples});
}

TEST(Turns, cold_runs_come_one_by_one_behind_the_hot_ones) {
  int n_emptied = 0, n_since = 0, n_runs = 0;
  const Clock cold = [&](const std::function<void()>& work) {
    ++n_emptied;
    n_since = 0;
    work();
    EXPECT_EQ(n_since, 1) << "what a second run would find is not cold";
    return 5e-6;
  };
  const auto run = [&] { ++n_since, ++n_runs; };
  std::vector<Contender> contenders = {{"a", run}, {"b", run}};
  take_hot_and_cold(contenders, {.n_samples = 9, .has_cold = false}, cold);
  EXPECT_EQ(n_emptied, 0);
  EXPECT_TRUE(contenders[0].cold_seconds.empty());
  EXPECT_GT(n_runs, 2 * 100) << "hot runs are repeated";
  for (Contender& c : contenders) c.seconds.clear();
  take_hot_and_cold(contenders, {.n_samples = 9}, cold);
  EXPECT_EQ(n_emptied, 2 * (1 + least_samples)) << "the first is not counted";
  for (const Contender& c : contenders) {
    EXPECT_EQ(c.seconds.size(), 9U);
    EXPECT_EQ(c.cold_seconds, std::vector<double>(least_samples, 5e-6));
  }
  std::vector<Contender> some = {{"a", run}, {.name = "hot alone", .run = run, .has_cold = false}, {"b", run}};
  n_emptied = 0;
  take_hot_and_cold(some, {}, cold);
  EXPECT_EQ(n_emptied, 2 * (1 + least_samples));
  EXPECT_TRUE(some[1].cold_seconds.empty());
  EXPECT_EQ(some[2].cold_seconds.size(), std::size_t{least_samples});
}

TEST(Turns, an_evictor_s_clock_runs_the_work_once) {
  Evictor evictor(default_executor());
  int n_runs = 0;
  EXPECT_GT(evictor.clock()([&] { ++n_runs; }), 0);
  EXPECT_EQ(n_runs, 1);
  const std::uint64_t sum = evictor.run();
  EXPECT_GE(sum, 0xA5U * (64 << 20) / 64) << "one of each line";
  EXPECT_EQ(evictor.run(), sum);
  EXPECT_EQ(Evictor::bytes_for(1 << 20), 64 << 20);
  EXPECT_EQ(Evictor::bytes_for(100 << 20), 200 << 20);
  EXPECT_EQ(Evictor::bytes_for(std::int64_t{1} << 40), 512 << 20);
  for (const std::int64_t unknown : {-1, 0}) EXPECT_EQ(Evictor::bytes_for(unknown), 512 << 20);
}

TEST(Turns, quantiles_are_between_samples) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(interquartile_range({1, 2, 3, 4, 5}), 2);
  EXPECT_EQ(quantile({7}, 0.9), 7);
}

}  // namespace
}  // namespace crinkle::bench::suites_test
