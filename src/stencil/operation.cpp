// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/operation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked.hpp"
#include "base/loops.hpp"
#include "base/number_lines.hpp"
#include "stencil/check.hpp"
#include "stencil/cpu/sweep.hpp"
#include "stencil/reach.hpp"
#include "stencil/reference.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t alignment = 256;  // bytes, of arrays between passes

std::int64_t aligned(std::int64_t bytes) { return multiply(ceil_divide(bytes, alignment), alignment); }

// How far the passes reach along an axis of the stencil, the last pass first.
struct Reach {
  std::int64_t below = 0, above = 0;
};
std::vector<Reach> reaches_of(const LinearStencil& stencil, int axis) {
  std::vector<Reach> reaches;
  for (std::size_t p = stencil.passes.size(); p-- > 0;) {
    const std::vector<std::int64_t>& offsets = stencil.passes[p].offsets;
    Reach reach;
    for (auto i = static_cast<std::size_t>(axis); i < offsets.size(); i += static_cast<std::size_t>(stencil.rank)) {
      reach.below = std::max(reach.below, -offsets[i]);
      reach.above = std::max(reach.above, offsets[i]);
    }
    reaches.push_back(reach);
  }
  return reaches;
}

}  // namespace

// Cells of an axis need a range of the source, and begin at a place in it. A side that is cut has no face.
struct SweptArray::Window {
  Range needed;
  std::int64_t begin = 0;
  int stencil_axis = -1;
  bool is_low_cut = false, is_high_cut = false;
};

SweptArray::SweptArray(Sweep of, Device on, Ranges its_made) : sweep_(std::move(of)), made_(std::move(its_made)) {
  name = "sweep";
  device = on;
  inputs = {port_of("source", sweep_.source, {sweep_.source_type})};
  outputs = {port_of("destination", sweep_.destination, {sweep_.destination_type})};
  const bool is_part = !made_.empty();
  for (std::size_t a = 0; a < sweep_.source.extents.size(); ++a) {
    if (!is_part) made_.push_back({0, sweep_.source.extents[a]});
    const int axis = static_cast<int>(a);
    cuts.push_back({fmt::format("axis {}", a), made_[a].n, {axis}, {axis}});
    sweep_.destination.offset = add_product(sweep_.destination.offset, -made_[a].first, sweep_.destination.strides[a]);
  }
  sweep_.destination.extents = sweep_.source.extents;
  if (on.kind == Device::Kind::cuda) {
    on_gpu_ = make_cuda_sweep(sweep_, made_, on);
    machine = facts_of(on).name;
  } else {
    plan_ = plan_sweep(sweep_, made_);
    machine = simd::StencilKernels::best().target;
  }
  if (n_buffers() > 0) workspace_bytes = add_product(alignment, n_buffers(), aligned(buffer_bytes()));
}

std::array<std::byte*, 2> SweptArray::buffers(std::byte* workspace) const {
  if (workspace == nullptr) return {};
  const auto address = reinterpret_cast<std::uintptr_t>(workspace);
  std::byte* const first = workspace + (alignment - static_cast<std::int64_t>(address % alignment));
  return {first, first + (n_buffers() > 1 ? aligned(buffer_bytes()) : 0)};
}

void SweptArray::run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const {
  if (on_gpu_) run(in[0], out[0], workspace, worker.stream().get());
  else run(in[0], out[0], workspace, worker.executor(), {});
}

void SweptArray::run(ConstBuffer source, Buffer destination, std::byte* workspace, Executor& executor,
                     const std::function<void()>& passed) const {
  run_passes(plan_, static_cast<const std::byte*>(source.data), static_cast<std::byte*>(destination.data), buffers(workspace), executor,
             passed);
}

void SweptArray::run(ConstBuffer source, Buffer destination, std::byte* workspace, CUstream_st* stream) const {
  on_gpu_->run(static_cast<const std::byte*>(source.data), static_cast<std::byte*>(destination.data), buffers(workspace), stream);
}

// All of the window, step by step, of which the part is taken.
void SweptArray::define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const {
  Sweep of = sweep_;
  of.steps = 1;
  of.destination = Layout::dense(of.source.extents, of.destination.element_bytes);
  std::vector<std::byte> all(static_cast<std::size_t>(of.destination.n_bytes())), before;
  sweep_reference(of, static_cast<const std::byte*>(in[0].data), all.data());
  // Later steps read what the one before wrote, with sums of the same type.
  const bool are_float32 = sums_are_float32(sweep_.source_type, sweep_.destination_type);
  const std::int64_t n = of.destination.n_elements();
  of.source = are_float32 ? of.destination : Layout::dense(of.destination.extents, 8);
  of.source_type = are_float32 ? of.destination_type : NumberType{Number::float64};
  for (std::int64_t step = 1; step < sweep_.steps; ++step) {
    before = all;
    if (!are_float32) {
      std::vector<double> numbers(static_cast<std::size_t>(n));
      load_line(numbers.data(), 1, all.data(), of.destination.element_bytes, n, of.destination_type);
      before.resize(static_cast<std::size_t>(of.source.n_bytes()));
      store_line(before.data(), 8, numbers.data(), 1, n, of.source_type);
    }
    sweep_reference(of, before.data(), all.data());
  }
  Extents extents;
  for (const Range& range : made_) extents.push_back(range.n);
  const auto element = static_cast<std::size_t>(of.destination.element_bytes);
  for_each_index(extents, [&](const Extents& index) {
    std::int64_t from = 0, to = sweep_.destination.offset;
    for (std::size_t a = 0; a < index.size(); ++a) {
      from += (made_[a].first + index[a]) * of.destination.strides[a];
      to += (made_[a].first + index[a]) * sweep_.destination.strides[a];
    }
    std::copy_n(all.data() + from, element, static_cast<std::byte*>(out[0].data) + to);
  });
}

// Step by step and pass by pass, from the last one on, by what each reads.
SweptArray::Window SweptArray::window(std::size_t a, const Range& range) const {
  const std::int64_t extent = sweep_.source.extents[a], begin = made_[a].first + range.first;
  const auto named = std::find(sweep_.axes.begin(), sweep_.axes.end(), static_cast<int>(a));
  if (named == sweep_.axes.end() || range.n == 0) return {.needed = {begin, range.n}};
  const int along = static_cast<int>(named - sweep_.axes.begin());
  const SweepAxis axis{extent, static_cast<int>(a), along, sweep_.boundary[static_cast<std::size_t>(along)]};
  const std::vector<Reach> reaches = reaches_of(sweep_.stencil, along);
  Range now{begin, range.n};  // round the ends of a periodic axis, so far
  for (std::int64_t step = 0; step < sweep_.steps && now.n < extent; ++step) {
    const Range before = now;
    for (const Reach& reach : reaches) {
      std::int64_t low = now.first - reach.below, high = now.first + now.n + reach.above;
      bring_inside(axis, low, high);
      now = {low, high - low};
    }
    if (now == before) break;
  }
  if (now.n >= extent) return {.needed = {0, extent}, .begin = begin, .stencil_axis = along};
  const std::int64_t first = (now.first % extent + extent) % extent;
  const bool is_periodic = is_open(axis);
  return {.needed = {first, now.n},
          .begin = begin - now.first,
          .stencil_axis = along,
          .is_low_cut = is_periodic || now.first > 0,
          .is_high_cut = is_periodic || now.first + now.n < extent};
}

std::vector<Ranges> SweptArray::needs(const Ranges& part) const {
  Ranges needed;
  for (std::size_t a = 0; a < part.size(); ++a) needed.push_back(window(a, part[a]).needed);
  return {needed};
}

// The sweep over the window of a part, of its source the ranges, and which of its cells the part makes.
std::pair<Ranges, Sweep> SweptArray::over_window(const Ranges& part, Ranges& made) const {
  Sweep of = sweep_;
  Ranges needed;
  for (std::size_t a = 0; a < part.size(); ++a) {
    const Window its = window(a, part[a]);
    needed.push_back(its.needed);
    made.push_back({its.begin, part[a].n});
    if (its.stencil_axis < 0) continue;
    Faces& faces = of.boundary[static_cast<std::size_t>(its.stencil_axis)];
    if (its.is_low_cut) faces.low = {Bound::edge};
    if (its.is_high_cut) faces.high = {Bound::edge};
  }
  of.source = dense_part(of.source, needed);
  return {std::move(needed), std::move(of)};
}

Operation SweptArray::part(const Ranges& part) const {
  Ranges made;
  Sweep of = over_window(part, made).second;
  of.destination = dense_part(of.destination, part);
  return Operation(std::make_shared<const SweptArray>(std::move(of), device, std::move(made)));
}

// A GPU makes all cells of the window in any case, and takes those of the part out of them.
std::pair<Ranges, Operation> SweptArray::part_with_rims(const Ranges& part) const {
  Ranges made;
  auto [needed, of] = over_window(part, made);
  bool is_round = false;
  for (std::size_t a = 0; a < part.size(); ++a) is_round = is_round || needed[a].first + needed[a].n > sweep_.source.extents[a];
  if (is_round || !on_gpu_) return Model::part_with_rims(part);
  of.destination = dense_part(of.destination, needed);
  return {needed, Operation(std::make_shared<const SweptArray>(std::move(of), device))};
}

OperationCost SweptArray::cost() const {
  OperationCost all;
  std::int64_t n_points = 0;
  for (const PointList& pass : sweep_.stencil.passes) n_points += pass.n_points();
  if (on_gpu_) {
    const auto n = static_cast<double>(sweep_.source.n_elements());
    all.bytes = multiply(passes(), std::max(sweep_.source.n_bytes(), sweep_.destination.n_bytes())) * 2;
    all.operations = 2 * static_cast<double>(n_points) * static_cast<double>(sweep_.steps) * n;
    return all;
  }
  for (const MemoryPass& pass : plan_.passes) {
    const std::int64_t n = multiply(pass.tiles.region.n_cells(plan_.shape.axes.size()), plan_.shape.width);
    all.bytes = add_product(all.bytes, n, bytes_of(pass.source.type.number) + bytes_of(pass.destination.type.number));
    for (const std::size_t s : pass.stages) all.operations += 2 * static_cast<double>(plan_.stages[s].n_points()) * static_cast<double>(n);
  }
  return all;
}

std::int64_t SweptArray::held_bytes() const {
  return Model::held_bytes() + allocated_bytes(sizeof *this) + held_by(sweep_, made_, plan_) + (on_gpu_ ? held_by(sweep_) + 4096 : 0);
}

std::int64_t SweptArray::passes() const { return on_gpu_ ? on_gpu_->passes() : std::ssize(plan_.passes); }
std::int64_t SweptArray::bytes_between() const { return n_buffers() * buffer_bytes(); }
std::string SweptArray::describe() const { return on_gpu_ ? on_gpu_->describe() : crinkle::describe(plan_); }

Operation plan(const Sweep& sweep, Device device) { return Operation(std::make_shared<const SweptArray>(checked(sweep), device)); }

}  // namespace crinkle
