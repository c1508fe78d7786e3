// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/launch.cuh"

namespace crinkle::fft {

CRINKLE_FFT_LAUNCHES(float);

}  // namespace crinkle::fft
