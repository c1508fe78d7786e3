// A redistribution under MPI, planned and run.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "distribute/mpi/exchange.hpp"

#if __has_include(<mpi-ext.h>)  // behind mpi.h
#include <mpi-ext.h>
#endif

namespace crinkle::mpi {
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

bool reaches_cuda() noexcept {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

std::unique_ptr<Exchange> exchange_of(MPI_Comm comm, const Redistribution& r, const Options& options) {
  const std::vector<int> order = common_order(comm, r.to().extents().size(), options.dst);
  std::unique_ptr<Exchange> exchange;
  agree(comm, [&] {
    if (const int size = size_of(comm); size != r.n_ranks())
      throw Error(ErrorCode::bad_shape,
                  fmt::format("the communicator has {} ranks and the layouts {} and {}: make one of {} (MPI_Comm_split), or divide by {}",
                              size, r.from().n_ranks(), r.to().n_ranks(), r.n_ranks(), size));
    if (options.buffer_bytes < 0)
      throw Error(ErrorCode::bad_shape, fmt::format("buffers of {} bytes: give 0 or more", options.buffer_bytes));
    exchange = std::make_unique<Exchange>(r, rank_of(comm), options, order);
  });
  return exchange;
}

struct Plan::Data {
  std::unique_ptr<Exchange> exchange;
};

void Plan::run(ConstBuffer src, Buffer dst, const Worker& worker) {
  Exchange& exchange = *data_->exchange;
  agree(exchange.comm(), [&] { exchange.check_buffers(src, dst, worker); });
  exchange.begin(src, dst, worker);
  exchange.finish();
}

void Plan::start(ConstBuffer src, Buffer dst, const Worker& worker) {
  Exchange& exchange = *data_->exchange;
  agree(exchange.comm(), [&] { exchange.check_buffers(src, dst, worker); });
  exchange.start(src, dst, worker);
}

void Plan::advance() { data_->exchange->advance(false); }

void Plan::finish() {
  if (!data_->exchange->is_begun()) throw Error(ErrorCode::unsupported, "finish() of a plan that was not started: start() it first");
  data_->exchange->finish();
}

std::int64_t Plan::buffer_bytes() const noexcept { return data_->exchange->buffer_bytes(); }
std::int64_t Plan::sent_bytes() const noexcept { return data_->exchange->sent_bytes(); }

Plan plan(MPI_Comm comm, const std::function<Redistribution()>& make, const Options& options) {
  std::optional<Redistribution> r;
  agree(comm, [&] { r.emplace(make()); });
  agree_on(comm, fmt::format("{} in pieces of {} bytes", r->text(), options.piece_bytes), "redistribution");
  auto data = std::make_shared<Plan::Data>();
  data->exchange = exchange_of(comm, *r, options);
  data->exchange->use(std::make_shared<const OwnComm>(comm), 0);
  return Plan(std::move(data));
}

Plan plan(MPI_Comm comm, const Redistribution& r, const Options& options) {
  return plan(comm, [&] { return r; }, options);
}

}  // namespace crinkle::mpi
