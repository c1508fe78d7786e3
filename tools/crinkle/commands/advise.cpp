// crinkle advise: which layout suits records that are read and written in a certain way, found out by measuring.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

#include "base/memory.hpp"
#include "base/timing.hpp"
#include "command_line/shared_options.hpp"
#include "command_line/version.hpp"
#include "crinkle/crinkle.hpp"
#include "files/json_file.hpp"
#include "harness/report.hpp"
#include "running/planning.hpp"

namespace crinkle::tool::advise_command {
namespace {

constexpr std::int64_t usual_bytes = 256 << 20;          // of the records in the largest layout
constexpr std::int64_t usual_bytes_of_jumps = 64 << 20;  // on a CPU in another order than theirs, which takes ten times as long

struct Options {
  std::string fields, reads, writes, order = "sequential", from, device = "auto", json;
  std::vector<std::string> to;
  std::optional<std::int64_t> records;
  std::uint64_t seed = 1;
  int samples = 9, threads = 0;
  bool is_forced = false;
};

std::vector<RecordLayout> layouts_of(const Options& o, const Fields& fields) {
  std::vector<RecordLayout> layouts;
  for (const std::string& text : o.to) layouts.push_back(RecordLayout::parse(text, fields));
  return layouts;
}

// So many that no cache holds them, but no more than a third of the memory: they lie there twice.
std::int64_t usual_records(const Fields& fields, const AccessPattern& pattern, const AdviseOptions& options) {
  std::int64_t record_bytes = options.from ? options.from->record_bytes() : 1;
  for (const RecordLayout& layout : options.candidates.empty() ? candidate_layouts(fields, pattern) : options.candidates)
    record_bytes = std::max(record_bytes, layout.record_bytes());
  const bool is_gpu = options.device.kind == Device::Kind::cuda;
  const std::int64_t available = is_gpu ? facts_of(options.device).free_bytes : available_bytes();
  const bool has_jumps = !is_gpu && pattern.order.kind != AccessOrder::Kind::sequential;
  const std::int64_t most = has_jumps ? usual_bytes_of_jumps : usual_bytes, bytes = available > 0 ? std::min(most, available / 3) : most;
  return std::max<std::int64_t>(1, bytes / record_bytes);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

std::string what_is_done(const AccessPattern& pattern) {
  std::string text;
  if (!pattern.reads.empty()) text += "read " + joined(pattern.reads);
  if (!pattern.writes.empty()) text += (text.empty() ? "write " : ", write ") + joined(pattern.writes);
  switch (pattern.order.kind) {
    case AccessOrder::Kind::random: return text + ", in random order";
    case AccessOrder::Kind::strided: return text + fmt::format(", in steps of {} records", pattern.order.step);
    default: return text + ", one record after the other";
  }
}

// Three digits that count, in the unit that suits: "12.3 ms".
std::string print_seconds(double seconds) {
  const auto print = [](double value, const char* unit) {
    return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : value < 100 ? 1 : 0, unit);
  };
  if (seconds >= 1) return print(seconds, "s");
  return seconds >= 1e-3 ? print(seconds * 1e3, "ms") : print(seconds * 1e6, "us");
}

void print_table(const Advice& advice, std::FILE* table) {
  std::size_t width = 6;
  for (const Candidate& c : advice.candidates) width = std::max(width, c.layout.print().size());
  const bool has_present = advice.present() != nullptr;
  fmt::print(table, "{:<{}}  {:>5}  {:>10}  {:>8}  {:>7}  {:>7}{}\n", "layout", width, "bytes", "a pass", "GB/s", "of copy", "x best",
             has_present ? "     convert  pays after" : "");
  const double best = advice.candidates[0].seconds, copy = advice.best_copy_seconds();
  for (const Candidate& c : advice.candidates) {
    std::string line = fmt::format("{:<{}}  {:>5}  {:>10}  {:>8.2f}  {:>5.0f} %  {:>7.2f}", c.layout.print(), width,
                                   c.layout.record_bytes(), print_seconds(c.seconds), c.gb_per_s, 100 * copy / c.seconds, c.seconds / best);
    if (c.is_present) line += "  as they lie";
    if (c.convert_seconds)
      line += fmt::format("  {:>10}  {:>10}", print_seconds(*c.convert_seconds), c.pays_after ? std::to_string(*c.pays_after) : "-");
    fmt::print(table, "{}\n", line);
  }
}

// Which layout to take, and whether to convert.
std::string verdict(const Advice& advice) {
  const Candidate& best = advice.candidates[0];
  const Candidate* present = advice.present();
  const auto times = [](const Candidate& slow, const Candidate& fast) { return fmt::format("{:.2f} times", slow.seconds / fast.seconds); };
  const std::string name = best.layout.print();
  if (present != nullptr) {
    if (best.is_present) return fmt::format("{}, as the records lie now, is the fastest: do not convert.", name);
    if (Advice::are_equally_fast(best, *present))
      return fmt::format("{} is the fastest, but {}, as the records lie now, is as fast within the noise: do not convert.", name,
                         present->layout.print());
    // Chooses, among those as fast as the best, the one that takes the least time to convert into.
    const Candidate* choice = &best;
    for (const Candidate& c : advice.candidates)
      if (Advice::are_equally_fast(c, best) && c.pays_after && *c.convert_seconds < *choice->convert_seconds / 1.1) choice = &c;
    const std::string chosen = choice->layout.print();
    const std::string said = choice == &best ? "" : fmt::format("{} is the fastest, and {} as fast within the noise; ", name, chosen);
    return fmt::format("{}{} is {} as fast as {}; converting takes {} and pays after {} pass{}.", said, chosen, times(*present, *choice),
                       present->layout.print(), print_seconds(*choice->convert_seconds), *choice->pays_after,
                       *choice->pays_after == 1 ? "" : "es");
  }
  if (advice.candidates.size() == 1) return fmt::format("{} was the only layout to measure; name others with --to.", name);
  std::string alike;
  std::size_t k = 1;
  for (; k < advice.candidates.size() && Advice::are_equally_fast(best, advice.candidates[k]); ++k)
    alike += (alike.empty() ? "" : ", ") + advice.candidates[k].layout.print();
  std::string text = name + " is the fastest";
  if (!alike.empty()) text += fmt::format("; as fast within the noise: {}", alike);
  const Candidate& last = advice.candidates.back();
  return k == advice.candidates.size() ? text + "." : text + fmt::format("; {} takes {} as long.", last.layout.print(), times(last, best));
}

bench::Report report_of(const Advice& advice, bench::Origin origin, const Fields& fields, const AccessPattern& pattern, int n_samples,
                        std::FILE* table) {
  origin.facts = {{"fields", print_fields(fields)},
                  {"reads", pattern.reads},
                  {"writes", pattern.writes},
                  {"order", pattern.order.print()},
                  {"records", advice.n}};
  const bool is_gpu = !origin.device.empty();
  const int threads = is_gpu ? 0 : origin.threads;
  bench::Report report(std::move(origin), table);
  for (const Candidate& c : advice.candidates) {
    bench::Row row;
    row.name = c.layout.print();
    row.element_bytes = c.layout.record_bytes();
    row.bytes = advice.pass_bytes;
    row.seconds = c.seconds;
    row.iqr = c.iqr;
    row.copies = advice.copies;
    row.threads = threads;
    row.samples = n_samples;
    row.repeats = c.repeats;
    row.checked = "definition";
    row.facts["layout_bytes"] = c.bytes;
    row.facts["times_best"] = c.seconds / advice.candidates[0].seconds;
    row.facts["is_present"] = c.is_present;
    if (c.convert_seconds) row.facts["convert_seconds"] = *c.convert_seconds;
    if (c.pays_after) row.facts["pays_after"] = *c.pays_after;
    report.keep(std::move(row));
  }
  return report;
}

void run_advise(const Options& o) {
  const auto refuse = [](const std::string& text) { throw Error(ErrorCode::bad_notation, text); };
  if (o.fields.empty()) refuse("--fields is required: names and types, as in --fields 'x:f4 y:f4 z:f4 p:f4'");
  const Fields fields = parse_fields(o.fields);
  const AccessPattern pattern{parse_field_names(o.reads, fields), parse_field_names(o.writes, fields), AccessOrder::parse(o.order)};
  if (pattern.reads.empty() && pattern.writes.empty())
    refuse("say what a pass does with a record: --read and --write with names of fields, as in --read '" + fields[0].name + "'");
  AdviseOptions options;
  if (!o.from.empty()) options.from = RecordLayout::parse(o.from, fields);
  options.candidates = layouts_of(o, fields);
  if (o.records && *o.records < 1) throw Error(ErrorCode::bad_shape, fmt::format("--records {}: give 1 or more", *o.records));
  if (o.samples < least_samples)
    refuse(fmt::format("--samples {}: give {} or more, so that the median means something", o.samples, least_samples));
  options.device = parse_device(o.device).value_or(cpu());
  const auto executor = make_executor(o.threads);
  options.executor = executor.get();
  options.samples = o.samples;
  options.seed = o.seed;
  const std::int64_t n = o.records ? *o.records : usual_records(fields, pattern, options);
  JsonFile json(o.json, o.is_forced ? Overwrite::force : Overwrite::refuse);

  bench::Origin origin{"advise", executor->n_workers(), o.seed, commit()};
  if (options.device.kind == Device::Kind::cuda) origin = on_gpu(std::move(origin), options.device);
  std::FILE* table = o.json == "-" ? stderr : stdout;
  const Advice advice = advise(fields, pattern, n, options);
  fmt::print(table, "{}: {} records of {}\n{}\n", device_of(origin), n, print_fields(fields), what_is_done(pattern));
  print_table(advice, table);
  if (advice.candidates[0].repeats > 1)
    fmt::print(table, "So few records may have stayed in a cache; give more with --records where yours do not.\n");
  fmt::print(table, "{}\n", verdict(advice));
  json.write(report_of(advice, std::move(origin), fields, pattern, o.samples, table).json());
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("advise", "Measure which layout of records suits a pattern of accesses");
  add_fields(c, o->fields);
  c.option("--read", "NAMES", o->reads, "the fields that a pass reads: 'x y'");
  c.option("--write", "NAMES", o->writes, "the fields that it writes, which may be among those read");
  c.option("--order", "ORDER", o->order, "in which it visits the records: sequential, random or strided:K")
      .such_as({"sequential", "random", "strided:"})
      .manual("`random` visits every one once; `strided:`*K* 0, K, 2K and so on, then 1, 1+K and so on.");
  c.option("--from", "LAYOUT", o->from, "how the records lie now: what converting costs, and after how many passes it pays");
  c.option("--to", "LAYOUT", o->to, "measure this layout instead of those usually tried (repeatable)").repeatable();
  c.option("--records", "N", o->records, "how many; 256 MiB of them when left out, 64 MiB on a CPU in another order than theirs")
      .manual("No more than a third of the memory that is free.");
  c.option("--samples", "N", o->samples, "timed passes in each layout, 7 at least");
  c.option("--seed", "N", o->seed, "of the contents and the random order");
  add_device(c, o->device, "auto (cpu), cpu or cuda[:N]");
  add_threads(c, o->threads);
  add_json_file(c, o->json);
  add_force(c, o->is_forced, "replace a file that exists");
  c.notes =
      "A pass visits every record once; from the fields it reads it makes those it writes. Every layout's outcome is checked, then all "
      "take\n"
      "turns. GB/s count the fields read and written, not padding; beside them, the best plain copy of as many bytes.\n";
  c.examples = {
      "crinkle advise --fields 'x:f4 y:f4 z:f4 p:f4' --read 'x y z' --write p --from '(x y z p)' --records 1000000",
      "crinkle advise --fields 'x:f8 y:f8 z:f8 m:f8 id:u8' --read 'x y z m' --order random --records 1000000",
      "crinkle advise --fields 'x:f4 y:f4 z:f4' --read 'x y z' --to '(x y z)' --to '(x y z)@16' --to '(x y)@8|z' --records 1000000"};
  c.action = [o] { run_advise(*o); };
  return c;
}

const Registered registered(30, declare);

}  // namespace
}  // namespace crinkle::tool::advise_command
