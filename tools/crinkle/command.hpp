// For bench.cpp alone, which adds its options to CLI11 itself; commands/bench_options.cpp makes declarations of them. Others include
// options.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace crinkle::tool {

using Action = std::function<void()>;
Action add_bench(CLI::App& app);

}  // namespace crinkle::tool
