// Suites that are lists of cases (cases.hpp): each is a move, checked, in turns with the plain copies of as many bytes between the same
// arrays, and what a suite sets beside it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "suites/suites.hpp"

namespace crinkle::bench {

struct Beside {
  /// Other ways to a case's result, from the source to the destination. They are checked as the move is.
  std::function<std::vector<std::pair<std::string, RunMove>>(const Fitted&, Site&)> rivals = {};
  std::function<void(const Fitted&, Contest&)> finish = {};  // before it is run
  bool are_rivals_timed_cold = true;                         // on a GPU; not where what they cost is the host's, which a cold run hides
};

/// Cases too large for the memory have their longest extent halved until they fit. Throws what fitted() throws. On a GPU bit planes, which
/// are not moved by plans, are left out.
std::vector<Entry> entries_of(const std::vector<Case>& cases, const Request& r, const Beside& beside = {});

/// A chain's options one by one, then its specification; each begins with what the step before it made. A chain is a case of the kind
/// `spec` whose options have one value each.
std::vector<Case> steps_of(const Case& chain, const MakeSpecMap& make_map);

}  // namespace crinkle::bench
