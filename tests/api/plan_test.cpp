// Plan: what it refuses, what it runs, with any number of threads; what planning costs in memory.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/plan.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <thread>

#include "crinkle/error.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "support/generators.hpp"
#include "support/threads.hpp"

namespace crinkle::plan_test {
namespace {

Bytes reference_of(const Rearrangement& r, const Bytes& source) {
  Bytes result(static_cast<std::size_t>(r.destination().n_bytes()), poison), workspace;
  const Steps steps = r.steps();
  workspace.resize(static_cast<std::size_t>(steps.workspace_bytes));
  const std::byte* in = source.data();
  std::byte* out = result.data();
  run_reference(steps, {&in, 1}, {&out, 1}, workspace.data());
  return result;
}

template <class F>
Error error_of(F&& f) {
  try {
    f();
  } catch (const Error& e) { return e; }
  ADD_FAILURE() << "nothing was thrown";
  return Error(ErrorCode::bad_shape, "");
}

TEST(Plan, runs_what_the_reference_defines_for_any_threads_and_alignment) {
  EXPECT_TRUE(rc::check("Plan::run", [] {
    const std::int64_t rank = pick(0, 4), e = any_element_bytes();
    const Extents extents = any_extents(rank, 400);
    std::vector<std::string> names;
    for (std::int64_t a = 0; a < rank; ++a) names.push_back("a" + std::to_string(a));
    Chain chain(Layout::dense(extents, e));
    for (std::int64_t k = pick(0, 4); k > 0 && rank > 0; --k) {
      const std::int64_t a = pick(0, rank - 1);
      chain.verb("@" + std::to_string(a), static_cast<std::size_t>(a), 2000);
    }
    const Bytes source = noise(chain.r.source().n_bytes(), 3);
    const auto shift = static_cast<std::size_t>(pick(0, 17));  // any alignment of the destination
    Bytes result(static_cast<std::size_t>(chain.r.destination().n_bytes()) + 64, poison);
    Threads threads(static_cast<int>(one_of<std::int64_t>({1, 2, 3, 7})));
    const ConstBuffer from{source.data(), static_cast<std::int64_t>(source.size())};
    const Buffer to{result.data() + shift, chain.r.destination().n_bytes()};
    Plan(chain.r).run({&from, 1}, {&to, 1}, threads);
    const Bytes expected = reference_of(chain.r, source);
    RC_ASSERT(std::equal(expected.begin(), expected.end(), result.begin() + static_cast<std::ptrdiff_t>(shift)));
    RC_ASSERT(result[shift + expected.size()] == poison);
    RC_ASSERT(source == noise(chain.r.source().n_bytes(), 3));
  }));
}

// Large enough to be cut into chunks: every thread count gives the same bytes.
TEST(Plan, gives_the_same_bytes_for_any_number_of_threads) {
  const Rearrangement r = parse("z y (x 2) -> 2 x y z", Layout::dense({31, 64, 514}, 4)).roll("y", 3).pad("z", 1, 2, PadMode::reflect);
  const Bytes source = noise(r.source().n_bytes(), 11), expected = reference_of(r, source);
  const ConstBuffer from{source.data(), static_cast<std::int64_t>(source.size())};
  for (const int n : {1, 2, 3, 7}) {
    Threads threads(n);
    const auto arena = make_executor(n);
    for (Executor* executor : {static_cast<Executor*>(&threads), arena.get()}) {
      Bytes result(expected.size(), poison);
      const Buffer to{result.data(), static_cast<std::int64_t>(result.size())};
      Plan(r).run({&from, 1}, {&to, 1}, *executor);
      EXPECT_EQ(result, expected) << n;
    }
  }
}

TEST(Plan, refuses_buffers_that_are_too_few_too_small_or_shared) {
  const Plan plan(permute(Layout::dense({4, 8}, 4), std::vector<std::int64_t>{1, 0}));
  Bytes memory(512);
  const auto run = [&](ConstBuffer src, Buffer dst) { return error_of([&] { plan.run(src, dst); }); };
  EXPECT_EQ(run({memory.data(), 127}, {memory.data() + 256, 128}).code(), ErrorCode::bad_shape);
  EXPECT_NE(std::string(run({memory.data(), 127}, {memory.data() + 256, 128}).what()).find("127"), std::string::npos);
  EXPECT_EQ(run({memory.data(), 128}, {memory.data() + 256, 100}).code(), ErrorCode::bad_shape);
  EXPECT_EQ(run({nullptr, 128}, {memory.data(), 128}).code(), ErrorCode::bad_shape);
  EXPECT_EQ(run({memory.data(), 128}, {memory.data() + 127, 128}).code(), ErrorCode::overlap);
  EXPECT_EQ(run({memory.data() + 100, 128}, {memory.data(), 128}).code(), ErrorCode::overlap);
  EXPECT_EQ(error_of([&] { plan.run({}, {}, default_executor()); }).code(), ErrorCode::bad_shape);
  EXPECT_NO_THROW(plan.run({memory.data(), 128}, {memory.data() + 128, 128}));
}

TEST(Plan, runs_two_steps_through_a_given_or_its_own_workspace) {
  Rearrangement r(Layout::dense(Extents(13, 3), 1));
  for (int a = 0; a < 13; ++a) r = r.roll("@" + std::to_string(a), 1);  // 2^13 boxes
  const Plan plan(r);
  Threads threads(3);
  ASSERT_GT(plan.workspace_bytes(), 0) << "this was meant to have more boxes than one step";
  const Bytes source = noise(r.source().n_bytes(), 2), expected = reference_of(r, source);
  const ConstBuffer from{source.data(), static_cast<std::int64_t>(source.size())};
  Bytes result(expected.size()), workspace(static_cast<std::size_t>(plan.workspace_bytes()));
  const Buffer to{result.data(), static_cast<std::int64_t>(result.size())};
  plan.run({&from, 1}, {&to, 1}, threads);
  EXPECT_EQ(result, expected);
  std::fill(result.begin(), result.end(), poison);
  plan.run({&from, 1}, {&to, 1}, threads, {workspace.data(), plan.workspace_bytes()});
  EXPECT_EQ(result, expected);
  EXPECT_EQ(error_of([&] { plan.run({&from, 1}, {&to, 1}, threads, {workspace.data(), plan.workspace_bytes() - 1}); }).code(),
            ErrorCode::bad_shape);
}

TEST(Plan, runs_three_and_more_steps_and_says_how_many_and_why) {
  const Layout grid = Layout::dense({197, 89}, 2);
  std::vector<std::int64_t> indices;
  for (std::int64_t k = 0; k < 197; ++k) indices.push_back(k * k % 197);
  const Rearrangement turned = permute(grid, std::vector<std::int64_t>{1, 0});
  Rearrangement r = turned.then(turned).then(Rearrangement(grid).take("@0", indices)).then(turned).then(byte_shuffle(grid));
  const std::size_t n_steps = r.steps().steps.size();
  ASSERT_GE(n_steps, 4U);
  const Bytes source = noise(r.source().n_bytes(), 2), expected = reference_of(r, source);
  const Plan plan(r);
  EXPECT_EQ(plan.workspace_bytes(), r.steps().workspace_bytes);
  Bytes result(expected.size(), poison);
  plan.run({source.data(), std::ssize(source)}, {result.data(), std::ssize(result)});
  EXPECT_EQ(result, expected);
  const std::string text = plan.describe();
  EXPECT_NE(text.find(std::to_string(n_steps) + " steps through a workspace of "), std::string::npos) << text;
  EXPECT_NE(text.find("more than 64"), std::string::npos) << text;
  EXPECT_NE(text.find("index array"), std::string::npos) << text;
  EXPECT_NE(plan.describe_json().find("\"why_several_steps\""), std::string::npos);
}

TEST(Plan, interlaces_buffers_at_unrelated_addresses) {
  const Layout each = Layout::dense({5, 7}, 3);
  const Plan in(interlace(each, 4)), out(deinterlace(Layout::dense({5, 7, 4}, 3)));
  std::vector<Bytes> arrays, back(4, Bytes(105));
  std::vector<ConstBuffer> from;
  std::vector<Buffer> to;
  for (std::uint64_t k = 0; k < 4; ++k) arrays.push_back(noise(105, k));
  for (int k = 0; k < 4; ++k) {
    from.push_back({arrays[static_cast<std::size_t>(k)].data(), 105});
    to.push_back({back[static_cast<std::size_t>(k)].data(), 105});
  }
  Bytes mixed(420);
  const Buffer all{mixed.data(), 420};
  in.run(from, {&all, 1}, default_executor());
  for (std::size_t i = 0; i < 35; ++i) {
    for (std::size_t k = 0; k < 4; ++k) ASSERT_TRUE(std::equal(&arrays[k][3 * i], &arrays[k][3 * i] + 3, &mixed[3 * (4 * i + k)]));
  }
  const ConstBuffer again{mixed.data(), 420};
  out.run({&again, 1}, to, default_executor());
  EXPECT_EQ(back, arrays);
  to[1] = to[0];
  EXPECT_EQ(error_of([&] { out.run({&again, 1}, to, default_executor()); }).code(), ErrorCode::overlap);
}

TEST(Plan, does_nothing_for_an_empty_array) {
  const Plan plan(Rearrangement(Layout::dense({3, 0, 5}, 4)).flip("@0"));
  EXPECT_NO_THROW(plan.run({nullptr, 0}, {nullptr, 0}));
  EXPECT_EQ(plan.bytes_moved(), 0);
}

TEST(Plan, for_a_machine_that_is_not_here_describes_but_does_not_run) {
  const Rearrangement r = parse("z y x -> x y z", Layout::dense({64, 32, 128}, 4));
  const Plan plan(r, "h200");
  EXPECT_NE(plan.describe().find("h200"), std::string::npos);
  EXPECT_NE(plan.describe_json().find("\"tile\""), std::string::npos);
  Bytes memory(2 << 20);
  EXPECT_EQ(error_of([&] { plan.run({memory.data(), 1 << 20}, {memory.data() + (1 << 20), 1 << 20}); }).code(), ErrorCode::device);
}

TEST(Device, of_cuda_is_refused_where_there_is_none) {
  if (count_cuda_devices() > 0) GTEST_SKIP() << "there is one";
  const ErrorCode code = error_of([] { cuda(0); }).code();  // of a build without CUDA, or of a machine without a GPU
  EXPECT_TRUE(code == ErrorCode::unsupported || code == ErrorCode::device);
  EXPECT_EQ(error_of([] { facts_of(Device{Device::Kind::cuda, 0}); }).code(), code);
  EXPECT_EQ(error_of([] { DeviceMemory(Device{Device::Kind::cuda, 0}, 5); }).code(), code);
}

TEST(Cache, gives_one_plan_for_equal_boxes_from_any_thread_and_stays_within_its_bytes) {
  set_plan_cache_limit(0);
  set_plan_cache_limit(2 << 20);
  std::vector<Boxes> lists;
  for (std::int64_t n = 1; n <= 40; ++n) lists.push_back(permute(Layout::dense({n, 3, 5}, 4), std::vector<std::int64_t>{2, 1, 0}).boxes());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int k = 0; k < 5; ++k) {
        for (const Boxes& boxes : lists) {
          if (cached_plan(boxes) == nullptr) std::abort();
        }
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(cached_plan(lists[0]), cached_plan(lists[0]));
  const CacheFacts facts = plan_cache_facts();
  EXPECT_EQ(facts.n_plans, 40);
  EXPECT_LE(facts.n_bytes, facts.limit_bytes);
  EXPECT_GE(facts.n_hits, 4 * 4 * 40) << "of the first round, too, unless two threads come at once";
  const auto kept = cached_plan(lists[1]);
  set_plan_cache_limit(facts.n_bytes / 4);
  EXPECT_LT(plan_cache_facts().n_plans, 12) << "the oldest go first";
  set_plan_cache_limit(0);
  EXPECT_EQ(plan_cache_facts().n_plans, 0);
  set_plan_cache_limit(1 << 20);
  const auto packed = cached_plan(permute(Layout::dense({4660, 16, 75}, 12), std::vector<std::int64_t>{0, 2, 1}).boxes());
  EXPECT_GT(packed->held_bytes(), 1000);
  EXPECT_GT(plan_cache_facts().n_bytes, packed->held_bytes());
  EXPECT_EQ(kept->bytes_moved(), 2 * 2 * 15 * 4) << "a plan outlives its place in the cache";
  set_plan_cache_limit(32 << 20);
}

}  // namespace
}  // namespace crinkle::plan_test
