// Eigen's tensors: shuffle and reverse, on a pool of threads. What is prepared stays until the program ends.
// SPDX-License-Identifier: BSD-3-Clause
#define EIGEN_USE_THREADS
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <unsupported/Eigen/CXX11/Tensor>

#include "rival.h"

namespace {

constexpr int version[] = {EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION};

struct Prepared {
  std::unique_ptr<Eigen::ThreadPool> pool;
  std::unique_ptr<Eigen::ThreadPoolDevice> device;
  std::function<void()> run;
};

template <class Element, int rank>
std::function<void()> run_of(const rival_move& m, const Eigen::ThreadPoolDevice& device) {
  using Map = Eigen::TensorMap<Eigen::Tensor<Element, rank, Eigen::RowMajor>>;
  using ConstMap = Eigen::TensorMap<const Eigen::Tensor<Element, rank, Eigen::RowMajor>>;
  std::array<Eigen::Index, rank> from, to, order;
  std::array<bool, rank> is_reversed;
  bool is_shuffled = false, reverses = false;
  for (std::size_t k = 0; k < rank; ++k) {
    order[k] = m.order[k];
    from[k] = m.extents[k];
    to[k] = m.extents[order[k]];
    is_reversed[static_cast<std::size_t>(order[k])] = m.flipped[k] != 0;
    is_shuffled |= order[k] != static_cast<Eigen::Index>(k);
    reverses |= m.flipped[k] != 0;
  }
  const ConstMap src(static_cast<const Element*>(m.src), from);
  const Map dst(static_cast<Element*>(m.dst), to);
  if (!reverses) return [=, &device] { Map(dst).device(device) = src.shuffle(order); };
  if (!is_shuffled) return [=, &device] { Map(dst).device(device) = src.reverse(is_reversed); };
  return {};
}

std::function<void()> run_of(const rival_move& m, const Eigen::ThreadPoolDevice& device) {
  if (m.element_bytes == 4 && m.rank == 2) return run_of<float, 2>(m, device);
  if (m.element_bytes == 4 && m.rank == 3) return run_of<float, 3>(m, device);
  if (m.element_bytes == 1 && m.rank == 3) return run_of<std::uint8_t, 3>(m, device);
  return {};
}

}  // namespace

const char* rival_version(void) {
  static const std::string text = std::to_string(version[0]) + '.' + std::to_string(version[1]) + '.' + std::to_string(version[2]);
  return text.c_str();
}

void* rival_prepare(const rival_move* move) {
  auto prepared = std::make_unique<Prepared>();
  prepared->pool = std::make_unique<Eigen::ThreadPool>(move->threads);
  prepared->device = std::make_unique<Eigen::ThreadPoolDevice>(prepared->pool.get(), move->threads);
  prepared->run = run_of(*move, *prepared->device);
  return prepared->run ? prepared.release() : nullptr;
}

void rival_run(void* prepared) { static_cast<Prepared*>(prepared)->run(); }
