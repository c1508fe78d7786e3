// A resampling given to a stream. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/resample.hpp"
#include "resample/cuda/form.hpp"

namespace crinkle::resampling {

/// Throws unsupported for what is not resampled on a GPU. Requires a checked resampling.
void check_for_cuda(const Resampling& resampling);

/// The kernel's arguments for a resampling and its form. launch() asks whether elements lie at multiples of their size.
CudaForm cuda_form_of(const Resampling& resampling, const Form& form);

/// `in` and `out` are where elements [0, 0, …] of the form lie.
void launch(const Resampling& resampling, const CudaForm& form, const std::byte* in, std::byte* out, CUstream_st* stream);

}  // namespace crinkle::resampling
