// The C interface: a maker for every request. Words are those of the command.
// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <vector>

#include "c/shared.hpp"
#include "crinkle/fft.hpp"

namespace crinkle::c {
namespace {

std::vector<std::int64_t> list_of(const std::int64_t* numbers, int n, const char* name) {
  if (n < 0) throw Error(ErrorCode::bad_shape, std::to_string(n) + " " + name);
  if (n > 0) given(numbers, name);
  return {numbers, numbers + n};
}

/// One of several words, the first where it is left out.
template <class Value>
struct Word {
  const char* text;
  Value value;
};
template <class Value>
Value value_of(const char* text, const char* name, std::initializer_list<Word<Value>> words) {
  if (text == nullptr) return words.begin()->value;
  std::string all;
  for (const Word<Value>& word : words) {
    if (std::string(word.text) == text) return word.value;
    all += (all.empty() ? "\"" : ", \"") + std::string(word.text) + '"';
  }
  throw Error(ErrorCode::bad_notation, std::string(name) + " is \"" + text + "\"; it is one of " + all);
}

FftReal real_of(const char* text) {
  return value_of<FftReal>(text, "real", {{"float32", FftReal::float32}, {"float64", FftReal::float64}, {"float16", FftReal::float16}});
}

}  // namespace
}  // namespace crinkle::c

using namespace crinkle;
using namespace crinkle::c;

extern "C" {

crinkle_status crinkle_make_fft(const crinkle_fft* request, int device, int n_threads, crinkle_plan** made) {
  return planned(made, device, n_threads, [&](Device on) {
    const crinkle_fft& of = given(request, "request");
    FftRequest r{.in = layout_of(&of.in, "in"), .out = layout_of(&of.out, "out"), .axes = list_of(of.axes, of.n_axes, "axes")};
    r.kind = value_of<FftKind>(of.kind, "kind",
                               {{"complex", FftKind::complex_to_complex},
                                {"real to complex", FftKind::real_to_complex},
                                {"complex to real", FftKind::complex_to_real},
                                {"cosine", FftKind::cosine},
                                {"sine", FftKind::sine}});
    r.direction = of.is_inverse != 0 ? FftDirection::inverse : FftDirection::forward;
    r.norm = of.norm == nullptr ? FftNorm::backward : parse_fft_norm(of.norm);
    r.real = real_of(of.real);
    if (of.sizes != nullptr) r.sizes = list_of(of.sizes, of.n_axes, "sizes");
    r.shift = value_of<FftShift>(
        of.shift, "shift", {{"none", FftShift::none}, {"input", FftShift::input}, {"output", FftShift::output}, {"both", FftShift::both}});
    return plan(r, on);
  });
}

crinkle_status crinkle_make_convolve(const crinkle_convolve* request, int device, int n_threads, crinkle_plan** made) {
  return planned(made, device, n_threads, [&](Device on) {
    const crinkle_convolve& of = given(request, "request");
    ConvolveRequest r{.a = layout_of(&of.a, "a"), .b = layout_of(&of.b, "b"), .out = layout_of(&of.out, "out")};
    r.mode = value_of<ConvolveMode>(of.mode, "mode",
                                    {{"full", ConvolveMode::full}, {"same", ConvolveMode::same}, {"valid", ConvolveMode::valid}});
    r.real = real_of(of.real);
    r.axes = list_of(of.axes, of.n_axes, "axes");
    r.is_correlation = of.is_correlation != 0;
    return plan(r, on);
  });
}

}  // extern "C"
