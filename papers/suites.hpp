// The suites of crinkle-papers: each measures again what a paper's figures and tables show.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "suites/suite.hpp"

namespace crinkle::bench {

const std::vector<Suite>& suites_of_papers();

// A folder or a file each.
std::vector<Entry> hypercubic_entries(const Request&);
std::vector<Entry> fft_paper_entries(const Request&);
std::vector<Entry> simplex_entries(const Request&);
std::vector<Entry> rearrange_of_paper_entries(const Request&);
std::vector<Entry> idw_entries(const Request&);
std::vector<Entry> stencils_of_papers(const Request&);
/// Of other extents, powers of two; for a GPU from 256 on.
std::vector<Entry> hypercubic_entries(const std::vector<std::int64_t>& extents);
nlohmann::ordered_json hypercubic_facts();
nlohmann::ordered_json simplex_facts();
// Of a GPU, with kernels of their own.
std::vector<Entry> versions_entries(const Request&);
std::vector<Entry> textures_entries(const Request&);
std::vector<Entry> vectors_entries(const Request&);
std::vector<Entry> advice_entries(const Request&);

}  // namespace crinkle::bench
