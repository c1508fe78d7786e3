// Any bytes as a .npy file: either a refusal, or facts whose elements all lie inside the bytes and whose header is written and read
// again to the same facts.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/npy.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "crinkle/error.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  using namespace crinkle;
  const std::span<const std::byte> file(reinterpret_cast<const std::byte*>(data), bytes);
  if (!tool::begins_like_npy(file)) return 0;
  try {
    const tool::ArrayFacts facts = tool::read_npy(file, "in.npy");
    const std::int64_t n_bytes = facts.layout.n_bytes();
    require(facts.layout.offset + n_bytes <= static_cast<std::int64_t>(bytes));
    std::int64_t covered = 0;
    for (const tool::ItemPart& part : facts.type.parts) {
      require(part.offset == covered);
      covered += part.item_bytes * part.count;
    }
    require(!facts.type.has_parts || covered == facts.type.bytes);

    const std::string header = tool::npy_header(facts.layout.extents, facts.type.descr);
    require(header.size() % 64 == 0);
    if (n_bytes > 1 << 20) return 0;
    const std::string again = header + std::string(static_cast<std::size_t>(n_bytes), 'x');
    const tool::ArrayFacts back = tool::read_npy(std::as_bytes(std::span(again)), "again.npy");
    require(back.layout.extents == facts.layout.extents && back.type.descr == facts.type.descr && back.type.parts == facts.type.parts);
  } catch (const Error&) {}
  return 0;
}
