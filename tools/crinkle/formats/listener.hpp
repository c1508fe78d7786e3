// Another program that is told how far the work is. Whoever starts the command gives it one end of a socket and its number in the
// environment variable CRINKLE_PROGRESS. A line "DONE ALL", in bytes, is written to it, and one byte is awaited as the answer; where the
// socket is closed instead, the work ends with an error, and no output appears.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace crinkle::tool {

class Listener {
 public:
  /// Null where nobody listens. Throws bad_notation where CRINKLE_PROGRESS is no descriptor.
  static Listener* present();

  /// So many bytes more are to be done. Says nothing yet.
  void expect(std::int64_t n_bytes) noexcept { all_ += n_bytes; }
  /// So many are done. Tells after a 32nd of all, or 20 ms of work, at the begin (0) and at the end. Throws bad_file where the listener is
  /// gone.
  void advance(std::int64_t n_bytes);

 private:
  explicit Listener(int socket) : socket_(socket) {}
  void tell();

  int socket_;
  std::int64_t done_ = 0, told_ = 0, all_ = 0;
  std::chrono::steady_clock::time_point last_ = {};
};

}  // namespace crinkle::tool
