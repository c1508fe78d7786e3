// HDF5 and NetCDF files: what is written is read, box by box; torn chunks are refused; a child process that crashes is an error.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "crinkle/error.hpp"
#include "folder.hpp"
#include "formats/child.hpp"
#include "formats/dataset.hpp"

namespace crinkle::tool {
namespace {

namespace fs = std::filesystem;

bool has(const std::string& format) { return dataset_formats().find(format) != std::string::npos; }

std::vector<std::byte> elements_of(const Dataset& dataset, const Ranges& box) {
  Extents extents;
  for (const Range& range : box) extents.push_back(range.n);
  const Layout dense = Layout::dense(extents, dataset.facts().type.bytes);
  std::vector<std::byte> elements(static_cast<std::size_t>(dense.n_bytes()));
  dataset.read(box, elements.data(), dense.strides);
  return elements;
}

std::string said_of(const std::string& path) {
  try {
    const auto dataset = open_dataset(path);
    elements_of(*dataset, whole_of(dataset->facts().extents));
  } catch (const Error& e) { return e.what(); }
  return "";
}

RC_GTEST_PROP(Hdf5, what_is_written_is_read, ()) {
  const Folder folder;
  const std::string ending = *rc::gen::element<std::string>("h5", "h5", "nc", "nc3");
  if (!has(ending == "nc3" ? "NetCDF-3" : "HDF5")) return;
  const auto rank = *rc::gen::inRange<std::size_t>(0, 4);
  Extents extents;
  std::string chunks;
  for (std::size_t a = 0; a < rank; ++a) {
    extents.push_back(*rc::gen::inRange<std::int64_t>(1, 9));
    chunks += (a == 0 ? "" : ",") + std::to_string(*rc::gen::inRange<std::int64_t>(1, 6));
  }
  DatasetFacts facts;
  facts.extents = extents;
  facts.type = element_type(ending == "h5" ? *rc::gen::element<std::string>("|u1", "<i2", ">f4", ">c16", "|S5", "|b1", "<f2", "<M8[s]")
                                           : *rc::gen::element<std::string>("|i1", "<i2", "<f4", "<f8", "<i4"));
  DatasetWish wish;
  if (ending != "nc3")
    wish.filter = *rc::gen::element<std::string>("", "none", "gzip:1", "zstd:1,shuffle,fletcher32", "lz4", "blosc:lz4:5,bitshuffle");
  if (ending != "nc3" && rank > 0 && *rc::gen::arbitrary<bool>()) wish.chunks = chunks;
  const Layout dense = Layout::dense(extents, facts.type.bytes);
  std::vector<std::byte> elements(static_cast<std::size_t>(dense.n_bytes()));
  for (std::byte& b : elements) b = static_cast<std::byte>(*rc::gen::inRange(0, 3) == 0 ? *rc::gen::inRange(0, 2) : 0);
  const std::string path = folder / ("a." + ending);
  {
    const auto made = begin_dataset(path, facts, wish, Overwrite::refuse);
    write_box(*made, whole_of(extents), elements.data(), dense.strides, default_executor());
    RC_ASSERT(!fs::exists(path));
    made->commit();
  }
  const auto back = open_dataset(path);
  RC_ASSERT(back->facts().extents == extents);
  RC_ASSERT(back->facts().type.descr == facts.type.descr);
  RC_ASSERT(elements_of(*back, whole_of(extents)) == elements);
  Ranges box;
  Extents some;
  std::int64_t at = 0;
  for (std::size_t a = 0; a < rank; ++a) {
    const auto first = *rc::gen::inRange<std::int64_t>(0, extents[a]);
    box.push_back({first, *rc::gen::inRange<std::int64_t>(0, extents[a] - first + 1)});
    some.push_back(box[a].n);
    at += first * dense.strides[a];
  }
  const Layout part = Layout::dense(some, facts.type.bytes);
  std::vector<std::byte> expected(static_cast<std::size_t>(part.n_bytes()));
  copy_box(some, facts.type.bytes, elements.data() + at, dense.strides, expected.data(), part.strides);
  RC_ASSERT(elements_of(*back, box) == expected);
  RC_ASSERT(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

TEST(Hdf5, torn_chunks_are_refused) {
  if (!has("HDF5")) GTEST_SKIP() << "this build has no HDF5";
  for (const std::string filter : {"gzip:1", "zstd:1", "lz4", "blosc:zstd:1", "none,fletcher32"}) {
    const Folder folder;
    const std::string path = folder / "a.h5";
    DatasetFacts facts;
    facts.extents = {4000};
    facts.type = element_type("<i4");
    std::vector<std::uint32_t> elements(4000);
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<std::uint32_t>(i * i * i);
    const auto made = begin_dataset(path, facts, {.chunks = "4000", .filter = filter}, Overwrite::refuse);
    made->write({{0, 4000}}, reinterpret_cast<const std::byte*>(elements.data()), {4});
    made->commit();
    EXPECT_EQ(said_of(path), "");
    std::ifstream in(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const auto n_stored = static_cast<std::size_t>(open_dataset(path)->facts().stored_bytes);
    bytes.replace(bytes.size() - n_stored, 64, std::string(64, 'x'));  // the chunk comes last
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_NE(said_of(path).find("chunk"), std::string::npos) << filter << ": " << said_of(path);
  }
}

TEST(Hdf5, an_array_that_is_not_finished_leaves_nothing) {
  if (!has("HDF5")) GTEST_SKIP() << "this build has no HDF5";
  const Folder folder;
  DatasetFacts facts;
  facts.extents = {4};
  facts.type = element_type("|u1");
  const std::vector<std::byte> elements(4, std::byte{3});
  const auto make = [&](const std::string& path, bool is_into, bool is_finished) {
    const auto made = begin_dataset(path, facts, {.is_into = is_into}, Overwrite::refuse);
    made->write({{0, 4}}, elements.data(), {1});
    if (is_finished) made->commit();
  };
  make(folder / "a.h5:/x", false, false);
  EXPECT_TRUE(fs::is_empty(folder.path()));
  make(folder / "a.h5:/x", false, true);
  make(folder / "a.h5:/g/y", true, false);
  EXPECT_NE(said_of(folder / "a.h5:/g/y").find("no array"), std::string::npos);
  EXPECT_EQ(said_of(folder / "a.h5"), "");  // the only one
  make(folder / "a.h5:/g/y", true, true);
  EXPECT_NE(said_of(folder / "a.h5").find("/g/y /x"), std::string::npos) << said_of(folder / "a.h5");
}

TEST(Child, its_end_is_told) {
  const auto said = [](const std::function<void()>& body) -> std::string {
    try {
      try_in_child("a.h5", "the library", body);
    } catch (const Error& e) { return std::string(name_of(e.code())) + " " + e.what(); }
    return "";
  };
  EXPECT_EQ(said([] {}), "");
  EXPECT_EQ(said([] { throw Error(ErrorCode::unsupported, "what it is"); }), "unsupported what it is");
  EXPECT_NE(said([] { std::abort(); }).find("bad_file a.h5: the library "), std::string::npos);
  EXPECT_NE(said([] { ::_exit(3); }).find("ends the program"), std::string::npos);
}

}  // namespace
}  // namespace crinkle::tool
