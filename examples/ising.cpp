// The Ising model (ising.hpp) on the threads of a CPU, beside what is known of it (ising_known.hpp); the same spins by any number of
// threads. example_ising [FOLDER]: where a picture of a lattice near its critical temperature goes, and the speeds are told.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/stencil_loops.hpp"
#include "ising_known.hpp"

namespace {
using namespace crinkle;
using ising::Four, ising::Spin;

/// Spins in this process' memory, swept by threads.
class OnThreads {
 public:
  struct Memory : std::vector<Four> {
    explicit Memory(std::size_t n) : std::vector<Four>(n) {}
    Four* get() const { return const_cast<Four*>(data()); }
  };
  explicit OnThreads(Executor& executor) : executor_(&executor) {}
  Memory memory(std::size_t n) const { return Memory(n); }
  void put(Four* to, const std::vector<Four>& from) const { std::copy(from.begin(), from.end(), to); }
  std::vector<Four> get(const Four* from, std::size_t n) const { return {from, from + n}; }
  auto sweeps() const {
    return [this](const auto& stencil, const auto& out) { sweep(stencil, out, *executor_); };
  }
  void move(const Rearrangement& what, const Four* from, Four* to, std::int64_t n_bytes) const {
    Plan(what).run(ConstBuffer{from, n_bytes}, Buffer{to, n_bytes});
  }
  void wait() const {}

 private:
  Executor* executor_;
};

int compare_threads() {
  const auto spins = [](int n_threads) {
    const auto executor = make_executor(n_threads);
    OnThreads place(*executor);
    ising::Sample<OnThreads, 1, 1> sample(place, {256, 128});
    for (int s = 0; s < 20; ++s) sample.flip(2.3);
    return std::pair(sample.spins(0), sample.spins(1));
  };
  const auto one = spins(1);
  for (const int n_threads : {2, 3, 7})
    if (spins(n_threads) != one) return std::printf("other spins by %d threads than by one\n", n_threads), 1;
  return 0;
}

/// A grey picture, a pixel a spin.
bool write_picture(const std::string& name, const std::vector<Spin>& spins, std::size_t n) {
  std::FILE* const file = std::fopen(name.c_str(), "wb");
  if (file == nullptr) return std::printf("cannot write %s\n", name.c_str()), false;
  std::fprintf(file, "P5\n%zu %zu\n255\n", n, n);
  for (const Spin spin : spins) std::fputc(spin > 0 ? 230 : 40, file);
  return std::fclose(file) == 0;
}

}  // namespace

int main(int n_arguments, char** arguments) {
  OnThreads place(default_executor());
  int failures = compare_threads() + ising::compare_all(place);
  if (n_arguments > 1) {
    std::vector<Spin> raster;
    failures += ising::compare_raster(place, 512, 700, &raster);
    if (!write_picture(std::string(arguments[1]) + "/ising.pgm", raster, 512)) ++failures;
    ising::tell_speeds(place, 2048);
  }
  return failures;
}
