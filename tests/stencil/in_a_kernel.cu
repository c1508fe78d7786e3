// Stencils of the user's own from inside a kernel: plain nvcc, without flags, must compile this file.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/half.hpp"
#include "crinkle/stencil.hpp"

namespace {

using namespace crinkle;

struct Heat {
  using Radius = crinkle::Radius<1, 1>;
  float k;
  template <class At>
  CRINKLE_HD float operator()(const At& at) const {
    return at(offset<0, 0>) + k * (at(offset<-1, 0>) + at(offset<1, 0>) + at(offset<0, -1>) + at(offset<0, 1>) - 4 * at(offset<0, 0>));
  }
};

struct Advected {
  using Radius = crinkle::Radius<1>;
  template <class At>
  CRINKLE_HD double operator()(const At& at) const {
    return at(offset<0>) - at(offset<0>, input<1>) * (at(offset<1>) - at(offset<-1>)) + static_cast<double>(at.index(0));
  }
};

}  // namespace

__global__ void heat(Stencil<Heat, float> stencil, StencilField<float, 2> out) {
  const Array<std::int64_t, 2> index{{blockIdx.y, blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x}};
  if (index[1] < stencil.extents()[1]) *out.at(index) = stencil.cell(index);
}

__global__ void advected(StencilField<const double, 1> q, StencilField<const double, 1> v, StencilField<double, 1> out) {
  const auto made = stencil(Advected{}, filled<1>(Faces(Bound::reflect)), q, v);
  for (std::int64_t i = threadIdx.x; i < q.extents[0]; i += blockDim.x) *out.at({{i}}) = made.cell({{i}});
}

__global__ void heat_of_half(StencilField<const Half, 2> q, StencilField<Half, 2> out, Half k) {
  const auto made = stencil(Heat{k}, filled<2>(Faces(Bound::edge)), q);
  for (std::int64_t i = threadIdx.x; i < q.extents[1]; i += blockDim.x) *out.at({{0, i}}) = made.cell({{0, i}});
}
