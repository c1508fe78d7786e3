// The suites of `crinkle bench`: each is a list of entries, made for the site that is there.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "suites/suite.hpp"

namespace crinkle::bench {

/// bench/cases/NAME.txt, as they were when the program was built.
extern const char* const rearrange_text;
extern const char* const records_text;
extern const char* const fused_text;

/// The suites of `crinkle bench`.
const std::vector<Suite>& suites();

/// "64MiB", "3KiB", "100B": the largest unit of which it is a whole number.
std::string short_bytes(std::int64_t n);

// One file each.
std::vector<Entry> copy_entries(const Request&);
std::vector<Entry> permute_entries(const Request&);
std::vector<Entry> rearrange_entries(const Request&);
std::vector<Entry> records_entries(const Request&);
std::vector<Entry> fused_entries(const Request&);
std::vector<Entry> small_entries(const Request&);
std::vector<Entry> scaling_entries(const Request&);
std::vector<Entry> pairs_entries(const Request&);
std::vector<Entry> fft_entries(const Request&);
std::vector<Entry> stencil_entries(const Request&);
std::vector<Entry> interpolate_entries(const Request&);
std::vector<Entry> map_entries(const Request&);  // of interpolate
std::vector<Entry> planning_entries(const Request&);
std::vector<Entry> triangle_entries(const Request&);
// This suite runs on a GPU, with kernels of its own.
std::vector<Entry> batches_entries(const Request&);

}  // namespace crinkle::bench
