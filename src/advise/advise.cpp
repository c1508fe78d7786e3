// Measuring candidates: every one is made from the records as they lie now and checked; then all take turns in one memory.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/advise.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>

#include "advise/candidates.hpp"
#include "advise/site.hpp"
#include "base/caret.hpp"
#include "base/checked.hpp"
#include "base/memory.hpp"
#include "crinkle/error.hpp"

namespace crinkle {
namespace {

using advising::Arrays;
using advising::Pass;

constexpr int conversion_rounds = 5;

RecordLayout all_together(const Fields& fields) {
  FieldGroup group;
  for (const Field& f : fields) group.fields.push_back(f.name);
  return {fields, {group}};
}

// Throws unless the layout has what is asked of it, and no field that is another one's.
void check_layout(const RecordLayout& layout, const Fields& fields, const AccessPattern& pattern) {
  for (const auto* names : {&pattern.reads, &pattern.writes})
    for (const std::string& name : *names)
      if (layout.find(name) == nullptr)
        throw Error(ErrorCode::bad_notation, "the layout " + layout.print() + " has no field '" + shown(name) + "', which a pass visits");
  for (const RecordLayout::Place& place : layout.places())
    if (std::find(fields.begin(), fields.end(), place.field) == fields.end())
      throw Error(ErrorCode::bad_notation,
                  "field '" + shown(place.field.name) + "' of the layout " + layout.print() + " is none of " + print_fields(fields));
}

std::vector<RecordLayout> layouts_to_measure(const Fields& fields, const AccessPattern& pattern, const AdviseOptions& options) {
  std::vector<RecordLayout> layouts;
  if (options.from) layouts.push_back(*options.from);
  const bool are_given = !options.candidates.empty();
  for (const RecordLayout& candidate : are_given ? options.candidates : candidate_layouts(fields, pattern)) {
    const auto is_same = [&](const RecordLayout& l) { return are_given ? l == candidate : advising::are_alike(l, candidate); };
    if (std::none_of(layouts.begin(), layouts.end(), is_same)) layouts.push_back(candidate);
  }
  for (const RecordLayout& layout : layouts) check_layout(layout, fields, pattern);
  if (!options.from) return layouts;
  for (const RecordLayout& layout : layouts)
    for (const RecordLayout::Place& place : layout.places())
      if (options.from->find(place.field.name) == nullptr)
        throw Error(ErrorCode::bad_notation, "field '" + shown(place.field.name) + "' of " + layout.print() +
                                                 " is not in the present layout " + options.from->print() + ", from which it is made");
  return layouts;
}

template <class B, class Data>
std::vector<B> buffers_of(const Arrays& arrays, Data* memory) {
  std::vector<B> buffers;
  for (std::size_t g = 0; g < arrays.begin.size(); ++g) buffers.push_back({memory + arrays.begin[g], arrays.bytes[g]});
  return buffers;
}

// The contents of the records as they lie now, written where they belong.
void write_home(const Fields& fields, const Pass& home, std::uint64_t seed, std::byte* memory, Executor& executor) {
  constexpr std::int64_t chunk = 4096;
  executor.parallel_for(ceil_divide(home.n(), chunk), [&](std::int64_t c) {
    for (const RecordLayout::Place& place : home.layout.places()) {
      const auto f = static_cast<std::size_t>(std::find(fields.begin(), fields.end(), place.field) - fields.begin());
      for (std::int64_t i = c * chunk; i < std::min(home.n(), (c + 1) * chunk); ++i)
        advising::write_contents(seed, f, i, {memory + home.address(place, i), static_cast<std::size_t>(place.field.bytes())});
    }
  });
}

// Throws unless records are what a pass should have made of them: all where they are few, else those at both ends and some between.
void check_outcome(const Fields& fields, const Pass& pass, std::uint64_t seed, const std::byte* memory) {
  constexpr std::int64_t few = 1 << 16, at_an_end = few / 4;
  const std::int64_t n = pass.n(), n_between = few / 2;
  const RecordLayout one = all_together(fields);
  std::vector<std::byte> record(static_cast<std::size_t>(one.record_bytes()));
  const auto at = [&](const RecordLayout::Place& place) { return record.data() + place.offset; };
  const auto check = [&](std::int64_t i) {
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const RecordLayout::Place& place = one.places()[f];
      advising::write_contents(seed, f, i, {at(place), static_cast<std::size_t>(place.field.bytes())});
    }
    advising::visit_as_defined(one, pass.pattern, i, at);
    for (const RecordLayout::Place& place : pass.layout.places()) {
      if (std::memcmp(memory + pass.address(place, i), at(*one.find(place.field.name)), static_cast<std::size_t>(place.field.bytes())) == 0)
        continue;
      throw std::runtime_error("after a pass over " + pass.layout.print() + ", field '" + place.field.name + "' of record " +
                               std::to_string(i) + " of " + std::to_string(n) + " is not as defined, seed " + std::to_string(seed));
    }
  };
  if (n <= few) {
    for (std::int64_t i = 0; i < n; ++i) check(i);
    return;
  }
  for (std::int64_t k = 0; k < at_an_end; ++k) check(k), check(n - 1 - k);
  const advising::Visit any = advising::Visit::random(n, seed + 1);
  for (std::int64_t k = 0; k < n_between; ++k) check(any.record(k));
}

// One layout, from its arrays' places to its contenders.
struct Measured {
  RecordLayout layout;
  Arrays arrays;
  std::shared_ptr<const PlannedMove> conversion;
};

void judge(Candidate& c, const Candidate* present) {
  if (present == nullptr || c.is_present || !c.convert_seconds || c.seconds >= present->seconds || Advice::are_equally_fast(c, *present))
    return;
  constexpr double most = 1e15;
  const double passes = std::ceil(*c.convert_seconds / (present->seconds - c.seconds));
  if (passes < most) c.pays_after = static_cast<std::int64_t>(passes);
}

/// The system promises more memory than it has, and a GPU cannot have plans beyond it: what there is is asked first.
void check_room(const SiteBytes& bytes, Device device) {
  const std::int64_t needed = add(add(bytes.home, bytes.array), bytes.workspace);
  const bool is_gpu = device.kind == Device::Kind::cuda;
  const std::int64_t available = is_gpu ? facts_of(device).free_bytes : available_bytes();
  if (available <= 0 || needed <= available) return;
  throw Error(ErrorCode::out_of_memory, std::to_string(needed) + " bytes for the records in two layouts, the first and the largest" +
                                            (bytes.workspace > 0 ? " and between two steps of a conversion" : "") + "; there are " +
                                            std::to_string(available) + (is_gpu ? " free on the GPU" : "") + ": measure fewer records");
}

}  // namespace

const Candidate* Advice::present() const noexcept {
  const auto found = std::find_if(candidates.begin(), candidates.end(), [](const Candidate& c) { return c.is_present; });
  return found == candidates.end() ? nullptr : &*found;
}

double Advice::best_copy_seconds() const noexcept {
  double best = copies.front().second;
  for (const auto& [name, seconds] : copies) best = std::min(best, seconds);
  return best;
}

bool Advice::are_equally_fast(const Candidate& a, const Candidate& b) noexcept {
  constexpr double noise = 1.03;
  return std::max(a.seconds, b.seconds) < noise * std::min(a.seconds, b.seconds);
}

Advice advise(const Fields& fields, const AccessPattern& pattern, std::int64_t n, const AdviseOptions& options) {
  advising::check_pattern(fields, pattern);
  if (n < 1) throw Error(ErrorCode::bad_shape, std::to_string(n) + " records; give 1 or more");
  if (options.samples < 1) throw Error(ErrorCode::bad_shape, std::to_string(options.samples) + " samples; give 1 or more");
  const bool is_gpu = options.device.kind == Device::Kind::cuda;
  const Device device = is_gpu ? cuda(options.device.index) : cpu();
  Executor& executor = options.executor != nullptr ? *options.executor : default_executor();

  const std::vector<RecordLayout> layouts = layouts_to_measure(fields, pattern, options);
  const RecordLayout home = options.from ? *options.from : all_together(fields);
  const Arrays home_arrays = advising::arrays_of(home, n);
  const advising::Visit visit = advising::visit_of(pattern.order, n, options.seed);
  const Pass over_home{home, pattern, home_arrays, visit};
  SiteBytes bytes;
  bytes.home = home_arrays.end;
  std::deque<Measured> all;
  for (const RecordLayout& layout : layouts) bytes.array = std::max(bytes.array, advising::arrays_of(layout, n).end);
  check_room(bytes, device);
  for (const RecordLayout& layout : layouts) {
    const Rearrangement conversion = convert_records(home, layout, n, {Storage::apart, Storage::apart, Padding::zero});
    all.push_back({layout, advising::arrays_of(layout, n),
                   std::make_shared<const PlannedMove>(conversion.steps(), machine_of(device), device, conversion.n_sources(),
                                                       conversion.n_destinations())});
    bytes.workspace = std::max(bytes.workspace, all.back().conversion->workspace_bytes);
  }
  check_room(bytes, device);
  const std::unique_ptr<Site> site = is_gpu ? make_cuda_site(bytes, device) : make_cpu_site(bytes, executor);
  site->fill_home([&](std::byte* memory) { write_home(fields, over_home, options.seed, memory, executor); });

  std::vector<Contender> passes, conversions;
  for (const Measured& m : all) {
    const Pass pass{m.layout, pattern, m.arrays, visit};
    const auto from = buffers_of<ConstBuffer>(home_arrays, site->home());
    passes.push_back({m.layout.print(), site->pass(pass)});
    conversions.push_back({m.layout.print(), site->move(m.conversion, from, buffers_of<Buffer>(m.arrays, site->array()))});
    conversions.back().run();
    passes.back().run();
    check_outcome(fields, pass, options.seed, site->read_array(m.arrays.end));
  }

  Advice advice;
  advice.n = n;
  advice.pass_bytes = multiply(n, advising::useful_bytes(fields, pattern));
  for (Contender& copy : site->copies(std::max<std::int64_t>(1, advice.pass_bytes / 2))) passes.push_back(std::move(copy));
  if (options.from) conversions.erase(conversions.begin());  // it lies so already
  else conversions.clear();
  for (auto* contenders : {&passes, &conversions})
    for (Contender& c : *contenders) c.clock = site->clock();
  for (Contender& c : passes)
    c.is_warmed = true;  // as in a program, which makes pass after pass: not with what another one has left to write
  take_turns(passes, options.samples, options.most_seconds);
  take_turns(conversions, conversion_rounds, options.most_seconds);

  for (std::size_t k = 0; k < all.size(); ++k) {
    Candidate c{all[k].layout, all[k].layout.bytes(n), median(passes[k].seconds), interquartile_range(passes[k].seconds)};
    c.gb_per_s = static_cast<double>(advice.pass_bytes) / c.seconds * 1e-9;
    c.repeats = passes[k].repeats;
    c.is_present = options.from && k == 0;
    if (options.from && k > 0) c.convert_seconds = median(conversions[k - 1].seconds);
    advice.candidates.push_back(std::move(c));
  }
  for (std::size_t k = all.size(); k < passes.size(); ++k) advice.copies.emplace_back(passes[k].name, median(passes[k].seconds));
  if (options.from) {
    const Candidate present = advice.candidates[0];
    for (Candidate& c : advice.candidates) judge(c, &present);
  }
  std::stable_sort(advice.candidates.begin(), advice.candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.seconds < b.seconds; });
  return advice;
}

}  // namespace crinkle
