// SPDX-License-Identifier: BSD-3-Clause
#include "resampling/resample_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/number_lines.hpp"
#include "files/arrays.hpp"
#include "running/progress.hpp"

namespace crinkle::tool {

void ResampleOptions::set_kernel(Resampling& r) const {
  r.by = parse_resample_by(by);
  r.is_antialiased = is_antialiased;
}

void note_skipped(const Resampling& r) {
  const double scale = skipping_scale(r);
  if (scale == 0) return;
  const char* const way = r.by == ResampleBy::nearest  ? "--by mode or --by area counts"
                          : r.by == ResampleBy::spline ? "--by lanczos or --by area counts"
                                                       : "--antialias or --by area counts";
  print_notes({fmt::format("elements are skipped: places of the result lie {:g} elements apart, and {} looks at {} of them; {} them all",
                           scale, name_of(r.by),
                           r.by == ResampleBy::nearest  ? 1
                           : r.by == ResampleBy::linear ? 2
                                                        : 4,
                           way)});
}

bool may_go_beyond(const ResampleOptions& options, bool is_of_another_type) {
  return is_of_another_type || options.by == "cubic" || options.by == "spline" || options.by == "lanczos" ||
         !options.words.boundary.empty();
}

Resampling CoordinateOnDevice::on(Device device, Resampling r) {
  auto* const field = std::get_if<CoordinateField>(&r.map);
  if (device.kind == Device::Kind::cpu || field == nullptr) return r;
  memory_ = DeviceMemory(device, field->data.bytes);
  copy_bytes(field->data, memory_);
  field->data = memory_;
  return r;
}

void verify_resampling(const Work& work, const Resampling& r, ConstBuffer from, ConstBuffer to, const std::string& path) {
  if (r.by != ResampleBy::spline) return work.verify({&from, 1}, {&to, 1}, path);
  const std::vector<Operation> stages = plan(r).stages();
  const Port& port = stages[0].outputs()[0];
  std::vector<std::byte> coefficients(static_cast<std::size_t>(port.layout.n_bytes()));
  stages[0].run({from}, {Buffer(coefficients)}, work.executor());
  const ConstBuffer between(coefficients);
  // At the source's own places.
  const NumberType type = port.type->number;
  Resampling same = r;
  same.map = AffineMap{.rank = static_cast<int>(r.axes.size())};
  same.destination = Layout::dense(r.source.extents, bytes_of(type.number));
  same.destination_type = type;
  same.destination_axes = r.axes;
  std::vector<std::byte> numbers(static_cast<std::size_t>(same.destination.n_bytes()));
  double most = 0;
  for_each_element(r.source, [&](std::int64_t i, std::int64_t at) {
    double x = 0;
    load_line(&x, 1, static_cast<const std::byte*>(from.data) + at, 0, 1, r.source_type);
    store_line(numbers.data() + i * bytes_of(type.number), 0, &x, 1, 1, type);
    most = std::max(most, std::abs(x));
  });
  const ConstBuffer there(numbers);
  const double roundings = 256 * (type.number == Number::float32 ? 0x1p-24 : 0x1p-53);  // coefficients are at most 27 times as large
  work.verify({&between, 1}, {&there, 1}, path + ", the coefficients of its spline",
              {.near = {{roundings * most, 0}}, .definition = plan(same).stages()[1], .is_told = false});
  work.verify({&between, 1}, {&to, 1}, path, {.definition = stages[1]});
}

nlohmann::ordered_json described(const Resampling& r) {
  nlohmann::ordered_json j{{"source_shape", r.source.extents}, {"shape", r.destination.extents}, {"axes", r.axes}, {"by", name_of(r.by)}};
  if (r.is_antialiased) j["antialias"] = true;
  if (const auto* affine = std::get_if<AffineMap>(&r.map)) {
    for (std::size_t a = 0; a < static_cast<std::size_t>(affine->rank); ++a) {
      j["matrix"].push_back(std::vector<double>(affine->matrix[a].begin(), affine->matrix[a].begin() + affine->rank));
      j["offset"].push_back(affine->offset[a]);
    }
  }
  if (const auto* polar = std::get_if<PolarMap>(&r.map)) {
    j["polar"] = {{"direction", polar->direction == PolarMap::Direction::to_polar ? "to_polar" : "from_polar"},
                  {"centre", polar->centre},
                  {"angle_step", polar->angle_step},
                  {"radius_step", polar->radius_step},
                  {"logarithmic", polar->is_logarithmic}};
  }
  const bool is_growing = r.is_antialiased || r.by > ResampleBy::spline;
  for (const Faces& faces : is_growing ? r.boundary : r.boundary.empty() ? usual_boundary(r) : r.boundary)
    j["boundary"].push_back(print(faces.low) == print(faces.high) ? print(faces.low) : print(faces.low) + "/" + print(faces.high));
  return j;
}

}  // namespace crinkle::tool
