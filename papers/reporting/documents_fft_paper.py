"""Decides the tables of docs/fft.md of paper 1's figure 5: GFLOP/s, and its second chart, the quotient with cuFFT; and of its table 1, what a
profiler counts of the variants beside what is walked (scripts/join_paper_counters.py).

    <!-- table fft-figure5-rates machine=h200 batches=1,32768 -->

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .markdown import paragraph, table
from .papers_cufft import SUITE, rates_of
from .read import Refused


def _by_size(machine):
    """{(signals, samples): Rates}"""
    found = {(one.batch, one.n): one for one in rates_of(machine.rows(SUITE))}
    if not found:
        raise Refused(f"{machine.path(SUITE)}: expected rows figure5_…")
    return found


def _table(found, batches, words, told):
    """A line a number of samples, a column a number of signals."""
    sizes = sorted({n for batch, n in found if batch in batches})
    return table([f"{words}: N", *(f"{batch} signal{'s' * (batch > 1)}" for batch in batches)],
                 [[numbers.two_to_the(numbers.power_of_two(n)), *(told(found[batch, n]) if (batch, n) in found else numbers.NONE for batch in batches)] for n in sizes])


def rates(machine, batches):
    wanted = [int(word) for word in batches.split(",")]
    return _table(_by_size(machine), wanted, "GFLOP/s of ctFFT, cuFFT, crinkle", lambda one: ", ".join(numbers.significant(1e-9 * rate) for rate in (one.ctfft, one.cufft, one.crinkle)))


def quotients(machine):
    found = _by_size(machine)
    return _table(found, sorted({batch for batch, _ in found}), "ctFFT/cuFFT, crinkle/cuFFT",
                  lambda one: f"{numbers.fraction(one.ctfft / one.cufft)}, {numbers.fraction(one.crinkle / one.cufft)}")


def said(machine):
    found = _by_size(machine).values()
    seconds = {one: 5 * one.batch * one.n * numbers.power_of_two(one.n) / one.cufft for one in found}
    small, large = [one for one in found if one.batch * one.n <= 1 << 16], [one for one in found if one.is_large]
    of_calls = [seconds[one] for one in small]

    def mean(name):
        many = [getattr(one, name) / one.cufft for one in large]
        return f"{numbers.fraction(numbers.geometric_mean(many))} in the mean, {numbers.fraction(min(many))} to {numbers.fraction(max(many))}"

    ahead = max((one for one in found if one.ctfft > one.cufft), key=lambda one: one.batch * one.n)
    return paragraph(
        f"Of the {len(large)} with 2²² samples and more in all ctFFT is at {mean('ctfft')}, of cuFFT's speed, and the plan at {mean('crinkle')}. Of up to 2¹⁶ samples a call of cuFFT takes "
        f"{numbers.seconds(min(of_calls))} to {numbers.seconds(max(of_calls))}, whatever their number, which is the host's: these quotients say what a call costs, not a kernel. The most samples "
        f"of which ctFFT is ahead are {numbers.two_to_the(numbers.power_of_two(ahead.batch * ahead.n))} ({ahead.batch} of {numbers.two_to_the(numbers.power_of_two(ahead.n))}).")


def counters(machine):
    """A line a variant: what was measured of one signal, and behind it in brackets what is walked, where that is another number."""
    rows = machine.rows("fft_paper_counters")

    def told(row, count):
        pairs = [row.counts[f"{side} {count}"] for side in ("read", "write") if f"{side} {count}" in row.counts]
        each = [[f"{value / row.given['signals']:.9g}" for value in pair] for pair in pairs]
        return ", ".join(measured + f" ({walked})" * (measured != walked) for walked, measured in each) or numbers.NONE

    others = [f"`{name}`" for name, row in ((row.name.removeprefix("table1_"), row) for row in rows) if any(walked != measured for walked, measured in row.counts.values())]
    counts = {"requests": "requests of global memory", "sectors": "32-byte sectors", "shared_requests": "requests of shared memory", "wavefronts": "wavefronts of shared memory"}
    return table(["measured (walked): row", "launches", *(f"{words}: read, written" for words in counts.values())],
                 [[f"`{row.name.removeprefix('table1_')}`", str(row.given["launches"]), *(told(row, count) for count in counts)] for row in rows]) + "\n" + paragraph(
                     f"On {machine.words} all counts of {len(rows) - len(others)} of {len(rows)} variants are those of the walk to the last one"
                     f"{'; not those of ' * bool(others)}{', '.join(others)}.")


TABLES = {"fft-figure5-rates": rates, "fft-figure5-quotients": quotients, "fft-figure5": said, "fft-counters": counters}
