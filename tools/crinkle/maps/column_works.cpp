// SPDX-License-Identifier: BSD-3-Clause
#include "maps/column_works.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "maps/sample_columns.hpp"

namespace crinkle::tool {

ColumnWorks::ColumnWorks(const WorkOptions& options, const SampleFile& samples, const std::string& path, const Planned& planned,
                         const Agreeing& agreement, double operations_s)
    : options_(options) {
  for_each_part(samples, path, [&](const SampleFile& part, std::int64_t first) {
    const auto plan = [&](Device device) { return planned(part, device); };
    Work work(options, plan, operations_s);
    Agreement its;
    if (options.is_verified) its = agreement(part, work.is_on_gpu());
    if (options.is_verified && work.is_on_gpu() && !its.definition) its.definition = plan(cpu());  // the part's samples do not last
    columns_.push_back({std::move(work), static_cast<std::size_t>(first), std::move(its)});
  });
}

void ColumnWorks::explain() const {
  for (const Column& column : columns_) column.work.explain();
}

void ColumnWorks::run(std::span<std::byte> out, const std::string& path) {
  for (Column& column : columns_) {
    const Port& port = column.work.operation().outputs()[0];
    const auto axis = std::find(port.axes.begin(), port.axes.end(), "column") - port.axes.begin();
    std::size_t n_rows = 1;  // of columns one after the other
    for (std::ptrdiff_t a = 0; a < axis; ++a) n_rows *= static_cast<std::size_t>(port.layout.extents[static_cast<std::size_t>(a)]);
    const auto n_bytes = static_cast<std::size_t>(port.layout.n_bytes());
    if (n_bytes == 0) continue;
    const std::size_t row = n_bytes / n_rows, pitch = out.size() / n_rows,
                      begin = column.first * (row / static_cast<std::size_t>(port.layout.extents[static_cast<std::size_t>(axis)]));
    std::vector<std::byte> apart(n_rows > 1 && row < pitch ? n_bytes : 0);
    const std::span<std::byte> here = apart.empty() ? out.subspan(begin, n_bytes) : apart;
    const Buffer to(here);
    const ConstBuffer written = to;
    column.work.run({}, {&to, 1});
    if (options_.is_verified) column.work.verify({}, {&written, 1}, path, column.agreement);
    for (std::size_t r = 0; r < n_rows && !apart.empty(); ++r) std::memcpy(out.data() + r * pitch + begin, here.data() + r * row, row);
  }
}

void ColumnWorks::print_json(const nlohmann::ordered_json& more) const {
  std::vector<const Work*> others;
  for (std::size_t c = 1; c < columns_.size(); ++c) others.push_back(&columns_[c].work);
  columns_.front().work.print_json(more, others);
}

}  // namespace crinkle::tool
