// Redistribution between ranks of MPI: a plan that every rank makes once and runs many times. An optional component: build with
// CRINKLE_MPI=ON and link crinkle::mpi.
//
//     mpi::Plan plan = mpi::plan(MPI_COMM_WORLD, [&] { return Redistribution(from, to, move); });   // on every rank
//     plan.run(mine, made);                                                                          // on every rank
//
// Everything here is collective: all ranks of the communicator call it, in the same order. Where one of them would throw, all throw the
// same error, that of the lowest rank which has one, so that none waits for ever.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1  // the standard's C functions alone
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "crinkle/device.hpp"
#include "crinkle/distribute.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/layout.hpp"
#include "crinkle/operation.hpp"

namespace crinkle::mpi {

struct Options {
  std::int64_t piece_bytes = 8 << 20;    // of a packed piece, at most; equal on all ranks
  std::int64_t buffer_bytes = 64 << 20;  // of packed pieces that a rank sends and receives at once, but two of each in any case
  std::optional<Layout> src{}, dst{};    // this rank's parts; none: dense. They may differ between ranks
  /// Where this rank's parts lie. Pieces of a GPU's memory are packed there. Where MPI can reach that memory (MPIX_Query_cuda_support) it
  /// gets them as they are, else through pinned memory of the host.
  Device device{};
  bool is_staged = false;  // pieces go through other memory of the host in any case: where MPI says too much of itself
};

/// Whether this MPI says that it reaches memory of CUDA devices.
bool reaches_cuda() noexcept;

/// Const but for its buffers: one run at a time. Freed on every rank before MPI_Finalize.
class Plan {
 public:
  /// dst = the redistribution of src, this rank's parts. Deterministic. The memory beside them is that of pieces, taken once. Requires that
  /// src and dst do not overlap. On a GPU, on the worker's stream, which is waited for. Throws, on all ranks, bad_shape where a rank's
  /// buffer is too small, overlap, device for memory that the options' device cannot reach.
  void run(ConstBuffer src, Buffer dst, const Worker& worker = {});
  /// The same in two: begun here, and ended by finish(), while the rank computes something else. In between neither buffer is touched,
  /// and what the worker stands for lives on.
  /// advance() lets messages go on, without waiting. Throw as run() does; finish() where nothing was begun, on this rank alone.
  void start(ConstBuffer src, Buffer dst, const Worker& worker = {});
  void advance();
  void finish();

  std::int64_t buffer_bytes() const noexcept;  // of packed pieces, on this rank
  std::int64_t sent_bytes() const noexcept;    // by this rank in a run

  struct Data;
  explicit Plan(std::shared_ptr<Data> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<Data> data_;
};

/// The plan of a redistribution, which must be the same on all ranks. A rank whose `make` throws lets all throw. Throws what `make` and
/// planning throw, and bad_shape where ranks differ in what they ask for, or the communicator has not r.n_ranks() ranks. The communicator
/// is duplicated, so that messages of others are not taken for these.
Plan plan(MPI_Comm comm, const std::function<Redistribution()>& make, const Options& options = {});
Plan plan(MPI_Comm comm, const Redistribution& r, const Options& options = {});

/// An operation over ranks, made ready: fetches, parts and memory for what lies between them. Halos are sent and received while the rank
/// computes what needs none. Parts lie on the operation's device.
class OperationPlan {
 public:
  /// out = this rank's part of the operation of all ranks' inputs, with the bits that one rank alone would make. Parts are dense. In place,
  /// at the same address, where the operation can_run_in_place(). Throws, on all ranks, as Plan::run.
  void run(std::span<const ConstBuffer> in, Buffer out, const Worker& worker = {});
  void run(ConstBuffer in, Buffer out, const Worker& worker = {}) { run(std::span<const ConstBuffer>(&in, 1), out, worker); }

  struct Data;
  explicit OperationPlan(std::shared_ptr<Data> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<Data> data_;
};

/// The plan of an operation over ranks, which must be the same on all of them. Throws as plan() of a redistribution. Layouts in `options`
/// are refused: parts are dense; so is a device, which is the operation's.
OperationPlan plan(MPI_Comm comm, const std::function<DistributedOperation()>& make, const Options& options = {});

/// Runs `body`, which calls no MPI, on this rank; throws on all ranks of the communicator where one of them threw, the same error.
void agree(MPI_Comm comm, const std::function<void()>& body);
/// Throws bad_shape on all ranks unless they all have the same text; says what two of them have.
void agree_on(MPI_Comm comm, const std::string& text, const char* what);

}  // namespace crinkle::mpi
