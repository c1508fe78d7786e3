// The variants of paper 1 as loops over the blocks of their launches and the threads of these, by the very code of the kernels' threads.
// SPDX-License-Identifier: BSD-3-Clause
#include "harness/in_parts.hpp"
#include "papers/fft/walk.hpp"

namespace crinkle::bench::fft_paper {
namespace {

/// What threads of a block share, and the arrays.
class LoopMemory {
 public:
  LoopMemory(const Sample* src, Sample* dst, const Roots& roots) : src_(src), dst_(dst), roots_(roots) {}

  const Roots& roots() const { return roots_; }
  void begin_block(std::int64_t, int, int n_places) { cells_.resize(static_cast<std::size_t>(n_places)); }
  void be(int) {}
  void end_step() {}
  void barrier() {}

  Sample load(std::int64_t at) const { return src_[at]; }
  void store(std::int64_t at, Sample value) const { dst_[at] = value; }
  Sample take(std::int32_t place) const { return cells_[static_cast<std::size_t>(place)]; }
  void put(std::int32_t place, Sample value) { cells_[static_cast<std::size_t>(place)] = value; }
  static Sample root(const Sample* at) { return *at; }

 private:
  const Sample* src_;
  Sample* dst_;
  Roots roots_;
  std::vector<Sample> cells_;
};

}  // namespace

std::function<void()> transform_in_loops(Variant v, std::vector<Pass> passes, std::int64_t n_samples, const Sample* src, Sample* dst,
                                         const Sample* tables, Executor& executor) {
  return with_constant(v, [&](auto constant) {
    return std::function<void()>([=, &executor, passes = std::move(passes)] {
      const Sample* from = src;
      for (const Pass& pass : passes) {
        in_parts(n_samples >> pass.log_block(), executor, [&](std::int64_t first, std::int64_t last) {
          LoopMemory memory(from, dst, roots_in(tables));
          for (std::int64_t block = first; block < last; ++block) walk_block<named(constant()).form>(pass, block, memory);
        });
        from = dst;
      }
    });
  });
}

}  // namespace crinkle::bench::fft_paper
