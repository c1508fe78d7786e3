// Interpolation as an operation: parts share the samples, and of a raster, or of places that are known, the whole's coordinates.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "cuda/device_buffers.hpp"
#include "interpolate/reference.hpp"
#include "interpolate/sum.hpp"
#include "operation/model.hpp"

namespace crinkle {
namespace {

using namespace interpolation;

ElementType element_type(Real type) { return {{type == Real::float32 ? Number::float32 : Number::float64}}; }

/// n numbers of a type at an address.
Reals reals_at(const void* data, std::int64_t n, Real type) {
  if (type == Real::float32) return std::span(static_cast<const float*>(data), index(n));
  return std::span(static_cast<const double*>(data), index(n));
}

/// Places that are kept, in the memory of the device.
class KeptPlaces {
 public:
  KeptPlaces(const Reals& of, Device device) : type_(of.is_float() ? Real::float32 : Real::float64), n_(of.size()) {
    const std::int64_t bytes = n_ * bytes_of(type_);
    if (device.kind == Device::Kind::cuda) {
      if (bytes == 0) return;
      on_gpu_ = DeviceMemory(device, bytes);
      copy_bytes({of.data(), bytes}, on_gpu_);
    } else {
      on_cpu_ = std::make_unique_for_overwrite<std::byte[]>(index(bytes));
      if (bytes > 0) std::memcpy(on_cpu_.get(), of.data(), index(bytes));
    }
  }
  Reals reals() const { return reals_at(on_cpu_ ? on_cpu_.get() : on_gpu_.data(), n_, type_); }

 private:
  Real type_;
  std::int64_t n_;
  std::unique_ptr<std::byte[]> on_cpu_;
  DeviceMemory on_gpu_;
};

class Interpolated final : public Operation::Model {
 public:
  /// `is_ordered`: places of a run may be put in another order for it, in a workspace.
  Interpolated(std::shared_ptr<const Ready> samples, const InterpolationTargets& targets, Real type, bool is_ordered = true);

  void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const override;
  void define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const override;
  Operation part(const Ranges& part) const override;
  OperationCost cost() const override {
    OperationCost cost = Model::cost();
    cost.bytes = add(cost.bytes, ready_->samples.n * ready_->samples.n_dimensions * 8);
    cost.operations = static_cast<double>(n_targets()) * ready_->sum->n_pairs() * (3 * ready_->samples.n_dimensions + 4);
    return cost;
  }
  std::uint64_t fingerprint() const override;
  std::string describe() const override {
    return fmt::format("interpolation of {} samples of {} columns at {} targets: {}, {}\n", ready_->samples.n, ready_->samples.n_columns(),
                       n_targets(), ready_->sum->name(), machine);
  }

 private:
  Interpolated(const Interpolated& whole, std::optional<Targets> known, std::int64_t n_places);
  void set_ports();
  bool is_raster() const { return known_ && known_->is_raster(); }
  std::int64_t n_targets() const { return known_ ? known_->n() : places_.n; }
  Targets targets_of_run(std::span<const ConstBuffer> in) const;

  std::shared_ptr<const Ready> ready_;
  Real type_;
  bool is_ordered_;
  std::shared_ptr<const KeptPlaces> kept_;
  std::optional<Targets> known_;
  TargetPlaces places_;  // where none are known
};

Interpolated::Interpolated(std::shared_ptr<const Ready> samples, const InterpolationTargets& targets, Real type, bool is_ordered)
    : ready_(std::move(samples)), type_(type), is_ordered_(is_ordered) {
  device = ready_->device;
  machine = device.kind == Device::Kind::cuda ? facts_of(device).name : "this CPU";
  const int n_dimensions = ready_->samples.n_dimensions;
  if (const auto* raster = std::get_if<Raster>(&targets)) {
    known_.emplace(*raster, n_dimensions, ready_->frame);
  } else if (const auto* places = std::get_if<Reals>(&targets)) {
    const Targets checked(*places, n_dimensions, ready_->frame);
    kept_ = std::make_shared<const KeptPlaces>(*places, device);
    known_ = device.kind == Device::Kind::cuda ? Targets::unseen(kept_->reals(), n_dimensions, ready_->frame)
                                               : Targets(kept_->reals(), n_dimensions, ready_->frame);
  } else {
    places_ = std::get<TargetPlaces>(targets);
    if (places_.n < 0) throw Error(ErrorCode::bad_shape, fmt::format("{} targets; give 0 or more", places_.n));
  }
  const double nodata = ready_->how.nodata;
  constexpr double beyond_float = 0x1.ffffffp127;  // is infinite as float32
  if (type == Real::float32 && std::isfinite(nodata) && std::abs(nodata) >= beyond_float)
    throw Error(ErrorCode::bad_shape, fmt::format("nodata {} is beyond float32; take another, or float64 results", nodata));
  if (known_ && device.kind == Device::Kind::cpu) known_->keep_bounds();
  set_ports();
}

Interpolated::Interpolated(const Interpolated& whole, std::optional<Targets> known, std::int64_t n_places)
    : ready_(whole.ready_),
      type_(whole.type_),
      is_ordered_(whole.is_ordered_),
      kept_(whole.kept_),
      known_(std::move(known)),
      places_{n_places, whole.places_.type} {
  device = whole.device;
  machine = whole.machine;
  set_ports();
}

std::uint64_t Interpolated::fingerprint() const {
  const SamplePlanes& samples = ready_->samples;
  Fingerprint all = fingerprint_of(samples);
  all.of(ready_->how, type_, places_.n, known_.has_value());
  for (const std::vector<double>* list : {&samples.least, &samples.most}) all.numbers(std::span<const double>(*list));
  if (kept_ && device.kind == Device::Kind::cpu) {
    const Reals places = kept_->reals();
    all.bytes(places.data(), places.size() * (places.is_float() ? 4 : 8));
  } else if (is_raster()) {
    all.of(known_->n_whole());
    for (const std::int64_t n : known_->extents()) all.of(n);
    for (const std::int64_t t : {std::int64_t{0}, n_targets() - 1})
      if (n_targets() > 0)
        for (const double x : known_->at(t)) all.of(x);
  }
  return all.number();
}

void Interpolated::set_ports() {
  name = "interpolation";
  const int n_dimensions = ready_->samples.n_dimensions;
  Extents extents{ready_->samples.n_columns()};
  if (is_raster()) {
    for (std::size_t a = index(n_dimensions); a > 0; --a) extents.push_back(known_->extents()[a - 1]);
  } else {
    extents.push_back(n_targets());
  }
  outputs = {port_of("values", Layout::dense(extents, bytes_of(type_)), element_type(type_))};
  outputs[0].axes = {"column"};
  for (std::size_t a = 1; a < extents.size(); ++a)
    outputs[0].axes.emplace_back(is_raster() ? std::string(1, "xyz"[extents.size() - 1 - a]) : "target");
  if (!known_) {
    inputs = {port_of("places", Layout::dense({places_.n, n_dimensions}, bytes_of(places_.type)), element_type(places_.type))};
    inputs[0].values = {n_dimensions * bytes_of(places_.type), bytes_of(places_.type), true};
  }
  if (!is_raster() && is_ordered_) workspace_bytes = ready_->sum->workspace_bytes(n_targets());
  if (!ready_->sum->can_be_cut(known_ ? TargetsAre::known : TargetsAre::of_a_run, type_)) return;
  for (std::size_t a = 1; a < extents.size(); ++a) {
    cuts.push_back({outputs[0].axes[a], extents[a], {}, {static_cast<int>(a)}});
    if (!known_) cuts.back().inputs = {0};
  }
}

Targets Interpolated::targets_of_run(std::span<const ConstBuffer> in) const {
  if (known_) return *known_;
  const int n_dimensions = ready_->samples.n_dimensions;
  const Reals places = reals_at(in[0].data, places_.n * n_dimensions, places_.type);
  if (device.kind == Device::Kind::cuda) return Targets::unseen(places, n_dimensions, ready_->frame);
  return Targets(places, n_dimensions, ready_->frame);
}

void Interpolated::run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const {
  const Targets targets = targets_of_run(in);
  const auto n = index(outputs[0].layout.n_elements());
  if (type_ == Real::float32) ready_->sum->run(targets, std::span(static_cast<float*>(out[0].data), n), workspace, worker);
  else ready_->sum->run(targets, std::span(static_cast<double*>(out[0].data), n), workspace, worker);
}

void Interpolated::define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const {
  if (ready_->are_on_device)
    throw Error(ErrorCode::unsupported, "the definition reads samples in the host's memory; give them there, and plan for the CPU");
  if (device.kind == Device::Kind::cuda && known_ && !is_raster())
    throw Error(ErrorCode::unsupported, "the definition reads places in the host's memory; plan this interpolation for the CPU");
  const SamplePlanes& samples = ready_->samples;
  Interpolation how = ready_->how;
  how.anisotropy = {};  // samples and targets are in the frame, where its ellipse is a circle
  const Targets targets =
      known_ ? *known_ : Targets(reals_at(in[0].data, places_.n * samples.n_dimensions, places_.type), samples.n_dimensions, ready_->frame);
  auto* to = static_cast<std::byte*>(out[0].data);
  for (std::int64_t column = 0; column < samples.n_columns(); ++column) {
    for (std::int64_t t = 0; t < targets.n(); ++t, to += bytes_of(type_)) {
      const double value = reference_value(samples, how, column, targets.at(t));
      if (type_ == Real::float64) std::memcpy(to, &value, sizeof value);
      else if (const auto narrow = static_cast<float>(value); true) std::memcpy(to, &narrow, sizeof narrow);
    }
  }
}

Operation Interpolated::part(const Ranges& part) const {
  std::optional<Targets> some;
  if (known_) {
    std::array<std::int64_t, 3> begin{}, extents{1, 1, 1};
    for (std::size_t c = 0; c < part.size(); ++c) {
      begin[part.size() - 1 - c] = part[c].first;
      extents[part.size() - 1 - c] = part[c].n;
    }
    some = known_->part(begin, extents);
  }
  return Operation(std::shared_ptr<const Interpolated>(new Interpolated(*this, std::move(some), known_ ? 0 : part[0].n)));
}

template <class T>
constexpr Real real_of = sizeof(T) == 4 ? Real::float32 : Real::float64;

TargetPlaces places_at_run(const Reals& places, int n_dimensions) {
  return {Targets::unseen(places, n_dimensions, {}).n(), places.is_float() ? Real::float32 : Real::float64};
}
ConstBuffer buffer_of(const Reals& places) { return {places.data(), places.size() * (places.is_float() ? 4 : 8)}; }

template <class T>
void run_on_raster(const Interpolator& interpolator, const Raster& raster, std::span<T> out, const Worker& worker) {
  interpolator.operation(raster, real_of<T>).run({}, {Buffer(out)}, worker);
}

/// Nothing is allocated.
template <class T>
void run_as_they_are(const std::shared_ptr<const Ready>& ready, const Reals& places, std::span<T> out, const Stream& stream) {
  const TargetPlaces later = places_at_run(places, ready->samples.n_dimensions);
  Operation(std::make_shared<const Interpolated>(ready, later, real_of<T>, false)).run({buffer_of(places)}, {Buffer(out)}, stream);
}

}  // namespace

Operation plan(const InterpolateRequest& request, Device device) {
  return Operation(std::make_shared<const Interpolated>(
      std::make_shared<const Ready>(request.samples, request.how, device, default_executor()), request.targets, request.type));
}

Interpolator::Interpolator(const Samples& samples, const Interpolation& how, Executor& executor)
    : ready_(std::make_shared<const Ready>(samples, how, cpu(), executor)) {}
Interpolator::Interpolator(const Samples& samples, const Interpolation& how, Device device)
    : ready_(std::make_shared<const Ready>(samples, how, Device{Device::Kind::cuda, gpu::cuda_index(device, "interpolation")},
                                           default_executor())) {}

Interpolator::Interpolator(const DeviceSamples& samples, const Interpolation& how, Device device, const Stream& stream)
    : ready_(std::make_shared<const Ready>(samples, how, device, stream)) {}

std::int64_t Interpolator::n_columns() const noexcept { return ready_->samples.n_columns(); }
Operation Interpolator::operation(const InterpolationTargets& targets, Real type) const {
  return Operation(std::make_shared<const Interpolated>(ready_, targets, type));
}

void Interpolator::run(const Raster& raster, std::span<float> out, Executor& executor) const {
  run_on_raster(*this, raster, out, executor);
}
void Interpolator::run(const Raster& raster, std::span<double> out, Executor& executor) const {
  run_on_raster(*this, raster, out, executor);
}
void Interpolator::run(const Reals& places, std::span<float> out, Executor& executor) const {
  operation(places_at_run(places, ready_->samples.n_dimensions), Real::float32).run({buffer_of(places)}, {Buffer(out)}, executor);
}
void Interpolator::run(const Reals& places, std::span<double> out, Executor& executor) const {
  operation(places_at_run(places, ready_->samples.n_dimensions), Real::float64).run({buffer_of(places)}, {Buffer(out)}, executor);
}
void Interpolator::run(const Raster& raster, std::span<float> out, const Stream& stream) const {
  run_on_raster(*this, raster, out, stream);
}
void Interpolator::run(const Raster& raster, std::span<double> out, const Stream& stream) const {
  run_on_raster(*this, raster, out, stream);
}
void Interpolator::run(const Reals& places, std::span<float> out, const Stream& stream) const {
  run_as_they_are(ready_, places, out, stream);
}
void Interpolator::run(const Reals& places, std::span<double> out, const Stream& stream) const {
  run_as_they_are(ready_, places, out, stream);
}

}  // namespace crinkle
