// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace crinkle::fft {

/// A place in a container.
inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

template <class T>
std::byte* bytes_of(T* x) {
  return reinterpret_cast<std::byte*>(x);
}
template <class T>
const std::byte* bytes_of(const T* x) {
  return reinterpret_cast<const std::byte*>(x);
}

}  // namespace crinkle::fft
