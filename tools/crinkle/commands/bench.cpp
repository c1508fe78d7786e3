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

#include "base/caret.hpp"
#include "base/timing.hpp"
#include "command_line/shared_options.hpp"
#include "command_line/version.hpp"
#include "files/json_file.hpp"
#include "harness/against.hpp"
#include "harness/buffers.hpp"
#include "running/planning.hpp"
#include "suites/suites.hpp"
#include "words/case_map.hpp"

namespace crinkle::tool::bench_command {
namespace {

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

const bench::Suite& suite_of(const std::string& name) {
  std::string names;
  for (const bench::Suite& s : bench::suites()) {
    if (s.name == name) return s;
    names += (names.empty() ? "" : &s == &bench::suites().back() ? " and " : ", ") + std::string(s.name);
  }
  throw Error(ErrorCode::bad_notation, "there is no suite '" + shown(name) + "'; the suites are " + names);
}

// "permute, records and fft": the suites that take an option.
std::string takers_of(const std::string& option) {
  std::vector<std::string> names;
  for (const bench::Suite& s : bench::suites())
    if (std::find(s.options.begin(), s.options.end(), option) != s.options.end()) names.emplace_back(s.name);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

void refuse(bool is_given, const std::string& option, const bench::Suite& suite) {
  const bool is_taken = std::find(suite.options.begin(), suite.options.end(), option) != suite.options.end();
  if (is_given && !is_taken)
    throw Error(ErrorCode::bad_notation, option + " is not for the suite " + suite.name + ", but for " + takers_of(option));
}

void check(const Options& o, const bench::Suite& suite) {
  refuse(!o.cases.empty(), "--cases", suite);
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

void check(const bench::Suite& suite, Device device) {
  const bool is_on_gpu = device.kind == Device::Kind::cuda;
  if (suite.runs == (is_on_gpu ? bench::Suite::Runs::on_a_cpu : bench::Suite::Runs::on_a_gpu))
    throw Error(ErrorCode::bad_notation, fmt::format("the suite {} runs on a {}; give --device {}", suite.name, is_on_gpu ? "CPU" : "GPU",
                                                     is_on_gpu ? "cpu" : "cuda"));
}

void run_bench(const Options& o) {
  const bench::Suite& suite = suite_of(o.suite);
  check(o, suite);
  const Device device = parse_device(o.device).value_or(cpu());
  const bool is_on_gpu = device.kind == Device::Kind::cuda;
  if (is_on_gpu && o.planning.is_measured())
    throw Error(ErrorCode::bad_notation, "--plan measure is not for a GPU; see crinkle bench --help");
  const std::int64_t behind = behind_bytes(o);
  if (is_on_gpu && behind != 0) throw Error(ErrorCode::bad_notation, "--behind is not for a GPU; see crinkle bench --help");
  check(suite, device);
  const std::shared_ptr<Executor> executor = make_executor(o.threads);
  JsonFile json(o.json, o.is_forced ? Overwrite::force : Overwrite::refuse);
  const auto now = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch());
  const std::uint64_t seed = o.seed.value_or(static_cast<std::uint64_t>(now.count()));
  std::FILE* table = o.json == "-" ? stderr : stdout;
  bench::Origin origin{o.suite, executor->n_workers(), seed, commit(), o.planning.word};
  if (suite.facts != nullptr) origin.facts = suite.facts();
  if (behind != 0) origin.facts["behind_bytes"] = behind;
  if (is_on_gpu) origin = on_gpu(std::move(origin), device);
  std::optional<bench::Against> against;
  if (!o.against.empty()) {
    against.emplace(o.against);
    against->check(origin);
  }
  bench::Report report(origin, table);
  bench::Effort effort{
      .n_samples = o.samples.value_or(9), .memory_bytes = o.bytes.empty() ? memory_bytes(o, device) : 0, .has_cold = !o.is_hot};
  const auto site = is_on_gpu
                        ? bench::gpu_site(device)
                        : bench::cpu_site(executor, [&o](const Rearrangement& r, Executor& e) { return o.planning.plan(r, e); }, behind);
  bench::Request request{*site, effort, map_of, o.cases, {}, o.filters};
  if (!o.bytes.empty()) request.bytes = parse_bytes("--bytes", o.bytes);
  bench::run_suite(suite, request, seed, report);
  json.write(report.json());
  if (!against) return;
  effort.has_cold = false;  // what is compared is hot
  against->print(report.rows(), table, [&](const std::set<std::string>& names) {
    bench::Report anew(origin, names);
    bench::run_suite(suite, request, seed, anew);
    return anew.rows();
  });
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("bench", "Measure moves beside plain copies of as many bytes");
  std::string names, told = "Suites:\n";
  std::vector<std::string> words;
  for (const bench::Suite& s : bench::suites()) {
    names += (names.empty() ? "" : ", ") + std::string(s.name);
    told += fmt::format("  {:<11} {}\n", s.name, s.what);
    words.emplace_back(s.name);
  }
  c.argument("SUITE", o->suite, names).such_as(words).required();
  c.option("--cases", "FILE", o->cases, "permute: the case file, such as bench/cases/permutations.txt").file({".txt"});
  c.option("--case", "TEXT", o->filters, "only cases with this in their name").repeatable();
  c.option("--memory", "BYTES", o->memory,
           takers_of("--memory") + ": of source and destination together; larger cases are halved until they fit");
  c.option("--behind", "BYTES", o->behind,
           takers_of("--behind") + ": arrays begin so many bytes behind a page; large ones of malloc 16 behind one");
  c.option("--bytes", "BYTES", o->bytes, "copy: of one copy; several from 1MiB on when left out");
  c.option("--samples", "N", o->samples, "timed runs of each, 7 at least; 9 when left out");
  c.flag("--hot", o->is_hot, "leave out the runs that find the caches empty");
  c.option("--seed", "N", o->seed, "of the data; from the clock when left out");
  add_device(c, o->device, "auto (cpu), cpu or cuda[:N]");
  add_threads(c, o->threads);
  o->planning.add_to(c);
  add_json_file(c, o->json);
  c.option("--against", "FILE", o->against, "compare with what --json wrote earlier; fails where a row is slower, measured again")
      .file({".json"});
  add_force(c, o->is_forced, "replace a file that exists");
  c.notes = told + "--plan measure is for " + takers_of("--plan measure") +
            ".\n"
            "They run on a CPU and with --device cuda on a GPU, which leaves out bit planes and numbers of threads; pairs and planning\n"
            "on a CPU alone; advice, batches, vectors and versions on a GPU alone.\n"
            "Every result is checked before it is timed. Bytes with a unit: 64KiB, 512MiB, 2GiB.\n"
            "With --against a row is lost where its time and its share of a copy both fall by more than the noise and 15 %,\n"
            "and do so again when it is measured anew; of one that fell within a larger noise nobody can tell. Only hot runs count.\n";
  c.examples = {"crinkle bench hypercubic",
                "crinkle bench copy --bytes 64MiB --threads 1",
                "crinkle bench small --case flip --json small.json",
                "crinkle bench permute --cases cases.txt --json permute.json",
                "crinkle bench permute --cases cases.txt --case transpose --threads 1 --behind 16",
                "crinkle bench permute --cases cases.txt --against permute.json"};
  c.action = [o] { run_bench(*o); };
  return c;
}

const Registered registered(110, declare);

}  // namespace
}  // namespace crinkle::tool::bench_command
