// Resamplings as operations. A part has the extents and faces of the whole source, whose first element lies so far in front of the one that
// it is given, and the indices of the whole result: the same coordinates, the same elements, the same bits. A spline filters whole lines
// first, so its parts need them; its stages, the filter and then the sampling of coefficients, do not.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "crinkle/resample.hpp"
#include "cuda/device_buffers.hpp"
#include "form/array_check.hpp"
#include "operation/buffers.hpp"
#include "operation/model.hpp"
#include "resample/check.hpp"
#include "resample/cpu/resample.hpp"
#include "resample/cpu/scales.hpp"
#include "resample/cuda/growing.hpp"
#include "resample/cuda/launch.hpp"
#include "resample/cuda/prefilter.hpp"
#include "resample/growing.hpp"
#include "resample/place.hpp"
#include "resample/prepare.hpp"
#include "resample/reach.hpp"
#include "resample/reference.hpp"

namespace crinkle::resampling {
namespace {

std::size_t to_size(std::int64_t i) { return static_cast<std::size_t>(i); }
std::optional<std::size_t> place_in(const std::vector<int>& axes, std::size_t axis) {
  const auto found = std::find(axes.begin(), axes.end(), static_cast<int>(axis));
  return found == axes.end() ? std::nullopt : std::optional(to_size(found - axes.begin()));
}

NumberType sum_type(const Resampling& r) { return {is_float32(r) ? Number::float32 : Number::float64}; }

// The buffers that the map reads beside the source.
BuffersOf buffers_of_map() {
  return {"resampling", false, [](std::size_t) { return std::string("array of coordinates"); },
          [](std::size_t) { return std::string("destination"); }};
}

class Sampling final : public Operation::Model {
 public:
  /// Requires a checked resampling, of which this is the whole or the part that lies at a place.
  Sampling(Resampling of, const Place& place, Device on);

  void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const override;
  void define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const override;
  std::vector<Ranges> needs(const Ranges& part) const override;
  Operation part(const Ranges& part) const override;
  std::vector<Operation> stages() const override;
  OperationCost cost() const override;
  std::string describe() const override;
  std::uint64_t fingerprint() const override { return fingerprint_of(r_, !is_gpu()).number(); }
  std::int64_t held_bytes() const override {
    return Model::held_bytes() + allocated_bytes(sizeof *this) +
           held_by(r_.source, r_.destination, r_.axes, r_.boundary, table_, filter_on_gpu_, growing_on_gpu_);
  }

 private:
  enum class Copy : std::uint8_t { none, numbers, coefficients };

  void set_form();
  template <class T>
  void run_on(const std::byte* source, std::byte* out, std::byte* workspace, Executor& executor) const;
  bool reads(NumberType type) const {
    return is_separable_ || (is_float32(r_) ? is_read_directly<float>(type) : is_read_directly<double>(type));
  }
  bool is_gpu() const { return device.kind == Device::Kind::cuda; }

  Resampling r_;
  Place place_;
  Copy copy_ = Copy::none;
  std::int64_t copy_bytes_ = 0;
  bool is_separable_ = false;  // on a CPU it is made axis by axis
  Form form_;                  // of the source, or of its copy
  std::int64_t shift_ = 0;     // bytes from the whole source's first element to the one that is there
  std::optional<PolarTable> table_;
  std::optional<StridedPlan> strided_;
  std::optional<CudaPlan> on_gpu_;
  std::optional<CudaPrefilter> filter_on_gpu_;
  std::optional<CudaGrowing> growing_on_gpu_;
  ByteSpan given_;  // of the array of coordinates
};

Sampling::Sampling(Resampling of, const Place& place, Device on) : r_(std::move(of)), place_(place) {
  name = "resampling";
  device = on;
  if (is_gpu()) {
    device.index = gpu::cuda_index(on, name);
    if (!place_.has_coefficients) check_for_cuda(r_);
    machine = fmt::format("cuda({})", device.index);
  } else {
    machine = "the CPU";
  }
  if (const auto* field = std::get_if<CoordinateField>(&r_.map)) {
    given_ = bytes_touched_by(field->layout);
    check_held(buffers_of_map(), true, {&given_, 1}, {ValueForm::numbers(field->layout.element_bytes)}, {&field->data, 1});
  }
  inputs = {port_of(place_.has_coefficients ? "coefficients" : "source", r_.source, {r_.source_type})};
  outputs = {port_of("destination", r_.destination, {r_.destination_type})};
  std::size_t source_axis = 0;
  for (std::size_t b = 0; b < r_.destination.extents.size(); ++b) {
    int along = -1;
    if (!place_in(r_.destination_axes, b)) {
      while (place_in(r_.axes, source_axis)) ++source_axis;
      along = static_cast<int>(source_axis++);
    }
    cuts.push_back({fmt::format("axis {}", b), r_.destination.extents[b], {along}, {static_cast<int>(b)}});
  }
  set_form();
}

void Sampling::set_form() {
  std::optional<Resampling> of;  // of the copy
  Place place = place_;
  const auto set_begin = [&] { std::copy_n(place_.begin.begin(), r_.destination_axes.size(), form_.map.begin); };
  form_ = form_of(r_);
  set_begin();
  check_growing(r_, form_);
  is_separable_ = !is_gpu() && is_separable(form_);
  if (r_.by == ResampleBy::spline && !place_.has_coefficients) {
    check_spline(r_);
    copy_ = Copy::coefficients;
    of = r_;
    of->source = Layout::dense(coefficient_extents(r_), crinkle::bytes_of(sum_type(r_).number));
    place = place_of(*of);
    for (std::size_t a = 0; a < r_.axes.size(); ++a) place.before[a] = kept_in_front(r_.boundary[a]);
  } else if (!is_gpu() && !reads(r_.source_type)) {
    copy_ = Copy::numbers;
    of = r_;
    of->source = Layout::dense(r_.source.extents, crinkle::bytes_of(sum_type(r_).number));
  }
  if (of) {
    form_ = form_of(*of);
    set_begin();
  }
  for (std::size_t a = 0; a < r_.axes.size(); ++a) {
    FormAxis& axis = form_.in[to_size(slots) - r_.axes.size() + a];
    axis.extent = place.extents[a];
    axis.before = place.before[a];
    shift_ = add_product(shift_, place.first[a], axis.stride);
  }
  if (copy_ != Copy::none) {
    copy_bytes_ = aligned(of->source.n_bytes());
    if (is_gpu()) filter_on_gpu_ = cuda_prefilter_of(r_);
    workspace_bytes = add(add(copy_bytes_, alignment), filter_on_gpu_                ? filter_on_gpu_->workspace_bytes
                                                       : copy_ == Copy::coefficients ? prefilter_bytes(r_)
                                                                                     : 0);
    of->source_type = sum_type(r_);
  }
  if (is_gpu() && form_.growing != Growing::none) {
    growing_on_gpu_ = cuda_growing_of(r_, form_, device);
    if (growing_on_gpu_->workspace_bytes > 0) workspace_bytes = add(growing_on_gpu_->workspace_bytes, alignment);
    return;
  }
  if (is_gpu()) on_gpu_ = cuda_plan_of(of ? *of : r_, form_, device, place_.is_part ? Compiled::never : Compiled::where_it_pays);
  else table_.emplace(form_);
  if (is_separable_ && copy_ == Copy::none) strided_ = strided_plan(form_, r_.source_type, r_.destination_type);
}

template <class T>
void Sampling::run_on(const std::byte* source, std::byte* out, std::byte* workspace, Executor& executor) const {
  if (copy_ == Copy::none) {
    const std::byte* const in = source + (r_.source.offset - shift_);
    if (is_separable_) return run_scales<T>(form_, strided_, in, r_.source_type, out, r_.destination_type, executor);
    return run_on_cpu<T>(form_, *table_, in, r_.source_type.number, out, r_.destination_type, executor);
  }
  std::byte* const numbers = aligned(workspace);
  if (copy_ == Copy::numbers) load_numbers<T>(r_.source, r_.source_type, source, numbers, executor);
  else prefilter<T>(r_, source, numbers, numbers + copy_bytes_, executor);
  if (is_separable_) return run_scales<T>(form_, {}, numbers - shift_, sum_type(r_), out, r_.destination_type, executor);
  run_on_cpu<T>(form_, *table_, numbers - shift_, sum_type(r_).number, out, r_.destination_type, executor);
}

void Sampling::run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const {
  const auto* const field = std::get_if<CoordinateField>(&r_.map);
  if (field != nullptr) check_buffers(buffers_of_map(), {&given_, 1}, {}, {&field->data, 1}, {&outputs[0].touched, 1}, {}, out);
  const auto* const from = static_cast<const std::byte*>(in[0].data);
  auto* const to = static_cast<std::byte*>(out[0].data) + r_.destination.offset;
  if (is_gpu()) {
    if (field != nullptr && !gpu::is_capturing(worker.stream().get()))
      gpu::check_pointer(field->data.data, device.index, "the array of coordinates");
    CUstream_st* const stream = worker.stream().get();
    if (growing_on_gpu_)
      return launch(*growing_on_gpu_, from + (r_.source.offset - shift_), to, workspace_bytes > 0 ? aligned(workspace) : nullptr, stream);
    if (!filter_on_gpu_) return launch(*on_gpu_, from + (r_.source.offset - shift_), to, stream);
    std::byte* const numbers = aligned(workspace);
    launch(r_, *filter_on_gpu_, from, numbers, numbers + copy_bytes_, stream);
    return launch(*on_gpu_, numbers - shift_, to, stream);
  }
  if (is_float32(r_)) run_on<float>(from, to, workspace, worker.executor());
  else run_on<double>(from, to, workspace, worker.executor());
}

void Sampling::define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const {
  if (copy_ == Copy::coefficients || (is_gpu() && std::holds_alternative<CoordinateField>(r_.map))) return Model::define(in, out);
  resample_reference(r_, form_, place_.first.data(), static_cast<const std::byte*>(in[0].data), static_cast<std::byte*>(out[0].data));
}

std::vector<Ranges> Sampling::needs(const Ranges& part) const {
  std::vector<Ranges> all = along(inputs, &Cut::inputs, part);
  if (copy_ == Copy::coefficients) return all;  // whole lines
  const bool is_empty = std::any_of(part.begin(), part.end(), [](const Range& range) { return range.n == 0; });
  Ranges p;
  for (const int b : r_.destination_axes) p.push_back(part[to_size(b)]);
  const auto reach = is_empty ? std::array<Range, slots>() : reach_of(form_, p, is_gpu() ? Given::unseen : Given::seen);
  for (std::size_t a = 0; a < r_.axes.size(); ++a) {
    Range& range = all[0][to_size(r_.axes[a])];
    const std::int64_t there = range.n;
    if (is_empty) {
      range.n = 0;
      continue;
    }
    // Coordinates that no element stands for may lie outside what is there.
    range.first = std::clamp<std::int64_t>(reach[a].first - place_.first[a], 0, there - 1);
    range.n = std::min(reach[a].n, there - range.first);
  }
  return all;
}

Operation Sampling::part(const Ranges& part) const {
  const std::vector<Ranges> needed = needs(part);
  Resampling of = r_;
  Place place = place_;
  place.is_part = true;
  of.source = dense_part(of.source, needed[0]);
  of.destination = dense_part(of.destination, part);
  for (std::size_t a = 0; a < r_.axes.size(); ++a) place.first[a] += needed[0][to_size(r_.axes[a])].first;
  auto* const field = std::get_if<CoordinateField>(&of.map);
  for (std::size_t b = 0; b < r_.destination_axes.size(); ++b) {
    const Range& range = part[to_size(r_.destination_axes[b])];
    if (field == nullptr) {
      place.begin[b] += range.first;
      continue;
    }
    field->layout.extents[b + 1] = range.n;
    if (range.n > 0) field->layout.offset = add_product(field->layout.offset, range.first, field->layout.strides[b + 1]);
  }
  return Operation(std::make_shared<const Sampling>(std::move(of), place, device));
}

std::vector<Operation> Sampling::stages() const {
  if (copy_ != Copy::coefficients) return {};
  const Operation filter = prefilter_of(r_, device);
  Resampling of = r_;
  of.source = filter.outputs()[0].layout;
  of.source_type = sum_type(r_);
  Place place = place_of(of);
  for (std::size_t a = 0; a < r_.axes.size(); ++a) place.before[a] = kept_in_front(r_.boundary[a]);
  place.begin = place_.begin;
  place.has_coefficients = true;
  return {filter, Operation(std::make_shared<const Sampling>(std::move(of), place, device))};
}

OperationCost Sampling::cost() const {
  OperationCost all = Model::cost();
  all.bytes = add(all.bytes, multiply(workspace_bytes, 2));
  double sums = 1;
  for (int a = 0; a < form_.map.n_in; ++a) sums *= form_.growing == Growing::none ? form_.n_taps : 2 * GrowingAxis(form_, a).reach();
  all.operations = 2 * sums * static_cast<double>(r_.destination.n_elements());
  return all;
}

std::string Sampling::describe() const {
  constexpr const char* maps[] = {"an affine map", "a map to polar coordinates", "a map from polar coordinates", "given coordinates"};
  std::string text =
      fmt::format("{} of {} to {} by {}, {} by {}{}, sums in {} on {}\n", name_of(r_.source_type.number), print_shape(r_.source.extents),
                  print_shape(r_.destination.extents), maps[static_cast<std::size_t>(form_.map.kind)],
                  r_.axes.size() == 1 ? "1 axis" : fmt::format("{} axes", r_.axes.size()), r_.is_antialiased ? "antialiased " : "",
                  name_of(r_.by), name_of(sum_type(r_).number), machine);
  if (strided_) text += "elements with the same weights, a whole number of elements apart\n";
  else if (is_separable_ && form_.growing == Growing::none)
    text += "axis by axis: rows to lines of the result's columns, sums of lines to rows\n";
  if (on_gpu_) text += described(*on_gpu_);
  if (growing_on_gpu_) text += described(*growing_on_gpu_) + fmt::format("workspace {} bytes\n", workspace_bytes);
  if (copy_ != Copy::none)
    text += fmt::format("a copy of the source as {} first, workspace {} bytes\n", copy_ == Copy::numbers ? "numbers" : "coefficients",
                        workspace_bytes);
  return text;
}

}  // namespace
}  // namespace crinkle::resampling

namespace crinkle {

Operation plan(const Resampling& resampling, Device device) {
  Resampling r = resampling::checked(resampling);
  const auto place = resampling::place_of(r);
  return Operation(std::make_shared<const resampling::Sampling>(std::move(r), place, device));
}

}  // namespace crinkle
