// A pass on a GPU: one thread a record.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "advise/cuda/word_table.hpp"
#include "advise/visit.hpp"
#include "crinkle/cuda.hpp"

namespace crinkle::advising {

/// The arguments of a launch; tables that are too long for its parameters lie in the device's memory.
struct CudaPass;
std::shared_ptr<const CudaPass> cuda_pass(const WordTable& table, const Visit& visit, Device device);

/// Given to the stream, not waited for. Requires memory of the device that begins at a multiple of 256, and the device to be the thread's
/// own.
void run_cuda_pass(const CudaPass& pass, std::byte* memory, const Stream& stream);

}  // namespace crinkle::advising
