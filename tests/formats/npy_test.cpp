// .npy files: round trips, what a header may say, and what hostile ones get.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/npy.hpp"

#include "folder.hpp"

namespace crinkle::tool::npy_test {
namespace {

/// A file of the version around the header text, padded to nothing, and the data.
std::string npy(int version, const std::string& header, const std::string& data) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) file += static_cast<char>(header.size() >> 8 * i & 0xff);
  return file + header + data;
}

std::string dictionary(const std::string& descr, const std::string& shape, const std::string& fortran = "False") {
  return "{'descr': " + descr + ", 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

std::string refusal(const std::string& bytes, ErrorCode code = ErrorCode::bad_file) {
  const Folder folder;
  put(folder / "in.npy", bytes);
  const std::string text = error_of(code, [&] { Source::open(folder / "in.npy"); });
  EXPECT_TRUE(says(text, "in.npy: ")) << text;
  return text;
}

TEST(Npy, what_is_written_is_read_back) {
  const Folder folder;
  const std::vector<std::pair<Extents, std::string>> cases = {
      {{2, 3, 4}, "<f4"},
      {{7}, "|b1"},
      {{}, "<f8"},
      {{0}, "<i4"},
      {{3, 0, 2}, "<i4"},
      {{5, 1}, ">u2"},
      {{2, 2}, "<c16"},
      {{4}, "|S7"},
      {{4}, "<U5"},
      {{3}, "<M8[ns]"},
      {{3}, "|V5"},
      {{1, 1, 1, 1, 1, 1, 1, 1, 1, 2}, "<u8"},
      {{6}, "[('x', '<f4'), ('', '|V4'), (('t', 'y'), '>i2', (3,)), ('é', [('a', '|S3')])]"}};
  for (const auto& [extents, type] : cases) {
    const std::string data = make(folder / "out.npy", extents, type, Overwrite::force);
    const auto source = Source::open(folder / "out.npy");
    EXPECT_EQ(source->facts().format, "npy");
    EXPECT_EQ(source->facts().layout.extents, extents);
    EXPECT_EQ(source->facts().layout.offset % 64, 0);
    EXPECT_EQ(source->facts().type.descr, type);
    EXPECT_EQ(elements(*source), data) << type;
    EXPECT_TRUE(source->facts().notes.empty());
  }
  EXPECT_EQ(folder.names(), Names{"out.npy"});
}

TEST(Npy, versions_one_to_three_are_read_and_written_as_the_text_needs) {
  const Folder folder;
  for (int version = 1; version <= 3; ++version) {
    put(folder / "in.npy", npy(version, dictionary("'<i2'", "(3,)"), "abcdef"));
    EXPECT_EQ(elements(*Source::open(folder / "in.npy")), "abcdef");
  }
  const auto version_for = [&](const std::string& descr) { return static_cast<int>(npy_header({3}, descr)[6]); };
  std::string long_list = "[";
  for (int i = 0; i < 5000; ++i) long_list += "('field" + std::to_string(i) + "', '<f4'), ";
  long_list += "]";
  EXPECT_EQ(version_for("<f4"), 1);
  EXPECT_EQ(version_for("[('é', '<f4')]"), 1);
  EXPECT_EQ(version_for(long_list), 2);
  EXPECT_EQ(version_for("[('名', '<f4')]"), 3);
  for (const std::string& descr : {long_list, std::string("[('名', '<f4')]")}) {
    const std::string data = make(folder / "out.npy", {3}, descr, Overwrite::force);
    const auto source = Source::open(folder / "out.npy");
    EXPECT_EQ(source->facts().type.descr, descr);
    EXPECT_EQ(elements(*source), data);
  }
}

TEST(Npy, latin1_names_of_version_one_keep_their_bytes) {
  const Folder folder;
  const std::string header = npy_header({1}, "[('\xc3\xa9', '|u1')]");
  EXPECT_TRUE(says(header, "('\xe9', '|u1')"));
  put(folder / "in.npy", header + "x");
  EXPECT_EQ(Source::open(folder / "in.npy")->facts().type.descr, "[('\xc3\xa9', '|u1')]");
}

TEST(Npy, fortran_order_gives_fortran_strides) {
  const Folder folder;
  put(folder / "in.npy", npy(1, dictionary("'|u1'", "(2, 3)", "True"), "abcdef"));
  const auto source = Source::open(folder / "in.npy");
  EXPECT_EQ(source->facts().layout.strides, (Extents{1, 2}));
  EXPECT_EQ(elements(*source), "acebdf");
}

TEST(Npy, sixty_four_axes_are_read_and_sixty_five_are_not) {
  const Folder folder;
  std::string shape = "(";
  for (int a = 0; a < 64; ++a) shape += "1, ";
  put(folder / "in.npy", npy(1, dictionary("'|u1'", shape + ")"), "a"));
  EXPECT_EQ(Source::open(folder / "in.npy")->facts().layout.extents.size(), 64U);
  EXPECT_TRUE(says(refusal(npy(1, dictionary("'|u1'", shape + "1)"), "a")), "64 axes"));
}

TEST(Npy, bytes_behind_the_data_are_noted) {
  const Folder folder;
  put(folder / "in.npy", npy(1, dictionary("'|u1'", "(2,)"), "abc"));
  const auto source = Source::open(folder / "in.npy");
  ASSERT_EQ(source->facts().notes.size(), 1U);
  EXPECT_TRUE(says(source->facts().notes[0], "1 bytes behind"));
}

TEST(Npy, lying_shapes_are_refused_with_the_numbers) {
  const std::string text = refusal(npy(1, dictionary("'<f4'", "(1000, 1000)"), "abcd"));
  EXPECT_TRUE(says(text, "[1000][1000]")) << text;
  EXPECT_TRUE(says(text, "4000000 bytes")) << text;
  EXPECT_TRUE(says(text, "4 follow")) << text;
  refusal(npy(1, dictionary("'|u1'", "(9223372036854775807,)"), "abcd"));
  refusal(npy(1, dictionary("'<f8'", "(9223372036854775807,)"), "abcd"));
  refusal(npy(1, dictionary("'<f4'", "(4294967296, 4294967296)"), "abcd"));
  refusal(npy(1, dictionary("'<f4'", "(9223372036854775808,)"), "abcd"));
  refusal(npy(1, dictionary("'<f4'", "(0, 9223372036854775807, 9223372036854775807)"), ""));
  EXPECT_TRUE(says(refusal(npy(1, dictionary("'<f4'", "(-1,)"), "abcd")), "negative extent -1"));
}

TEST(Npy, code_in_the_header_is_text_that_does_not_fit) {
  refusal(npy(1, dictionary("'<f4'", "(__import__('os').system('touch owned'),)"), "abcd"));
  refusal(npy(1, dictionary("__import__('os')", "(1,)"), "abcd"));
  refusal(npy(1, dictionary("'<f4'", "(1 + 1,)"), "abcd"));
  refusal(npy(1, dictionary("'<f4'", "(1,)", "not True"), "abcd"));
  refusal(npy(1, "dict(descr='<f4', fortran_order=False, shape=(1,))", "abcd"));
}

TEST(Npy, object_arrays_are_refused) {
  EXPECT_TRUE(says(refusal(npy(1, dictionary("'|O'", "(1,)"), "abcdefgh")), "object"));
  EXPECT_TRUE(says(refusal(npy(1, dictionary("[('x', '|O')]", "(1,)"), "abcdefgh")), "object"));
}

TEST(Npy, header_lengths_that_lie_are_refused) {
  std::string file = npy(1, dictionary("'|u1'", "(2,)"), "ab");
  file[8] = '\xff';
  file[9] = '\xff';
  EXPECT_TRUE(says(refusal(file), "65535 bytes long"));
  EXPECT_TRUE(says(refusal(npy(2, dictionary("'|u1'", "(2,)"), "ab").replace(8, 4, "\xff\xff\xff\xff")), "4294967295 bytes long"));
  std::string cut = npy(1, dictionary("'|u1'", "(2,)"), "ab");
  cut[8] = 5;
  refusal(cut);
  cut[8] = 0;
  refusal(cut);
}

TEST(Npy, every_cut_of_a_file_is_refused) {
  const std::string whole = npy(1, dictionary("[('x', '<f4'), ('y', '>i2', (3,))]", "(1,)"), "abcdefghij");
  const Folder folder;
  put(folder / "in.npy", whole);
  Source::open(folder / "in.npy");
  for (std::size_t n = 6; n < whole.size(); ++n) refusal(whole.substr(0, n));
}

TEST(Npy, keys_must_be_exactly_the_three) {
  EXPECT_TRUE(says(refusal(npy(1, "{'descr': '<f4', 'shape': (1,), }", "abcd")), "'fortran_order' is missing"));
  EXPECT_TRUE(says(refusal(npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}", "abcd")), "'more'"));
  EXPECT_TRUE(says(refusal(npy(1, "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "abcd")), "twice"));
  refusal(npy(1, dictionary("'<f4'", "(1,)") + " trailing", "abcd"));
  refusal(npy(1, dictionary("'<f4'", "(1)"), "abcd"));
  refusal(npy(1, dictionary("'<f4'", "1"), "abcd"));
  refusal(npy(1, dictionary("'<f4'", "[1]"), "abcd"));
  refusal(npy(1, "", ""));
}

TEST(Npy, version_three_must_be_utf8_and_other_versions_do_not_exist) {
  refusal(npy(3, dictionary("[('\xff', '<f4')]", "(1,)"), "abcd"));
  refusal(npy(3, dictionary("[('\xed\xa0\x80', '<f4')]", "(1,)"), "abcd"));
  EXPECT_TRUE(says(refusal(npy(4, dictionary("'<f4'", "(1,)"), "abcd")), "version 4"));
  EXPECT_TRUE(says(refusal(npy(0, dictionary("'<f4'", "(1,)"), "abcd")), "version 0"));
}

TEST(Npy, elements_without_bytes_are_refused) { refusal(npy(1, dictionary("'|V0'", "(3,)"), ""), ErrorCode::unsupported); }

}  // namespace
}  // namespace crinkle::tool::npy_test
