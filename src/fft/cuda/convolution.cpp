// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/convolution.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace crinkle::fft {
namespace {

// Of numbers in rows of the workspace.
template <class T>
ConvolutionStep<T> step_of(const ChainPart& from, const ChainPart& to) {
  constexpr std::int64_t number = sizeof(Number<T>);
  ConvolutionStep<T> step;
  CudaEnds<T>& e = step.lines.ends;
  step.lines.n = e.n = e.n_in = e.n_out = to.part;
  e.in = multiply(from.q * from.done, number);
  e.out = to.done * number;
  if (to.q > 1) {
    // Of the step in the middle, from.q = 1: its lines (0, d) become (r, 0), r = d.
    step.twisted = to.part * to.q;
    step.along = {to.q, (from.q > 1 ? from.done : 1) * number, to.part * to.done * number};
    step.other = {to.done, number, number};
  } else {
    step.along = {to.done, number, number};
  }
  return step;
}

}  // namespace

std::vector<ChainPart> chain_parts(const std::vector<std::int64_t>& parts) {
  std::vector<ChainPart> all;
  std::int64_t rest = 1, done = 1;
  for (const std::int64_t part : parts) rest = multiply(rest, part);
  for (const std::int64_t part : parts) {
    rest /= part;
    all.push_back({part, rest, done});
    done *= part;
  }
  return all;
}

template <class T>
std::vector<ConvolutionStep<T>> convolution_steps(const CudaEnds<T>& ends, std::vector<std::int64_t> parts, ConvolutionWay way) {
  const std::vector<ChainPart> first = chain_parts(parts);
  std::reverse(parts.begin(), parts.end());
  const std::vector<ChainPart> second = chain_parts(parts);
  std::vector<ConvolutionStep<T>> steps;
  if (way == ConvolutionWay::apart) {
    for (const ChainPart& part : first) steps.push_back(step_of<T>(part, part));
    for (const ChainPart& part : second) steps.push_back(step_of<T>(part, part));
    return steps;
  }
  for (std::size_t j = 0; j + 1 < first.size(); ++j) steps.push_back(step_of<T>(first[j], first[j]));
  steps.push_back(step_of<T>(first.back(), second.front()));
  steps.back().is_convolved = true;
  steps.back().lines.kernel_step = first.back().done;
  for (std::size_t j = 1; j < second.size(); ++j) steps.push_back(step_of<T>(second[j], second[j]));

  ConvolutionStep<T>& reading = steps.front();
  CudaEnds<T> e = reading.lines.ends;
  reading.reads_array = true;
  reading.lines.part_in = first.front().q;
  reading.along.in = 0;
  reading.lines.ends = ends;
  reading.lines.ends.out_kind = CudaOut::numbers;
  reading.lines.ends.out_part = e.out_part;
  reading.lines.ends.n_out = e.n_out;
  reading.lines.ends.out = e.out;
  reading.lines.ends.out_shift = 0;
  reading.lines.ends.re = reading.lines.ends.im = 1;
  if (ends.out_kind == CudaOut::folded) return steps;

  ConvolutionStep<T>& writing = steps.back();
  e = writing.lines.ends;
  writing.writes_array = true;
  writing.lines.part_out = second.back().done;
  writing.along.out = 0;
  writing.lines.ends = ends;
  writing.lines.ends.in_kind = CudaIn::numbers;
  writing.lines.ends.in_part = e.in_part;
  writing.lines.ends.n_in = e.n_in;
  writing.lines.ends.in = e.in;
  writing.lines.ends.in_shift = 0;
  writing.lines.ends.im_in = 1;
  return steps;
}

template std::vector<ConvolutionStep<float>> convolution_steps(const CudaEnds<float>&, std::vector<std::int64_t>, ConvolutionWay);
template std::vector<ConvolutionStep<double>> convolution_steps(const CudaEnds<double>&, std::vector<std::int64_t>, ConvolutionWay);

}  // namespace crinkle::fft
