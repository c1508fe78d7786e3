// SPDX-License-Identifier: BSD-3-Clause
#include "suites/permute.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "api/turns.hpp"
#include "base/checked.hpp"
#include "base/memory.hpp"
#include "cpu/copy.hpp"
#include "suites/buffers.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t most_default_bytes = std::int64_t{2} << 30;

struct Buffers {
  Region source, destination;
  Buffers(std::int64_t capacity, Executor& executor) : source(capacity, executor), destination(capacity, executor) {}
};

void check(const Fitted& f, const Operation& op, Buffers& buffers, std::uint64_t seed, Executor& executor) {
  buffers.source.fill_random(op.bytes.source, seed, executor);
  buffers.destination.poison(op.bytes.destination, executor);
  op.run(buffers.source.data(), buffers.destination.data());
  const std::string which = f.c.place + ": " + f.c.name + ", seed " + std::to_string(seed) + ": ";
  const std::int64_t at = op.first_wrong(buffers.source.data(), buffers.destination.data());
  if (at >= 0) throw std::runtime_error(which + "byte " + std::to_string(at) + " of the result is not as defined");
  if (!buffers.destination.is_guard_whole(op.bytes.destination)) throw std::runtime_error(which + "bytes beside the result were written");
}

Row measured(const Fitted& f, const Operation& op, Buffers& buffers, const Effort& effort, Executor& executor) {
  const std::byte* src = buffers.source.data();
  std::byte* dst = buffers.destination.data();
  const std::int64_t copied_bytes = std::min(f.larger(), op.moved_bytes / 2);  // read once and written once
  std::vector<Contender> contenders = {{"move", [&] { op.run(src, dst); }}};
  for (const CopyKind kind : copy_kinds)
    contenders.push_back({name_of(kind), [=, &executor] { copy_plain(kind, dst, src, copied_bytes, executor); }});
  if (op.loop) contenders.push_back({"loop", [&] { op.loop(src, dst); }});
  take_turns(contenders, std::max(effort.n_samples, least_samples), effort.limit_seconds);

  const Contender& move = contenders[0];
  Row row;
  row.name = f.c.name;
  row.element_bytes = op.element_bytes;
  row.bytes = op.moved_bytes;
  row.seconds = median(move.seconds);
  row.iqr = interquartile_range(move.seconds);
  const double scale = static_cast<double>(op.moved_bytes) / static_cast<double>(std::max<std::int64_t>(1, 2 * copied_bytes));
  for (std::size_t k = 1; k <= copy_kinds.size(); ++k) row.copies.emplace_back(contenders[k].name, scale * median(contenders[k].seconds));
  if (op.loop) row.loop_seconds = median(contenders.back().seconds);
  row.scaled_by = f.c.scaled_by;
  row.threads = executor.n_workers();
  row.samples = std::ssize(move.seconds);
  row.repeats = move.repeats;
  row.checked = op.checked;
  return row;
}

}  // namespace

Fitted fitted(const Case& asked, const MakeSpecMap& make_map, std::int64_t memory_bytes) {
  Fitted f{asked, array_bytes_of(asked, make_map)};
  while (multiply(2, f.larger()) > memory_bytes) {
    std::optional<Case> smaller = halved(f.c);
    if (!smaller)
      throw Error(ErrorCode::too_large, asked.place + ": " + asked.name + " needs more than " + std::to_string(memory_bytes) +
                                            " bytes however often its extents are halved; give more with --memory");
    f.c = std::move(*smaller);
    f.bytes = array_bytes_of(f.c, make_map);
  }
  return f;
}

std::int64_t default_memory_bytes() {
  const std::int64_t available = available_bytes();
  return available > 0 ? std::min(most_default_bytes, available / 5 * 2) : most_default_bytes;
}

void run_permute(const std::vector<Case>& cases, const MakeSpecMap& make_map, const Effort& effort, std::uint64_t seed, Executor& executor,
                 Report& report, const MakePlan& make_plan) {
  std::vector<Fitted> list;
  std::int64_t capacity = 0;
  for (const Case& c : cases) {  // all before the first is run, so that a mistake in the last line is told now
    list.push_back(fitted(c, make_map, effort.memory_bytes));
    capacity = std::max(capacity, list.back().larger());
  }
  Buffers buffers(capacity, executor);
  for (const Fitted& f : list) {
    const Operation op = make_operation(f.c, make_map, seed, executor, make_plan);
    check(f, op, buffers, seed, executor);
    report.add(measured(f, op, buffers, effort, executor));
    ++seed;
  }
}

}  // namespace crinkle::bench
