// The kernel is a line around visit_record(); its words and their pieces are parameters, which cost an instruction nothing to read, as the
// constants of a compiled kernel do.
// SPDX-License-Identifier: BSD-3-Clause
#include "advise/cuda/pass.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"

namespace crinkle::advising {
namespace {

constexpr unsigned threads = 256;

struct InParameters {
  static constexpr int most_words = 32, most_pieces = 112;  // so that all parameters are within 4 KiB
  Array<Word, most_words> words;
  Array<Piece, most_pieces> pieces;

  CRINKLE_HD const Word& word(std::int32_t k) const { return words[k]; }
  CRINKLE_HD const Piece& piece(int p) const { return pieces[p]; }
};

struct InMemory {
  const Word* words = nullptr;    // [words] of the device
  const Piece* pieces = nullptr;  // [pieces]

  CRINKLE_HD const Word& word(std::int32_t k) const { return words[k]; }
  CRINKLE_HD const Piece& piece(int p) const { return pieces[p]; }
};

template <class Table>
__global__ void __launch_bounds__(threads)
    visit_records(const __grid_constant__ Table table, const __grid_constant__ Visit visit, std::int32_t n_loads, std::int32_t n_words,
                  unsigned char* memory, std::int64_t first) {
  const std::int64_t t = first + std::int64_t{blockIdx.x} * threads + threadIdx.x;
  if (t < visit.n) visit_record(table, n_loads, n_words, visit.record(t), visit.n, memory);
}

template <class Table>
void launch(Table table, Visit visit, std::int32_t n_loads, std::int32_t n_words, std::byte* memory, const Stream& stream) {
  auto* bytes = reinterpret_cast<unsigned char*>(memory);
  gpu::for_each_grid(ceil_divide(visit.n, threads), [&](std::int64_t first_block, std::uint32_t n_blocks) {
    std::int64_t first = first_block * threads;
    void* arguments[] = {&table, &visit, &n_loads, &n_words, &bytes, &first};
    gpu::launch(reinterpret_cast<const void*>(&visit_records<Table>), {n_blocks, threads}, arguments, stream.get(), "a pass over records");
  });
}

}  // namespace

struct CudaPass {
  InParameters in_parameters;
  InMemory in_memory;
  bool is_in_memory = false;
  DeviceMemory words, pieces;
  std::int32_t n_loads = 0, n_words = 0;
  Visit visit;
};

std::shared_ptr<const CudaPass> cuda_pass(const WordTable& table, const Visit& visit, Device device) {
  auto pass = std::make_shared<CudaPass>();
  pass->n_loads = table.n_loads;
  pass->n_words = static_cast<std::int32_t>(std::ssize(table.words));
  pass->visit = visit;
  pass->is_in_memory = std::ssize(table.words) > InParameters::most_words || std::ssize(table.pieces) > InParameters::most_pieces;
  if (pass->is_in_memory) {
    const auto upload = [&](const auto& list) {
      const std::int64_t bytes = static_cast<std::int64_t>(list.size() * sizeof(list[0]));
      DeviceMemory memory(device, bytes);
      copy_bytes({list.data(), bytes}, memory);
      return memory;
    };
    pass->words = upload(table.words);
    pass->pieces = upload(table.pieces);
    pass->in_memory = {static_cast<const Word*>(pass->words.data()), static_cast<const Piece*>(pass->pieces.data())};
  } else {
    std::copy(table.words.begin(), table.words.end(), pass->in_parameters.words.begin());
    std::copy(table.pieces.begin(), table.pieces.end(), pass->in_parameters.pieces.begin());
  }
  return pass;
}

void run_cuda_pass(const CudaPass& pass, std::byte* memory, const Stream& stream) {
  if (pass.is_in_memory) launch(pass.in_memory, pass.visit, pass.n_loads, pass.n_words, memory, stream);
  else launch(pass.in_parameters, pass.visit, pass.n_loads, pass.n_words, memory, stream);
}

}  // namespace crinkle::advising
