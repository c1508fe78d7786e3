// Of every step what its kind of machine says, weighted with the bytes that it reads and writes.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prediction.hpp"

#include "api/plan_data.hpp"

namespace crinkle {
namespace {

/// Of one step of a plan for a CPU: bytes written by the time that a copy would take for them.
double fraction_on_cpu(const PlannedStep& step) {
  if (!step.move.gathers.empty()) return plan::fraction_of_picked(step.pass.bytes_written);
  double bytes = 0, copies = 0;
  for (const plan::Sweep& s : step.move.sweeps) {
    bytes += static_cast<double>(s.n_bytes);
    copies += static_cast<double>(s.n_bytes) / plan::fraction_of_copy(s);
  }
  // Records whose fields part: medians of bench/cases/records.txt on two cores of a Xeon, 2026-11.
  constexpr double of_bundles = 0.5;
  for (const CpuBundle& b : step.move.bundles) {
    bytes += static_cast<double>(b.n_bytes);
    copies += static_cast<double>(b.n_bytes) / of_bundles;
  }
  return copies > 0 ? bytes / copies : 1;
}

}  // namespace

double PlannedStep::predicted_fraction(const Machine& machine) const {
  if (machine.kind == MachineKind::cpu) return fraction_on_cpu(*this);
  return move.gathers.empty() ? plan::fraction_of_copy(pass, machine) : plan::fraction_of_picked(pass.bytes_written);
}

double Plan::predicted_fraction() const {
  double bytes = 0, copies = 0;
  for (const PlannedStep& step : data_->steps) {
    const double n = static_cast<double>(step.pass.bytes_read + step.pass.bytes_written) * static_cast<double>(step.n_entries());
    bytes += n;
    copies += n / step.predicted_fraction(data_->machine);
  }
  return copies > 0 ? bytes / copies : 1;
}

}  // namespace crinkle
