// Inverse-distance sums of this library over all samples, as the suite `interpolate` measures them, and as paper 4's kernels stand beside
// them (papers/idw).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "crinkle/real.hpp"
#include "suites/suite.hpp"

namespace crinkle::bench {

/// Samples and targets on two lattices of step 2^−23, so that none is a hit and differences of float32 are exact.
struct Cloud {
  std::vector<double> samples, values, targets;  // [n_samples][2], [n_samples], [n_targets][2]

  Cloud(std::int64_t n_samples, std::int64_t n_targets, std::uint64_t seed);
  std::int64_t n_samples() const { return std::ssize(values); }
  std::int64_t n_targets() const { return std::ssize(targets) / 2; }
  /// The value by the definition.
  double value_at(std::int64_t target, double power) const;
};

/// Throws std::runtime_error, naming the first value that is farther than `most` from the one that is wanted.
void expect_near(const std::string& name, const std::vector<double>& have, const std::vector<double>& want, double most);

/// This library's float64 results, some of them compared with their definition.
std::vector<double> wanted_sums(const std::string& name, const Cloud& cloud, double power, Site& site);

/// This library's sums of a cloud, in pairs a second, and the seconds of a copy of as many points as a fact. The check goes on with
/// check_others(the values that are wanted), of ways that are put before these two.
Contest sums_contest(const std::string& name, const std::shared_ptr<const Cloud>& cloud, Real type, double power, Site& site,
                     std::uint64_t seed, const std::function<void(const std::vector<double>& wanted)>& check_others = {});

}  // namespace crinkle::bench
