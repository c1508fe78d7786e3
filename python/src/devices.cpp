// Arrays over several devices of this process: plans of moves and operations for lists of arrays, one a device (_devices.py).
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/devices.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "computed.hpp"
#include "distribute/axis_names.hpp"
#include "moves.hpp"
#include "operations.hpp"
#include "wish.hpp"

namespace crinkle::python {
namespace {

/// Numbers of GPUs, each once but where they are to be logical ones; none: so many logical devices of the CPU.
Devices devices_of(const std::vector<int>& gpus, std::int64_t n, bool is_logical) {
  if (gpus.empty()) return Devices::logical(cpu(), n);
  std::vector<Device> all;
  all.reserve(gpus.size());
  for (const int k : gpus) all.push_back(cuda(k));
  if (!is_logical) return {all};
  for (const Device device : all)
    if (device != all[0])
      throw Error(ErrorCode::device, "logical devices are those of one GPU; here are " + std::to_string(all[0].index) + " and " +
                                         std::to_string(device.index));
  return Devices::logical(all[0], std::ssize(all));
}

/// A move or an operation between two layouts.
struct Wish {
  std::optional<Rearrangement> move;
  std::vector<Operation> operations;  // of every device's
  Distribution from, to;

  Wish(const Extents& shape, std::int64_t element_bytes, const std::string& spec, const nb::tuple& options, const std::string& source,
       const std::string& destination)
      : Wish(read_wish(spec, {Layout::dense(shape, element_bytes)}, options, nullptr), source, destination) {}
  Wish(const Rearrangement& of, const std::string& source, const std::string& destination)
      : move(of),
        from(of.source().extents, distributed::source_names(of), source),
        to(of.destination().extents, distributed::destination_names(of), destination) {}
  Wish(const std::vector<Operation>& of, const std::string& source, const std::string& destination)
      : operations(of),
        from(of.at(0).inputs().at(0).layout.extents, {}, source),
        to(of[0].outputs().at(0).layout.extents, {}, destination) {}

  DevicesPlan planned(const Devices& devices, const DevicesOptions& options) const {
    const Unlocked unlocked;
    if (move) return plan(*move, from, to, devices, options);
    const auto on = [&](Device device) {
      for (const Operation& operation : operations)
        if (operation.device() == device) return operation;
      throw Error(ErrorCode::device, "nothing is planned for this device");
    };
    return plan(on, {from}, to, devices, options);
  }
  std::string links(const std::string& name) const {
    const DeviceLinks links = DeviceLinks::named(name);
    const Unlocked unlocked;
    return move ? describe_links(*move, from, to, links) : describe_links(DistributedOperation(operations[0], {from}, to), links);
  }
};

class PlanOverDevices {
 public:
  PlanOverDevices(const Wish& wish, const std::vector<int>& gpus, std::int64_t n, bool is_logical, bool is_staged,
                  std::optional<std::int64_t> slab_bytes)
      : plan_(wish.planned(devices_of(gpus, n, is_logical), {.is_staged = is_staged, .slab_bytes = slab_bytes})) {}

  const DevicesPlan& plan() const noexcept { return plan_; }

  void run(const nb::list& inputs, const nb::list& outputs) const {
    const std::int64_t n = plan_.devices().size();
    if (std::cmp_not_equal(nb::len(inputs), n) || std::cmp_not_equal(nb::len(outputs), n))
      throw Error(ErrorCode::bad_shape, std::to_string(nb::len(inputs)) + " parts and " + std::to_string(nb::len(outputs)) +
                                            " results of " + std::to_string(n) + " devices: one a device");
    std::vector<View> views;
    std::vector<ConstBuffer> in;
    std::vector<Buffer> out;
    std::vector<Stream> streams;
    for (std::int64_t k = 0; k < n; ++k) {
      in.push_back(part(views.emplace_back(view_of(inputs[static_cast<std::size_t>(k)])), plan_.source(0, k), k).source());
      streams.push_back(stream_of(views.back()));
    }
    for (std::int64_t k = 0; k < n; ++k)
      out.push_back(part(views.emplace_back(output_view(outputs[static_cast<std::size_t>(k)])), plan_.destination(k), k).destination());
    const std::shared_ptr<Executor> threads = executor();
    const Unlocked unlocked;
    if (plan_.devices().are_gpus()) plan_.run(in, out, streams);
    else plan_.run(in, out, *threads);
  }

 private:
  const View& part(const View& view, const Extents& extents, std::int64_t k) const {
    const Layout its = view.layout();
    if (its.extents != extents || !its.is_dense())
      throw Error(ErrorCode::bad_shape, "the part of device " + std::to_string(k) + " is a dense array of shape " + shape_text(extents) +
                                            ", not one of shape " + view.shape());
    if (view.crinkle_device() != plan_.devices()[k])
      throw Error(ErrorCode::device, "the part of device " + std::to_string(k) + " lies elsewhere: on " +
                                         (view.device < 0 ? std::string("the host") : "CUDA device " + std::to_string(view.device)) +
                                         ", of " + plan_.devices().text());
    return view;
  }

  DevicesPlan plan_;
};

}  // namespace

void bind_devices(nb::module_& module) {
  nb::class_<Wish>(module, "DevicesWish")
      .def(nb::init<const Extents&, std::int64_t, const std::string&, const nb::tuple&, const std::string&, const std::string&>())
      .def(nb::init<const std::vector<Operation>&, const std::string&, const std::string&>())
      .def("links", &Wish::links);
  nb::class_<PlanOverDevices>(module, "PlanOverDevices")
      .def(nb::init<const Wish&, const std::vector<int>&, std::int64_t, bool, bool, std::optional<std::int64_t>>())
      .def("source", [](const PlanOverDevices& p, std::int64_t k) { return nb::tuple(nb::cast(p.plan().source(0, k))); })
      .def("destination", [](const PlanOverDevices& p, std::int64_t k) { return nb::tuple(nb::cast(p.plan().destination(k))); })
      .def("own_bytes", [](const PlanOverDevices& p, std::int64_t k) { return p.plan().own_bytes(k); })
      .def("sent_bytes", [](const PlanOverDevices& p) { return p.plan().sent_bytes(); })
      .def("describe", [](const PlanOverDevices& p) { return p.plan().describe(); })
      .def("run", &PlanOverDevices::run);
}

}  // namespace crinkle::python
