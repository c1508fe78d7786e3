// Which files a signal must remove. The table is fixed and the handler does nothing but unlink, restore and raise.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csignal>
#include <string>

namespace crinkle::tool {

/// Blocks SIGINT, SIGTERM, SIGHUP and SIGQUIT while it lives: between making a file and registering it.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

/// While one lives, the first of the ending signals, SIGBUS apart, does not end the process but has end_if_asked() throw, so that what is
/// being made is removed on the way out; a second one ends it at once.
class EndsOnTheWay {
 public:
  EndsOnTheWay();
  ~EndsOnTheWay();
  EndsOnTheWay(const EndsOnTheWay&) = delete;
  EndsOnTheWay& operator=(const EndsOnTheWay&) = delete;
};
/// The signal that asked for it: no std::exception, so that nobody takes it for an error.
struct AskedToEnd {
  int signal = 0;
};
void end_if_asked();

/// From now on SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGBUS (an input that shrinks while it is read) remove the file before they end the
/// process. Returns its place in the table, −1 when the
/// table is full or the path too long: then only the signal's removal is missing. Signals that the program handles itself stay its own.
int remove_on_signal(const std::string& path);

void keep_on_signal(int place) noexcept;

}  // namespace crinkle::tool
