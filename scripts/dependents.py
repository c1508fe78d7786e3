#!/usr/bin/env python3
"""What depends on a change: the tests, and the stages of test.sh, that it can turn red.

    scripts/dependents.py BASE      prints what depends on what differs from the commit BASE, untracked files too:
        stages headers python …     of ./test.sh, beside format, lines and floors, which every change passes
        folders fft command …       of tests/: their programs, and their scripts where the command depends on the change
        scripts command.fft_test …  changed test scripts whose folder is not among these

A file depends on what it includes. Who includes a header also depends on the sources of the same name and on those of its folder that have
no header of their own; who includes a public header on all sources of the folder that it speaks for (check_floors.py knows which).
`--self-test` tries it on a small tree.

SPDX-License-Identifier: BSD-3-Clause
"""
import pathlib
import re
import subprocess
import sys

import check_floors

ROOT = pathlib.Path(__file__).parent.parent
SOURCES = {".cpp", ".hpp", ".cu", ".cuh", ".h", ".c"}
PLACES = ("include", "src", "tools/crinkle", "bench", "tests", "papers", "python/src", "")  # where an include is looked for
EVERYTHING = re.compile(r"(^|/)CMakeLists\.txt$|^cmake/|^tests/cases\.txt$|^scripts/install_packages\.sh$|^test\.sh$")
STAGES = {  # what a changed file means beside what includes it
    "headers": re.compile(r"^include/|^src/tile/|^tests/headers/"),
    "report": re.compile(r"^scripts/report|^bench/results/|^tests/scripts/|^papers/reporting/|\.md$"),
    "readme": re.compile(r"^README\.md$|^docs/guide\.md$|^scripts/run_readme\.py$"),
    "install": re.compile(r"^demo\.sh$|^tests/consumer/"),
    "python": re.compile(r"^python/|^pyproject\.toml$"),
    "fuzz": re.compile(r"^fuzz/"),
    "papers": re.compile(r"^papers/(?!reporting/)|^bench/(harness|suites)/|/bench_run\."),
}


class Graph:
    """Who includes whom, file by file."""

    def __init__(self, texts):
        self.texts = texts
        self.house = check_floors.House([pathlib.PurePosixPath(name) for name in texts])
        self.by_stem, self.by_folder, self.without_header = {}, {}, {}
        for name in texts:
            path = pathlib.PurePosixPath(name)
            if path.suffix in (".cpp", ".cu"):
                self.by_stem.setdefault(str(path.with_suffix("")), []).append(name)
                if path.parts[0] == "src":
                    self.by_folder.setdefault(path.parts[1], []).append(name)
                    if not any(str(path.with_suffix(ending)) in texts for ending in (".hpp", ".cuh")):
                        self.without_header.setdefault(path.parts[1], []).append(name)
        self.needs = {name: self.needs_of(name) for name in texts}

    def file_of(self, includer, name):
        near = str(pathlib.PurePosixPath(includer).parent / name)
        for candidate in [near] + [f"{place}/{name}" if place else name for place in PLACES]:
            if candidate in self.texts:
                return candidate
        return None

    def needs_of(self, name):
        found = {self.file_of(name, included) for _, _, included in check_floors.includes_of(self.texts[name])} - {None}
        for header in list(found):
            path = pathlib.PurePosixPath(header)
            found.update(self.by_stem.get(str(path.with_suffix("")), []))
            if path.parts[0] == "src":
                found.update(self.without_header.get(path.parts[1], []))
            if path.parts[0] == "include":
                found.update(self.by_folder.get(self.house.folder_of_header("/".join(path.parts[2:])), []))
        return found

    def reach(self, names):
        """These files and all that they need."""
        seen, left = set(names), list(names)
        while left:
            new = self.needs.get(left.pop(), set()) - seen
            seen |= new
            left += new
        return seen


def dependents(texts, changed):
    """stages, folders of tests and scripts that depend on the changed files."""
    graph = Graph(texts)
    within = lambda prefix: [name for name in texts if name.startswith(prefix)]
    touched = lambda names: bool(graph.reach(names) & changed)
    everything = any(EVERYTHING.search(name) for name in changed)
    stages = {stage for stage, pattern in STAGES.items() if any(pattern.search(name) for name in changed)}
    command = everything or touched(within("tools/crinkle/"))
    if everything or touched(within("python/src/")):
        stages.add("python")
    folders, scripts = set(), set()
    for folder in sorted({name.split("/")[1] for name in texts if name.startswith("tests/") and name.count("/") > 1}):
        if everything or touched([name for name in within(f"tests/{folder}/") if name.endswith("_test.cpp")]):
            folders.add(folder)
    for name in sorted(changed):
        found = re.fullmatch(r"tests/(\w+)/(\w+)\.py", name)
        if found and found[1] not in folders and name.endswith("_test.py") and found[1] != "scripts":
            scripts.add(f"{found[1]}.{found[2]}")
        elif found and found[1] != "scripts":
            folders.add(found[1])  # what its scripts share
    if command:
        folders.add("command")
    if everything or touched(within("examples/")):
        folders.add("example")
    return stages, folders, scripts


def self_test():
    tree = {
        "include/crinkle/fft.hpp": "", "include/crinkle/plan.hpp": "",
        "src/fft/plan.cpp": '#include "crinkle/fft.hpp"\n#include "fft/line.hpp"', "src/fft/line.hpp": "", "src/fft/line.cpp": '#include "fft/line.hpp"',
        "src/fft/stages.cpp": '#include "fft/line.hpp"', "tests/fft/line_test.cpp": '#include "fft/line.hpp"',
        "src/api/plan.cpp": '#include "crinkle/plan.hpp"', "tests/fft/errors_test.cpp": '#include "crinkle/fft.hpp"',
        "tests/api/plan_test.cpp": '#include "crinkle/plan.hpp"', "tools/crinkle/commands/fft.cpp": '#include "crinkle/fft.hpp"',
    }
    cases = [
        ({"src/fft/line.cpp"}, (set(), {"fft", "command"}, set())),
        ({"src/fft/stages.cpp"}, (set(), {"fft", "command"}, set())),
        ({"src/api/plan.cpp"}, (set(), {"api"}, set())),
        ({"docs/fft.md"}, ({"report"}, set(), set())),
        ({"tests/command/fft_test.py"}, (set(), set(), {"command.fft_test"})),
        ({"papers/fft/walk.cpp"}, ({"papers"}, set(), set())),
        ({"papers/reporting/documents_papers.py"}, ({"report"}, set(), set())),
        ({"CMakeLists.txt"}, ({"python"}, {"fft", "api", "command", "example"}, set())),
    ]
    wrong = [f"{sorted(changed)}: {dependents(tree, changed)}, not {want}" for changed, want in cases if dependents(tree, changed) != want]
    print("\n".join(wrong) or f"{len(cases)} changes and what depends on them are right")
    return 1 if wrong else 0


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) != 1:
        print(__doc__)
        return 2
    changed = set(git("diff", "--name-only", "--no-renames", arguments[0], "--")) | set(git("ls-files", "--others", "--exclude-standard"))
    texts = {name: "" for name in changed if pathlib.PurePosixPath(name).suffix in SOURCES}  # those that are gone, too
    for name in git("ls-files", "--cached", "--others", "--exclude-standard"):
        path = ROOT / name
        if path.suffix in SOURCES and path.is_file():
            texts[name] = path.read_text(encoding="utf-8")
    for word, names in zip(("stages", "folders", "scripts"), dependents(texts, changed)):
        print(word, *sorted(names))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
