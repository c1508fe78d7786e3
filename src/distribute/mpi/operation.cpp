// An operation over ranks under MPI: fetch, compute, and again for the next stage.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/reused_memory.hpp"
#include "distribute/mpi/calls.hpp"

namespace crinkle::mpi {

struct OperationPlan::Data {
  // One stage of this rank.
  struct Step {
    std::vector<Plan> fetch;
    std::vector<std::int64_t> bytes;  // of what is fetched of every input
    std::vector<bool> is_there;       // it is not fetched: the input is what the part needs
    std::optional<Operation> part;    // none: nothing to do
    std::int64_t made = 0;            // bytes of its output
    std::vector<ReusedMemory> fetched;
    ReusedMemory out, workspace;
  };
  MPI_Comm comm = MPI_COMM_NULL;
  std::vector<std::int64_t> in;  // bytes of this rank's parts
  std::int64_t out = 0;
  bool can_be_in_place = false;  // by the whole operation, so that it does not depend on the ranks
  std::vector<Step> steps;
  std::vector<Plan> last;

  Data() = default;
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
  ~Data() {
    int is_over = 0;
    if (MPI_Finalized(&is_over) == MPI_SUCCESS && is_over == 0 && comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
};

void OperationPlan::run(std::span<const ConstBuffer> in, Buffer out, Executor& executor) {
  Data& d = *data_;
  agree(d.comm, [&] {
    if (in.size() != d.in.size()) throw Error(ErrorCode::bad_shape, fmt::format("{} inputs of {}", in.size(), d.in.size()));
    for (std::size_t k = 0; k < in.size(); ++k)
      if (in[k].bytes < d.in[k])
        throw Error(ErrorCode::bad_shape, fmt::format("input {} has {} bytes; this rank's part has {}", k, in[k].bytes, d.in[k]));
    if (out.bytes < d.out)
      throw Error(ErrorCode::bad_shape, fmt::format("an output of {} bytes; this rank's part has {}", out.bytes, d.out));
    for (std::size_t k = 0; k < in.size(); ++k)
      if (share_bytes(in[k].data, d.in[k], out.data, d.out) && !(k == 0 && d.can_be_in_place && in[k].data == out.data))
        throw Error(ErrorCode::overlap, fmt::format("input {} and the output overlap: give an output of its own", k));
  });
  std::vector<ConstBuffer> from(in.begin(), in.end());
  for (std::size_t s = 0; s < d.steps.size(); ++s) {
    Data::Step& step = d.steps[s];
    std::vector<ConstBuffer> needed;
    for (std::size_t k = 0; k < step.fetch.size(); ++k) {
      if (step.is_there[k]) {
        needed.push_back({from[k].data, step.bytes[k]});
        continue;
      }
      const Buffer to(step.fetched[k].of(std::max<std::int64_t>(1, step.bytes[k])), step.bytes[k]);
      step.fetch[k].run(from[k], to, executor);
      needed.push_back(to);
    }
    const bool is_last = s + 1 == d.steps.size() && d.last.empty();
    const Buffer made = is_last ? Buffer(out.data, step.made) : Buffer(step.out.of(std::max<std::int64_t>(1, step.made)), step.made);
    agree(d.comm, [&] {
      if (!step.part) return;
      const std::int64_t workspace = step.part->workspace_bytes();
      step.part->run(needed, std::span(&made, 1), executor, {step.workspace.of(std::max<std::int64_t>(1, workspace)), workspace});
    });
    from = {made};
  }
  for (Plan& move : d.last) move.run(from[0], out, executor);
}

OperationPlan plan(MPI_Comm comm, const std::function<DistributedOperation()>& make, const Options& options) {
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
  });
  agree_on(comm, op->text(), "operation");
  auto data = std::make_shared<OperationPlan::Data>();
  data->can_be_in_place = op->steps().front().operation.can_run_in_place();
  check(MPI_Comm_dup(comm, &data->comm));
  const auto bytes_of = [&](const Distribution& layout, std::int64_t bytes) { return layout.local(rank, bytes).n_bytes(); };
  for (const DistributedOperation::Step& of : op->steps()) {
    OperationPlan::Data::Step& step = data->steps.emplace_back();
    step.is_there = of.is_there;
    for (std::size_t k = 0; k < of.fetch.size(); ++k) {
      step.fetch.push_back(plan(comm, of.fetch[k], options));
      step.bytes.push_back(bytes_of(of.fetch[k].to(), of.fetch[k].element_bytes()));
      if (&of == &op->steps().front()) data->in.push_back(bytes_of(of.fetch[k].from(), of.fetch[k].element_bytes()));
    }
    step.fetched = std::vector<ReusedMemory>(of.fetch.size());
    step.made = bytes_of(of.made, of.operation.outputs()[0].layout.element_bytes);
    const Ranges& part = of.parts[static_cast<std::size_t>(rank)];
    const bool has_part = std::none_of(part.begin(), part.end(), [](const Range& r) { return r.n == 0; }) && step.made > 0;
    agree(comm, [&] {
      if (has_part) step.part.emplace(part.empty() ? of.operation : of.operation.part(part));
    });
  }
  for (const Redistribution& move : op->last()) data->last.push_back(plan(comm, move, options));
  data->out = bytes_of(op->out(), op->steps().back().operation.outputs()[0].layout.element_bytes);
  return OperationPlan(std::move(data));
}

}  // namespace crinkle::mpi
