// The walk over slabs (form/slabs.hpp) with a plan for every part.
// SPDX-License-Identifier: BSD-3-Clause
#include "form/slabs.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <string>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "crinkle/plan.hpp"
#include "form/check.hpp"
#include "move/planned.hpp"
#include "operation/buffers.hpp"

namespace crinkle {
namespace {

// Every combination of the gathered axes' entries writes the boxes of its highest fill, or those of data.
std::int64_t bytes_written(const Step& step) {
  const auto n_entries = [&](std::int32_t highest) {
    std::int64_t n = 1;
    for (const GatherAxis& g : step.gathers)
      n = multiply(n, g.fills.empty() ? std::ssize(g.dst_offsets)
                                      : std::count_if(g.fills.begin(), g.fills.end(), [=](std::int32_t f) { return f <= highest; }));
    return n;
  };
  std::int64_t n_bytes = 0, n_below = 0;
  for (std::int32_t fill = -1; fill < std::ssize(step.fill_boxes); ++fill) {
    const std::int64_t n = n_entries(fill);
    for (const Box& b : fill < 0 ? step.boxes : step.fill_boxes[static_cast<std::size_t>(fill)])
      n_bytes = add(n_bytes, multiply(n - n_below, n_bytes_of(b)));
    n_below = n;
  }
  return n_bytes;
}

}  // namespace

void run_in_slabs(const Rearrangement& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst, Executor& executor,
                  const SlabOptions& options) {
  const Machine machine = Machine::named("this");
  const bool has_source = !options.read, has_destination = !options.take;
  const auto check_one_dense = [](const Layout& layout, std::int64_t n_buffers, const char* what) {
    if (n_buffers == 1 && layout.is_dense() && layout.offset == 0) return;
    throw Error(ErrorCode::bad_shape, std::string("slabs can be ") + what + " of one dense array, not of " + std::to_string(n_buffers) +
                                          " with strides or an offset");
  };
  if (!has_source) check_one_dense(r.source(), r.n_sources(), "read");
  if (!has_destination) check_one_dense(r.destination(), r.n_destinations(), "taken");
  const auto from = has_source ? r.source_spans() : std::vector<ByteSpan>(),
             to = has_destination ? r.destination_spans() : std::vector<ByteSpan>();
  const Aliasing aliasing =
      check_buffers(buffers_of_move(from.size(), to.size()), from, r.source_values(), src, to, r.destination_values(), dst);
  if (aliasing == Aliasing::in_place)
    throw Error(ErrorCode::overlap, "source and destination are the same bytes; slabs are not moved in place, Plan::run does that");

  std::unique_ptr<std::byte[]> workspace;
  const auto in_workspace = [&](ByteSpan slab, std::int64_t at) {
    return std::span(workspace.get() + at, static_cast<std::size_t>(slab.last - slab.first));
  };
  Slabs::Actions actions;
  actions.read_multiple = options.read_multiple;
  actions.take_multiple = options.take_multiple;
  if (!has_source) actions.read = [&](ByteSpan slab, std::int64_t at) { options.read(slab.first, in_workspace(slab, at)); };
  if (!has_destination) actions.take = [&](ByteSpan slab, std::int64_t at) { options.take(slab.first, in_workspace(slab, at)); };
  actions.run = [&](const Step& step, Place from, Place to) {
    detail::SmallVector<const std::byte*, 4> in;
    detail::SmallVector<std::byte*, 4> out;
    if (from.array == Place::In::workspace) in = {workspace.get() + from.at};
    else {
      for (const ConstBuffer& b : src) in.push_back(static_cast<const std::byte*>(b.data) + from.at);
    }
    if (to.array == Place::In::workspace) out = {workspace.get() + to.at};
    else {
      for (const Buffer& b : dst) out.push_back(static_cast<std::byte*>(b.data) + to.at);
    }
    const PlannedStep planned(step, machine);
    planned.run({in.data(), in.size()}, {out.data(), out.size()}, executor);
    if (options.moved && to.array == Place::In::destination) options.moved(bytes_written(step));
  };
  Slabs slabs(r, options.workspace_bytes, std::move(actions));
  workspace.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(slabs.workspace_bytes())]);
  if (!workspace) throw Error(ErrorCode::out_of_memory, "a workspace of " + std::to_string(slabs.workspace_bytes()) + " bytes");
  slabs.run();
}

}  // namespace crinkle
