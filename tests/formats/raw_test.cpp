// Raw files, standard input and pipes, and inputs that are nothing crinkle knows.
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "folder.hpp"

namespace crinkle::tool::raw_test {
namespace {

RawFacts raw_facts(const Extents& extents, const std::string& type, std::int64_t offset = 0) {
  return {extents, element_type(type), offset};
}

TEST(Raw, shape_type_and_offset_say_what_the_bytes_are) {
  const Folder folder;
  put(folder / "in.raw", "xxabcdefgh");
  const RawFacts raw = raw_facts({2, 2}, ">u2", 2);
  const auto source = Source::open(folder / "in.raw", &raw);
  EXPECT_EQ(source->facts().format, "raw");
  EXPECT_EQ(source->facts().type.descr, ">u2");
  EXPECT_EQ(source->facts().layout.offset, 2);
  EXPECT_EQ(elements(*source), "abcdefgh");
  EXPECT_TRUE(source->facts().notes.empty());
}

TEST(Raw, a_longer_file_is_noted_and_a_shorter_one_refused_with_the_numbers) {
  const Folder folder;
  put(folder / "in.raw", "abcdefgh");
  const RawFacts shorter = raw_facts({3}, "<u2"), longer = raw_facts({5}, "<u2", 1);
  const auto source = Source::open(folder / "in.raw", &shorter);
  ASSERT_EQ(source->facts().notes.size(), 1U);
  EXPECT_TRUE(says(source->facts().notes[0], "2 bytes"));
  const std::string text = error_of(ErrorCode::bad_file, [&] { Source::open(folder / "in.raw", &longer); });
  EXPECT_TRUE(says(text, "needs 11 bytes, but there are 8")) << text;
}

TEST(Raw, places_beyond_32_bits_are_reached) {
  const Folder folder;
  const std::int64_t last = (std::int64_t{1} << 32) + 10;
  put(folder / "in.raw", "");
  ASSERT_EQ(::truncate((folder / "in.raw").c_str(), last), 0);  // sparse
  std::ofstream(folder / "in.raw", std::ios::binary | std::ios::app) << 'z';
  const RawFacts raw = raw_facts({last + 1}, "uint8");
  const auto source = Source::open(folder / "in.raw", &raw);
  EXPECT_EQ(source->bytes()[static_cast<std::size_t>(last)], std::byte{'z'});
}

TEST(Raw, an_empty_array_needs_no_bytes) {
  const Folder folder;
  put(folder / "in.raw", "");
  const RawFacts raw = raw_facts({0, 4}, "<f8");
  EXPECT_EQ(elements(*Source::open(folder / "in.raw", &raw)), "");
}

TEST(Raw, impossible_requests_are_refused) {
  const Folder folder;
  put(folder / "in.raw", "abcd");
  const RawFacts huge = raw_facts({INT64_MAX, 2}, "<f8"), before = raw_facts({1}, "|u1", -1), far = raw_facts({1}, "|u1", INT64_MAX);
  error_of(ErrorCode::too_large, [&] { Source::open(folder / "in.raw", &huge); });
  error_of(ErrorCode::bad_shape, [&] { Source::open(folder / "in.raw", &before); });
  error_of(ErrorCode::too_large, [&] { Source::open(folder / "in.raw", &far); });
}

TEST(Raw, a_pipe_is_read_into_memory) {
  const Folder folder;
  const std::string data = pattern(300000);
  for (const bool is_raw : {true, false}) {
    const std::string pipe = folder / (is_raw ? "raw" : "npy");
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    if (!is_raw) make(folder / "in.npy", {300000}, "uint8");
    std::thread writer([&] { put(pipe, is_raw ? data : contents(folder / "in.npy")); });
    const RawFacts raw = raw_facts({300000}, "uint8");
    const auto source = Source::open(pipe, is_raw ? &raw : nullptr);
    writer.join();
    EXPECT_TRUE(elements(*source) == data);
  }
}

// Runs `body` with `descriptor` as standard input.
template <class Body>
void with_standard_input(int descriptor, Body&& body) {
  const int before = ::dup(STDIN_FILENO);
  ::dup2(descriptor, STDIN_FILENO);
  body();
  ::dup2(before, STDIN_FILENO);
  ::close(before);
}

TEST(Raw, standard_input_is_read_to_one_byte_behind_what_is_needed) {
  int ends[2] = {};
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "abcdefgh", 8), 8);
  ::close(ends[1]);
  with_standard_input(ends[0], [&] {
    const RawFacts raw = raw_facts({2}, "<u2", 1), more = raw_facts({9}, "<u2");
    const auto source = Source::open("-", &raw);
    EXPECT_EQ(elements(*source), "bcde");
    EXPECT_EQ(source->facts().notes, std::vector<std::string>{"the bytes behind the data are ignored"});
    const std::string too_short = error_of(ErrorCode::bad_file, [&] { Source::open("-", &more); });
    EXPECT_TRUE(says(too_short, "needs 18 bytes, but there are 2")) << too_short;
  });
  ::close(ends[0]);
  EXPECT_TRUE(says(error_of(ErrorCode::unsupported, [] { Source::open("-"); }), "--shape"));
}

TEST(Raw, a_file_on_standard_input_is_mapped_from_where_it_stands_and_left_behind_the_data) {
  const Folder folder;
  put(folder / "in", "abcdefgh");
  const int file = ::open((folder / "in").c_str(), O_RDONLY);
  ASSERT_EQ(::lseek(file, 1, SEEK_SET), 1);
  with_standard_input(file, [&] {
    const RawFacts raw = raw_facts({1}, "<u2", 1), more = raw_facts({9}, "<u2");
    const auto first = Source::open("-", &raw), second = Source::open("-", &raw);
    EXPECT_EQ(elements(*first), "cd");
    EXPECT_EQ(first->facts().notes, std::vector<std::string>{"4 bytes behind the data are ignored"});
    EXPECT_EQ(elements(*second), "fg");
    EXPECT_EQ(first->facts().identity, Source::open(folder / "in", &raw)->facts().identity);
    const std::string too_short = error_of(ErrorCode::bad_file, [&] { Source::open("-", &more); });
    EXPECT_TRUE(says(too_short, "needs 18 bytes, but there are 1")) << too_short;
  });
  ::close(file);
}

TEST(Raw, memory_is_taken_for_what_arrives) {
  int ends[2] = {};
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "abc", 3), 3);
  ::close(ends[1]);
  with_standard_input(ends[0], [&] {
    const RawFacts raw = raw_facts({std::int64_t{1} << 60}, "|u1");
    const std::string too_short = error_of(ErrorCode::bad_file, [&] { Source::open("-", &raw); });
    EXPECT_TRUE(says(too_short, "but there are 3")) << too_short;
  });
  ::close(ends[0]);
}

TEST(Raw, unknown_missing_and_unreadable_inputs_say_so) {
  const Folder folder;
  EXPECT_TRUE(says(error_of(ErrorCode::bad_file, [&] { Source::open(folder / "none.npy"); }), "No such file"));
  EXPECT_TRUE(says(error_of(ErrorCode::bad_file, [&] { Source::open(folder.path()); }), "is a directory"));
  put(folder / "in.dat", "hello\nworld");
  EXPECT_TRUE(says(error_of(ErrorCode::unsupported, [&] { Source::open(folder / "in.dat"); }), "hello\\x0awo"));
  for (const char* name : {"a.npy", "a.png", "a.nii", "a.nii.gz"}) {
    put(folder / name, "");
    EXPECT_TRUE(says(error_of(ErrorCode::bad_file, [&] { Source::open(folder / name); }), "is empty"));
    put(folder / name, "something else");
    EXPECT_TRUE(says(error_of(ErrorCode::bad_file, [&] { Source::open(folder / name); }), "begins with"));
  }
}

}  // namespace
}  // namespace crinkle::tool::raw_test
