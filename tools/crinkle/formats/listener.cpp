// SPDX-License-Identifier: BSD-3-Clause
#include "formats/listener.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "crinkle/error.hpp"

namespace crinkle::tool {
namespace {

int socket_of(std::string_view text) {
  int number = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size() || number < 0)
    throw Error(ErrorCode::bad_notation, "CRINKLE_PROGRESS is the number of a socket, not '" + std::string(text) + "'");
  return number;
}

[[noreturn]] void stop(const std::string& why) {
  throw Error(ErrorCode::bad_file, "stopped: the program that CRINKLE_PROGRESS tells does not listen: " + why);
}

}  // namespace

Listener* Listener::present() {
  static std::optional<Listener> listener = []() -> std::optional<Listener> {
    const char* const number = std::getenv("CRINKLE_PROGRESS");
    if (number == nullptr || *number == '\0') return {};
    return Listener(socket_of(number));
  }();
  return listener ? &*listener : nullptr;
}

void Listener::advance(std::int64_t n_bytes) {
  using namespace std::chrono_literals;
  done_ += n_bytes;
  const bool is_much = done_ - told_ >= all_ / 32;
  if (done_ < all_ && !is_much && std::chrono::steady_clock::now() - last_ < 20ms) return;
  told_ = done_;
  tell();
  last_ = std::chrono::steady_clock::now();  // the listener's own time does not count
}

void Listener::tell() {
  const std::string line = std::to_string(done_) + " " + std::to_string(all_) + "\n";
  for (std::string_view left = line; !left.empty();) {
    const ssize_t n = ::send(socket_, left.data(), left.size(), MSG_NOSIGNAL);
    if (n > 0) left.remove_prefix(static_cast<std::size_t>(n));
    if (n < 0 && errno != EINTR) stop(std::strerror(errno));
  }
  char answer = 0;
  ssize_t n = 0;
  do n = ::recv(socket_, &answer, 1, 0);
  while (n < 0 && errno == EINTR);
  if (n <= 0) stop(n == 0 ? "it closed the socket" : std::strerror(errno));
}

}  // namespace crinkle::tool
