// How a group of kernels is compiled for every instruction set and picked at run time. A group is a struct of functions, declared in
// X_kernels.hpp with
//     static const XKernels& best();
//     static std::vector<const XKernels*> all();
// and a source X_kernels.cpp of its own, in cpu/ or in the folder of a feature, that names itself and includes this file first:
//     #undef HWY_TARGET_INCLUDE
//     #define HWY_TARGET_INCLUDE "cpu/x_kernels.cpp"
//     #include "cpu/targets-inl.hpp"
// Highway then includes the source again and again, each time with another HWY_TARGET and HWY_NAMESPACE. Each time it defines a function in
// that namespace that returns a pointer to its table; under #if HWY_ONCE, HWY_EXPORT lists these functions, and best() and all() choose of
// HWY_DISPATCH_TABLE by the functions below. Plain C++ is always among the sets, so that it is tested wherever the others are. Left out:
// SSSE3, and SSE4 unless it is asked for (CRINKLE_OLD_SETS), since a set takes up to a fourth of the time to compile and few processors in
// use lack AVX2: they run plain C++; AVX3_DL, of whose instructions no kernel has a use; and targets whose vectors have no fixed length.
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HWY_COMPILE_ALL_ATTAINABLE
#define HWY_COMPILE_ALL_ATTAINABLE
#ifndef CRINKLE_OLD_SETS
#define CRINKLE_OLD_SETS 0  // or HWY_SSE4 (cmake/instruction_sets.cmake)
#endif
#define CRINKLE_NO_TARGETS ((HWY_SSSE3 | HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV) & ~CRINKLE_OLD_SETS)
#ifdef CRINKLE_ONE_INSTRUCTION_SET  // beside plain C++: HWY_AVX2 or HWY_AVX3 (cmake/instruction_sets.cmake)
#define HWY_DISABLED_TARGETS (CRINKLE_NO_TARGETS | ((HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL) & ~CRINKLE_ONE_INSTRUCTION_SET))
#else
#define HWY_DISABLED_TARGETS CRINKLE_NO_TARGETS
#endif
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#if HWY_TARGET == HWY_SCALAR && HWY_STATIC_TARGET == HWY_SCALAR && defined(__OPTIMIZE__) && !defined(__clang__)
#pragma GCC optimize("O2")  // plain C++, which comes last: at -O3 it takes as long to compile as two other sets (docs/tuning.md)
#endif

#if HWY_ONCE && !defined(CRINKLE_CPU_TARGETS_INL)
#define CRINKLE_CPU_TARGETS_INL

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crinkle::simd {

/// Highway's own choice, made here for a set of targets instead of for the whole process.
template <class Table, std::size_t n>
const Table* table_for(std::int64_t targets, const Table* (*const (&tables)[n])()) {
  if constexpr (n == 1) {  // a build for one target
    return tables[0]();
  } else {
    hwy::ChosenTarget chosen;
    chosen.Update(targets);
    return tables[chosen.GetIndex()]();
  }
}

/// The table of the best instruction set that this machine has.
template <class Table, std::size_t n>
const Table& best_table(const Table* (*const (&tables)[n])()) {
  static const Table* const best = table_for(hwy::SupportedTargets(), tables);
  return *best;
}

/// The tables of all of them, best first.
template <class Table, std::size_t n>
std::vector<const Table*> all_tables(const Table* (*const (&tables)[n])()) {
  std::vector<const Table*> all;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) all.push_back(table_for(target, tables));
  return all;
}

}  // namespace crinkle::simd
#endif
