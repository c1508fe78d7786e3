// Outputs under construction: nothing appears under the output's name before it is complete, and nothing is left behind when it fails.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/sink.hpp"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "folder.hpp"

namespace crinkle::tool::sink_test {
namespace {

OutputFacts bytes_facts(std::int64_t n) {
  OutputFacts facts;
  facts.extents = {n};
  facts.type = element_type("uint8");
  return facts;
}

const std::vector<std::string> kinds = {"out.npy", "out.raw", "out.nii", "out.nii.gz"};

TEST(Sink, the_name_appears_only_with_commit) {
  for (const std::string& name : kinds) {
    const Folder folder;
    const auto sink = Sink::create(folder / name, bytes_facts(1000), Overwrite::refuse);
    ASSERT_EQ(folder.names().size(), 1U);
    EXPECT_TRUE(folder.names()[0].starts_with(".crinkle-")) << folder.names()[0];
    fill(*sink, pattern(1000));
    sink->commit();
    EXPECT_EQ(folder.names(), Names{name});
    const RawFacts raw{{1000}, element_type("uint8")};
    EXPECT_EQ(elements(*Source::open(folder / name, name == "out.raw" ? &raw : nullptr)), pattern(1000));
  }
}

TEST(Sink, without_commit_nothing_is_left) {
  for (const std::string& name : kinds) {
    const Folder folder;
    { const auto sink = Sink::create(folder / name, bytes_facts(1000), Overwrite::refuse); }
    EXPECT_TRUE(folder.names().empty()) << name;
  }
}

TEST(Sink, an_existing_output_is_untouched_unless_forced) {
  for (const std::string& name : kinds) {
    const Folder folder;
    put(folder / name, "precious");
    const std::string text = error_of(ErrorCode::exists, [&] { make(folder / name, {4}, "uint8"); });
    EXPECT_TRUE(says(text, "--force")) << text;
    EXPECT_THROW(make(folder / name, {4}, "uint8"), OutputExists);
    EXPECT_EQ(contents(folder / name), "precious");
    { const auto sink = Sink::create(folder / name, bytes_facts(9), Overwrite::force); }
    EXPECT_EQ(contents(folder / name), "precious");
    make(folder / name, {4}, "uint8", Overwrite::force);
    EXPECT_NE(contents(folder / name), "precious");
    EXPECT_EQ(folder.names(), Names{name});
  }
}

TEST(Sink, an_output_that_appears_meanwhile_is_not_replaced) {
  const Folder folder;
  const auto sink = Sink::create(folder / "out.npy", bytes_facts(4), Overwrite::refuse);
  put(folder / "out.npy", "precious");
  EXPECT_THROW(sink->commit(), OutputExists);
  EXPECT_EQ(contents(folder / "out.npy"), "precious");
}

TEST(Sink, permissions_follow_the_umask_or_the_replaced_file) {
  const Folder folder;
  const auto mode = [&](const std::string& name) {
    struct stat entry = {};
    ::stat((folder / name).c_str(), &entry);
    return entry.st_mode & 0777U;
  };
  const mode_t before = ::umask(022);
  make(folder / "new.npy", {4}, "uint8");
  ::umask(before);
  EXPECT_EQ(mode("new.npy"), 0644U);
  ::chmod((folder / "new.npy").c_str(), 0600);
  make(folder / "new.npy", {4}, "uint8", Overwrite::force);
  EXPECT_EQ(mode("new.npy"), 0600U);
}

TEST(Sink, a_check_refuses_the_same_and_makes_nothing) {
  const Folder folder;
  put(folder / "there.npy", "precious");
  const OutputFacts facts = bytes_facts(8);
  EXPECT_TRUE(Sink::check(folder / "out.npy", facts, Overwrite::refuse).empty());
  EXPECT_TRUE(Sink::check(folder / "there.npy", facts, Overwrite::force).empty());
  EXPECT_TRUE(Sink::check("-", facts, Overwrite::refuse).empty());
  EXPECT_THROW(Sink::check(folder / "there.npy", facts, Overwrite::refuse), OutputExists);
  error_of(ErrorCode::unsupported, [&] { Sink::check(folder / "out.png", facts, Overwrite::refuse); });
  EXPECT_EQ(folder.names(), Names{"there.npy"});
}

TEST(Sink, a_link_stays_a_link) {
  const Folder folder;
  put(folder / "target.npy", "old");
  std::filesystem::create_symlink("target.npy", folder / "link.npy");
  make(folder / "link.npy", {4}, "uint8", Overwrite::force);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.npy"));
  EXPECT_EQ(Source::open(folder / "target.npy")->facts().layout.extents, Extents{4});
}

TEST(Sink, writing_over_the_input_is_refused_even_when_forced) {
  const Folder folder;
  const std::string data = make(folder / "in.npy", {8}, "uint8");
  std::filesystem::create_hard_link(folder / "in.npy", folder / "same.npy");
  const auto source = Source::open(folder / "in.npy");
  OutputFacts facts = bytes_facts(8);
  facts.source = &source->facts();
  for (const char* name : {"in.npy", "same.npy"}) {
    error_of(ErrorCode::exists, [&] { Sink::create(folder / name, facts, Overwrite::force); });
  }
  EXPECT_EQ(elements(*Source::open(folder / "in.npy")), data);
  EXPECT_EQ(folder.names(), (Names{"in.npy", "same.npy"}));
}

TEST(Sink, missing_directories_and_names_that_are_no_files_say_so) {
  const Folder folder;
  EXPECT_TRUE(says(error_of(ErrorCode::bad_file, [&] { make(folder / "none/out.npy", {4}, "uint8"); }), "No such file or directory"));
  put(folder / "file", "x");
  error_of(ErrorCode::bad_file, [&] { make(folder / "file/out.npy", {4}, "uint8"); });
  EXPECT_TRUE(says(error_of(ErrorCode::bad_file, [&] { make(folder.path(), {4}, "uint8", Overwrite::force); }), "is a directory"));
  error_of(ErrorCode::bad_file, [&] { make("", {4}, "uint8"); });
  error_of(ErrorCode::unsupported, [&] { make("/dev/null", {4}, "uint8", Overwrite::force); });
  EXPECT_EQ(folder.names(), Names{"file"});
}

TEST(Sink, sizes_beyond_64_bits_are_too_large_before_anything_is_made) {
  const Folder folder;
  OutputFacts facts = bytes_facts(std::int64_t{1} << 62);
  facts.type = element_type("float64");
  error_of(ErrorCode::too_large, [&] { Sink::create(folder / "out.npy", facts, Overwrite::refuse); });
  EXPECT_TRUE(folder.names().empty());
}

/// Runs the body in a child and answers with its wait status.
template <class Body>
int status_of_child(Body&& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(99);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(Sink, a_read_only_directory_says_so) {
  const Folder folder;
  ::chmod(folder.path().c_str(), 0555);
  const int status = status_of_child([&] {
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(2);  // root may write anywhere; nobody may not
    try {
      Sink::create(folder / "out.npy", bytes_facts(4), Overwrite::refuse);
    } catch (const Error& error) { ::_exit(says(error.what(), "Permission denied") && says(error.what(), folder / "out.npy") ? 0 : 1); }
  });
  ::chmod(folder.path().c_str(), 0700);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(folder.names().empty());
}

TEST(Sink, a_file_size_limit_is_told_at_once) {
  const Folder folder;
  const int status = status_of_child([&] {
    const rlimit limit = {1 << 16, 1 << 16};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      Sink::create(folder / "out.npy", bytes_facts(1 << 20), Overwrite::refuse);
    } catch (const Error& error) { ::_exit(says(error.what(), "File too large") ? 0 : 1); }
  });
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(folder.names().empty());
}

TEST(Sink, a_full_disk_is_told_and_nothing_is_left) {
  const Folder folder;
  if (::mount("none", folder.path().c_str(), "tmpfs", 0, "size=256k") != 0)
    GTEST_SKIP() << "mounting a small file system is not allowed here";
  struct Mounted {
    std::string path;
    ~Mounted() { ::umount(path.c_str()); }
  };
  const Mounted mounted{folder.path()};
  put(folder / "precious.npy", "precious");
  for (const char* name : {"out.npy", "out.raw", "out.nii", "precious.npy"}) {
    const std::string text = error_of(ErrorCode::bad_file, [&] { Sink::create(folder / name, bytes_facts(1 << 20), Overwrite::force); });
    EXPECT_TRUE(says(text, "No space left")) << text;
  }
  for (const char* name : {"out.nii.gz", "out.png"}) {  // packed: known only when it is written
    OutputFacts facts = bytes_facts(1 << 20);
    facts.extents = {1 << 10, 1 << 10};
    const auto sink = Sink::create(folder / name, facts, Overwrite::refuse);
    fill(*sink, pattern(1 << 20));
    const std::string text = error_of(ErrorCode::bad_file, [&] { sink->commit(); });
    EXPECT_TRUE(says(text, "No space left")) << text;
  }
  EXPECT_EQ(folder.names(), Names{"precious.npy"});
  EXPECT_EQ(contents(folder / "precious.npy"), "precious");
}

TEST(Sink, signals_remove_the_temporary_and_still_end_the_process) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGBUS}) {
    const Folder folder;
    const int status = status_of_child([&] {
      std::signal(signal, SIG_DFL);
      const auto first = Sink::create(folder / "out.npy", bytes_facts(1000), Overwrite::refuse);
      const auto second = Sink::create(folder / "out.nii.gz", bytes_facts(1000), Overwrite::refuse);
      if (folder.names().size() == 2) ::raise(signal);
      ::_exit(98);
    });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << status;
    EXPECT_TRUE(folder.names().empty());
  }
}

std::vector<std::unique_ptr<Sink>> sinks_of(const Folder& folder, const std::vector<std::string>& names, Overwrite overwrite) {
  std::vector<std::unique_ptr<Sink>> sinks;
  for (const std::string& name : names) {
    sinks.push_back(Sink::create(folder / name, bytes_facts(1000), overwrite));
    fill(*sinks.back(), pattern(1000));
  }
  return sinks;
}

TEST(Sink, several_appear_together) {
  const Folder folder;
  put(folder / "out.raw", "old");
  {
    const auto sinks = sinks_of(folder, kinds, Overwrite::force);
    commit_all(sinks);
  }
  EXPECT_EQ(folder.names().size(), kinds.size());
  for (const std::string& name : kinds) {
    const RawFacts raw{{1000}, element_type("uint8")};
    EXPECT_EQ(elements(*Source::open(folder / name, name == "out.raw" ? &raw : nullptr)), pattern(1000));
  }
}

TEST(Sink, of_several_none_appears_where_one_cannot) {
  const Folder folder;
  {
    const auto sinks = sinks_of(folder, kinds, Overwrite::refuse);
    put(folder / kinds[2], "precious");
    EXPECT_THROW(commit_all(sinks), OutputExists);
  }
  EXPECT_EQ(folder.names(), Names{kinds[2]});
  EXPECT_EQ(contents(folder / kinds[2]), "precious");
}

TEST(Sink, what_several_replaced_is_back_where_one_cannot) {
  const Folder folder;
  for (const std::size_t k : {0U, 1U}) put(folder / kinds[k], "old " + kinds[k]);
  {
    const auto sinks = sinks_of(folder, kinds, Overwrite::force);
    ASSERT_EQ(::mkdir((folder / kinds[3]).c_str(), 0700), 0);
    error_of(ErrorCode::bad_file, [&] { commit_all(sinks); });
  }
  EXPECT_EQ(folder.names(), (Names{kinds[3], kinds[0], kinds[1]}));
  for (const std::size_t k : {0U, 1U}) EXPECT_EQ(contents(folder / kinds[k]), "old " + kinds[k]);
}

TEST(Sink, a_whole_file_has_no_header_of_its_own) {
  const Folder folder;
  OutputFacts facts = bytes_facts(1000);
  facts.is_whole_file = true;
  const auto sink = Sink::create(folder / "out.npy", facts, Overwrite::refuse);
  EXPECT_EQ(sink->data_offset(), 0);
  EXPECT_EQ(sink->bytes().size(), 1000U);
}

TEST(Sink, a_killed_process_leaves_no_file_under_the_name) {
  const Folder folder;
  status_of_child([&] {
    const auto sink = Sink::create(folder / "out.npy", bytes_facts(1000), Overwrite::refuse);
    ::raise(SIGKILL);
  });
  ASSERT_EQ(folder.names().size(), 1U);
  EXPECT_TRUE(folder.names()[0].starts_with(".crinkle-") && folder.names()[0].ends_with(".tmp"));
}

TEST(Sink, a_dash_writes_the_elements_to_standard_output) {
  const Folder folder;
  const int status = status_of_child([&] {
    ::dup2(::open((folder / "caught").c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    make("-", {1000}, "<u2");
    ::_exit(0);
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(contents(folder / "caught"), pattern(2000));
}

}  // namespace
}  // namespace crinkle::tool::sink_test
