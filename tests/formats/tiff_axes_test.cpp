// Axes and steps of stacks of TIFF, pages and images by their names.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "folder.hpp"
#include "formats/dataset.hpp"
#include "formats/tiff/tiff.hpp"
#include "pictures.hpp"

namespace crinkle::tool {
namespace {

class TiffAxes : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!tiff::is_built()) GTEST_SKIP() << "this build has no TIFF";
  }
};

TEST_F(TiffAxes, axes_that_programs_say) {
  const std::string ome =
      R"(<?xml version="1.0"?><!-- x --><OME xmlns="o"><Image ID="Image:0"><Pixels DimensionOrder="XYZTC" Type="uint8" SizeX="2" SizeY="1" SizeZ="3" SizeT="1" SizeC="2" )";
  const struct {
    std::string description;
    std::vector<std::string> axes;
    int second;  // the first element of the second picture of the last counting axis
    std::string noted;
  } cases[] = {
      {"", {"page", "y", "x"}, 1, ""},
      {"ImageJ=1.5\nimages=6\nchannels=2\nslices=3\nunit=micron\nspacing=0.5\n", {"z", "c", "y", "x"}, 1, ""},
      {"ImageJ=1.5\nimages=6\nframes=6\n", {"t", "y", "x"}, 1, ""},
      {"ImageJ=1.5\nimages=6\nchannels=4\n", {"page", "y", "x"}, 1, "6 images, and 4"},
      {"ImageJ=1.5\nimages=12\nslices=12\n", {"page", "y", "x"}, 1, "12 pictures"},
      {R"({"shape": [2, 3, 1, 2]})", {"", "", "y", "x"}, 1, ""},
      {R"({"shape": [2, 3, 1, 2], "axes": "QZYX"})", {"q", "z", "y", "x"}, 1, ""},
      {R"({"shape": [2, 4, 1, 2]})", {"page", "y", "x"}, 1, "shape [2][4][1][2]"},
      {R"({"shape": [6, -1]})", {"page", "y", "x"}, 1, "shape"},
      {ome + "/></Image></OME>", {"c", "z", "y", "x"}, 1, ""},
      {ome + R"(><TiffData/></Pixels></Image></OME>)", {"c", "z", "y", "x"}, 1, ""},
      {ome + R"(><TiffData FirstC="1" IFD="0" PlaneCount="3"/><TiffData FirstC="0" IFD="3" PlaneCount="3"/></Pixels></Image></OME>)",
       {"c", "z", "y", "x"},
       4,
       ""},
      {ome + R"(><TiffData IFD="0" PlaneCount="7"/></Pixels></Image></OME>)", {"page", "y", "x"}, 1, "7 pictures"},
      {ome + R"(><TiffData IFD="0"/></Pixels></Image></OME>)", {"page", "y", "x"}, 1, "no picture is named"},
      {ome + R"(><TiffData><UUID FileName="other.tif">u</UUID></TiffData></Pixels></Image></OME>)", {"page", "y", "x"}, 1, "other.tif"},
      {"<!DOCTYPE a [<!ENTITY b \"c\">]>" + ome + "/></Image></OME>", {"page", "y", "x"}, 1, ""},
      {"<?xml version=\"1.0\"?><!DOCTYPE a []>" + ome.substr(21) + "/></Image></OME>", {"page", "y", "x"}, 1, "document type"},
      {ome + "/></Image", {"page", "y", "x"}, 1, "cut off"},
      {ome + "DimensionOrder=\"ABCDE\"/></Image></OME>", {"c", "z", "y", "x"}, 1, ""},
  };
  for (const auto& c : cases) {
    const Folder folder;
    put_pictures(folder / "a.tif", six(c.description));
    const auto dataset = open_dataset(folder / "a.tif");
    const DatasetFacts& facts = dataset->facts();
    EXPECT_EQ(facts.axes, c.axes) << c.description;
    Ranges box = whole_of(facts.extents);
    for (std::size_t a = 0; a + 3 < box.size(); ++a) box[a].n = 1;
    box[box.size() - 3] = {1, 1};
    EXPECT_EQ(elements_of(*dataset, box), bytes_of_numbers({c.second, c.second + 10})) << c.description;
    std::string notes;
    for (const std::string& note : facts.notes) notes += note;
    EXPECT_EQ(notes.empty(), c.noted.empty()) << c.description << notes;
    EXPECT_NE(notes.find(c.noted), std::string::npos) << c.description << notes;
  }
}

TEST_F(TiffAxes, steps_along_axes) {
  const Folder folder;
  put_pictures(folder / "a.tif", six("ImageJ=1.5\nimages=6\nslices=3\nframes=2\nunit=\\u00B5m\nspacing=0.5\nfinterval=2\n"));
  const DatasetFacts facts = open_dataset(folder / "a.tif")->facts();
  EXPECT_EQ(facts.axes, (std::vector<std::string>{"t", "z", "y", "x"}));
  EXPECT_EQ(facts.steps[0].size, 2);
  EXPECT_EQ(facts.steps[0].unit, "s");
  EXPECT_EQ(facts.steps[1].size, 0.5);
  EXPECT_EQ(facts.steps[1].unit, "um");
}

TEST_F(TiffAxes, pages_and_images_have_names) {
  const Folder folder;
  const std::string path = folder / "a.tif";
  auto pictures = six("");
  put_pictures(path, pictures);
  EXPECT_EQ(elements_of(*open_dataset(path + ":/page3"), {{0, 1}, {0, 2}}), bytes_of_numbers({2, 12}));
  for (const std::string part : {":/page7", ":/page0", ":/page", ":/page-1", ":/pages", ":/image1", ":/x", ":/page1x"})
    EXPECT_NE(said_of_file(path + part), "") << part;
  pictures[4] = {.bits = 16, .width = 1, .data = bytes_of_numbers({1, 0})};
  put_pictures(path, pictures);
  EXPECT_NE(said_of_file(path).find("page 5 [1][1] uint16; "), std::string::npos) << said_of_file(path);
  EXPECT_EQ(said_of_file(path + ":/page5"), "");
  pictures[4].kind = 1;  // a smaller copy
  put_pictures(path, pictures);
  EXPECT_EQ(said_of_file(path), "");
  EXPECT_EQ(open_dataset(path)->facts().extents, (Extents{5, 1, 2}));
  EXPECT_NE(open_dataset(path)->facts().notes[0].find("1 of its pages"), std::string::npos);
}

}  // namespace
}  // namespace crinkle::tool
