// What bench_gpu runs: each prints one JSON document to standard output. All throw what the moves throw, and std::runtime_error for a wrong
// result.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace crinkle::bench {

void run_advice();
void run_batches();
void run_triangles();
void run_vectors();
void run_versions();
void print_predicted();    // counters.cu
void move_for_profiler();  // counters.cu; prints nothing

}  // namespace crinkle::bench
