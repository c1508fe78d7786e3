// crinkle bench: how fast this machine moves, beside how fast it copies. The suites themselves are in bench/suites/; here are their options
// and what only the command knows: its notation (case_map.cpp) and its files.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <span>

#include "api/timing.hpp"
#include "base/caret.hpp"
#include "case_map.hpp"
#include "command.hpp"
#include "json_file.hpp"
#include "planning.hpp"
#include "suites/against.hpp"
#include "suites/buffers.hpp"
#include "suites/copy.hpp"
#include "suites/hypercubic.hpp"
#include "suites/simplex.hpp"
#include "suites/suites.hpp"
#include "version.hpp"

namespace crinkle::tool {
namespace {

constexpr std::int64_t smallest_copy_bytes = 1 << 20;

struct Options {
  std::string suite, cases, device = "auto", json, against;
  std::vector<std::string> filters;
  std::string bytes, memory, behind;
  std::optional<int> samples;
  std::optional<std::uint64_t> seed;
  int threads = 0;
  Planning planning;
  bool is_forced = false, is_hot = false;
};

/// Those with one of the filters in their name.
std::vector<bench::Case> chosen(const std::vector<bench::Case>& all, const std::string& of, const Options& o) {
  std::vector<bench::Case> some;
  for (const bench::Case& c : all) {
    bool is_chosen = o.filters.empty();
    for (const std::string& part : o.filters) is_chosen |= c.name.find(part) != std::string::npos;
    if (is_chosen) some.push_back(c);
  }
  if (!some.empty()) return some;
  std::string parts;
  for (const std::string& part : o.filters) parts += (parts.empty() ? "'" : ", '") + shown(part) + "'";
  throw Error(ErrorCode::bad_notation,
              fmt::format("no case of {} has {} in its name; the first of {} is {}", of, parts, all.size(), all[0].name));
}

// What a GPU is asked for: without CUDA there is none.
#if CRINKLE_HAS_CUDA
constexpr auto permute_on_gpu = bench::run_permute_on_gpu;
constexpr auto copy_on_gpu = bench::run_copy_on_gpu;
constexpr auto hypercubic_on_gpu = bench::run_hypercubic_on_gpu;
constexpr auto simplex_on_gpu = bench::run_simplex_on_gpu;
#else
constexpr auto permute_on_gpu = [](auto&&...) {};
constexpr auto copy_on_gpu = [](auto&&...) {};
constexpr auto hypercubic_on_gpu = [](auto&&...) {};
constexpr auto simplex_on_gpu = [](auto&&...) {};
#endif

// Of source and destination together.
std::int64_t memory_bytes(const Options& o, Device device) {
  if (!o.memory.empty()) return parse_bytes("--memory", o.memory);
  if (device.kind == Device::Kind::cpu) return bench::default_memory_bytes();
  constexpr std::int64_t most = std::int64_t{8} << 30;
  return std::min(most, facts_of(device).free_bytes / 5 * 4);
}

// How far behind a page arrays begin.
std::int64_t behind_bytes(const Options& o) {
  if (o.behind.empty()) return 0;
  constexpr std::int64_t limit = bench::Region::page_bytes / 2;
  const std::int64_t n = parse_bytes("--behind", o.behind);
  if (n < limit) return n;
  throw Error(ErrorCode::bad_notation, fmt::format("--behind {}: give less than {} bytes", n, limit));
}

/// What every suite runs with.
struct Run {
  const Options& o;
  Device device;
  Executor& executor;
  std::uint64_t seed;
  bench::Effort effort;
  bench::Report& report;

  bool is_on_gpu() const { return device.kind == Device::Kind::cuda; }
};

void run_copy(const Run& run) {
  std::vector<std::int64_t> n_bytes;
  const std::string& asked = run.o.bytes;
  n_bytes.push_back(asked.empty() ? smallest_copy_bytes : parse_bytes("--bytes", asked));
  const std::int64_t most = asked.empty() ? run.effort.memory_bytes / 2 : 0;
  while (n_bytes.back() <= most / 4) n_bytes.push_back(4 * n_bytes.back());
  if (run.is_on_gpu()) copy_on_gpu(n_bytes, run.effort, run.seed, run.device, run.report);
  else bench::run_copy(n_bytes, run.effort, run.seed, run.executor, run.report);
}

void run_hypercubic(const Run& run) {
  if (run.is_on_gpu()) hypercubic_on_gpu(std::span(bench::hypercubic_extents), run.effort, run.seed, run.device, run.report);
  else bench::run_hypercubic(std::span(bench::hypercubic_extents), run.effort, run.seed, run.executor, run.report);
}

void run_simplex(const Run& run) {
  const bench::SimplexSizes sizes = bench::simplex_sizes(run.device.kind);
  if (run.is_on_gpu()) simplex_on_gpu(sizes, run.o.filters, run.effort, run.seed, run.device, run.report);
  else bench::run_simplex(sizes, run.o.filters, run.effort, run.seed, run.executor, run.report);
}

void run_cases(const Run& run, const bench::Suite& suite, Executor& executor) {
  if (run.is_on_gpu()) {
    permute_on_gpu(suite.cases, map_of, run.effort, run.seed, run.device, run.report, suite.beside);
    return;
  }
  const auto plan = [&run](const Rearrangement& r, Executor& workers) { return run.o.planning.plan(r, workers); };
  bench::run_permute(suite.cases, map_of, run.effort, run.seed, executor, run.report, plan, suite.beside);
}

void run_chosen(const Run& run, bench::Suite suite, const std::string& of) {
  suite.cases = chosen(suite.cases, of, run.o);
  run_cases(run, suite, run.executor);
  run.report.print_summary();
}

void run_permute(const Run& run) { run_chosen(run, {bench::read_cases(run.o.cases)}, run.o.cases); }
void run_rearrange(const Run& run) { run_chosen(run, bench::rearrange_suite(), "rearrange"); }
void run_records(const Run& run) { run_chosen(run, bench::records_suite(), "records"); }
void run_fused(const Run& run) { run_chosen(run, bench::fused_suite(map_of), "fused"); }
void run_small(const Run& run) { run_chosen(run, bench::small_suite(map_of), "small"); }

void run_scaling(const Run& run) {
  const int most = run.executor.n_workers();
  for (int n = 1; !run.is_on_gpu(); n = std::min(2 * n, most)) {
    run_cases(run, bench::threads_suite(n), *make_executor(n));
    if (n == most) break;
  }
  run_cases(run, bench::sizes_suite(), run.executor);
}

struct Suite {
  const char* name;
  const char* what;
  std::vector<std::string> options;  // of those that not every suite takes
  void (*run)(const Run&);
};
const std::vector<Suite>& suites() {
  static const std::vector<Suite> all = {
      {"copy", "what plain copies reach", {"--bytes"}, run_copy},
      {"permute", "the cases of a file", {"--cases", "--case", "--memory", "--behind", "--plan measure"}, run_permute},
      {"hypercubic", "flip, shift, crinkle and blur of N x N, as Hawick and Playne's figures 12 to 15", {"--memory"}, run_hypercubic},
      {"rearrange",
       "reads, writes, orders and interlacing, as the Tesla C1060 library's tables",
       {"--case", "--memory", "--behind", "--plan measure"},
       run_rearrange},
      {"records", "conversions between layouts of records", {"--case", "--memory", "--behind", "--plan measure"}, run_records},
      {"fused", "chains of operations in one pass, and step by step", {"--case", "--memory", "--behind", "--plan measure"}, run_fused},
      {"small",
       "small arrays: latency, caches full and empty, planning, 1000 at once",
       {"--case", "--behind", "--plan measure"},
       run_small},
      {"scaling", "over threads, size and rank", {"--memory", "--behind", "--plan measure"}, run_scaling},
      {"simplex",
       "maps of triangles and tetrahedra, as Navarro et al.'s figures 3 and 5; distances, collisions, triplets",
       {"--case", "--memory"},
       run_simplex}};
  return all;
}

const Suite& suite_of(const std::string& name) {
  std::string names;
  for (const Suite& s : suites()) {
    if (s.name == name) return s;
    names += (names.empty() ? "" : &s == &suites().back() ? " and " : ", ") + std::string(s.name);
  }
  throw Error(ErrorCode::bad_notation, "there is no suite '" + shown(name) + "'; the suites are " + names);
}

void refuse(bool is_given, const std::string& option, const Suite& suite) {
  const bool is_taken = std::find(suite.options.begin(), suite.options.end(), option) != suite.options.end();
  if (is_given && !is_taken)
    throw Error(ErrorCode::bad_notation, option + " is not for the suite " + suite.name + "; see crinkle bench --help");
}

void check(const Options& o, const Suite& suite) {
  refuse(!o.cases.empty(), "--cases", suite);
  refuse(!o.filters.empty(), "--case", suite);
  refuse(!o.memory.empty(), "--memory", suite);
  refuse(!o.bytes.empty(), "--bytes", suite);
  refuse(!o.behind.empty(), "--behind", suite);
  if (o.planning.is_measured()) refuse(true, "--plan measure", suite);
  o.planning.check();
  if (o.suite == "permute" && o.cases.empty())
    throw Error(ErrorCode::bad_notation, "the suite permute needs --cases FILE, as in --cases bench/cases/permutations.txt");
  if (o.samples && *o.samples < least_samples)
    throw Error(ErrorCode::bad_notation,
                fmt::format("--samples {}: give {} or more, so that the median means something", *o.samples, least_samples));
}

void run_bench(const Options& o) {
  const Suite& suite = suite_of(o.suite);
  check(o, suite);
  const Device device = parse_device(o.device).value_or(cpu());
  const bool is_on_gpu = device.kind == Device::Kind::cuda;
  if (is_on_gpu && o.planning.is_measured())
    throw Error(ErrorCode::bad_notation, "--plan measure is not for a GPU; see crinkle bench --help");
  const std::int64_t behind = behind_bytes(o);
  if (is_on_gpu && behind != 0) throw Error(ErrorCode::bad_notation, "--behind is not for a GPU; see crinkle bench --help");
  const auto executor = make_executor(o.threads);
  JsonFile json(o.json, o.is_forced ? Overwrite::force : Overwrite::refuse);
  const auto now = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch());
  const std::uint64_t seed = o.seed.value_or(static_cast<std::uint64_t>(now.count()));
  std::FILE* table = o.json == "-" ? stderr : stdout;
  bench::Origin origin{o.suite, executor->n_workers(), seed, commit(), o.planning.word};
  if (o.suite == "hypercubic") origin.facts = bench::hypercubic_facts();
  if (o.suite == "simplex") origin.facts = bench::simplex_facts();
  if (behind != 0) origin.facts["behind_bytes"] = behind;
  if (is_on_gpu) origin = on_gpu(std::move(origin), device);
  std::optional<bench::Against> against;
  if (!o.against.empty()) {
    against.emplace(o.against);
    against->check(origin);
  }
  bench::Report report(origin, table);
  bench::Effort effort{
      .n_samples = o.samples.value_or(9), .memory_bytes = memory_bytes(o, device), .has_cold = !o.is_hot, .behind_bytes = behind};
  suite.run({o, device, *executor, seed, effort, report});
  json.write(report.json());
  if (!against) return;
  effort.has_cold = false;  // what is compared is hot
  against->print(report.rows(), table, [&](const std::set<std::string>& names) {
    bench::Report anew(origin, names);
    suite.run({o, device, *executor, seed, effort, anew});
    return anew.rows();
  });
}

}  // namespace

Action add_bench(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "Measure moves beside plain copies of as many bytes");
  auto o = std::make_shared<Options>();
  std::string names;
  for (const Suite& s : suites()) names += (names.empty() ? "" : ", ") + std::string(s.name);
  command->add_option("SUITE", o->suite, names)->required();
  command->add_option("--cases", o->cases, "permute: the case file, such as bench/cases/permutations.txt")->type_name("FILE");
  command->add_option("--case", o->filters, "only cases with this in their name (repeatable)")
      ->type_name("TEXT")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--memory", o->memory, "of source and destination together; larger cases are halved until they fit")
      ->type_name("BYTES");
  command->add_option("--behind", o->behind, "arrays begin so many bytes behind a page; large ones of malloc 16 behind one")
      ->type_name("BYTES");
  command->add_option("--bytes", o->bytes, "copy: of one copy; several from 1MiB on when left out")->type_name("BYTES");
  command->add_option("--samples", o->samples, "timed runs of each, 7 at least; 9 when left out")->type_name("N");
  command->add_flag("--hot", o->is_hot, "leave out the runs that find the caches empty");
  command->add_option("--seed", o->seed, "of the data; from the clock when left out")->type_name("N");
  command->add_option("--device", o->device, "auto (cpu), cpu or cuda[:N]")->type_name("DEVICE")->capture_default_str();
  command->add_option("--threads", o->threads, "CPU threads; 0 for all")->type_name("N")->capture_default_str();
  o->planning.add_to(*command);
  command->add_option("--json", o->json, "write all numbers to this file; - for standard output")->type_name("FILE");
  command->add_option("--against", o->against, "compare with what --json wrote earlier; fails where a row is slower, measured again")
      ->type_name("FILE");
  command->add_flag("--force", o->is_forced, "replace a file that exists");
  std::string footer = "Suites:\n";
  for (const Suite& s : suites()) footer += fmt::format("  {:<11} {}\n", s.name, s.what);
  command->footer(footer +
                  "All of them run on a CPU and with --device cuda on a GPU, which leaves out bit planes and numbers of threads.\n"
                  "Every result is checked before it is timed. Bytes with a unit: 64KiB, 512MiB, 2GiB.\n"
                  "With --against a row is lost where its time and its share of a copy both fall by more than the noise and 15 %,\n"
                  "and do so again when it is measured anew; of one that fell within a larger noise nobody can tell. Only hot runs count.\n"
                  "Examples:\n"
                  "  crinkle bench hypercubic\n"
                  "  crinkle bench copy --bytes 64MiB --threads 1\n"
                  "  crinkle bench small --case flip --json small.json\n"
                  "  crinkle bench permute --cases cases.txt --json permute.json\n"
                  "  crinkle bench permute --cases cases.txt --case transpose --threads 1 --behind 16\n"
                  "  crinkle bench permute --cases cases.txt --against permute.json");
  return [o] { run_bench(*o); };
}

}  // namespace crinkle::tool
