// crinkle bench: how fast this machine moves, beside how fast it copies. The suites themselves are in bench/suites/; here are their options
// and what only the command knows: its notation (case_map.cpp) and its files.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "api/turns.hpp"
#include "base/caret.hpp"
#include "case_map.hpp"
#include "command.hpp"
#include "json_file.hpp"
#include "planning.hpp"
#include "suites/against.hpp"
#include "suites/copy.hpp"
#include "suites/permute.hpp"

namespace crinkle::tool {
namespace {

constexpr std::int64_t smallest_copy_bytes = 1 << 20;

struct Options {
  std::string suite, cases, device = "auto", json, against;
  std::vector<std::string> filters;
  std::string bytes, memory;
  std::optional<int> samples;
  std::optional<std::uint64_t> seed;
  int threads = 0;
  Planning planning;
  bool is_forced = false;
};

std::vector<bench::Case> chosen_cases(const Options& o) {
  std::vector<bench::Case> all = bench::read_cases(o.cases), chosen;
  for (const bench::Case& c : all) {
    bool is_chosen = o.filters.empty();
    for (const std::string& part : o.filters) is_chosen |= c.name.find(part) != std::string::npos;
    if (is_chosen) chosen.push_back(c);
  }
  if (chosen.empty()) {
    std::string parts;
    for (const std::string& part : o.filters) parts += (parts.empty() ? "'" : ", '") + shown(part) + "'";
    throw Error(ErrorCode::bad_notation,
                fmt::format("no case of {} has {} in its name; the first of {} is {}", o.cases, parts, all.size(), all[0].name));
  }
  return chosen;
}

void refuse(bool is_given, const std::string& option, const Options& o) {
  if (is_given) throw Error(ErrorCode::bad_notation, option + " is not for the suite " + o.suite + "; see crinkle bench --help");
}

// What a GPU is asked for: without CUDA there is none.
#if CRINKLE_HAS_CUDA
constexpr auto permute_on_gpu = bench::run_permute_on_gpu;
constexpr auto copy_on_gpu = bench::run_copy_on_gpu;
#else
constexpr auto permute_on_gpu = [](auto&&...) {};
constexpr auto copy_on_gpu = [](auto&&...) {};
#endif

// Of source and destination together.
std::int64_t memory_bytes(const Options& o, Device device) {
  if (!o.memory.empty()) return parse_bytes("--memory", o.memory);
  if (device.kind == Device::Kind::cpu) return bench::default_memory_bytes();
  constexpr std::int64_t most = std::int64_t{8} << 30;
  return std::min(most, facts_of(device).free_bytes / 5 * 4);
}

void run_bench(const Options& o) {
  const bool is_copy = o.suite == "copy";
  if (!is_copy && o.suite != "permute")
    throw Error(ErrorCode::bad_notation, "there is no suite '" + shown(o.suite) + "'; the suites are copy and permute");
  refuse(is_copy && !o.cases.empty(), "--cases", o);
  refuse(is_copy && !o.filters.empty(), "--case", o);
  refuse(is_copy && !o.memory.empty(), "--memory", o);
  refuse(!is_copy && !o.bytes.empty(), "--bytes", o);
  refuse(is_copy && o.planning.is_measured(), "--plan measure", o);
  o.planning.check();
  if (!is_copy && o.cases.empty())
    throw Error(ErrorCode::bad_notation, "the suite permute needs --cases FILE, as in --cases bench/cases/permutations.txt");
  const Device device = parse_device(o.device).value_or(cpu());
  const bool is_on_gpu = device.kind == Device::Kind::cuda;
  refuse(is_on_gpu && o.planning.is_measured(), "--plan measure on a GPU", o);
  if (o.samples && *o.samples < least_samples)
    throw Error(ErrorCode::bad_notation,
                fmt::format("--samples {}: give {} or more, so that the median means something", *o.samples, least_samples));
  const std::vector<bench::Case> cases = is_copy ? std::vector<bench::Case>() : chosen_cases(o);
  const auto executor = make_executor(o.threads);
  JsonFile json(o.json, o.is_forced ? Overwrite::force : Overwrite::refuse);
  const auto now = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch());
  const std::uint64_t seed = o.seed.value_or(static_cast<std::uint64_t>(now.count()));
  std::FILE* table = o.json == "-" ? stderr : stdout;
  bench::Origin origin{o.suite, executor->n_workers(), seed, CRINKLE_COMMIT, o.planning.word};
  if (is_on_gpu) origin = on_gpu(std::move(origin), device);
  std::optional<bench::Against> against;
  if (!o.against.empty()) {
    against.emplace(o.against);
    against->check(origin);
  }
  bench::Report report(origin, table);
  const int n_samples = o.samples.value_or(9);
  const std::int64_t memory = memory_bytes(o, device);
  if (is_copy) {
    std::vector<std::int64_t> n_bytes;
    n_bytes.push_back(o.bytes.empty() ? smallest_copy_bytes : parse_bytes("--bytes", o.bytes));
    const std::int64_t most = o.bytes.empty() ? memory / 2 : 0;
    while (n_bytes.back() <= most / 4) n_bytes.push_back(4 * n_bytes.back());
    if (is_on_gpu) {
      copy_on_gpu(n_bytes, n_samples, seed, device, report);
    } else {
      bench::run_copy(n_bytes, n_samples, seed, *executor, report);
    }
  } else if (is_on_gpu) {
    permute_on_gpu(cases, map_of, bench::Effort{n_samples, 10, memory}, seed, device, report);
    report.print_summary();
  } else {
    bench::run_permute(cases, map_of, {n_samples, 10, memory}, seed, *executor, report,
                       [&o](const Rearrangement& r, Executor& workers) { return o.planning.plan(r, workers); });
    report.print_summary();
  }
  json.write(report.json());
  if (against) against->print(report.rows(), table);
}

}  // namespace

Action add_bench(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "Measure moves beside plain copies of as many bytes");
  auto o = std::make_shared<Options>();
  command->add_option("SUITE", o->suite, "copy: what plain copies reach; permute: the cases of a file")->required();
  command->add_option("--cases", o->cases, "permute: the case file, such as bench/cases/permutations.txt")->type_name("FILE");
  command->add_option("--case", o->filters, "permute: only cases with this in their name (repeatable)")
      ->type_name("TEXT")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--memory", o->memory, "permute: of source and destination together; larger cases are halved until they fit")
      ->type_name("BYTES");
  command->add_option("--bytes", o->bytes, "copy: of one copy; several from 1MiB on when left out")->type_name("BYTES");
  command->add_option("--samples", o->samples, "timed runs of each, 7 at least; 9 when left out")->type_name("N");
  command->add_option("--seed", o->seed, "of the data; from the clock when left out")->type_name("N");
  command->add_option("--device", o->device, "auto (cpu), cpu or cuda[:N]")->type_name("DEVICE")->capture_default_str();
  command->add_option("--threads", o->threads, "CPU threads; 0 for all")->type_name("N")->capture_default_str();
  o->planning.add_to(*command);
  command->add_option("--json", o->json, "write all numbers to this file; - for standard output")->type_name("FILE");
  command->add_option("--against", o->against, "compare with what --json wrote earlier; fails where a row is slower beyond its noise")
      ->type_name("FILE");
  command->add_flag("--force", o->is_forced, "replace a file that exists");
  command->footer(
      "Every result is checked before it is timed. Bytes with a unit: 64KiB, 512MiB, 2GiB.\n"
      "Examples:\n"
      "  crinkle bench copy --bytes 64MiB --threads 1\n"
      "  crinkle bench permute --cases cases.txt --json permute.json\n"
      "  crinkle bench permute --cases cases.txt --case transpose --threads 1\n"
      "  crinkle bench permute --cases cases.txt --against permute.json");
  return [o] { run_bench(*o); };
}

}  // namespace crinkle::tool
