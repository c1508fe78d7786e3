// Operations over ranks: which part every rank computes, and what it fetches for it.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/checked.hpp"
#include "crinkle/distribute.hpp"
#include "crinkle/operation.hpp"
#include "distribute/rims.hpp"
#include "operation/model.hpp"

namespace crinkle {
namespace {

using distributed::fetch_of;
using distributed::is_empty;

// The axis of a port that runs along a cut.
int port_axis(const PortAxes& axes, std::size_t port) { return port < axes.size() ? axes[port] : -1; }

// A layout of the cuts' ranges, taken from a port's, or nothing where that does not divide just along cuts, in one range a rank.
std::optional<Distribution> cuts_like(const Operation& op, const Distribution& like, PortAxes Cut::* axes, std::size_t port) {
  if (like.has_windows() || like.has_copies()) return std::nullopt;
  std::vector<AxisParts> parts;
  std::vector<GridAxis> grid;
  for (const GridAxis& g : like.grid()) {
    const auto cut = std::find_if(op.cuts().begin(), op.cuts().end(), [&](const Cut& c) { return port_axis(c.*axes, port) == g.axis; });
    if (cut == op.cuts().end() || cut->extent != like.extents()[static_cast<std::size_t>(g.axis)]) return std::nullopt;
    for (std::int64_t p = 0; p < g.parts; ++p)
      if (like.axes()[static_cast<std::size_t>(g.axis)].held(p).size() > 1) return std::nullopt;
    grid.push_back({static_cast<int>(cut - op.cuts().begin()), g.parts});
  }
  for (std::size_t k = 0; k < op.cuts().size(); ++k) {
    const int axis = port_axis(op.cuts()[k].*axes, port);
    const bool is_divided = std::any_of(grid.begin(), grid.end(), [&](const GridAxis& g) { return g.axis == static_cast<int>(k); });
    parts.push_back(is_divided ? like.axes()[static_cast<std::size_t>(axis)] : AxisParts::whole(op.cuts()[k].extent));
  }
  const Distribution cuts(parts, grid);
  return like.ranks().empty() ? cuts : cuts.on(like.ranks());
}

// All grids of n ranks over cuts k …, as factors; first those that divide the first cuts, so that rows are long.
void add_grids(const Operation& op, std::int64_t n, std::vector<std::int64_t>& factors, std::vector<Distribution>& all) {
  const std::size_t k = factors.size();
  if (k == op.cuts().size()) {
    if (n > 1) return;
    std::vector<AxisParts> parts;
    std::vector<GridAxis> grid;
    for (std::size_t c = 0; c < k; ++c) {
      parts.push_back(AxisParts::block(op.cuts()[c].extent, factors[c]));
      grid.push_back({static_cast<int>(c), factors[c]});
    }
    all.emplace_back(parts, grid);
    return;
  }
  for (std::int64_t f = n; f > 0; --f) {
    if (n % f != 0) continue;
    factors.push_back(f);
    add_grids(op, n / f, factors, all);
    factors.pop_back();
  }
}

// The output's layout where ranks compute these ranges of cuts; nothing where a cut runs along none of its axes.
std::optional<Distribution> output_like(const Operation& op, const Distribution& cuts) {
  const Extents& extents = op.outputs()[0].layout.extents;
  std::vector<AxisParts> axes;
  for (const std::int64_t n : extents) axes.push_back(AxisParts::whole(n));
  std::vector<GridAxis> grid;
  for (const GridAxis& g : cuts.grid()) {
    const auto k = static_cast<std::size_t>(g.axis);
    const int axis = port_axis(op.cuts()[k].outputs, 0);
    if (axis < 0 || extents[static_cast<std::size_t>(axis)] != op.cuts()[k].extent) return std::nullopt;
    axes[static_cast<std::size_t>(axis)] = cuts.axes()[k];
    grid.push_back({axis, g.parts});
  }
  const Distribution made(axes, grid);
  return cuts.ranks().empty() ? made : made.on(cuts.ranks());
}

std::vector<Ranges> parts_of_ranks(const Distribution& cuts, std::int64_t n_ranks) {
  std::vector<Ranges> parts;
  for (std::int64_t r = 0; r < n_ranks; ++r) {
    Ranges& part = parts.emplace_back();
    for (std::size_t k = 0; k < cuts.extents().size(); ++k) {
      const std::vector<Range> held = cuts.held(r, k);
      part.push_back(held.empty() ? Range{} : held[0]);
    }
  }
  return parts;
}

bool holds_just(const Redistribution& fetch) {
  if (fetch.from().has_copies()) return false;
  for (std::int64_t r = 0; r < fetch.n_ranks(); ++r)
    for (std::size_t a = 0; a < fetch.from().extents().size(); ++a)
      if (fetch.from().held(r, a) != fetch.to().held(r, a)) return false;
  return true;
}

std::string words_of(const ElementType& type) {
  return fmt::format(",{}{} {}", type.is_complex ? " complex" : "", type.number.is_swapped ? " swapped" : "", name_of(type.number.number));
}

void check_layout(const Port& port, const Distribution& d, const std::string& what) {
  if (d.extents() != port.layout.extents)
    throw Error(ErrorCode::bad_shape, fmt::format("the {} is {} and its layout over ranks of {}", what, print_shape(port.layout.extents),
                                                  print_shape(d.extents())));
}

}  // namespace

DistributedOperation::DistributedOperation(const Operation& op, std::vector<Distribution> in, const Distribution& out)
    : in_(std::move(in)), out_(out) {
  if (op.outputs().size() != 1 || op.outputs()[0].is_counted || op.outputs()[0].is_updated)
    throw Error(ErrorCode::unsupported,
                fmt::format("over ranks an operation has one output, of a known size, all of it written; {} has another", op.name()));
  if (in_.size() != op.inputs().size())
    throw Error(ErrorCode::bad_shape,
                fmt::format("{} layouts of the {} inputs of {}: one an input", in_.size(), op.inputs().size(), op.name()));
  for (std::size_t k = 0; k < in_.size(); ++k) check_layout(op.inputs()[k], in_[k], "input '" + op.inputs()[k].name + "'");
  check_layout(op.outputs()[0], out_, "output '" + op.outputs()[0].name + "'");
  for (const Distribution& d : in_)
    if (d.has_windows())
      throw Error(ErrorCode::unsupported, "windows may overlap, so nothing is computed from them: give the layout whose part they are");
  if (out_.has_windows())
    throw Error(ErrorCode::unsupported, "windows may overlap, so nothing is computed into them: redistribute the result to them");
  n_ranks_ = out_.n_ranks();
  for (const Distribution& d : in_) n_ranks_ = std::max(n_ranks_, d.n_ranks());
  std::vector<Distribution> from = in_;
  const std::vector<Operation> stages = op.stages();
  for (std::size_t k = 0; k < stages.size(); ++k) {
    add_step(stages[k], from, k + 1 == stages.size());
    from = {steps_.back().made};
  }
  Redistribution last(from[0], out_, op.outputs()[0].layout.element_bytes);  // names of axes and unlike words for the same parts are none
  if (from[0].n_ranks() != out_.n_ranks() || !holds_just(last)) last_.push_back(std::move(last));
}

void DistributedOperation::add_step(const Operation& stage, const std::vector<Distribution>& from, bool is_last) {
  if (stage.cuts().empty() && n_ranks_ > 1)
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{} cannot be cut, so ranks have no parts of it: run it on one rank, between two redistributions", stage.name()));
  std::vector<Distribution> candidates;
  const auto add = [&](const std::optional<Distribution>& cuts) {
    if (cuts && cuts->n_ranks() <= n_ranks_) candidates.push_back(*cuts);
  };
  if (is_last) add(cuts_like(stage, out_, &Cut::outputs, 0));
  if (!from.empty()) add(cuts_like(stage, from[0], &Cut::inputs, 0));
  std::vector<std::int64_t> factors;
  add_grids(stage, n_ranks_, factors, candidates);
  std::optional<Step> best;
  std::int64_t least = 0;
  for (const Distribution& cuts : candidates) {
    const std::optional<Distribution> made = output_like(stage, cuts);
    if (!made) continue;
    Step step{stage, {}, {}, parts_of_ranks(cuts, n_ranks_), *made};
    const std::int64_t bytes = stage.outputs()[0].layout.element_bytes;
    std::int64_t cost = 0, peak = 0;
    for (std::size_t k = 0; k < from.size(); ++k) {
      step.fetch.push_back(fetch_of(stage, step.parts, from[k], k));
      step.is_there.push_back(holds_just(step.fetch.back()));
      cost = add_product(cost, step.fetch.back().traffic().sent, step.fetch.back().element_bytes());
    }
    if (is_last && *made != out_) cost = add_product(cost, Redistribution(*made, out_, bytes).traffic().sent, bytes);
    for (std::int64_t r = 0; r < n_ranks_; ++r) peak = std::max(peak, made->local(r, bytes).n_bytes());
    cost = crinkle::add(cost, multiply(peak, n_ranks_));  // as if those that wait took bytes, too
    if (best && cost >= least) continue;
    least = cost;
    best.emplace(std::move(step));
  }
  if (!best)
    throw Error(ErrorCode::unsupported,
                fmt::format("parts of {} are no boxes of its output: run it on one rank, between two redistributions", stage.name()));
  for (std::size_t r = 0; r < best->parts.size(); ++r) {
    if (best->parts[r].empty() || is_empty(best->parts[r])) continue;
    const Ranges gives = stage.gives(best->parts[r])[0];
    for (std::size_t a = 0; a < gives.size(); ++a)
      if (best->made.held(static_cast<std::int64_t>(r), a) != std::vector<Range>{gives[a]})
        throw Error(ErrorCode::unsupported,
                    fmt::format("parts of {} are no boxes of its output: run it on one rank, between two redistributions", stage.name()));
  }
  distributed::add_rims(*best, from);
  steps_.push_back(std::move(*best));
}

std::int64_t DistributedOperation::sent_bytes() const {
  std::int64_t bytes = 0;
  const auto add_all = [&](const std::vector<Redistribution>& moves) {
    for (const Redistribution& move : moves) bytes = add_product(bytes, move.traffic().sent, move.element_bytes());
  };
  for (const Step& step : steps_) {
    if (step.rims.empty()) add_all(step.fetch);
    for (const Rim& rim : step.rims) add_all(rim.fetch);
  }
  add_all(last_);
  return bytes;
}

std::string DistributedOperation::text() const {
  std::string text;
  for (const Step& step : steps_) {
    const Operation& op = step.operation;  // what describe() says of the machine may differ
    for (const std::vector<Port>* ports : {&op.inputs(), &op.outputs()})
      for (const Port& port : *ports)
        text += fmt::format("{} {} {} of {} bytes{}, ", op.name(), port.name, print_shape(port.layout.extents), port.layout.element_bytes,
                            port.type ? words_of(*port.type) : "");
    text += fmt::format("request {:016x}, {}", op.model().fingerprint(), step.made.text());
    for (const Redistribution& fetch : step.fetch) text += "\n" + fetch.text();
  }
  for (const Redistribution& move : last_) text += "\n" + move.text();
  return text;
}

}  // namespace crinkle
