// Words that stand for values.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace crinkle {

/// Which of the names it is. Throws bad_notation that names all, and `besides` behind them: "there is no metric 'l3'; there are …".
std::size_t number_of(std::string_view name, std::span<const char* const> names, std::string_view what, std::string_view besides = {});

}  // namespace crinkle
