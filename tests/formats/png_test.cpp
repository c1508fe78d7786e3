// PNG pictures: round trips, expansions, and what damaged or lying files get. Files that the writer does not make (palettes, few bits,
// interlaced) are made here by libpng, byte by byte where libpng would refuse.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/png.hpp"

#include <png.h>
#include <zlib.h>

#include <cstdio>
#include <functional>

#include "folder.hpp"

namespace crinkle::tool::png_test {
namespace {

void append_32(std::string& text, std::size_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift & 0xff);
}

std::string chunk(const std::string& name, const std::string& data) {
  const std::string body = name + data;
  std::string text;
  append_32(text, data.size());
  text += body;
  append_32(text, crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
  return text;
}

const std::string signature = "\x89PNG\r\n\x1a\n";

std::string header(std::size_t width, std::size_t height, int bits, int color, int interlace = 0) {
  std::string data;
  append_32(data, width);
  append_32(data, height);
  data += static_cast<char>(bits);
  data += static_cast<char>(color);
  data += '\0';
  data += '\0';
  data += static_cast<char>(interlace);
  return chunk("IHDR", data);
}

std::string packed(const std::string& rows) {
  std::string text(compressBound(rows.size()), '\0');
  uLongf bytes = text.size();
  compress(reinterpret_cast<Bytef*>(text.data()), &bytes, reinterpret_cast<const Bytef*>(rows.data()), rows.size());
  text.resize(bytes);
  return chunk("IDAT", text);
}

const std::string end = chunk("IEND", "");

struct Read {
  Extents extents;
  std::string type;
  std::string data;
  std::vector<std::string> notes;
};

Read read(const std::string& file) {
  const Folder folder;
  put(folder / "in.png", file);
  const auto source = Source::open(folder / "in.png");
  EXPECT_EQ(source->facts().format, "png");
  return {source->facts().layout.extents, source->facts().type.descr, elements(*source), source->facts().notes};
}

std::string refusal(const std::string& file) {
  const Folder folder;
  put(folder / "in.png", file);
  return error_of(ErrorCode::bad_file, [&] { Source::open(folder / "in.png"); });
}

TEST(Png, what_is_written_is_read_back) {
  const Folder folder;
  for (const char* type : {"|u1", "<u2"}) {
    for (std::int64_t channels = 1; channels <= 4; ++channels) {
      const std::string data = make(folder / "out.png", {5, 7, channels}, type, Overwrite::force);
      const Read back = read(contents(folder / "out.png"));
      EXPECT_EQ(back.extents, (Extents{5, 7, channels}));
      EXPECT_EQ(back.type, type);
      EXPECT_EQ(back.data, data);
      EXPECT_TRUE(back.notes.empty());
    }
  }
}

TEST(Png, two_axes_are_a_grey_picture) {
  const Folder folder;
  const std::string data = make(folder / "out.png", {3, 4}, "|u1");
  const Read back = read(contents(folder / "out.png"));
  EXPECT_EQ(back.extents, (Extents{3, 4, 1}));
  EXPECT_EQ(back.data, data);
}

TEST(Png, big_endian_samples_are_written_as_the_same_numbers) {
  const Folder folder;
  std::string data = make(folder / "out.png", {2, 3}, ">u2");
  for (std::size_t i = 0; i < data.size(); i += 2) std::swap(data[i], data[i + 1]);
  EXPECT_EQ(read(contents(folder / "out.png")).data, data);
}

TEST(Png, fewer_bits_and_palettes_expand) {
  // Two rows of three 2-bit greys: 0 1 2 / 3 2 1.
  const std::string rows("\0\x18\0\xe4", 4);
  const Read grey = read(signature + header(3, 2, 2, 0) + packed(rows) + end);
  EXPECT_EQ(grey.extents, (Extents{2, 3, 1}));
  EXPECT_EQ(grey.data, std::string("\x00\x55\xaa\xff\xaa\x55", 6));
  const std::string palette = chunk("PLTE", "aaabbbcccddd");
  const Read colour = read(signature + header(3, 2, 2, 3) + palette + packed(rows) + end);
  EXPECT_EQ(colour.extents, (Extents{2, 3, 3}));
  EXPECT_EQ(colour.data, "aaabbbcccdddcccbbb");
  const Read clear = read(signature + header(3, 2, 2, 3) + palette + chunk("tRNS", "xyz") + packed(rows) + end);
  EXPECT_EQ(clear.extents, (Extents{2, 3, 4}));
  EXPECT_EQ(clear.data,
            "aaaxbbbycccz"
            "ddd\xff"
            "cccz"
            "bbby");
  EXPECT_TRUE(clear.notes.empty());
}

TEST(Png, interlaced_pictures_are_put_together) {
  // 2 x 2 greys: pass 1 holds (0,0), pass 6 (0,1), pass 7 row 1.
  const Read back = read(signature + header(2, 2, 8, 0, 1) + packed(std::string("\0a\0b\0cd", 7)) + end);
  EXPECT_EQ(back.data, "abcd");
}

TEST(Png, other_chunks_are_dropped_and_named) {
  const Read back =
      read(signature + header(1, 1, 8, 0) + chunk("gAMA", std::string("\0\0\xb1\x8f", 4)) + chunk("tEXt", std::string("a\0b", 3)) +
           chunk("tEXt", std::string("c\0d", 3)) + chunk("zzZz", "?") + packed(std::string("\0a", 2)) + end);
  EXPECT_EQ(back.data, "a");
  ASSERT_EQ(back.notes.size(), 1U);
  EXPECT_TRUE(says(back.notes[0], "gAMA, tEXt, zzZz")) << back.notes[0];
}

TEST(Png, every_cut_of_a_file_is_refused) {
  const std::string file = signature + header(3, 2, 8, 0) + packed(std::string("\0abc\0def", 8)) + end;
  EXPECT_EQ(read(file).data, "abcdef");
  for (std::size_t n = 8; n < file.size(); ++n) refusal(file.substr(0, n));
}

TEST(Png, lying_sizes_are_refused_before_memory_is_taken) {
  const std::string data = packed(std::string("\0abc\0def", 8));
  EXPECT_TRUE(says(refusal(signature + header(0x7fffffff, 0x7fffffff, 16, 6) + data + end), "2147483647"));
  EXPECT_TRUE(says(refusal(signature + header(100000, 100000, 8, 0) + data + end), "100000 x 100000"));
  refusal(signature + header(0, 2, 8, 0) + data + end);
  refusal(signature + header(0xffffffff, 2, 8, 0) + data + end);
  refusal(signature + header(4, 2, 8, 0) + data + end);  // rows are shorter than said
  refusal(signature + header(3, 2, 3, 0) + data + end);  // no such depth
  refusal(signature + header(3, 2, 8, 3) + data + end);  // a palette that is missing
  refusal(signature + data + end);
  std::string lying = signature + header(3, 2, 8, 0) + data + end;
  lying[signature.size() + 25] = '\x7f';  // the length of IDAT
  EXPECT_TRUE(says(refusal(lying), "IDAT"));
}

TEST(Png, damaged_checksums_are_refused) {
  std::string file = signature + header(3, 2, 8, 0) + packed(std::string("\0abc\0def", 8)) + end;
  file[file.size() - 14] = static_cast<char>(file[file.size() - 14] ^ 1);
  EXPECT_TRUE(says(refusal(file), "PNG: ")) << refusal(file);
}

TEST(Png, what_a_picture_cannot_hold_is_unsupported_with_a_way_out) {
  const Folder folder;
  const std::vector<std::pair<Extents, std::string>> cases = {{{4, 4}, "<f4"}, {{4, 4}, "|i1"},    {{4, 4}, "bool"},
                                                              {{4}, "|u1"},    {{4, 4, 5}, "|u1"}, {{4, 4, 3, 1}, "|u1"},
                                                              {{0, 4}, "|u1"}, {{4, 4, 0}, "|u1"}};
  for (const auto& [extents, type] : cases) {
    const std::string text =
        error_of(ErrorCode::unsupported, [&, &shape = extents, &name = type] { make(folder / "out.png", shape, name); });
    EXPECT_TRUE(says(text, "out.png: PNG ")) << text;
  }
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace crinkle::tool::png_test
