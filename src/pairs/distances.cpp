// Distances as operations: of one set of points, where a part is a rectangle of the square or some lines of another form, and of two sets,
// where it is a rectangle. Every pair is computed by itself, so that it has the same bits wherever it is.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/checked.hpp"
#include "base/fingerprint.hpp"
#include "cpu/point_planes.hpp"
#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "form/check.hpp"
#include "move/planned.hpp"
#include "operation/model.hpp"
#include "pairs/check.hpp"
#include "pairs/cpu/pairs.hpp"
#include "pairs/cuda/pairs.hpp"
#include "pairs/reference.hpp"

namespace crinkle {
namespace {

constexpr double operations_per_feature = 3;

std::string machine_for(Device device) {
  return device.kind == Device::Kind::cuda ? facts_of(device).name : simd::PairKernels::best().target;
}

/// n points of a set, from number `first` on.
Points points_at(ConstBuffer all, std::int64_t first, std::int64_t n, std::int64_t n_features, Real type) {
  const std::int64_t point = n_features * bytes_of(type);
  return {{static_cast<const std::byte*>(all.data) + first * point, n * point}, type, n, n_features};
}

OperationCost cost_of(const Operation::Model& model, double n_pairs, std::int64_t n_features) {
  OperationCost cost = model.Operation::Model::cost();
  cost.operations = n_pairs * static_cast<double>(n_features) * operations_per_feature;
  return cost;
}

/// out[i · pitch + j] of rows i and columns j of a set of rows and another one, or the same: line l and column l + same are one point.
void run_rectangle(const Points& rows, const Points& columns, Metric metric, std::byte* out, std::int64_t pitch, std::int64_t same,
                   Device device, std::byte* planes, const Worker& worker) {
  if (device.kind == Device::Kind::cpu)
    return run_cross(rows, columns, metric, out, pitch, worker.executor(), simd::PairKernels::best(), {}, planes);
  const simplex::PairSets sets{rows.data.data, columns.data.data, columns.n, rows.n_features, rows.type, same};
  const auto tiles = simplex::rectangle_tiles(rows.n, columns.n, pitch / bytes_of(rows.type), rows.type);
  gpu::entry<simplex::launch_sets>(tiles, sets, metric, out, worker.stream());
}

class Distances final : public Operation::Model {
 public:
  /// The points of a request that a part has: rows and columns of a square, or lines of another form.
  struct Kept {
    Range rows, columns;
    PairLines lines;
  };
  Distances(const DistanceRequest& of, Device on) : Distances(of, {{0, of.n}, {0, of.n}, {0, of.n}}, on) {}
  Distances(const DistanceRequest& of, const Kept& some, Device on);

  void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const override;
  void define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const override;
  std::vector<Ranges> needs(const Ranges& part) const override;
  std::vector<Ranges> gives(const Ranges& part) const override;
  Operation part(const Ranges& part) const override;
  OperationCost cost() const override { return cost_of(*this, static_cast<double>(outputs[0].layout.n_elements()), request_.n_features); }
  std::uint64_t fingerprint() const override { return Fingerprint().of(request_).number(); }
  std::string describe() const override {
    return fmt::format("{} distances of {} points of {} features, {}: {} numbers, {}\n", name_of(request_.metric), request_.n,
                       request_.n_features, name_of(request_.form), outputs[0].layout.n_elements(), machine);
  }

 private:
  bool is_square() const { return request_.form == PairForm::square; }
  Kept kept_by(const Ranges& part) const;
  Range points_of(const Kept& some) const;

  DistanceRequest request_;
  Kept kept_;
};

Distances::Distances(const DistanceRequest& of, const Kept& some, Device on) : request_(of), kept_(some) {
  name = "distance table";
  device = on;
  machine = machine_for(on);
  check_points(of.n, of.n_features, of.type);
  inputs.push_back(points_port("points", of.n, of.n_features, of.type));
  Extents extents{some.rows.n, some.columns.n};
  if (!is_square()) {
    const std::int64_t all = layout_of(of.form, of.n, of.type).n_elements();
    extents = {!is_of_lines(of.form) ? all
                                     : elements_before(of.form, of.n, some.lines.last) - elements_before(of.form, of.n, some.lines.first)};
  }
  outputs.push_back(port_of("distances", Layout::dense(std::move(extents), bytes_of(of.type)), element_type(of.type)));
  if (on.kind == Device::Kind::cpu && outputs[0].layout.n_elements() > 0) {
    const auto planes = [&](std::int64_t n) { return plane_bytes(n, of.n_features, of.type, of.metric); };
    const bool is_one_set = !is_square() || some.rows == some.columns;
    workspace_bytes =
        add(is_one_set ? planes(is_square() ? some.rows.n : of.n) : add(planes(some.rows.n), planes(some.columns.n)), line_alignment);
  }
  const auto cut = [&](const char* of_what, std::int64_t extent, int axis) { cuts.push_back({of_what, extent, {0}, {axis}}); };
  if (is_square()) cut("row", some.rows.n, 0), cut("column", some.columns.n, 1);
  else if (is_of_lines(of.form)) cut("line", some.lines.last - some.lines.first, 0);
}

void Distances::run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const {
  std::byte* const planes = workspace == nullptr ? nullptr : aligned_lines(workspace);
  const auto points = [&](const Range& some) { return points_at(in[0], some.first, some.n, request_.n_features, request_.type); };
  auto* const to = static_cast<std::byte*>(out[0].data);
  if (is_square()) {
    const std::int64_t pitch = kept_.columns.n * bytes_of(request_.type);
    return run_rectangle(points(kept_.rows), points(kept_.columns), request_.metric, to, pitch, kept_.rows.first - kept_.columns.first,
                         device, planes, worker);
  }
  const Points all = points({0, request_.n});
  if (device.kind == Device::Kind::cpu)
    return run_distances(all, request_.metric, request_.form, kept_.lines, to, worker.executor(), simd::PairKernels::best(), {}, planes);
  gpu::entry<simplex::launch_distances>(simplex::distance_tiles(request_.form, request_.n, request_.type, kept_.lines), all,
                                        request_.metric, to, worker.stream());
}

void Distances::define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const {
  const auto define = [&](std::int64_t i, std::int64_t j, std::int64_t place) {
    reference_distance(in[0], i, in[0], j, request_.n_features, request_.type, request_.metric,
                       static_cast<std::byte*>(out[0].data) + place * bytes_of(request_.type));
  };
  if (is_square()) {
    for (std::int64_t i = 0; i < kept_.rows.n; ++i)
      for (std::int64_t j = 0; j < kept_.columns.n; ++j) define(kept_.rows.first + i, kept_.columns.first + j, i * kept_.columns.n + j);
    return;
  }
  const TriangleLayout layout = layout_of(request_.form, request_.n, request_.type);
  const std::int64_t before = is_of_lines(request_.form) ? elements_before(request_.form, request_.n, kept_.lines.first) : 0,
                     apart = layout.has_diagonal() ? 0 : 1;
  const bool is_upper = request_.form == PairForm::packed_upper;
  for (std::int64_t line = kept_.lines.first; line < kept_.lines.last; ++line) {
    const Range others = is_upper ? Range{0, line + 1} : Range{line + apart, request_.n - line - apart};
    for (std::int64_t k = others.first; k < others.first + others.n; ++k) {
      const std::int64_t i = std::max(line, k), j = std::min(line, k);
      define(i, j, layout.place(i, j) - before);
    }
  }
}

Distances::Kept Distances::kept_by(const Ranges& part) const {
  Kept some = kept_;
  if (is_square()) {
    some.rows = {kept_.rows.first + part[0].first, part[0].n};
    some.columns = {kept_.columns.first + part[1].first, part[1].n};
  } else {
    some.lines.first = kept_.lines.first + part[0].first;
    some.lines.last = some.lines.first + part[0].n;
  }
  return some;
}

/// The first to the last point that it reads.
Range Distances::points_of(const Kept& some) const {
  if (is_square()) {
    if (some.rows.n == 0 || some.columns.n == 0) return {};
    const std::int64_t first = std::min(some.rows.first, some.columns.first);
    return {first, std::max(some.rows.first + some.rows.n, some.columns.first + some.columns.n) - first};
  }
  if (some.lines.first == some.lines.last) return {};
  if (request_.form == PairForm::packed_upper) return {0, some.lines.last};
  return {some.lines.first, request_.n - some.lines.first};
}

std::vector<Ranges> Distances::needs(const Ranges& part) const { return {{points_of(kept_by(part)), {0, request_.n_features}}}; }

std::vector<Ranges> Distances::gives(const Ranges& part) const {
  if (is_square()) return {part};
  const PairLines some = kept_by(part).lines;
  const auto before = [&](std::int64_t line) { return elements_before(request_.form, request_.n, line); };
  return {{{before(some.first) - before(kept_.lines.first), before(some.last) - before(some.first)}}};
}

// The lines of condensed and packed_lower from one on are those of the points from there on.
Operation Distances::part(const Ranges& part) const {
  Kept some = kept_by(part);
  const Range points = points_of(some);
  DistanceRequest of = request_;
  of.n = points.n;
  if (is_square()) {
    some.rows.first = points.n == 0 ? 0 : some.rows.first - points.first;
    some.columns.first = points.n == 0 ? 0 : some.columns.first - points.first;
  } else {
    some.lines = points.n == 0 ? PairLines{} : PairLines{some.lines.first - points.first, some.lines.last - points.first};
  }
  return Operation(std::make_shared<const Distances>(of, some, device));
}

class CrossDistances final : public Operation::Model {
 public:
  CrossDistances(CrossDistanceRequest of, Device on);

  void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const override;
  void define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const override;
  Operation part(const Ranges& part) const override;
  OperationCost cost() const override {
    return cost_of(*this, static_cast<double>(request_.n) * static_cast<double>(request_.m), request_.n_features);
  }
  std::int64_t held_bytes() const override {
    return Model::held_bytes() + allocated_bytes(sizeof *this) + held_by(request_.out, made_, move_);
  }
  std::uint64_t fingerprint() const override { return Fingerprint().of(request_).number(); }
  std::string describe() const override {
    return fmt::format("{} distances of {} and {} points of {} features, workspace {} bytes, {}\n", name_of(request_.metric), request_.n,
                       request_.m, request_.n_features, workspace_bytes, machine);
  }

 private:
  CrossDistanceRequest request_;
  Layout made_;  // what is computed: rows, or columns, whose elements are next to each other
  bool is_by_columns_ = false;
  std::int64_t of_planes_ = 0;       // bytes of the workspace
  std::optional<PlannedMove> move_;  // from there to the output
};

CrossDistances::CrossDistances(CrossDistanceRequest of, Device on) : request_(std::move(of)) {
  name = "distance table";
  device = on;
  machine = machine_for(on);
  check_points(request_.n, request_.n_features, request_.type);
  check_points(request_.m, request_.n_features, request_.type);
  const std::int64_t element = bytes_of(request_.type);
  const Extents wanted{request_.n, request_.m};
  Layout& layout = request_.out;
  if (layout.extents.empty() && layout.strides.empty()) layout = Layout::dense(wanted, element);
  layout.check();
  if (layout.extents != wanted || layout.element_bytes != element)
    throw Error(ErrorCode::bad_shape, fmt::format("the output has the extents [{}] of {} bytes; these distances are [{}] of {}",
                                                  fmt::join(layout.extents, ", "), layout.element_bytes, fmt::join(wanted, ", "), element));
  if (layout.n_elements() > 0) check_no_overlap(layout);
  inputs = {points_port("rows", request_.n, request_.n_features, request_.type),
            points_port("columns", request_.m, request_.n_features, request_.type)};
  outputs = {port_of("distances", layout, element_type(request_.type))};
  cuts = {{"row", request_.n, {0, -1}, {0}}, {"column", request_.m, {-1, 0}, {1}}};
  made_ = layout;
  const auto has_lines = [&](std::size_t line, std::size_t along) {
    return (layout.strides[along] == element || wanted[along] <= 1) &&
           (on.kind == Device::Kind::cpu || (layout.strides[line] % element == 0 && layout.offset % element == 0));
  };
  is_by_columns_ = !has_lines(0, 1) && has_lines(1, 0);
  if (on.kind == Device::Kind::cpu && layout.n_elements() > 0) {
    const auto planes = [&](std::int64_t n) { return plane_bytes(n, request_.n_features, request_.type, request_.metric); };
    of_planes_ = add(planes(request_.n), planes(request_.m));
    workspace_bytes = add(of_planes_, line_alignment);
  }
  if (is_by_columns_ || has_lines(0, 1) || layout.n_elements() == 0) return;
  made_ = Layout::dense(wanted, element);
  move_.emplace(Rearrangement(made_).into(layout).steps(), machine_of(on), on, 1, 1);
  workspace_bytes = add(add(of_planes_, made_.n_bytes()), line_alignment);
}

void CrossDistances::run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const {
  const Points rows = points_at(in[0], 0, request_.n, request_.n_features, request_.type),
               columns = points_at(in[1], 0, request_.m, request_.n_features, request_.type);
  std::byte* const own = workspace == nullptr ? nullptr : aligned_lines(workspace);
  std::byte* const to = move_ ? own + of_planes_ : static_cast<std::byte*>(out[0].data) + made_.offset;
  run_rectangle(is_by_columns_ ? columns : rows, is_by_columns_ ? rows : columns, request_.metric, to,
                made_.strides[is_by_columns_ ? 1 : 0], simplex::PairSets::none, device, own, worker);
  if (!move_) return;
  const ConstBuffer from{to, made_.n_bytes()};
  if (device.kind == Device::Kind::cuda) move_->run({&from, 1}, out, {}, worker.stream());
  else move_->run({&from, 1}, out, {}, worker.executor());
}

void CrossDistances::define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const {
  const Layout& to = outputs[0].layout;
  for (std::int64_t i = 0; i < request_.n; ++i)
    for (std::int64_t j = 0; j < request_.m; ++j)
      reference_distance(in[0], i, in[1], j, request_.n_features, request_.type, request_.metric,
                         static_cast<std::byte*>(out[0].data) + to.offset + i * to.strides[0] + j * to.strides[1]);
}

Operation CrossDistances::part(const Ranges& part) const {
  CrossDistanceRequest of = request_;
  of.n = part[0].n;
  of.m = part[1].n;
  of.out = dense_part(of.out, part);
  return Operation(std::make_shared<const CrossDistances>(of, device));
}

DistanceRequest request_of(const Points& points, Metric metric, PairForm form) {
  return {points.n, points.n_features, points.type, metric, form};
}
CrossDistanceRequest request_of(const Points& rows, const Points& columns, Metric metric) {
  if (rows.n_features != columns.n_features || rows.type != columns.type)
    throw Error(ErrorCode::bad_shape, fmt::format("rows of {} features in {} and columns of {} in {}; give both the same", rows.n_features,
                                                  name_of_type(rows.type), columns.n_features, name_of_type(columns.type)));
  return {rows.n, columns.n, rows.n_features, rows.type, metric, {}};
}

}  // namespace

Operation plan(const DistanceRequest& request, Device device) { return Operation(std::make_shared<const Distances>(request, device)); }
Operation plan(const CrossDistanceRequest& request, Device device) {
  return Operation(std::make_shared<const CrossDistances>(request, device));
}

void distances(const Points& points, Metric metric, PairForm form, Buffer out, Executor& executor) {
  plan(request_of(points, metric, form)).run({points.data}, {out}, executor);
}
void distances(const Points& points, Metric metric, PairForm form, Buffer out, Device device, const Stream& stream) {
  plan(request_of(points, metric, form), device).run({points.data}, {out}, stream);
}
void cross_distances(const Points& rows, const Points& columns, Metric metric, Buffer out, Executor& executor) {
  plan(request_of(rows, columns, metric)).run({rows.data, columns.data}, {out}, executor);
}
void cross_distances(const Points& rows, const Points& columns, Metric metric, Buffer out, Device device, const Stream& stream) {
  plan(request_of(rows, columns, metric), device).run({rows.data, columns.data}, {out}, stream);
}

}  // namespace crinkle
