// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/compile/load.hpp"

#include <cuda_runtime_api.h>

#include <memory>

#include "crinkle/error.hpp"
#include "cuda/runtime.hpp"

namespace crinkle::gpu {

#if CUDART_VERSION >= 12080

LoadedCode load_code(const std::string& code, const char* function) {
  constexpr const char* what = "loading a compiled kernel";
  cudaLibrary_t library = nullptr;
  check_status(cudaLibraryLoadData(&library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0), what);
  std::unique_ptr<void, void (*)(void*)> owner(library, unload_code);
  cudaKernel_t kernel = nullptr;
  check_status(cudaLibraryGetKernel(&kernel, library, function), what);
  cudaFuncAttributes of{};  // asking has the driver load it now, not when it runs
  check_status(cudaFuncGetAttributes(&of, kernel), what);
  return {
      owner.release(), kernel, {of.numRegs, static_cast<std::int64_t>(of.sharedSizeBytes), static_cast<std::int64_t>(of.localSizeBytes)}};
}

void unload_code(void* handle) { cudaLibraryUnload(static_cast<cudaLibrary_t>(handle)); }

#else

LoadedCode load_code(const std::string&, const char*) {
  throw Error(ErrorCode::unsupported, "this build is of a CUDA before 12.8, which loads no compiled kernels");
}
void unload_code(void*) {}

#endif

}  // namespace crinkle::gpu
