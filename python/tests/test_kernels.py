"""Which CUDA kernels plans may have: what is said holds, wrong words are refused and change nothing, and no result changes.

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np
import pytest

import crinkle as ck


@pytest.fixture(autouse=True)
def as_before():
    before = ck.cuda_kernels()
    yield
    ck.cuda_kernels(before["effort"], **{name: before[name] for name in ("runs", "folder", "most_bytes", "nvrtc")})


def test_what_is_said_holds(tmp_path):
    assert set(ck.cuda_kernels()) == {"effort", "runs", "folder", "most_bytes", "nvrtc", "notes"}
    for effort in ("library", "kept", "paying", "compiled", "measured"):
        assert ck.cuda_kernels(effort)["effort"] == ck.cuda_kernels()["effort"] == effort
    now = ck.cuda_kernels(runs=5, folder=str(tmp_path), most_bytes=0, nvrtc="/nowhere")
    assert now == ck.cuda_kernels()
    assert (now["effort"], now["runs"], now["folder"], now["most_bytes"], now["nvrtc"]) == ("measured", 5, str(tmp_path), 0, "/nowhere")


@pytest.mark.parametrize("words, error, says", [
    (dict(effort="Library"), ck.NotationError, "effort='Library': it is library, kept"),
    (dict(effort=""), ck.NotationError, "it is library"),
    (dict(effort="all"), ck.NotationError, "measured"),
    (dict(effort=3), TypeError, ""),
    (dict(effort=True), TypeError, ""),
    (dict(runs=0), ValueError, "runs=0: a plan has 1 or more"),
    (dict(runs=-1), ValueError, "runs=-1"),
    (dict(runs=1.5), TypeError, ""),
    (dict(runs=2**64), TypeError, ""),
    (dict(most_bytes=-1), ValueError, "most_bytes=-1"),
    (dict(most_bytes="64MiB"), TypeError, ""),
    (dict(folder=3), TypeError, ""),
    (dict(threads=3), TypeError, ""),
])
def test_wrong_words_change_nothing(words, error, says):
    before = ck.cuda_kernels()
    with pytest.raises(error, match=says or None):
        ck.cuda_kernels(**words)
    assert ck.cuda_kernels() == before


def test_options_are_given_by_name():
    with pytest.raises(TypeError):
        ck.cuda_kernels("kept", 100)


def test_results_are_the_same_and_kept_plans_are_forgotten():
    x = np.random.default_rng(3).standard_normal((5, 100)).astype("c8")
    want = ck.fft.fft(x)
    assert ck._core.cached_plans() > 0
    ck.cuda_kernels()
    assert ck._core.cached_plans() > 0
    ck.cuda_kernels("measured")
    assert ck._core.cached_plans() == 0
    assert ck.fft.fft(x).tobytes() == want.tobytes()
