// SPDX-License-Identifier: BSD-3-Clause
#include "running/bench_run.hpp"

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
#include "words/case_map.hpp"

namespace crinkle::tool {
namespace {

struct BenchOptions {
  std::string suite, cases, device = "auto", json, against;
  std::vector<std::string> filters;
  std::string bytes, memory, behind;
  std::optional<int> samples, c, k;
  std::optional<std::uint64_t> seed;
  int threads = 0;
  Planning planning;
  bool is_forced = false, is_hot = false;
};

// "permute, records and fft"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

class BenchRun {
 public:
  explicit BenchRun(BenchProgram program) : program_(std::move(program)) {}

  Command command(const std::string& name, const std::string& summary) const;

 private:
  bool is_taken(const std::string& option) const { return !takers_of(option).empty(); }
  std::string takers_of(const std::string& option) const {
    return listed_where([&](const bench::Suite& s) { return takes(s, option); });
  }
  static bool takes(const bench::Suite& suite, const std::string& option) {
    return std::find(suite.options.begin(), suite.options.end(), option) != suite.options.end();
  }
  template <class Predicate>
  std::string listed_where(const Predicate& is_listed) const {
    std::vector<std::string> names;
    for (const bench::Suite& s : program_.suites)
      if (is_listed(s)) names.emplace_back(s.name);
    return listed(names);
  }

  const bench::Suite& suite_of(const std::string& name) const;
  void refuse(bool is_given, const std::string& option, const bench::Suite& suite) const;
  void check(const BenchOptions& o, const bench::Suite& suite) const;
  std::string notes() const;
  void run(const BenchOptions& o) const;

  BenchProgram program_;
};

// The bytes of source and destination together.
std::int64_t memory_bytes(const BenchOptions& o, Device device) {
  if (!o.memory.empty()) return parse_bytes("--memory", o.memory);
  if (device.kind == Device::Kind::cpu) return bench::default_memory_bytes();
  constexpr std::int64_t most = std::int64_t{8} << 30;
  return std::min(most, facts_of(device).free_bytes / 5 * 4);
}

// How far behind a page arrays begin.
std::int64_t behind_bytes(const BenchOptions& o) {
  if (o.behind.empty()) return 0;
  constexpr std::int64_t limit = bench::Region::page_bytes / 2;
  const std::int64_t n = parse_bytes("--behind", o.behind);
  if (n < limit) return n;
  throw Error(ErrorCode::bad_notation, fmt::format("--behind {}: give less than {} bytes", n, limit));
}

const bench::Suite& BenchRun::suite_of(const std::string& name) const {
  for (const bench::Suite& s : program_.suites)
    if (s.name == name) return s;
  const std::string elsewhere = program_.where_is ? program_.where_is(name) : std::string();
  if (!elsewhere.empty()) throw Error(ErrorCode::bad_notation, elsewhere);
  const std::string names = listed_where([](const bench::Suite&) { return true; });
  throw Error(ErrorCode::bad_notation, "there is no suite '" + shown(name) + "'; the suites are " + names);
}

void BenchRun::refuse(bool is_given, const std::string& option, const bench::Suite& suite) const {
  if (is_given && !takes(suite, option))
    throw Error(ErrorCode::bad_notation, option + " is not for the suite " + suite.name + ", but for " + takers_of(option));
}

void BenchRun::check(const BenchOptions& o, const bench::Suite& suite) const {
  refuse(!o.cases.empty(), "--cases", suite);
  refuse(!o.memory.empty(), "--memory", suite);
  refuse(!o.bytes.empty(), "--bytes", suite);
  refuse(!o.behind.empty(), "--behind", suite);
  refuse(o.c.has_value(), "--c", suite);
  refuse(o.k.has_value(), "--k", suite);
  if (o.planning.is_measured()) refuse(true, "--plan measure", suite);
  o.planning.check();
  if (takes(suite, "--cases") && o.cases.empty())
    throw Error(ErrorCode::bad_notation,
                fmt::format("the suite {} needs --cases FILE, as in --cases bench/cases/permutations.txt", suite.name));
  if (o.samples && *o.samples < least_samples)
    throw Error(ErrorCode::bad_notation,
                fmt::format("--samples {}: give {} or more, so that the median means something", *o.samples, least_samples));
}

void check_device(const bench::Suite& suite, Device device) {
  const bool is_on_gpu = device.kind == Device::Kind::cuda;
  if (suite.runs == (is_on_gpu ? bench::Suite::Runs::on_a_cpu : bench::Suite::Runs::on_a_gpu))
    throw Error(ErrorCode::bad_notation, fmt::format("the suite {} runs on a {}; give --device {}", suite.name, is_on_gpu ? "CPU" : "GPU",
                                                     is_on_gpu ? "cpu" : "cuda"));
}

void BenchRun::run(const BenchOptions& o) const {
  const bench::Suite& suite = suite_of(o.suite);
  check(o, suite);
  const Device device = parse_device(o.device).value_or(cpu());
  const bool is_on_gpu = device.kind == Device::Kind::cuda;
  if (is_on_gpu && o.planning.is_measured())
    throw Error(ErrorCode::bad_notation, fmt::format("--plan measure is not for a GPU; see {} --help", program_.called));
  const std::int64_t behind = behind_bytes(o);
  if (is_on_gpu && behind != 0)
    throw Error(ErrorCode::bad_notation, fmt::format("--behind is not for a GPU; see {} --help", program_.called));
  check_device(suite, device);
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
    against.emplace(o.against, program_.called);
    against->check(origin);
  }
  bench::Report report(origin, table);
  bench::Effort effort{
      .n_samples = o.samples.value_or(9), .memory_bytes = o.bytes.empty() ? memory_bytes(o, device) : 0, .has_cold = !o.is_hot};
  const auto site = is_on_gpu
                        ? bench::gpu_site(device)
                        : bench::cpu_site(executor, [&o](const Rearrangement& r, Executor& e) { return o.planning.plan(r, e); }, behind);
  bench::Request request{*site, effort, map_of, o.cases, {}, o.filters, o.c, o.k};
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

std::string BenchRun::notes() const {
  std::string text = "Suites:\n";
  for (const bench::Suite& s : program_.suites) text += fmt::format("  {:<11} {}\n", s.name, s.what);
  if (is_taken("--plan measure")) text += "--plan measure is for " + takers_of("--plan measure") + ".\n";
  text += "They run on a CPU and with --device cuda on a GPU" + program_.on_gpu;
  const auto alone = [this](bench::Suite::Runs runs) { return listed_where([&](const bench::Suite& s) { return s.runs == runs; }); };
  const std::string on_a_cpu = alone(bench::Suite::Runs::on_a_cpu), on_a_gpu = alone(bench::Suite::Runs::on_a_gpu);
  if (!on_a_cpu.empty()) text += ";\n" + on_a_cpu + " on a CPU alone";
  if (!on_a_gpu.empty()) text += (on_a_cpu.empty() ? ";\n" : "; ") + on_a_gpu + " on a GPU alone";
  return text +
         ".\n"
         "Every result is checked before it is timed. Bytes with a unit: 64KiB, 512MiB, 2GiB.\n"
         "With --against a row is lost where its time and its share of a copy both fall by more than the noise and 15 %,\n"
         "and do so again when it is measured anew; of one that fell within a larger noise nobody can tell. Only hot runs count.\n";
}

Command BenchRun::command(const std::string& name, const std::string& summary) const {
  auto o = std::make_shared<BenchOptions>();
  Command c(name, summary);
  std::string names;
  std::vector<std::string> words;
  for (const bench::Suite& s : program_.suites) {
    names += (names.empty() ? "" : ", ") + std::string(s.name);
    words.emplace_back(s.name);
  }
  const auto add = [&](const std::string& option, std::string& value, const std::string& help) -> Option* {
    return is_taken(option) ? &c.option(option, option == "--cases" ? "FILE" : "BYTES", value, takers_of(option) + ": " + help) : nullptr;
  };
  c.argument("SUITE", o->suite, names).such_as(words).required();
  if (Option* cases = add("--cases", o->cases, "the case file, such as bench/cases/permutations.txt")) cases->file({".txt"});
  c.option("--case", "TEXT", o->filters, "only cases with this in their name").repeatable();
  add("--memory", o->memory, "of source and destination together; what does not fit is made smaller or left out");
  add("--behind", o->behind, "arrays begin so many bytes behind a page; large ones of malloc 16 behind one");
  add("--bytes", o->bytes, "of one copy; several from 1MiB on when left out");
  if (is_taken("--c"))
    c.option("--c", "N", o->c, takers_of("--c") + ": chunks of 2^N samples, which stay together in memory; 5 when left out");
  if (is_taken("--k")) c.option("--k", "N", o->k, takers_of("--k") + ": stages a launch; 10 less c when left out");
  c.option("--samples", "N", o->samples, "timed runs of each, 7 at least; 9 when left out");
  c.flag("--hot", o->is_hot, "leave out the runs that find the caches empty");
  c.option("--seed", "N", o->seed, "of the data; from the clock when left out");
  add_device(c, o->device, "auto (cpu), cpu or cuda[:N]");
  add_threads(c, o->threads);
  if (is_taken("--plan measure")) o->planning.add_to(c);
  add_json_file(c, o->json);
  c.option("--against", "FILE", o->against, "compare with what --json wrote earlier; fails where a row is slower, measured again")
      .file({".json"});
  add_force(c, o->is_forced, "replace a file that exists");
  c.notes = notes();
  c.action = [o, run = *this] { run.run(*o); };
  return c;
}

}  // namespace

Command bench_command(const std::string& name, const std::string& summary, const BenchProgram& program) {
  return BenchRun(program).command(name, summary);
}

}  // namespace crinkle::tool
