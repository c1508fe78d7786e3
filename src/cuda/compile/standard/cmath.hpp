// Stands for <cmath> in kernels compiled at run time: NVRTC knows its functions of itself, outside of std.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once
