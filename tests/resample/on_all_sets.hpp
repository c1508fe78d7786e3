// A resampling by one group of kernels against its definition, byte for byte: on every instruction set, by one thread and by three.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "resample/check.hpp"
#include "resample/cpu/line_kernels.hpp"
#include "resample/form.hpp"
#include "resample/resamplings.hpp"
#include "support/threads.hpp"

namespace crinkle {

/// run(form, source, destination, executor, kernels) makes all of `asked`, given with the form of checked(asked).
template <class Kernels, class Run>
void expect_on_all_sets(const Resampling& asked, const Bytes& source, const Run& run) {
  const Resampling r = resampling::checked(asked);
  const resampling::Form form = resampling::form_of(r);
  Guarded src(span_of(r.source), source), want(span_of(r.destination));
  resampling::resample_reference(asked, src.origin(), want.origin());
  const Bytes wanted = want.content();
  Threads one(1), three(3);
  for (const Kernels* kernels : Kernels::all()) {
    for (Executor* executor : {static_cast<Executor*>(&one), static_cast<Executor*>(&three)}) {
      Guarded dst(span_of(r.destination));
      run(form, src.origin() + r.source.offset, dst.origin() + r.destination.offset, *executor, *kernels);
      const Bytes got = dst.content();
      const auto differs = std::mismatch(wanted.begin(), wanted.end(), got.begin()).first - wanted.begin();
      EXPECT_TRUE(got == wanted) << told(r) << " on " << kernels->target << ": byte " << differs << " of " << wanted.size();
      EXPECT_TRUE(dst.is_intact());
    }
  }
}

/// The same of `run` in both precisions: run(T{}, form, …).
template <class Run>
void expect_lines_on_all_sets(const Resampling& asked, std::uint64_t seed, const Run& run) {
  const bool is_float = resampling::is_float32(resampling::checked(asked));
  expect_on_all_sets<simd::LineKernels>(asked, numbers_for(asked.source, asked.source_type, seed), [&](auto&&... call) {
    if (is_float) run(float{}, call...);
    else run(double{}, call...);
  });
}

}  // namespace crinkle
