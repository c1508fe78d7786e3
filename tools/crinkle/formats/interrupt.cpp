// The table of files to remove and the handler; see interrupt.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/interrupt.hpp"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstring>

namespace crinkle::tool {
namespace {

constexpr std::array ending_signals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGBUS};

enum Use : int { free_place, being_filled, in_use };

struct Place {
  std::atomic<int> use = free_place;
  std::array<char, 4096> path = {};
};

std::array<Place, 256> places;
static_assert(std::atomic<int>::is_always_lock_free);

std::atomic<int> n_on_the_way{0}, asked{0};

void remove_all_and_end(int signal) {
  int nobody = 0;
  if (n_on_the_way.load() > 0 && signal != SIGBUS && asked.compare_exchange_strong(nobody, signal)) return;
  for (Place& place : places) {
    if (place.use.load(std::memory_order_acquire) == in_use && ::unlink(place.path.data()) != 0) ::rmdir(place.path.data());
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void install() {
  for (const int number : ending_signals) {
    struct sigaction present = {};
    ::sigaction(number, nullptr, &present);
    if (present.sa_handler != SIG_DFL) continue;  // ours already, ignored (nohup), or the program's own
    struct sigaction ours = {};
    ours.sa_handler = remove_all_and_end;
    ours.sa_flags = SA_RESTART;
    sigemptyset(&ours.sa_mask);
    ::sigaction(number, &ours, nullptr);
  }
}

}  // namespace

SignalsHeld::SignalsHeld() {
  sigset_t held;
  sigemptyset(&held);
  for (const int number : ending_signals) sigaddset(&held, number);
  sigdelset(&held, SIGBUS);  // it comes from the code itself and cannot wait
  ::pthread_sigmask(SIG_BLOCK, &held, &before_);
}

SignalsHeld::~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

EndsOnTheWay::EndsOnTheWay() {
  install();
  ++n_on_the_way;
}

EndsOnTheWay::~EndsOnTheWay() { --n_on_the_way; }

void end_if_asked() {
  if (const int signal = asked.load(std::memory_order_relaxed); signal != 0) throw AskedToEnd{signal};
}

int remove_on_signal(const std::string& path) {
  install();
  for (std::size_t i = 0; i < places.size(); ++i) {
    Place& place = places[i];
    if (path.size() >= place.path.size()) break;
    int expected = free_place;
    if (!place.use.compare_exchange_strong(expected, being_filled)) continue;
    std::memcpy(place.path.data(), path.c_str(), path.size() + 1);
    place.use.store(in_use, std::memory_order_release);
    return static_cast<int>(i);
  }
  return -1;
}

void keep_on_signal(int place) noexcept {
  if (place >= 0) places[static_cast<std::size_t>(place)].use.store(free_place, std::memory_order_release);
}

}  // namespace crinkle::tool
