// Arrays of real numbers of any layout in a GPU's memory, guarded.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "fft/arrays.hpp"
#include "on_gpu.hpp"

namespace crinkle::testing {

template <class T>
class RealsOnGpu {
 public:
  explicit RealsOnGpu(const Layout& layout, std::int64_t shift = 0) : layout_(layout), memory_({0, fft::bytes_of(layout)}, shift) {
    memory_.upload();
  }
  RealsOnGpu(const Layout& layout, const fft::Array& array, std::int64_t shift = 0) : RealsOnGpu(layout, shift) { put(array); }

  void put(const fft::Array& array) {
    fft::each_element(layout_,
                      [&](std::int64_t i, std::int64_t byte) { fft::put<T>(memory_.host() + byte, array.values[fft::at(i)], true); });
    memory_.upload();
  }
  Buffer buffer() { return {memory_.device(), fft::bytes_of(layout_)}; }
  bool is_as_it_was() const { return memory_.download() == memory_.host_bytes(); }

  /// What is there now. Nothing beside it was written.
  fft::Array get() {
    const std::vector<std::byte> have = memory_.download();
    std::vector<bool> is_element(have.size());
    fft::Array got{layout_.extents, {}};
    const std::int64_t begin = memory_.host() - memory_.host_begin();
    fft::each_element(layout_, [&](std::int64_t, std::int64_t byte) {
      got.values.push_back(fft::get<T>(have.data() + begin + byte, true));
      for (std::int64_t i = 0; i < layout_.element_bytes; ++i) is_element[fft::at(begin + byte + i)] = true;
    });
    for (std::size_t i = 0; i < have.size(); ++i) {
      if (is_element[i] || have[i] == memory_.host_bytes()[i]) continue;
      ADD_FAILURE() << "byte " << memory_.offset_of(i) << " beside the output was written";
      break;
    }
    return got;
  }

 private:
  Layout layout_;
  Guarded memory_;
};

}  // namespace crinkle::testing
