// Checks the request for a transform and makes it into passes (fft/passes.hpp).
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
#include "fft/passes.hpp"
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
  fft::Passes passes;
};

double factor_of(const FftRequest& request, double n) {
  const bool is_inverse = request.direction == FftDirection::inverse;
  if (request.norm == FftNorm::ortho) return 1 / std::sqrt(n);
  return is_inverse == (request.norm == FftNorm::backward) ? 1 / n : 1;
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
  passes = fft::make_passes(request, sizes, factor, may_be_in_place, device);
  workspace_bytes = passes.workspace_bytes();
}

void Transform::run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const {
  const auto* from = static_cast<const std::byte*>(in[0].data) + request.in.offset;
  auto* to = static_cast<std::byte*>(out[0].data) + request.out.offset;
  const fft::Worker by =
      device.kind == Device::Kind::cuda ? fft::Worker{.stream = worker.stream().get()} : fft::Worker{.executor = &worker.executor()};
  passes.run(from, to, workspace, by);
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
  Extents now = fft::read_extents(request.in.extents, sizes);
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
      fft::read_extents(request.in.extents, sizes) != request.in.extents)
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
  std::int64_t n =
      Model::held_bytes() + allocated_bytes(sizeof *this) + held_by(request.in, request.out, sizes.n, passes.all, passes.costs);
  if (device.kind == Device::Kind::cuda)
    for (const std::int64_t length : sizes.n) n = add_product(n, length, request.real == FftReal::float64 ? 16 : 8);
  return n;
}

OperationCost Transform::cost() const {
  OperationCost all;
  for (const fft::Cost& cost : passes.costs) {
    all.bytes += cost.bytes;
    all.operations += cost.operations;
  }
  return all;
}

std::string Transform::describe() const {
  std::string text =
      fmt::format("fft of [{}] {}: {} passes, {} bytes read and written, workspace {} bytes, {}\n", fmt::join(request.in.extents, "]["),
                  fft::name_of(request.real), passes.all.size(), cost().bytes, workspace_bytes, machine);
  for (const auto& pass : passes.all) text += "  " + pass->describe() + '\n';
  return text + "  " + fft::predicted(passes.costs, request.real, device) + '\n';
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
