"""The command: crinkle-papers [0-4]... [--device cuda] [--quick] [--c N] [--k N] [--results FOLDER] -o PAGE.html [--force]. It runs suites of that program, one after the
other, each of which checks its results before it times them, and draws the page when all have ended.

Exit status 2 where something is refused, 1 where a suite fails; nothing is written then.

SPDX-License-Identifier: BSD-3-Clause
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from . import committed, papers_cufft, papers_page
from .command import write_whole
from .papers_experiments import MOST_SPREAD, OF_PAPER
from .read import Refused, read


class Failed(Exception):
    """A suite that did not end well; the text is what it said."""


def _try_folder(folder, what):
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".crinkle-papers-"):
            pass
    except OSError as error:
        raise Refused(f"{what}: nothing can be written in {folder} ({error.strerror}); name another folder") from None


def _checked(options):
    """The papers that are asked for. All is refused before anything runs."""
    papers = []
    for word in options.papers:
        if word not in map(str, OF_PAPER):
            raise Refused(f"there is no paper '{word}'; the papers are {', '.join(map(str, OF_PAPER))}, several as 0 3, all by leaving them out; a suite has no page: leave --quick and -o out")
        if int(word) not in papers:
            papers.append(int(word))
    if not re.fullmatch(r"cpu|cuda(:\d+)?", options.device):
        raise Refused(f"--device {options.device}: give cpu, cuda or cuda:N")
    if options.threads is not None and not 1 <= options.threads <= 1024:
        raise Refused(f"--threads {options.threads}: give 1 to 1024")
    output = options.output
    if output is None:
        raise Refused("a page needs its name: -o report.html")
    if not output.name or output.is_dir():
        raise Refused(f"-o {output}: is a folder; name the page in it, as in -o {output / 'report.html'}")
    if not output.parent.is_dir():
        raise Refused(f"-o {output}: there is no folder {output.parent}")
    if str(output) == "-" or (output.exists() and not output.is_file()):
        raise Refused(f"-o {output}: is no file that a page can be written to; name one, as in -o report.html")
    if output.exists() and not options.force:
        raise Refused(f"-o {output}: is there already; --force writes over it")
    if options.results is not None and not options.results.is_dir():
        raise Refused(f"--results {options.results}: there is no such folder")
    for folder, what in (output.parent, f"-o {output}"), (options.results, f"--results {options.results}"):
        if folder is not None:
            _try_folder(folder, what)
    papers = sorted(papers) or list(OF_PAPER)
    for name in ("c", "k"):
        if getattr(options, name) is not None and 1 not in papers:
            raise Refused(f"--{name} is for paper 1, which is not among {', '.join(map(str, papers))}")
    if options.c is not None or options.k is not None:
        c = 5 if options.c is None else options.c
        k = 10 - c if options.k is None else options.k
        if c < 0 or k < 1 or not 3 <= c + k <= 10:
            given = " ".join(f"--{name} {getattr(options, name)}" for name in ("c", "k") if getattr(options, name) is not None)
            raise Refused(f"{given}: give c from 0 and k from 1 on, 3 to 10 together; left out c is 5 and k is 10 less c")
    kept = [path for paper in papers for experiment in OF_PAPER[paper] for path in options.results.glob(f"{experiment.name}-c*.json")] if options.results else []
    if kept and not options.force:
        raise Refused(f"--results {options.results}: {kept[0].name} is there already; --force writes over it")
    return papers


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Refused(f"{message}; see crinkle-papers 0 --help")


class Runs:
    """Results of experiments by device kind, and what was left out or made smaller, in sentences."""

    def __init__(self, program, options, folder):
        self.program, self.options, self.folder = program, options, folder
        self.found = {"cpu": {}, "cuda": {}}
        self.notes = []

    def _run(self, paper, experiment, kind, words, path):
        """Whether there is anything that the memory is enough for."""
        device = self.options.device if kind == "cuda" else "cpu"
        threads = ["--threads", str(self.options.threads)] if self.options.threads and kind == "cpu" else []
        done = subprocess.run([self.program, experiment.suite, *words, *threads, "--device", device, "--json", str(path), "--force"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode and "entries can run here, in" in done.stderr:
            self.notes.append(f"Paper {paper}: {experiment.name} on {device}: left out, for too little memory: {done.stderr.strip().removeprefix('crinkle-papers: ')}")
            return False
        if done.returncode:
            said = f"the suite {experiment.suite} on {device}: {done.stderr.strip().removeprefix('crinkle-papers: ') or f'ended with status {done.returncode}'}"
            raise Refused(said) if done.returncode == 2 else Failed(said)
        left_out = [line.split(" left out")[0] for line in done.stdout.splitlines() if "left out" in line]
        if left_out and not self.options.quick:  # which is told to have fewer sizes
            self.notes.append(f"Paper {paper}: {experiment.suite} on {device}: too little memory, so these were left out: {', '.join(left_out)}.")
        return True

    def add(self, paper, experiment, kind):
        files = []
        for k, words in enumerate(experiment.runs(self.options.quick, kind, vars(self.options))):
            begin = time.monotonic()
            path = self.folder / f"{experiment.name}-{kind}{f'-{k + 1}' if k else ''}.json"
            if not self._run(paper, experiment, kind, words, path):
                continue
            files.append(read(path))
            print(f"paper {paper}: {experiment.name}, {kind}, {len(files[-1].rows)} rows, {time.monotonic() - begin:.1f} s", flush=True)
        self.found[kind][experiment.name] = files
        rows = [row for file in files for row in file.rows]
        rough = [row for row in rows if row.iqr and row.iqr > MOST_SPREAD * row.seconds]
        if 4 * len(rough) > len(rows):
            self.notes.append(f"Paper {paper}: the machine was busy: of {len(rough)} of {len(rows)} rows of {experiment.name} ({kind}) the middle half of the times is spread over "
                              f"more than {100 * MOST_SPREAD:.0f} % of their median. Read these as rough.")


def _beside_cufft(options, devices):
    """What bench/rivals/drive.py has measured of figure 5 of paper 1: the one that the results folder has, or else the committed one of these devices."""
    kept = options.results / f"{papers_cufft.SUITE}.json" if options.results else None
    if kept and kept.exists():
        return [read(kept)]
    found = [read(path) for path in sorted(committed.RESULTS.glob(f"*/{papers_cufft.SUITE}.json"))]
    return [file for file in found if file.head.get("device") in devices][-1:]


def _measured(program, options, papers, folder):
    runs = Runs(program, options, folder)
    kinds = ["cuda", "cpu"] if options.device.startswith("cuda") else ["cpu"]
    for kind in kinds:
        for paper in papers:
            for experiment in OF_PAPER[paper]:
                if options.quick and not experiment.in_quick:
                    continue
                if kind == "cuda" or experiment.on_cpu:
                    runs.add(paper, experiment, kind)
                elif "cuda" not in kinds:
                    runs.notes.append(f"Paper {paper}: {experiment.name} runs on a GPU alone and was left out; --device cuda runs it.")
    if 4 in papers and "cuda" not in kinds:
        runs.notes.append("Paper 4: child grids (figures 7 (c) and 8 (c)) run on a GPU alone and were left out; --device cuda runs them.")
    if 1 in papers and "cuda" in kinds:
        runs.found["cuda"][papers_cufft.SUITE] = _beside_cufft(options, {file.head.get("device") for files in runs.found["cuda"].values() for file in files})
    if options.quick:
        runs.notes.append("--quick: fewer and smaller sizes than without it, caches full.")
    return runs


def main(program, arguments):
    parser = _Parser(prog="crinkle-papers", allow_abbrev=False,
                     description="runs the papers' experiments on this machine, checks each result, and writes a page: their figures in their own axes, "
                     "their tables beside their own numbers")
    parser.add_argument("papers", nargs="*", metavar="PAPER", help="; ".join(f"{number}: {name}" for number, name in papers_page.NAMES.items()) + " (default: all)")
    parser.add_argument("-o", "--output", metavar="PAGE.html", type=pathlib.Path, help="the page: one file, which fetches nothing")
    parser.add_argument("--device", default="cpu", metavar="DEVICE", help="cpu, or cuda[:N]: the GPU and the CPU (default: cpu)")
    parser.add_argument("--quick", action="store_true", help="fewer and smaller sizes: two minutes on two cores")
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads (default: all)")
    parser.add_argument("--c", type=int, metavar="N", help="paper 1: chunks of 2^N samples (default: 5)")
    parser.add_argument("--k", type=int, metavar="N", help="paper 1: stages a launch (default: 10 less c)")
    parser.add_argument("--results", metavar="FOLDER", type=pathlib.Path, help="keep what was measured there, as JSON")
    parser.add_argument("--force", action="store_true", help="write over an existing page, and results")
    try:
        options = parser.parse_args(arguments)
        papers = _checked(options)
        with tempfile.TemporaryDirectory(prefix="crinkle-papers-") as folder:
            runs = _measured(program, options, papers, pathlib.Path(folder))
            write_whole(options.output, papers_page.of_runs(papers, runs.found, runs.notes))
            for path in sorted(pathlib.Path(folder).glob("*.json")) if options.results else ():
                write_whole(options.results / path.name, path.read_text())
        for note in runs.notes:
            print(note)
        print(f"{options.output}: {len(papers)} paper{'s' * (len(papers) != 1)}")
        return 0
    except KeyboardInterrupt:
        print("crinkle-papers: interrupted; nothing was written", file=sys.stderr)
        return 130
    except Failed as error:
        print(f"crinkle-papers: {error}", file=sys.stderr)
        return 1
    except (Refused, OSError) as error:
        print(f"crinkle-papers: {error}", file=sys.stderr)
        return 2
