// SPDX-License-Identifier: BSD-3-Clause
#include "formats/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>
#include <string>

#include "crinkle/error.hpp"
#include "formats/file.hpp"

namespace crinkle::tool {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif
#else
constexpr bool is_sanitized = false;
#endif
constexpr int seconds_it_may_take = 60;
constexpr rlim_t bytes_it_may_take = rlim_t{8} << 30U;

[[noreturn]] void be_the_child(int to, const std::function<void()>& body) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGBUS, SIGSEGV, SIGABRT, SIGFPE, SIGILL}) std::signal(number, SIG_DFL);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  if (!is_sanitized) {  // whose own memory is larger
    const rlimit memory{bytes_it_may_take, bytes_it_may_take};
    ::setrlimit(RLIMIT_DATA, &memory);
  }
  const int nothing = ::open("/dev/null", O_WRONLY);
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
  std::string said;
  try {
    body();
  } catch (const Error& e) {
    said = std::string(1, static_cast<char>('A' + static_cast<int>(e.code()))) + e.what();
  } catch (const std::bad_alloc&) { said = std::string(1, 'A' + static_cast<int>(ErrorCode::out_of_memory)) + "not enough memory"; }
  said += '\0';  // the end: without it, it crashed
  for (std::size_t done = 0; done < said.size();) {
    const ssize_t n = ::write(to, said.data() + done, said.size() - done);
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  ::_exit(0);
}

/// What the child says until it ends; nothing that ends with 0 where it is ended for taking too long.
std::string listen(int from) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds_it_may_take);
  std::string said;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    pollfd waited{from, POLLIN, 0};
    const int ready = left <= 0 ? 0 : ::poll(&waited, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return "?";
    std::array<char, 4096> part;
    const ssize_t n = ::read(from, part.data(), part.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return said;
    said.append(part.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace

void try_in_child(const std::string& path, const std::string& library, const std::function<void()>& body) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw_system(path, "making a pipe", errno);
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) throw_system(path, "making a process that looks at it first", errno);
  if (child == 0) be_the_child(to.get(), body);
  to = Descriptor();
  const std::string said = listen(from.get());
  if (said == "?") ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (said == "?")
    throw_bad_file(path, fmt::format("{} was not done with it after {} s: it is torn or hostile", library, seconds_it_may_take));
  if (said.empty() || said.back() != '\0')
    throw_bad_file(path, WIFSIGNALED(status)
                             ? fmt::format("{} crashes on it ({}): it is torn or hostile", library, ::strsignal(WTERMSIG(status)))
                             : library + " ends the program on it: it is torn or hostile");
  if (said.size() > 1) throw Error(static_cast<ErrorCode>(said.front() - 'A'), said.substr(1, said.size() - 2));
}

}  // namespace crinkle::tool
