// The C interface: plans of requests, how they can be cut, and running them.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "c/shared.hpp"

namespace crinkle::c {
namespace {

struct RunBuffers {
  std::vector<ConstBuffer> in;
  std::vector<Buffer> out;
};
RunBuffers buffers_of(const crinkle_plan& plan, const void* const* src, const std::int64_t* src_bytes, void* const* dst,
                      const std::int64_t* dst_bytes) {
  const std::size_t n_in = plan.operation.inputs().size(), n_out = plan.operation.outputs().size();
  if (n_in > 0) given(src, "src"), given(src_bytes, "src_bytes");
  given(dst, "dst"), given(dst_bytes, "dst_bytes");
  RunBuffers all;
  for (std::size_t k = 0; k < n_in; ++k) all.in.push_back({src[k], src_bytes[k]});
  for (std::size_t k = 0; k < n_out; ++k) all.out.push_back({dst[k], dst_bytes[k]});
  return all;
}

Ranges part_of(const crinkle_plan& plan, const crinkle_range* part) {
  Ranges ranges;
  if (!plan.operation.cuts().empty()) given(part, "part");
  for (std::size_t c = 0; c < plan.operation.cuts().size(); ++c) ranges.push_back({part[c].first, part[c].n});
  return ranges;
}

crinkle_status ranges_of(const crinkle_plan* plan, const crinkle_range* part, int port, crinkle_range* ranges, bool are_inputs) {
  return tried([&] {
    const Operation& operation = given(plan, "plan").operation;
    given(ranges, "ranges");
    const Ranges of = part_of(*plan, part);
    const std::vector<Ranges> all = are_inputs ? operation.needs(of) : operation.gives(of);
    if (port < 0 || port >= std::ssize(all))
      throw Error(ErrorCode::bad_shape, (are_inputs ? "input " : "output ") + std::to_string(port) + " of " + std::to_string(all.size()));
    const Ranges& its = all[static_cast<std::size_t>(port)];
    for (std::size_t a = 0; a < its.size(); ++a) ranges[a] = {its[a].first, its[a].n};
  });
}

const Port* port_of(const crinkle_plan* plan, int port, bool is_input) {
  if (plan == nullptr) return nullptr;
  const std::vector<Port>& ports = is_input ? plan->operation.inputs() : plan->operation.outputs();
  return port < 0 || port >= std::ssize(ports) ? nullptr : &ports[static_cast<std::size_t>(port)];
}

}  // namespace
}  // namespace crinkle::c

using namespace crinkle;
using namespace crinkle::c;

extern "C" {

crinkle_status crinkle_make_plan(const crinkle_map* map, int device, int n_threads, crinkle_plan** made) {
  return planned(made, device, n_threads, [&](Device on) { return plan(given(map, "map").map, on); });
}

int crinkle_n_inputs(const crinkle_plan* plan) { return plan == nullptr ? 0 : static_cast<int>(plan->operation.inputs().size()); }
int crinkle_n_outputs(const crinkle_plan* plan) { return plan == nullptr ? 0 : static_cast<int>(plan->operation.outputs().size()); }

int crinkle_port(const crinkle_plan* plan, int is_input, int port, int most, int64_t* extents, int64_t* element_bytes) {
  const Port* const its = c::port_of(plan, port, is_input != 0);
  if (its == nullptr) return -1;
  if (element_bytes != nullptr) *element_bytes = its->layout.element_bytes;
  const Extents& all = its->layout.extents;
  for (std::size_t a = 0; extents != nullptr && a < all.size() && static_cast<int>(a) < most; ++a) extents[a] = all[a];
  return static_cast<int>(all.size());
}

crinkle_status crinkle_run(const crinkle_plan* plan, const void* const* src, const int64_t* src_bytes, void* const* dst,
                           const int64_t* dst_bytes) {
  return tried([&] {
    const RunBuffers all = buffers_of(given(plan, "plan"), src, src_bytes, dst, dst_bytes);
    if (plan->executor != nullptr) return plan->operation.run(all.in, all.out, *plan->executor);
    const Stream stream(plan->operation.device());
    plan->operation.run(all.in, all.out, stream);
    stream.synchronize();
  });
}

crinkle_status crinkle_run_on_stream(const crinkle_plan* plan, const void* const* src, const int64_t* src_bytes, void* const* dst,
                                     const int64_t* dst_bytes, void* stream) {
  return tried([&] {
    const RunBuffers all = buffers_of(given(plan, "plan"), src, src_bytes, dst, dst_bytes);
    if (plan->executor != nullptr) throw Error(ErrorCode::unsupported, "a stream, but the plan is for a CPU; crinkle_run runs it");
    plan->operation.run(all.in, all.out, Stream(static_cast<CUstream_st*>(stream)));
  });
}

int crinkle_n_cuts(const crinkle_plan* plan) { return plan == nullptr ? 0 : static_cast<int>(plan->operation.cuts().size()); }

int64_t crinkle_cut_extent(const crinkle_plan* plan, int cut) {
  if (cut < 0 || cut >= crinkle_n_cuts(plan)) return -1;
  return plan->operation.cuts()[static_cast<std::size_t>(cut)].extent;
}

crinkle_status crinkle_needs(const crinkle_plan* plan, const crinkle_range* part, int input, crinkle_range* ranges) {
  return ranges_of(plan, part, input, ranges, true);
}
crinkle_status crinkle_gives(const crinkle_plan* plan, const crinkle_range* part, int output, crinkle_range* ranges) {
  return ranges_of(plan, part, output, ranges, false);
}

crinkle_status crinkle_make_part(const crinkle_plan* plan, const crinkle_range* part, crinkle_plan** made) {
  return tried([&] {
    given(made, "made");
    *made = new crinkle_plan{given(plan, "plan").operation.part(part_of(*plan, part)), plan->executor};
  });
}

int crinkle_n_stages(const crinkle_plan* plan) {
  int n = 0;
  tried([&] { n = static_cast<int>(given(plan, "plan").operation.stages().size()); });
  return n;
}

crinkle_status crinkle_make_stage(const crinkle_plan* plan, int stage, crinkle_plan** made) {
  return tried([&] {
    given(made, "made");
    const std::vector<Operation> stages = given(plan, "plan").operation.stages();
    if (stage < 0 || stage >= std::ssize(stages))
      throw Error(ErrorCode::bad_shape, "stage " + std::to_string(stage) + " of " + std::to_string(stages.size()));
    *made = new crinkle_plan{stages[static_cast<std::size_t>(stage)], plan->executor};
  });
}

int64_t crinkle_bytes_moved(const crinkle_plan* plan) { return plan == nullptr ? 0 : plan->operation.cost().bytes; }

int64_t crinkle_describe(const crinkle_plan* plan, char* text, int64_t size) {
  int64_t all = 0;
  tried([&] {
    const std::string told = given(plan, "plan").operation.describe();
    all = std::ssize(told) + 1;
    if (text == nullptr || size <= 0) return;
    const auto n = static_cast<std::size_t>(std::min(size, all) - 1);
    std::memcpy(text, told.data(), n);
    text[n] = '\0';
  });
  return all;
}

void crinkle_free_plan(crinkle_plan* plan) { delete plan; }

}  // extern "C"
