// SPDX-License-Identifier: BSD-3-Clause
#include "papers/suites.hpp"

#include "suites/suites.hpp"

namespace crinkle::bench {

const std::vector<Suite>& suites_of_papers() {
  using enum Suite::Runs;
  static const std::vector<Suite> all = {
      {"hypercubic",
       "flip, shift, crinkle and blur of N x N, as Hawick and Playne's figures 12 to 15",
       {"--memory"},
       hypercubic_entries,
       on_both,
       false,
       hypercubic_facts},
      {"versions", "Hawick and Playne's versions of 8192 x 8192 float32", {}, versions_entries, on_a_gpu},
      {"fft_paper", "transforms as Gutierrez et al.'s tables 1a, 1b and figure 5 have them", {"--memory", "--c", "--k"}, fft_paper_entries},
      {"simplex",
       "maps of triangles and tetrahedra, as Navarro et al.'s figures 3 and 5; distances, collisions, triplets",
       {"--memory"},
       simplex_entries,
       on_both,
       false,
       simplex_facts},
      {"rearrange",
       "reads, orders and interlacing, as Bader et al.'s figure 1 and tables 1 to 3",
       {"--memory"},
       rearrange_of_paper_entries,
       on_both,
       true},
      {"stencil", "sums of neighbours, figure2_ over sizes as Bader et al.'s figure 2", {"--memory"}, stencils_of_papers},
      {"idw", "inverse-distance sums as Mei and Tian's figures 2, 7 and 8 have them, by layout of the records", {"--memory"}, idw_entries},
      {"textures",
       "neighbours through textures, as Bader et al.'s table 4 and Hawick and Playne's section 7.3",
       {},
       textures_entries,
       on_a_gpu},
      {"vectors", "records in kernels: views beside CUDA's built-in vector types", {}, vectors_entries, on_a_gpu},
      {"advice", "what the papers' advice is worth today, and what a launch costs", {}, advice_entries, on_a_gpu}};
  return all;
}

}  // namespace crinkle::bench
