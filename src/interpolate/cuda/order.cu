// Places in an order in which the threads of a warp have near ones. SPDX-License-Identifier: BSD-3-Clause
#include <cub/device/device_radix_sort.cuh>

#include "interpolate/cuda/each.cuh"
#include "interpolate/cuda/make_tree.hpp"
#include "interpolate/cuda/near_form.hpp"
#include "interpolate/cuda/order.cuh"

namespace crinkle::interpolation {
namespace {

struct OrderMemory {
  std::uint32_t *keys = nullptr, *sorted = nullptr, *own = nullptr, *order = nullptr;  // [n]
  std::byte* temporary = nullptr;
  std::size_t temporary_bytes = 0;
  std::int64_t bytes = 0;

  explicit OrderMemory(std::int64_t n, void* memory = nullptr) {
    sort(n, nullptr);
    Carving carving(memory);
    for (std::uint32_t** array : {&keys, &sorted, &own, &order}) carving.take(*array, n);
    carving.take(temporary, static_cast<std::int64_t>(temporary_bytes));
    bytes = carving.bytes();
  }
  void sort(std::int64_t n, CUstream_st* stream) {
    gpu::check_status(cub::DeviceRadixSort::SortPairs(temporary, temporary_bytes, keys, sorted, own, order, n, 0, 32, stream),
                      "sorting targets");
  }
};

// A workspace may begin anywhere.
constexpr std::int64_t unit = 256;

}  // namespace

std::int64_t order_bytes(std::int64_t n_targets) { return OrderMemory(n_targets).bytes + unit; }

const std::uint32_t* put_in_order(int n_dimensions, const CudaTree& tree, const CudaTargets& targets, void* memory, CUstream_st* stream) {
  const auto rest = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(memory) % unit);
  OrderMemory m(targets.n, static_cast<std::byte*>(memory) + (rest == 0 ? 0 : unit - rest));
  constexpr const char* what = "putting targets in order";
  if (n_dimensions == 2) kernel::each(targets.n, kernel::PutCurveKeys<2>{tree.boxes, targets, m.keys, m.own}, stream, what);
  else kernel::each(targets.n, kernel::PutCurveKeys<3>{tree.boxes, targets, m.keys, m.own}, stream, what);
  m.sort(targets.n, stream);
  return m.order;
}

}  // namespace crinkle::interpolation
