// SPDX-License-Identifier: BSD-3-Clause
#include "harness/contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/checked.hpp"
#include "harness/random.hpp"
#include "operation/model.hpp"

namespace crinkle::bench {
namespace {

std::vector<Contender> contenders_of(const Contest& c) {
  std::vector<Contender> all;
  for (const Way& way : c.ways) {
    for (const auto& part : way.parts) {
      all.push_back({.name = way.name, .run = part, .has_cold = way.has_cold});
      if (way.clock) all.back().clock = *way.clock;
    }
  }
  for (const Ceiling& ceiling : c.ceilings) all.push_back({ceiling.name, ceiling.run});
  for (const Ceiling& fill : c.fills) all.push_back({.name = fill.name, .run = fill.run, .has_cold = false});
  return all;
}

/// The row of one way, without what the others are to it.
Row row_of(const Contest& c, const Way& way, std::span<const Contender> timed, std::span<const Contender> ceilings) {
  Row row;
  row.name = c.name;
  if (c.rows == Contest::Rows::all) row.name += (c.name.empty() ? "" : c.between) + way.name;
  row.element_bytes = c.element_bytes;
  row.bytes = c.bytes;
  row.set_times(timed, 1 / way.n_each);
  if (!ceilings.empty()) row.set_copies(ceilings, c.ceilings.empty() ? 1 : c.ceilings[0].scale);
  row.scaled_by = c.scaled_by;
  row.checked = c.checked;
  row.remark = c.remark + (c.remark.empty() || way.remark.empty() ? "" : "  ") + way.remark;
  if (c.facts.is_object()) row.facts.update(c.facts);
  if (way.facts.is_object()) row.facts.update(way.facts);
  for (std::size_t k = 0; k < way.part_names.size(); ++k) row.facts["parts"][way.part_names[k]] = median(timed[k].seconds) / way.n_each;
  if (c.units > 0) {
    row.facts[c.unit] = c.units;
    row.facts[c.unit + "_per_s"] = static_cast<double>(c.units) / row.seconds;
    row.remark += fmt::format("{}{:.3g} G{}/s", row.remark.empty() ? "" : "  ", 1e-9 * static_cast<double>(c.units) / row.seconds, c.unit);
  }
  if (c.plot)
    row.facts["plot"] = {{"title", c.plot->title},
                         {"x", c.plot->x},
                         {"x_label", c.plot->x_label},
                         {"series", c.plot->series.empty() ? way.name : c.plot->series},
                         {"y", c.plot->y}};
  return row;
}

void put_beside_fills(Row& row, std::span<const Contender> fills, std::int64_t n_bytes) {
  if (fills.empty()) return;
  Row filled;
  filled.set_copies(fills);
  for (const auto& [name, seconds] : filled.copies) row.facts["fills_gb_per_s"][name] = static_cast<double>(n_bytes) / seconds * 1e-9;
  row.facts["fraction_of_fill"] = filled.best_copy().second / row.seconds;
}

bool is_wanted(const Entry& e, const Report& report) {
  return report.wants_any([&](const std::string& name) { return name.starts_with(e.name); });
}

}  // namespace

std::vector<Ceiling> ceilings_of(std::vector<Contender> plain, double scale) {
  std::vector<Ceiling> all;
  for (Contender& c : plain) all.push_back({std::move(c.name), std::move(c.run), scale});
  return all;
}

Contest contest(const std::string& name, const crinkle::Operation& operation, Site& site, const std::function<void()>& right,
                std::string checked) {
  std::vector<ConstBuffer> in;
  for (const Port& port : operation.inputs()) {
    const std::byte* const at = in.empty() ? site.source() : static_cast<const std::byte*>(in.back().data) + in.back().bytes;
    in.push_back({at, port.layout.n_bytes()});
  }
  const std::int64_t n_in = bytes_of(operation.inputs()), n_out = bytes_of(operation.outputs());
  const std::int64_t n_own = operation.workspace_bytes();
  const auto run = [=, &site, workspace = site.memory(n_own)] {
    const Buffer out{site.destination(), n_out};
    operation.run(in, {&out, 1}, site.worker(), {workspace.get(), n_own});
  };
  Contest c;
  c.name = name;
  c.element_bytes = operation.outputs()[0].layout.element_bytes;
  c.bytes = n_in + n_out;
  c.ways = {{"crinkle", run}};
  c.check = [=, &site] {
    site.poison(n_out);
    run();
    site.wait();
    right();
    if (!site.is_guard_whole(n_out)) throw std::runtime_error(name + ": bytes beside the output were written");
  };
  c.checked = std::move(checked);
  const std::int64_t copied = std::min(n_in, n_out);
  c.ceilings = n_in == 0 ? ceilings_of(site.fills(n_out))
                         : ceilings_of(site.copies(copied), static_cast<double>(c.bytes) / static_cast<double>(2 * copied));
  return c;
}

void expect_defined(const std::string& name, const crinkle::Operation& operation, Site& site) {
  constexpr int n_drawn = 2000;
  const Port &in = operation.inputs()[0], &out = operation.outputs()[0];
  const std::vector<std::byte> source = site.on_host(site.source(), in.touched.last),
                               made = site.on_host(site.destination(), out.touched.last);
  const auto taken = [](const Port& port, const Ranges& ranges, const std::vector<std::byte>& all) {
    std::vector<std::byte> some(static_cast<std::size_t>(bytes_of(port.layout, ranges)));
    Plan(window(port.layout, ranges)).run(ConstBuffer(all), Buffer(some));
    return some;
  };
  std::uint64_t state = 42;
  for (int k = 0; k < n_drawn; ++k) {
    Ranges part;
    for (const Cut& cut : operation.cuts()) {
      const auto drawn = static_cast<std::int64_t>(next_random(state) >> 8), near = std::min<std::int64_t>(drawn / 8 % 4, cut.extent - 1);
      part.push_back({drawn % 8 == 0 ? near : drawn % 8 == 1 ? cut.extent - 1 - near : drawn / 8 % cut.extent, 1});
    }
    const std::vector<std::byte> given = taken(in, operation.needs(part)[0], source), have = taken(out, operation.gives(part)[0], made);
    std::vector<std::byte> want(have.size());
    const ConstBuffer from(given);
    const Buffer to(want);
    operation.part(part).define({&from, 1}, {&to, 1});
    if (want == have) continue;
    std::string at;
    for (const Range& range : part) at += fmt::format("[{}]", range.first);
    throw std::runtime_error(fmt::format("{}: {} is not as defined", name, at));
  }
}

std::vector<Row> rows_of(Site& site, const Contest& c, const Effort& effort) {
  if (!c.check || c.checked.empty()) throw std::logic_error(c.name + ": a contest without a check");
  c.check();
  std::vector<Contender> contenders = contenders_of(c);
  site.take_turns(contenders, effort);

  const std::span<const Contender> taken = contenders;
  std::size_t n_parts = 0;
  for (const Way& way : c.ways) n_parts += way.parts.size();
  const auto ceilings = c.are_ceilings ? taken.first(n_parts) : taken.subspan(n_parts, c.ceilings.size());
  std::vector<Row> rows;
  std::size_t at = 0;
  const auto add_facts = [&](const std::string& fact, double seconds) {
    for (Row& row : rows) row.facts[fact] = seconds;
  };
  for (const Way& way : c.ways) {
    const auto parts = taken.subspan(at, way.parts.size());
    at += way.parts.size();
    if (!way.fact.empty()) {
      add_facts(way.fact, median(parts[0].seconds));
    } else if (rows.empty() || c.rows == Contest::Rows::all) {
      rows.push_back(row_of(c, way, parts, ceilings));
      Row& row = rows.back();
      row.threads = site.threads();
      put_beside_fills(row, taken.subspan(n_parts + c.ceilings.size()), c.filled_bytes);
      if (!c.is_raced || c.ways.size() < 2) continue;
      row.facts["improvement"] = rows[0].seconds / row.seconds;
      if (rows.size() > 1) row.remark += fmt::format("  {:.2f} x {}", rows[0].seconds / row.seconds, c.ways[0].name);
    } else if (way.name == "loop") {
      rows[0].loop_seconds = median(parts[0].seconds);
    } else {
      rows[0].rivals.push_back(rival_of(parts[0]));
    }
  }
  return rows;
}

void run_entries(Site& site, const std::vector<Entry>& entries, const Effort& effort, std::uint64_t seed, Report& report) {
  const auto fits = [&](const Entry& e) {
    return effort.memory_bytes == 0 || add(e.arrays.source, e.arrays.destination) <= effort.memory_bytes;
  };
  if (std::none_of(entries.begin(), entries.end(), [&](const Entry& e) { return fits(e) && e.reason.empty(); }))
    throw Error(ErrorCode::too_large, fmt::format("{}: none of {} entries can run here, in {} bytes; give more with --memory",
                                                  entries.at(0).name, entries.size(), effort.memory_bytes));
  ArrayBytes largest;
  std::vector<bool> is_run;
  for (const Entry& e : entries) {
    is_run.push_back(fits(e) && e.reason.empty() && is_wanted(e, report));
    if (!e.reason.empty()) report.note(e.name + ": " + e.reason + ", left out");
    else if (!fits(e)) report.note(fmt::format("{} left out: give more than {} bytes with --memory", e.name, effort.memory_bytes));
    if (!is_run.back()) continue;
    largest = {std::max(largest.source, e.arrays.source), std::max(largest.destination, e.arrays.destination)};
  }
  site.reserve(largest);
  if (const std::string note = site.note(effort); !note.empty()) report.note(note);
  std::string group;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Entry& e = entries[k];
    if (!is_run[k]) continue;
    if (!e.group.empty() && e.group != group) report.note("\n" + e.group);
    group = e.group;
    site.use_threads(e.threads);
    for (Row& row : rows_of(site, e.make(site, seed + k), effort)) report.add(std::move(row));
  }
  site.use_threads(0);
}

}  // namespace crinkle::bench
