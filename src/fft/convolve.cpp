// Convolution through transforms: F⁻¹(F a · F b), both padded with zeros to sizes that hold all of it, so that nothing wraps around: a
// transform each, their product, a transform back, and a move of the part that is wanted. The workspace has
//     the spectrum of the array that is not repeated | the other's, then the whole convolution | what a transform needs
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/checked.hpp"
#include "base/values.hpp"
#include "crinkle/error.hpp"
#include "crinkle/fft.hpp"
#include "cuda/device_buffers.hpp"
#include "fft/at.hpp"
#include "fft/product.hpp"
#include "fft/radices.hpp"
#include "fft/sizes.hpp"
#include "move/planned.hpp"

namespace crinkle {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_shape, text); }

/// Which axes are convolved, each once, in their order; all for none.
std::vector<bool> convolved_axes(std::size_t rank, const std::vector<std::int64_t>& axes) {
  std::vector<bool> are(rank, axes.empty());
  for (const std::int64_t axis : axes) {
    const std::int64_t place = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
    if (place < 0 || place >= static_cast<std::int64_t>(rank)) refuse(fmt::format("axis {} of arrays of {} axes", axis, rank));
    if (are[fft::at(place)]) refuse(fmt::format("axis {} is named twice", place));
    are[fft::at(place)] = true;
  }
  return are;
}

}  // namespace

Extents convolve_extents(const Extents& a, const Extents& b, ConvolveMode mode, const std::vector<std::int64_t>& axes) {
  if (a.size() != b.size() || a.empty())
    refuse(fmt::format("arrays of {} and {} axes cannot be convolved; give both the same, one or more", a.size(), b.size()));
  const std::vector<bool> are_convolved = convolved_axes(a.size(), axes);
  Extents result;
  bool a_holds_b = true, b_holds_a = true;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] < 1 || b[i] < 1) refuse(fmt::format("axis {} has {} and {} elements; a convolution needs one at least", i, a[i], b[i]));
    if (!are_convolved[i]) {
      if (a[i] != b[i] && a[i] != 1 && b[i] != 1)
        refuse(fmt::format("axis {} has {} and {} elements and is not convolved: give as many, or 1, which is repeated", i, a[i], b[i]));
      result.push_back(std::max(a[i], b[i]));
      continue;
    }
    a_holds_b = a_holds_b && a[i] >= b[i];
    b_holds_a = b_holds_a && b[i] >= a[i];
    result.push_back(mode == ConvolveMode::full   ? add(a[i], b[i]) - 1
                     : mode == ConvolveMode::same ? a[i]
                                                  : std::max(a[i], b[i]) - std::min(a[i], b[i]) + 1);
  }
  if (mode == ConvolveMode::valid && !a_holds_b && !b_holds_a)
    refuse(fmt::format("valid convolution of [{}] and [{}]: one must be at least as long as the other along every axis", fmt::join(a, ", "),
                       fmt::join(b, ", ")));
  return result;
}

struct ConvolvePlan::Data {
  ConvolveRequest request;
  Device device;
  fft::Span spans[3];      // of a, b and the output
  bool is_b_main = false;  // whose spectrum becomes the product
  Layout main, other, whole;
  std::unique_ptr<FftPlan> main_there, other_there, back;
  std::unique_ptr<fft::Product> product;
  std::unique_ptr<PlannedMove> window;
  std::int64_t main_bytes = 0, second_bytes = 0, of_transforms = 0;

  std::int64_t workspace() const { return add(add(main_bytes, second_bytes), add(of_transforms, fft::workspace_alignment)); }
  void plan_transforms();
  void check_buffers(ConstBuffer a, ConstBuffer b, Buffer dst, Buffer given) const;
  template <class By>
  void run(ConstBuffer a, ConstBuffer b, Buffer dst, Buffer given, By& by) const;
};

void ConvolvePlan::Data::plan_transforms() {
  const std::size_t rank = request.out.extents.size();
  const std::int64_t part = request.out.element_bytes;
  std::vector<bool> are_convolved = convolved_axes(rank, request.axes), are_transformed = are_convolved;
  // Along an axis where either has one element the other is multiplied by it. One axis at least is transformed.
  for (std::size_t i = 0; i < rank; ++i)
    if (request.a.extents[i] == 1 || request.b.extents[i] == 1) are_transformed[i] = false;
  if (std::find(are_transformed.begin(), are_transformed.end(), true) == are_transformed.end())
    are_transformed[fft::at(std::find(are_convolved.rbegin(), are_convolved.rend(), true).base() - are_convolved.begin() - 1)] = true;
  FftRequest there{.kind = FftKind::real_to_complex, .real = request.real};
  Extents all, main_others, start;
  std::int64_t more_of_a = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t na = request.a.extents[i], nb = request.b.extents[i];
    if (are_transformed[i]) {
      there.axes.push_back(static_cast<std::int64_t>(i));
      there.sizes.push_back(fft::smooth_length(add(na, nb) - 1, 2));
    } else {
      more_of_a += na == nb ? 0 : na > nb ? na : -nb;
    }
    all.push_back(are_transformed[i] ? there.sizes.back() : std::max(na, nb));
    start.push_back(!are_convolved[i] || request.mode == ConvolveMode::full ? 0
                    : request.mode == ConvolveMode::same                    ? (nb - 1) / 2
                                                                            : std::min(na, nb) - 1);
  }
  is_b_main = more_of_a < 0;
  Layout main_in = is_b_main ? request.b : request.a, other_in = is_b_main ? request.a : request.b;
  for (std::size_t i = 0; i < rank; ++i) {
    if (are_transformed[i] || main_in.extents[i] == all[i]) continue;
    main_in.extents[i] = all[i];
    main_in.strides[i] = 0;
  }
  const auto spectrum = [&](const Layout& in) {
    there.in = in;
    there.out = Layout::dense(fft_extents(in.extents, there.axes, there.kind, there.sizes), 2 * part);
    return std::make_unique<FftPlan>(there, device);
  };
  other_there = spectrum(other_in);
  other = there.out;
  main_there = spectrum(main_in);
  main = there.out;
  product = std::make_unique<fft::Product>(main.extents, other, request.real);
  whole = Layout::dense(all, part);
  back = std::make_unique<FftPlan>(FftRequest{.in = main,
                                              .out = whole,
                                              .axes = there.axes,
                                              .kind = FftKind::complex_to_real,
                                              .direction = FftDirection::inverse,
                                              .real = request.real,
                                              .sizes = there.sizes},
                                   device);
  Layout part_of_whole{request.out.extents, whole.strides, 0, part};
  for (std::size_t i = 0; i < rank; ++i) part_of_whole.offset = add_product(part_of_whole.offset, start[i], whole.strides[i]);
  window = std::make_unique<PlannedMove>(Rearrangement(part_of_whole).into(request.out).steps(), machine_of(device), device, 1, 1);
  main_bytes = fft::aligned_bytes(main.n_bytes());
  second_bytes = fft::aligned_bytes(std::max(other.n_bytes(), whole.n_bytes()));
  of_transforms = std::max({main_there->workspace_bytes(), other_there->workspace_bytes(), back->workspace_bytes()});
}

void ConvolvePlan::Data::check_buffers(ConstBuffer a, ConstBuffer b, Buffer dst, Buffer given) const {
  const ValueForm numbers = ValueForm::numbers(request.out.element_bytes);
  check_values(a, numbers, "array a", "the convolution");
  check_values(b, numbers, "array b", "the convolution");
  check_values(dst, numbers, "output", "the convolution");
  fft::check_buffers(spans[0], spans[2], false, a, dst);
  fft::check_buffers(spans[1], spans[2], false, b, dst);
  fft::check_workspace(workspace(), given, a, dst);
  fft::check_workspace(workspace(), given, b, dst);
}

// Of buffers that are checked, by an executor or on a stream.
template <class By>
void ConvolvePlan::Data::run(ConstBuffer a, ConstBuffer b, Buffer dst, Buffer given, By& by) const {
  const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(given.data) % fft::workspace_alignment);
  std::byte* const first = static_cast<std::byte*>(given.data) + (fft::workspace_alignment - address);
  std::byte* const second = first + main_bytes;
  const Buffer own{second + second_bytes, of_transforms}, of_whole{second, whole.n_bytes()};
  other_there->run(is_b_main ? a : b, {second, other.n_bytes()}, own, by);
  main_there->run(is_b_main ? b : a, {first, main.n_bytes()}, own, by);
  product->run(first, second, by);
  back->run({first, main.n_bytes()}, of_whole, own, by);
  const ConstBuffer from = of_whole;
  window->run({&from, 1}, {&dst, 1}, {}, by);
}

ConvolvePlan::ConvolvePlan(const ConvolveRequest& request, Device device) {
  if (request.real == FftReal::float16)
    throw Error(ErrorCode::unsupported, "convolutions are of float32 and float64; convert float16 arrays to float32 first");
  const Extents wanted = convolve_extents(request.a.extents, request.b.extents, request.mode, request.axes);
  if (request.a.strides.size() != wanted.size() || request.b.strides.size() != wanted.size())
    refuse(fmt::format("arrays of {} axes with {} and {} strides", wanted.size(), request.a.strides.size(), request.b.strides.size()));
  const std::int64_t part = request.real == FftReal::float32 ? 4 : 8;
  const Layout& out = request.out;
  if (out.extents != wanted || out.strides.size() != wanted.size() || out.element_bytes != part) {
    refuse(fmt::format("the output has the extents [{}] of {} bytes; this convolution gives [{}] of {}", fmt::join(out.extents, ", "),
                       out.element_bytes, fmt::join(wanted, ", "), part));
  }
  auto data = std::make_shared<Data>();
  data->request = request;
  data->device = device;
  data->spans[0] = fft::span_of(request.a);
  data->spans[1] = fft::span_of(request.b);
  data->spans[2] = fft::span_of(out);
  if (request.is_correlation) {  // b backwards
    const std::vector<bool> are_convolved = convolved_axes(wanted.size(), request.axes);
    Layout& b = data->request.b;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!are_convolved[i]) continue;
      b.offset = add_product(b.offset, b.strides[i], b.extents[i] - 1);
      b.strides[i] = -b.strides[i];
    }
  }
  data->plan_transforms();
  data_ = std::move(data);
}

void ConvolvePlan::run(ConstBuffer a, ConstBuffer b, Buffer dst, Buffer workspace, Executor& executor) const {
  if (data_->device.kind != Device::Kind::cpu)
    throw Error(ErrorCode::device, "this convolution is planned for a GPU: run it on a stream, not with an executor of the CPU");
  data_->check_buffers(a, b, dst, workspace);
  data_->run(a, b, dst, workspace, executor);
}

void ConvolvePlan::run(ConstBuffer a, ConstBuffer b, Buffer dst, Buffer workspace, const Stream& stream) const {
  gpu::check_built(data_->device);
  if (data_->device.kind != Device::Kind::cuda)
    throw Error(ErrorCode::device, "this convolution is planned for the CPU: run it with an executor, or plan it for cuda(n)");
  data_->check_buffers(a, b, dst, workspace);
  const gpu::OnDevice on(data_->device.index);
  gpu::check_device_buffers({{a.data, "a"}, {b.data, "b"}, {dst.data, "the output"}, {workspace.data, "the workspace"}},
                            data_->device.index, stream);
  data_->run(a, b, dst, workspace, stream);
}

std::int64_t ConvolvePlan::workspace_bytes() const { return data_->workspace(); }

std::string ConvolvePlan::describe() const {
  const Data& d = *data_;
  return fmt::format("{} of [{}] and [{}]: two transforms, their product, a transform back and a move, workspace {} bytes\n{}{}{}",
                     d.request.is_correlation ? "correlation" : "convolution", fmt::join(d.request.a.extents, "]["),
                     fmt::join(d.request.b.extents, "]["), d.workspace(), d.main_there->describe(), d.other_there->describe(),
                     d.back->describe());
}

void fft_convolve(const ConstArray& a, const ConstArray& b, const Layout& out, Buffer dst, ConvolveMode mode, FftReal real,
                  Executor& executor) {
  const ConvolvePlan plan({.a = a.layout, .b = b.layout, .out = out, .mode = mode, .real = real});
  std::vector<std::byte> workspace(fft::at(plan.workspace_bytes()));
  plan.run(a.data, b.data, dst, workspace, executor);
}

}  // namespace crinkle
