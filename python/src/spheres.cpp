// Collisions, triplets and bit planes: what is computed at once, without a plan.
// SPDX-License-Identifier: BSD-3-Clause
#include <nanobind/stl/string.h>

#include "computed.hpp"
#include "crinkle/operations.hpp"
#include "crinkle/pairs.hpp"
#include "interruptible.hpp"
#include "moves.hpp"

namespace crinkle::python {
namespace {

Points points_of(const View& view, bool is_float64, const char* what) {
  if (view.rank != 2)
    throw Error(ErrorCode::bad_shape, std::string(what) + ": points are an array [n][features], not one of shape " + view.shape());
  return {view.source(), is_float64 ? Real::float64 : Real::float32, view.extents[0], view.extents[1]};
}

// Runs on the device of the points, behind what their library has on its stream.
template <class OnCpu, class OnDevice>
auto where_it_is(const View& view, const OnCpu& on_cpu, const OnDevice& on_device) {
  Interruptible threads(executor(), view.bytes);
  const Stream stream = stream_of(view);
  const Unlocked unlocked;
  if (view.device < 0) return on_cpu(threads);
  stream.synchronize();
  return on_device(view.crinkle_device());
}

std::int64_t count(nb::handle centres, nb::handle radii, bool is_float64) {
  const View c = view_of(centres), r = view_of(radii);
  const Spheres spheres{points_of(c, is_float64, "collisions"), r.source()};
  return where_it_is(
      c, [&](Executor& executor) { return count_collisions(spheres, executor); },
      [&](Device device) { return count_collisions(spheres, device); });
}

void find(nb::handle centres, nb::handle radii, nb::handle out, bool is_float64) {
  const View c = view_of(centres), r = view_of(radii), pairs = output_view(out);
  const Spheres spheres{points_of(c, is_float64, "collisions"), r.source()};
  const std::span<Collision> found(reinterpret_cast<Collision*>(pairs.data), static_cast<std::size_t>(pairs.extents[0]));
  where_it_is(
      c, [&](Executor& executor) { return find_collisions(spheres, found, executor); },
      [&](Device device) { return find_collisions(spheres, pairs.destination(), device); });
}

double energy(nb::handle points, bool is_float64) {
  const View view = view_of(points);
  const Points all = points_of(view, is_float64, "triplet_energy");
  return where_it_is(
      view, [&](Executor& executor) { return triplet_energy(all, executor); }, [&](Device device) { return triplet_energy(all, device); });
}

// n elements and their planes, both dense.
void planes(nb::handle elements, nb::handle planes, std::int64_t n, bool is_back) {
  const View e = view_of(elements), p = view_of(planes);
  const auto bytes_of = [](const View& v) { return std::span<std::byte>(v.data, static_cast<std::size_t>(v.bytes)); };
  Interruptible threads(executor(), e.bytes);
  const Unlocked unlocked;
  if (is_back) from_bit_planes(bytes_of(p), bytes_of(e), n, e.element_bytes, threads);
  else bit_planes(bytes_of(e), bytes_of(p), n, e.element_bytes, threads);
}

}  // namespace

void bind_spheres(nb::module_& module) {
  module.def("count_collisions", &count);
  module.def("find_collisions", &find);
  module.def("triplet_energy", &energy);
  module.def("bit_planes", &planes);
}

}  // namespace crinkle::python
