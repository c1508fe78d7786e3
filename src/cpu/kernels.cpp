// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/kernels.hpp"

#include <cstddef>

namespace crinkle::simd {

const Kernels& kernels() {
  static const Kernels* const best = all_kernels().front();
  return *best;
}

std::vector<const Kernels*> all_kernels() {
  // Never destroyed: threads may still run kernels while the program ends.
  static const std::vector<Kernels>& tables = *new const std::vector<Kernels>([] {
    const auto rows = RowKernels::all();
    const auto transposes = TransposeKernels::all();
    const auto by_tables = TableKernels::all();
    const auto staged = StagedKernels::all();
    const auto records = RecordKernels::all();
    std::vector<Kernels> all;
    for (std::size_t k = 0; k < rows.size(); ++k) all.push_back({*rows[k], *transposes[k], *by_tables[k], *staged[k], *records[k]});
    return all;
  }());
  std::vector<const Kernels*> all;
  for (const Kernels& k : tables) all.push_back(&k);
  return all;
}

}  // namespace crinkle::simd
