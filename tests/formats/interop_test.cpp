// Files made by NumPy, Pillow and nibabel are read, copied and turned here and judged by them again (interop.py). Skipped, with the
// reason, where they are not installed.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>

#include "folder.hpp"
#include "support/source_dir.hpp"

namespace crinkle::tool::interop_test {
namespace {

int python(const std::string& verb, const Folder& folder) {
  const std::string command = "python=/usr/bin/python3; [ -x $python ] || python=python3; $python '" +
                              testing::source_dir("/tests/formats/interop.py") + "' " + verb + " '" + folder.path() + "' >&2";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

void copy(const Source& source, const std::string& path) {
  const OutputFacts facts{source.facts().layout.extents, source.facts().type, &source.facts(), nullptr};
  const auto sink = Sink::create(path, facts, Overwrite::refuse);
  fill(*sink, elements(source));
  sink->commit();
}

/// z y x -> x y z with y flipped.
void turn(const Source& source, const std::string& path) {
  const Extents& n = source.facts().layout.extents;
  const SpatialChange change{{{2, 0, 1}, {1, static_cast<double>(n[1] - 1), -1}, {0, 0, 1}}, {}};
  const OutputFacts facts{{n[2], n[1], n[0]}, source.facts().type, &source.facts(), &change};
  const auto sink = Sink::create(path, facts, Overwrite::refuse);
  const std::string data = elements(source);
  const auto bytes = static_cast<std::size_t>(facts.type.bytes);
  std::string turned;
  for (std::int64_t x = 0; x < n[2]; ++x) {
    for (std::int64_t y = n[1]; y-- > 0;) {
      for (std::int64_t z = 0; z < n[0]; ++z) turned.append(data, static_cast<std::size_t>((z * n[1] + y) * n[2] + x) * bytes, bytes);
    }
  }
  fill(*sink, turned);
  sink->commit();
}

TEST(Interop, numpy_pillow_and_nibabel_agree_with_what_is_read_and_written) {
  const Folder folder;
  const int made = python("make", folder);
  if (made == 77 || made == 127) GTEST_SKIP() << "NumPy, Pillow or nibabel is not installed";
  ASSERT_EQ(made, 0);
  const Names names = folder.names();
  std::filesystem::create_directory(folder / "copies");
  std::filesystem::create_directory(folder / "turned");
  for (const std::string& name : names) {
    const auto source = Source::open(folder / name);
    copy(*source, folder / ("copies/" + name));
    if (name.ends_with(".png")) copy(*source, folder / ("copies/" + name + ".npy"));
    if (says(name, ".nii")) turn(*source, folder / ("turned/" + name));
  }
  EXPECT_GT(names.size(), 100U);
  EXPECT_EQ(python("check", folder), 0);
}

}  // namespace
}  // namespace crinkle::tool::interop_test
