// An operation is a value: what it reads, what it writes, how it is run, and how it can be cut. plan(request, device) makes one of every
// request: a Rearrangement, FftRequest, ConvolveRequest, Sweep, Resampling, and those of interpolation, binning, pairs and triangles.
//
//     const Operation transform = plan(FftRequest{.in = layout, .out = layout, .axes = {1}});
//     transform.run({{x, n_bytes}}, {{y, n_bytes}});                 // on the CPU, with memory of its own
//
//     for (const Ranges& part : parts_of(transform, 1 << 26)) {      // parts of 64 MiB
//       const Ranges rows = transform.needs(part)[0];                // what it reads of its only input
//       …                                                            // fetch these, and
//       transform.part(part).run({fetched}, {made});                 // have the dense part of the output
//     }
//
// Same bits: a part has the bits that the whole would have there, stages one after another those of the operation, and every run of an
// operation those of every other one, for any number of threads; payloads of NaNs apart. They depend on the request and on the device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crinkle/cuda.hpp"
#include "crinkle/detail/small_vector.hpp"
#include "crinkle/device.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/layout.hpp"
#include "crinkle/number.hpp"
#include "crinkle/rearrangement.hpp"

namespace crinkle {

/// How an operation that computes reads the elements of a buffer.
struct ElementType {
  NumberType number;
  bool is_complex = false;  // re, im

  friend bool operator==(const ElementType&, const ElementType&) = default;
};

/// A port says what one buffer of an operation has to be.
struct Port {
  std::string name;                 // "source"
  Layout layout;                    // from the buffer's first byte on
  std::optional<ElementType> type;  // none: bytes that nobody looks at
  std::vector<std::string> axes;    // their names, or none
  ByteSpan touched;                 // of the buffer; a buffer holds them
  ValueForm values;                 // what the buffer may be given as
  bool is_updated = false;          // an output of which places are left as they were: it is read, too
  bool is_counted = false;          // an output whose size is known when it was computed: extents[0] is the most, count() what it is
};

/// One of every port.
using PortAxes = detail::SmallVector<int, 2>;

/// An axis along which an operation can be cut, anywhere.
struct Cut {
  std::string name;
  std::int64_t extent = 1;
  PortAxes inputs, outputs;  // the axis of each port that runs along it; −1: none does
};

/// Who runs it: an executor, on a CPU, or a stream of a device. None: the process' own executor, the device's default stream.
class Worker {
 public:
  Worker() = default;
  Worker(Executor& executor) : executor_(&executor) {}                // NOLINT: it is one
  Worker(const Stream& stream) : stream_(stream), is_given_(true) {}  // NOLINT

  bool is_executor() const noexcept { return executor_ != nullptr; }
  bool is_stream() const noexcept { return is_given_; }
  Executor& executor() const { return executor_ != nullptr ? *executor_ : default_executor(); }
  const Stream& stream() const noexcept { return stream_; }

 private:
  Executor* executor_ = nullptr;
  Stream stream_;
  bool is_given_ = false;
};

struct OperationCost {
  std::int64_t bytes = 0;  // read and written
  double operations = 0;   // of arithmetic
};

/// Const, and from any thread. Copies share everything.
class Operation {
 public:
  class Model;
  explicit Operation(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  const std::string& name() const noexcept;  // "transform"
  Device device() const noexcept;
  const std::vector<Port>& inputs() const noexcept;
  const std::vector<Port>& outputs() const noexcept;
  /// Whether every input may be the same bytes as the output of the same number.
  bool can_run_in_place() const noexcept;
  std::int64_t workspace_bytes() const noexcept;

  /// outputs = the operation of inputs. A given workspace has workspace_bytes() bytes at any address, and nothing is allocated but what a
  /// CPU's threads keep (and by interpolation, on a GPU also by binning, collisions, triplets); runs with their own may go on at once.
  /// Without one it is allocated, not cleared. On a stream: given to it, not waited for, so that buffers, and the operation, outlive that;
  /// where a workspace is allocated, it is waited for. Throws, before anything is written, bad_shape for a buffer that is missing or too
  /// small, or whose values are of another size; overlap; device for a worker of the other device, memory that the device cannot reach, and
  /// a stream of another one; out_of_memory.
  void run(std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs, const Worker& worker = {}, Buffer workspace = {}) const;
  void run(std::initializer_list<ConstBuffer> inputs, std::initializer_list<Buffer> outputs, const Worker& worker = {},
           Buffer workspace = {}) const;
  /// The same by the definition, in plain loops, with buffers of the host: what run() is compared with. Throws as run() does, and
  /// unsupported where the definition is another operation's: of a transform the sums along its lines.
  void define(std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs) const;
  /// How many elements an output that is counted has. Throws as run() does, and unsupported where none is.
  std::int64_t count(std::span<const ConstBuffer> inputs, const Worker& worker = {}) const;

  /// Empty where it cannot be cut.
  const std::vector<Cut>& cuts() const noexcept;
  /// The range of every axis of every input that a part (a range of every cut) reads; it may be larger than what is used. Throws
  /// bad_shape for a part that is not there.
  std::vector<Ranges> needs(const Ranges& part) const;
  /// The range of every axis of every output that a part writes.
  std::vector<Ranges> gives(const Ranges& part) const;
  /// The operation from dense arrays of what it needs to dense arrays of what it gives. Throws bad_shape, and what planning throws.
  Operation part(const Ranges& part) const;
  /// Operations one after another, each from the output of the one before it, where the whole needs more of its input than they do: the
  /// axes of a transform. Otherwise this one. Arrays between them are dense.
  std::vector<Operation> stages() const;

  /// The operation that brings the outputs back to the inputs: for a transform the one the other way, with the factor that undoes its
  /// own; for a bijective move the move back; for triangles where nothing is lost. Throws unsupported where there is none.
  Operation inverse() const;

  OperationCost cost() const;
  std::string describe() const;
  std::int64_t held_bytes() const;  // memory of its own, tables included, about

  const Model& model() const noexcept { return *model_; }

 private:
  std::shared_ptr<const Model> model_;
};

/// A move as an operation, cut along the axes of its destination. Throws as Plan does.
Operation plan(const Rearrangement& r, Device device = cpu());

/// From an array to the dense one of a range of every axis, round its ends where these go there. Throws bad_shape.
Rearrangement window(const Layout& array, const Ranges& ranges);
/// Back: from the dense one to these places of the array. Requires ranges that end in it.
Rearrangement unwindow(const Layout& array, const Ranges& ranges);

/// A grid of parts, in order, whose inputs, outputs and workspace have together at most so many bytes, where that can be; of those grids
/// the one that reads least. One part, the whole, where it cannot be cut or fits. Throws bad_shape for bytes < 1.
std::vector<Ranges> parts_of(const Operation& operation, std::int64_t bytes);

/// How run_in_parts() goes about it.
struct PartsOptions {
  /// The most memory that a part's arrays and workspace take together, where that can be: memory of the GPU, or on a CPU of the host,
  /// where an array that lies as a part needs it is used in place and takes no more.
  std::int64_t memory_bytes = 64 << 20;
  /// If there: told after every part how many bytes of the outputs it has written, of how many. What it throws ends the run: parts that
  /// are done have been written.
  std::function<void(std::int64_t n_bytes, std::int64_t all)> written;
};

/// outputs = the operation of inputs, all in the host's memory, part by part: on the CPU with this executor, or through the GPU that the
/// operation is planned for. The same bits as run(). Where one cut does not serve, stage after stage, with what lies between in the
/// host's memory. Throws what Operation::run throws, and too_large where not even a part of the smallest size fits into the GPU. Cost: what
/// parts need is copied where it does not lie dense; through a GPU it goes there and back once.
void run_in_parts(const Operation& operation, std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs,
                  Executor& executor = default_executor(), const PartsOptions& options = {});

}  // namespace crinkle
