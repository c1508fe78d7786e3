// Options, help and run of the programs that measure suites: `crinkle bench` has those of bench/suites/, crinkle-papers those of papers/.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "suites/suite.hpp"

namespace crinkle::tool {

struct BenchProgram {
  std::string called;  // as a person starts it: "crinkle bench"
  const std::vector<bench::Suite>& suites;
  std::string on_gpu = {};  // of the suites there, as the help goes on: ", which …"
  /// Says, as a sentence, where a suite is that this program has no longer; empty for others.
  std::function<std::string(const std::string& suite)> where_is = {};
};

/// A command of that name with the suites of a program, which are static, and those of the options that any of them takes.
Command bench_command(const std::string& name, const std::string& summary, const BenchProgram& program);

}  // namespace crinkle::tool
