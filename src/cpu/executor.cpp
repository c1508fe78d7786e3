// An executor's threads. A loop of n chunks is cut into as many parts as there are workers: worker w begins with part w, chunk after chunk,
// and goes on with what the others have left. The caller is worker 0, so a loop needs nobody else to end, whoever sleeps or waits.
//
//     sleep until the epoch changes -> look through the loops that are going on -> take chunks -> look a while longer -> sleep
//
// A loop lies on its caller's stack; its slot lies here and counts who is inside, so that the caller leaves last.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/executor.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/per_process.hpp"
#include "crinkle/error.hpp"

namespace crinkle {
namespace {

constexpr int most_workers = 1024;
constexpr int most_loops = 8;             // of one executor at once; a further one runs on its caller's thread alone
constexpr int pauses = 64, yields = 100;  // while a thread looks for work

int n_processors() {
  cpu_set_t allowed;
  const int n =
      sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(n, 1, most_workers);
}

/// Waits a little, in the k-th of pauses + yields rounds.
void wait_a_little(int k) {
  if (k >= pauses) return std::this_thread::yield();
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

struct Loop {
  const std::function<void(std::int64_t)>& body;
  int n_parts;
  std::atomic<int> n_to_wake;
  std::atomic<bool> has_failed{false};
  std::exception_ptr exception{};  // of the first chunk that failed
};

struct alignas(64) Part {
  std::atomic<std::int64_t> next{0};
  std::int64_t end = 0;
};

struct alignas(64) Slot {
  std::atomic<bool> is_taken{false};
  std::atomic<Loop*> loop{nullptr};  // null: nobody may enter
  std::atomic<int> n_inside{0};      // without the caller
  std::unique_ptr<Part[]> parts;     // [n_workers]
};

/// The threads of one executor in one process, started by its first loop.
class Crew {
 public:
  explicit Crew(int n_workers) : n_workers_(n_workers) {
    for (Slot& slot : slots_) slot.parts = std::make_unique<Part[]>(static_cast<std::size_t>(n_workers));
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() { end(); }

  void run(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) {
    Slot* const slot = free_slot();
    if (slot == nullptr) {
      for (std::int64_t c = 0; c < n_chunks; ++c) body(c);
      return;
    }
    start();
    const int n_parts = static_cast<int>(std::min<std::int64_t>(n_workers_, n_chunks));
    Loop loop{body, n_parts, n_parts - 1};
    std::int64_t begin = 0;
    for (int p = 0; p < n_parts; ++p) {
      Part& part = slot->parts[static_cast<std::size_t>(p)];
      part.next.store(begin, std::memory_order_relaxed);
      part.end = begin += n_chunks / n_parts + (p < n_chunks % n_parts ? 1 : 0);
    }
    slot->loop = &loop;
    epoch_.fetch_add(1);
    wake_two(loop);
    take_chunks(loop, *slot, 0);
    slot->loop = nullptr;
    for (int k = 0, n = 0; (n = slot->n_inside) != 0; ++k) {
      if (k < pauses + yields) wait_a_little(k);
      else slot->n_inside.wait(n);
    }
    slot->is_taken.store(false, std::memory_order_release);
    if (loop.exception) std::rethrow_exception(loop.exception);
  }

  /// Its threads end when their chunks do; loops go on on their callers' threads.
  void end() {
    const std::lock_guard lock(starting_);
    is_ending_ = true;
    epoch_.fetch_add(1);
    epoch_.notify_all();
    for (std::thread& thread : threads_) thread.get_id() == std::this_thread::get_id() ? thread.detach() : thread.join();
    threads_.clear();
  }

 private:
  Slot* free_slot() {
    for (Slot& slot : slots_)
      if (!slot.is_taken.load(std::memory_order_relaxed) && !slot.is_taken.exchange(true, std::memory_order_acquire)) return &slot;
    return nullptr;
  }

  void start() {
    if (is_started_.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(starting_);
    if (is_started_.exchange(true) || is_ending_) return;
    try {
      for (int w = 1; w < n_workers_; ++w) threads_.emplace_back([this, w] { work(w); });
    } catch (const std::system_error&) {  // the system has no more: fewer do the same
    } catch (const std::bad_alloc&) {}
  }

  // As a tree: who is woken wakes two more.
  void wake_two(Loop& loop) {
    for (int k = 0; k < 2 && loop.n_to_wake.load(std::memory_order_relaxed) > 0; ++k)
      if (loop.n_to_wake.fetch_sub(1, std::memory_order_relaxed) > 0) epoch_.notify_one();
  }

  void work(int worker) {
    while (!is_ending_) {
      const int epoch = epoch_;
      bool has_worked = false;
      for (int k = 0; k < most_loops; ++k) has_worked |= help(slots_[static_cast<std::size_t>((worker + k) % most_loops)], worker);
      if (has_worked) continue;
      for (int k = 0; k < pauses + yields && epoch_.load(std::memory_order_relaxed) == epoch; ++k) wait_a_little(k);
      epoch_.wait(epoch);
    }
  }

  bool help(Slot& slot, int worker) {
    if (slot.loop.load(std::memory_order_relaxed) == nullptr) return false;
    ++slot.n_inside;  // before the loop is read: its caller closes the slot first, then looks who is inside
    Loop* const loop = slot.loop;
    bool has_worked = false;
    if (loop != nullptr) {
      wake_two(*loop);
      has_worked = take_chunks(*loop, slot, worker);
    }
    if (--slot.n_inside == 0) slot.n_inside.notify_all();
    return has_worked;
  }

  /// Works on chunks of the loop until none is left. Returns whether there were any.
  bool take_chunks(Loop& loop, Slot& slot, int worker) {
    bool has_worked = false;
    for (int k = 0; k < loop.n_parts; ++k) {
      Part& part = slot.parts[static_cast<std::size_t>((worker + k) % loop.n_parts)];
      while (part.next.load(std::memory_order_relaxed) < part.end && !loop.has_failed.load(std::memory_order_relaxed)) {
        if (worker != 0 && is_ending_.load(std::memory_order_relaxed)) return has_worked;
        const std::int64_t chunk = part.next.fetch_add(1, std::memory_order_relaxed);
        if (chunk >= part.end) break;
        has_worked = true;
        try {
          loop.body(chunk);
        } catch (...) {
          if (!loop.has_failed.exchange(true)) loop.exception = std::current_exception();
        }
      }
    }
    return has_worked;
  }

  const int n_workers_;
  std::array<Slot, most_loops> slots_;
  alignas(64) std::atomic<int> epoch_{0};  // another one with every loop
  std::atomic<bool> is_ending_{false}, is_started_{false};
  std::mutex starting_;
  std::vector<std::thread> threads_;
};

class Pool final : public Executor {
 public:
  explicit Pool(int n_workers) : n_workers_(n_workers == 0 ? n_processors() : n_workers) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() override { crew_.end(); }

  void parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) override {
    if (n_workers_ > 1 && n_chunks > 1) return crew_.get(n_workers_).run(n_chunks, body);
    for (std::int64_t c = 0; c < n_chunks; ++c) body(c);
  }
  int n_workers() const noexcept override { return n_workers_; }

  void end_threads() {
    if (Crew* const crew = crew_.find()) crew->end();
  }

 private:
  const int n_workers_;
  PerProcess<Crew> crew_;
};

// Never destroyed: others may run loops while the program ends.
constinit std::atomic<Pool*> default_pool{nullptr};

// At the end of the program, or where the library is unloaded.
struct AtEnd {
  ~AtEnd() {
    if (Pool* const pool = default_pool) pool->end_threads();
  }
} const at_end;

}  // namespace

std::unique_ptr<Executor> make_executor(int n_workers) {
  if (n_workers < 0) throw Error(ErrorCode::bad_shape, std::to_string(n_workers) + " threads; give 1 or more, or 0 for all");
  if (n_workers > most_workers) {
    throw Error(ErrorCode::bad_shape,
                std::to_string(n_workers) + " threads; give at most " + std::to_string(most_workers) + ", or 0 for all");
  }
  return std::make_unique<Pool>(n_workers);
}

Executor& default_executor() {
  Pool* pool = default_pool;
  if (pool == nullptr) {  // without a lock, which a thread might hold while another forks
    auto made = std::make_unique<Pool>(0);
    if (default_pool.compare_exchange_strong(pool, made.get())) pool = made.release();
  }
  return *pool;
}

}  // namespace crinkle
