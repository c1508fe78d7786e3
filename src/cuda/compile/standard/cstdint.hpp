// Stands for <cstdint> in kernels compiled at run time, where there is no standard library. SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace std {

using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long;
using intptr_t = long;
using uintptr_t = unsigned long;

}  // namespace std
