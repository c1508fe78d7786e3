// A redistribution under MPI. Every rank has its chunks in an order that all ranks share: by rounds (to − from) mod n, then by their number
// in the message. A rank starts them in that order, and so many at once as it has slots. So none waits for ever: of all chunks that are not
// done, the first one in that order has a slot on both sides. While messages are under way, the rank packs, unpacks, and moves what it
// keeps.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "base/reused_memory.hpp"
#include "distribute/mpi/calls.hpp"
#include "distribute/rank_plan.hpp"

namespace crinkle::mpi {
namespace {

using distributed::Chunk;
using distributed::RankPlan;

constexpr std::int64_t most_slots = 64;  // messages under way one way: enough for any latency

}  // namespace

// Slots of one direction: a chunk under way in each.
struct Slots {
  std::int64_t n = 0, bytes = 0;  // of each
  ReusedMemory memory;
  std::vector<const Chunk*> chunks;  // none: free

  Slots(const std::vector<Chunk>& all, std::int64_t room) {
    std::int64_t n_packed = 0;
    for (const Chunk& c : all) bytes = std::max(bytes, c.plain_at < 0 ? c.bytes : 0);
    for (const Chunk& c : all) n_packed += c.plain_at < 0 ? 1 : 0;
    const std::int64_t most = std::min(most_slots, std::ssize(all));
    n = n_packed == 0 ? most : std::clamp<std::int64_t>(room / std::max<std::int64_t>(1, bytes), std::min<std::int64_t>(2, most), most);
    bytes = (bytes + 63) / 64 * 64;
    if (n_packed > 0) memory.of(n * bytes);
    chunks.assign(static_cast<std::size_t>(n), nullptr);
  }
  std::byte* at(std::size_t slot) { return memory.of(0) + static_cast<std::int64_t>(slot) * bytes; }
};

struct Plan::Data {
  MPI_Comm comm = MPI_COMM_NULL;
  RankPlan plan;
  Slots out, in;
  std::vector<MPI_Request> requests;  // of slots out, then of slots in
  std::vector<int> done;

  Data(const Redistribution& r, std::int64_t rank, const Options& o, const std::vector<int>& order)
      : plan(r, rank, o.piece_bytes, o.src, o.dst, order), out(plan.sends(), o.buffer_bytes / 2), in(plan.receives(), o.buffer_bytes / 2) {
    requests.assign(static_cast<std::size_t>(out.n + in.n), MPI_REQUEST_NULL);
    done.resize(requests.size());
  }
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
  ~Data() {
    int is_over = 0;
    if (MPI_Finalized(&is_over) == MPI_SUCCESS && is_over == 0 && comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }

  void check_buffers(ConstBuffer src, Buffer dst) const;
  void receive(std::size_t slot, const Chunk& chunk, Buffer dst);
  void send(std::size_t slot, const Chunk& chunk, ConstBuffer src, Executor& executor);
  void finish(std::size_t request, Buffer dst, Executor& executor);
};

void Plan::Data::check_buffers(ConstBuffer src, Buffer dst) const {
  const std::int64_t source = distributed::bytes_up_to(plan.source()), destination = distributed::bytes_up_to(plan.destination());
  if (src.bytes < source)
    throw Error(ErrorCode::bad_shape, fmt::format("a source of {} bytes; this rank's part has {}", src.bytes, source));
  if (dst.bytes < destination)
    throw Error(ErrorCode::bad_shape, fmt::format("a destination of {} bytes; this rank's part has {}", dst.bytes, destination));
  if ((source > 0 && src.data == nullptr) || (destination > 0 && dst.data == nullptr))
    throw Error(ErrorCode::bad_shape, "a buffer without an address");
  if (share_bytes(src.data, source, dst.data, destination))
    throw Error(ErrorCode::overlap, "source and destination overlap: give a destination of its own");
}

void Plan::Data::receive(std::size_t slot, const Chunk& chunk, Buffer dst) {
  in.chunks[slot] = &chunk;
  std::byte* to = chunk.plain_at >= 0 ? static_cast<std::byte*>(dst.data) + chunk.plain_at : in.at(slot);
  check(MPI_Irecv(to, static_cast<int>(chunk.bytes), MPI_BYTE, static_cast<int>(chunk.peer), 0, comm,
                  &requests[static_cast<std::size_t>(out.n) + slot]));
}

void Plan::Data::send(std::size_t slot, const Chunk& chunk, ConstBuffer src, Executor& executor) {
  out.chunks[slot] = &chunk;
  const std::byte* from = chunk.plain_at >= 0 ? static_cast<const std::byte*>(src.data) + chunk.plain_at : out.at(slot);
  if (chunk.plain_at < 0) chunk.move(src, {out.at(slot), chunk.bytes}, executor);
  check(MPI_Isend(from, static_cast<int>(chunk.bytes), MPI_BYTE, static_cast<int>(chunk.peer), 0, comm, &requests[slot]));
}

void Plan::Data::finish(std::size_t request, Buffer dst, Executor& executor) {
  if (request < static_cast<std::size_t>(out.n)) {
    out.chunks[request] = nullptr;
    return;
  }
  const std::size_t slot = request - static_cast<std::size_t>(out.n);
  const Chunk& chunk = *in.chunks[slot];
  in.chunks[slot] = nullptr;
  if (chunk.plain_at < 0) chunk.move({in.at(slot), chunk.bytes}, dst, executor);
}

void Plan::run(ConstBuffer src, Buffer dst, Executor& executor) {
  Data& d = *data_;
  agree(d.comm, [&] { d.check_buffers(src, dst); });
  const std::vector<Chunk>& sends = d.plan.sends();
  const std::vector<Chunk>& receives = d.plan.receives();
  std::size_t sent = 0, received = 0, kept = 0, under_way = 0;
  bool is_filled = false;
  const auto free_slot = [](const Slots& slots) {
    return static_cast<std::size_t>(std::find(slots.chunks.begin(), slots.chunks.end(), nullptr) - slots.chunks.begin());
  };
  for (;;) {
    for (std::size_t slot; received < receives.size() && (slot = free_slot(d.in)) < d.in.chunks.size(); ++under_way)
      d.receive(slot, receives[received++], dst);
    bool is_idle = true;
    if (const std::size_t slot = free_slot(d.out); sent < sends.size() && slot < d.out.chunks.size()) {
      d.send(slot, sends[sent++], src, executor);
      ++under_way;
      is_idle = false;
    } else if (!is_filled) {
      d.plan.fill(dst, executor);
      is_filled = true;
      is_idle = false;
    } else if (kept < d.plan.keeps().size()) {
      d.plan.keeps()[kept++].run({&src, 1}, {&dst, 1}, {}, executor);
      is_idle = false;
    }
    if (under_way == 0) {
      if (is_idle) return;
      continue;
    }
    int n = 0;
    const int n_requests = static_cast<int>(d.requests.size());
    if (is_idle) check(MPI_Waitsome(n_requests, d.requests.data(), &n, d.done.data(), MPI_STATUSES_IGNORE));
    else check(MPI_Testsome(n_requests, d.requests.data(), &n, d.done.data(), MPI_STATUSES_IGNORE));
    if (n == MPI_UNDEFINED) n = 0;
    std::sort(d.done.begin(), d.done.begin() + n);
    for (int k = 0; k < n; ++k) d.finish(static_cast<std::size_t>(d.done[static_cast<std::size_t>(k)]), dst, executor);
    under_way -= static_cast<std::size_t>(n);
  }
}

std::int64_t Plan::buffer_bytes() const noexcept { return data_->out.n * data_->out.bytes + data_->in.n * data_->in.bytes; }

std::int64_t Plan::sent_bytes() const noexcept {
  std::int64_t n = 0;
  for (const Chunk& chunk : data_->plan.sends()) n += chunk.bytes;
  return n;
}

namespace {

// The order of axes in the destinations' memory, slowest first, where all ranks have the same; nothing where they do not.
std::vector<int> common_order(MPI_Comm comm, std::size_t n_axes, const std::optional<Layout>& dst) {
  std::vector<int> own(n_axes);
  for (std::size_t a = 0; a < n_axes; ++a) own[a] = static_cast<int>(a);
  if (dst && dst->strides.size() == n_axes)
    std::sort(own.begin(), own.end(), [&](int a, int b) {
      const auto size = [&](int axis) { return std::abs(dst->strides[static_cast<std::size_t>(axis)]); };
      return size(a) != size(b) ? size(a) > size(b) : a < b;
    });
  std::vector<int> of_first = own;
  check(MPI_Bcast(of_first.data(), static_cast<int>(n_axes), MPI_INT, 0, comm));
  const int is_same = own == of_first ? 1 : 0;
  int all_same = 0;
  check(MPI_Allreduce(&is_same, &all_same, 1, MPI_INT, MPI_MIN, comm));
  return all_same == 1 ? own : std::vector<int>{};
}

}  // namespace

Plan plan(MPI_Comm comm, const std::function<Redistribution()>& make, const Options& options) {
  std::optional<Redistribution> r;
  const int rank = rank_of(comm), size = size_of(comm);
  agree(comm, [&] { r.emplace(make()); });
  agree_on(comm, fmt::format("{} in pieces of {} bytes", r->text(), options.piece_bytes), "redistribution");
  const std::vector<int> order = common_order(comm, r->to().extents().size(), options.dst);
  std::shared_ptr<Plan::Data> data;
  agree(comm, [&] {
    if (size != r->n_ranks())
      throw Error(ErrorCode::bad_shape,
                  fmt::format("the communicator has {} ranks and the layouts {} and {}: make one of {} (MPI_Comm_split), or divide by {}",
                              size, r->from().n_ranks(), r->to().n_ranks(), r->n_ranks(), size));
    if (options.buffer_bytes < 0)
      throw Error(ErrorCode::bad_shape, fmt::format("buffers of {} bytes: give 0 or more", options.buffer_bytes));
    data = std::make_shared<Plan::Data>(*r, rank, options, order);
  });
  check(MPI_Comm_dup(comm, &data->comm));
  return Plan(std::move(data));
}

Plan plan(MPI_Comm comm, const Redistribution& r, const Options& options) {
  return plan(comm, [&] { return r; }, options);
}

}  // namespace crinkle::mpi
