// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/sweeper.hpp"

#include <memory>
#include <utility>

#include "cuda/runtime.hpp"
#include "operation/check.hpp"
#include "stencil/check.hpp"
#include "stencil/operation.hpp"

namespace crinkle {

struct Sweeper::Data {
  std::shared_ptr<const SweptArray> swept;
  std::unique_ptr<std::byte[]> workspace;
  DeviceMemory workspace_on_gpu;  // instead
  // The last run on a GPU, and the graph of its passes if it was the second one.
  std::pair<const void*, void*> last;
  gpu::Graph graph;

  explicit Data(std::shared_ptr<const SweptArray> of) : swept(std::move(of)) {
    const std::int64_t bytes = swept->workspace_bytes;
    if (bytes == 0) return;
    if (swept->device.kind == Device::Kind::cuda) workspace_on_gpu = DeviceMemory(swept->device, bytes);
    else workspace = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
  }

  void run_on_gpu(ConstBuffer source, Buffer destination, CUstream_st* stream) {
    const auto give = [&](CUstream_st* to) { swept->run(source, destination, static_cast<std::byte*>(workspace_on_gpu.data()), to); };
    if (swept->passes() < fewest_in_graph || gpu::is_capturing(stream)) return give(stream);
    if (const std::pair now{source.data, destination.data}; std::exchange(last, now) != now) {
      graph = {};
      return give(stream);
    }
    if (!graph) graph = gpu::Graph(give);
    graph.launch(stream);
  }

 private:
  static constexpr std::int64_t fewest_in_graph = 8;
};

Sweeper::Sweeper(Sweep sweep, Device device)
    : data_(std::make_unique<Data>(std::make_shared<const SweptArray>(checked(std::move(sweep)), device))) {}
Sweeper::Sweeper(const Sweeper& other) : data_(std::make_unique<Data>(other.data_->swept)) {}
Sweeper::Sweeper(Sweeper&&) noexcept = default;
Sweeper& Sweeper::operator=(Sweeper other) noexcept {
  data_.swap(other.data_);
  return *this;
}
Sweeper::~Sweeper() = default;

void Sweeper::run(ConstBuffer source, Buffer destination, Executor& executor, const std::function<void()>& passed) {
  const SweptArray& swept = *data_->swept;
  check_device(swept, executor);
  check_buffers(swept, {&source, 1}, {&destination, 1});
  swept.run(source, destination, data_->workspace.get(), executor, passed);
}

void Sweeper::run(ConstBuffer source, Buffer destination, const Stream& stream) {
  const SweptArray& swept = *data_->swept;
  check_device(swept, stream);
  check_buffers(swept, {&source, 1}, {&destination, 1});
  if (swept.inputs[0].layout.n_elements() == 0) return;
  const gpu::OnDevice on(swept.device.index);
  check_reach(swept, {&source, 1}, {&destination, 1}, {}, stream);
  data_->run_on_gpu(source, destination, stream.get());
}

std::int64_t Sweeper::passes() const noexcept { return data_->swept->passes(); }
std::int64_t Sweeper::workspace_bytes() const noexcept { return data_->swept->bytes_between(); }
std::string Sweeper::describe() const { return data_->swept->describe(); }

}  // namespace crinkle
