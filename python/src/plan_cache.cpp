// SPDX-License-Identifier: BSD-3-Clause
#include "plan_cache.hpp"

#include <nanobind/stl/string.h>

#include "wish.hpp"

namespace crinkle::python {
namespace {

constexpr std::int64_t limit_bytes = std::int64_t{16} << 20;

void append(std::vector<std::int64_t>& key, const View& v) {
  const auto n = static_cast<std::size_t>(v.rank);
  key.push_back(v.rank);
  key.push_back(v.element_bytes);
  key.insert(key.end(), v.extents.begin(), v.extents.begin() + n);
  key.insert(key.end(), v.strides.begin(), v.strides.begin() + n);
}

std::size_t hash_of(nb::handle object) {
  const Py_hash_t hash = PyObject_Hash(object.ptr());
  if (hash == -1) throw nb::python_error();
  return static_cast<std::size_t>(hash);
}

bool are_equal(nb::handle a, nb::handle b) {
  if (a.is(b)) return true;
  const int equal = PyObject_RichCompareBool(a.ptr(), b.ptr(), Py_EQ);
  if (equal < 0) throw nb::python_error();
  return equal != 0;
}

// An estimate: an index takes some 60 bytes in maps and tables.
std::int64_t kept_bytes(const MovePlan& plan, const nb::tuple& options) {
  std::int64_t n = 4096 + plan.plan().table_bytes();
  for (const nb::handle option : options) {
    const nb::tuple parts = nb::borrow<nb::tuple>(option);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const nb::object part = parts[k];
      if (PyBytes_Check(part.ptr())) n += 10 * static_cast<std::int64_t>(PyBytes_Size(part.ptr()));
    }
  }
  return n;
}

std::string title_of(const std::string& spec, const nb::tuple& options) {
  std::string title = spec;
  for (const nb::handle option : options) {
    const nb::tuple parts = nb::borrow<nb::tuple>(option);
    title += ", " + text_of(parts[0]);
    for (std::size_t k = 1; k < parts.size(); ++k) {
      const nb::object part = parts[k];
      if (PyUnicode_Check(part.ptr()) || PyLong_Check(part.ptr())) title += " " + text_of(part);
    }
  }
  return title;
}

}  // namespace

std::shared_ptr<const MovePlan> PlanCache::find(std::span<const View> sources, nb::handle spec, nb::handle options, const View* into) {
  key_.clear();
  key_.push_back(sources.front().device);
  key_.push_back(std::ssize(sources) * 2 + (into != nullptr ? 1 : 0));  // which of the layouts below are sources
  for (const View& v : sources) append(key_, v);
  if (into != nullptr) append(key_, *into);
  std::size_t hash = hash_of(spec) ^ (hash_of(options) * 31);
  for (const std::int64_t number : key_) {
    hash = (hash ^ static_cast<std::size_t>(number)) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29;
  }
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto e = first; e != last; ++e) {
    const Entry& entry = *e->second;
    if (entry.numbers != key_ || !are_equal(entry.spec, spec) || !are_equal(entry.options, options)) continue;
    entries_.splice(entries_.begin(), entries_, e->second);
    return entry.plan;
  }

  std::vector<Layout> layouts;
  for (const View& v : sources) layouts.push_back(v.layout());
  const std::string text = nb::cast<std::string>(spec);
  const nb::tuple wishes = nb::borrow<nb::tuple>(options);
  const Layout destination = into != nullptr ? into->layout() : Layout{};
  Entry entry{hash, nb::borrow(spec), nb::borrow(options), key_, nullptr, 0};
  entry.plan =
      std::make_shared<const MovePlan>(read_wish(text, layouts, wishes, into != nullptr ? &destination : nullptr), layouts, into != nullptr,
                                       sources.front().crinkle_device(), title_of(text, wishes), [text, wishes, layouts] {
                                         const Layout& l = layouts.front();
                                         return read_wish(text, {Layout::dense(l.extents, l.element_bytes)}, wishes, nullptr);
                                       });
  entry.bytes = kept_bytes(*entry.plan, wishes);
  const std::shared_ptr<const MovePlan> plan = entry.plan;
  if (entry.bytes > limit_bytes) return plan;
  while (bytes_ + entry.bytes > limit_bytes) drop_oldest();
  bytes_ += entry.bytes;
  entries_.push_front(std::move(entry));
  by_hash_.emplace(hash, entries_.begin());
  return plan;
}

void PlanCache::drop_oldest() {
  const auto oldest = std::prev(entries_.end());
  const auto [first, last] = by_hash_.equal_range(oldest->hash);
  for (auto e = first; e != last; ++e) {
    if (e->second != oldest) continue;
    by_hash_.erase(e);
    break;
  }
  bytes_ -= oldest->bytes;
  entries_.erase(oldest);
}

void PlanCache::clear() {
  by_hash_.clear();
  entries_.clear();
  bytes_ = 0;
}

PlanCache& plan_cache() {
  static auto* const cache = new PlanCache;  // NOLINT: see above
  return *cache;
}

}  // namespace crinkle::python
