// Measured plans move the same bytes whatever was chosen, keep what they chose in a file, and leave foreign files alone. Which of two ways
// is faster is judged on times that are given here; no test judges a clock.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include "api/tuning_file.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "crinkle/plan.hpp"
#include "crinkle/record_layout.hpp"
#include "support/threads.hpp"

namespace crinkle::measure_test {
namespace {

namespace fs = std::filesystem;

struct MeasuredPlan : ::testing::Test {
  fs::path folder = fs::temp_directory_path() / ("crinkle_measure_" + std::to_string(::getpid()));
  std::string file = (folder / "plans.json").string();
  std::vector<std::string> notes;
  Threads one{1}, two{2};
  MeasureOptions options;

  MeasuredPlan() {
    fs::create_directories(folder);
    options.cache_file = file;
    options.most_seconds = 0;  // no rounds but the necessary ones
    options.note = [this](const std::string& text) { notes.push_back(text); };
  }
  ~MeasuredPlan() override { fs::remove_all(folder); }

  std::string text() const {
    std::ostringstream all;
    all << std::ifstream(file).rdbuf();
    return all.str();
  }
  void write(const std::string& content) const { std::ofstream(file) << content; }
  void replace_all(const std::string& from, const std::string& to) const {
    std::string content = text();
    ASSERT_NE(content.find(from), std::string::npos) << content;
    for (std::size_t at = 0; (at = content.find(from, at)) != std::string::npos; at += to.size()) content.replace(at, from.size(), to);
    write(content);
  }
  std::size_t n_entries() const {
    const std::string content = text(), word = "\"step\"";
    std::size_t n = 0;
    for (std::size_t at = 0; (at = content.find(word, at)) != std::string::npos; at += word.size()) ++n;
    return n;
  }
  void expect_bad_file(const Rearrangement& r, const std::string& says) {
    const std::string before = fs::is_regular_file(file) ? text() : "";
    try {
      (void)measured_plan(r, two, options);
      FAIL() << "not refused: " << before;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::bad_file);
      EXPECT_NE(std::string(e.what()).find(file), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what();
    }
    if (!before.empty()) { EXPECT_EQ(text(), before); }
  }
};

// Two workers by name; counts how often they are asked for.
struct Counting final : Executor {
  int n_runs = 0;
  void parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) override {
    ++n_runs;
    for (std::int64_t c = 0; c < n_chunks; ++c) body(c);
  }
  int n_workers() const noexcept override { return 2; }
};

Rearrangement transposed() { return parse("y x -> x y", Layout::dense({33, 65}, 4)); }

std::vector<std::byte> result_of(const Plan& plan, const Rearrangement& r, Executor& executor) {
  std::vector<std::byte> src(static_cast<std::size_t>(r.source_spans()[0].last));
  std::vector<std::byte> dst(static_cast<std::size_t>(r.destination_spans()[0].last));
  for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<std::byte>(i * 37 + i / 256);
  const ConstBuffer from{src.data(), std::ssize(src)};
  const Buffer to{dst.data(), std::ssize(dst)};
  plan.run({&from, 1}, {&to, 1}, executor);
  return dst;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(MeasuredPlan, moves_the_same_bytes_and_is_found_again) {
  const std::vector<Rearrangement> all = {transposed(), parse("z y (x 2) -> 2 z y x", Layout::dense({5, 6, 8}, 3)).flip("y").pad("x", 1, 2),
                                          Rearrangement(Layout::dense({40, 9}, 2)).take("@0", std::vector<std::int64_t>{7, 7, -1, 3}),
                                          parse("y x -> y x", Layout::dense({0, 5}, 4)), morton(Layout::dense({16, 16}, 1))};
  for (const Rearrangement& r : all) {
    const std::vector<std::byte> expected = result_of(Plan(r), r, two);
    const Plan first = measured_plan(r, two, options), second = measured_plan(r, two, options);
    EXPECT_TRUE(has(first.describe(), "as measured now: ")) << first.describe();
    EXPECT_TRUE(has(second.describe(), "as chosen before, from the cache file: ")) << second.describe();
    EXPECT_TRUE(has(second.describe_json(), "\"chosen\"")) << second.describe_json();
    EXPECT_EQ(result_of(first, r, two), expected);
    EXPECT_EQ(result_of(second, r, two), expected);
  }
  EXPECT_TRUE(notes.empty());
  EXPECT_FALSE(has(Plan(transposed()).describe_json(), "chosen"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1) << "no temporary file stays";
}

TEST_F(MeasuredPlan, of_several_steps_measures_each) {
  const Layout grid = Layout::dense({97, 89}, 2);
  std::vector<std::int64_t> indices;
  for (std::int64_t k = 0; k < 97; ++k) indices.push_back(k * k % 97);
  const Rearrangement turned = permute(grid, std::vector<std::int64_t>{1, 0});
  const Rearrangement r = turned.then(turned).then(Rearrangement(grid).take("@0", indices)).then(turned).then(byte_shuffle(grid));
  const std::size_t n_steps = r.steps().steps.size();
  ASSERT_GT(n_steps, 1u);
  const std::vector<std::byte> expected = result_of(Plan(r), r, two);
  EXPECT_EQ(result_of(measured_plan(r, two, options), r, two), expected);
  EXPECT_GE(n_entries(), 2u);
  EXPECT_LE(n_entries(), n_steps);
}

TEST_F(MeasuredPlan, of_records_is_found_by_their_layouts) {
  const Fields fields = parse_fields("a:u1 b:f8 c:f4");
  const RecordLayout records = RecordLayout::parse("(a b c)", fields);
  for (const char* to : {"a|b|c", "a|c|b", "b|a|c"}) {
    const Plan plan = measured_plan(convert_records(records, RecordLayout::parse(to, fields), 3000), two, options);
    EXPECT_TRUE(has(plan.describe(), "as measured now: ")) << plan.describe();
  }
  EXPECT_EQ(n_entries(), 3u);
}

TEST_F(MeasuredPlan, does_what_the_file_says) {
  const Rearrangement r = transposed();
  const std::vector<std::byte> expected = result_of(Plan(r), r, two);
  (void)measured_plan(r, two, options);
  simd::Habits own = simd::habits();
  own.reach = 0;  // of a move so small
  std::string habits;
  simd::for_each_habit(own, [&](const char* name, const auto& value) { habits += fmt::format(", \"{}\": {}", name, value); });
  std::string content = text();
  const std::size_t at = content.find("\"choice\":");
  content.replace(at, content.find('}', at) - at + 1, "\"choice\": {\"parted\": true, \"streamed\": true" + habits + ", \"gain\": 1.25}");
  write(content);
  const Plan plan = measured_plan(r, two, options);
  EXPECT_TRUE(has(plan.describe(), "from the cache file: on 2 threads, stored past the caches")) << plan.describe();
  EXPECT_TRUE(has(plan.describe(), "1.25 times as fast as the estimate")) << plan.describe();
  EXPECT_EQ(result_of(plan, r, two), expected);
  Counting counting;
  EXPECT_EQ(result_of(plan, r, counting), expected);
  EXPECT_EQ(counting.n_runs, 1) << "a move so small uses several threads only where the file says so";
  (void)result_of(Plan(r), r, counting);
  EXPECT_EQ(counting.n_runs, 1);

  // Another machine, another version, another number of threads, and a choice that is none: measured anew.
  EXPECT_TRUE(has(measured_plan(r, one, options).describe(), "as measured now"));
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"\"cpu\":\"", "\"cpu\":\"Other "},
                                 {"\"version\":\"", "\"version\":\"9"},
                                 {"\"parted\"", "\"torn\""}}) {
    replace_all(from, to);
    EXPECT_TRUE(has(measured_plan(r, two, options).describe(), "as measured now")) << from;
    EXPECT_TRUE(has(measured_plan(r, two, options).describe(), "from the cache file")) << from;
  }
}

TEST_F(MeasuredPlan, leaves_foreign_and_damaged_files_alone) {
  for (const std::string content : {"mine", "{\"mine\": 1}", "[1, 2]", "{\"crinkle_plans\": 1}", "{\"crinkle_plans\": 1, \"entries\": [3]}",
                                    "{\"crinkle_plans\": 1, \"entries\": [{\"step\": \"a\"", "\x93NUMPY"}) {
    write(content);
    expect_bad_file(transposed(), "remove it, or give another file");
  }
  fs::resize_file(file, 17 << 20);
  expect_bad_file(transposed(), "17825792 bytes");
  fs::remove(file);
  fs::create_directory(file);
  expect_bad_file(transposed(), "no regular file");
}

TEST_F(MeasuredPlan, replaces_an_empty_file_and_one_of_another_schema) {
  for (const std::string content : {"", "{\"crinkle_plans\": 2, \"entries\": 7}"}) {
    write(content);
    (void)measured_plan(transposed(), two, options);
    EXPECT_EQ(n_entries(), 1u) << content;
  }
}

TEST_F(MeasuredPlan, says_when_nothing_can_be_kept) {
  options.cache_file = (folder / "nowhere" / "plans.json").string();
  EXPECT_TRUE(has(measured_plan(transposed(), two, options).describe(), "as measured now"));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(has(notes[0], "nowhere/plans.json: what was measured could not be kept: No such file")) << notes[0];
  options.cache_file.clear();
  (void)measured_plan(transposed(), two, options);
  EXPECT_EQ(notes.size(), 1u);
}

TEST_F(MeasuredPlan, keeps_the_estimate_beyond_the_memory_it_may_use) {
  options.most_bytes = 2 * 33 * 65 * 4 - 1;
  const Rearrangement r = transposed();
  const Plan plan = measured_plan(r, two, options);
  EXPECT_TRUE(has(plan.describe(), "as estimated: to try it takes")) << plan.describe();
  EXPECT_EQ(result_of(plan, r, two), result_of(Plan(r), r, two));
  EXPECT_FALSE(fs::exists(file));
  const Rearrangement huge = parse("y x -> x y", Layout::dense({std::int64_t{1} << 40, 1 << 20}, 1));
  EXPECT_TRUE(has(measured_plan(huge, two, options).describe(), "as estimated"));
}

TEST_F(MeasuredPlan, may_be_made_by_several_threads_with_one_file) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      Threads own(1);
      for (int k = 0; k < 4; ++k) (void)measured_plan(parse("y x -> x y", Layout::dense({3 + 10 * t + k, 5}, 4)), own, options);
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_GE(n_entries(), 1u);
  EXPECT_TRUE(has(measured_plan(parse("y x -> x y", Layout::dense({99, 5}, 4)), one, options).describe(), "as measured now"));
  EXPECT_TRUE(notes.empty());
}

TEST_F(MeasuredPlan, drops_the_oldest_choices) {
  TuningFile cache(file);
  std::vector<std::pair<TunedFor, Tuning>> many;
  for (std::uint64_t k = 0; k < TuningFile::most_entries + 3; ++k) many.push_back({{k, 1}, {}});
  EXPECT_EQ(cache.add(many), "");
  EXPECT_EQ(n_entries(), TuningFile::most_entries);
  EXPECT_FALSE(cache.find({2, 1}, {Tuning{}}));
  EXPECT_TRUE(cache.find({3, 1}, {Tuning{}}));
  EXPECT_FALSE(cache.find({3, 2}, {Tuning{}}));
  EXPECT_EQ(cache.add({{{3, 1}, {}}}), "");
  EXPECT_EQ(n_entries(), TuningFile::most_entries) << "the same step once more is no new entry";
}

TEST(Tunings, keep_the_estimate_first_and_differ) {
  const auto step_of = [](std::int64_t n) {
    CpuStep step;
    step.n_bytes = n;
    return step;
  };
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1000}, std::int64_t{1} << 19, std::int64_t{3} << 20, std::int64_t{1} << 30}) {
    for (const int n_workers : {1, 2, 7}) {
      CpuStep step = step_of(n);
      step.limits.lone_streamed_bytes = 5 << 20;
      step.limits.parted_streamed_bytes = 6 << 20;
      const std::vector<Tuning> all = tunings_to_try(step, n_workers);
      EXPECT_EQ(all[0], tuning_of(step, n_workers));
      for (std::size_t k = 0; k < all.size(); ++k) {
        EXPECT_EQ(std::count(all.begin(), all.end(), all[k]), 1);
        EXPECT_FALSE(n_workers == 1 && all[k].is_parted);
        CpuStep tuned = step;
        tuned.limits = limits_of(step, all[k]);
        EXPECT_EQ(tuning_of(tuned, n_workers), all[k]) << n << " bytes, " << print(all[k], n_workers);
      }
    }
  }
  EXPECT_EQ(print({true, false, {}, 1}, 2).substr(0, 40), "on 2 threads, stored through the caches,");
  EXPECT_EQ(print({false, true, {}, 1}, 2).substr(0, 36), "on 1 thread, stored past the caches,");
}

TEST(Limits, say_when_a_move_is_parted_and_streamed) {
  CpuLimits limits;
  limits.parted_bytes = 100;
  limits.streamed_bytes = 50;
  EXPECT_TRUE(limits.is_parted(100, 2));
  EXPECT_FALSE(limits.is_parted(99, 2));
  EXPECT_FALSE(limits.is_parted(1000, 1));
  EXPECT_TRUE(limits.is_streamed(50, false));
  EXPECT_FALSE(limits.is_streamed(49, true));
  limits.lone_streamed_bytes = 70;
  limits.parted_streamed_bytes = 60;
  EXPECT_FALSE(limits.is_streamed(59, true));
  EXPECT_TRUE(limits.is_streamed(60, true));
  EXPECT_FALSE(limits.is_streamed(69, false));
  EXPECT_TRUE(limits.is_streamed(70, false));
}

TEST(Tunings, are_faster_by_more_than_noise_in_most_rounds) {
  const std::vector<double> estimate(9, 1.0);
  EXPECT_TRUE(is_faster(std::vector<double>(9, 0.9), estimate));
  EXPECT_FALSE(is_faster(std::vector<double>(9, 0.98), estimate)) << "within the noise";
  EXPECT_FALSE(is_faster({0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1, 1, 1}, estimate)) << "in six of nine rounds only";
  EXPECT_TRUE(is_faster({0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 2, 2}, estimate));
  EXPECT_FALSE(is_faster(estimate, estimate));
}

}  // namespace
}  // namespace crinkle::measure_test
