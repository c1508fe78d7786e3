// Several devices of one process: arrays that are spread over the memories of GPUs of one host, moved and computed with by all of them.
// Layouts are those of distribute.hpp; device k of a list has what rank k holds, dense.
//
//     const Devices gpus(cuda_all());                                                      // or Devices::logical(cpu(), 4), to try it
//     const Distribution rows({512, 1000}, {"y", "x"}, "y:block(4)"), columns({1000, 512}, {"x", "y"}, "x:block(4)");
//     DevicesPlan turn = plan(Redistribution(rows, columns, parse("y x -> x y", Layout::dense({512, 1000}, 8))), gpus);
//     turn.run(parts, made);                                                               // a buffer a device; bits as of one memory
//
// Kernels store straight into the memory of the devices that they can reach; to others they pack, and what is packed is copied. Devices
// wait for each other by events: the host waits for nothing, and a run can be captured into a graph of CUDA.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crinkle/cuda.hpp"
#include "crinkle/device.hpp"
#include "crinkle/distribute.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/operation.hpp"

namespace crinkle {

/// Every CUDA device of this machine. Throws what cuda() throws: there is at least one.
std::vector<Device> cuda_all();

/// Devices that work together: CUDA devices of one model, each once, or the CPU alone.
class Devices {
 public:
  /// Throws bad_shape for none, and device for one that is named twice, the CPU beside a GPU, cards of different models, and what is not
  /// there.
  Devices(std::vector<Device> devices);  // NOLINT: a list of devices is one
  Devices(std::initializer_list<Device> devices) : Devices(std::vector<Device>(devices)) {}
  /// One device as n of them, each with memory and on a GPU a stream of its own: what runs on n devices, tried on one. Throws bad_shape for
  /// n < 1.
  static Devices logical(Device device, std::int64_t n);

  const std::vector<Device>& all() const noexcept { return devices_; }
  std::int64_t size() const noexcept { return std::ssize(devices_); }
  Device operator[](std::int64_t k) const { return devices_[static_cast<std::size_t>(k)]; }
  bool are_gpus() const noexcept { return devices_.front().kind == Device::Kind::cuda; }
  std::string text() const;  // "cuda:0, cuda:1", "4 logical devices of cuda:0"

 private:
  Devices() = default;
  std::vector<Device> devices_;
};

/// How fast devices send each other. All partners of a device share its rate, in each direction.
struct DeviceLinks {
  std::string name;
  LinkSpeed speed;

  static DeviceLinks nvlink4();  // 450e9 bytes/s a direction, as its maker states it
  static DeviceLinks pcie5();    // 16 lanes of 32 GT/s, likewise: 63e9
  /// "nvlink4", "pcie5". Throws unsupported for any other name, listing these.
  static DeviceLinks named(std::string_view name);
};

/// What devices send each other, link by link, and how long that takes on H200 with these links, predicted: the busiest device's bytes at
/// the link's rate, or its own memory's where that takes longer. No device is needed. Throws bad_shape for rates that are none.
std::string describe_links(const Redistribution& r, const DeviceLinks& links);
/// The same of everything that an operation fetches. What it computes is not in the time.
std::string describe_links(const DistributedOperation& operation, const DeviceLinks& links);

/// A move: a redistribution where it maps every axis by itself, else an operation.
std::string describe_links(const Rearrangement& move, const Distribution& from, const Distribution& to, const DeviceLinks& links);

struct DevicesOptions {
  /// No device stores into another one's memory: what it sends is packed and copied, as where devices cannot reach each other.
  bool is_staged = false;
  /// The least that a device sends at once while it computes what it sends next: what it makes is cut into slabs of at least so many bytes.
  /// Nothing: of 16 MiB, and none where devices are logical, which no link keeps waiting.
  std::optional<std::int64_t> slab_bytes = {};
};

/// Made once, run many times, one run at a time: it has memory of its own, all of which is there when it is made.
class DevicesPlan {
 public:
  /// The parts of all devices. `in`: one buffer a device of the first input, then of the next; `out`: one a device. On the CPU the worker
  /// is an executor. On GPUs it is a stream of the first device: what was given to it before comes first, and what is given to it
  /// afterwards finds everything done. Given to streams, not waited for. Throws, before anything is written, bad_shape for buffers that are
  /// missing or too small, overlap where an output shares bytes with anything, and device for memory or streams of another device.
  void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, const Worker& worker = {}) const;
  /// The same on GPUs with a stream of each device. They wait for each other before anything is written into another one's memory, and for
  /// what others wrote into theirs.
  void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::span<const Stream> streams) const;

  const Devices& devices() const noexcept;
  std::int64_t n_inputs() const noexcept;
  Extents source(std::int64_t input, std::int64_t device) const;  // of the part that it holds
  Extents destination(std::int64_t device) const;
  std::int64_t own_bytes(std::int64_t device) const;  // of the plan's memory there
  std::int64_t sent_bytes() const noexcept;           // by all devices together, in a run
  /// Devices, which of them reach each other, every exchange and what is computed, memory.
  std::string describe() const;

  struct Data;
  explicit DevicesPlan(std::shared_ptr<Data> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<Data> data_;
};

/// Throws bad_shape where the layouts divide by another number than there are devices, and for slabs of no bytes, what planning throws, and
/// out_of_memory, naming the device, where the plan's memory is not there: then nothing of it stays.
DevicesPlan plan(const Redistribution& r, const Devices& devices, const DevicesOptions& options = {});
/// An operation over devices, cut as DistributedOperation says. `make` plans it for each of them; the CPU or one model of GPU, so that
/// parts have the whole's bits. Throws as DistributedOperation does, too.
DevicesPlan plan(const std::function<Operation(Device)>& make, std::vector<Distribution> in, const Distribution& out,
                 const Devices& devices, const DevicesOptions& options = {});
/// A move: a redistribution where it maps every axis by itself, else an operation.
DevicesPlan plan(const Rearrangement& move, const Distribution& from, const Distribution& to, const Devices& devices,
                 const DevicesOptions& options = {});

/// Anything else that plan() takes: stencils, transforms, interpolation.
template <class Request>
  requires(!std::same_as<Request, Rearrangement>) && requires(const Request& request, Device device) {
    { plan(request, device) } -> std::same_as<Operation>;
  }
DevicesPlan plan(const Request& request, std::vector<Distribution> in, const Distribution& out, const Devices& devices,
                 const DevicesOptions& options = {}) {
  return plan(std::function<Operation(Device)>([&](Device device) { return plan(request, device); }), std::move(in), out, devices, options);
}

/// outputs = the operation of inputs, all in the host's memory, part by part, by several devices at once: as run_in_parts() with one.
/// `same` is one operation, planned for each of them; each takes the next part when it has finished one, in memory of
/// options.memory_bytes of its own. Parts are small enough that all devices have some. Throws what run_in_parts() throws, and bad_shape for
/// operations of unlike arrays.
void run_in_parts(std::span<const Operation> same, std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs,
                  Executor& executor = default_executor(), const PartsOptions& options = {});

}  // namespace crinkle
