# The CUDA executor is built where there is an nvcc (CRINKLE_CUDA=AUTO), must be (ON), or is left out (OFF); a build without it says so
# when it is asked for a GPU. The CUDA runtime is linked statically: a program needs nothing but the driver.
set(CRINKLE_HAS_CUDA OFF)
if(NOT CRINKLE_CUDA STREQUAL "OFF")
  find_program(CRINKLE_NVCC nvcc PATHS /usr/local/cuda/bin)
endif()
if(CRINKLE_CUDA STREQUAL "OFF")
  message(STATUS "CUDA: off")
elseif(CRINKLE_NVCC)
  set(CRINKLE_HAS_CUDA ON)
  # Machine code for the GPUs named here and PTX for later ones. Releases: "80;86;89;90;100;120" (copies from memory to shared memory, which
  # kernels use, are of 80 and later).
  set(CMAKE_CUDA_ARCHITECTURES "90" CACHE STRING "GPUs to compile for, as CMake's CUDA_ARCHITECTURES")
  set(CMAKE_CUDA_COMPILER ${CRINKLE_NVCC})
  set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  if(DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
  enable_language(CUDA)
  list(APPEND CMAKE_CUDA_IMPLICIT_INCLUDE_DIRECTORIES /usr/include)  # named by packages: before the compiler's own it hides math.h from cmath
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has had it since 12.0
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  include(CheckCompilerFlag)
  check_compiler_flag(CUDA "--compress-mode=size" CRINKLE_NVCC_COMPRESSES)  # less than half the size; nvcc leaves large kernels as they are
  if(CRINKLE_NVCC_COMPRESSES)
    string(APPEND CMAKE_CUDA_FLAGS " --compress-mode=size")
  endif()
  find_package(CUDAToolkit REQUIRED)
  message(STATUS "CUDA: ${CMAKE_CUDA_COMPILER_VERSION}, for ${CMAKE_CUDA_ARCHITECTURES}")
elseif(CRINKLE_CUDA STREQUAL "ON")
  message(FATAL_ERROR "CRINKLE_CUDA is ON but there is no nvcc: put it on the PATH, or set CRINKLE_CUDA to AUTO or OFF")
else()
  message(STATUS "CUDA: no nvcc here, so this build has everything but CUDA")
endif()
