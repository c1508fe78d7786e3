"""Decides what is read of paper 1's figure 5 beside cuFFT (bench/rivals/drive.py --suite fft_paper): of each number of signals and samples the rates
5 b N lg N / t of ctFFT (the best of radix 2, 4 and 8), of cuFFT and of this library's plan, and their quotients, the figure's second chart.

SPDX-License-Identifier: BSD-3-Clause
"""
import dataclasses
import re

from . import numbers
from .read import Refused

SUITE = "rivals_fft_paper"
LARGE = 1 << 22  # samples in all, 32 MiB, from which on a kernel takes far longer than a call


@dataclasses.dataclass(frozen=True)
class Rates:
    """Operations a second."""
    batch: int
    n: int
    ctfft: float
    cufft: float
    crinkle: float

    @property
    def is_large(self):
        return self.batch * self.n >= LARGE


def rates_of(rows):
    found = []
    for row in rows:
        of_figure = re.fullmatch(r"figure5_batch(\d+)_n(\d+)_crinkle", row.name)
        if not of_figure:
            continue
        seconds = {name: one["seconds"] for name, one in row.given["rivals"].items()}
        cufft = [value for name, value in seconds.items() if name.startswith("cuFFT")]
        paper = [value for name, value in seconds.items() if name.startswith("paper, ")]
        if not cufft or not paper:
            raise Refused(f"{row.name}: expected cuFFT and the paper's variants among its rivals")
        flops = row.given["flops"]
        found.append(Rates(int(of_figure[1]), int(of_figure[2]), flops / min(paper), flops / cufft[0], flops / row.seconds))
    return found


def _mean(quotients):
    return f"{numbers.fraction(numbers.geometric_mean(quotients))} in the mean ({numbers.fraction(min(quotients))} to {numbers.fraction(max(quotients))})"


def summed_up(rows):
    """A clause on all of the figure; nothing of no rows."""
    found = rates_of(rows)
    large, ahead = [one for one in found if one.is_large], [one for one in found if one.ctfft > one.cufft]
    if not large:
        return ""
    most = f", none of more than 2^{(max(one.batch * one.n for one in ahead)).bit_length() - 1} samples in all" if ahead else ""
    return (f"ahead of cuFFT in {len(ahead)} of {len(found)}{most}; of 2^{LARGE.bit_length() - 1} and more at {_mean([one.ctfft / one.cufft for one in large])} of its speed, "
            f"crinkle at {_mean([one.crinkle / one.cufft for one in large])}")


def charts(file):
    """Titles, words and {signals: [(samples, times as fast as cuFFT)]} of a results file."""
    of = f"{file.head.get('device')}, {file.head.get('date')}, commit {file.head.get('commit')}"
    found = rates_of(file.rows)
    for name, words in (("ctfft", "ctFFT, the best of radix 2, 4 and 8"), ("crinkle", "This library's plan")):
        lines = {}
        for one in found:
            lines.setdefault(f"{one.batch} signal{'s' * (one.batch > 1)}", []).append((one.n, getattr(one, name) / one.cufft))
        large = [getattr(one, name) / one.cufft for one in found if one.is_large]
        told = f", and at {_mean(large)} of its speed of 2^{LARGE.bit_length() - 1} samples and more in all" if large else ""
        yield (f"Figure 5, beside cuFFT: {'ctFFT' if name == 'ctfft' else 'crinkle'}", f"{words} is ahead of cuFFT in {sum(getattr(one, name) > one.cufft for one in found)} of {len(found)}{told} "
               f"({of}). The paper: ahead for large signals, behind for many small ones. Of small signals a call of cuFFT takes as long as the host needs for it.", lines)
