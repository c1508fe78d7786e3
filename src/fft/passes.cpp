// SPDX-License-Identifier: BSD-3-Clause
#include "fft/passes.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/checked.hpp"

namespace crinkle::fft {
namespace {

// One axis after another, with the extents that the array has reached so far.
class AxisByAxis {
 public:
  AxisByAxis(const FftRequest& request, const Sizes& sizes, double factor, bool may_be_in_place, Device device)
      : request_(request),
        sizes_(sizes),
        factor_(factor),
        may_be_in_place_(may_be_in_place),
        device_(device),
        now_(read_extents(request.in.extents, sizes)) {}

  void add(std::size_t i, const Layout& in, const Layout& out) {
    const std::size_t axis = sizes_.axes[i];
    const bool is_last = i + 1 == sizes_.axes.size(), is_first = steps_.empty();
    Step step{{}, axis, now_, &in, &out, 1, 0};
    Axis& of = step.of;
    of.kind = is_last || is_real_to_real(request_.kind) ? request_.kind : FftKind::complex_to_complex;
    of.n = sizes_.n[i];
    of.n_in = now_[axis];
    of.in = in.strides[axis];
    of.out = out.strides[axis];
    of.in_shift = is_shifted(FftShift::input) && of.kind != FftKind::complex_to_real ? of.n_in / 2 : 0;
    of.out_shift = is_shifted(FftShift::output) && of.kind != FftKind::real_to_complex ? of.n_out() / 2 : 0;
    of.direction = request_.direction;
    of.factor = is_first ? factor_ : 1;
    of.number = static_cast<int>(axis);
    for (std::size_t b = 0; b < now_.size(); ++b) {
      if (b == axis) continue;
      of.loops.push_back({now_[b], in.strides[b], out.strides[b]});
      step.n_lines *= now_[b];
    }
    std::stable_sort(of.loops.begin(), of.loops.end(), [](const Loop& a, const Loop& b) { return std::abs(a.out) > std::abs(b.out); });
    now_[axis] = of.n_out();
    of.may_be_in_place = !is_first || may_be_in_place_;
    of.is_orthonormal = request_.norm == FftNorm::ortho;
    of.in_is_float16 = is_float16(in, of.parts_in());
    of.out_is_float16 = is_float16(out, of.parts_out());
    const std::int64_t number = real() == FftReal::float64 ? 16 : 8;
    if (is_gpu()) check_memory(of.number, of.n, multiply(of.n, number), facts_of(device_).memory_bytes);  // its tables
    step.bytes = step.n_lines * (of.n_in * in.element_bytes + of.n_out() * out.element_bytes);
    steps_.push_back(std::move(step));
  }

  void make(Passes& passes) const {
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      const Step& step = steps_[k];
      std::unique_ptr<Pass> pass;
      Cost cost{step.bytes, operations_of(step.of, step.n_lines)};
      if (is_gpu() && k + 1 < steps_.size() && !is_real_to_real(request_.kind))
        pass = make_cuda_plane(plane_of(step, steps_[k + 1]), real(), device_);
      if (pass != nullptr) {
        const Step& next = steps_[++k];
        cost.bytes = step.n_lines * step.of.n_in * step.in->element_bytes + next.n_lines * next.of.n_out() * next.out->element_bytes;
        cost.operations += operations_of(next.of, next.n_lines);
      } else {
        pass = make(step.of);
        cost.bytes *= pass->times_through_memory();
      }
      passes.of_passes = std::max(passes.of_passes, pass->workspace_bytes());
      passes.costs.push_back(cost);
      passes.all.push_back(std::move(pass));
    }
  }

 private:
  struct Step {
    Axis of;
    std::size_t axis = 0;
    Extents before;  // of the array, before its pass
    const Layout *in = nullptr, *out = nullptr;
    std::int64_t n_lines = 1, bytes = 0;  // read and written
  };

  std::unique_ptr<Pass> make(const Axis& of) const {
    const bool is_cosine = is_real_to_real(of.kind);
    if (is_gpu()) return (is_cosine ? make_cuda_cosine_pass : make_cuda_pass)(of, real(), device_);
    if (of.in_is_float16 || of.out_is_float16) return make_float16_pass(of);
    return (is_cosine ? make_cosine_pass : make_pass)(of, real());
  }
  static AxisPair plane_of(const Step& first, const Step& second) {
    AxisPair pair{first.of,
                  second.of,
                  {first.before[second.axis], first.in->strides[second.axis], 0},
                  {second.before[first.axis], 0, second.out->strides[first.axis]},
                  {}};
    for (std::size_t b = 0; b < first.before.size(); ++b)
      if (b != first.axis && b != second.axis) pair.loops.push_back({first.before[b], first.in->strides[b], second.out->strides[b]});
    return pair;
  }
  bool is_gpu() const { return device_.kind == Device::Kind::cuda; }
  FftReal real() const { return request_.real == FftReal::float64 ? FftReal::float64 : FftReal::float32; }
  bool is_shifted(FftShift side) const { return request_.shift == side || request_.shift == FftShift::both; }
  bool is_float16(const Layout& layout, std::int64_t parts) const {
    return request_.real == FftReal::float16 && layout.element_bytes == 2 * parts;
  }

  const FftRequest& request_;
  const Sizes& sizes_;
  double factor_ = 1;
  bool may_be_in_place_ = false;
  Device device_;
  Extents now_;
  std::vector<Step> steps_;
};

}  // namespace

Extents read_extents(Extents extents, const Sizes& sizes) {
  for (std::size_t i = 0; i < sizes.axes.size(); ++i) extents[sizes.axes[i]] = std::min(extents[sizes.axes[i]], sizes.n_in(i));
  return extents;
}

Passes make_passes(const FftRequest& request, const Sizes& sizes, double factor, bool may_be_in_place, Device device) {
  Passes passes;
  const std::size_t n = sizes.axes.size();
  const bool is_real_out = request.kind == FftKind::complex_to_real;
  Layout between = request.out;
  if (n > 1 && (is_real_out || request.real == FftReal::float16)) {
    const std::int64_t part = request.real == FftReal::float64 ? 8 : 4;
    between = Layout::dense(sizes.between, part * (is_real_to_real(request.kind) ? 1 : 2));
    passes.between = multiply(ceil_divide(between.n_bytes(), workspace_alignment), workspace_alignment);
  }
  AxisByAxis axes(request, sizes, factor, may_be_in_place, device);
  for (std::size_t k = 0; k < n; ++k)
    axes.add(is_real_out ? k : n - 1 - k, k == 0 ? request.in : between, k + 1 == n ? request.out : between);
  axes.make(passes);
  return passes;
}

std::int64_t Passes::workspace_bytes() const { return between + of_passes == 0 ? 0 : between + of_passes + workspace_alignment; }

void Passes::run(const std::byte* in, std::byte* out, std::byte* workspace, Worker by) const {
  by.between = out;
  std::byte* own = nullptr;
  if (workspace_bytes() > 0) {
    const auto address = reinterpret_cast<std::uintptr_t>(workspace);
    std::byte* const begin = workspace + (workspace_alignment - static_cast<std::int64_t>(address % workspace_alignment));
    if (between > 0) by.between = begin;
    own = begin + between;
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i]->run(i == 0 ? in : by.between, i + 1 == all.size() ? out : by.between, own, by);
}

}  // namespace crinkle::fft
