// oneDNN's reorder between memories whose axes lie in another order. It takes as many threads as OMP_NUM_THREADS says. What is prepared
// stays until the program ends.
// SPDX-License-Identifier: BSD-3-Clause
#include <dnnl.hpp>
#include <memory>
#include <string>

#include "rival.h"

namespace {

struct Prepared {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::memory src, dst;
  dnnl::reorder reorder;
};

}  // namespace

const char* rival_version(void) {
  static const std::string text = [] {
    const dnnl_version_t* v = dnnl_version();
    return std::to_string(v->major) + '.' + std::to_string(v->minor) + '.' + std::to_string(v->patch);
  }();
  return text.c_str();
}

void* rival_prepare(const rival_move* move) {
  using Type = dnnl::memory::data_type;
  if (move->element_bytes != 1 && move->element_bytes != 4) return nullptr;
  const Type type = move->element_bytes == 1 ? Type::u8 : Type::f32;
  const auto rank = static_cast<std::size_t>(move->rank);
  dnnl::memory::dims extents(move->extents, move->extents + rank), from(rank), to(rank);
  std::int64_t src_step = 1, dst_step = 1;
  for (std::size_t k = rank; k-- > 0;) {
    if (move->flipped[k] != 0) return nullptr;
    from[k] = src_step;
    src_step *= extents[k];
    const auto axis = static_cast<std::size_t>(move->order[k]);
    to[axis] = dst_step;
    dst_step *= extents[axis];
  }
  try {
    auto prepared = std::make_unique<Prepared>();
    prepared->src = {{extents, type, from}, prepared->engine, const_cast<void*>(move->src)};
    prepared->dst = {{extents, type, to}, prepared->engine, move->dst};
    prepared->reorder = dnnl::reorder(prepared->src, prepared->dst);
    return prepared.release();
  } catch (const dnnl::error&) { return nullptr; }  // a layout that it has no code for
}

void rival_run(void* prepared) {
  auto* p = static_cast<Prepared*>(prepared);
  p->reorder.execute(p->stream, p->src, p->dst);
  p->stream.wait();
}
