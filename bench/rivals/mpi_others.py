"""Arrays over ranks of MPI: the programs of bench/mpi under mpirun, each of which takes turns with its rivals in one process a rank: ScaLAPACK's pdgemr2d,
MPI_Alltoallw of the same boxes, FFTW's MPI transforms, halos by MPI_Sendrecv before a loop. As many ranks as `--threads`, one core each.

SPDX-License-Identifier: BSD-3-Clause
"""
import json
import re
import shutil
import subprocess

from drive import time_of

PROGRAMS = ("bench_redistribute", "bench_transform", "bench_halos")


def rows(program, words, place, n_samples, _quartile_range):
    """Raises RuntimeError where there is no mpirun, a program fails, or results differ."""
    if shutil.which("mpirun") is None:
        raise RuntimeError("the suite mpi is of mpirun, which is not there: scripts/install_packages.sh")
    contests = {}
    for name in PROGRAMS:
        path = program.parent / name
        if not path.is_file():
            print(f"skipped {name}: {path} is not there; cmake -DCRINKLE_MPI=ON -DCRINKLE_BENCH=ON builds it where its rivals' libraries are")
            continue
        size = "128" if name == "bench_transform" else "4096"
        ran = subprocess.run(["mpirun", "--allow-run-as-root", "--bind-to", "core", "-n", str(place.threads), str(path), size, str(n_samples)], capture_output=True, text=True)
        if ran.returncode != 0:
            raise RuntimeError(f"{name}: mpirun ended with {ran.returncode}: {ran.stderr.strip()[-500:]}")
        for line in ran.stdout.splitlines():
            one = json.loads(line)
            if not one["right"]:
                raise RuntimeError(f"{one['contest']}: the results of {one['way']} and its rival differ")
            contests.setdefault(one["contest"], []).append(one)
    for name, ways in contests.items():
        if words and not any(word in name for word in words):
            continue
        ours = ways[0]
        yield {"name": re.sub(r"\W+", "_", name), "title": name, "element_bytes": ours["element_bytes"], "bytes": ours["bytes"], **time_of(ours["seconds"]),
               "samples": len(ours["seconds"]), "checked": ways[-1]["way"], "threads": ours["ranks"], "rivals": {one["way"]: time_of(one["seconds"]) for one in ways[1:]}}
