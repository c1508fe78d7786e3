// What is asked of a transform is checked here, and made into passes, an axis each:
//     complex            axis by axis, the first pass from `in` to `out`, the others in `out`
//     real to complex    the last of the axes first, which halves it, then the others in `out`
//     complex to real    the others into a workspace, then the last, from there to `out`
// Of float16 all that lies between two axes is float32, in a workspace.
// Sizes: an axis that was not transformed yet is read only as far as its N goes, so cropping and padding cost no pass.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/checked.hpp"
#include "base/values.hpp"
#include "crinkle/error.hpp"
#include "cuda/device_buffers.hpp"
#include "fft/pass.hpp"
#include "fft/predict.hpp"
#include "fft/sizes.hpp"

namespace crinkle {

struct FftPlan::Data {
  FftRequest request;
  Device device;
  std::string machine;
  std::vector<std::unique_ptr<fft::Pass>> passes;
  std::vector<fft::Cost> costs;  // of each
  std::int64_t n_points = 0;
  std::int64_t between = 0, of_passes = 0;  // bytes of the workspace: of an array between, and of a pass
  std::int64_t workspace() const { return between + of_passes == 0 ? 0 : between + of_passes + fft::workspace_alignment; }
  fft::Span in, out;
  bool may_be_in_place = false;

  bool is_empty() const { return out.begin == out.end; }
  void run(ConstBuffer src, Buffer dst, Buffer workspace, const fft::Worker& by) const;
  void check_buffers(ConstBuffer src, Buffer dst) const;
};

// Of buffers that are checked.
void FftPlan::Data::check_buffers(ConstBuffer src, Buffer dst) const {
  const FftKind kind = request.kind;
  const bool is_real = fft::is_real_to_real(kind);
  check_values(src, ValueForm::numbers(request.in.element_bytes, is_real || kind == FftKind::real_to_complex ? 1 : 2), "input",
               "the transform");
  check_values(dst, ValueForm::numbers(request.out.element_bytes, is_real || kind == FftKind::complex_to_real ? 1 : 2), "output",
               "the transform");
  fft::check_buffers(in, out, may_be_in_place, src, dst);
}

void FftPlan::Data::run(ConstBuffer src, Buffer dst, Buffer given, const fft::Worker& by) const {
  const auto* from = static_cast<const std::byte*>(src.data) + request.in.offset;
  auto* to = static_cast<std::byte*>(dst.data) + request.out.offset;
  std::byte* array_between = to;
  std::byte* passes_own = nullptr;
  if (workspace() > 0) {
    fft::check_workspace(workspace(), given, src, dst);
    const auto address = reinterpret_cast<std::uintptr_t>(given.data);
    auto* begin =
        static_cast<std::byte*>(given.data) + (fft::workspace_alignment - static_cast<std::int64_t>(address % fft::workspace_alignment));
    if (between > 0) array_between = begin;
    passes_own = begin + between;
  }
  const std::size_t n = passes.size();
  for (std::size_t i = 0; i < n; ++i) passes[i]->run(i == 0 ? from : array_between, i + 1 == n ? to : array_between, passes_own, by);
}

namespace {

double factor_of(const FftRequest& request, double n) {
  const bool is_inverse = request.direction == FftDirection::inverse;
  if (request.norm == FftNorm::ortho) return 1 / std::sqrt(n);
  return is_inverse == (request.norm == FftNorm::backward) ? 1 / n : 1;
}

// One axis after another, with the extents that the array has reached so far.
class Passes {
 public:
  Passes(const FftRequest& request, const fft::Sizes& sizes, FftPlan::Data& data) : request_(request), sizes_(sizes), data_(data) {
    now_ = request.in.extents;
    for (std::size_t i = 0; i < sizes.axes.size(); ++i) {
      std::int64_t& extent = now_[sizes.axes[i]];
      extent = std::min(extent, sizes.n_in(i));
    }
  }

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
    of.factor = data_.passes.empty() ? factor_of(request_, sizes_.product) : 1;
    of.number = static_cast<int>(axis);
    std::int64_t others = 1;
    for (std::size_t b = 0; b < now_.size(); ++b) {
      if (b == axis) continue;
      of.loops.push_back({now_[b], in.strides[b], out.strides[b]});
      others *= now_[b];
    }
    std::stable_sort(of.loops.begin(), of.loops.end(),
                     [](const fft::Loop& a, const fft::Loop& b) { return std::abs(a.out) > std::abs(b.out); });
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
  FftPlan::Data& data_;
  Extents now_;
};

void add_passes(const fft::Sizes& sizes, FftPlan::Data& data) {
  const FftRequest& request = data.request;
  const std::size_t n = sizes.axes.size();
  const bool is_real_out = request.kind == FftKind::complex_to_real;
  Layout between = request.out;
  if (n > 1 && (is_real_out || request.real == FftReal::float16)) {
    const std::int64_t part = request.real == FftReal::float64 ? 8 : 4;
    between = Layout::dense(sizes.between, part * (fft::is_real_to_real(request.kind) ? 1 : 2));
    data.between = multiply(ceil_divide(between.n_bytes(), fft::workspace_alignment), fft::workspace_alignment);
  }
  Passes passes(request, sizes, data);
  for (std::size_t k = 0; k < n; ++k)
    passes.add(is_real_out ? k : n - 1 - k, k == 0 ? request.in : between, k + 1 == n ? request.out : between);
}

}  // namespace

FftPlan::FftPlan(const FftRequest& request, Device device) {
  auto data = std::make_shared<Data>();
  data->request = request;
  data->device = device;
  const bool is_gpu = device.kind == Device::Kind::cuda;
  data->machine = is_gpu ? facts_of(device).name : simd::FftKernels::best().target;
  const fft::Sizes sizes = fft::check_request(request);
  data->in = fft::span_of(request.in);
  data->out = fft::span_of(request.out);
  data->n_points = sizes.n_points;
  data->may_be_in_place = (request.kind == FftKind::complex_to_complex || fft::is_real_to_real(request.kind)) && request.in == request.out;
  add_passes(sizes, *data);
  data_ = std::move(data);
}

void FftPlan::run(ConstBuffer src, Buffer dst, Buffer workspace, Executor& executor) const {
  const Data& data = *data_;
  if (data.device.kind != Device::Kind::cpu)
    throw Error(ErrorCode::device,
                "this transform is planned for " + data.machine + ": run it on a stream, not with an executor of the CPU");
  data.check_buffers(src, dst);
  if (!data.is_empty()) data.run(src, dst, workspace, {.executor = &executor});
}

void FftPlan::run(ConstBuffer src, Buffer dst, Buffer workspace, const Stream& stream) const {
  const Data& data = *data_;
  gpu::check_built(data.device);
  if (data.device.kind != Device::Kind::cuda)
    throw Error(ErrorCode::device, "this transform is planned for the CPU: run it with an executor, or plan it for cuda(n)");
  data.check_buffers(src, dst);
  if (data.is_empty()) return;
  const gpu::OnDevice on(data.device.index);
  gpu::check_device_buffers({{src.data, "the input"}, {dst.data, "the output"}}, data.device.index, stream);
  if (data.workspace() > 0 && workspace.data != nullptr)
    gpu::check_device_buffers({{workspace.data, "the workspace"}}, data.device.index, stream);
  data.run(src, dst, workspace, {.stream = stream.get()});
}

std::int64_t FftPlan::workspace_bytes() const { return data_->workspace(); }
std::int64_t FftPlan::n_points() const { return data_->n_points; }

std::string FftPlan::describe() const {
  std::int64_t bytes = 0;
  for (const fft::Cost& cost : data_->costs) bytes += cost.bytes;
  std::string text = fmt::format("fft of [{}] {}: {} passes, {} bytes read and written, workspace {} bytes, {}\n",
                                 fmt::join(data_->request.in.extents, "]["), fft::name_of(data_->request.real), data_->passes.size(), bytes,
                                 data_->workspace(), data_->machine);
  for (const auto& pass : data_->passes) text += "  " + pass->describe() + '\n';
  return text + "  " + fft::predicted(data_->costs, data_->request.real, data_->device) + '\n';
}

}  // namespace crinkle
