// crinkle bench of a build without the suites (CRINKLE_SUITES): says how to have them.
// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "crinkle/error.hpp"

namespace crinkle::tool::no_bench_command {
namespace {

struct Words {
  std::vector<std::string> all;
};

Command declare() {
  auto words = std::make_shared<Words>();
  Command c("bench", "Measure moves (not in this build: configure it with -DCRINKLE_SUITES=ON)");
  c.argument("SUITE", words->all, "and its options").list();
  c.examples = {"crinkle bench copy"};
  c.action = [words] {
    throw Error(ErrorCode::unsupported,
                "this crinkle was built without its benchmarks; configure with -DCRINKLE_SUITES=ON, build, and try again");
  };
  return c;
}

const Registered registered(110, declare);

}  // namespace
}  // namespace crinkle::tool::no_bench_command
