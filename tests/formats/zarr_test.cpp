// Zarr stores: what is written is read, box by box; stores written by hand; torn and lying ones are refused.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "crinkle/error.hpp"
#include "folder.hpp"
#include "formats/dataset.hpp"
#include "formats/zarr/zarr.hpp"

namespace crinkle::tool {
namespace {

namespace fs = std::filesystem;

class Zarr : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!zarr::is_built()) GTEST_SKIP() << "this build has no Zarr";
  }
};

void put(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

std::vector<std::byte> read(const Dataset& dataset, const Ranges& box) {
  Extents extents;
  for (const Range& range : box) extents.push_back(range.n);
  const Layout dense = Layout::dense(extents, dataset.facts().type.bytes);
  std::vector<std::byte> elements(static_cast<std::size_t>(dense.n_bytes()));
  dataset.read(box, elements.data(), dense.strides);
  return elements;
}

std::string message(const std::string& path) {
  try {
    const auto dataset = open_dataset(path);
    read(*dataset, whole_of(dataset->facts().extents));
  } catch (const Error& e) { return e.what(); }
  return "";
}

RC_GTEST_FIXTURE_PROP(Zarr, what_is_written_is_read, ()) {
  if (!zarr::is_built()) return;
  const Folder folder;
  const auto rank = *rc::gen::inRange<std::size_t>(0, 4);
  Extents extents;
  std::string chunks, shards;
  for (std::size_t a = 0; a < rank; ++a) {
    extents.push_back(*rc::gen::inRange<std::int64_t>(1, 9));
    const auto chunk = *rc::gen::inRange<std::int64_t>(1, 6);
    chunks += (a == 0 ? "" : ",") + std::to_string(chunk);
    shards += (a == 0 ? "" : ",") + std::to_string(chunk * *rc::gen::inRange<std::int64_t>(1, 4));
  }
  DatasetFacts facts;
  facts.extents = extents;
  facts.type = element_type(*rc::gen::element<std::string>("|u1", "<i2", ">f4", "<c16", "|S5", "|b1"));
  DatasetWish wish{.chunks = chunks, .filter = *rc::gen::element<std::string>("", "none", "gzip:1", "zstd:1,crc32c", "lz4,bitshuffle")};
  if (rank > 0 && *rc::gen::arbitrary<bool>()) wish.shards = shards;
  const Layout dense = Layout::dense(extents, facts.type.bytes);
  std::vector<std::byte> elements(static_cast<std::size_t>(dense.n_bytes()));
  for (std::byte& b : elements) b = static_cast<std::byte>(*rc::gen::inRange(0, 3) == 0 ? *rc::gen::inRange(0, 256) : 0);
  const std::string path = folder / "a.zarr";
  {
    const auto made = begin_dataset(path, facts, wish, Overwrite::refuse);
    write_box(*made, whole_of(extents), elements.data(), dense.strides, default_executor());
    RC_ASSERT(!fs::exists(path));
    made->commit();
  }
  const auto back = open_dataset(path);
  RC_ASSERT(back->facts().extents == extents);
  RC_ASSERT(back->facts().type.descr == facts.type.descr);
  RC_ASSERT(read(*back, whole_of(extents)) == elements);
  Ranges box;
  for (const std::int64_t n : extents) {
    const auto first = *rc::gen::inRange<std::int64_t>(0, n);
    box.push_back({first, *rc::gen::inRange<std::int64_t>(0, n - first + 1)});
  }
  Extents some;
  std::int64_t at = 0;
  for (std::size_t a = 0; a < rank; ++a) {
    some.push_back(box[a].n);
    at += box[a].first * dense.strides[a];
  }
  const Layout part = Layout::dense(some, facts.type.bytes);
  std::vector<std::byte> expected(static_cast<std::size_t>(part.n_bytes()));
  copy_box(some, facts.type.bytes, elements.data() + at, dense.strides, expected.data(), part.strides);
  RC_ASSERT(read(*back, box) == expected);
  RC_ASSERT(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

const std::string v3 = R"({"zarr_format":3,"node_type":"array","shape":[3],"data_type":"uint8",
"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2]}},"chunk_key_encoding":{"name":"default"},
"fill_value":7,"codecs":[{"name":"bytes"}],"attributes":{"units":"K"},"dimension_names":["x"]})";
const std::string v2 =
    R"({"zarr_format":2,"shape":[2,3],"chunks":[2,2],"dtype":">i2","compressor":null,"fill_value":-2,"order":"F","filters":null})";

TEST_F(Zarr, stores_written_by_hand) {
  const Folder folder;
  put(folder / "a.zarr/zarr.json", v3);
  put(folder / "a.zarr/c/0", "\x01\x02");
  const auto a = open_dataset(folder / "a.zarr");
  EXPECT_EQ(a->facts().axes, std::vector<std::string>{"x"});
  EXPECT_EQ(read(*a, {{0, 3}}), (std::vector<std::byte>{std::byte{1}, std::byte{2}, std::byte{7}}));  // no second chunk: the fill value

  put(folder / "b.zarr/g/.zgroup", R"({"zarr_format":2})");
  put(folder / "b.zarr/.zgroup", R"({"zarr_format":2})");
  put(folder / "b.zarr/g/t/.zarray", v2);
  put(folder / "b.zarr/g/t/.zattrs", R"({"_ARRAY_DIMENSIONS":["y","x"]})");
  put(folder / "b.zarr/g/t/0.0", std::string("\0\1\0\3\0\2\0\4", 8));
  for (const std::string& path : {folder / "b.zarr", folder / "b.zarr:/g/t", folder / "b.zarr/g/t"}) {
    const auto b = open_dataset(path);
    EXPECT_EQ(b->facts().type.descr, ">i2");
    const auto elements = read(*b, whole_of(b->facts().extents));
    const std::string expected("\0\1\0\2\xff\xfe\0\3\0\4\xff\xfe", 12);
    EXPECT_EQ(std::memcmp(elements.data(), expected.data(), expected.size()), 0) << path;
  }
}

TEST_F(Zarr, what_lies_is_refused) {
  const struct {
    std::string from, to, said;
  } cases[] = {{"\"shape\":[3]", "\"shape\":[-3]", "0 or more"},
               {"\"shape\":[3]", "\"shape\":3", "shape"},
               {"\"shape\":[3],", "", "no 'shape'"},
               {"\"shape\":[3]", "\"shape\":[4611686018427387904,4]", "do not fit"},
               {"chunk_shape\":[2]", "chunk_shape\":[0]", "1 or more"},
               {"chunk_shape\":[2]", "chunk_shape\":[9223372036854775807]", "9223372036854775807"},
               {"\"uint8\"", "\"uint7\"", "uint7"},
               {"\"uint8\"", "\"string\"", "string"},
               {"\"name\":\"bytes\"", "\"name\":\"packbits\"", "packbits"},
               {"{\"name\":\"bytes\"}", "", "lack 'bytes'"},
               {"\"regular\"", "\"rectilinear\"", "rectilinear"},
               {"\"default\"", "\"other\"", "named by"},
               {"\"fill_value\":7", "\"fill_value\":300", "300"},
               {"\"fill_value\":7", "\"fill_value\":\"x\"", "fill value"},
               {"[\"x\"]", "[\"x\",\"y\"]", "names 2 axes"},
               {"\"array\"", "\"tree\"", "tree"},
               {"\"zarr_format\":3", "\"zarr_format\":4", "4, not 3"},
               {"{\"chunk_shape\":[2]}", "5", "chunk_shape"},
               {"\"name\":\"bytes\"", "\"name\":\"bytes\",\"configuration\":5", "no array says"},
               {"\"name\":\"bytes\"", "\"name\":5", "no array says"},
               {"{\"zarr", "{{\"zarr", "JSON"}};
  for (const auto& c : cases) {
    const Folder folder;
    std::string text = v3;
    ASSERT_NE(text.find(c.from), std::string::npos) << c.from;
    text.replace(text.find(c.from), c.from.size(), c.to);
    put(folder / "a.zarr/zarr.json", text);
    put(folder / "a.zarr/c/0", "\x01\x02");
    EXPECT_NE(message(folder / "a.zarr").find(c.said), std::string::npos) << c.to << ": " << message(folder / "a.zarr");
  }
}

TEST_F(Zarr, torn_chunks_are_refused) {
  for (const std::string filter : {"none", "gzip:1", "zstd:1", "lz4", "zstd:1,crc32c"}) {
    const Folder folder;
    const std::string path = folder / "a.zarr";
    DatasetFacts facts;
    facts.extents = {1000};
    facts.type = element_type("<i4");
    std::vector<std::int32_t> elements(1000);
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<std::int32_t>(i * i);
    const auto made = begin_dataset(path, facts, {.chunks = "1000", .filter = filter}, Overwrite::refuse);
    made->write({{0, 1000}}, reinterpret_cast<const std::byte*>(elements.data()), {4});
    made->commit();
    const std::string chunk = path + "/c/0";
    EXPECT_EQ(message(path), "");
    fs::resize_file(chunk, fs::file_size(chunk) / 2);
    EXPECT_NE(message(path).find("c/0"), std::string::npos) << filter;
    put(chunk, std::string(100, 'x'));
    EXPECT_NE(message(path).find("c/0"), std::string::npos) << filter;
    put(chunk, "");
    EXPECT_NE(message(path).find("c/0"), std::string::npos) << filter;
  }
}

TEST_F(Zarr, names_of_outputs) {
  const Folder folder;
  DatasetFacts facts;
  facts.extents = {4};
  facts.type = element_type("|u1");
  const std::vector<std::byte> elements(4, std::byte{3});
  const auto make = [&](const std::string& path, Overwrite overwrite) {
    const auto made = begin_dataset(path, facts, {}, overwrite);
    made->write({{0, 4}}, elements.data(), {1});
    made->commit();
  };
  make(folder / "s.zarr:/a/b", Overwrite::refuse);  // with its groups
  make(folder / "s.zarr:/c", Overwrite::refuse);
  EXPECT_EQ(message(folder / "s.zarr:/a/b") + message(folder / "s.zarr:/c"), "");
  EXPECT_NE(message(folder / "s.zarr").find("/a/b /c"), std::string::npos) << message(folder / "s.zarr");
  EXPECT_NE(message(folder / "s.zarr:/d").find("/a/b /c"), std::string::npos);
  EXPECT_THROW(make(folder / "s.zarr:/c", Overwrite::refuse), Error);
  make(folder / "s.zarr:/c", Overwrite::force);
  EXPECT_THROW(make(folder / "s.zarr", Overwrite::force), Error);        // a group, with arrays
  EXPECT_THROW(make(folder / "s.zarr:/c/d", Overwrite::refuse), Error);  // in an array
  EXPECT_THROW(make(folder / "s.zarr:/../t", Overwrite::refuse), Error);
  EXPECT_THROW(make(folder / "none/s.zarr", Overwrite::refuse), Error);
  put(folder / "p.zarr", "a file");
  EXPECT_THROW(make(folder / "p.zarr", Overwrite::force), Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 2);
}

TEST_F(Zarr, words_of_chunks_and_filters) {
  const Folder folder;
  DatasetFacts facts;
  facts.extents = {4, 6};
  facts.axes = {"y", "x"};
  facts.type = element_type("<f4");
  const auto said = [&](const DatasetWish& wish) -> std::string {
    try {
      check_dataset(folder / "a.zarr", facts, wish, Overwrite::refuse);
    } catch (const Error& e) { return e.what(); }
    return "";
  };
  EXPECT_EQ(said({.chunks = "x=2"}) + said({.chunks = "2,3", .shards = "4,6", .filter = "zstd:3,shuffle"}), "");
  EXPECT_NE(said({.chunks = "z=2"}).find("y x"), std::string::npos);
  for (const std::string chunks : {"2", "2,3,4", "0,1", "x=", "x=2,x=3", "a,b", "-1,2", "2,", "99999999999999999999,1"})
    EXPECT_NE(said({.chunks = chunks}), "") << chunks;
  for (const std::string filter : {"zip", "gzip:10", "zstd:x", "shuffle", "gzip,shuffle", "none,gzip", "zstd,lz4", "blosc:lzo:3", ","})
    EXPECT_NE(said({.filter = filter}), "") << filter;
  EXPECT_NE(said({.shards = "4,6"}), "");
  EXPECT_NE(said({.chunks = "2,4", .shards = "4,6"}), "");
}

}  // namespace
}  // namespace crinkle::tool
