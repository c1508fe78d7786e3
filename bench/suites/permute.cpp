// SPDX-License-Identifier: BSD-3-Clause
#include "suites/permute.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "api/timing.hpp"
#include "base/checked.hpp"
#include "base/memory.hpp"
#include "suites/buffers.hpp"
#include "suites/copy.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t most_default_bytes = std::int64_t{2} << 30;

struct Buffers {
  Region source, destination;
  Buffers(std::int64_t capacity, std::int64_t behind, Executor& executor)
      : source(capacity, executor, behind), destination(capacity, executor, behind) {}
};

struct Checked {
  const Operation& op;
  std::vector<std::pair<std::string, RunMove>> rivals;
};

/// Each way once, into a poisoned destination. Throws std::runtime_error for a result that is not as defined.
void check(const Fitted& f, const Checked& ways, Buffers& buffers, std::uint64_t seed, Executor& executor) {
  const Operation& op = ways.op;
  buffers.source.fill_random(op.bytes.source, seed, executor);
  const auto check_one = [&](const std::string& way, const RunMove& run) {
    buffers.destination.poison(op.bytes.destination, executor);
    run(buffers.source.data(), buffers.destination.data());
    const std::string which = f.c.place + ": " + f.c.name + way + ", seed " + std::to_string(seed) + ": ";
    const std::int64_t at = op.first_wrong(buffers.source.data(), buffers.destination.data());
    if (at >= 0) throw std::runtime_error(which + "byte " + std::to_string(at) + " of the result is not as defined");
    if (!buffers.destination.is_guard_whole(op.bytes.destination)) throw std::runtime_error(which + "bytes beside the result were written");
  };
  check_one("", op.run);
  for (const auto& [name, run] : ways.rivals) check_one(", " + name, run);
}

Row measured(const Fitted& f, const Checked& ways, Buffers& buffers, const Effort& effort, Executor& executor, const Clock& cold) {
  const Operation& op = ways.op;
  const std::byte* src = buffers.source.data();
  std::byte* dst = buffers.destination.data();
  const std::int64_t copied_bytes = std::min(f.larger(), op.moved_bytes / 2);  // read once and written once
  std::vector<Contender> contenders = {{"move", [&] { op.run(src, dst); }}};
  for (Contender& copy : plain_copies(dst, src, copied_bytes, executor)) contenders.push_back(std::move(copy));
  const std::size_t n_plain = contenders.size();
  if (op.loop) contenders.push_back({.name = "loop", .run = [&] { op.loop(src, dst); }, .has_cold = false});
  const std::size_t first_rival = contenders.size();
  for (const auto& [name, run] : ways.rivals) contenders.push_back({name, [&way = run, src, dst] { way(src, dst); }});
  take_hot_and_cold(contenders, effort, cold);

  const std::span<const Contender> taken = contenders;
  Row row;
  row.name = f.c.name;
  row.element_bytes = op.element_bytes;
  row.bytes = op.moved_bytes;
  row.set_times(taken.first(1));
  const double scale = static_cast<double>(op.moved_bytes) / static_cast<double>(std::max<std::int64_t>(1, 2 * copied_bytes));
  row.set_copies(taken.subspan(1, n_plain - 1), scale);
  if (op.loop) row.loop_seconds = median(taken[n_plain].seconds);
  for (const Contender& c : taken.subspan(first_rival)) row.rivals.push_back(rival_of(c));
  row.scaled_by = f.c.scaled_by;
  row.threads = executor.n_workers();
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
                 Report& report, const MakePlan& make_plan, const Beside& beside) {
  std::vector<Fitted> list;
  std::int64_t capacity = 0;
  for (const Case& c : cases) {  // all before the first is run, so that a mistake in the last line is told now
    list.push_back(fitted(c, make_map, effort.memory_bytes));
    if (report.wants(c.name)) capacity = std::max(capacity, list.back().larger());
  }
  Buffers buffers(capacity, effort.behind_bytes, executor);
  Evictor evictor(executor);
  for (const Fitted& f : list) {
    const std::uint64_t seed_of_case = seed++;
    if (!report.wants(f.c.name)) continue;
    const Operation op = make_operation(f.c, make_map, seed_of_case, executor, make_plan);
    Checked ways{op, {}};
    if (beside.rivals) ways.rivals = beside.rivals(f, Runner(executor));
    check(f, ways, buffers, seed_of_case, executor);
    Row row = measured(f, ways, buffers, effort, executor, evictor.clock());
    if (beside.finish) beside.finish(f, row);
    report.add(std::move(row));
  }
}

}  // namespace crinkle::bench
