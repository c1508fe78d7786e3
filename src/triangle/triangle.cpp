// Conversions of triangles as operations: a part is some lines of the destination, and of the source all that lies from the first to the
// last element of theirs.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/triangle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/fingerprint.hpp"
#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "operation/model.hpp"
#include "triangle/triangle.hpp"

namespace crinkle {
namespace {

using Form = TriangleLayout::Form;

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_shape, text); }

class TriangleConversion final : public Operation::Model {
 public:
  TriangleConversion(const TriangleRequest& of, Device on);

  void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte*, const Worker& worker) const override {
    const auto* src = static_cast<const std::byte*>(in[0].data);
    auto* dst = static_cast<std::byte*>(out[0].data);
    if (device.kind == Device::Kind::cpu) convert_cpu(conversion_, src, dst, worker.executor());
    else gpu::entry<convert_cuda>(conversion_, src, dst, worker.stream().get());
  }
  void define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const override;
  std::vector<Ranges> needs(const Ranges& part) const override { return {{range(slab(part).reads(), source_.first)}}; }
  std::vector<Ranges> gives(const Ranges& part) const override { return {{range(slab(part).writes(), destination_.first)}}; }
  Operation part(const Ranges& part) const override;
  Operation inverse() const override;
  std::int64_t held_bytes() const override { return Model::held_bytes() + allocated_bytes(sizeof *this); }
  std::uint64_t fingerprint() const override { return Fingerprint().of(request_).number(); }
  std::string describe() const override {
    return fmt::format("triangle of {} rows, elements of {} bytes, from {} to {}: {} bytes read and written, {}\n", request_.to.n,
                       request_.to.element_bytes, request_.from.print(), request_.to.print(), cost().bytes, machine);
  }

 private:
  TriangleConversion(const TriangleConversion& whole, const Ranges& part);
  void set_ports();
  TriangleSlab slab(const Ranges& part) const {
    return {request_.from, request_.to, first_line_ + part[0].first, first_line_ + part[0].first + part[0].n};
  }
  static Range range(const Elements& some, std::int64_t first) {
    return some.first == some.last ? Range{} : Range{some.first - first, some.last - some.first};
  }

  TriangleRequest request_;
  Conversion conversion_;
  Elements source_, destination_;  // what the ports have of the whole arrays
  std::int64_t first_line_ = 0, n_lines_ = 0;
};

TriangleConversion::TriangleConversion(const TriangleRequest& of, Device on) : request_(of) {
  name = "triangle conversion";
  device = on;
  machine = on.kind == Device::Kind::cuda ? facts_of(on).name : "this CPU";
  const auto& [from, to] = of;
  from.check();
  to.check();
  if (from.n != to.n) refuse(fmt::format("from {} rows to {}; a conversion keeps the triangle's size", from.n, to.n));
  if (from.element_bytes != to.element_bytes)
    refuse(fmt::format("elements of {} bytes to elements of {}; a conversion keeps the element", from.element_bytes, to.element_bytes));
  conversion_ = conversion_of(from, to);
  source_ = {0, from.n_elements()};
  destination_ = {0, to.n_elements()};
  n_lines_ = to.n;
  set_ports();
}

TriangleConversion::TriangleConversion(const TriangleConversion& whole, const Ranges& part) : request_(whole.request_) {
  name = whole.name;
  device = whole.device;
  machine = whole.machine;
  const TriangleSlab slab = whole.slab(part);
  source_ = slab.reads();
  destination_ = slab.writes();
  conversion_ = slab.conversion(source_, destination_);
  first_line_ = whole.first_line_ + part[0].first;
  n_lines_ = part[0].n;
  set_ports();
}

void TriangleConversion::set_ports() {
  const TriangleLayout& to = request_.to;
  const auto port = [&](const char* name, const Elements& some) {
    return port_of(name, Layout::dense({some.last - some.first}, to.element_bytes));
  };
  inputs.push_back(port("source", source_));
  outputs.push_back(port("destination", destination_));
  outputs[0].is_updated = to.form == Form::full || (to.form == Form::symmetric && to.pitch > to.n);
  if (to.form != Form::rfp) cuts.push_back({"line", n_lines_, {-1}, {0}});
}

// Every pair of one of its lines and any other, wherever the destination has it.
void TriangleConversion::define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const {
  const auto& [from, to] = request_;
  const auto element = static_cast<std::size_t>(to.element_bytes);
  const auto at = [&](auto* data, std::int64_t place) { return data + static_cast<std::size_t>(place) * element; };
  TriangleLayout mirrored = to;
  mirrored.order = to.order == TriangleLayout::Order::rows ? TriangleLayout::Order::columns : TriangleLayout::Order::rows;
  const auto put = [&](std::int64_t i, std::int64_t j, std::int64_t place) {
    if (place < destination_.first || place >= destination_.last) return;
    std::byte* const it = at(static_cast<std::byte*>(out[0].data), place - destination_.first);
    if (i == j && !from.has_diagonal()) std::memset(it, 0, element);
    else std::memcpy(it, at(static_cast<const std::byte*>(in[0].data), from.place(i, j) - source_.first), element);
  };
  for (std::int64_t line = first_line_; line < first_line_ + n_lines_; ++line) {
    for (std::int64_t k = 0; k < to.n; ++k) {
      const std::int64_t i = std::max(line, k), j = std::min(line, k);
      if (i == j && !to.has_diagonal()) continue;
      put(i, j, to.place(i, j));
      if (to.form == Form::symmetric) put(i, j, mirrored.place(i, j));
    }
  }
}

Operation TriangleConversion::part(const Ranges& part) const {
  return Operation(std::shared_ptr<const TriangleConversion>(new TriangleConversion(*this, part)));
}

// Back where all that the source has is there.
Operation TriangleConversion::inverse() const {
  const auto& [from, to] = request_;
  const bool is_whole = n_lines_ == to.n && first_line_ == 0 && source_.first == 0 && source_.last == from.n_elements();
  if (!is_whole) throw Error(ErrorCode::unsupported, "no inverse of a part of a triangle conversion");
  if (from.n_pairs() > to.n_pairs())
    throw Error(ErrorCode::unsupported,
                fmt::format("no inverse: {} elements of {} become {} of {}", from.n_pairs(), from.print(), to.n_pairs(), to.print()));
  return plan(TriangleRequest{to, from}, device);
}

}  // namespace

Operation plan(const TriangleRequest& request, Device device) {
  return Operation(std::make_shared<const TriangleConversion>(request, device));
}

void convert_triangle(const TriangleLayout& from, const TriangleLayout& to, ConstBuffer src, Buffer dst, Executor& executor) {
  plan(TriangleRequest{from, to}).run({src}, {dst}, executor);
}
void convert_triangle(const TriangleLayout& from, const TriangleLayout& to, ConstBuffer src, Buffer dst, Device device,
                      const Stream& stream) {
  plan(TriangleRequest{from, to}, device).run({src}, {dst}, stream);
}

}  // namespace crinkle
