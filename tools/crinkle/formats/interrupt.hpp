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

/// From now on SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGBUS (an input that shrinks while it is read) remove the file before they end the
/// process. Returns its place in the table, −1 when the
/// table is full or the path too long: then only the signal's removal is missing. Signals that the program handles itself stay its own.
int remove_on_signal(const std::string& path);

void keep_on_signal(int place) noexcept;

}  // namespace crinkle::tool
