// Kernels compiled at run time, on a GPU: loaded, run, captured, shared by plans, and unloaded with the last one while they still run.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>

#include "cuda/compiled_kernel.hpp"
#include "cuda/runtime.hpp"
#include "graph.hpp"

namespace crinkle::testing::compiled_kernel_test {
namespace {

struct CompiledOnGpu : CompiledKernel {
  static constexpr std::int64_t n = 1000, bytes = n * 4;
  std::vector<float> in = std::vector<float>(n);

  void SetUp() override {
    if (count_cuda_devices() == 0) GTEST_SKIP() << "no GPU on this machine";
    CompiledKernel::SetUp();
    std::iota(in.begin(), in.end(), 1.0f);
  }
  // As scaling() has it.
  static void give(const gpu::Kernel& kernel, const DeviceMemory& from, const DeviceMemory& to, const Stream& stream) {
    void *in_at = from.data(), *out_at = to.data();
    std::int64_t count = n;
    void* arguments[] = {&in_at, &out_at, &count};
    gpu::launch(kernel.get(), {(n + 255) / 256, 256, 0}, arguments, stream.get(), "a test");
  }
  void expect_scaled(int factor, const DeviceMemory& to) const {
    std::vector<float> have(n);
    copy_bytes(to, {have.data(), bytes});
    for (std::int64_t i = 0; i < n; ++i)
      ASSERT_EQ(have[static_cast<std::size_t>(i)], static_cast<float>(factor) * static_cast<float>(i + 1) + static_cast<float>(i)) << i;
  }
};

TEST_F(CompiledOnGpu, runs_on_streams_and_in_graphs_from_compiler_and_folder) {
  const DeviceMemory from(cuda(), bytes), to(cuda(), bytes);
  copy_bytes({in.data(), bytes}, from);
  const Stream stream(cuda());
  for (const KernelEffort effort : {KernelEffort::compiled, KernelEffort::kept}) {
    options.effort = effort;
    const auto kernel = gpu::compiled(scaling(3), cuda(), {}, options);
    ASSERT_TRUE(kernel) << (notes.empty() ? "" : notes.back());
    EXPECT_EQ(kernel->name(), scaling(3).name);
    EXPECT_GT(kernel->facts().registers, 0);
    EXPECT_EQ(kernel->facts().local_bytes, 0);
    give(*kernel, from, to, stream);
    stream.synchronize();
    expect_scaled(3, to);
    gpu::clear(to, nullptr);
    const Graph graph(stream, [&] { give(*kernel, from, to, stream); });
    graph.run();
    expect_scaled(3, to);
  }
  EXPECT_EQ(notes, std::vector<std::string>());
}

TEST_F(CompiledOnGpu, is_one_for_all_who_want_it_at_once) {
  const auto a = gpu::compiled(scaling(4), cuda(), {}, options), b = gpu::compiled(scaling(4), cuda(), {}, options);
  const auto other = gpu::compiled(scaling(5), cuda(), {}, options);
  ASSERT_TRUE(a && b && other);
  EXPECT_EQ(a->get(), b->get());
  EXPECT_NE(a->get(), other->get());
}

TEST_F(CompiledOnGpu, comes_to_its_end_though_its_owner_is_gone) {
  const gpu::KernelSource slow{"a slow test",
                               "extern \"C\" __global__ void kernel(long cycles, int* done) {\n"
                               "  const long begin = clock64();\n  while (clock64() - begin < cycles) {}\n  *done = 42;\n}\n"};
  const DeviceMemory done(cuda(), 4);
  gpu::clear(done, nullptr);
  const Stream stream(cuda());
  Stream().synchronize();
  {
    const auto kernel = gpu::compiled(slow, cuda(), {}, options);
    ASSERT_TRUE(kernel);
    std::int64_t cycles = 200'000'000;  // a tenth of a second
    void* at = done.data();
    void* arguments[] = {&cycles, &at};
    gpu::launch(kernel->get(), {1, 1, 0}, arguments, stream.get(), "a test");
  }
  stream.synchronize();
  int result = 0;
  copy_bytes(done, {&result, 4});
  EXPECT_EQ(result, 42);
}

TEST_F(CompiledOnGpu, may_have_the_shared_memory_of_a_block) {
  const gpu::KernelSource source{
      "a test of shared memory",
      "extern \"C\" __global__ void kernel(int* out) {\n  extern __shared__ int cells[];\n"
      "  cells[40000 + threadIdx.x] = threadIdx.x;\n  __syncthreads();\n  out[threadIdx.x] = cells[40031 - threadIdx.x];\n}\n"};
  const auto kernel = gpu::compiled(source, cuda(), {}, options);
  ASSERT_TRUE(kernel);
  if (facts_of(cuda()).shared_bytes_block < 40032 * 4 + 1024) GTEST_SKIP() << "less shared memory than this asks for";
  gpu::allow_shared_bytes(kernel->get(), 40032 * 4, 0);
  const DeviceMemory out(cuda(), 128);
  void* at = out.data();
  void* arguments[] = {&at};
  gpu::launch(kernel->get(), {1, 32, 40032 * 4}, arguments, nullptr, "a test");
  std::vector<int> have(32);
  copy_bytes(out, {have.data(), 128});
  for (int i = 0; i < 32; ++i) EXPECT_EQ(have[static_cast<std::size_t>(i)], 31 - i);
}

TEST_F(CompiledOnGpu, that_cannot_be_loaded_is_none) {
  gpu::KernelSource misnamed = scaling(6);
  misnamed.function = "elsewhere";
  EXPECT_FALSE(gpu::compiled(misnamed, cuda(), {}, options));
  ASSERT_EQ(notes.size(), 1u);
  const auto good = gpu::compiled(scaling(6), cuda(), {}, options);
  ASSERT_TRUE(good);
  const DeviceMemory from(cuda(), bytes), to(cuda(), bytes);
  copy_bytes({in.data(), bytes}, from);
  give(*good, from, to, Stream());
  expect_scaled(6, to);
}

}  // namespace
}  // namespace crinkle::testing::compiled_kernel_test
