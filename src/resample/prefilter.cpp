// The first stage of a spline as an operation: parts of it are whole lines.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "operation/model.hpp"
#include "resample/check.hpp"
#include "resample/cuda/prefilter.hpp"
#include "resample/place.hpp"
#include "resample/prepare.hpp"

namespace crinkle::resampling {
namespace {

/// A spline's coefficients.
class Prefilter final : public Operation::Model {
 public:
  Prefilter(const Resampling& of, Device on) : r_(of) {
    name = "prefilter";
    device = on;
    machine = is_gpu() ? fmt::format("cuda({})", on.index) : "the CPU";
    inputs = {port_of("source", r_.source, {r_.source_type})};
    const NumberType type{is_float32(r_) ? Number::float32 : Number::float64};
    outputs = {port_of("coefficients", Layout::dense(coefficient_extents(r_), crinkle::bytes_of(type.number)), {type})};
    for (std::size_t a = 0; a < r_.source.extents.size(); ++a) {
      const int axis = static_cast<int>(a);
      if (std::find(r_.axes.begin(), r_.axes.end(), axis) != r_.axes.end()) continue;
      cuts.push_back({fmt::format("axis {}", a), r_.source.extents[a], {axis}, {axis}});
    }
    if (is_gpu()) on_gpu_ = cuda_prefilter_of(r_);
    workspace_bytes = on_gpu_ ? add(on_gpu_->workspace_bytes, alignment) : prefilter_bytes(r_);
  }

  void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const override {
    const auto* const from = static_cast<const std::byte*>(in[0].data);
    auto* const to = static_cast<std::byte*>(out[0].data);
    if (on_gpu_) { return launch(r_, *on_gpu_, from, to, aligned(workspace), worker.stream().get()); }
    if (is_float32(r_)) prefilter<float>(r_, from, to, workspace, worker.executor());
    else prefilter<double>(r_, from, to, workspace, worker.executor());
  }
  Operation part(const Ranges& part) const override {
    Resampling of = r_;
    of.source = dense_part(of.source, needs(part)[0]);
    return Operation(std::make_shared<const Prefilter>(of, device));
  }
  std::uint64_t fingerprint() const override { return fingerprint_of(r_, true).number(); }
  std::string describe() const override {
    return fmt::format("the coefficients of a spline through {} along {} axes, workspace {} bytes\n", print_shape(r_.source.extents),
                       r_.axes.size(), workspace_bytes);
  }

 private:
  bool is_gpu() const { return device.kind == Device::Kind::cuda; }

  Resampling r_;
  std::optional<CudaPrefilter> on_gpu_;
};

}  // namespace

Operation prefilter_of(const Resampling& resampling, Device device) {
  return Operation(std::make_shared<const Prefilter>(resampling, device));
}

}  // namespace crinkle::resampling
