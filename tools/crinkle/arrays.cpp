// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"

namespace crinkle::tool {

std::string described(const std::string& path, const Extents& extents, const ElementType& type) {
  return path + " " + print_shape(extents) + " " + spelled(type);
}

void for_each_element(const Layout& layout, const std::function<void(std::int64_t i, std::int64_t at)>& body) {
  const std::int64_t n = layout.n_elements();
  Extents index(layout.extents.size());
  std::int64_t at = layout.offset;
  for (std::int64_t i = 0; i < n; ++i) {
    body(i, at);
    for (std::size_t a = index.size(); a-- > 0;) {
      at += layout.strides[a];
      if (++index[a] < layout.extents[a]) break;
      at -= index[a] * layout.strides[a];
      index[a] = 0;
    }
  }
}

}  // namespace crinkle::tool
