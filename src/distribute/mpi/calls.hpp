// Calls of MPI, checked.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <source_location>

#include "crinkle/mpi.hpp"

namespace crinkle::mpi {

/// Throws device where a call of MPI failed. By default MPI ends the program itself.
void check(int status, std::source_location where = std::source_location::current());
int rank_of(MPI_Comm comm);
int size_of(MPI_Comm comm);

}  // namespace crinkle::mpi
