// Plans for a GPU as a user meets them: streams, graphs, many buffers, and what is refused before anything is written.
// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>

#include "crinkle/operations.hpp"
#include "gpu/graph.hpp"
#include "gpu/on_gpu.hpp"

namespace crinkle::plan_test {
namespace {

using Gpu = testing::OnGpu;
using Bytes = std::vector<std::byte>;

Bytes random_bytes(std::int64_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Bytes bytes(static_cast<std::size_t>(n));
  for (std::byte& b : bytes) b = static_cast<std::byte>(random() >> 56);
  return bytes;
}

ConstBuffer in_view(const Bytes& b) { return {b.data(), std::ssize(b)}; }
Buffer view(Bytes& b) { return {b.data(), std::ssize(b)}; }

DeviceMemory on_device(const Bytes& bytes) {
  DeviceMemory memory(cuda(), std::ssize(bytes));
  copy_bytes(in_view(bytes), memory);
  return memory;
}
Bytes on_host(const DeviceMemory& memory) {
  Bytes bytes(static_cast<std::size_t>(memory.bytes()));
  copy_bytes(memory, view(bytes));
  return bytes;
}

ErrorCode code_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    EXPECT_FALSE(std::string(e.what()).empty());
    return e.code();
  }
  ADD_FAILURE() << "nothing was refused";
  return ErrorCode::bad_file;
}

Rearrangement example() { return parse("z y x -> x z y", Layout::dense({40, 50, 60}, 4)).flip("y").roll("x", 7); }

TEST_F(Gpu, plans_run_on_the_default_and_on_own_streams) {
  const Rearrangement r = example();
  const Bytes source = random_bytes(r.source().n_bytes(), 1);
  Bytes expected(static_cast<std::size_t>(r.destination().n_bytes()));
  Plan(r).run(in_view(source), view(expected));
  const DeviceMemory src = on_device(source), dst(cuda(), std::ssize(expected)), dst2(cuda(), std::ssize(expected));
  const Plan plan(r, cuda());
  plan.run(src, dst);
  const Stream stream(cuda());
  plan.run(src, dst2, stream);
  stream.synchronize();
  Stream().synchronize();
  EXPECT_EQ(on_host(dst), expected);
  EXPECT_EQ(on_host(dst2), expected);
  EXPECT_NE(plan.describe().find("tiles"), std::string::npos);
}

TEST_F(Gpu, copied_bytes_are_there_for_every_stream) {
  const Rearrangement r = example();
  const Plan plan(r, cuda()), on_cpu(r);
  const Stream stream(cuda());
  const DeviceMemory src(cuda(), r.source().n_bytes()), again(cuda(), r.source().n_bytes()), dst(cuda(), r.destination().n_bytes());
  for (std::uint64_t k = 0; k < 100; ++k) {
    const Bytes source = random_bytes(r.source().n_bytes(), k);
    copy_bytes(in_view(source), again);
    if (k % 2 == 0) copy_bytes(again, src);  // within the device
    else copy_bytes(in_view(source), src);
    plan.run(src, dst, stream);
    stream.synchronize();
    Bytes expected(static_cast<std::size_t>(r.destination().n_bytes()));
    on_cpu.run(in_view(source), view(expected));
    ASSERT_EQ(on_host(dst), expected) << k;
  }
}

TEST_F(Gpu, runs_are_captured_into_graphs) {
  const Rearrangement r = example();
  const Bytes first = random_bytes(r.source().n_bytes(), 2), second = random_bytes(r.source().n_bytes(), 3);
  const DeviceMemory src = on_device(first), dst(cuda(), r.destination().n_bytes());
  const Plan plan(r, cuda());
  const Stream stream(cuda());
  const testing::Graph graph(stream,
                             [&] { plan.run(src, dst, stream); });  // its first run: nothing may be asked of the pointers while capturing
  for (const Bytes& data : {first, second}) {
    copy_bytes(in_view(data), src);
    graph.run();
    Bytes expected(static_cast<std::size_t>(r.destination().n_bytes()));
    Plan(r).run(in_view(data), view(expected));
    EXPECT_EQ(on_host(dst), expected);
  }
}

TEST_F(Gpu, more_buffers_than_a_launch_carries) {
  for (const std::int64_t n : {3, 8, 9, 500, 1200}) {
    const Rearrangement r = interlace(Layout::dense({17, 33}, 4), n);
    std::vector<Bytes> parts;
    std::vector<DeviceMemory> memory;
    std::vector<ConstBuffer> in, on_gpu;
    for (std::int64_t i = 0; i < n; ++i) {
      parts.push_back(random_bytes(r.source().n_bytes(), static_cast<std::uint64_t>(i)));
      memory.push_back(on_device(parts.back()));
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      in.push_back(in_view(parts[i]));
      on_gpu.push_back(memory[i]);
    }
    Bytes expected(static_cast<std::size_t>(r.destination().n_bytes()));
    const Buffer out = view(expected);
    Plan(r).run(in, {&out, 1}, default_executor());
    const DeviceMemory dst(cuda(), out.bytes);
    const Buffer to = dst;
    Plan(r, cuda()).run(on_gpu, {&to, 1}, Stream());
    Stream().synchronize();
    EXPECT_EQ(on_host(dst), expected) << n << " buffers";
  }
}

TEST_F(Gpu, empty_arrays_are_nothing_to_do) {
  const Rearrangement r = parse("y x -> x y", Layout::dense({0, 5}, 4));
  Plan(r, cuda()).run(ConstBuffer{}, Buffer{});
  Stream().synchronize();
}

TEST_F(Gpu, what_cannot_be_is_refused_before_a_launch) {
  const Rearrangement r = example();
  const std::int64_t n = r.source().n_bytes();
  Bytes host = random_bytes(n, 4);
  const DeviceMemory src = on_device(host), dst(cuda(), n);
  const Plan plan(r, cuda());
  EXPECT_EQ(code_of([&] { plan.run(in_view(host), dst); }), ErrorCode::device) << "memory of the host";
  EXPECT_EQ(code_of([&] { plan.run(src, view(host)); }), ErrorCode::device);
  EXPECT_EQ(code_of([&] { plan.run(src, {dst.data(), n - 1}); }), ErrorCode::bad_shape);
  EXPECT_EQ(code_of([&] { plan.run(src, {src.data(), n}); }), ErrorCode::overlap);
  EXPECT_EQ(code_of([&] { Plan(r).run(src, dst, Stream()); }), ErrorCode::device) << "a plan for the CPU";
  EXPECT_EQ(code_of([&] { cuda(4096); }), ErrorCode::device);
  EXPECT_EQ(code_of([&] { DeviceMemory(cuda(), std::int64_t{1} << 50); }), ErrorCode::out_of_memory);
  plan.run(src, dst);  // a refusal leaves nothing behind
  Stream().synchronize();
}

TEST_F(Gpu, facts_are_those_of_the_card) {
  const DeviceFacts facts = facts_of(cuda());
  EXPECT_FALSE(facts.name.empty());
  EXPECT_GT(facts.multiprocessors, 0);
  EXPECT_GT(facts.memory_bytes, facts.free_bytes);
  EXPECT_GE(facts.driver, facts.runtime / 1000 * 1000);
}

}  // namespace
}  // namespace crinkle::plan_test
