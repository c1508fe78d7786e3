// Checks the request for a transform and makes it into passes, an axis each:
//     complex            axis by axis, the first pass from `in` to `out`, the others in `out`
//     real to complex    the last of the axes first, which halves it, then the others in `out`
//     complex to real    the others into a workspace, then the last, from there to `out`
// All float16 data between two axes is float32, in a workspace.
// Sizes: an axis that was not transformed yet is read only as far as its N goes, so cropping and padding cost no pass.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "base/checked.hpp"
#include "base/fingerprint.hpp"
#include "crinkle/error.hpp"
#include "fft/pass.hpp"
#include "fft/predict.hpp"
#include "fft/sizes.hpp"
#include "operation/model.hpp"

namespace crinkle {

namespace {

class Transform final : public Operation::Model {
 public:
  /// The transform of a part or a stage takes the whole's factor.
  Transform(const FftRequest& of, Device on, std::optional<double> factor = {});

  void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const override;
  Operation part(const Ranges& part) const override;
  std::vector<Operation> stages() const override;
  OperationCost cost() const override;
  std::string describe() const override;
  Operation inverse() const override;
  std::int64_t held_bytes() const override;
  std::uint64_t fingerprint() const override { return Fingerprint().of(request, factor).number(); }

  FftRequest request;
  fft::Sizes sizes;
  double factor = 1;
  std::vector<std::unique_ptr<fft::Pass>> passes;
  std::vector<fft::Cost> costs;             // of each
  std::int64_t between = 0, of_passes = 0;  // bytes of the workspace: of an array between, and of a pass
};

double factor_of(const FftRequest& request, double n) {
  const bool is_inverse = request.direction == FftDirection::inverse;
  if (request.norm == FftNorm::ortho) return 1 / std::sqrt(n);
  return is_inverse == (request.norm == FftNorm::backward) ? 1 / n : 1;
}

// The extents of an input that are read: as far as the N of every axis go.
Extents read_extents(Extents extents, const fft::Sizes& sizes) {
  for (std::size_t i = 0; i < sizes.axes.size(); ++i) extents[sizes.axes[i]] = std::min(extents[sizes.axes[i]], sizes.n_in(i));
  return extents;
}

// One axis after another, with the extents that the array has reached so far.
class Passes {
 public:
  explicit Passes(Transform& data)
      : request_(data.request), sizes_(data.sizes), data_(data), now_(read_extents(data.request.in.extents, data.sizes)) {}

  void add(std::size_t i, const Layout& in, const Layout& out) {
    const std::size_t axis = sizes_.axes[i];
    const bool is_last = i + 1 == sizes_.axes.size();
    fft::Axis of;
    of.kind = is_last || fft::is_real_to_real(request_.kind) ? request_.kind : FftKind::complex_to_complex;
    of.n = sizes_.n[i];
    of.n_in = now_[axis];
    of.in = in.strides[axis];
    of.out = out.strides[axis];
    of.in_shift = is_shifted(FftShift::input) && of.kind != FftKind::complex_to_real ? of.n_in / 2 : 0;
    of.out_shift = is_shifted(FftShift::output) && of.kind != FftKind::real_to_complex ? of.n_out() / 2 : 0;
    of.direction = request_.direction;
    of.factor = data_.passes.empty() ? data_.factor : 1;
    of.number = static_cast<int>(axis);
    std::int64_t others = 1;
    for (std::size_t b = 0; b < now_.size(); ++b) {
      if (b == axis) continue;
      of.loops.push_back({now_[b], in.strides[b], out.strides[b]});
      others *= now_[b];
    }
    std::stable_sort(of.loops.begin(), of.loops.end(), [](const Loop& a, const Loop& b) { return std::abs(a.out) > std::abs(b.out); });
    now_[axis] = of.n_out();
    of.may_be_in_place = !data_.passes.empty() || data_.may_be_in_place;
    const bool is_gpu = data_.device.kind == Device::Kind::cuda;
    of.is_orthonormal = request_.norm == FftNorm::ortho;
    of.in_is_float16 = is_float16(in, of.parts_in());
    of.out_is_float16 = is_float16(out, of.parts_out());
    const FftReal real = request_.real == FftReal::float64 ? FftReal::float64 : FftReal::float32;
    const std::int64_t number = real == FftReal::float64 ? 16 : 8;
    if (is_gpu) fft::check_memory(of.number, of.n, multiply(of.n, number), facts_of(data_.device).memory_bytes);  // its tables
    const bool is_cosine = fft::is_real_to_real(of.kind);
    if (is_gpu) data_.passes.push_back((is_cosine ? fft::make_cuda_cosine_pass : fft::make_cuda_pass)(of, real, data_.device));
    else if (of.in_is_float16 || of.out_is_float16) data_.passes.push_back(fft::make_float16_pass(of));
    else data_.passes.push_back((is_cosine ? fft::make_cosine_pass : fft::make_pass)(of, real));
    const std::int64_t bytes = others * (of.n_in * in.element_bytes + of.n_out() * out.element_bytes);
    data_.costs.push_back({bytes * data_.passes.back()->times_through_memory(), fft::operations_of(of, others)});
    data_.of_passes = std::max(data_.of_passes, data_.passes.back()->workspace_bytes());
  }

 private:
  bool is_shifted(FftShift side) const { return request_.shift == side || request_.shift == FftShift::both; }
  bool is_float16(const Layout& layout, std::int64_t parts) const {
    return request_.real == FftReal::float16 && layout.element_bytes == 2 * parts;
  }

  const FftRequest& request_;
  const fft::Sizes& sizes_;
  Transform& data_;
  Extents now_;
};

void add_passes(Transform& data) {
  const fft::Sizes& sizes = data.sizes;
  const FftRequest& request = data.request;
  const std::size_t n = sizes.axes.size();
  const bool is_real_out = request.kind == FftKind::complex_to_real;
  Layout between = request.out;
  if (n > 1 && (is_real_out || request.real == FftReal::float16)) {
    const std::int64_t part = request.real == FftReal::float64 ? 8 : 4;
    between = Layout::dense(sizes.between, part * (fft::is_real_to_real(request.kind) ? 1 : 2));
    data.between = multiply(ceil_divide(between.n_bytes(), fft::workspace_alignment), fft::workspace_alignment);
  }
  Passes passes(data);
  for (std::size_t k = 0; k < n; ++k)
    passes.add(is_real_out ? k : n - 1 - k, k == 0 ? request.in : between, k + 1 == n ? request.out : between);
}

ElementType element_type(FftReal real, const Layout& layout, bool is_complex) {
  const Number number = real == FftReal::float64                       ? Number::float64
                        : layout.element_bytes == (is_complex ? 4 : 2) ? Number::float16
                                                                       : Number::float32;
  return {{number}, is_complex};
}

Transform::Transform(const FftRequest& of, Device on, std::optional<double> its_factor) : request(of), sizes(fft::check_request(of)) {
  name = "transform";
  device = on;
  machine = on.kind == Device::Kind::cuda ? facts_of(on).name : simd::FftKernels::best().target;
  const bool is_real = fft::is_real_to_real(of.kind);
  inputs = {port_of("input", of.in, element_type(of.real, of.in, !is_real && of.kind != FftKind::real_to_complex))};
  outputs = {port_of("output", of.out, element_type(of.real, of.out, !is_real && of.kind != FftKind::complex_to_real))};
  for (std::size_t a = 0; a < of.in.extents.size(); ++a) {
    if (std::find(sizes.axes.begin(), sizes.axes.end(), a) != sizes.axes.end()) continue;
    cuts.push_back({fmt::format("axis {}", a), of.in.extents[a], {static_cast<int>(a)}, {static_cast<int>(a)}});
  }
  may_be_in_place = (is_real || of.kind == FftKind::complex_to_complex) && of.in == of.out;
  factor = its_factor.value_or(factor_of(of, sizes.product));
  add_passes(*this);
  workspace_bytes = between + of_passes == 0 ? 0 : between + of_passes + fft::workspace_alignment;
}

void Transform::run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const {
  const auto* from = static_cast<const std::byte*>(in[0].data) + request.in.offset;
  auto* to = static_cast<std::byte*>(out[0].data) + request.out.offset;
  const fft::Worker by =
      device.kind == Device::Kind::cuda ? fft::Worker{.stream = worker.stream().get()} : fft::Worker{.executor = &worker.executor()};
  std::byte* array_between = to;
  std::byte* passes_own = nullptr;
  if (workspace_bytes > 0) {
    const auto address = reinterpret_cast<std::uintptr_t>(workspace);
    std::byte* const begin = workspace + (fft::workspace_alignment - static_cast<std::int64_t>(address % fft::workspace_alignment));
    if (between > 0) array_between = begin;
    passes_own = begin + between;
  }
  const std::size_t n = passes.size();
  for (std::size_t i = 0; i < n; ++i) passes[i]->run(i == 0 ? from : array_between, i + 1 == n ? to : array_between, passes_own, by);
}

Operation Transform::part(const Ranges& part) const {
  FftRequest of = request;
  of.in = dense_part(of.in, needs(part)[0]);
  of.out = dense_part(of.out, gives(part)[0]);
  of.sizes = sizes.n;
  return Operation(std::make_shared<const Transform>(of, device, factor));
}

std::vector<Operation> Transform::stages() const {
  const std::size_t n = sizes.axes.size();
  if (n == 1) return {};
  const bool is_real = fft::is_real_to_real(request.kind), is_real_out = request.kind == FftKind::complex_to_real;
  std::vector<Operation> stages;
  Extents now = read_extents(request.in.extents, sizes);
  Layout in = request.in;
  in.extents = now;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = is_real_out ? k : n - 1 - k, axis = sizes.axes[i];
    FftRequest of = request;
    of.axes = {static_cast<std::int64_t>(axis)};
    of.sizes = {sizes.n[i]};
    of.kind = is_real || i + 1 == n ? request.kind : FftKind::complex_to_complex;
    now[axis] = of.kind == FftKind::real_to_complex ? sizes.n[i] / 2 + 1 : sizes.n[i];
    const std::int64_t part = request.real == FftReal::float64 ? 8 : 4;
    of.in = in;
    of.out = k + 1 == n ? request.out : Layout::dense(now, is_real ? part : 2 * part);
    if (of.real == FftReal::float16 && k > 0 && k + 1 < n) of.real = FftReal::float32;
    stages.emplace_back(std::make_shared<const Transform>(of, device, k == 0 ? factor : 1));
    in = of.out;
  }
  return stages;
}

Operation Transform::inverse() const {
  FftRequest of = request;
  std::swap(of.in, of.out);
  of.sizes = sizes.n;
  using enum FftKind;
  if (request.kind == real_to_complex || request.kind == complex_to_real)
    of.kind = request.kind == real_to_complex ? complex_to_real : real_to_complex;
  if (fft_extents(of.in.extents, of.axes, of.kind, of.sizes) != request.in.extents ||
      read_extents(request.in.extents, sizes) != request.in.extents)
    throw Error(ErrorCode::unsupported, "no inverse: this transform crops or pads its input");
  of.direction = of.direction == FftDirection::forward ? FftDirection::inverse : FftDirection::forward;
  if (of.shift == FftShift::input || of.shift == FftShift::output)
    of.shift = of.shift == FftShift::input ? FftShift::output : FftShift::input;
  std::optional<double> back;
  if (factor != factor_of(request, sizes.product)) back = 1 / (factor * sizes.product);
  return Operation(std::make_shared<const Transform>(of, device, back));
}

// On a GPU the tables there count, too, at most.
std::int64_t Transform::held_bytes() const {
  std::int64_t n = Model::held_bytes() + allocated_bytes(sizeof *this) + held_by(request.in, request.out, sizes.n, passes, costs);
  if (device.kind == Device::Kind::cuda)
    for (const std::int64_t length : sizes.n) n = add_product(n, length, request.real == FftReal::float64 ? 16 : 8);
  return n;
}

OperationCost Transform::cost() const {
  OperationCost all;
  for (const fft::Cost& cost : costs) {
    all.bytes += cost.bytes;
    all.operations += cost.operations;
  }
  return all;
}

std::string Transform::describe() const {
  std::string text =
      fmt::format("fft of [{}] {}: {} passes, {} bytes read and written, workspace {} bytes, {}\n", fmt::join(request.in.extents, "]["),
                  fft::name_of(request.real), passes.size(), cost().bytes, workspace_bytes, machine);
  for (const auto& pass : passes) text += "  " + pass->describe() + '\n';
  return text + "  " + fft::predicted(costs, request.real, device) + '\n';
}

}  // namespace

Operation plan(const FftRequest& request, Device device) { return Operation(std::make_shared<const Transform>(request, device)); }

FftPlan::FftPlan(const FftRequest& request, Device device) : operation_(plan(request, device)) {}

void FftPlan::run(ConstBuffer src, Buffer dst, Buffer workspace, Executor& executor) const {
  operation_.run({src}, {dst}, executor, workspace);
}
void FftPlan::run(ConstBuffer src, Buffer dst, Buffer workspace, const Stream& stream) const {
  operation_.run({src}, {dst}, stream, workspace);
}
std::int64_t FftPlan::workspace_bytes() const { return operation_.workspace_bytes(); }
std::int64_t FftPlan::n_points() const { return static_cast<const Transform&>(operation_.model()).sizes.n_points; }
std::string FftPlan::describe() const { return operation_.describe(); }

}  // namespace crinkle
