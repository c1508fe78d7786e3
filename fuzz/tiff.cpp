// Files of TIFF: the input is one. Whatever it says, there is an array of which some elements can be read or an error, never a crash.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "crinkle/error.hpp"
#include "formats/tiff/tiff.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace crinkle::tool;
  const int file = ::memfd_create("fuzz", MFD_CLOEXEC);
  if (file < 0 || ::write(file, data, size) != static_cast<ssize_t>(size)) return 0;
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  try {
    tiff::is_geographic(path);
    const auto dataset = tiff::open_stack(path, {path, ""});
    const DatasetFacts& facts = dataset->facts();
    crinkle::Ranges box;
    crinkle::Extents some;
    for (const std::int64_t n : facts.extents) {
      some.push_back(std::min<std::int64_t>(n, 20));
      box.push_back({n - some.back(), some.back()});
    }
    const crinkle::Layout dense = crinkle::Layout::dense(some, facts.type.bytes);
    constexpr std::int64_t most = 1 << 20;
    if (dense.n_bytes() <= most) {
      std::vector<std::byte> elements(static_cast<std::size_t>(dense.n_bytes()));
      dataset->read(box, elements.data(), dense.strides);
    }
  } catch (const crinkle::Error&) {
  } catch (const std::bad_alloc&) {}
  ::close(file);
  return 0;
}
