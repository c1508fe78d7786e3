// SPDX-License-Identifier: BSD-3-Clause
#include "files/number_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "base/caret.hpp"
#include "base/checked.hpp"
#include "base/number_lines.hpp"
#include "files/arrays.hpp"
#include "files/beyond.hpp"
#include "formats/dataset.hpp"
#include "formats/nifti.hpp"
#include "formats/sink.hpp"

namespace crinkle::tool {
namespace {

// A real number of a type, which may be half of a complex one; nothing where it is no number.
std::optional<NumberType> number_of(const ElementType& type) {
  const std::string real = type.name == "complex64" ? "float32" : type.name == "complex128" ? "float64" : type.name;
  try {
    return NumberType{real == "bool" ? Number::uint8 : parse_number(real), type.descr.starts_with('>')};
  } catch (const Error&) { return {}; }
}

}  // namespace

NumberFile open_numbers(std::unique_ptr<Source> source, const std::string& dtype, LastAxis last) {
  NumberFile file;
  file.source = std::move(source);
  file.facts = file.source->facts();
  const ElementType& type = file.facts.type;
  const std::string what = described(file.facts.path, file.facts.layout.extents, type);
  const bool is_pairs = last == LastAxis::is_pairs;
  file.is_complex = is_pairs || type.name.starts_with("complex");
  if (!dtype.empty() && dtype != "float32" && dtype != "float64")
    throw Error(ErrorCode::bad_notation, "--dtype " + shown(dtype) + ": numbers are converted to float32 or float64");
  const bool is_real = type.name == "float16" || type.name == "float32" || type.name == "float64";
  const bool is_taken = is_real || type.name == "complex64" || type.name == "complex128";
  const std::string types = what + ": fft is of float16, float32, float64, complex64 and complex128";
  if (!number_of(type)) throw Error(ErrorCode::unsupported, types);
  if (!is_taken && dtype.empty()) throw Error(ErrorCode::unsupported, types + "; --dtype float32 converts it");
  const bool is_double = dtype.empty() ? type.name == "float64" || type.name == "complex128" : dtype == "float64";
  file.real = is_double ? FftReal::float64 : dtype.empty() && type.name == "float16" ? FftReal::float16 : FftReal::float32;
  if (const auto [slope, intercept] = scale_of(file.facts); (slope != 1 || intercept != 0) && !type.name.starts_with("complex")) {
    file.source = values_of(*file.source, is_double ? "float64" : "float32");
    file.facts = file.source->facts();
    file.facts.notes.push_back(
        fmt::format("the numbers are the values that are meant, scl_slope {} times what is stored plus scl_inter {}", slope, intercept));
  }
  if (Layout& layout = file.facts.layout; file.facts.format == "png" && layout.extents.back() == 1) {
    layout.extents.pop_back();
    layout.strides.pop_back();
  }
  if (is_pairs) {
    Layout& layout = file.facts.layout;
    if (!is_real || layout.extents.empty() || layout.extents.back() != 2 || layout.strides.back() != layout.element_bytes) {
      throw Error(ErrorCode::bad_shape, what +
                                            ": --pairs takes float16, float32 or float64 whose last axis has two numbers, re and im, one "
                                            "behind the other");
    }
    layout.extents.pop_back();
    layout.strides.pop_back();
    layout.element_bytes *= 2;
  }
  return file;
}

Numbers kind_of_numbers(const NumberFile& file, NumbersAre are) {
  const ArrayFacts& facts = file.facts;
  const bool is_complex = are == NumbersAre::complex;
  Numbers numbers{{}, facts.layout, file.real};
  const bool is_swapped = facts.type.descr.starts_with('>');
  const std::string real = facts.type.name == "complex64" ? "float32" : facts.type.name == "complex128" ? "float64" : facts.type.name;
  const char* reals[] = {"float32", "float64", "float16"};
  if (!is_swapped && is_complex == file.is_complex && real == reals[static_cast<int>(file.real)]) return numbers;
  numbers.is_converted = true;
  if (file.real == FftReal::float16) numbers.real = FftReal::float32;
  numbers.layout = Layout::dense(facts.layout.extents, (numbers.real == FftReal::float32 ? 4 : 8) * (is_complex ? 2 : 1));
  return numbers;
}

Numbers numbers_of(const NumberFile& file, NumbersAre are) {
  const ArrayFacts& facts = file.facts;
  const std::byte* bytes = file.source->bytes().data();
  Numbers numbers = kind_of_numbers(file, are);
  numbers.data = {bytes, std::ssize(file.source->bytes())};
  if (!numbers.is_converted) return numbers;
  const NumberType to{numbers.real == FftReal::float32 ? Number::float32 : Number::float64}, from = number_of(facts.type).value();
  const std::int64_t part = bytes_of(to.number), from_part = bytes_of(from.number), n_parts = are == NumbersAre::complex ? 2 : 1;
  numbers.own.resize(static_cast<std::size_t>(numbers.layout.n_bytes()));
  for_each_element(facts.layout, [&](std::int64_t i, std::int64_t at) {
    double value[2] = {};
    load_line(value, 1, bytes + at, from_part, file.is_complex ? 2 : 1, from);
    numbers.has_rounded = numbers.has_rounded || is_beyond_float64(bytes + at, from);
    store_line(numbers.own.data() + i * numbers.layout.element_bytes, part, value, 1, n_parts, to);
  });
  numbers.data = {numbers.own.data(), std::ssize(numbers.own)};
  return numbers;
}

std::int64_t count_not_finite(const Numbers& in, std::int64_t parts) {
  const std::int64_t bytes = in.layout.element_bytes / parts;
  const NumberType type{bytes == 2 ? Number::float16 : bytes == 4 ? Number::float32 : Number::float64};
  std::int64_t count = 0;
  for_each_element(in.layout, [&](std::int64_t, std::int64_t at) {
    double value[2] = {};
    load_line(value, 1, in.data.data + at, bytes, parts, type);
    count += std::isfinite(value[0]) && std::isfinite(value[1]) ? 0 : 1;
  });
  return count;
}

void check_range(const std::vector<std::byte>& result, const Numbers& in, std::int64_t parts) {
  const std::int64_t n = std::ssize(result) / 2;
  std::vector<float> numbers(static_cast<std::size_t>(n));
  load_line(numbers.data(), 1, result.data(), 2, n, {Number::float16});
  const auto n_infinite = std::count_if(numbers.begin(), numbers.end(), [](float x) { return std::isinf(x); });
  if (n_infinite == 0 || count_not_finite(in, parts) > 0) return;
  throw Error(ErrorCode::too_large, fmt::format("{} of {} numbers of the result are beyond float16's range, 65504: give --norm ortho, "
                                                "or leave out --float16",
                                                n_infinite, n));
}

std::unique_ptr<Source> values_of(const Source& source, const std::string& type) {
  const ArrayFacts& facts = source.facts();
  const std::optional<NumberType> from = number_of(facts.type);
  if (!from || facts.type.name.starts_with("complex")) {
    throw Error(ErrorCode::unsupported, described(facts.path, facts.layout.extents, facts.type) +
                                            ": --values is of integers, float32 and float64; leave it out to keep what is stored");
  }
  ArrayFacts of_values = facts_of_values(facts, element_type(type));
  Mapping made = Mapping::anonymous(of_values.layout.n_bytes(), facts.path);
  const std::pair<double, double> scale = scale_of(facts);
  const double slope = scale.first, intercept = scale.second;
  const bool is_scaled = slope != 1 || intercept != 0;
  const NumberType to{type == "float64" ? Number::float64 : Number::float32};
  bool has_rounded = false;
  for_each_element(facts.layout, [&](std::int64_t i, std::int64_t at) {
    double value = 0;
    load_line(&value, 1, source.bytes().data() + at, 0, 1, *from);
    has_rounded = has_rounded || is_beyond_float64(source.bytes().data() + at, *from);
    if (is_scaled) {
      const volatile double product = slope * value;  // rounded: no compiler contracts it with the sum
      value = product + intercept;
    }
    store_line(made.writable().data() + i * of_values.type.bytes, 0, &value, 1, 1, to);
  });
  if (has_rounded) of_values.notes.push_back(beyond_float64(facts.type.name, type));
  return Source::of(std::move(of_values), std::move(made));
}

std::vector<float> log_magnitudes(const std::vector<std::byte>& numbers, FftReal real) {
  const NumberType type{real == FftReal::float32 ? Number::float32 : Number::float64};
  const std::int64_t part = bytes_of(type.number);
  std::vector<float> result;
  for (const std::byte* at = numbers.data(); at != numbers.data() + numbers.size(); at += 2 * part) {
    double value[2];
    load_line(value, 1, at, part, 2, type);
    result.push_back(static_cast<float>(std::log1p(std::hypot(value[0], value[1]))));
  }
  return result;
}

TransformFacts::TransformFacts(const Extents& extents, const ElementType& type, const ArrayFacts& from,
                               const std::vector<std::int64_t>& axes, const DatasetWish* stored)
    : unscaled_(facts_of_values(from, type)),
      output_{.extents = extents, .type = type, .source = &unscaled_, .change = &change_, .stored = stored, .is_transform = true} {
  const auto* const said = dynamic_cast<const DatasetExtras*>(unscaled_.extras.get());
  for (std::size_t a = 0; a < extents.size(); ++a) {
    const bool is_there = a < from.layout.extents.size();
    const bool is_changed = std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(a)) != axes.end();
    change_.axes.push_back({.source_axis = is_there && (said == nullptr || !is_changed) ? static_cast<int>(a) : -1});
    if (said != nullptr) output_.axes.push_back(is_there ? said->facts.axes[a] : "");
  }
}

std::vector<std::string> write_spectrum(const std::vector<float>& logarithms, const OutputFacts& output, const ArrayFacts& facts,
                                        const std::string& path, Overwrite overwrite) {
  const Extents& extents = output.extents;
  const bool is_picture = path.ends_with(".png");
  const auto sink = Sink::create(path, output, overwrite);
  std::byte* to = sink->bytes().data() + sink->data_offset();
  if (is_picture) {
    const bool has_alpha = facts.format == "png" && extents.size() == 3 && extents[2] % 2 == 0;
    const std::size_t n_channels = has_alpha ? static_cast<std::size_t>(extents[2]) : 0;
    const auto is_alpha = [&](std::size_t i) { return has_alpha && i % n_channels == n_channels - 1; };
    float least = std::numeric_limits<float>::max(), most = 0;
    for (std::size_t i = 0; i < logarithms.size(); ++i) {
      if (!std::isfinite(logarithms[i]) || is_alpha(i)) continue;
      least = std::min(least, logarithms[i]);
      most = std::max(most, logarithms[i]);
    }
    const float range = most > least ? most - least : 1;
    for (std::size_t i = 0; i < logarithms.size(); ++i) {
      const bool is_white = is_alpha(i) || !std::isfinite(logarithms[i]);
      const float level = is_white ? 255 : std::round((logarithms[i] - least) / range * 255);
      *to++ = static_cast<std::byte>(static_cast<unsigned char>(level));
    }
  } else if (!logarithms.empty()) {
    std::memcpy(to, logarithms.data(), logarithms.size() * sizeof(float));
  }
  sink->commit();
  return sink->notes();
}

}  // namespace crinkle::tool
