#!/usr/bin/env python3
"""crinkle beside the libraries that people use, in one process: all take turns on the same arrays, each result is compared with NumPy's before
anything is timed, and the plain copies of as many bytes take their turns, too.

    bench/rivals/drive.py libcrinkle.so [-o rivals.json] [--threads N] [--bytes N] [--case WORD …] [--rival NAME …] [--no-compile]

A table and, with -o, JSON as `crinkle bench` writes it; `scripts/report` draws it. A library that is not here is skipped, and the reason said.

SPDX-License-Identifier: BSD-3-Clause
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import statistics
import sys
import time

least_sample_seconds = 2e-4
least_samples = 7
kinds = ["memcpy", "streamed", "interleaved"]


def quartile_range(samples):
    quarters = statistics.quantiles(samples, n=4, method="inclusive")
    return quarters[2] - quarters[0]


def sample(run, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    return (time.perf_counter() - start) / repeats


def take_turns(runs, n_samples, limit_seconds):
    """{label: samples}: rounds in which everyone runs once, each round beginning with another one."""
    labels, end = list(runs), time.perf_counter() + limit_seconds
    repeats = {}
    for label in labels:
        once = sample(runs[label], 1)
        repeats[label] = 1 if once >= least_sample_seconds else math.ceil(least_sample_seconds / max(sample(runs[label], 1), 1e-7))
    samples = {label: [] for label in labels}
    for turn in range(n_samples):
        if turn >= least_samples and time.perf_counter() > end:
            break
        for k in range(len(labels)):
            label = labels[(k + turn) % len(labels)]
            samples[label].append(sample(runs[label], repeats[label]))
    return samples


def check(np, case):
    """Everyone's result is that of NumPy: to the last bit."""
    def result_of(run):
        for d in case.destinations:
            d.reshape(-1).view(np.uint8)[...] = 0xA5
        returned = run()
        if returned is None or returned is case.destinations[0] or (isinstance(returned, (list, tuple)) and returned[0] is case.destinations[0]):
            return [d.copy() for d in case.destinations]
        return [np.asarray(r) for r in (returned if isinstance(returned, (list, tuple)) else [returned])]

    definition = getattr(case, "definition", None)
    numpy_label = next((label for label in case.runs if label.startswith("NumPy ")), None)
    wanted = [definition()] if definition else result_of(case.runs[numpy_label])
    for label, run in {"crinkle": case.crinkle, **case.runs}.items():
        found = result_of(run)
        if len(found) != len(wanted) or any(not np.array_equal(f.reshape(-1).view(np.uint8), w.reshape(-1).view(np.uint8)) for f, w in zip(found, wanted)):
            sys.exit(f"{case.name}: the result of {label} is not NumPy's")


def row_of(case, samples, threads):
    seconds = statistics.median(samples["crinkle"])
    copies = {kind: statistics.median(samples["copy " + kind]) for kind in kinds}
    best = min(copies, key=copies.get)
    scale = case.bytes / case.copied_bytes
    rivals = {label: {"seconds": statistics.median(samples[label]), "iqr": quartile_range(samples[label])} for label in case.runs}
    return {"name": case.name, "element_bytes": case.sources[0].itemsize, "bytes": case.bytes, "seconds": seconds, "iqr": quartile_range(samples["crinkle"]),
            "gb_per_s": case.bytes / seconds * 1e-9, "copy_gb_per_s": case.copied_bytes / copies[best] * 1e-9,
            "fraction_of_copy": scale * copies[best] / seconds, "best_copy": best, "threads": threads, "samples": len(samples["crinkle"]), "checked": "NumPy",
            "rivals": rivals}


def main():
    parser = argparse.ArgumentParser(description="crinkle beside the libraries that people use")
    parser.add_argument("library", help="libcrinkle.so")
    parser.add_argument("-o", "--output")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--bytes", type=int, default=64 << 20, metavar="N", help="of each side, about")
    parser.add_argument("--samples", type=int, default=9)
    parser.add_argument("--case", action="append", metavar="WORD")
    parser.add_argument("--rival", action="append", metavar="NAME", help="only these, such as NumPy; NumPy is always there")
    parser.add_argument("--no-compile", action="store_true", help="leave PyTorch's compiler out")
    parser.add_argument("--commit", default="unknown", help="that the library was built from")
    options = parser.parse_args()
    if options.threads < 1 or options.samples < least_samples or options.bytes < 1 << 16:
        parser.error(f"--threads is 1 or more, --samples {least_samples} or more, --bytes 65536 or more")

    from others import Others  # sets what the libraries read when they are imported
    asked = None if options.rival is None else {"numpy", *(r.lower() for r in options.rival)}
    others = Others(options.threads, pathlib.Path(options.library).parent, asked, not options.no_compile)
    if "NumPy" not in others.here:
        sys.exit(f"NumPy is the definition of every result: {others.skipped['NumPy']}")
    import numpy as np
    from cases import Maker
    from crinkle_c import Crinkle

    crinkle = Crinkle(options.library)
    for name, reason in others.skipped.items():
        print(f"skipped {name}: {reason}")
    labels = list(others.labels.values())
    print(f"\n{options.threads} thread{'s' if options.threads > 1 else ''}; how many times faster crinkle is than each\n")
    print(f"{'case':<22} {'GB/s':>7} {'of copy':>8}" + "".join(f" {label:>{max(9, len(label))}}" for label in labels))
    rows = []
    for case in Maker(crinkle, others, options.threads, options.bytes, not options.no_compile).all():
        if options.case and not any(word in case.name for word in options.case):
            continue
        check(np, case)
        source, destination = case.sources[0], case.destinations[0]
        case.copied_bytes = 2 * min(source.nbytes, destination.nbytes)
        runs = {"crinkle": case.crinkle, **case.runs, **{"copy " + kind: crinkle.copy(source, destination, kind, options.threads) for kind in kinds}}
        row = row_of(case, take_turns(runs, options.samples, 10), options.threads)
        rows.append(row)
        print(f"{row['name']:<22} {row['gb_per_s']:>7.2f} {100 * row['fraction_of_copy']:>6.0f} %" + "".join(
            f" {row['rivals'][label]['seconds'] / row['seconds']:>{max(9, len(label))}.2f}" if label in row["rivals"] else f" {'–':>{max(9, len(label))}}"
            for label in labels), flush=True)
    if not rows:
        sys.exit(f"no case has {' or '.join(map(repr, options.case))} in its name")
    for label in labels:
        ratios = [r["rivals"][label]["seconds"] / r["seconds"] for r in rows if label in r["rivals"]]
        if ratios:
            print(f"{label}: crinkle {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f} times as fast (geometric mean of {len(ratios)}), least {min(ratios):.2f}")
    if options.output:
        with open("/proc/cpuinfo") as info:
            cpu = next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), "unknown")
        document = {"schema": 1, "suite": "rivals", "device": f"{cpu}, {options.threads} thread{'s' if options.threads > 1 else ''}",
                    "driver": f"{platform.system()} {platform.release().split('-')[0]}", "compiler": ", ".join(labels), "commit": options.commit,
                    "date": datetime.date.today().isoformat(), "skipped": others.skipped, "rows": rows}
        partial = pathlib.Path(options.output + ".part")
        partial.write_text(json.dumps(document, indent=2) + "\n")
        partial.rename(options.output)


if __name__ == "__main__":
    main()
