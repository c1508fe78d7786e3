// Arrays of numbers in a GPU's memory. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crinkle/cuda.hpp"

namespace crinkle::interpolation {

/// Arrays that stay as long as this does.
class CudaMemory {
 public:
  explicit CudaMemory(Device device) : device_(device) {}

  template <class T>
  const T* upload(std::span<const T> numbers) {
    const auto bytes = static_cast<std::int64_t>(numbers.size_bytes());
    memory_.emplace_back(device_, bytes);
    copy_bytes({numbers.data(), bytes}, memory_.back());
    return static_cast<const T*>(memory_.back().data());
  }
  template <class T>
  const T* upload(const std::vector<T>& numbers) {
    return upload(std::span<const T>(numbers));
  }

 private:
  Device device_;
  std::vector<DeviceMemory> memory_;
};

}  // namespace crinkle::interpolation
