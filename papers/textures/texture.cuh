// Texture objects of one float a texel, by whole coordinates, the nearest texel where those lie outside (of one dimension they must not).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace crinkle::bench {

/// What a kernel gets: fetch(k) of a Texture over plain memory, fetch(x, y), fetch(x, y, z).
struct Fetch {
  cudaTextureObject_t object;
  __device__ float operator()(int k) const { return tex1Dfetch<float>(object, k); }
  __device__ float operator()(int x, int y) const {
    return tex2D<float>(object, static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
  }
  __device__ float operator()(int x, int y, int z) const {
    return tex3D<float>(object, static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F, static_cast<float>(z) + 0.5F);
  }
};

class Texture {
 public:
  /// Of one dimension, over memory.
  Texture(const float* data, std::size_t n) {
    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear.devPtr = const_cast<float*>(data);
    memory.res.linear.desc = cudaCreateChannelDesc<float>();
    memory.res.linear.sizeInBytes = n * sizeof(float);
    make(memory);
  }
  /// Of two dimensions, over memory whose rows are a multiple of 32 bytes.
  Texture(const float* data, std::size_t width, std::size_t height) {
    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypePitch2D;
    memory.res.pitch2D.devPtr = const_cast<float*>(data);
    memory.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    memory.res.pitch2D.width = width;
    memory.res.pitch2D.height = height;
    memory.res.pitch2D.pitchInBytes = width * sizeof(float);
    make(memory);
  }
  /// Of two or three (depth above 0) dimensions, a copy in an order that only the device knows: what paper 0 calls texture memory.
  struct Reordered {
    std::size_t width, height, depth;
  };
  Texture(const float* data, const Reordered& size) {
    const cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
    check(cudaMalloc3DArray(&array_, &one, {size.width, size.height, size.depth}));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(data), size.width * sizeof(float), size.width, size.height);
    copy.dstArray = array_;
    copy.extent = {size.width, size.height, size.depth == 0 ? 1 : size.depth};
    copy.kind = cudaMemcpyDeviceToDevice;
    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypeArray;
    memory.res.array.array = array_;
    try {
      check(cudaMemcpy3D(&copy));
      make(memory);
    } catch (...) {
      cudaFreeArray(array_);
      throw;
    }
  }
  ~Texture() {
    cudaDestroyTextureObject(fetch_.object);
    if (array_ != nullptr) cudaFreeArray(array_);
  }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  Fetch fetch() const { return fetch_; }

  static void check(cudaError_t status) {
    if (status != cudaSuccess) throw std::runtime_error(std::string("a texture: ") + cudaGetErrorString(status));
  }

 private:
  void make(const cudaResourceDesc& memory) {
    cudaTextureDesc how = {};
    for (cudaTextureAddressMode& mode : how.addressMode) mode = cudaAddressModeClamp;
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeElementType;
    check(cudaCreateTextureObject(&fetch_.object, &memory, &how, nullptr));
  }

  Fetch fetch_ = {};
  cudaArray_t array_ = nullptr;
};

}  // namespace crinkle::bench
