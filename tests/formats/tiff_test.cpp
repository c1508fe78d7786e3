// TIFF: what is written is read, box by box; files written by hand, with what programs say of their axes; torn and lying ones are refused.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/tiff/tiff.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "crinkle/error.hpp"
#include "folder.hpp"
#include "formats/dataset.hpp"
#include "pictures.hpp"

namespace crinkle::tool {
namespace {

namespace fs = std::filesystem;
class Tiff : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!tiff::is_built()) GTEST_SKIP() << "this build has no TIFF";
  }
};

RC_GTEST_FIXTURE_PROP(Tiff, what_is_written_is_read, ()) {
  if (!tiff::is_built()) return;
  const Folder folder;
  DatasetFacts facts;
  const auto rank = *rc::gen::inRange<std::size_t>(0, 5);
  for (std::size_t a = 0; a < rank; ++a) facts.extents.push_back(*rc::gen::inRange<std::int64_t>(1, a + 2 < rank ? 4 : 40));
  facts.axes.resize(rank);
  if (*rc::gen::arbitrary<bool>())
    for (std::size_t a = 0; a < rank; ++a) facts.axes[a] = std::vector<std::string>{"t", "z", "c", "y", "x"}[5 - rank + a];
  if (rank == 3 && *rc::gen::arbitrary<bool>()) facts.axes = {"y", "x", "c"};
  facts.type = element_type(*rc::gen::element<std::string>("|u1", "|i1", "<u2", ">i2", "<f2", ">f4", "<f8", "<i8", ">c8", "<c16", "|b1"));
  DatasetWish wish;
  const bool has_samples = rank == 3 && facts.axes[2] == "c";
  if (rank >= 2 && !has_samples && *rc::gen::arbitrary<bool>()) {
    const bool is_tiled = *rc::gen::arbitrary<bool>();
    for (std::size_t a = 0; a + 2 < rank; ++a) wish.chunks += "1,";
    wish.chunks += is_tiled ? "16,32" : "3," + std::to_string(facts.extents[rank - 1]);
  }
  wish.filter = *rc::gen::element<std::string>("", "none", "lzw", "deflate:1", "zstd:1");
  const bool is_plain = facts.type.name != "bool" && !facts.type.name.starts_with("complex");
  if (is_plain && wish.filter == "deflate:1" && *rc::gen::arbitrary<bool>()) wish.filter += ",predictor";
  const Layout dense = Layout::dense(facts.extents, facts.type.bytes);
  Elements elements(static_cast<std::size_t>(dense.n_bytes()));
  for (std::byte& b : elements) b = static_cast<std::byte>(*rc::gen::inRange(0, facts.type.name == "bool" ? 2 : 256));
  const std::string path = folder / "a.tif";
  {
    const auto made = begin_dataset(path, facts, wish, Overwrite::refuse);
    write_box(*made, whole_of(facts.extents), elements.data(), dense.strides, default_executor());
    RC_ASSERT(!fs::exists(path));
    made->commit();
  }
  auto back = open_dataset(path);
  RC_ASSERT(back->facts().extents == facts.extents);
  RC_ASSERT(back->facts().type.name == facts.type.name);
  if (back->facts().type.descr != facts.type.descr) back = in_order(std::move(back), facts.type);
  RC_ASSERT(elements_of(*back, whole_of(facts.extents)) == elements);
  if (rank > 0 && !facts.axes[0].empty() && !has_samples) RC_ASSERT(back->facts().axes == facts.axes);
  Ranges box;
  Extents some;
  std::int64_t at = 0;
  for (std::size_t a = 0; a < rank; ++a) {
    const auto first = *rc::gen::inRange<std::int64_t>(0, facts.extents[a]);
    box.push_back({first, *rc::gen::inRange<std::int64_t>(0, facts.extents[a] - first + 1)});
    some.push_back(box[a].n);
    at += first * dense.strides[a];
  }
  const Layout part = Layout::dense(some, facts.type.bytes);
  Elements expected(static_cast<std::size_t>(part.n_bytes()));
  copy_box(some, facts.type.bytes, elements.data() + at, dense.strides, expected.data(), part.strides);
  RC_ASSERT(elements_of(*back, box) == expected);
  RC_ASSERT(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

TEST_F(Tiff, samples_of_few_bits) {
  const Folder folder;
  const std::string path = folder / "a.tif";
  put_pictures(path, {{.bits = 4, .width = 3, .data = bytes_of_numbers({0x12, 0x30})}});
  EXPECT_EQ(elements_of(*open_dataset(path), {{0, 1}, {0, 3}}), bytes_of_numbers({1, 2, 3}));
  put_pictures(path, {{.bits = 12, .width = 2, .data = bytes_of_numbers({0x12, 0x34, 0x56})}});
  EXPECT_EQ(open_dataset(path)->facts().type.name, "uint16");
  const std::uint16_t numbers[] = {0x123, 0x456};
  const auto got = elements_of(*open_dataset(path), {{0, 1}, {0, 2}});
  EXPECT_EQ(std::memcmp(got.data(), numbers, sizeof numbers), 0);
  put_pictures(path, {{.bits = 1, .width = 9, .data = bytes_of_numbers({0xA0, 0x80})}});
  EXPECT_EQ(elements_of(*open_dataset(path), {{0, 1}, {0, 9}}), bytes_of_numbers({1, 0, 1, 0, 0, 0, 0, 0, 1}));
  put_pictures(path, {{.data = {}}});  // a piece that is left out
  EXPECT_EQ(elements_of(*open_dataset(path), {{0, 1}, {0, 2}}), bytes_of_numbers({0, 0}));
}

TEST_F(Tiff, what_is_not_read_is_named) {
  const Folder folder;
  const std::string path = folder / "a.tif";
  const struct {
    Hand picture;
    std::string said;
  } cases[] = {{{.bits = 24, .format = 3, .data = Elements(6)}, "floating-point numbers of 24 bits"},
               {{.bits = 12, .format = 2, .data = Elements(3)}, "integers with a sign of 12 bits"},
               {{.bits = 32, .format = 5, .data = Elements(8)}, "complex integers"},
               {{.bits = 40, .data = Elements(10)}, "40 bits"},
               {{.compression = 34712, .data = Elements(6)}, "JPEG 2000"},
               {{.compression = 33333, .data = Elements(6)}, "33333"},
               {{.width = 0, .data = Elements(6)}, "size is zero"},
               {{.width = 1000000, .data = Elements(1)}, "strip 1 of the page"},
               {{.compression = 8, .data = Elements(40)}, "a.tif"},
               {{.compression = 5, .width = 4000000000U, .height = 4000000000U, .data = Elements(40)}, "a.tif"},
               {{.compression = 5, .width = 60000, .height = 60000, .data = Elements(40)}, "a.tif"}};
  for (const auto& c : cases) {
    put_pictures(path, {c.picture});
    std::string said;
    try {
      const auto dataset = open_dataset(path);
      elements_of(*dataset, {{0, 1}, {0, 2}});
    } catch (const Error& e) { said = e.what(); }
    EXPECT_NE(said.find(c.said), std::string::npos) << c.said << ": " << said;
  }
}

TEST_F(Tiff, tags_of_a_place_make_a_geotiff) {
  const Folder folder;
  for (const int tag : {33550, 33922, 34264, 34735, 50844, 42112, 42113}) {
    put_pictures(folder / "a.tif", {{.data = bytes_of_numbers({1, 2}), .other_tag = static_cast<std::uint16_t>(tag)}});
    EXPECT_TRUE(tiff::is_geographic(folder / "a.tif")) << tag;
  }
  put_pictures(folder / "a.tif", {{.data = bytes_of_numbers({1, 2}), .other_tag = 305}});
  EXPECT_FALSE(tiff::is_geographic(folder / "a.tif"));
}

RC_GTEST_FIXTURE_PROP(Tiff, torn_files_are_refused_or_read, ()) {
  if (!tiff::is_built()) return;
  const Folder folder;
  const std::string path = folder / "a.tif";
  DatasetFacts facts;
  facts.extents = {3, 20, 30};
  facts.axes = {"z", "y", "x"};
  facts.type = element_type("<u2");
  const Layout dense = Layout::dense(facts.extents, 2);
  Elements elements(static_cast<std::size_t>(dense.n_bytes()));
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<std::byte>(i * i / 7);
  const auto made = begin_dataset(
      path, facts, {.chunks = "y=16,x=16", .filter = *rc::gen::element<std::string>("none", "lzw", "deflate:6,predictor", "zstd:3")},
      Overwrite::refuse);
  write_box(*made, whole_of(facts.extents), elements.data(), dense.strides, default_executor());
  made->commit();
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  const auto size = static_cast<std::int64_t>(fs::file_size(path));
  for (int k = *rc::gen::inRange(1, 6); k > 0; --k) {
    file.seekp(*rc::gen::arbitrary<bool>() ? *rc::gen::inRange<std::int64_t>(0, size) : *rc::gen::inRange<std::int64_t>(size - 900, size));
    file.put(static_cast<char>(*rc::gen::element(0, 1, 127, 128, 255)));
  }
  file.close();
  if (*rc::gen::inRange(0, 4) == 0) fs::resize_file(path, static_cast<std::uintmax_t>(*rc::gen::inRange<std::int64_t>(0, size)));
  std::ifstream begin(path, std::ios::binary);
  if (begin.get() != 'I' || begin.get() != 'I' || begin.get() != 42 || begin.get() != 0) return;  // another kind of file
  said_of_file(path);                                                                             // it ends, and throws nothing but Error
}

TEST_F(Tiff, words_of_chunks_and_filters) {
  const Folder folder;
  DatasetFacts facts;
  facts.extents = {5, 40, 60};
  facts.axes = {"z", "y", "x"};
  facts.type = element_type("<f4");
  const auto said = [&](const DatasetWish& wish) -> std::string {
    try {
      check_dataset(folder / "a.tif", facts, wish, Overwrite::refuse);
    } catch (const Error& e) { return e.what(); }
    return "";
  };
  EXPECT_EQ(said({.chunks = "y=16,x=32"}) + said({.chunks = "1,7,60"}) + said({.chunks = "y=7", .filter = "zstd:3,predictor"}), "");
  EXPECT_NE(said({.chunks = "z=5"}).find("z is 1, not 5"), std::string::npos) << said({.chunks = "z=5"});
  for (const std::string chunks : {"5,16,16", "y=10,x=10", "w=3", "16,16", "y=0"}) EXPECT_NE(said({.chunks = chunks}), "") << chunks;
  for (const std::string filter :
       {"gzip:3", "deflate:0", "deflate:10", "zstd:23", "lzw:3", "none,predictor", "predictor", "deflate,shuffle", "deflate:"})
    EXPECT_NE(said({.filter = filter}).find("--filter"), std::string::npos) << filter;
  EXPECT_NE(said({.shards = "1,16,16"}), "");
  facts.type = element_type("S3");
  EXPECT_NE(said({}).find("S3"), std::string::npos);
  facts.type = element_type("<c8");
  EXPECT_NE(said({.filter = "lzw,predictor"}).find("complex64"), std::string::npos);
}

}  // namespace
}  // namespace crinkle::tool
