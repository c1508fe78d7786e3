// Arrays of real or complex numbers of any layout in a GPU's memory, guarded.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "fft/arrays.hpp"
#include "on_gpu.hpp"

namespace crinkle::testing {

enum class Parts { real, complex };

/// Numbers whose parts are Ts.
template <class T>
class ArrayOnGpu {
 public:
  explicit ArrayOnGpu(const Layout& layout, Parts parts = Parts::real, std::int64_t shift = 0)
      : layout_(layout), is_real_(parts == Parts::real), memory_({0, fft::bytes_of(layout)}, shift) {
    memory_.upload();
  }
  ArrayOnGpu(const Layout& layout, const fft::Array& array, Parts parts = Parts::real, std::int64_t shift = 0)
      : layout_(layout), is_real_(parts == Parts::real), memory_({0, fft::bytes_of(layout)}, shift) {
    fft::put_array<T>(layout_, array, is_real_, memory_.host());
    memory_.upload();
  }

  Buffer buffer() { return {memory_.device(), fft::bytes_of(layout_)}; }
  bool is_as_it_was() const { return memory_.is_as_on_host(); }
  void put_back() { memory_.upload(); }

  /// What is there now. Nothing beside it was written.
  fft::Array get() {
    std::vector<std::byte> have = memory_.download();
    std::byte* const origin = have.data() + (memory_.host() - memory_.host_begin());
    fft::Array got = fft::get_array<T>(layout_, is_real_, origin);
    fft::each_element(layout_, [&](std::int64_t, std::int64_t byte) {
      std::memcpy(origin + byte, memory_.host() + byte, static_cast<std::size_t>(layout_.element_bytes));
    });
    const std::size_t beside = first_difference(have, memory_.host_bytes());
    EXPECT_EQ(beside, have.size()) << "byte " << memory_.offset_of(beside) << " beside the output was written";
    return got;
  }

 private:
  Layout layout_;
  bool is_real_;
  Guarded memory_;
};

}  // namespace crinkle::testing
