// Records: from any layout to any, and which layout suits a program.
// SPDX-License-Identifier: BSD-3-Clause
#include "computed.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "api/cache.hpp"
#include "crinkle/advise.hpp"
#include "crinkle/detail/request_key.hpp"
#include "moves.hpp"

namespace crinkle::python {
namespace {

RecordLayout layout_named(const std::string& text, const Fields& fields) { return RecordLayout::parse(text, fields); }

struct Conversion {
  std::string fields, from, to;
  std::int64_t n;
  bool is_from_apart, is_to_apart;
};

Rearrangement map_of(const Conversion& asked) {
  const Fields known = parse_fields(asked.fields);
  RecordOptions options;
  if (asked.is_from_apart) options.from = Storage::apart;
  if (asked.is_to_apart) options.to = Storage::apart;
  options.padding = Padding::zero;
  return convert_records(layout_named(asked.from, known), layout_named(asked.to, known), asked.n, options);
}

// Sources and destinations are lists of dense arrays: one, or one a group. Plans are kept by the words, so that these are read once.
void convert(const std::string& fields, const std::string& from, const std::string& to, std::int64_t n, const nb::list& sources,
             const nb::list& destinations) {
  const Conversion asked{fields, from, to, n, nb::len(sources) > 1, nb::len(destinations) > 1};
  if (n == 0) {  // a plan of no bytes has no buffers; the layouts are checked as others are
    static_cast<void>(map_of(asked));
    return;
  }
  crinkle::detail::RequestKey key = crinkle::detail::key_of(asked);
  key.push_back(crinkle::detail::kind_of_key<Conversion>());
  const auto plan = kept<Plan>(key, [&] { return std::make_shared<const Plan>(map_of(asked)); });
  std::vector<View> views;
  std::vector<ConstBuffer> src;
  std::vector<Buffer> dst;
  for (const nb::handle one : sources) src.push_back(views.emplace_back(view_of(one)).source());
  for (const nb::handle one : destinations) dst.push_back(views.emplace_back(output_view(one)).destination());
  const std::shared_ptr<Executor> threads = executor();
  const Unlocked unlocked;
  plan->run(src, dst, *threads);
}

// Bytes of one record in each group of a layout.
std::vector<std::int64_t> record_bytes(const std::string& fields, const std::string& layout) {
  const RecordLayout l = layout_named(layout, parse_fields(fields));
  std::vector<std::int64_t> bytes;
  for (std::size_t g = 0; g < l.n_groups(); ++g) bytes.push_back(l.record_bytes(g));
  return bytes;
}

std::int64_t layout_bytes(const std::string& fields, const std::string& layout, std::int64_t n) {
  return layout_named(layout, parse_fields(fields)).bytes(n);
}

// A list of (layout, seconds, interquartile range, GB/s, is the present one, seconds to convert or None, pays after or None).
nb::list advise_fields(const std::string& fields, const std::vector<std::string>& reads, const std::vector<std::string>& writes,
                       std::int64_t n, const std::string& from, const std::string& order, const std::vector<std::string>& candidates,
                       int samples, double most_seconds) {
  const Fields known = parse_fields(fields);
  const std::shared_ptr<Executor> threads = executor();
  AdviseOptions options;
  options.executor = threads.get();
  if (!from.empty()) options.from = layout_named(from, known);
  for (const std::string& text : candidates) options.candidates.push_back(layout_named(text, known));
  options.samples = samples;
  options.most_seconds = most_seconds;
  const AccessPattern pattern{reads, writes, AccessOrder::parse(order)};
  const Advice advice = [&] {
    const Unlocked unlocked;
    return advise(known, pattern, n, options);
  }();
  nb::list rows;
  for (const Candidate& c : advice.candidates) {
    const nb::object convert_seconds = c.convert_seconds ? nb::object(nb::float_(*c.convert_seconds)) : nb::none();
    const nb::object pays_after = c.pays_after ? nb::object(nb::int_(*c.pays_after)) : nb::none();
    rows.append(nb::make_tuple(c.layout.print(), c.seconds, c.iqr, c.gb_per_s, c.is_present, convert_seconds, pays_after));
  }
  return rows;
}

}  // namespace

void bind_records(nb::module_& module) {
  module.def("convert_records", &convert);
  module.def("record_bytes", &record_bytes);
  module.def("layout_bytes", &layout_bytes);
  module.def("print_field_name", [](const std::string& name) { return print_field_name(name); });
  module.def("advise_fields", &advise_fields);
}

}  // namespace crinkle::python
