// Where bytes lie and who moves them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace crinkle {

struct Device {
  enum class Kind : std::uint8_t { cpu, cuda };
  Kind kind = Kind::cpu;
  int index = 0;

  friend bool operator==(const Device&, const Device&) = default;
};
Device cpu() noexcept;
/// The n-th CUDA device. Throws unsupported where the library was built without CUDA, and device where there is no driver, one too old for
/// this build, or no device of that number.
Device cuda(int n = 0);

/// A buffer's origin (byte 0 of the layout it was planned with) and how many bytes follow it.
struct ConstBuffer {
  const void* data = nullptr;
  std::int64_t bytes = 0;
};
struct Buffer {
  void* data = nullptr;
  std::int64_t bytes = 0;

  operator ConstBuffer() const noexcept { return {data, bytes}; }  // NOLINT: it is one
};

}  // namespace crinkle
