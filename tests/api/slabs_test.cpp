// run_in_slabs: what the chain is, with any workspace, threads and ends; what it refuses.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "crinkle/error.hpp"
#include "crinkle/plan.hpp"
#include "support/chains.hpp"

namespace crinkle::slabs_test {
namespace {

// The caller's own executor, one chunk after the other.
class InTurn final : public Executor {
 public:
  void parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) override {
    for (std::int64_t c = n_chunks; c-- > 0;) body(c);
  }
  int n_workers() const noexcept override { return 3; }
};

ErrorCode code_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) { return e.code(); }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::device;
}

TEST(RunInSlabs, is_the_chain_for_any_workspace_and_ends) {
  EXPECT_TRUE(check_many("run in slabs", 150, [] {
    const PassChain chain = any_chain(pick(1, 3));
    const Rearrangement all = chain.together();
    const Bytes source = noise_for(chain.passes.front().source()), expected = chain.one_by_one(source);
    Bytes result(expected.size(), poison);
    SlabOptions options;
    options.workspace_bytes = std::max<std::int64_t>(64, std::max(all.steps().workspace_bytes, std::ssize(result)) / pick(1, 8));
    std::int64_t n_moved = 0, n_taken = 0;
    options.moved = [&](std::int64_t n) { n_moved += n; };
    const ConstBuffer from{source.data(), std::ssize(source)};
    const Buffer to{result.data(), std::ssize(result)};
    const bool is_read = chance(3), is_taken = chance(3);
    if (is_read) {
      options.read = [&](std::int64_t first, std::span<std::byte> slab) { std::copy_n(source.begin() + first, slab.size(), slab.begin()); };
    }
    if (is_taken) {
      options.take = [&](std::int64_t first, std::span<const std::byte> slab) {
        std::copy(slab.begin(), slab.end(), result.begin() + first);
        n_taken += std::ssize(slab);
      };
    }
    InTurn executor;
    run_in_slabs(all, {&from, is_read ? 0U : 1U}, {&to, is_taken ? 0U : 1U}, executor, options);
    RC_ASSERT(result == expected);
    RC_ASSERT((is_taken ? n_taken : n_moved) == std::ssize(result));
  }));
}

TEST(RunInSlabs, takes_several_buffers_at_the_ends) {
  const Layout each = Layout::dense({40, 3}, 2);
  oracle::Indices indices;
  for (std::int64_t k = 0; k < 200; ++k) indices.push_back(k * k % 97 % 40);
  const Rearrangement mixed = interlace(each, 3);
  const Rearrangement r = mixed.then(Rearrangement(mixed.destination()).take("@0", indices));
  ASSERT_EQ(r.steps().steps.size(), 2U);
  std::vector<Bytes> sources;
  std::vector<ConstBuffer> from;
  std::vector<const std::byte*> src;
  for (std::uint64_t k = 0; k < 3; ++k) sources.push_back(noise(each.n_bytes(), k + 1));
  for (const Bytes& s : sources) from.push_back({s.data(), std::ssize(s)}), src.push_back(s.data());
  Bytes expected(static_cast<std::size_t>(r.destination().n_bytes())), result = expected;
  Bytes workspace(static_cast<std::size_t>(r.steps().workspace_bytes));
  std::byte* out = expected.data();
  run_reference(r.steps(), src, {&out, 1}, workspace.data());
  const Buffer to{result.data(), std::ssize(result)};
  SlabOptions options;
  options.workspace_bytes = 100;
  run_in_slabs(r, from, {&to, 1}, default_executor(), options);
  EXPECT_EQ(result, expected);
  options.read = [](std::int64_t, std::span<std::byte>) {};
  EXPECT_EQ(code_of([&] { run_in_slabs(r, {}, {&to, 1}, default_executor(), options); }), ErrorCode::bad_shape);
}

TEST(RunInSlabs, refuses_buffers_that_are_too_few_too_small_or_shared) {
  const Rearrangement r(Layout::dense({16}, 4));
  Bytes memory(256);
  const auto run = [&](ConstBuffer src, Buffer dst) { return code_of([&] { run_in_slabs(r, {&src, 1}, {&dst, 1}, default_executor()); }); };
  EXPECT_EQ(run({memory.data(), 63}, {memory.data() + 128, 64}), ErrorCode::bad_shape);
  EXPECT_EQ(run({memory.data(), 64}, {memory.data() + 128, 63}), ErrorCode::bad_shape);
  EXPECT_EQ(run({memory.data(), 64}, {memory.data() + 63, 64}), ErrorCode::overlap);
  EXPECT_EQ(code_of([&] { run_in_slabs(r, {}, {}, default_executor()); }), ErrorCode::bad_shape);
}

}  // namespace
}  // namespace crinkle::slabs_test
