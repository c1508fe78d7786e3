// Interpolation and binning. SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/interpolate.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "arguments.hpp"
#include "computed.hpp"
#include "interruptible.hpp"
#include "moves.hpp"
#include "operations.hpp"

namespace crinkle::python {
namespace {

Reals reals_of(nb::handle array, bool is_float64) {
  if (array.is_none()) return {};
  const View view = dense_view(view_of(array), "interpolate");
  const auto n = static_cast<std::size_t>(view.layout().n_elements());
  if (is_float64) return std::span<const double>(reinterpret_cast<const double*>(view.data), n);
  return std::span<const float>(reinterpret_cast<const float*>(view.data), n);
}

Samples samples_of(nb::handle places, nb::handle values, nb::handle weights) {  // all float64
  const View p = host_view(places, "interpolate"), v = host_view(values, "interpolate");
  if (p.rank != 2 || (v.rank != 1 && v.rank != 2) || p.extents[0] != v.extents[0])
    throw Error(ErrorCode::bad_shape,
                "samples are places [n][2 or 3] and values [n] or [n][columns], not " + p.shape() + " and " + v.shape());
  if (p.extents[1] != 2 && p.extents[1] != 3)
    throw Error(ErrorCode::bad_shape, "places have 2 or 3 coordinates, not " + std::to_string(p.extents[1]));
  return {reals_of(places, true), reals_of(values, true), reals_of(weights, true), static_cast<int>(p.extents[1]),
          v.rank == 1 ? 1 : v.extents[1]};
}

void interpolate_on_cpu(const Samples& samples, const Interpolation& how, const Reals& at, const View& result) {
  const std::span<double> to(reinterpret_cast<double*>(result.data), static_cast<std::size_t>(result.layout().n_elements()));
  const std::shared_ptr<Executor> threads = executor();
  const Unlocked unlocked;
  Interpolator(samples, how, *threads).run(at, to, *threads);
}

/// Samples on a GPU, of any strides. What was given to another stream than that of the targets, or of the output, is waited for.
DeviceSamples device_samples_of(nb::handle places, nb::handle values, nb::handle weights, const View& targets) {
  DeviceSamples samples;
  const auto column_of = [](const View& view, std::int64_t column) {
    const std::int64_t first = view.rank == 2 ? column * view.strides[1] : 0;
    const Real type = view.element_bytes == 8 ? Real::float64 : Real::float32;
    return RecordNumbers{view.data + first, PlainPlace{.record_bytes = view.strides[0]}, type};
  };
  const auto seen = [&](nb::handle array) {
    View view = view_of(array);
    if (const Stream its = stream_of(view); its.get() != stream_of(targets).get()) its.synchronize();
    return view;
  };
  const View p = seen(places), v = seen(values);
  samples.n = p.extents[0];
  for (std::int64_t a = 0; a < p.extents[1]; ++a) samples.places.push_back(column_of(p, a));
  for (std::int64_t c = 0; c < (v.rank == 1 ? 1 : v.extents[1]); ++c) samples.values.push_back(column_of(v, c));
  if (!weights.is_none()) samples.weights = column_of(seen(weights), 0);
  return samples;
}

// `targets` [n][dimensions], float64 on a CPU; `out` [columns][n] of their type. Samples are float64 on a CPU, or lie on the targets' GPU.
void interpolate_at(nb::handle places, nb::handle values, nb::handle weights, nb::handle targets, nb::handle out, double power,
                    double smoothing, std::int64_t neighbours, double radius, std::int64_t least_neighbours, int sectors, double ratio,
                    double angle, double nodata, double tolerance) {
  const Interpolation how{power, smoothing, neighbours, radius, least_neighbours, sectors, {ratio, angle}, nodata, tolerance};
  const View where = view_of(targets), result = dense_view(output_of(where, out, "interpolate"), "interpolate");
  const Real type = real_of(where.element_bytes == 8);
  const Device device = where.crinkle_device();
  const Stream stream = stream_of(where);
  const auto run_there = [&](const auto& make) {
    std::optional<Interpolator> interpolator;
    std::optional<Operation> operation;
    {
      const Unlocked unlocked;
      interpolator.emplace(make());
      const auto n_dimensions = where.extents[static_cast<std::size_t>(where.rank - 1)];
      operation.emplace(interpolator->operation(TargetPlaces{where.layout().n_elements() / n_dimensions, type}, type));
    }
    const ConstBuffer in[] = {where.source()};
    const Buffer to[] = {result.destination()};
    run_or_plan(*operation, targets, where, in, to);
    const Unlocked unlocked;
    if (Planning::now() == nullptr) stream.synchronize();  // the samples' copies on the device end here
  };
  if (view_of(places).device >= 0) {
    const DeviceSamples samples = device_samples_of(places, values, weights, where);
    return run_there([&] { return Interpolator(samples, how, device, stream); });
  }
  const Samples samples = samples_of(places, values, weights);
  if (Planning::now() != nullptr) {
    const TargetPlaces later{where.layout().n_elements() / samples.n_dimensions, type};
    return run_new_request(InterpolateRequest{samples, how, later, type}, targets, where, {where.source()}, {result.destination()}, {});
  }
  if (device.kind == Device::Kind::cpu) return interpolate_on_cpu(samples, how, reals_of(targets, true), result);
  run_there([&] { return Interpolator(samples, how, device); });
}

// A list of (power, neighbours, rmse, samples that were predicted).
nb::list cross_validate_samples(nb::handle places, nb::handle values, nb::handle weights, double smoothing, double radius,
                                std::int64_t least_neighbours, int sectors, double ratio, double angle, const std::vector<double>& powers,
                                const std::vector<std::int64_t>& neighbours) {
  const Samples samples = samples_of(places, values, weights);
  Interpolation how{.smoothing = smoothing, .radius = radius, .least_neighbours = least_neighbours, .sectors = sectors};
  how.anisotropy = {ratio, angle};
  Interruptible threads(executor(), 0);
  const std::vector<Score> scores = [&] {
    const Unlocked unlocked;
    return cross_validate(samples, how, powers, neighbours, threads);
  }();
  nb::list rows;
  for (const Score& s : scores) rows.append(nb::make_tuple(s.power, s.neighbours, s.rmse, s.n_predicted));
  return rows;
}

// Raster axes x first.
Raster raster_of(const std::vector<double>& first, const std::vector<double>& step, const std::vector<std::int64_t>& extents) {
  if (first.size() > 3 || first.size() != step.size() || first.size() != extents.size())
    throw Error(ErrorCode::bad_shape, "a raster has 1 to 3 axes, and a first centre, a step and an extent for each");
  Raster raster;
  std::copy(first.begin(), first.end(), raster.first.begin());
  std::copy(step.begin(), step.end(), raster.step.begin());
  std::copy(extents.begin(), extents.end(), raster.extents.begin());
  return raster;
}

std::int64_t bin_samples(nb::handle places, nb::handle values, nb::handle out, const std::vector<double>& first,
                         const std::vector<double>& step, const std::vector<std::int64_t>& extents,
                         const std::vector<std::string>& statistics, double nodata) {
  const bool is_there = view_of(places).device >= 0;
  const Samples samples = is_there ? Samples() : samples_of(places, values, nb::none());
  const Raster raster = raster_of(first, step, extents);
  std::vector<Statistic> wanted;
  for (const std::string& word : statistics) wanted.push_back(parse_statistic(word));
  const View result = dense_view(is_there ? output_view(out) : host_output(out, "grid"), "grid");
  const std::span<double> to(reinterpret_cast<double*>(result.data), static_cast<std::size_t>(result.layout().n_elements()));
  if (is_there) {
    if (Planning::now() != nullptr)
      throw Error(ErrorCode::unsupported, "plan: samples on a GPU are binned at once: call grid(), or plan it for samples on the CPU");
    const DeviceSamples there = device_samples_of(places, values, nb::none(), result);
    const Stream stream = stream_of(result);
    const Unlocked unlocked;
    return bin(there, raster, wanted, to, nodata, result.crinkle_device(), stream);
  }
  if (Planning::now() != nullptr) {
    run_new_request(BinRequest{samples, raster, wanted, nodata}, out, result, {}, {result.destination()}, {});
    return 0;
  }
  Interruptible threads_of_call(executor(), result.bytes);
  Executor* const threads = &threads_of_call;
  const Unlocked unlocked;
  return bin(samples, raster, wanted, to, nodata, *threads);
}

}  // namespace

void bind_interpolation(nb::module_& module) {
  module.def("interpolate_at", &interpolate_at, nb::arg("places"), nb::arg("values"), nb::arg("weights").none(), nb::arg("targets"),
             nb::arg("out"), nb::arg("power"), nb::arg("smoothing"), nb::arg("neighbours"), nb::arg("radius"), nb::arg("least_neighbours"),
             nb::arg("sectors"), nb::arg("ratio"), nb::arg("angle"), nb::arg("nodata"), nb::arg("tolerance"));
  module.def("bin_samples", &bin_samples);
  module.def("cross_validate", &cross_validate_samples, nb::arg("places"), nb::arg("values"), nb::arg("weights").none(),
             nb::arg("smoothing"), nb::arg("radius"), nb::arg("least_neighbours"), nb::arg("sectors"), nb::arg("ratio"), nb::arg("angle"),
             nb::arg("powers"), nb::arg("neighbours"));
}

}  // namespace crinkle::python
