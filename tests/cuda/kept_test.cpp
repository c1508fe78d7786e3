// The folder of kept kernels: what is torn, foreign or another's is no kernel, what is old or too much goes, programs share it.
// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/compile/kept.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "cuda/compiled_kernel.hpp"

namespace crinkle::kept_test {
namespace {

namespace fs = std::filesystem;
using gpu::KeptKernels;
using std::chrono::hours;

struct Kept : ::testing::Test {
  fs::path folder = fs::temp_directory_path() / ("crinkle_kept_" + std::to_string(::getpid()));
  const KeptKernels kept{folder, 1 << 20};
  const std::string key = "key", code = std::string(
                                            "\x7F"
                                            "ELF\0\n",
                                            6) +
                                        std::string(1000, 'x');

  ~Kept() override {
    fs::permissions(folder, fs::perms::owner_all);
    fs::remove_all(folder);
  }
  std::vector<fs::path> files() const { return {fs::directory_iterator(folder), fs::directory_iterator()}; }
  fs::path only_file() const {
    const std::vector<fs::path> all = files();
    EXPECT_EQ(all.size(), 1u);
    return all.at(0);
  }
  static void age(const fs::path& file, hours by) { fs::last_write_time(file, fs::file_time_type::clock::now() - by); }
};

TEST_F(Kept, gives_back_what_was_kept_under_the_key_alone) {
  EXPECT_EQ(kept.find(key), std::nullopt);
  EXPECT_EQ(kept.keep(key, code), "");
  EXPECT_EQ(kept.find(key), code);
  EXPECT_EQ(kept.find("another"), std::nullopt);
  EXPECT_EQ(kept.keep(key, "newer"), "");
  EXPECT_EQ(kept.find(key), "newer");
  EXPECT_EQ(kept.keep("another", ""), "");
  EXPECT_EQ(kept.find("another"), "");
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(Kept, takes_no_file_that_was_changed_anywhere) {
  ASSERT_EQ(kept.keep(key, code), "");
  const fs::path file = only_file();
  const std::string whole = text_of(file);
  for (std::size_t n = 0; n < whole.size(); n = n < 64 ? n + 1 : n + 97) {
    write(file, whole.substr(0, n));
    EXPECT_EQ(kept.find(key), std::nullopt) << "torn after " << n;
    std::string changed = whole;
    changed[n] = static_cast<char>(changed[n] ^ 1);
    write(file, changed);
    EXPECT_EQ(kept.find(key), std::nullopt) << "changed at " << n;
  }
  write(file, whole + "x");
  EXPECT_EQ(kept.find(key), std::nullopt);
  std::string other_version = whole;
  other_version.replace(0, 16, "crinkle kernel 2");
  write(file, other_version);
  EXPECT_EQ(kept.find(key), std::nullopt);
  EXPECT_EQ(kept.keep(key, code), "");  // and replaces it
  EXPECT_EQ(kept.find(key), code);
  EXPECT_EQ(only_file(), file);
}

TEST_F(Kept, takes_no_file_of_another_key_whose_hash_is_the_same) {
  ASSERT_EQ(kept.keep(key, code), "");
  const fs::path file = only_file();
  ASSERT_EQ(kept.keep("yek", code), "");
  fs::path other;
  for (const fs::path& one : files())
    if (one != file) other = one;
  fs::rename(other, file);
  EXPECT_EQ(kept.find(key), std::nullopt);
}

TEST_F(Kept, bounds_the_folder_and_lets_the_longest_unused_go) {
  const std::string large(300'000, 'x');  // three fit
  const KeptKernels three(folder, 1'000'000);
  for (const char* const name : {"a", "b", "c"}) {
    ASSERT_EQ(three.keep(name, large), "");
    for (const fs::path& file : files()) age(file, hours(std::string(name) == "c" ? 30 : 40));
  }
  for (const fs::path& file : files())
    if (text_of(file).find("a" + large) != std::string::npos) age(file, hours(50));
  EXPECT_EQ(three.find("a"), large);  // used now
  ASSERT_EQ(three.keep("d", large), "");
  EXPECT_EQ(three.find("a"), large);
  EXPECT_EQ(three.find("d"), large);
  EXPECT_EQ(files().size(), 3u);
  EXPECT_EQ(three.keep("e", std::string(2'000'000, 'x')), "");  // is not kept at all
  EXPECT_EQ(three.find("e"), std::nullopt);
  EXPECT_EQ(files().size(), 3u);
}

TEST_F(Kept, removes_what_is_old_and_nothing_that_is_not_its_own) {
  ASSERT_EQ(kept.keep("old", code), "");
  const fs::path old = only_file();
  age(old, hours(24 * KeptKernels::most_days + 1));
  const fs::path dead = old.string() + ".AbCdEf", written = old.string() + ".GhIjKl", foreign = folder / "notes.kernel";
  for (const fs::path& file : {dead, written, foreign}) write(file, "x");
  age(dead, hours(2));
  age(foreign, hours(24 * 1000));
  ASSERT_EQ(kept.keep(key, code), "");
  EXPECT_FALSE(fs::exists(old));
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(written));
  EXPECT_TRUE(fs::exists(foreign));
  EXPECT_EQ(kept.find(key), code);
}

TEST_F(Kept, says_why_nothing_can_be_kept) {
  write(folder, "a file");
  EXPECT_NE(kept.keep(key, code), "");
  EXPECT_EQ(kept.find(key), std::nullopt);
  EXPECT_EQ(text_of(folder), "a file");
  fs::remove(folder);
  fs::create_directory(folder);
  if (::geteuid() != 0) {  // who may do everything
    fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_NE(kept.keep(key, code), "");
  }
  EXPECT_EQ(KeptKernels("/proc/crinkle", 1 << 20).keep(key, code) == "", false);
  for (const KeptKernels& none : {KeptKernels("", 1 << 20), KeptKernels(folder, 0)}) {
    EXPECT_EQ(none.keep(key, code), "");
    EXPECT_EQ(none.find(key), std::nullopt);
  }
}

TEST_F(Kept, gives_whole_files_while_processes_and_threads_replace_them) {
  std::vector<std::string> codes;
  for (const char c : {'a', 'b', 'c', 'd'}) codes.emplace_back(200'000, c);
  const auto work = [&](std::size_t first) {
    int n_found = 0;
    for (std::size_t k = first; k < first + 40; ++k) {
      if (!kept.keep(key, codes[k % 4]).empty()) return 1;
      const std::optional<std::string> found = kept.find(key);
      if (!found) continue;
      if (std::find(codes.begin(), codes.end(), *found) == codes.end()) return 2;
      ++n_found;
    }
    return n_found == 0 ? 3 : 0;
  };
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(work(1));
  }
  int of_thread = -1;
  std::thread thread([&] { of_thread = work(2); });
  EXPECT_EQ(work(3), 0);
  thread.join();
  EXPECT_EQ(of_thread, 0);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
  only_file();
}

}  // namespace
}  // namespace crinkle::kept_test
