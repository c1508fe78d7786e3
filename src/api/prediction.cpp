// Predicts each step by its kind of machine, and weights the steps with the bytes that they read and write.
// SPDX-License-Identifier: BSD-3-Clause
#include "api/plan_data.hpp"

namespace crinkle {

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
