"""Ctrl-C ends long calls between two chunks of their work.

SPDX-License-Identifier: BSD-3-Clause
"""
import signal
import subprocess
import sys
import time

import pytest

LONG = {
    "stencil": "ck.stencil(np.ones((512, 512), np.float32), 'laplacian', steps=1000000)",
    "fft": "[ck.fft.fft(np.ones((4096, 1009), np.complex64), axis=1) for _ in range(10000)]",
    "move": "[ck.move(x, 'z y x -> x y z') for x in [np.ones((256, 512, 256), np.float32)] for _ in range(10000)]",
}


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("call", LONG)
def test_ctrl_c(call):
    program = f"import numpy as np, crinkle as ck; print('on', flush=True)\ntry:\n    {LONG[call]}\nexcept KeyboardInterrupt:\n    print('ended', flush=True)"
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "on\n"
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "ended\n" and process.returncode == 0
