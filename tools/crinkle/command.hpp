// The subcommands. Each adds itself to the application and runs when it was named; the exit status comes from main.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace crinkle::tool {

/// Runs the command line. Returns the exit status: 0 done, 1 it failed, 2 the request was wrong.
int run_command(int argc, const char* const* argv);

using Action = std::function<void()>;
Action add_move(CLI::App& app);
Action add_records(CLI::App& app);
Action add_advise(CLI::App& app);
Action add_interlace(CLI::App& app);
Action add_deinterlace(CLI::App& app);
Action add_pairs(CLI::App& app);
Action add_triangle(CLI::App& app);
Action add_fft(CLI::App& app);
Action add_explain(CLI::App& app);
Action add_draw(CLI::App& app);
Action add_info(CLI::App& app);
Action add_bench(CLI::App& app);

}  // namespace crinkle::tool
