// Side files go when what they stood beside is replaced, and not before.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/side_files.hpp"

#include <filesystem>

#include "folder.hpp"
#include "formats/sink.hpp"

namespace crinkle::tool::side_files_test {
namespace {

OutputFacts bytes_facts(std::int64_t n) {
  OutputFacts facts;
  facts.extents = {n};
  facts.type = element_type("uint8");
  return facts;
}

TEST(SideFiles, are_those_of_this_name) {
  const Folder folder;
  for (const char* name : {"map.tif.ovr", "map.tif.OVR", "map.tif.aux.xml", "map.tif.msk", "map.tif.msk.ovr", "map.tif.vat.dbf",
                           "map.tiff.ovr", "xmap.tif.ovr", "map.ovr", "map.tfw", "map.wld", "map.aux", "map.tab", "map_rpc.txt"})
    put(folder / name, "something");
  const auto found = [&](const std::string& path) {
    Names names;
    for (const std::string& side : side_files_of(path)) names.push_back(std::filesystem::path(side).filename());
    return names;
  };
  Names want = {"map.tif.OVR", "map.tif.aux.xml", "map.tif.msk", "map.tif.msk.ovr", "map.tif.ovr", "map.tif.vat.dbf"};
  EXPECT_EQ(found(folder / "map.tif"), want);
  for (const char* name : {"map.tfw", "map.wld"}) put(folder / name, " 1\n0\n0\n-1e0\n.5\n6");
  put(folder / "map.aux", "EHFA_HEADER_TAG…");
  put(folder / "map.tab", "!Table\n Type \"Raster\"");
  put(folder / "map_rpc.txt", "LINE_OFF: 7");
  want.insert(want.begin(), "map.aux");
  want.insert(want.begin() + 1, {"map.tab", "map.tfw"});
  want.insert(want.end(), {"map.wld", "map_rpc.txt"});
  EXPECT_EQ(found(folder / "map.tif"), want);
  put(folder / "map.png", "another picture");
  EXPECT_EQ(found(folder / "map.tif").size(), want.size() - 4);  // all that only TIFF has
  EXPECT_EQ(shared_side_files_of(folder / "map.tif").size(), 4U);
  EXPECT_EQ(found(folder / "map.npy"), Names());
  EXPECT_EQ(side_files_of(folder / "map.tif", Replaced::a_part).size(), 3U);
}

TEST(SideFiles, stay_until_all_of_several_outputs_are_there) {
  const Folder folder;
  for (const char* name : {"a.raw", "a.raw.ovr", "a.raw.aux.xml"}) put(folder / name, "old");
  {
    std::vector<std::unique_ptr<Sink>> sinks;
    sinks.push_back(Sink::create(folder / "a.raw", bytes_facts(9), Overwrite::force));
    sinks.push_back(Sink::create(folder / "b.raw", bytes_facts(9), Overwrite::refuse));
    EXPECT_EQ(contents(folder / "a.raw.ovr"), "old");
    put(folder / "b.raw", "meanwhile");
    EXPECT_THROW(commit_all(sinks), OutputExists);
  }
  for (const char* name : {"a.raw", "a.raw.ovr", "a.raw.aux.xml"}) EXPECT_EQ(contents(folder / name), "old") << name;
  { const auto sink = Sink::create(folder / "a.raw", bytes_facts(9), Overwrite::force); }
  EXPECT_EQ(contents(folder / "a.raw.ovr"), "old") << "nothing was committed";
  std::vector<std::unique_ptr<Sink>> sinks;
  sinks.push_back(Sink::create(folder / "a.raw", bytes_facts(9), Overwrite::force));
  commit_all(sinks);
  sinks.clear();
  EXPECT_EQ(folder.names(), (Names{"a.raw", "b.raw"}));
}

TEST(SideFiles, of_a_name_that_is_free_are_refused_unless_forced) {
  const Folder folder;
  put(folder / "a.png.aux.xml", "somebody's");
  OutputFacts facts = bytes_facts(9);
  facts.extents = {3, 3};
  const std::string text = error_of(ErrorCode::exists, [&] { Sink::create(folder / "a.png", facts, Overwrite::refuse); });
  EXPECT_TRUE(says(text, "a.png.aux.xml") && says(text, "--force")) << text;
  Sink::create(folder / "a.png", facts, Overwrite::force)->commit();
  EXPECT_EQ(folder.names(), Names{"a.png"});
}

}  // namespace
}  // namespace crinkle::tool::side_files_test
