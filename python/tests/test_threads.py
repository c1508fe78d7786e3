"""Threads of the CPU: their number is changed while others work, they are given back, and a child of fork() has its own. Every program here runs in
a process of its own, which a crash ends and a hang does not keep.

SPDX-License-Identifier: BSD-3-Clause
"""
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import crinkle as ck

head = """
import os, signal, sys, threading, time
import numpy as np
import crinkle as ck
x = np.random.default_rng(5).random((600, 700), np.float32)
places, values, targets = np.random.default_rng(6).random((3000, 2)), np.arange(3000.0), np.random.default_rng(7).random((400, 2))
calls = [lambda: ck.move(x, 'y x -> x y'), lambda: ck.fft.fft2(x), lambda: ck.stencil(x, 'average:3'), lambda: ck.resample(x, zoom=1.7),
         lambda: ck.pdist(x[:, :30]), lambda: ck.triangle(x[:600, :600], 'full lower', 'packed lower'), lambda: ck.interpolate(places, values, targets),
         lambda: ck.fft.fftconvolve(x, x[:9, :9]), lambda: ck.records(np.zeros(200000, [('a', 'f4'), ('b', 'i2')]), 'a|b')[0],
         lambda: ck.plan(x, 'y x -> x y', roll={'x': 5}).run(x), lambda: ck.grid(places, values, (0, 0), (0.1, 0.1), (11, 11))]
right = [call() for call in calls]
is_over, n_done, wrong = False, 0, []
def work(k):
    global n_done
    while not is_over:
        k = (k + 1) % len(calls)
        if not np.array_equal(calls[k](), right[k]): wrong.append(k)
        n_done += 1
workers = [threading.Thread(target=work, args=(k,), daemon=True) for k in range(4)]
def n_threads(): return len(os.listdir('/proc/self/task'))
"""


def run(program, timeout=300):
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", head + program], capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    return done.stdout


def test_the_number_changes_while_others_work():
    run("""
for w in workers: w.start()
begin = time.monotonic()
k = 0
while time.monotonic() - begin < 4 or n_done < 60:
    k += 1
    ck.set_threads(k % 7)
    assert ck.threads() == k % 7 or k % 7 == 0
is_over = True
for w in workers: w.join()
assert not wrong and k > 30, (wrong, k)
""")


def test_threads_are_given_back():
    run("""
ck.set_threads(1)
before = n_threads()
for k in range(400):
    ck.set_threads(2 + k % 8)
    ck.move(x, 'y x -> x y')
    assert n_threads() < before + 30, (k, n_threads(), before)
ck.set_threads(1)
begin = time.monotonic()
while n_threads() > before and time.monotonic() - begin < 20: time.sleep(0.01)
assert n_threads() == before, (n_threads(), before)
""")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("n", [0, 4])
def test_a_child_works_while_its_parent_does(n):
    run(f"""
import warnings
warnings.simplefilter('ignore')  # Python's own, of forks beside threads
ck.set_threads({n})
for w in workers: w.start()
while n_done < 5: time.sleep(0.01)
for child in range(12):
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        is_right = all(np.array_equal(call(), r) for call, r in zip(calls, right))
        if {n}: is_right = is_right and ck.threads() == {n}
        ck.set_threads(3)
        os._exit(0 if is_right and np.array_equal(calls[0](), right[0]) else 1)
    status = os.waitpid(pid, 0)[1]
    assert status == 0, (child, status)
is_over = True
for w in workers: w.join()
assert not wrong
""", timeout=600)


def test_processes_of_multiprocessing_work():
    run("""
import multiprocessing, warnings
warnings.simplefilter('ignore')
with multiprocessing.get_context('fork').Pool(3) as pool:
    found = pool.map(ck.fft.fft2, [x] * 9)
assert all(np.array_equal(f, right[1]) for f in found)
""")


def test_a_program_ends_while_others_work():
    run("""
ck.set_threads(5)
for w in workers: w.start()
while n_done < 3: time.sleep(0.01)
""")


def test_wrong_numbers_are_refused_and_change_nothing():
    before = ck.threads()
    for n, error in ((-1, ValueError), (1025, ValueError), (1 << 40, (TypeError, ValueError)), (2.5, TypeError), ("2", TypeError), (None, TypeError)):
        with pytest.raises(error):
            ck.set_threads(n)
        assert ck.threads() == before


def test_a_call_keeps_the_threads_it_began_with():
    x = np.arange(1 << 22, dtype=np.int32).reshape(2048, 2048)
    right, found = x.T.copy(), []

    def work():
        for _ in range(10):
            found.append(np.array_equal(ck.move(x, "y x -> x y"), right))

    worker = threading.Thread(target=work)
    try:
        worker.start()
        for k in range(200):
            ck.set_threads(1 + k % 3)
    finally:
        worker.join()
        ck.set_threads(0)
    assert found == [True] * 10 and ck.threads() == min(len(os.sched_getaffinity(0)), 1024)
