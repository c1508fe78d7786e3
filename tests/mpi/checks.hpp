// What the programs of tests/mpi share: checks that all ranks make, each with a say.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "crinkle/mpi.hpp"
#include "crinkle/operation.hpp"
#include "distribute/layouts.hpp"

namespace crinkle::checks {

inline int rank = 0, size = 1, n_faults = 0, n_checks = 0;

inline void expect(bool is_right, const std::string& what) {
  ++n_checks;
  if (is_right) return;
  if (++n_faults < 20) fmt::print(stderr, "rank {} of {}: {}\n", rank, size, what);
}

inline void expect_error(const std::string& part, const std::function<void()>& body) {
  std::string text = "nothing was thrown";
  try {
    body();
  } catch (const Error& e) { text = e.what(); }
  expect(text.find(part) != std::string::npos, fmt::format("'{}' where '{}' was expected", text, part));
  mpi::agree_on(MPI_COMM_WORLD, text, "error");  // the same on all ranks
}

// operations.cpp
void expect_the_bits_of_one_rank(const Operation& op, const std::vector<Distribution>& in, const Distribution& out, Draw& draw,
                                 const mpi::Options& options = {.piece_bytes = 1000});
void stencils();
void transforms();
void interpolation();
void moves();
void others();
void distances();
void wrong_operations();

// halos.cpp
void halos_beside_computing();
void begun_and_ended();
void unlike_requests();

// on_gpu.cpp
void parts_on_a_gpu();

}  // namespace crinkle::checks
