// SPDX-License-Identifier: BSD-3-Clause
#include "operations.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "interruptible.hpp"
#include "moves.hpp"
#include "operation/model.hpp"

namespace crinkle::python {
namespace {

thread_local Planning* planning_now = nullptr;

nb::dict described(const Port& port) {
  nb::dict d;
  d["name"] = port.name;
  d["shape"] = nb::tuple(nb::cast(port.layout.extents));
  d["strides"] = nb::tuple(nb::cast(port.layout.strides));
  d["element_bytes"] = port.layout.element_bytes;
  d["type"] = port.type ? name_of(*port.type) : std::string();
  d["axes"] = nb::tuple(nb::cast(port.axes));
  d["is_updated"] = port.is_updated;
  d["is_counted"] = port.is_counted;
  return d;
}

nb::list described(const std::vector<Port>& ports) {
  nb::list list;
  for (const Port& port : ports) list.append(described(port));
  return list;
}

Ranges ranges_of(const std::vector<std::vector<std::int64_t>>& part) {
  Ranges ranges;
  for (const std::vector<std::int64_t>& range : part) {
    if (range.size() != 2) throw Error(ErrorCode::bad_shape, "a part has a range of every cut: (first, n)");
    ranges.push_back({range[0], range[1]});
  }
  return ranges;
}
nb::tuple as_tuple(const Ranges& ranges) {
  nb::list list;
  for (const Range& range : ranges) list.append(nb::make_tuple(range.first, range.n));
  return nb::tuple(list);
}
nb::list as_list(const std::vector<Ranges>& all) {
  nb::list list;
  for (const Ranges& ranges : all) list.append(as_tuple(ranges));
  return list;
}

// Throws ValueError unless the array lies as the port says.
void check_port(const Port& port, const View& view) {
  const Layout layout = view.layout();
  bool is_alike =
      layout.extents == port.layout.extents && layout.element_bytes == port.layout.element_bytes && layout.offset == port.layout.offset;
  for (std::size_t a = 0; is_alike && a < layout.extents.size(); ++a)
    is_alike = layout.extents[a] <= 1 || layout.strides[a] == port.layout.strides[a] || layout.n_elements() == 0;
  const bool is_flat = layout.is_dense() && port.layout.is_dense() && layout.offset == port.layout.offset &&
                       layout.element_bytes == port.layout.element_bytes && layout.n_elements() == port.layout.n_elements();
  if (is_alike || is_flat) return;
  throw Error(ErrorCode::bad_shape, "the " + port.name + " is planned as an array of shape " + shape_text(port.layout.extents) +
                                        ", strides " + shape_text(port.layout.strides) + " and elements of " +
                                        std::to_string(port.layout.element_bytes) + " bytes; this one has " + view.shape() + ", " +
                                        shape_text(layout.strides) + " and " + std::to_string(view.element_bytes) +
                                        ": plan it for that one");
}

void run_planned(const Operation& operation, const nb::list& inputs, const nb::list& outputs) {
  if (nb::len(inputs) != operation.inputs().size() || nb::len(outputs) != operation.outputs().size())
    throw Error(ErrorCode::bad_shape, "the " + operation.name() + " has " + std::to_string(operation.inputs().size()) + " inputs and " +
                                          std::to_string(operation.outputs().size()) + " outputs; here are " +
                                          std::to_string(nb::len(inputs)) + " and " + std::to_string(nb::len(outputs)));
  std::vector<View> in, out;
  std::vector<ConstBuffer> from;
  std::vector<Buffer> to;
  const auto check = [&](const Port& port, const View& view) {
    check_port(port, view);
    if (!view.is_on(operation.device()))
      throw Error(ErrorCode::bad_shape,
                  "the " + port.name + " lies on another device than the one that the " + operation.name() + " is planned for");
  };
  for (std::size_t i = 0; i < nb::len(inputs); ++i) check(operation.inputs()[i], in.emplace_back(view_of(inputs[i])));
  for (std::size_t i = 0; i < nb::len(outputs); ++i) check(operation.outputs()[i], out.emplace_back(output_view(outputs[i])));
  for (const View& view : in) from.push_back(view.source());
  for (const View& view : out) to.push_back(view.destination());
  const nb::list& any = in.empty() ? outputs : inputs;
  if (nb::len(any) == 0) return;
  run(operation, any[0], in.empty() ? out[0] : in[0], from, to);
}

}  // namespace

Planning::Planning(std::optional<Device> device) : before_(std::exchange(planning_now, this)), device_(device) {}
Planning::~Planning() { planning_now = before_; }
Planning* Planning::now() noexcept { return planning_now; }
Device Planning::device_of(const View& like) {
  return planning_now != nullptr && planning_now->device_ ? *planning_now->device_ : like.crinkle_device();
}

void Planning::add(const Operation& operation, std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs) {
  Planned one{operation, {}, {}};
  for (const ConstBuffer& buffer : inputs) one.inputs.push_back(reinterpret_cast<std::intptr_t>(buffer.data));
  for (const Buffer& buffer : outputs) one.outputs.push_back(reinterpret_cast<std::intptr_t>(buffer.data));
  requests.push_back(std::move(one));
}

void Planning::add(const Rearrangement& map, Device device, std::span<const ConstBuffer> inputs, const Buffer& output, nb::handle result) {
  results_.push_back(nb::borrow(result));
  device = device_.value_or(device);
  const auto at = reinterpret_cast<std::intptr_t>(output.data);
  if (!requests.empty() && requests.back().map && inputs.size() == 1 && inputs[0].bytes > 0 &&
      reinterpret_cast<std::intptr_t>(inputs[0].data) == requests.back().outputs[0]) {
    Planned& last = requests.back();
    try {
      Rearrangement both = last.map->then(map);
      last = {plan(both, device), last.inputs, {at}, std::move(both)};
      return;
    } catch (const Error&) {}  // two moves, which are refused with their number
  }
  add(plan(map, device), inputs, {&output, 1});
  requests.back().map = map;
}

void run(const Operation& operation, nb::handle like, const View& like_view, std::span<const ConstBuffer> in, std::span<const Buffer> out) {
  if (like_view.device < 0) {
    Interruptible threads(executor(), operation.cost().bytes);
    const Unlocked unlocked;
    return operation.run(in, out, threads);
  }
  const std::int64_t bytes = operation.workspace_bytes();
  const nb::object workspace = bytes == 0 ? nb::object() : scratch(like, bytes);  // its library frees it behind the stream
  const Buffer given = bytes == 0 ? Buffer{} : view_of(workspace).destination();
  const Stream stream = stream_of(like_view);
  const Unlocked unlocked;
  operation.run(in, out, stream, given);
}

void run_or_plan(const Operation& operation, nb::handle like, const View& like_view, std::span<const ConstBuffer> in,
                 std::span<const Buffer> out, nb::handle owner) {
  Planning* const planning = Planning::now();
  if (planning == nullptr) return run(operation, like, like_view, in, out);
  if (owner.is_valid()) planning->owners.push_back(nb::borrow(owner));
  planning->add(operation, in, out);
}

void bind_operations(nb::module_& module) {
  nb::class_<Operation>(module, "Operation")
      .def_prop_ro("name", [](const Operation& o) { return o.name(); })
      .def_prop_ro("device", [](const Operation& o) { return o.device().kind == Device::Kind::cpu ? -1 : o.device().index; })
      .def_prop_ro("inputs", [](const Operation& o) { return described(o.inputs()); })
      .def_prop_ro("outputs", [](const Operation& o) { return described(o.outputs()); })
      .def_prop_ro("workspace_bytes", [](const Operation& o) { return o.workspace_bytes(); })
      .def_prop_ro("can_run_in_place", [](const Operation& o) { return o.can_run_in_place(); })
      .def_prop_ro("bytes_moved", [](const Operation& o) { return o.cost().bytes; })
      .def_prop_ro("operations", [](const Operation& o) { return o.cost().operations; })
      .def_prop_ro("cuts",
                   [](const Operation& o) {
                     nb::list cuts;
                     for (const Cut& cut : o.cuts()) cuts.append(nb::make_tuple(cut.name, cut.extent));
                     return cuts;
                   })
      .def("needs",
           [](const Operation& o, const std::vector<std::vector<std::int64_t>>& part) { return as_list(o.needs(ranges_of(part))); })
      .def("gives",
           [](const Operation& o, const std::vector<std::vector<std::int64_t>>& part) { return as_list(o.gives(ranges_of(part))); })
      .def("part", [](const Operation& o, const std::vector<std::vector<std::int64_t>>& part) { return o.part(ranges_of(part)); })
      .def("stages",
           [](const Operation& o) {
             nb::list stages;
             for (const Operation& stage : o.stages()) stages.append(nb::cast(stage));
             return stages;
           })
      .def("inverse", [](const Operation& o) { return o.inverse(); })
      .def("parts", [](const Operation& o, std::int64_t bytes) { return as_list(parts_of(o, bytes)); })
      .def("describe", [](const Operation& o) { return o.describe(); })
      .def("run", &run_planned);
  module.def("is_planning", [] { return Planning::now() != nullptr; });
  // for_device: −2 where the arrays lie, −1 the CPU, else a GPU.
  module.def(
      "planned",
      [](const nb::callable& function, int for_device) {
        Planning planning(for_device == -2 ? std::nullopt : std::optional(for_device < 0 ? cpu() : cuda(for_device)));
        const nb::object result = function();
        nb::list requests, owners;
        for (const Planning::Planned& one : planning.requests) requests.append(nb::make_tuple(one.operation, one.inputs, one.outputs));
        for (const nb::object& owner : planning.owners) owners.append(owner);
        return nb::make_tuple(requests, result, owners);
      },
      nb::arg("function"), nb::arg("for_device") = -2);
}

}  // namespace crinkle::python
