// An array in the other byte order.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "formats/dataset.hpp"

namespace crinkle::tool {
namespace {

class Turned final : public Dataset {
 public:
  Turned(std::unique_ptr<Dataset> dataset, const ElementType& type) : dataset_(std::move(dataset)) {
    facts_ = dataset_->facts();
    facts_.type = type;
  }

  void read(const Ranges& box, std::byte* into, const Extents& strides) const override {
    dataset_->read(box, into, strides);
    if (std::any_of(box.begin(), box.end(), [](const Range& range) { return range.n == 0; })) return;
    turn(box, 0, into, strides);
  }

 private:
  void turn(const Ranges& box, std::size_t axis, std::byte* at, const Extents& strides) const {
    if (axis == box.size()) {
      for (const ItemPart& part : facts_.type.parts)
        for (std::int64_t i = 0; i < part.count; ++i)
          std::reverse(at + part.offset + i * part.item_bytes, at + part.offset + (i + 1) * part.item_bytes);
      return;
    }
    for (std::int64_t i = 0; i < box[axis].n; ++i) turn(box, axis + 1, at + i * strides[axis], strides);
  }

  std::unique_ptr<Dataset> dataset_;
};

}  // namespace

std::unique_ptr<Dataset> in_order(std::unique_ptr<Dataset> dataset, const ElementType& type) {
  return std::make_unique<Turned>(std::move(dataset), type);
}

}  // namespace crinkle::tool
