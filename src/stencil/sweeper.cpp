// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/sweeper.hpp"

#include <array>
#include <new>
#include <utility>

#include "stencil/check.hpp"
#include "stencil/cpu.hpp"

namespace crinkle {

struct Sweeper::Data {
  Sweep sweep;
  SweepPlan plan;
  std::array<std::byte*, 2> buffers = {};

  explicit Data(Sweep s) : sweep(checked(std::move(s))), plan(plan_sweep(sweep)) {
    try {
      for (int b = 0; b < plan.n_buffers; ++b)
        buffers[static_cast<std::size_t>(b)] = static_cast<std::byte*>(::operator new(static_cast<std::size_t>(plan.buffer_bytes), line));
    } catch (...) {
      release();
      throw;
    }
  }
  Data(const Data& other) : Data(other.sweep) {}
  Data& operator=(const Data&) = delete;
  ~Data() { release(); }

 private:
  static constexpr std::align_val_t line{64};
  void release() noexcept {
    for (std::byte* buffer : buffers) ::operator delete(buffer, line);
  }
};

Sweeper::Sweeper(Sweep sweep) : data_(std::make_unique<Data>(std::move(sweep))) {}
Sweeper::Sweeper(const Sweeper& other) : data_(std::make_unique<Data>(*other.data_)) {}
Sweeper::Sweeper(Sweeper&&) noexcept = default;
Sweeper& Sweeper::operator=(Sweeper other) noexcept {
  data_.swap(other.data_);
  return *this;
}
Sweeper::~Sweeper() = default;

void Sweeper::run(ConstBuffer source, Buffer destination, Executor& executor, const std::function<void()>& passed) {
  check_buffers(data_->sweep, source, destination);
  run_passes(data_->plan, static_cast<const std::byte*>(source.data), static_cast<std::byte*>(destination.data), data_->buffers, executor,
             passed);
}

std::int64_t Sweeper::passes() const noexcept { return std::ssize(data_->plan.passes); }
std::int64_t Sweeper::workspace_bytes() const noexcept { return data_->plan.buffer_bytes * data_->plan.n_buffers; }
std::string Sweeper::describe() const { return crinkle::describe(data_->plan); }

}  // namespace crinkle
