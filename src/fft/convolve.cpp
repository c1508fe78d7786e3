// Convolution through transforms: F⁻¹(F a · F b), both padded with zeros to sizes that hold all of it, so that nothing wraps around: a
// transform each, their product, a transform back, and a move of the part that is wanted. Along axes that are cut into blocks the longer
// array's are windows of it that overlap, and every move takes of their results what did not wrap around. The workspace has
//     the spectrum of the array that is not repeated | the other's, then the whole convolution | what a transform needs | that array with
//     zeros around it, if it is cut
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/checked.hpp"
#include "base/fingerprint.hpp"
#include "crinkle/error.hpp"
#include "crinkle/fft.hpp"
#include "fft/at.hpp"
#include "fft/blocks.hpp"
#include "fft/convolve_extents.hpp"
#include "fft/product.hpp"
#include "fft/radices.hpp"
#include "fft/sizes.hpp"
#include "move/planned.hpp"
#include "operation/model.hpp"

namespace crinkle {
namespace {

class Convolution final : public Operation::Model {
 public:
  Convolution(const ConvolveRequest& of, Device on);

  void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const override;
  std::vector<Ranges> needs(const Ranges& part) const override;
  Operation part(const Ranges& part) const override;
  OperationCost cost() const override;
  std::string describe() const override;
  std::int64_t held_bytes() const override;
  std::uint64_t fingerprint() const override { return Fingerprint().of(asked_).number(); }

 private:
  void plan_transforms();

  ConvolveRequest asked_, request_;  // of a correlation b lies backwards
  bool is_b_main_ = false;           // whose spectrum becomes the product
  std::vector<fft::AxisBlocks> blocks_;
  Layout main_, other_, whole_;
  std::unique_ptr<PlannedMove> widening_;  // puts zeros around the main array
  std::optional<FftPlan> main_there_, other_there_, back_;
  std::unique_ptr<fft::Product> product_;
  std::vector<PlannedMove> windows_;
  std::int64_t main_bytes_ = 0, second_bytes_ = 0, of_transforms_ = 0, wide_bytes_ = 0;
};

void Convolution::plan_transforms() {
  const std::size_t rank = request_.out.extents.size();
  const std::int64_t element = request_.out.element_bytes, pair = request_.is_complex ? element : 2 * element;
  const std::int64_t multiple = request_.is_complex ? 1 : 2;
  std::vector<bool> are_convolved = fft::convolved_axes(rank, request_.axes), are_transformed = are_convolved;
  // Along an axis where either has one element the other is multiplied by it. One axis at least is transformed.
  for (std::size_t i = 0; i < rank; ++i)
    if (request_.a.extents[i] == 1 || request_.b.extents[i] == 1) are_transformed[i] = false;
  if (std::find(are_transformed.begin(), are_transformed.end(), true) == are_transformed.end())
    are_transformed[fft::at(std::find(are_convolved.rbegin(), are_convolved.rend(), true).base() - are_convolved.begin() - 1)] = true;
  Extents start;
  std::int64_t more_of_a = 0;
  double longer_a = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t na = request_.a.extents[i], nb = request_.b.extents[i];
    if (are_transformed[i]) longer_a += std::log2(static_cast<double>(na)) - std::log2(static_cast<double>(nb));
    else more_of_a += na == nb ? 0 : na > nb ? na : -nb;
    start.push_back(!are_convolved[i] || request_.mode == ConvolveMode::full ? 0
                    : request_.mode == ConvolveMode::same                    ? (nb - 1) / 2
                                                                             : std::min(na, nb) - 1);
  }
  is_b_main_ = more_of_a < 0 || (more_of_a == 0 && longer_a < 0);
  Layout main_in = is_b_main_ ? request_.b : request_.a, other_in = is_b_main_ ? request_.a : request_.b;
  std::vector<fft::ConvolvedAxis> axes;
  for (std::size_t i = 0; i < rank; ++i)
    axes.push_back({main_in.extents[i], other_in.extents[i], start[i], request_.out.extents[i], are_transformed[i]});
  blocks_ = device.kind == Device::Kind::cpu ? fft::cheapest_blocks(axes, multiple) : fft::whole_axes(axes, multiple);
  if (fft::is_cut(blocks_)) {
    widening_ = std::make_unique<PlannedMove>(fft::widening(axes, blocks_, main_in, device));
    wide_bytes_ = fft::aligned_bytes(main_in.n_bytes()) + widening_->workspace_bytes;
  }
  FftRequest there{.kind = request_.is_complex ? FftKind::complex_to_complex : FftKind::real_to_complex, .real = request_.real};
  Layout main_view{{}, {}, main_in.offset, element}, other_view{{}, {}, other_in.offset, element};
  Extents all;
  for (std::size_t i = 0; i < rank; ++i) {
    if (blocks_[i].is_cut()) {
      all.push_back(blocks_[i].count);
      main_view.extents.push_back(blocks_[i].count);
      main_view.strides.push_back(multiply(blocks_[i].step, main_in.strides[i]));
      other_view.extents.push_back(1);
      other_view.strides.push_back(0);
    }
    if (are_transformed[i]) {
      there.axes.push_back(std::ssize(all));
      there.sizes.push_back(blocks_[i].n);
    }
    all.push_back(blocks_[i].n);
    const bool is_repeated = !are_transformed[i] && main_in.extents[i] != blocks_[i].n;
    main_view.extents.push_back(blocks_[i].is_cut() || is_repeated ? blocks_[i].n : main_in.extents[i]);
    main_view.strides.push_back(is_repeated ? 0 : main_in.strides[i]);
    other_view.extents.push_back(other_in.extents[i]);
    other_view.strides.push_back(other_in.strides[i]);
  }
  const auto spectrum = [&](const Layout& in) {
    there.in = in;
    there.out = Layout::dense(fft_extents(in.extents, there.axes, there.kind, there.sizes), pair);
    return FftPlan(there, device);
  };
  other_there_ = spectrum(other_view);
  other_ = there.out;
  main_there_ = spectrum(main_view);
  main_ = there.out;
  product_ = std::make_unique<fft::Product>(main_.extents, other_, request_.real);
  whole_ = Layout::dense(all, element);
  back_.emplace(FftRequest{.in = main_,
                           .out = whole_,
                           .axes = there.axes,
                           .kind = request_.is_complex ? FftKind::complex_to_complex : FftKind::complex_to_real,
                           .direction = FftDirection::inverse,
                           .real = request_.real,
                           .sizes = there.sizes},
                device);
  windows_ = fft::windows(axes, blocks_, whole_, request_.out, device);
  main_bytes_ = fft::aligned_bytes(main_.n_bytes());
  second_bytes_ = fft::aligned_bytes(std::max(other_.n_bytes(), whole_.n_bytes()));
  for (const PlannedMove& window : windows_) of_transforms_ = std::max(of_transforms_, window.workspace_bytes);
  of_transforms_ = std::max({of_transforms_, main_there_->workspace_bytes(), other_there_->workspace_bytes(), back_->workspace_bytes()});
  if (wide_bytes_ > 0) of_transforms_ = fft::aligned_bytes(of_transforms_);
}

Convolution::Convolution(const ConvolveRequest& of, Device on) : asked_(of), request_(of) {
  if (of.real == FftReal::float16)
    throw Error(ErrorCode::unsupported, "convolutions are of float32 and float64; convert float16 arrays to float32 first");
  const Extents wanted = convolve_extents(of.a.extents, of.b.extents, of.mode, of.axes);
  if (of.a.strides.size() != wanted.size() || of.b.strides.size() != wanted.size())
    fft::refuse_shape(fmt::format("arrays of {} axes with {} and {} strides", wanted.size(), of.a.strides.size(), of.b.strides.size()));
  const std::int64_t part = (of.real == FftReal::float32 ? 4 : 8) * (of.is_complex ? 2 : 1);
  const Layout& out = of.out;
  if (out.extents != wanted || out.strides.size() != wanted.size() || out.element_bytes != part) {
    fft::refuse_shape(fmt::format("the output has the extents [{}] of {} bytes; this convolution gives [{}] of {}",
                                  fmt::join(out.extents, ", "), out.element_bytes, fmt::join(wanted, ", "), part));
  }
  name = of.is_correlation ? "correlation" : "convolution";
  device = on;
  machine = on.kind == Device::Kind::cuda ? facts_of(on).name : "this CPU";
  const ElementType type{{of.real == FftReal::float32 ? Number::float32 : Number::float64}, of.is_complex};
  inputs = {port_of("array a", of.a, type), port_of("array b", of.b, type)};
  outputs = {port_of("output", out, type)};
  const std::vector<bool> are_convolved = fft::convolved_axes(wanted.size(), of.axes);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const int axis = static_cast<int>(i);
    if (!are_convolved[i]) {
      cuts.push_back({fmt::format("axis {}", i), wanted[i], {axis, axis}, {axis}});
    } else if (of.is_correlation) {  // b backwards
      request_.b.offset = add_product(request_.b.offset, of.b.strides[i], of.b.extents[i] - 1);
      request_.b.strides[i] = -of.b.strides[i];
    }
  }
  plan_transforms();
  workspace_bytes = add(add(main_bytes_, second_bytes_), add(add(of_transforms_, wide_bytes_), fft::workspace_alignment));
}

void Convolution::run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const {
  const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(workspace) % fft::workspace_alignment);
  std::byte* const first = workspace + (fft::workspace_alignment - address);
  std::byte* const second = first + main_bytes_;
  const Buffer own{second + second_bytes_, of_transforms_}, of_whole{second, whole_.n_bytes()};
  const ConstBuffer &main_in = in[is_b_main_ ? 1 : 0], &other_in = in[is_b_main_ ? 0 : 1];
  const Buffer wide{second + second_bytes_ + of_transforms_, wide_bytes_};
  const auto run_by = [&](auto& by) {
    other_there_->run(other_in, {second, other_.n_bytes()}, own, by);
    if (widening_) {
      const std::int64_t n = wide_bytes_ - widening_->workspace_bytes;
      widening_->run({&main_in, 1}, {&wide, 1}, {static_cast<std::byte*>(wide.data) + n, widening_->workspace_bytes}, by);
    }
    main_there_->run(widening_ ? ConstBuffer(wide) : main_in, {first, main_.n_bytes()}, own, by);
    product_->run(first, second, by);
    back_->run({first, main_.n_bytes()}, of_whole, own, by);
    const ConstBuffer from = of_whole;
    for (const PlannedMove& window : windows_) window.run({&from, 1}, out, own, by);
  };
  if (device.kind == Device::Kind::cuda) run_by(worker.stream());
  else run_by(worker.executor());
}

// An axis that is repeated is there whole.
std::vector<Ranges> Convolution::needs(const Ranges& part) const {
  std::vector<Ranges> all = along(inputs, &Cut::inputs, part);
  for (std::size_t p = 0; p < all.size(); ++p) {
    for (const Cut& cut : cuts) {
      const std::size_t axis = fft::at(cut.inputs[p]);
      if (inputs[p].layout.extents[axis] != cut.extent) all[p][axis] = {0, inputs[p].layout.extents[axis]};
    }
  }
  return all;
}

Operation Convolution::part(const Ranges& part) const {
  const std::vector<Ranges> needed = needs(part);
  ConvolveRequest of = asked_;
  of.a = dense_part(of.a, needed[0]);
  of.b = dense_part(of.b, needed[1]);
  of.out = dense_part(of.out, gives(part)[0]);
  return Operation(std::make_shared<const Convolution>(of, device));
}

OperationCost Convolution::cost() const {
  OperationCost all{.bytes = 3 * main_.n_bytes() + other_.n_bytes() + 2 * request_.out.n_bytes()};
  for (const std::optional<FftPlan>* transform : {&main_there_, &other_there_, &back_}) {
    const OperationCost its = (*transform)->operation().cost();
    all.bytes += its.bytes;
    all.operations += its.operations;
  }
  return all;
}

std::int64_t Convolution::held_bytes() const {
  std::int64_t n = Model::held_bytes() + allocated_bytes(sizeof *this) + held_by(asked_.a, asked_.b, asked_.out, main_, other_, whole_);
  n += held_by(request_.a, request_.b, request_.out, windows_, widening_, blocks_);
  for (const std::optional<FftPlan>* transform : {&main_there_, &other_there_, &back_}) n += (*transform)->operation().held_bytes();
  return n;
}

std::string Convolution::describe() const {
  std::string cuts_text;
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    if (blocks_[i].is_cut()) cuts_text += fmt::format(", {} blocks of {} numbers along axis {}", blocks_[i].count, blocks_[i].n, i);
  return fmt::format("{} of [{}] and [{}]: two transforms, their product, a transform back and {}{}, workspace {} bytes\n{}{}{}", name,
                     fmt::join(request_.a.extents, "]["), fmt::join(request_.b.extents, "]["),
                     windows_.size() == 1 ? "a move" : fmt::format("{} moves", windows_.size()), cuts_text, workspace_bytes,
                     main_there_->describe(), other_there_->describe(), back_->describe());
}

}  // namespace

Operation plan(const ConvolveRequest& request, Device device) { return Operation(std::make_shared<const Convolution>(request, device)); }

ConvolvePlan::ConvolvePlan(const ConvolveRequest& request, Device device) : operation_(plan(request, device)) {}

void ConvolvePlan::run(ConstBuffer a, ConstBuffer b, Buffer dst, Buffer workspace, Executor& executor) const {
  operation_.run({a, b}, {dst}, executor, workspace);
}
void ConvolvePlan::run(ConstBuffer a, ConstBuffer b, Buffer dst, Buffer workspace, const Stream& stream) const {
  operation_.run({a, b}, {dst}, stream, workspace);
}
std::int64_t ConvolvePlan::workspace_bytes() const { return operation_.workspace_bytes(); }
std::string ConvolvePlan::describe() const { return operation_.describe(); }

void fft_convolve(const ConstArray& a, const ConstArray& b, const Layout& out, Buffer dst, ConvolveMode mode, FftReal real,
                  Executor& executor) {
  const ConvolvePlan plan({.a = a.layout, .b = b.layout, .out = out, .mode = mode, .real = real});
  plan.run(a.data, b.data, dst, {}, executor);
}

}  // namespace crinkle
