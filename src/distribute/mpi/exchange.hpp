// One rank's side of a redistribution under way. It has its pieces in an order that all ranks share: by rounds (to − from) mod n, then by
// their number in the message. It starts them in that order, and so many at once as it has slots. So none waits for ever: of all pieces
// that are not done, the first one in that order has a slot on both sides. While messages are under way, the rank packs, unpacks, and moves
// what it keeps. Several exchanges of one communicator may be under way at once, each with a tag of its own.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

#include "distribute/mpi/calls.hpp"
#include "distribute/mpi/rooms.hpp"
#include "distribute/rank_plan.hpp"

namespace crinkle::mpi {

/// A duplicate of a communicator, freed with its last owner.
class OwnComm {
 public:
  explicit OwnComm(MPI_Comm of) { check(MPI_Comm_dup(of, &comm_)); }
  OwnComm(const OwnComm&) = delete;
  OwnComm& operator=(const OwnComm&) = delete;
  ~OwnComm() {
    int is_over = 0;
    if (MPI_Finalized(&is_over) == MPI_SUCCESS && is_over == 0) MPI_Comm_free(&comm_);
  }
  MPI_Comm get() const noexcept { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Makes a CUDA device the thread's own for as long as it lives; the CPU nothing.
class OnDeviceOf {
 public:
  explicit OnDeviceOf(Device device) {
    if (device.kind == Device::Kind::cuda) on_.emplace(device.index);
  }

 private:
  std::optional<gpu::OnDevice> on_;
};

/// Throws device where the buffers, null ones apart, do not lie in memory of the device, and for a worker of another kind.
void check_place(Device device, std::initializer_list<const void*> buffers, const Worker& worker);

class Exchange {
 public:
  Exchange(const Redistribution& r, std::int64_t rank, const Options& o, const std::vector<int>& order);

  void use(std::shared_ptr<const OwnComm> comm, int tag) {
    comm_ = std::move(comm);
    tag_ = tag;
  }
  MPI_Comm comm() const noexcept { return comm_->get(); }
  bool is_begun() const noexcept { return is_begun_; }
  std::int64_t buffer_bytes() const noexcept { return out_.all_bytes() + in_.all_bytes(); }
  std::int64_t sent_bytes() const noexcept;

  /// Throws what Plan::run says of buffers.
  void check_buffers(ConstBuffer src, Buffer dst, const Worker& worker) const;
  /// Receives as much as there are slots for; start() sends as much, too.
  void begin(ConstBuffer src, Buffer dst, const Worker& worker);
  void start(ConstBuffer src, Buffer dst, const Worker& worker);
  /// Goes on, and waits only where it may and there is nothing else to do; afterwards a GPU's stream, too. True: it is done.
  bool advance(bool may_wait);
  void finish() {
    while (!advance(true)) {}
    is_begun_ = false;
  }

 private:
  // Slots of one direction: a chunk under way in each.
  struct Slots {
    std::int64_t n = 0, bytes = 0;                  // of each
    std::vector<const distributed::Chunk*> chunks;  // none: free
    std::optional<Rooms> rooms;

    Slots(const std::vector<distributed::Chunk>& all, std::int64_t room, bool are_plain, Device device, bool is_staged);
    std::int64_t all_bytes() const noexcept { return n * bytes * (rooms->is_staged() ? 2 : 1); }
    std::size_t free() const;
  };
  bool is_plain(const distributed::Chunk& chunk) const noexcept { return are_plain_ && chunk.plain_at >= 0; }
  void receive(std::size_t slot, const distributed::Chunk& chunk);
  void send(std::size_t slot, const distributed::Chunk& chunk);
  void finish(std::size_t request);
  void receive_all();
  bool send_next();

  distributed::RankPlan plan_;
  bool are_plain_;  // pieces that lie in a row in a part are sent from there
  Slots out_, in_;
  std::shared_ptr<const OwnComm> comm_;
  int tag_ = 0;
  std::vector<MPI_Request> requests_;  // of slots out, then of slots in
  std::vector<int> done_;
  // Of the run:
  ConstBuffer src_;
  Buffer dst_;
  Worker worker_;
  std::size_t sent_ = 0, received_ = 0, kept_ = 0, n_under_way_ = 0;
  bool is_filled_ = false, is_begun_ = false, is_under_way_ = false;
};

/// The exchange of a redistribution, planned on all ranks at once; plan() says what it throws. `use` it.
std::unique_ptr<Exchange> exchange_of(MPI_Comm comm, const Redistribution& r, const Options& options);

}  // namespace crinkle::mpi
