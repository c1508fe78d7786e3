// Stands for <cstddef> in kernels compiled at run time, where there is no standard library. SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace std {

using size_t = decltype(sizeof 0);
using ptrdiff_t = long;
using nullptr_t = decltype(nullptr);
enum class byte : unsigned char {};

}  // namespace std
