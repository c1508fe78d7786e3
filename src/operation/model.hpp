// A feature implements this model for its operation. Facts are members, set while it is planned; what is not overridden is what an
// operation does whose cuts run along axes of its ports and which takes of them just the part's range.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/held_bytes.hpp"
#include "crinkle/operation.hpp"

namespace crinkle {

class Operation::Model {
 public:
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  std::string name, machine;  // "transform"; what it is planned for
  Device device;
  std::vector<Port> inputs, outputs;
  std::vector<Cut> cuts;
  bool may_be_in_place = false;
  std::int64_t workspace_bytes = 0;  // at any address

  /// Runs on buffers that are checked, and a workspace of workspace_bytes. A GPU is the thread's own device.
  virtual void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const = 0;
  /// Runs by the definition: never optimised.
  virtual void define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const;
  virtual std::int64_t count(std::span<const ConstBuffer> in, const Worker& worker) const;
  virtual std::vector<Ranges> needs(const Ranges& part) const { return along(inputs, &Cut::inputs, part); }
  virtual std::vector<Ranges> gives(const Ranges& part) const { return along(outputs, &Cut::outputs, part); }
  /// Requires a part that is there.
  virtual Operation part(const Ranges& part) const;
  /// The ranges of its output that it touches, and the part: where that is quicker it leaves anything in the cells around its own that
  /// they are made from, which another part makes later.
  virtual std::pair<Ranges, Operation> part_with_rims(const Ranges& part) const { return {gives(part)[0], this->part(part)}; }
  virtual std::vector<Operation> stages() const { return {}; }
  virtual OperationCost cost() const;
  /// The operation that brings the outputs back.
  virtual Operation inverse() const;
  /// What its results depend on beside ports and inputs, as one number: coefficients, samples, faces. 0: nothing.
  virtual std::uint64_t fingerprint() const { return 0; }
  /// Memory of its own, about: the model with all that its members hold. What is here are the ports and cuts.
  virtual std::int64_t held_bytes() const { return allocated_bytes(sizeof *this) + held_by(name, machine, inputs, outputs, cuts); }
  virtual std::string describe() const = 0;

 protected:
  Model() = default;
  std::vector<Ranges> along(const std::vector<Port>& ports, PortAxes Cut::* axis, const Ranges& part) const;
};

/// A port of numbers that are computed with. Throws bad_shape for elements of other bytes than the type has.
Port port_of(std::string name, Layout layout, ElementType type);
/// One of bytes.
Port port_of(std::string name, Layout layout);
std::int64_t bytes_of(ElementType type) noexcept;
/// "float32", ">int16" in the other byte order, "complex64", "2 float16".
std::string name_of(const ElementType& type);
/// The bytes of dense arrays: a part of one, all ports whose size is known before (not is_counted), and the ports' parts. Throws too_large.
std::int64_t bytes_of(const Layout& whole, const Ranges& part);
std::int64_t bytes_of(const std::vector<Port>& ports);
std::int64_t bytes_of(const std::vector<Port>& ports, const std::vector<Ranges>& parts);
/// The dense layout of a range of every axis.
Layout dense_part(const Layout& whole, const Ranges& ranges);

}  // namespace crinkle
