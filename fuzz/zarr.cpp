// Descriptions of Zarr arrays and their chunks: the input is a zarr.json (or a .zarray, where it begins so), a zero byte, and the bytes of
// chunk 0. Whatever it says, there is an array that can be read or an error, never a crash.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "bytes.hpp"
#include "crinkle/error.hpp"
#include "formats/zarr/metadata.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace crinkle::tool::zarr;
  const std::uint8_t* const end = std::find(data, data + size, 0);
  const nlohmann::ordered_json said = nlohmann::ordered_json::parse(data, end, nullptr, false);
  if (!said.is_object()) return 0;
  const std::span chunk(reinterpret_cast<const std::byte*>(end), static_cast<std::size_t>(data + size - end));
  try {
    const Metadata m =
        said.contains("codecs") ? metadata_of_v3(said, "fuzz") : metadata_of_v2(said, said.value("attributes", said), "fuzz");
    constexpr std::size_t most = 1 << 20;
    if (m.chunk_bytes() <= most && !chunk.empty()) unpacked(m.chain, chunk.subspan(1), m.chunk_bytes(), "fuzz");
    if (m.version == 3) text_of(m, "store");
  } catch (const crinkle::Error&) {
  } catch (const std::bad_alloc&) {}
  return 0;
}
