// SPDX-License-Identifier: BSD-3-Clause
#include "papers/fft/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tile/banks.hpp"

namespace crinkle::bench::fft_paper {
namespace {

constexpr std::int64_t number = sizeof(Sample), sector = 32;
constexpr int warp_lanes = 32;

}  // namespace

Counts& Counts::operator+=(const Counts& other) {
  for (Asked Counts::* const one : {&Counts::loads, &Counts::stores, &Counts::puts, &Counts::takes, &Counts::roots}) {
    (this->*one).requests += (other.*one).requests;
    (this->*one).taken += (other.*one).taken;
    (this->*one).least += (other.*one).least;
  }
  return *this;
}

Counts Counts::times(std::int64_t n) const {
  Counts all = *this;
  for (Asked Counts::* const one : {&Counts::loads, &Counts::stores, &Counts::puts, &Counts::takes, &Counts::roots}) {
    (all.*one).requests *= n;
    (all.*one).taken *= n;
    (all.*one).least *= n;
  }
  return all;
}

void WalkedMemory::begin_launch(bool is_from_source) {
  is_from_source_ = is_from_source;
  std::fill(owners_.begin(), owners_.end(), -1);
}

void WalkedMemory::begin_block(std::int64_t block, int n_threads, int n_places) {
  block_ = block;
  interval_ = 0;
  cells_.assign(static_cast<std::size_t>(n_places), Cell{});
  asked_.assign(static_cast<std::size_t>(n_threads), {});
}

void WalkedMemory::blame(const std::string& what) {
  if (fault_.empty()) fault_ = fmt::format("block {}, thread {}: {}", block_, thread_, what);
}

void WalkedMemory::own(std::int64_t at) {
  if (at < 0 || at >= std::ssize(dst_)) return blame(fmt::format("sample {} is outside", at));
  std::int64_t& owner = owners_[static_cast<std::size_t>(at)];
  if (owner >= 0 && owner != block_) blame(fmt::format("sample {} is also that of block {}", at, owner));
  owner = block_;
}

Sample WalkedMemory::load(std::int64_t at) {
  note(Kind::load, at * number);
  if (dst_.empty()) return {0, 0};
  if (!is_from_source_) own(at);
  const std::span<const Sample> from = is_from_source_ ? src_ : dst_;
  if (at < 0 || at >= std::ssize(from)) {
    blame(fmt::format("sample {} is outside", at));
    return {0, 0};
  }
  return from[static_cast<std::size_t>(at)];
}

void WalkedMemory::store(std::int64_t at, Sample value) {
  note(Kind::store, at * number);
  if (dst_.empty()) return;
  own(at);
  if (at >= 0 && at < std::ssize(dst_)) dst_[static_cast<std::size_t>(at)] = value;
}

WalkedMemory::Cell* WalkedMemory::cell(std::int32_t place) {
  if (place >= 0 && place < std::ssize(cells_)) return &cells_[static_cast<std::size_t>(place)];
  blame(fmt::format("place {} is outside", place));
  return nullptr;
}

Sample WalkedMemory::take(std::int32_t place) {
  note(Kind::take, place * number);
  Cell* const c = cell(place);
  if (c == nullptr) return {0, 0};
  if (c->writer < 0) blame(fmt::format("place {} is read before it is written", place));
  if (c->writer != thread_ && c->written == interval_) blame(fmt::format("place {} was written by thread {} just now", place, c->writer));
  // Of several readers the one that another writer would meet: any but itself.
  if (c->read != interval_ || c->reader == thread_) c->reader = thread_;
  else c->reader = warp_lanes * static_cast<int>(asked_.size());
  c->read = interval_;
  return c->value;
}

void WalkedMemory::put(std::int32_t place, Sample value) {
  note(Kind::put, place * number);
  Cell* const c = cell(place);
  if (c == nullptr) return;
  if (c->read == interval_ && c->reader != thread_) blame(fmt::format("place {} is still read by others", place));
  if (c->written == interval_ && c->writer != thread_) blame(fmt::format("place {} was written by thread {} just now", place, c->writer));
  *c = {value, thread_, interval_, c->reader, c->read};
}

Sample WalkedMemory::root(const Sample* at) {
  note(Kind::root, (at - tables_) * number);
  return *at;
}

void WalkedMemory::end_step() {
  for (std::size_t first = 0; first < asked_.size(); first += warp_lanes)
    count(std::span(asked_).subspan(first, std::min<std::size_t>(warp_lanes, asked_.size() - first)));
  for (std::vector<Access>& one : asked_) one.clear();
}

void WalkedMemory::count(std::span<const std::vector<Access>> warp) {
  const int n = static_cast<int>(warp.size());
  for (std::size_t k = 0; k < warp[0].size(); ++k) {
    const Kind kind = warp[0][k].kind;
    std::int64_t bytes[warp_lanes];
    for (int lane = 0; lane < n; ++lane) {
      const std::vector<Access>& asked = warp[static_cast<std::size_t>(lane)];
      if (asked.size() != warp[0].size() || asked[k].kind != kind) throw std::logic_error("lanes of a warp go different ways");
      bytes[lane] = asked[k].byte;
    }
    Asked Counts::* const all[] = {&Counts::loads, &Counts::stores, &Counts::takes, &Counts::puts, &Counts::roots};
    Asked& asked = counts_.*all[static_cast<int>(kind)];
    ++asked.requests;
    if (kind == Kind::take || kind == Kind::put) {
      constexpr int lanes = tile::phase_lanes(number);
      for (int first = 0; first < n; first += lanes) {
        std::int32_t address[lanes];
        const int some = std::min(lanes, n - first);
        for (int lane = 0; lane < some; ++lane) address[lane] = static_cast<std::int32_t>(bytes[first + lane]);
        asked.taken += tile::wavefronts(address, some, number);
        ++asked.least;
      }
    } else {
      for (std::int64_t& byte : bytes) byte = &byte < bytes + n ? byte / sector : -1;
      std::sort(bytes, bytes + n);
      asked.taken += std::unique(bytes, bytes + n) - bytes;
      asked.least += (n * number + sector - 1) / sector;
    }
  }
}

Counts counts_of(Variant v, const std::vector<Pass>& passes, std::int64_t n_samples, const std::vector<Sample>& tables) {
  Counts all;
  for (const Pass& pass : passes) {
    WalkedMemory memory(tables);
    with_constant(v, [&](auto constant) { walk<named(constant()).form>({pass}, n_samples, 1, memory); });
    all += memory.counts().times(n_samples >> pass.log_block());
  }
  return all;
}

}  // namespace crinkle::bench::fft_paper
