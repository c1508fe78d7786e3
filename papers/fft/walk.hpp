// The kernels of the suite `fft_paper` on a host: all threads of a block, step by step, which do what the kernels' threads do by the very
// same code. What they ask of memory is counted warp by warp: of global memory the 32-byte sectors of a request, of shared memory its
// wavefronts (tile/banks.hpp). Two threads that meet in a cell without a barrier between them are a fault, as are two blocks of a launch
// that meet in a sample.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "papers/fft/variants.hpp"

namespace crinkle::bench::fft_paper {

/// Of requests that a warp makes as one: what they take, sectors or wavefronts, and the least that whole warps would.
struct Asked {
  std::int64_t requests = 0, taken = 0, least = 0;
  double each() const { return requests == 0 ? 0 : static_cast<double>(taken) / static_cast<double>(requests); }
  friend bool operator==(const Asked&, const Asked&) = default;
};
struct Counts {
  Asked loads, stores, puts, takes, roots;  // global memory, shared memory, the tables of roots

  Counts& operator+=(const Counts& other);
  Counts times(std::int64_t n) const;
  friend bool operator==(const Counts&, const Counts&) = default;
};

class WalkedMemory {
 public:
  /// Reads and writes samples; without any they are all 0, and only counts are right.
  explicit WalkedMemory(const std::vector<Sample>& tables, std::span<const Sample> src = {}, std::span<Sample> dst = {})
      : tables_(tables.data()), src_(src), dst_(dst), owners_(dst.size(), -1) {}

  Roots roots() const { return roots_in(tables_); }
  const Counts& counts() const { return counts_; }
  const std::string& fault() const { return fault_; }  // the first one; empty: none

  void begin_launch(bool is_from_source);
  void begin_block(std::int64_t block, int n_threads, int n_places);
  void be(int thread) { thread_ = thread; }
  void end_step();
  void barrier() { ++interval_; }

  // What threads ask for.
  Sample load(std::int64_t at);
  void store(std::int64_t at, Sample value);
  Sample take(std::int32_t place);
  void put(std::int32_t place, Sample value);
  Sample root(const Sample* at);

 private:
  enum class Kind : std::uint8_t { load, store, take, put, root };
  struct Access {
    Kind kind;
    std::int64_t byte;
  };
  struct Cell {
    Sample value = {};
    int writer = -1, written = -1, reader = -1, read = -1;  // the last ones, and in which interval
  };
  const Sample* tables_;
  std::span<const Sample> src_;
  std::span<Sample> dst_;
  std::vector<std::int64_t> owners_;  // of a launch: the block that has this sample
  std::vector<Cell> cells_;
  std::vector<std::vector<Access>> asked_;  // of every thread, in this step
  Counts counts_;
  std::string fault_;
  bool is_from_source_ = false;
  std::int64_t block_ = 0;
  int thread_ = 0, interval_ = 0;

  void note(Kind kind, std::int64_t byte) { asked_[static_cast<std::size_t>(thread_)].push_back({kind, byte}); }
  void blame(const std::string& what);
  void own(std::int64_t at);
  Cell* cell(std::int32_t place);
  void count(std::span<const std::vector<Access>> warp);
};

/// One block of a launch, in a memory such as this one: all its threads take a step, one after the other, before any takes the next.
template <Form form, class Memory>
void walk_block(const Launch& at, std::int64_t block, Memory& memory) {
  const int n_threads = 1 << (at.m - form.log_radix);
  const Roots roots = memory.roots();
  std::vector<Thread<form>> threads(static_cast<std::size_t>(n_threads));
  memory.begin_block(block, n_threads, n_places(form, at.m));
  for_each_step<form>(at, [&](Step step, int g) {
    for (int k = 0; k < n_threads; ++k) {
      const int t = g % 2 == 0 ? k : n_threads - 1 - k;  // no order is promised
      memory.be(t);
      threads[static_cast<std::size_t>(t)].step(at, step, g, block, t, roots, memory);
    }
    memory.end_step();
    if (has_barrier<form>(at, step, g)) memory.barrier();
  });
}
template <class Memory>
void walk_block(const Reversal& reversal, std::int64_t block, Memory& memory) {
  struct Registers {
    Sample x[Reversal::n_each];
  };
  std::vector<Registers> threads(static_cast<std::size_t>(reversal.threads()));
  memory.begin_block(block, reversal.threads(), reversal.n_places());
  for (const Step step : {Step::load, Step::put, Step::take, Step::store}) {
    for (int t = 0; t < reversal.threads(); ++t) {
      memory.be(t);
      reversal.step(step, threads[static_cast<std::size_t>(t)].x, block, t, memory);
    }
    memory.end_step();
    if (step == Step::put) memory.barrier();
  }
}
template <class Memory>
void walk_block(int stage, std::int64_t block, Memory& memory) {
  constexpr int n_threads = 1 << Pass::log_stage_threads;
  memory.begin_block(block, n_threads, 0);
  for (int t = 0; t < n_threads; ++t) {
    memory.be(t);
    do_whole_stage(stage, block * n_threads + t, memory.roots(), memory);
  }
  memory.end_step();
}
template <Form form, class Memory>
void walk_block(const Pass& pass, std::int64_t block, Memory& memory) {
  if (pass.kind == Pass::Kind::blocks) walk_block<form>(pass.launch, block, memory);
  else if (pass.kind == Pass::Kind::reversal) walk_block(pass.reversal, block, memory);
  else walk_block(pass.stage, block, memory);
}

/// Blocks [0, n_blocks) of every launch; 0: all that n_samples have.
template <Form form>
void walk(const std::vector<Pass>& passes, std::int64_t n_samples, std::int64_t n_blocks, WalkedMemory& memory) {
  for (const Pass& pass : passes) {
    memory.begin_launch(&pass == passes.data());
    const std::int64_t all = n_samples >> pass.log_block(), some = n_blocks == 0 || n_blocks > all ? all : n_blocks;
    for (std::int64_t block = 0; block < some; ++block) walk_block<form>(pass, block, memory);
  }
}

/// Of a whole transform, out of the first block of every launch: all others ask for as much.
Counts counts_of(Variant v, const std::vector<Pass>& passes, std::int64_t n_samples, const std::vector<Sample>& tables);

}  // namespace crinkle::bench::fft_paper
