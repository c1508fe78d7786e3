// The host side of moves in one include. Headers that compute (sweeper.hpp, fft.hpp, interpolate.hpp, resample.hpp), and those for a user's
// own loops and kernels (kindex.hpp), stand alone.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/advise.hpp"
#include "crinkle/axis.hpp"
#include "crinkle/cuda.hpp"
#include "crinkle/error.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/layout.hpp"
#include "crinkle/move.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "crinkle/pairs.hpp"
#include "crinkle/plan.hpp"
#include "crinkle/rearrangement.hpp"
#include "crinkle/record_layout.hpp"
#include "crinkle/transfer.hpp"
#include "crinkle/triangle.hpp"
