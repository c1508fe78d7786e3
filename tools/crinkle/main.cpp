// SPDX-License-Identifier: BSD-3-Clause
#include "command_line/command_line.hpp"

int main(int argc, char** argv) { return crinkle::tool::run_command(argc, argv); }
