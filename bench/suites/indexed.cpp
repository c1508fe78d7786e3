// SPDX-License-Identifier: BSD-3-Clause
#include "suites/indexed.hpp"

#include <algorithm>
#include <cstring>

#include "base/checked.hpp"
#include "crinkle/cuda.hpp"
#include "crinkle/operations.hpp"
#include "harness/gpu_kernels.hpp"
#include "harness/random.hpp"

namespace crinkle::bench {
namespace {

// Entries [first, last) of one slower index. A width of 0 is any width.
template <std::int64_t width>
void move_entries(const std::int64_t* indices, std::int64_t first, std::int64_t last, std::int64_t inner_bytes, bool is_gather,
                  const std::byte* src, std::byte* dst) {
  const std::int64_t n = width == 0 ? inner_bytes : width;
  const auto bytes = static_cast<std::size_t>(n);
  if (is_gather) {
    for (std::int64_t j = first; j < last; ++j) std::memcpy(dst + j * n, src + indices[j] * n, bytes);
  } else {
    for (std::int64_t j = first; j < last; ++j) std::memcpy(dst + indices[j] * n, src + j * n, bytes);
  }
}

auto mover_of(std::int64_t inner_bytes) {
  switch (inner_bytes) {
    case 1: return move_entries<1>;
    case 2: return move_entries<2>;
    case 4: return move_entries<4>;
    case 8: return move_entries<8>;
    case 16: return move_entries<16>;
    default: return move_entries<0>;
  }
}

}  // namespace

Indexed::Indexed(const Case& c, std::uint64_t seed)
    : is_gather(c.kind == Case::Kind::gather), src_extent(c.extents[static_cast<std::size_t>(c.axis)]), inner_bytes(c.element_bytes) {
  for (std::size_t a = 0; a < c.extents.size(); ++a) {
    if (static_cast<std::int64_t>(a) < c.axis) n_outer *= c.extents[a];
    if (static_cast<std::int64_t>(a) > c.axis) inner_bytes *= c.extents[a];
  }
  dst_extent = is_gather ? src_extent : 2 * src_extent;
  indices.resize(static_cast<std::size_t>(src_extent));
  for (std::int64_t j = 0; j < src_extent; ++j) {
    const std::uint64_t draw = next_random(seed);
    const auto below = static_cast<std::int64_t>(draw % static_cast<std::uint64_t>(src_extent));
    indices[static_cast<std::size_t>(j)] = is_gather ? below : 2 * j + static_cast<std::int64_t>(draw & 1U);
  }
  std::sort(indices.begin(), indices.end());
  if (c.index_order == IndexOrder::sorted) return;
  for (std::size_t left = indices.size(); left > 1; --left) std::swap(indices[left - 1], indices[next_random(seed) % left]);
}

void Indexed::run(const std::byte* src, std::byte* dst, Executor& executor) const {
  const auto move = mover_of(inner_bytes);
  const std::int64_t n_parts = executor.n_workers();
  executor.parallel_for(n_parts, [&](std::int64_t p) {
    const std::int64_t first = src_extent * p / n_parts, last = src_extent * (p + 1) / n_parts;
    for (std::int64_t o = 0; o < n_outer; ++o) {
      move(indices.data(), first, last, inner_bytes, is_gather, src + o * src_extent * inner_bytes, dst + o * dst_extent * inner_bytes);
    }
  });
}

std::int64_t Indexed::first_wrong(const std::byte* src, std::vector<std::byte> before, const std::byte* dst, Executor& executor) const {
  run(src, before.data(), executor);
  return first_difference(before.data(), dst, std::ssize(before));
}

Rearrangement indexed_map(const Case& c, const Indexed& indexed) {
  const Layout source = Layout::dense(c.extents, c.element_bytes);
  return indexed.is_gather ? gather(source, c.axis, indexed.indices) : scatter(source, c.axis, indexed.indices, indexed.dst_extent);
}

RunMove indexed_loop(std::shared_ptr<const Indexed> indexed, std::int64_t element_bytes, Site& site) {
  if (!site.is_gpu())
    return [indexed = std::move(indexed), &site](const std::byte* src, std::byte* dst) { indexed->run(src, dst, site.executor()); };
  const std::int64_t n_bytes = multiply(std::ssize(indexed->indices), std::int64_t{sizeof(std::int64_t)}), e = element_bytes;
  const std::shared_ptr<std::byte> indices = site.memory(n_bytes);
  copy_bytes({indexed->indices.data(), n_bytes}, {indices.get(), n_bytes});
  IndexLoop loop;
  loop.indices = reinterpret_cast<const std::int64_t*>(indices.get());
  loop.is_gather = indexed->is_gather;
  loop.n_outer = indexed->n_outer;
  loop.n_entries = std::ssize(indexed->indices);
  loop.word_bytes = e == 2 || e == 4 || e == 8 || e == 16 ? e : 1;
  loop.n_inner = indexed->inner_bytes / loop.word_bytes;
  loop.src_extent = indexed->src_extent;
  loop.dst_extent = indexed->dst_extent;
  return [loop, indices, stream = site.stream()](const std::byte* src, std::byte* dst) { index_on_gpu(loop, src, dst, stream.get()); };
}

std::int64_t first_difference(const std::byte* a, const std::byte* b, std::int64_t n) {
  const std::byte* at = std::mismatch(a, a + n, b).first;
  return at == a + n ? -1 : at - a;
}

}  // namespace crinkle::bench
