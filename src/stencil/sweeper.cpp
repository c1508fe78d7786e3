// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/sweeper.hpp"

#include <array>
#include <new>
#include <utility>

#include "cuda/device_buffers.hpp"
#include "cuda/runtime.hpp"
#include "stencil/check.hpp"
#include "stencil/cpu/sweep.hpp"
#include "stencil/cuda/sweep.hpp"

namespace crinkle {

struct Sweeper::Data {
  Sweep sweep;
  SweepPlan plan;
  std::array<std::byte*, 2> buffers = {};

  Device device;
  std::unique_ptr<CudaSweep> on_gpu;  // instead of the plan
  // Of the last run on a GPU, and the graph of its passes if it was the second one.
  std::pair<const std::byte*, std::byte*> last;
  gpu::Graph graph;

  Data(Sweep s, Device d) : sweep(checked(std::move(s))), device(d) {
    if (device.kind == Device::Kind::cuda) {
      on_gpu = make_cuda_sweep(sweep, device);
      return;
    }
    plan = plan_sweep(sweep);
    try {
      for (int b = 0; b < plan.n_buffers; ++b)
        buffers[static_cast<std::size_t>(b)] = static_cast<std::byte*>(::operator new(static_cast<std::size_t>(plan.buffer_bytes), line));
    } catch (...) {
      release();
      throw;
    }
  }
  Data(const Data& other) : Data(other.sweep, other.device) {}
  Data& operator=(const Data&) = delete;
  ~Data() { release(); }

  void run_on_gpu(const std::byte* source, std::byte* destination, CUstream_st* stream) {
    if (on_gpu->passes() < fewest_in_graph || gpu::is_capturing(stream)) return on_gpu->run(source, destination, stream);
    if (const std::pair now{source, destination}; std::exchange(last, now) != now) {
      graph = {};
      return on_gpu->run(source, destination, stream);
    }
    if (!graph) graph = gpu::Graph([&](CUstream_st* to) { on_gpu->run(source, destination, to); });
    graph.launch(stream);
  }

 private:
  static constexpr std::int64_t fewest_in_graph = 8;
  static constexpr std::align_val_t line{64};
  void release() noexcept {
    for (std::byte* buffer : buffers) ::operator delete(buffer, line);
  }
};

Sweeper::Sweeper(Sweep sweep, Device device) : data_(std::make_unique<Data>(std::move(sweep), device)) {}
Sweeper::Sweeper(const Sweeper& other) : data_(std::make_unique<Data>(*other.data_)) {}
Sweeper::Sweeper(Sweeper&&) noexcept = default;
Sweeper& Sweeper::operator=(Sweeper other) noexcept {
  data_.swap(other.data_);
  return *this;
}
Sweeper::~Sweeper() = default;

void Sweeper::run(ConstBuffer source, Buffer destination, Executor& executor, const std::function<void()>& passed) {
  if (data_->on_gpu)
    throw Error(ErrorCode::device,
                "this sweep is planned for a GPU: run it on a stream, or plan it for the CPU to run it with an executor");
  check_buffers(data_->sweep, source, destination);
  run_passes(data_->plan, static_cast<const std::byte*>(source.data), static_cast<std::byte*>(destination.data), data_->buffers, executor,
             passed);
}

void Sweeper::run(ConstBuffer source, Buffer destination, const Stream& stream) {
  gpu::check_built(data_->device);
  if (!data_->on_gpu) throw Error(ErrorCode::device, "this sweep is planned for the CPU: run it with an executor, or plan it for cuda(n)");
  check_buffers(data_->sweep, source, destination);
  if (data_->sweep.source.n_elements() == 0) return;
  const gpu::OnDevice on(data_->device.index);
  gpu::check_device_buffers({{source.data, "the source"}, {destination.data, "the destination"}}, data_->device.index, stream);
  data_->run_on_gpu(static_cast<const std::byte*>(source.data), static_cast<std::byte*>(destination.data), stream.get());
}

std::int64_t Sweeper::passes() const noexcept { return data_->on_gpu ? data_->on_gpu->passes() : std::ssize(data_->plan.passes); }
std::int64_t Sweeper::workspace_bytes() const noexcept {
  return data_->on_gpu ? data_->on_gpu->workspace_bytes() : data_->plan.buffer_bytes * data_->plan.n_buffers;
}
std::string Sweeper::describe() const { return data_->on_gpu ? data_->on_gpu->describe() : crinkle::describe(data_->plan); }

}  // namespace crinkle
