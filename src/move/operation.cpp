// A move as an operation.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/checked.hpp"
#include "base/fingerprint.hpp"
#include "crinkle/error.hpp"
#include "form/check.hpp"
#include "form/part.hpp"
#include "move/describe.hpp"
#include "move/planned.hpp"
#include "move/reference.hpp"
#include "operation/model.hpp"

namespace crinkle {
namespace {

std::string name_of_digit(const Rearrangement& r, std::size_t group, std::size_t digit) {
  const std::string& name = r.groups()[group].digits[digit].name;
  return name.empty() ? fmt::format("@{}", group) : name;
}

// "y", "(y x)" of every axis of a side.
std::vector<std::string> source_axes(const Rearrangement& r) {
  std::vector<std::string> axes;
  for (std::size_t g = 0; r.has_names() && g < r.groups().size(); ++g) {
    if (r.groups()[g].counts == Counts::buffers) continue;
    const std::size_t n = r.groups()[g].digits.size();
    std::string text;
    for (std::size_t d = 0; d < n; ++d) text += (d > 0 ? " " : "") + name_of_digit(r, g, d);
    axes.push_back(n == 1 ? text : "(" + text + ")");
  }
  return axes;
}
std::vector<std::string> destination_axes(const Rearrangement& r) {
  std::vector<std::string> axes;
  for (std::size_t o = 0; r.has_names() && o < r.outputs().size(); ++o) {
    const Output& output = r.outputs()[o];
    if (output.counts == Counts::buffers) continue;
    std::string text;
    for (const OutputTerm& t : output.terms) {
      text += text.empty() ? "" : " ";
      text += t.group < 0 ? fmt::format("{}", t.repeat)
                          : name_of_digit(r, static_cast<std::size_t>(t.group), static_cast<std::size_t>(t.digit));
    }
    axes.push_back(output.terms.size() == 1 ? text : "(" + text + ")");
  }
  return axes;
}

void add_boxes(Fingerprint& all, const Boxes& boxes) {
  all.of(std::ssize(boxes));
  for (const Box& box : boxes) {
    all.of(std::ssize(box.axes), box.src_offset, box.dst_offset, box.unit, box.src_slot, box.dst_slot, box.is_fill);
    for (const Axis& axis : box.axes) all.of(axis);
    all.bytes(box.pattern.data(), std::ssize(box.pattern));
  }
}

class Move final : public Operation::Model {
 public:
  Move(const Rearrangement& r, Device on) : r_(r) {
    name = "move";
    device = on;
    const Machine its_machine = machine_of(on);
    machine = its_machine.name;
    moves_.emplace_back(r.steps(), its_machine, on, r.n_sources(), r.n_destinations());
    add_ports("source", r.source(), moves_[0].source_spans, r.source_values(), source_axes(r), inputs);
    add_ports("destination", r.destination(), moves_[0].destination_spans, r.destination_values(), destination_axes(r), outputs);
    may_be_in_place = moves_[0].can_run_in_place();
    workspace_bytes = moves_[0].workspace_bytes;
    add_cuts();
  }
  /// A part in several pieces, from one window into one array.
  Move(const Move& whole, const std::vector<Rearrangement>& pieces, const std::vector<Layout>& from, const std::vector<Layout>& to)
      : r_(whole.r_), pieces_(pieces) {
    name = whole.name;
    device = whole.device;
    machine = whole.machine;
    for (const Rearrangement& piece : pieces) {
      moves_.emplace_back(piece.steps(), machine_of(device), device, piece.n_sources(), piece.n_destinations());
      workspace_bytes = std::max(workspace_bytes, moves_.back().workspace_bytes);
    }
    const auto add_all = [](const std::vector<Port>& ports, const std::vector<Layout>& layouts, std::vector<Port>& all) {
      for (std::size_t p = 0; p < ports.size(); ++p) {
        Port port = port_of(ports[p].name, layouts[p]);
        port.values = ports[p].values;
        port.axes = ports[p].axes;
        all.push_back(std::move(port));
      }
    };
    add_all(whole.inputs, from, inputs);
    add_all(whole.outputs, to, outputs);
  }

  void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const override {
    const auto run_by = [&](auto& by) {
      for (const PlannedMove& move : moves_) {
        if (may_be_in_place && is_in_place(in, out)) move.run_in_place(out, by);
        else move.run(in, out, {workspace, move.workspace_bytes}, by);
      }
    };
    if (device.kind == Device::Kind::cuda) run_by(worker.stream());
    else run_by(worker.executor());
  }

  void define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const override {
    std::vector<const std::byte*> from;
    std::vector<std::byte*> to;
    for (const ConstBuffer& b : in) from.push_back(static_cast<const std::byte*>(b.data));
    for (const Buffer& b : out) to.push_back(static_cast<std::byte*>(b.data));
    for (const Rearrangement& piece : pieces_.empty() ? std::vector{r_} : pieces_) {
      const Steps steps = piece.steps();
      std::vector<std::byte> workspace(static_cast<std::size_t>(steps.workspace_bytes));
      run_reference(steps, from, to, workspace.data());
    }
  }

  std::vector<Ranges> needs(const Ranges& part) const override {
    if (r_.has_names()) return std::vector<Ranges>(inputs.size(), PartOf(r_, part).needs());
    return {rows_read(boxes_of(part))};
  }

  Operation part(const Ranges& part) const override {
    std::vector<Layout> from, to;
    const std::vector<Ranges> needed = needs(part);
    for (std::size_t i = 0; i < inputs.size(); ++i) from.push_back(dense_part(inputs[i].layout, needed[i]));
    for (const Port& port : outputs) to.push_back(dense_part(port.layout, part));
    if (r_.has_names()) {
      std::vector<Rearrangement> pieces = PartOf(r_, part).pieces();
      if (pieces.size() == 1) return plan(pieces[0], device);
      return Operation(std::make_shared<const Move>(*this, pieces, from, to));
    }
    // From the whole source, which is dense: the rows that are read are its bytes from some place on.
    Steps steps;
    steps.steps.push_back({boxes_of(part), {}, {}});
    const Layout& source = inputs[0].layout;
    for (Box& box : steps.steps[0].boxes)
      if (!box.is_fill && !source.extents.empty()) box.src_offset -= needed[0][0].first * source.strides[0];
    Rearrangement window(from[0], to[0], std::move(steps));
    return plan(window.with_values(r_.source_values(), r_.destination_values()), device);
  }

  Operation inverse() const override {
    if (!pieces_.empty()) throw Error(ErrorCode::unsupported, "no inverse of a part of a move that lies in pieces");
    return plan(r_.inverse(), device);
  }

  std::int64_t held_bytes() const override { return Model::held_bytes() + allocated_bytes(sizeof *this) + held_by(r_, pieces_, moves_); }

  std::uint64_t fingerprint() const override {
    Fingerprint all;
    for (const Step& step : r_.steps().steps) {
      add_boxes(all, step.boxes);
      for (const GatherAxis& axis : step.gathers) all.of(axis);
      for (const Boxes& boxes : step.fill_boxes) add_boxes(all, boxes);
    }
    return all.number();
  }

  OperationCost cost() const override {
    OperationCost cost;
    for (const PlannedMove& move : moves_) cost.bytes = add(cost.bytes, move.bytes_moved);
    return cost;
  }

  std::string describe() const override {
    std::string text;
    for (const PlannedMove& move : moves_)
      text += crinkle::describe(move, moves_.size() == 1 ? &r_.source() : nullptr, moves_.size() == 1 ? &r_.destination() : nullptr);
    return text;
  }

 private:
  static void add_ports(const char* side, const Layout& layout, const std::vector<ByteSpan>& spans, const ValueForms& values,
                        const std::vector<std::string>& axes, std::vector<Port>& ports) {
    for (std::size_t s = 0; s < spans.size(); ++s) {
      Port port{.name = spans.size() == 1 ? side : fmt::format("{} {}", side, s), .layout = layout, .axes = axes, .touched = spans[s]};
      port.values = values[values.size() == 1 ? 0 : s];
      ports.push_back(std::move(port));
    }
  }

  void add_cuts() {
    // Without names: one array a side, all of it boxes, from a dense source.
    const bool is_of_boxes = !r_.has_names() && inputs.size() == 1 && outputs.size() == 1 && moves_[0].steps.size() == 1 &&
                             moves_[0].steps[0].gathers().empty() && r_.source().is_dense() && r_.source().offset == 0 &&
                             r_.destination().is_dense() && r_.destination().offset == 0;
    if (!r_.has_names() && !is_of_boxes) return;
    const Layout& to = r_.destination();
    const std::vector<std::string> axes = destination_axes(r_);
    for (std::size_t a = 0; a < to.extents.size(); ++a) {
      const std::string axis = axes.empty() ? fmt::format("axis {}", a) : axes[a];
      cuts.push_back({axis, to.extents[a], PortAxes(inputs.size(), -1), PortAxes(outputs.size(), static_cast<int>(a))});
    }
  }

  Boxes boxes_of(const Ranges& part) const {
    Layout dense = r_.destination();
    return r_.then(window(dense, part)).boxes();
  }
  // The slowest axis' indices between the first and the last byte.
  Ranges rows_read(const Boxes& boxes) const {
    const Layout& layout = inputs[0].layout;
    Ranges all;
    for (const std::int64_t extent : layout.extents) all.push_back({0, extent});
    if (all.empty() || layout.n_bytes() == 0) return all;
    const ByteSpan span = spans_of(boxes, Side::source, 1).front();
    const std::int64_t row = layout.strides[0];
    all[0] = {span.first / row, ceil_divide(span.last, row) - span.first / row};
    return all;
  }

  bool is_in_place(std::span<const ConstBuffer> in, std::span<const Buffer> out) const {
    for (std::size_t i = 0; i < in.size() && in.size() == out.size(); ++i) {
      const auto from = reinterpret_cast<std::uintptr_t>(in[i].data) + static_cast<std::uintptr_t>(inputs[i].touched.first);
      if (from == reinterpret_cast<std::uintptr_t>(out[i].data) + static_cast<std::uintptr_t>(outputs[i].touched.first)) return true;
    }
    return false;
  }

  Rearrangement r_;
  std::vector<Rearrangement> pieces_;  // that a part is made of; of the whole none
  std::vector<PlannedMove> moves_;     // one each
};

}  // namespace

Operation plan(const Rearrangement& r, Device device) { return Operation(std::make_shared<const Move>(r, device)); }

}  // namespace crinkle
