// SPDX-License-Identifier: BSD-3-Clause
#include "resampling/raster_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "files/file_names.hpp"
#include "maps/ground.hpp"

namespace crinkle::tool {
namespace {

template <class T>
void take_out_masked(const Gdal& geographic, const CellRequest& request, const RasterFacts& raster, std::span<T> numbers) {
  const std::size_t plane = numbers.size() / raster.bands.size();
  std::vector<std::uint8_t> mask(raster.has_mask ? plane : 0);
  if (raster.has_mask) geographic.read_mask(request, mask);
  const T* const alpha = raster.alpha ? numbers.data() + static_cast<std::size_t>(*raster.alpha) * plane : nullptr;
  if (mask.empty() && alpha == nullptr) return;
  for (std::size_t i = 0; i < plane; ++i) {
    if ((mask.empty() || mask[i] != 0) && (alpha == nullptr || alpha[i] != 0)) continue;
    for (std::size_t at = i; at < numbers.size(); at += plane) numbers[at] = std::numeric_limits<T>::quiet_NaN();
  }
}

}  // namespace

std::vector<std::string> notes_of(const RasterFacts& raster, int page, const std::string& output) {
  std::vector<std::string> notes;
  if (raster.n_pages > 1)
    notes.push_back(fmt::format("page {} of {} is read{}", page, raster.n_pages, page == 1 ? "; --page N reads another" : ""));
  if (const std::string place = place_otherwise(raster); !place.empty()) notes.push_back(place);
  if (is_named_tiff(output)) return notes;
  const auto is_scaled = [](const std::array<double, 2>& scale) { return scale != std::array{1.0, 0.0}; };
  if (const auto scaled = std::find_if(raster.scales.begin(), raster.scales.end(), is_scaled); scaled != raster.scales.end())
    notes.push_back(
        fmt::format("numbers are as stored: the scale of band {}, {}, and its offset, {}, are not applied, and {} does not say them",
                    scaled - raster.scales.begin() + 1, (*scaled)[0], (*scaled)[1], output));
  if (raster.n_tags > 0) notes.push_back(fmt::format("its {} tags are not in {}", raster.n_tags, output));
  return notes;
}

template <class T>
std::int64_t read_cells(const Gdal& geographic, const CellRequest& request, const RasterFacts& raster, std::optional<double> its_nodata,
                        Mapping& cells) {
  geographic.read_cells(request, sizeof(T) == 4 ? Real::float32 : Real::float64, cells.writable());
  const std::span<T> numbers(reinterpret_cast<T*>(cells.writable().data()), cells.bytes().size() / sizeof(T));
  take_out_masked(geographic, request, raster, numbers);
  std::int64_t n_missing = 0;
  const T nodata = static_cast<T>(its_nodata.value_or(std::nan("")));
  const std::size_t plane = numbers.size() / raster.bands.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool is_alpha = raster.alpha && static_cast<std::int64_t>(i / plane) == *raster.alpha;
    if (numbers[i] == nodata && !is_alpha) numbers[i] = std::numeric_limits<T>::quiet_NaN();
    n_missing += std::isnan(numbers[i]) ? 1 : 0;
  }
  return n_missing;
}
template std::int64_t read_cells<float>(const Gdal&, const CellRequest&, const RasterFacts&, std::optional<double>, Mapping&);
template std::int64_t read_cells<double>(const Gdal&, const CellRequest&, const RasterFacts&, std::optional<double>, Mapping&);

}  // namespace crinkle::tool
