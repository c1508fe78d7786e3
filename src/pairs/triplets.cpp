// The energy of triplets as an operation: one number of all points.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "base/checked.hpp"
#include "cpu/point_planes.hpp"
#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"
#include "operation/model.hpp"
#include "pairs/check.hpp"
#include "pairs/cpu/pairs.hpp"
#include "pairs/cuda/pairs.hpp"
#include "pairs/reference.hpp"
#include "pairs/squares.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t most_points = std::int64_t{1} << 21;  // n³/6 fits 64 bits

double read_double(const DeviceMemory& memory) {
  double value = 0;
  copy_bytes({memory.data(), std::int64_t{sizeof value}}, {&value, std::int64_t{sizeof value}});
  return value;
}

class Triplets final : public Operation::Model {
 public:
  Triplets(const TripletRequest& of, Device on) : request_(of) {
    name = "triplet sum";
    device = on;
    machine = on.kind == Device::Kind::cuda ? facts_of(on).name : simd::PairKernels::best().target;
    if (of.n > most_points) throw Error(ErrorCode::too_large, fmt::format("the triplets of {} points; give at most {}", of.n, most_points));
    check_points(of.n, 3, of.type);
    inputs = {points_port("points", of.n, 3, of.type)};
    if (on.kind == Device::Kind::cpu) workspace_bytes = add(triplet_bytes(of.n), line_alignment);
    outputs = {port_of("energy", Layout::dense({}, sizeof(double)), element_type(Real::float64))};
  }

  void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const override {
    const Points points{in[0], request_.type, request_.n, 3};
    const bool is_cpu = device.kind == Device::Kind::cpu;
    const double energy = is_cpu ? run_triplets(points, worker.executor(), simd::PairKernels::best(), {}, aligned_lines(workspace))
                                 : on_device(points, worker.stream());
    if (is_cpu) std::memcpy(out[0].data, &energy, sizeof energy);
    else copy_bytes({&energy, std::int64_t{sizeof energy}}, out[0]);
  }
  void define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const override {
    const double energy = reference_triplet_energy({in[0], request_.type, request_.n, 3});
    std::memcpy(out[0].data, &energy, sizeof energy);
  }
  OperationCost cost() const override {
    OperationCost cost = Model::cost();
    const auto n = static_cast<double>(request_.n);
    cost.operations = n * (n - 1) * (n - 2) / 6 * 20;
    return cost;
  }
  std::string describe() const override {
    const auto n = static_cast<double>(request_.n);
    return fmt::format("energy of the triplets of {} points: {} terms, {}\n", request_.n, n * (n - 1) * (n - 2) / 6, machine);
  }

 private:
  double on_device(const Points& points, const Stream& stream) const;

  TripletRequest request_;
};

double Triplets::on_device(const Points& points, const Stream& stream) const {
  if (points.n < 3) return 0;
  const DeviceMemory sums(device, gpu::entry<simplex::n_triplet_sums>(points.n) * std::int64_t{sizeof(double)});
  auto* const to = static_cast<double*>(sums.data());
  gpu::clear(sums, stream.get());
  gpu::entry<simplex::launch_most>(points.data.data, points.n * points.n_features, points.type, to, stream);
  stream.synchronize();
  const double most = read_double(sums);
  const auto energy_in = [&]<class C>(C) {
    const int exponent = triplet_exponent<C>(most);
    gpu::entry<simplex::launch_triplets>(points, sizeof(C) == 4 ? Real::float32 : Real::float64, std::ldexp(1.0, exponent), to, stream);
    stream.synchronize();
    return energy_of_scaled(read_double(sums), exponent);
  };
  const double energy = points.type == Real::float32 ? energy_in(0.0F) : energy_in(0.0);
  return points.type == Real::float64 || std::isfinite(energy) ? energy : energy_in(0.0);  // as on a CPU
}

Operation planned(const Points& points, Device device) {
  if (points.n_features != 3)
    throw Error(ErrorCode::bad_shape, fmt::format("{} feature{} of a point; the energy of triplets is of points in 3 dimensions",
                                                  points.n_features, points.n_features == 1 ? "" : "s"));
  return plan(TripletRequest{points.n, points.type}, device);
}

}  // namespace

Operation plan(const TripletRequest& request, Device device) { return Operation(std::make_shared<const Triplets>(request, device)); }

double triplet_energy(const Points& points, Executor& executor) {
  double energy = 0;
  planned(points, cpu()).run({points.data}, {Buffer(&energy, sizeof energy)}, executor);
  return energy;
}

double triplet_energy(const Points& points, Device device) {
  gpu::check_built(device);
  const Operation operation = planned(points, device);
  if (device.kind == Device::Kind::cpu) operation.run({points.data}, {Buffer()}, Stream());  // refuses
  const DeviceMemory energy(device, sizeof(double));
  operation.run({points.data}, {energy}, Stream());
  return read_double(energy);
}

}  // namespace crinkle
