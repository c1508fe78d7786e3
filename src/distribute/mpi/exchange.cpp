// SPDX-License-Identifier: BSD-3-Clause
#include "distribute/mpi/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cuda/device_buffers.hpp"

namespace crinkle::mpi {
namespace {

using distributed::Chunk;

constexpr std::int64_t most_slots = 64;  // messages under way one way: enough for any latency

bool is_gpu(Device device) { return device.kind == Device::Kind::cuda; }
bool is_staged(const Options& o) { return o.is_staged || (is_gpu(o.device) && !reaches_cuda()); }

}  // namespace

Exchange::Slots::Slots(const std::vector<Chunk>& all, std::int64_t room, bool are_plain, Device device, bool is_staged) {
  std::int64_t n_packed = 0;
  for (const Chunk& c : all) {
    if (are_plain && c.plain_at >= 0) continue;
    bytes = std::max(bytes, c.bytes);
    ++n_packed;
  }
  const std::int64_t most = std::min(most_slots, std::ssize(all));
  n = n_packed == 0 ? most : std::clamp<std::int64_t>(room / std::max<std::int64_t>(1, bytes), std::min<std::int64_t>(2, most), most);
  bytes = (bytes + 63) / 64 * 64;
  rooms.emplace(device, n, bytes, is_staged);
  chunks.assign(static_cast<std::size_t>(n), nullptr);
}

std::size_t Exchange::Slots::free() const {
  return static_cast<std::size_t>(std::find(chunks.begin(), chunks.end(), nullptr) - chunks.begin());
}

Exchange::Exchange(const Redistribution& r, std::int64_t rank, const Options& o, const std::vector<int>& order)
    : plan_(r, rank, o.piece_bytes, o.src, o.dst, order, o.device),
      are_plain_(!is_staged(o)),
      out_(plan_.sends(), o.buffer_bytes / 2, are_plain_, o.device, is_staged(o)),
      in_(plan_.receives(), o.buffer_bytes / 2, are_plain_, o.device, is_staged(o)) {
  requests_.assign(static_cast<std::size_t>(out_.n + in_.n), MPI_REQUEST_NULL);
  done_.resize(requests_.size());
}

std::int64_t Exchange::sent_bytes() const noexcept {
  std::int64_t n = 0;
  for (const Chunk& chunk : plan_.sends()) n += chunk.bytes;
  return n;
}

void Exchange::check_buffers(ConstBuffer src, Buffer dst, const Worker& worker) const {
  const std::int64_t source = distributed::bytes_up_to(plan_.source()), destination = distributed::bytes_up_to(plan_.destination());
  if (is_begun_) throw Error(ErrorCode::unsupported, "this plan was started: finish() it first, or make another one");
  if (src.bytes < source)
    throw Error(ErrorCode::bad_shape, fmt::format("a source of {} bytes; this rank's part has {}", src.bytes, source));
  if (dst.bytes < destination)
    throw Error(ErrorCode::bad_shape, fmt::format("a destination of {} bytes; this rank's part has {}", dst.bytes, destination));
  if ((source > 0 && src.data == nullptr) || (destination > 0 && dst.data == nullptr))
    throw Error(ErrorCode::bad_shape, "a buffer without an address");
  if (share_bytes(src.data, source, dst.data, destination))
    throw Error(ErrorCode::overlap, "source and destination overlap: give a destination of its own");
  check_place(plan_.device(), {source > 0 ? src.data : nullptr, destination > 0 ? dst.data : nullptr}, worker);
}

void check_place(Device device, std::initializer_list<const void*> buffers, const Worker& worker) {
  if (is_gpu(device) ? worker.is_executor() : worker.is_stream())
    throw Error(ErrorCode::device, is_gpu(device) ? "a plan for a GPU's memory runs on a stream, not on an executor"
                                                  : "a plan for the host's memory runs on an executor, not on a stream");
  for (const void* buffer : buffers) {
    if (buffer == nullptr) continue;
    static const bool has_gpu = count_cuda_devices() > 0;
    if (is_gpu(device)) gpu::check_pointer(buffer, device.index, "this rank's part");
    else if (has_gpu) gpu::check_host_pointer(buffer, "this rank's part");
  }
  if (is_gpu(device)) gpu::check_stream(worker.stream().get(), device.index);
}

void Exchange::receive(std::size_t slot, const Chunk& chunk) {
  in_.chunks[slot] = &chunk;
  std::byte* to = is_plain(chunk) ? static_cast<std::byte*>(dst_.data) + chunk.plain_at : in_.rooms->wire(slot);
  check(MPI_Irecv(to, static_cast<int>(chunk.bytes), MPI_BYTE, static_cast<int>(chunk.peer), tag_, comm(),
                  &requests_[static_cast<std::size_t>(out_.n) + slot]));
}

void Exchange::send(std::size_t slot, const Chunk& chunk) {
  out_.chunks[slot] = &chunk;
  const std::byte* from = nullptr;
  if (is_plain(chunk)) {
    from = static_cast<const std::byte*>(src_.data) + chunk.plain_at;
    if (is_gpu(plan_.device())) worker_.stream().synchronize();  // what made the part
  } else {
    chunk.move(src_, {out_.rooms->packed(slot), chunk.bytes}, worker_);
    out_.rooms->bring_out(slot, chunk.bytes, worker_);
    from = out_.rooms->wire(slot);
  }
  check(MPI_Isend(from, static_cast<int>(chunk.bytes), MPI_BYTE, static_cast<int>(chunk.peer), tag_, comm(), &requests_[slot]));
}

void Exchange::finish(std::size_t request) {
  if (request < static_cast<std::size_t>(out_.n)) {
    out_.chunks[request] = nullptr;
    return;
  }
  const std::size_t slot = request - static_cast<std::size_t>(out_.n);
  const Chunk& chunk = *in_.chunks[slot];
  in_.chunks[slot] = nullptr;
  if (is_plain(chunk)) return;
  in_.rooms->bring_in(slot, chunk.bytes, worker_);
  chunk.move({in_.rooms->packed(slot), chunk.bytes}, dst_, worker_);
  if (is_gpu(plan_.device())) worker_.stream().synchronize();  // before the slot is filled again
}

void Exchange::receive_all() {
  for (std::size_t slot; received_ < plan_.receives().size() && (slot = in_.free()) < in_.chunks.size(); ++n_under_way_)
    receive(slot, plan_.receives()[received_++]);
}

bool Exchange::send_next() {
  const std::size_t slot = out_.free();
  if (sent_ == plan_.sends().size() || slot == out_.chunks.size()) return false;
  send(slot, plan_.sends()[sent_++]);
  ++n_under_way_;
  return true;
}

void Exchange::begin(ConstBuffer src, Buffer dst, const Worker& worker) {
  src_ = src;
  dst_ = dst;
  worker_ = worker;
  sent_ = received_ = kept_ = n_under_way_ = 0;
  is_filled_ = false;
  is_begun_ = is_under_way_ = true;
  receive_all();
}

void Exchange::start(ConstBuffer src, Buffer dst, const Worker& worker) {
  begin(src, dst, worker);
  const OnDeviceOf on(plan_.device());
  while (send_next()) {}
}

bool Exchange::advance(bool may_wait) {
  if (!is_under_way_) return true;
  const OnDeviceOf on(plan_.device());
  for (;;) {
    receive_all();
    bool is_idle = !send_next();
    if (is_idle && !is_filled_) {
      plan_.fill(dst_, worker_);
      is_filled_ = true;
      is_idle = false;
    } else if (is_idle && kept_ < plan_.keeps().size()) {
      Chunk::run(plan_.keeps()[kept_++], src_, dst_, worker_);
      is_idle = false;
    }
    if (n_under_way_ == 0 && is_idle) {
      if (is_gpu(plan_.device())) worker_.stream().synchronize();
      is_under_way_ = false;
      return true;
    }
    int n = 0;
    const int n_requests = static_cast<int>(requests_.size());
    if (n_under_way_ > 0 && is_idle && may_wait) check(MPI_Waitsome(n_requests, requests_.data(), &n, done_.data(), MPI_STATUSES_IGNORE));
    else if (n_under_way_ > 0) check(MPI_Testsome(n_requests, requests_.data(), &n, done_.data(), MPI_STATUSES_IGNORE));
    if (n == MPI_UNDEFINED) n = 0;
    std::sort(done_.begin(), done_.begin() + n);
    for (int k = 0; k < n; ++k) finish(static_cast<std::size_t>(done_[static_cast<std::size_t>(k)]));
    n_under_way_ -= static_cast<std::size_t>(n);
    if (is_idle && n == 0 && !may_wait) return false;
  }
}

}  // namespace crinkle::mpi
