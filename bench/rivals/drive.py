#!/usr/bin/env python3
"""crinkle beside the libraries that people use, in one process: all take turns on the same arrays, each result is compared with NumPy's before
anything is timed, and the plain copies of as many bytes take their turns, too.

    bench/rivals/drive.py libcrinkle_c.so [-o rivals.json] [--suite moves | views | records | pairs | fft | fft_paper | stencil | interpolate | files | python | dask | daily | card | devices | mpi] [--device cuda | --threads N]
        [--bytes N | --permutations FILE] [--case WORD …] [--rival NAME …] [--no-compile] [--hot]

Suites: moves of images and volumes; views that NumPy's copyto takes, from 1 KiB on; records taken apart and put together, a plain loop among the
rivals; distances of all pairs, Fourier transforms and stencils by the command `crinkle` beside the library (fft_paper by crinkle-papers), between two halves of the others'
samples; maps by `crinkle interpolate`, in turns with gdal_grid and with SciPy, on a GPU its sums over all samples beside PyTorch; files larger than
memory by `crinkle move`, in turns with cp, zarr-python, dask and rechunker; what small calls and distances take in Python, by the package crinkle of the
Python that runs this; dask arrays from store to store, beside Dask's own ways, and what people run day by day, by that package, too
(daily, and card on a GPU); several GPUs, by it; ranks of MPI, as many as threads, by programs of bench/mpi.

A table and, with -o, JSON as `crinkle bench` writes it; `scripts/report` draws it. A library that is not here is skipped, and the reason said.

SPDX-License-Identifier: BSD-3-Clause
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import statistics
import sys
import time

least_samples, few_samples, long_round_seconds = 7, 3, 2  # as base/timing.hpp has them
command_suites = {"pairs": "scipy_pairs", "fft": "fft_others", "fft_paper": "fft_paper_others", "stencil": "stencil_others",
                  "interpolate": "interpolate_others", "files": "file_others", "python": "python_calls", "dask": "dask_others", "daily": "daily_others", "card": "card_others", "devices": "devices_others", "mpi": "mpi_others"}  # which have rows of their own, most by the command
bar_cells = 10


def quartile_range(samples):
    quarters = statistics.quantiles(samples, n=4, method="inclusive")
    return quarters[2] - quarters[0]


def sample(run, repeats, finish):
    start, result = time.perf_counter(), None
    for _ in range(repeats):
        result = run()
    finish(result)
    return (time.perf_counter() - start) / repeats


def take_turns(runs, place, n_samples, limit_seconds):
    """{label: samples}: rounds in which everyone runs once, each round beginning with another one."""
    labels, end = list(runs), time.perf_counter() + limit_seconds
    repeats, of_round = {}, 0
    for label in labels:
        least = place.least_sample_seconds
        once = sample(runs[label], 1, place.finish)
        of_round += once
        if once < 0.1:  # the first of all may ask the system for memory
            once = min(once, *(sample(runs[label], 1, place.finish) for _ in range(2)))
        repeats[label] = max(1, math.ceil(least / max(once, 1e-7)))
    samples = {label: [] for label in labels}
    least_turns = least_samples if of_round < long_round_seconds else few_samples
    for turn in range(n_samples):
        if turn >= least_turns and time.perf_counter() > end:
            break
        for k in range(len(labels)):
            label = labels[(k + turn) % len(labels)]
            samples[label].append(sample(runs[label], repeats[label], place.finish))
    return samples


def take_cold_turns(runs, place):
    """{label: samples}: seven rounds in which everyone runs once, behind a pass that empties the caches."""
    labels = list(filter(place.is_timed_cold, runs))
    samples = {label: [] for label in labels}
    for turn in range(least_samples):
        for k in range(len(labels)):
            label = labels[(k + turn) % len(labels)]
            samples[label].append(place.cold_seconds(runs[label]))
    return samples


def check(np, case, place):
    """Everyone's result is that of NumPy: to the last bit."""
    def result_of(run):
        for d in case.destinations:
            d.reshape(-1).view(np.uint8)[...] = 0xA5
        returned = run()
        place.finish(returned)
        if returned is None or returned is case.destinations[0] or (isinstance(returned, (list, tuple)) and returned[0] is case.destinations[0]):
            returned = case.destinations
        return [place.to_host(r) for r in (returned if isinstance(returned, (list, tuple)) else [returned])]

    def bytes_of(a):
        return np.ascontiguousarray(a).reshape(-1).view(np.uint8)

    wanted = [bytes_of(w) for w in case.wanted()]
    for label, run in {"crinkle": case.crinkle, **case.runs}.items():
        found = result_of(run)
        if len(found) != len(wanted) or any(not np.array_equal(bytes_of(f), w) for f, w in zip(found, wanted)):
            sys.exit(f"{case.name}: the result of {label} is not NumPy's")


def time_of(samples, scale=1):
    return {"seconds": scale * statistics.median(samples), "iqr": scale * quartile_range(samples)}


def best_copy(samples):
    copies = {label.removeprefix("copy "): statistics.median(taken) for label, taken in samples.items() if label.startswith("copy ")}
    return copies, min(copies, key=copies.get)


def bar_of(fraction):
    return ("#" * min(round(fraction * bar_cells), bar_cells)).ljust(bar_cells, ".")


def cold_of(samples, scale):
    ours, copy = time_of(samples["crinkle"]), time_of(samples["copy " + best_copy(samples)[1]], scale)
    return ours | {"copy_seconds": copy["seconds"], "copy_iqr": copy["iqr"], "fraction_of_copy": copy["seconds"] / ours["seconds"]}


def row_of(case, samples, cold, place):
    seconds = statistics.median(samples["crinkle"])
    copies, best = best_copy(samples)
    scale = case.bytes / case.copied_bytes
    rivals = {label: time_of(samples[label]) | ({"cold": time_of(cold[label])} if cold and label in cold else {}) for label in case.runs}
    threads = {} if place.threads is None else {"threads": place.threads}
    return {"name": case.name, "element_bytes": case.sources[0].itemsize, "bytes": case.bytes, **time_of(samples["crinkle"]),
            "gb_per_s": case.bytes / seconds * 1e-9, "copy_gb_per_s": case.copied_bytes / copies[best] * 1e-9,
            "fraction_of_copy": scale * copies[best] / seconds, "best_copy": best, "copy_iqr": scale * quartile_range(samples["copy " + best]),
            "copied_bytes": case.copied_bytes, **threads, "samples": len(samples["crinkle"]), "checked": "NumPy",
            **({"cold": cold_of(cold, scale)} if cold else {}), "rivals": rivals}


def main():
    parser = argparse.ArgumentParser(description="crinkle beside the libraries that people use")
    parser.add_argument("crinkle", metavar="LIBRARY", help="libcrinkle_c.so")
    parser.add_argument("-o", "--output")
    parser.add_argument("--suite", choices=["moves", "views", "records", "pairs", "fft", "fft_paper", "stencil", "interpolate", "files", "python", "dask", "daily", "card", "devices", "mpi"], default="moves")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--threads", type=int, help="of the CPU (default: all)")
    sizes = parser.add_mutually_exclusive_group()
    sizes.add_argument("--bytes", type=int, metavar="N", help="of each side, about (default: 64 MiB, 256 MiB on a GPU)")
    sizes.add_argument("--permutations", type=pathlib.Path, metavar="FILE", help="those of a case file, such as bench/cases/permutations.txt, of 4 and 8 bytes")
    parser.add_argument("--samples", type=int, default=9)
    parser.add_argument("--hot", action="store_true", help="leave out the runs that find the caches empty")
    parser.add_argument("--case", action="append", metavar="WORD")
    parser.add_argument("--rival", action="append", metavar="NAME", help="only these, such as PyTorch; NumPy, and CuPy on a GPU, are always there")
    parser.add_argument("--no-compile", action="store_true", help="leave PyTorch's compiler out")
    parser.add_argument("--commit", default="unknown", help="that the library was built from")
    options = parser.parse_args()
    if options.device == "cuda" and options.threads:
        parser.error("--threads is of the CPU; leave it out with --device cuda")
    threads = os.cpu_count() if options.threads is None else options.threads
    if threads < 1 or options.samples < least_samples or (options.bytes is not None and options.bytes < 1 << 16):
        parser.error(f"--threads is 1 or more, --samples {least_samples} or more, --bytes 65536 or more")
    if options.suite in ("records", "pairs", "files", "python", "dask", "daily", "mpi") and options.device == "cuda":
        parser.error(f"--suite {options.suite} is of the CPU; leave out --device cuda")
    if options.suite == "fft_paper" and options.device == "cpu":
        parser.error("--suite fft_paper is of a GPU; give --device cuda")
    if options.suite != "moves" and options.permutations:
        parser.error("--permutations are moves; leave out --suite")
    if options.permutations and not options.permutations.is_file():
        parser.error(f"--permutations {options.permutations}: it is no file")
    try:
        import numpy as np
        from card import Card
        from host import Host
        place = Card() if options.device == "cuda" else Host(threads)
    except ImportError as error:
        how = "; pip install numpy" if error.name == "numpy" else ""
        sys.exit(f"NumPy is the definition of every result, and on a GPU CuPy has the arrays: {error}{how}")
    if options.suite in command_suites:
        return drive_command(options, place)
    from others import Others
    asked = None if options.rival is None else {"numpy", "cupy", *(r.lower() for r in options.rival)}
    others = Others(place, pathlib.Path(options.crinkle).parent, asked, not options.no_compile)
    from cases import Maker
    from crinkle_c import Crinkle

    try:
        crinkle = Crinkle(options.crinkle)
    except OSError as error:
        sys.exit(f"{options.crinkle} cannot be loaded: {error}")
    for name, reason in others.skipped.items():
        print(f"skipped {name}: {reason}")
    labels = list(others.labels.values())
    print(f"\n{place.of}; how many times faster crinkle is than each\n")
    print(f"{'case':<22} {'GB/s':>7} {'of copy':>8} {'cold':>6}  {'':<{bar_cells}}" + "".join(f" {label:>{max(9, len(label))}}" for label in labels))
    rows = []
    maker = Maker(crinkle, others, place, options.bytes or place.n_bytes, not options.no_compile)
    for case in maker.permutations(options.permutations) if options.permutations else {"moves": maker.all, "views": maker.views, "records": maker.records}[options.suite]():
        if options.case and not any(word in case.name for word in options.case):
            continue
        check(np, case, place)
        runs = {"crinkle": case.crinkle, **case.runs, **{"copy " + kind: run for kind, run in place.copies(crinkle, *case.copied).items()}}
        row = row_of(case, take_turns(runs, place, options.samples, 10), None if options.hot else take_cold_turns(runs, place), place)
        rows.append(row)
        write(options, place, ", ".join(labels), others.skipped, rows)
        cold = f"{100 * row['cold']['fraction_of_copy']:.0f} %" if "cold" in row else "–"
        print(f"{row['name']:<22} {row['gb_per_s']:>7.2f} {100 * row['fraction_of_copy']:>6.0f} % {cold:>6}  {bar_of(row['fraction_of_copy'])}" + "".join(
            f" {row['rivals'][label]['seconds'] / row['seconds']:>{max(9, len(label))}.2f}" if label in row["rivals"] else f" {'–':>{max(9, len(label))}}"
            for label in labels), flush=True)
    if not rows:
        sys.exit(f"no case has {' or '.join(map(repr, options.case))} in its name" if options.case else f"{options.permutations}: no permutation of 4 or 8 bytes")
    for label in labels:
        both = [(r["rivals"][label], r) for r in rows if label in r["rivals"]]
        hot = [theirs["seconds"] / ours["seconds"] for theirs, ours in both]
        cold = [theirs["cold"]["seconds"] / ours["cold"]["seconds"] for theirs, ours in both if "cold" in theirs]
        if hot:
            beside = f"; cold {statistics.geometric_mean(cold):.2f}, least {min(cold):.2f}" if cold else ""
            print(f"{label}: crinkle {statistics.geometric_mean(hot):.2f} times as fast (geometric mean of {len(hot)}), least {min(hot):.2f}{beside}")


def drive_command(options, place):
    """Suites of which the command, or the Python package, does crinkle's part."""
    try:
        import importlib
        rivals = importlib.import_module(command_suites[options.suite])
        found = rivals.rows(pathlib.Path(options.crinkle).resolve().parent / "crinkle", options.case, place, options.samples, quartile_range)
        rows = []
        print(f"{place.of}; the fraction of a plain copy or fill that crinkle reaches, and how many times faster it is than each\n")
        for row in found:
            rows.append(row)
            write(options, place, ", ".join(dict.fromkeys(label for row in rows for label in row["rivals"])), {}, rows)
            of_copy = f"{row['fraction_of_copy']:.2f}" if "fraction_of_copy" in row else "–"
            print(f"{row['name']:<44} {of_copy:>6}  " +
                  ", ".join(f"{label} {theirs['seconds'] / row['seconds']:.2f}" for label, theirs in row["rivals"].items()), flush=True)
    except ImportError as error:
        sys.exit(f"the suite {options.suite} is of SciPy, on a GPU of PyTorch, python of crinkle and einops, too: {error}; pip install {error.name}")
    except (OSError, RuntimeError) as error:
        sys.exit(str(error))
    if not rows:
        sys.exit(f"no case has {' or '.join(map(repr, options.case))} in its name")


def write(options, place, libraries, skipped, rows):
    """Behind every case, so that a run that is stopped leaves what it measured."""
    if not options.output:
        return
    document = {"schema": 1, "suite": "rivals", "device": place.title, "driver": place.driver, "compiler": libraries, "commit": options.commit,
                "date": datetime.date.today().isoformat(), "skipped": skipped, "rows": rows}
    partial = pathlib.Path(options.output + ".part")
    partial.write_text(json.dumps(document, indent=2) + "\n")
    partial.rename(options.output)


if __name__ == "__main__":
    main()
