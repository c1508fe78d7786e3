// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "advise/cuda/pass.hpp"
#include "advise/site.hpp"
#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"

namespace crinkle {
namespace {

class CudaSite final : public Site {
 public:
  CudaSite(const SiteBytes& bytes, Device device)
      : on_(device.index),
        home_(device, bytes.home),
        array_(device, bytes.array),
        workspace_(device, bytes.workspace),
        device_(device),
        stream_(device),
        timer_(std::make_shared<gpu::Timer>(device.index)),
        on_host_(new(std::nothrow) std::byte[static_cast<std::size_t>(std::max(bytes.home, bytes.array))]) {
    if (on_host_ == nullptr)
      throw Error(ErrorCode::out_of_memory,
                  std::to_string(std::max(bytes.home, bytes.array)) + " bytes of the host's memory; measure fewer records");
  }

  std::byte* home() const override { return static_cast<std::byte*>(home_.data()); }
  std::byte* array() const override { return static_cast<std::byte*>(array_.data()); }
  void fill_home(const std::function<void(std::byte*)>& write) override {
    write(on_host_.get());
    copy_bytes({on_host_.get(), home_.bytes()}, home_);
  }
  const std::byte* read_array(std::int64_t bytes) override {
    stream_.synchronize();
    copy_bytes({array_.data(), bytes}, {on_host_.get(), bytes});
    return on_host_.get();
  }

  std::function<void()> pass(const advising::Pass& pass) override {
    return [this, made = gpu::entry<advising::cuda_pass>(advising::words_of(pass), pass.visit, device_)] {
      gpu::entry<advising::run_cuda_pass>(*made, array(), stream_);
    };
  }
  std::function<void()> move(std::shared_ptr<const PlannedMove> plan, std::vector<ConstBuffer> from, std::vector<Buffer> to) override {
    return [this, plan = std::move(plan), from = std::move(from), to = std::move(to)] { plan->run(from, to, workspace_, stream_); };
  }
  std::vector<Contender> copies(std::int64_t bytes) override {
    return {{"driver", [this, bytes] { gpu::copy_on_device(home_.data(), array_.data(), bytes, stream_.get()); }}};
  }
  Clock clock() override {
    return [this](const std::function<void()>& work) {
      timer_->begin(stream_.get());
      work();
      timer_->end(stream_.get());
      return timer_->seconds();
    };
  }

 private:
  gpu::OnDevice on_;
  DeviceMemory home_, array_, workspace_;
  Device device_;
  Stream stream_;
  std::shared_ptr<gpu::Timer> timer_;
  std::unique_ptr<std::byte[]> on_host_;
};

}  // namespace

std::unique_ptr<Site> make_cuda_site(const SiteBytes& bytes, Device device) { return std::make_unique<CudaSite>(bytes, device); }

}  // namespace crinkle
