"""cuFFT through PyTorch beside the suite `fft_paper` of crinkle-papers, size by size of paper 1's table 1 and figure 5: a row is crinkle's plan, its
rivals are cuFFT and the paper's variants, which took turns with the plan; half of cuFFT's samples come before them and half behind.

SPDX-License-Identifier: BSD-3-Clause
"""
import json
import subprocess

import numpy as np
from fft_others import card_samples, runner_on_card

OURS = "crinkle"  # what rows of a plan end with


def cases():
    """Names of the suite's entries, and log2 of the signals' number and of their samples, whose sizes are papers/fft/fft_paper.cpp's."""
    yield "table1", 15, 9
    for log_batch in [0, 1, 2, 3, 4, 5, 6, 7, 15]:
        for n in range(8, 27 - log_batch):
            yield f"figure5_batch{1 << log_batch}_n{1 << n}", log_batch, n


def rows(program, words, place, n_samples, quartile_range):
    """The rows of crinkle-papers, which lies beside the command, each with its rivals. Raises RuntimeError with what it says."""
    import torch
    label = f"cuFFT (PyTorch {torch.__version__})"
    told = lambda seconds, iqr: {"seconds": seconds, "iqr": iqr}
    for name, log_batch, n in cases():
        if words and not any(word in name for word in words):
            continue
        extents = (1 << log_batch, 1 << n)
        run = runner_on_card(torch, "complex", "float32", extents, (1,))
        times = card_samples(torch, run)
        done = subprocess.run([program.with_name("crinkle-papers"), "fft_paper", "--hot", "--device", "cuda", "--samples", str(n_samples), "--json", "-", "--case", name], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        times += card_samples(torch, run)
        found = {row["name"].removeprefix(name + "_"): row for row in json.loads(done.stdout)["rows"] if row["name"].startswith(name + "_")}
        variants = {f"paper, {variant}": told(row["seconds"], row["iqr"]) for variant, row in found.items() if variant != OURS}
        yield found[OURS] | {"rivals": {label: told(float(np.median(times)), quartile_range(times)), **variants}}
