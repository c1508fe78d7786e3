// bench_gpu WHAT: the benchmarks that need kernels of their own, and so a GPU; what each is stands at the head of its file.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <exception>
#include <string>

#include "gpu/programs.hpp"

int main(int argc, char** argv) {
  using namespace crinkle::bench;
  struct Program {
    const char* name;
    void (*run)();
    const char* what;
  };
  const Program programs[] = {{"advice", run_advice, "the papers' advice, and what a launch costs"},
                              {"batches", run_batches, "1000 small arrays in one move"},
                              {"triangle", run_triangles, "conversions between layouts of triangles"},
                              {"vectors", run_vectors, "records in kernels: views beside CUDA's built-in vector types"},
                              {"versions", run_versions, "paper 0's versions of its operations"},
                              {"predicted", print_predicted, "what moves ask of the memory system, by the planner; without a GPU, too"},
                              {"moved", move_for_profiler, "the same moves, for a profiler: gpu_counters.sh"}};
  try {
    for (const Program& p : programs) {
      if (argc == 2 && argv[1] == std::string(p.name)) {
        p.run();
        return 0;
      }
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_gpu: %s\n", e.what());
    return 1;
  }
  std::fprintf(stderr, "usage: bench_gpu WHAT\n");
  for (const Program& p : programs) std::fprintf(stderr, "  %-10s %s\n", p.name, p.what);
  return 2;
}
