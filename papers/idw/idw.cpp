// The suite `idw`: inverse-distance sums over all samples in the forms, record layouts and types of paper 4 (variants.hpp) beside this
// library's, as many samples as targets, in pairs a second:
// (n = 512000 and 1024000 where --case names them, as in --case figure7_naive_n512000)
//     figure2_p2_n10240, …         child grids, original and improved, launched by a kernel and in one grid, of float32 in SoA
//     figure7_naive_n10240, …      a form in all layouts, float32, p = 2; …_tiled, …_child, …_child_grid likewise
//     figure8_naive_n10240, …      the same of float64
//     power3_float32_naive_n51200  p = 3.0, and reciprocal_…: p = 2 by the GPU's approximate reciprocal
// A row has the seconds of a copy of as many points as a fact: these sums are not bound by memory.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>

#include "papers/idw/variants.hpp"
#include "papers/suites.hpp"
#include "suites/interpolate.hpp"

namespace crinkle::bench {
namespace {

using namespace idw_paper;

double power_of(Rule rule) { return rule == Rule::three ? 3 : 2; }
const char* name_of(Real type) { return type == Real::float32 ? "float32" : "float64"; }

/// A kernel or a loop of the paper with points of its own.
class PaperSum {
 public:
  PaperSum(const Variant& v, const Cloud& cloud, Site& site) : variant_(v), n_samples_(cloud.n_samples()), site_(site) {
    with_constants<n_layouts>(v, [&]<class T>(T, auto, auto layout) {
      using View = PointView<T, layout()>;
      samples_ = records<View>(cloud.samples, [&](std::size_t i) { return static_cast<T>(cloud.values[i]); });
      targets_ = records<View>(cloud.targets, [](std::size_t) { return std::numeric_limits<T>::quiet_NaN(); });
    });
    const auto put = [&](const std::vector<std::byte>& bytes) {
      const std::shared_ptr<std::byte> there = site.memory(std::ssize(bytes));
      copy(bytes.data(), there.get(), std::ssize(bytes));
      return there;
    };
    samples_there_ = put(samples_);
    targets_there_ = put(targets_);
    if (has_atomics(v.form)) sums_ = site.memory(2 * cloud.n_targets() * bytes_of(v.type));
    const PointArrays points{samples_there_.get(), targets_there_.get(), cloud.n_samples(), cloud.n_targets(), sums_.get()};
    run_ = site.is_gpu() ? sum_on_gpu(v, points, site.stream().get()) : sum_in_loops(v, points, site.executor());
  }
  void operator()() const { run_(); }

  /// One run writes z of all targets near to what is wanted, and nothing else.
  void check(const std::string& name, const std::vector<double>& want) const {
    copy(targets_.data(), targets_there_.get(), std::ssize(targets_));
    run_();
    site_.wait();
    std::vector<std::byte> made = site_.on_host(targets_there_.get(), std::ssize(targets_));
    const auto n = static_cast<std::int64_t>(want.size());
    std::vector<double> have;
    with_constants<n_layouts>(variant_, [&]<class T>(T, auto, auto layout) {
      const PointView<T, layout()> view(made.data(), n);
      constexpr field<&Point<T>::z> z;
      for (std::int64_t i = 0; i < n; ++i) {
        have.push_back(static_cast<double>(view.load(z, i)));
        view.store(z, i, std::numeric_limits<T>::quiet_NaN());
      }
    });
    // A running sum of n positive terms is known to n · 2^−24 of itself, in float64 2^−53; a quarter of that is allowed.
    const double most = std::ldexp(static_cast<double>(n_samples_), variant_.type == Real::float32 ? -26 : -55);
    expect_near(name, have, want, std::max(most, variant_.type == Real::float32 ? 1e-5 : 1e-13));
    if (made != targets_) throw std::runtime_error(name + ": more than the values was written");
    if (site_.on_host(samples_there_.get(), std::ssize(samples_)) != samples_) throw std::runtime_error(name + ": samples were written");
  }

 private:
  static constexpr std::size_t guard_bytes = 256;

  template <class View, class ValueAt>
  static std::vector<std::byte> records(const std::vector<double>& places, const ValueAt& value_at) {
    using T = decltype(value_at(0));
    const auto n = std::ssize(places) / 2;
    std::vector<std::byte> bytes(static_cast<std::size_t>(View::bytes(n)) + guard_bytes, std::byte{0xA5});
    const View view(bytes.data(), n);
    for (std::size_t i = 0; i < places.size() / 2; ++i)
      view.store(static_cast<std::int64_t>(i), {static_cast<T>(places[2 * i]), static_cast<T>(places[2 * i + 1]), value_at(i)});
    return bytes;
  }
  void copy(const std::byte* from, std::byte* to, std::int64_t n_bytes) const {
    if (site_.is_gpu()) copy_bytes({from, n_bytes}, {to, n_bytes});
    else std::memcpy(to, from, static_cast<std::size_t>(n_bytes));
  }

  Variant variant_;
  std::int64_t n_samples_;
  Site& site_;
  std::vector<std::byte> samples_, targets_;  // as they were put there
  std::shared_ptr<std::byte> samples_there_, targets_there_, sums_;
  std::function<void()> run_;
};

struct Paper {
  std::vector<Variant> variants;  // of one power
  bool are_forms = false;         // which name the rows; else their layouts do
  std::string title = {};         // of a plot
};

Contest contest_of(const std::string& name, std::int64_t n, const Paper& paper, Real type, double power, Site& site, std::uint64_t seed) {
  const auto cloud = std::make_shared<const Cloud>(n, n, seed);
  std::vector<std::shared_ptr<const PaperSum>> sums;
  std::vector<Way> ways;
  for (const Variant& v : paper.variants) {
    sums.push_back(std::make_shared<const PaperSum>(v, *cloud, site));
    Way way(paper.are_forms ? idw_paper::name_of(v.form) : name_of(v.layout, v.type), [sum = sums.back()] { (*sum)(); });
    way.facts = {{"form", idw_paper::name_of(v.form)}, {"layout", text_of(v.layout, v.type)}, {"power", power}};
    way.has_cold = false;
    ways.push_back(std::move(way));
  }
  Contest c = sums_contest(name, cloud, type, power, site, seed, [=, &site](const std::vector<double>& want) {
    // Neither a whole number of blocks nor of tiles.
    const Cloud few(1013, 517, seed + 1);
    const std::vector<double> want_few = wanted_sums(name, few, power, site);
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const std::string way = fmt::format("{} {}", name, ways[k].name);
      sums[k]->check(way, want);
      PaperSum(paper.variants[k], few, site).check(way + ", 1013 samples", want_few);
    }
  });
  c.rows = Contest::Rows::all;
  c.ways.insert(c.ways.begin(), ways.begin(), ways.end());
  if (!paper.title.empty()) c.plot = Plot{paper.title, "samples, and targets", n, "seconds"};
  return c;
}

}  // namespace

std::vector<Entry> idw_entries(const Request& request) {
  const bool is_gpu = request.site.is_gpu();
  std::vector<Entry> all;
  const auto add = [&](const std::string& what, std::int64_t n, const Paper& paper, Real type = Real::float32, double power = 2) {
    const std::string name = fmt::format("{}_n{}", what, n);
    const std::int64_t bytes = 3 * n * bytes_of(type);
    all.push_back(
        {name, {bytes, bytes}, [=](Site& site, std::uint64_t seed) { return contest_of(name, n, paper, type, power, site, seed); }});
  };
  const auto layouts_of = [&](Form form, Rule rule, Real type, const std::string& title) {
    Paper paper{.title = title};
    for (int k = 0; k < (is_gpu ? n_layouts : n_plain_layouts); ++k)
      paper.variants.push_back({form, static_cast<PointLayout>(k), rule, type});
    return paper;
  };
  struct NamedForm {
    const char* name;
    Form form;
  };
  const std::vector<NamedForm> on_cpu = {{"naive", Form::naive}, {"tiled", Form::tiled}}, on_gpu = {{"naive", Form::naive},
                                                                                                    {"tiled", Form::tiled},
                                                                                                    {"child", Form::improved},
                                                                                                    {"child_grid", Form::improved_in_grid}};
  const std::vector<NamedForm>& forms = is_gpu ? on_gpu : on_cpu;
  // The paper's are 10240, 51200, 102400, 512000 and 1024000; the last two take minutes, and are there where --case names them.
  std::vector<std::int64_t> sizes = {1024, 10240}, of_children = {10240, 51200, 102400};
  if (is_gpu) sizes = {10240, 51200, 102400, 256000};
  for (const std::int64_t n : {512000, 1024000}) {
    const std::string named = "_n" + std::to_string(n);
    if (!std::any_of(request.filters.begin(), request.filters.end(), [&](const std::string& f) { return f.find(named) != f.npos; }))
      continue;
    sizes.push_back(n);
    of_children.push_back(n);
  }
  if (is_gpu)
    for (const Rule rule : {Rule::two, Rule::three})
      for (const std::int64_t n : of_children) {
        const std::string power = fmt::format("p{}", power_of(rule));
        Paper paper{.are_forms = true, .title = "Figure 2, " + power};
        for (const Form form : {Form::original, Form::improved, Form::original_in_grid, Form::improved_in_grid, Form::naive, Form::tiled})
          paper.variants.push_back({form, PointLayout::soa, rule, Real::float32});
        add("figure2_" + power, n, paper, Real::float32, power_of(rule));
      }
  for (const Real type : {Real::float32, Real::float64}) {
    const std::string figure = type == Real::float32 ? "7" : "8";
    for (const auto& [word, form] : forms)
      for (const std::int64_t n : is_launched_by_kernel(form) ? of_children : sizes)
        add(fmt::format("figure{}_{}", figure, word), n, layouts_of(form, Rule::two, type, fmt::format("Figure {}, {}", figure, word)),
            type);
  }
  for (const Real type : {Real::float32, Real::float64})
    for (const auto& [word, form] : forms)
      add(fmt::format("power3_{}_{}", name_of(type), word), is_gpu ? 51200 : 1024, layouts_of(form, Rule::three, type, ""), type, 3);
  if (is_gpu)
    for (const auto& [word, form] : forms)
      if (!is_launched_by_kernel(form))
        add(fmt::format("reciprocal_float32_{}", word), 102400, layouts_of(form, Rule::reciprocal2, Real::float32, ""));
  return all;
}

}  // namespace crinkle::bench
