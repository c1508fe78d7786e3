// The suite `interpolate`: this library's inverse-distance sums over all samples, as many samples as targets, in pairs a second:
//     full_sum_float32_p2_n65536   which bench/rivals/drive.py sets others beside
// and on a GPU 2^22 places, in no order, from the 8 nearest of 2^20 samples, all in its memory, the tree made each time, in places a
// second:
//     points_float32_k8_n1048576   with the seconds of the tree alone as a fact
// Rows of maps, binning and resampling are in interpolate_maps.cpp; paper 4's kernels, beside the same sums, in papers/idw.
// A row has the seconds of a copy of as many points as a fact: these sums are not bound by memory.
// SPDX-License-Identifier: BSD-3-Clause
#include "suites/interpolate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "base/number_lines.hpp"
#include "crinkle/interpolate.hpp"
#include "harness/random.hpp"
#include "suites/suites.hpp"

namespace crinkle::bench {
namespace {

template <class T>
std::vector<T> as(const std::vector<double>& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// This library's interpolation of a cloud, ready to run again and again in memory of the site.
class OurSum {
 public:
  OurSum(const Cloud& cloud, Real type, double power, Site& site)
      : type_(type),
        n_(cloud.n_targets()),
        site_(site),
        targets_(site.memory(2 * n_ * bytes_of(type))),
        out_(site.memory(n_ * bytes_of(type))) {
    if (type == Real::float32) plan<float>(cloud, power);
    else plan<double>(cloud, power);
  }
  void operator()() const {
    operation_->run({{targets_.get(), 2 * n_ * bytes_of(type_)}}, {{out_.get(), n_ * bytes_of(type_)}}, site_.worker());
  }
  std::vector<double> results() const {
    (*this)();
    site_.wait();
    const std::vector<std::byte> bytes = site_.on_host(out_.get(), n_ * bytes_of(type_));
    std::vector<double> numbers(static_cast<std::size_t>(n_));
    load_line(numbers.data(), 1, bytes.data(), bytes_of(type_), n_, {type_ == Real::float32 ? Number::float32 : Number::float64});
    return numbers;
  }

 private:
  template <class T>
  void plan(const Cloud& cloud, double power) {
    const std::vector<T> places = as<T>(cloud.samples), values = as<T>(cloud.values), targets = as<T>(cloud.targets);
    const Samples samples{.places = places, .values = values};
    const Interpolation how{.power = power};
    operation_ = (site_.is_gpu() ? Interpolator(samples, how, site_.device()) : Interpolator(samples, how, site_.executor()))
                     .operation(TargetPlaces{n_, type_}, type_);
    const ConstBuffer from(targets);
    if (site_.is_gpu()) copy_bytes(from, {targets_.get(), from.bytes});
    else std::memcpy(targets_.get(), from.data, static_cast<std::size_t>(from.bytes));
  }

  Real type_;
  std::int64_t n_;
  Site& site_;
  std::shared_ptr<std::byte> targets_, out_;
  std::optional<crinkle::Operation> operation_;
};

/// Samples and targets in a GPU's memory, float32.
class OurPoints {
 public:
  OurPoints(const Cloud& cloud, Site& site)
      : site_(site), n_(cloud.n_targets()), samples_(put(cloud.samples)), values_(put(cloud.values)), targets_(put(cloud.targets)) {
    given_.n = cloud.n_samples();
    for (std::int64_t a = 0; a < 2; ++a) given_.places.push_back({samples_.get() + 4 * a, PlainPlace{.record_bytes = 8}, Real::float32});
    given_.values = {{values_.get(), PlainPlace{.record_bytes = 4}, Real::float32}};
    out_ = site.memory(4 * n_);
    workspace_bytes_ = operation().workspace_bytes();
    workspace_ = site.memory(workspace_bytes_ + 1);
  }
  crinkle::Operation operation() const {
    return Interpolator(given_, how, site_.device()).operation(TargetPlaces{n_, Real::float32}, Real::float32);
  }
  void operator()() const {
    operation().run({{targets_.get(), 8 * n_}}, {{out_.get(), 4 * n_}}, site_.worker(), {workspace_.get(), workspace_bytes_});
    site_.wait();  // the tree goes
  }
  std::vector<float> results() const {
    (*this)();
    const std::vector<std::byte> bytes = site_.on_host(out_.get(), 4 * n_);
    std::vector<float> numbers(static_cast<std::size_t>(n_));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }
  static constexpr Interpolation how{.neighbours = 8};

 private:
  std::shared_ptr<std::byte> put(const std::vector<double>& numbers) const {
    const std::vector<float> floats = as<float>(numbers);
    const ConstBuffer from(floats);
    std::shared_ptr<std::byte> memory = site_.memory(from.bytes);
    copy_bytes(from, {memory.get(), from.bytes});
    return memory;
  }

  Site& site_;
  std::int64_t n_, workspace_bytes_ = 0;
  std::shared_ptr<std::byte> samples_, values_, targets_, out_, workspace_;
  DeviceSamples given_;
};

Contest points_contest(const std::string& name, std::int64_t n, Site& site, std::uint64_t seed) {
  const auto cloud = std::make_shared<const Cloud>(n, 4 * n, seed);
  const auto ours = std::make_shared<const OurPoints>(*cloud, site);
  Contest c;
  c.name = name;
  c.element_bytes = 4;
  c.unit = "places";
  c.units = cloud->n_targets();
  c.ways.emplace_back("crinkle", [ours] { (*ours)(); });
  c.ways.emplace_back("tree", [ours] { ours->operation(); });
  c.ways.back().fact = "tree_seconds";
  for (Way& way : c.ways) way.has_cold = false;
  c.check = [=] {
    const std::vector<float> places = as<float>(cloud->samples), values = as<float>(cloud->values), targets = as<float>(cloud->targets);
    std::vector<float> want(static_cast<std::size_t>(cloud->n_targets()));
    interpolate(Samples{.places = places, .values = values}, Reals(targets), OurPoints::how, std::span<float>(want));
    if (ours->results() != want) throw std::runtime_error(name + ": values are not those of samples in the host's memory");
  };
  c.checked = "the bits of the library's result on the CPU, all values";
  return c;
}

}  // namespace

Cloud::Cloud(std::int64_t n_samples, std::int64_t n_targets, std::uint64_t seed) {
  const auto next = [&seed](int odd) { return static_cast<double>((next_random(seed) >> 41) * 2 + static_cast<unsigned>(odd)) * 0x1p-24; };
  for (std::int64_t i = 0; i < n_samples; ++i) {
    samples.push_back(next(0));
    samples.push_back(next(0));
    values.push_back(next(0));
  }
  for (std::int64_t i = 0; i < 2 * n_targets; ++i) targets.push_back(next(1));
}

double Cloud::value_at(std::int64_t target, double power) const {
  const double x = targets[static_cast<std::size_t>(2 * target)], y = targets[static_cast<std::size_t>(2 * target + 1)];
  double weights = 0, sum = 0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    const double dx = samples[2 * j] - x, dy = samples[2 * j + 1] - y, w = std::pow(dx * dx + dy * dy, -power / 2);
    weights += w;
    sum += w * values[j];
  }
  return sum / weights;
}

void expect_near(const std::string& name, const std::vector<double>& have, const std::vector<double>& want, double most) {
  for (std::size_t i = 0; i < want.size(); ++i)
    if (!(std::abs(have[i] - want[i]) <= most))
      throw std::runtime_error(fmt::format("{}: value {} is {} instead of {}, more than {:.2g} from it", name, i, have[i], want[i], most));
}

std::vector<double> wanted_sums(const std::string& name, const Cloud& cloud, double power, Site& site) {
  const std::vector<double> all = OurSum(cloud, Real::float64, power, site).results();
  for (std::int64_t i = 0; i < cloud.n_targets(); i += cloud.n_targets() / 31 + 1)
    expect_near(name + ", float64", {all[static_cast<std::size_t>(i)]}, {cloud.value_at(i, power)}, 1e-11);
  return all;
}

Contest sums_contest(const std::string& name, const std::shared_ptr<const Cloud>& cloud, Real type, double power, Site& site,
                     std::uint64_t seed, const std::function<void(const std::vector<double>& wanted)>& check_others) {
  const std::int64_t n_bytes = 3 * cloud->n_samples() * bytes_of(type);
  Contest c;
  c.name = name;
  c.element_bytes = bytes_of(type);
  c.unit = "pairs";
  c.units = cloud->n_samples() * cloud->n_targets();
  const auto ours = std::make_shared<const OurSum>(*cloud, type, power, site);
  c.ways.emplace_back("crinkle", [ours] { (*ours)(); });
  site.fill(n_bytes, seed);
  c.ways.emplace_back("copy", site.copies(n_bytes)[0].run);
  c.ways.back().fact = "copy_seconds";
  for (Way& way : c.ways) way.has_cold = false;
  c.check = [=, &site] {
    const std::vector<double> want = wanted_sums(name, *cloud, power, site);
    if (type == Real::float32) expect_near(name + " crinkle", ours->results(), want, 2e-5);
    if (check_others) check_others(want);
  };
  c.checked = "the library's result in float64, all values";
  return c;
}

std::vector<Entry> interpolate_entries(const Request& request) {
  std::vector<Entry> all;
  for (const std::int64_t n : request.site.is_gpu() ? std::vector<std::int64_t>{1 << 16, 1 << 20} : std::vector<std::int64_t>{1 << 14}) {
    const std::string name = fmt::format("full_sum_float32_p2_n{}", n);
    const std::int64_t n_bytes = 3 * n * bytes_of(Real::float32);
    all.push_back({name, {n_bytes, n_bytes}, [=](Site& site, std::uint64_t seed) {
                     return sums_contest(name, std::make_shared<const Cloud>(n, n, seed), Real::float32, 2, site, seed);
                   }});
  }
  if (request.site.is_gpu()) {
    constexpr std::int64_t n = 1 << 20;
    const std::string name = fmt::format("points_float32_k8_n{}", n);
    all.push_back({name, {32 * n, 16 * n}, [=](Site& site, std::uint64_t seed) { return points_contest(name, n, site, seed); }});
  }
  for (Entry& entry : map_entries(request)) all.push_back(std::move(entry));
  return all;
}

}  // namespace crinkle::bench
