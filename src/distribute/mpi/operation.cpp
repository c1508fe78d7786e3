// An operation over ranks under MPI: fetch, compute, and again for the next stage. Where a stage has rims they are fetched while the inner
// part is computed, in slices, between which messages go on.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <optional>
#include <vector>

#include "distribute/mpi/exchange.hpp"
#include "distribute/rank_step.hpp"

namespace crinkle::mpi {

struct OperationPlan::Data {
  // The exchanges and arrays of what a step fetches, in its order; no exchange where there is nothing to fetch.
  struct Step {
    std::vector<std::vector<std::unique_ptr<Exchange>>> fetch;
    std::vector<std::vector<distributed::DeviceRoom>> rooms;
    distributed::DeviceRoom out;
  };
  std::shared_ptr<const OwnComm> comm;
  Device device;
  std::vector<std::int64_t> in;  // bytes of this rank's parts
  std::int64_t out = 0;
  bool can_be_in_place = false;  // by the whole operation, so that it does not depend on the ranks
  std::deque<distributed::RankStep> steps;
  std::vector<Step> of_steps;
  std::vector<distributed::OutputPlace> places;
  std::vector<std::unique_ptr<Exchange>> last;
  int n_tags = 0;

  void check_buffers(std::span<const ConstBuffer> from, Buffer to, const Worker& worker) const;
  void run(std::size_t s, const std::vector<ConstBuffer>& from, Buffer to, const Worker& worker);
  void add(const DistributedOperation::Step& of, const Options& options);
  void take_memory();
  std::unique_ptr<Exchange> exchange(const Redistribution& r, const Options& options) {
    std::unique_ptr<Exchange> made = exchange_of(comm->get(), r, options);
    made->use(comm, n_tags++);
    return made;
  }
};

void OperationPlan::Data::check_buffers(std::span<const ConstBuffer> from, Buffer to, const Worker& worker) const {
  if (from.size() != in.size()) throw Error(ErrorCode::bad_shape, fmt::format("{} inputs of {}", from.size(), in.size()));
  for (std::size_t k = 0; k < in.size(); ++k)
    if (from[k].bytes < in[k])
      throw Error(ErrorCode::bad_shape, fmt::format("input {} has {} bytes; this rank's part has {}", k, from[k].bytes, in[k]));
  if (to.bytes < out) throw Error(ErrorCode::bad_shape, fmt::format("an output of {} bytes; this rank's part has {}", to.bytes, out));
  for (std::size_t k = 0; k < in.size(); ++k)
    if (share_bytes(from[k].data, in[k], to.data, out) && !(k == 0 && can_be_in_place && from[k].data == to.data))
      throw Error(ErrorCode::overlap, fmt::format("input {} and the output overlap: give an output of its own", k));
  for (std::size_t k = 0; k < in.size(); ++k)
    if (in[k] > 0 && from[k].data == nullptr) throw Error(ErrorCode::bad_shape, fmt::format("input {} has no address", k));
  if (out > 0 && to.data == nullptr) throw Error(ErrorCode::bad_shape, "the output has no address");
  for (std::size_t k = 0; k < in.size(); ++k) check_place(device, {in[k] > 0 ? from[k].data : nullptr}, worker);
  check_place(device, {out > 0 ? to.data : nullptr}, worker);
}

void OperationPlan::Data::run(std::size_t s, const std::vector<ConstBuffer>& from, Buffer to, const Worker& worker) {
  distributed::RankStep& of = steps[s];
  Step& step = of_steps[s];
  std::exception_ptr failure;  // told when nothing is under way any more
  const auto compute = [&](distributed::RankPart& part, const std::vector<ConstBuffer>& needed) {
    if (failure) return;
    try {
      part.run(needed, to, worker);
    } catch (...) { failure = std::current_exception(); }
  };
  const auto room_of = [&](std::size_t f, std::size_t k) {
    return places[s].is_fetched_into ? to : Buffer(step.rooms[f][k].of(0), of.fetched[f].bytes[k]);
  };
  for (std::size_t f = 0; f < step.fetch.size(); ++f)
    for (std::size_t k = 0; k < step.fetch[f].size(); ++k) {
      if (!step.fetch[f][k]) continue;
      if (of.inner.empty()) step.fetch[f][k]->begin(from[k], room_of(f, k), worker);
      else step.fetch[f][k]->start(from[k], room_of(f, k), worker);
    }
  for (distributed::RankPart& part : of.inner) {
    compute(part, from);
    for (auto& fetch : step.fetch)
      for (std::unique_ptr<Exchange>& one : fetch) one->advance(false);
  }
  for (std::size_t f = 0; f < step.fetch.size(); ++f) {
    std::vector<ConstBuffer> needed = from;
    for (std::size_t k = 0; k < step.fetch[f].size(); ++k) {
      if (!step.fetch[f][k]) continue;
      step.fetch[f][k]->finish();
      needed[k] = room_of(f, k);
    }
    for (distributed::RankPart& part : of.fetched[f].parts) compute(part, needed);
  }
  agree(comm->get(), [&] {
    if (failure) std::rethrow_exception(failure);
  });
}

void OperationPlan::run(std::span<const ConstBuffer> in, Buffer out, const Worker& worker) {
  Data& d = *data_;
  agree(d.comm->get(), [&] { d.check_buffers(in, out, worker); });
  std::vector<ConstBuffer> from(in.begin(), in.end());
  for (std::size_t s = 0; s < d.steps.size(); ++s) {
    const std::int64_t array = d.places[s].array;
    void* const at = array < 0 ? out.data : d.of_steps[static_cast<std::size_t>(array)].out.of(0);
    const Buffer made(at, d.steps[s].made_bytes);
    d.run(s, from, made, worker);
    from = {made};
  }
  for (const std::unique_ptr<Exchange>& move : d.last) {
    move->begin(from[0], out, worker);
    move->finish();
  }
  if (d.device.kind == Device::Kind::cuda) worker.stream().synchronize();
}

void OperationPlan::Data::add(const DistributedOperation::Step& of, const Options& options) {
  agree(comm->get(), [&] { steps.emplace_back(of, rank_of(comm->get())); });
  Step& step = of_steps.emplace_back(Step{{}, {}, distributed::DeviceRoom(device)});
  for (const std::vector<Redistribution>* fetches : distributed::fetches_of(of)) {
    const std::vector<bool>& is_fetched = steps.back().fetched[step.fetch.size()].is_fetched;
    auto& fetch = step.fetch.emplace_back();
    for (std::size_t k = 0; k < fetches->size(); ++k) fetch.push_back(is_fetched[k] ? exchange((*fetches)[k], options) : nullptr);
  }
}

void OperationPlan::Data::take_memory() {
  places = distributed::places_of(steps, !last.empty(), !can_be_in_place);
  for (std::size_t s = 0; s < steps.size(); ++s) {
    for (const distributed::RankStep::Fetched& fetched : steps[s].fetched) {
      auto& rooms = of_steps[s].rooms.emplace_back();
      for (std::size_t k = 0; k < fetched.is_fetched.size(); ++k) {
        rooms.emplace_back(device);
        if (fetched.is_fetched[k] && !places[s].is_fetched_into) rooms[k].of(std::max<std::int64_t>(1, fetched.bytes[k]));
      }
    }
    if (places[s].array >= 0) of_steps[static_cast<std::size_t>(places[s].array)].out.of(std::max<std::int64_t>(1, steps[s].made_bytes));
  }
}

OperationPlan plan(MPI_Comm comm, const std::function<DistributedOperation()>& make, const Options& options) {
  auto data = std::make_shared<OperationPlan::Data>();
  std::optional<DistributedOperation> op;
  const int rank = rank_of(comm), size = size_of(comm);
  agree(comm, [&] {
    op.emplace(make());
    if (op->n_ranks() != size)
      throw Error(ErrorCode::bad_shape,
                  fmt::format("the communicator has {} ranks and the layouts {}: make one of {} (MPI_Comm_split), or divide by {}", size,
                              op->n_ranks(), op->n_ranks(), size));
    if (options.src || options.dst)
      throw Error(ErrorCode::unsupported, "parts of operations are dense: redistribute from and to other layouts in memory");
    if (options.device != Device{} && options.device != op->steps().front().operation.device())
      throw Error(ErrorCode::unsupported, "parts of an operation lie on the device that it is planned for: leave the options' out");
  });
  agree_on(comm, fmt::format("{} in pieces of {} bytes", op->text(), options.piece_bytes), "operation");
  data->can_be_in_place = op->steps().front().operation.can_run_in_place();
  data->comm = std::make_shared<const OwnComm>(comm);
  data->device = op->steps().front().operation.device();
  Options own = options;
  own.device = data->device;
  for (const DistributedOperation::Step& of : op->steps()) {
    if (&of == &op->steps().front())
      for (const Redistribution& fetch : of.fetch) data->in.push_back(fetch.from().local(rank, fetch.element_bytes()).n_bytes());
    data->add(of, own);
  }
  for (const Redistribution& move : op->last()) data->last.push_back(data->exchange(move, own));
  agree(data->comm->get(), [&] { data->take_memory(); });
  data->out = op->out().local(rank, op->steps().back().operation.outputs()[0].layout.element_bytes).n_bytes();
  return OperationPlan(std::move(data));
}

}  // namespace crinkle::mpi
