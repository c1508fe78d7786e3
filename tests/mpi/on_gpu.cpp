// Parts in memory of a GPU, which all ranks share: pieces through pinned memory, and as they are where MPI reaches them. Nothing where
// there is no GPU.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "crinkle/cuda.hpp"
#include "crinkle/fft.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/sweeper.hpp"
#include "mpi/checks.hpp"

namespace crinkle::checks {
namespace {

DeviceMemory on_gpu(const std::vector<std::byte>& bytes) {
  DeviceMemory memory(cuda(), std::max<std::int64_t>(1, std::ssize(bytes)));
  if (!bytes.empty()) copy_bytes(ConstBuffer(bytes), memory);
  return memory;
}

std::vector<std::byte> brought_back(const DeviceMemory& memory, std::size_t n) {
  std::vector<std::byte> bytes(n);
  if (n > 0) copy_bytes({memory.data(), static_cast<std::int64_t>(n)}, Buffer(bytes));
  return bytes;
}

void moves_on_gpu(bool is_staged) {
  Draw draw{std::mt19937_64(41)};
  for (int k = 0; k < 12; ++k) {
    const Extents extents{draw.pick(1, 60), draw.pick(1, 60)};
    const Rearrangement move = parse("y x -> x y", Layout::dense(extents, 8));
    const Redistribution r(spread::layout_of(spread::all_kinds[draw.pick(0, 4)], extents, size, draw),
                           spread::layout_of(spread::all_kinds[draw.pick(0, 4)], move.destination().extents, size, draw), move);
    const spread::Parts src = spread::parts_of(r.from(), size, 8);
    spread::Parts right = spread::poisoned(r.to(), size, 8);
    const std::vector<std::byte>& mine = src[static_cast<std::size_t>(rank)];
    std::vector<std::byte>& own = right[static_cast<std::size_t>(rank)];
    const DeviceMemory from = on_gpu(mine), to = on_gpu(own);
    define_redistribute(r, std::vector<ConstBuffer>(src.begin(), src.end()), std::vector<Buffer>(right.begin(), right.end()));
    mpi::Plan plan = mpi::plan(MPI_COMM_WORLD, r, {.piece_bytes = 700, .device = cuda(), .is_staged = is_staged});
    const Stream stream(cuda());
    plan.run(from, to, stream);
    expect(brought_back(to, own.size()) == own, fmt::format("on a GPU: {}", r.text()));
    expect_error("runs on a stream", [&] { plan.run(from, to, default_executor()); });
  }
}

// With the bits of the whole on this GPU.
void operation_on_gpu(const Operation& op, const Distribution& d, bool is_staged) {
  const std::int64_t element = op.inputs()[0].layout.element_bytes;
  std::vector<std::byte> whole(static_cast<std::size_t>(op.inputs()[0].layout.n_bytes()));
  auto* const numbers = reinterpret_cast<float*>(whole.data());
  for (std::size_t k = 0; k < whole.size() / 4; ++k) numbers[k] = static_cast<float>(k * 37 % 101);
  const DeviceMemory all = on_gpu(whole), made = on_gpu(whole);
  const Stream stream(cuda());
  op.run({all}, {made}, stream);
  stream.synchronize();
  const auto part = [&](const std::vector<std::byte>& bytes) {
    const Redistribution r(Distribution(d.extents(), {}, ""), d, element);
    spread::Parts parts = spread::poisoned(d, size, element);
    std::vector<ConstBuffer> sources(static_cast<std::size_t>(size));
    sources[0] = bytes;
    redistribute(r, sources, std::vector<Buffer>(parts.begin(), parts.end()));
    return parts[static_cast<std::size_t>(rank)];
  };
  const std::vector<std::byte> right = part(brought_back(made, whole.size()));
  const DeviceMemory from = on_gpu(part(whole)), to = on_gpu(right);
  mpi::OperationPlan plan = mpi::plan(MPI_COMM_WORLD, [&] { return DistributedOperation(op, {d}, d); }, {.is_staged = is_staged});
  for (int time = 0; time < 2; ++time) {
    const std::vector<std::byte> nothing(right.size());
    if (!nothing.empty()) copy_bytes(ConstBuffer(nothing), to);
    plan.run(from, to, stream);
    expect(brought_back(to, right.size()) == right, fmt::format("{} on a GPU", op.name()));
  }
}

}  // namespace

void parts_on_a_gpu() {
  if (count_cuda_devices() == 0) return;
  const std::string parts = fmt::format("@0:block({})", size);
  for (const bool is_staged : {true, false}) {
    moves_on_gpu(is_staged);
    Sweep sweep;
    sweep.stencil = average(2, 1, StencilShape::box);
    sweep.source = sweep.destination = Layout::dense({50 * size, 40}, 4);
    sweep.source_type = sweep.destination_type = {Number::float32};
    sweep.axes = {0, 1};
    sweep.boundary = {{Bound::periodic}, {Bound::edge}};
    operation_on_gpu(plan(sweep, cuda()), Distribution({50 * size, 40}, {}, parts), is_staged);
    FftRequest request;
    request.in = request.out = Layout::dense({24, 20, 16}, 8);
    request.axes = {0, 1, 2};
    operation_on_gpu(plan(request, cuda()), Distribution({24, 20, 16}, {}, parts), is_staged);
  }
}

}  // namespace crinkle::checks
