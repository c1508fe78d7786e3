// Notes of crinkle interpolate on standard error about samples, maps and values that are likely not what was meant.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <string>

#include "crinkle/interpolate.hpp"
#include "maps/sample_file.hpp"

namespace crinkle::tool {

/// From the least to the greatest place along each axis.
struct Box {
  std::array<double, 3> least{}, most{};
};
/// The box of the cells' outer edges.
Box box_of(const Raster& raster);
Box box_of(std::span<const double> places, int n_dimensions);

/// `where` and all samples lie apart: "the map".
void note_apart(const SampleFile& samples, const Box& where, const std::string& what);
/// Samples that have the place of another one.
void note_coincident(const SampleFile& samples);
/// Columns whose range float32 has few steps for.
void note_narrow(const SampleFile& samples);
/// Samples whose value is what stands for no data.
void note_nodata_among(const SampleFile& samples, double nodata);
/// Says which options change nothing beside the others.
void note_idle(const Interpolation& how);
/// Says that it takes long, before it does.
void note_pairs(const Interpolation& how, double n_samples, double n_places);
template <class T>
void note_no_data(std::span<const T> values, double nodata);

/// Whether a number is finite as float32, if it is at all.
bool is_of_float32(double number);

}  // namespace crinkle::tool
