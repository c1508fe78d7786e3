// SPDX-License-Identifier: BSD-3-Clause
#include "files/picture.hpp"

#include <cstddef>
#include <cstring>

#include "crinkle/error.hpp"
#include "formats/sink.hpp"

namespace crinkle::tool {

void write_picture(const std::string& path, const std::string& picture, bool is_forced) {
  if (!path.ends_with(".svg")) throw Error(ErrorCode::unsupported, path + ": pictures are SVG; give a name that ends in .svg");
  const OutputFacts facts{{static_cast<std::int64_t>(picture.size())}, element_type("|u1")};
  const auto sink = Sink::create(path, facts, is_forced ? Overwrite::force : Overwrite::refuse);
  std::memcpy(sink->bytes().data() + sink->data_offset(), picture.data(), picture.size());
  sink->commit();
}

}  // namespace crinkle::tool
