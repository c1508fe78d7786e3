#!/usr/bin/env python3
"""Floors only point down: a file includes its own folder and lower floors, nothing else.

    8 doors      tools/ python/ bench/ papers/ src/c/    nothing outside includes them; crinkle/crinkle.h
    7 api        api/                            crinkle/{plan,move,packed,transfer,crinkle}.hpp
    6 computed   stencil/ fft/ interpolate/ resample/ pairs/ triangle/ advise/    never each other; each with a public header of its name
    5 moves      move/ records/                  never each other; crinkle/records.hpp
    4 operation  operation/                      crinkle/operation.hpp
    3 planning   plan/ cpu/ cuda/                never each other; crinkle/{executor,cuda}.hpp
    2 meaning    notation/ operations/ tile/     never each other; crinkle/{notation,operations,kindex}.hpp
    1 form       form/                           crinkle/rearrangement.hpp
    0 base       base/                           the other public headers

A folder that is not listed is a feature, on floor 6, if it has a public header of its own name; any other folder of src/ and any other
public header is refused.

A feature's backends are its sub-folders cpu/ and cuda/, which never include each other; sources in CUDA lie in a folder cuda/.

Besides: only *.cu files and cuda/ include CUDA or CCCL headers; only kernels of the CPU, *-inl.hpp and *_kernels.cpp in a folder cpu/, include
Highway; headers for the user's kernels (kindex, records, simplex and most of detail/) include <cstdint>,
<cstddef> and each other; public headers include public headers only; examples see public headers only. `--self-test` plants a violation of
every rule and expects it to be found; `--kernel-side` lists the headers for the user's kernels.

SPDX-License-Identifier: BSD-3-Clause
"""
import pathlib
import re
import sys

FEATURES = 6
DOORS = 8
BACKENDS = ("cpu", "cuda")
FLOOR_OF_FOLDER = {
    "base": 0,
    "form": 1,
    "notation": 2, "operations": 2, "tile": 2, "kindex": 2,
    "plan": 3, "cpu": 3, "cuda": 3,
    "operation": 4,
    "move": 5, "records": 5,
    "stencil": FEATURES, "fft": FEATURES, "interpolate": FEATURES, "advise": FEATURES,
    "api": 7,
    "c": 8, "tools": 8, "python": 8, "bench": 8, "papers": 8,
}
FOLDER_OF_HEADER = {  # those that are not named FOLDER.hpp or FOLDER_….hpp
    "axis.hpp": "base", "bit_shape.hpp": "base", "device.hpp": "base", "error.hpp": "base", "layout.hpp": "base", "modes.hpp": "base", "simplex.hpp": "base",
    "points.hpp": "base", "real.hpp": "base", "number.hpp": "base", "half.hpp": "base", "sweeper.hpp": "stencil",
    "rearrangement.hpp": "form", "executor.hpp": "cpu", "records.hpp": "records", "record_layout.hpp": "records",
    "plan.hpp": "api", "move.hpp": "api", "transfer.hpp": "api", "packed.hpp": "api", "crinkle.hpp": "api", "crinkle.h": "c",
    "triangle_layout.hpp": "tile", "mpi.hpp": "distribute", "devices.hpp": "distribute", "simplex_loops.hpp": "cpu", "simplex_loops.cuh": "cpu",
}
KERNEL_SIDE = {"half.hpp", "kindex.hpp", "records.hpp", "simplex.hpp", "stencil.hpp"}
NOT_KERNEL_SIDE = {"detail/members.hpp", "detail/request_key.hpp", "detail/small_vector.hpp"}
KERNEL_SIDE_SYSTEM = {"cstdint", "cstddef"}
CUDA_HEADER = re.compile(r"^(cuda|cub/|thrust/|nv/|cooperative_groups|device_launch|nccl|cufft|cublas|curand|nvtx|vector_types)")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SUFFIXES = {".cpp", ".hpp", ".cu", ".cuh", ".h"}


def includes_of(text):
    for number, line in enumerate(text.splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(1) == "<", found.group(2)


def is_kernel_side(inside):
    """Whether a header, named from include/crinkle/ on, is for the user's kernels."""
    return inside in KERNEL_SIDE or (inside.startswith("detail/") and inside not in NOT_KERNEL_SIDE)


class House:
    """The folders of a tree and their floors."""

    def __init__(self, paths):
        folders = {path.parts[1] for path in paths if path.parts[0] == "src" and len(path.parts) > 2}
        headers = {path.stem for path in paths if path.parts[0] == "include" and len(path.parts) == 3}
        self.floors = FLOOR_OF_FOLDER | {name: FEATURES for name in (folders & headers) - FLOOR_OF_FOLDER.keys()}

    def folder_of_header(self, name):
        """The folder that a public header speaks for, named from include/crinkle/ on; None for one that nobody knows."""
        if name.startswith("detail/"):
            return "base"
        stem = pathlib.PurePosixPath(name).stem
        named = [folder for folder in (stem, stem.partition("_")[0]) if folder in self.floors]
        return FOLDER_OF_HEADER.get(name) or next(iter(named), None)

    def folder_of(self, path):
        """The folder that a file of the tree speaks for, or None where no floor applies (tests, fuzzers, examples)."""
        parts = path.parts
        if parts[0] == "include":
            return self.folder_of_header("/".join(parts[2:]))
        if parts[0] == "src":
            return parts[1]
        return parts[0] if parts[0] in ("tools", "python", "bench", "papers") else None

    def target_of(self, name):
        """The folder that an include leads to, or None for a file of the includer's own folder or of no floor."""
        first, _, rest = name.partition("/")
        if first == "crinkle" and rest:
            return self.folder_of_header(rest)
        return first if rest and (first == "papers" or self.floors.get(first, DOORS) < DOORS) else None

    def fault_of_place(self, path):
        if path.parts[0] == "src":
            if len(path.parts) < 3:
                return "lies in no folder of src/"
            if path.parts[1] not in self.floors:
                return (f"src/{path.parts[1]}/ has no floor: a feature has a public header include/crinkle/{path.parts[1]}.hpp; "
                        "any other folder is listed in FLOOR_OF_FOLDER")
            if path.suffix in (".cu", ".cuh") and "cuda" not in path.parts[1:-1]:
                return "a source in CUDA lies in a folder cuda/"
        if path.parts[0] == "include" and self.folder_of(path) is None:
            return f"this public header belongs to no folder: create src/{path.stem}/, or list it in FOLDER_OF_HEADER"
        return None

    def faults_of_include(self, path, is_system, name):
        own, to = self.folder_of(path), self.target_of(name)
        if own and to and own != to:
            mine, its = self.floors[own], self.floors[to]
            if its > mine:
                yield f"floor {mine} ({own}) includes {name} of floor {its} ({to})"
            elif its == mine:
                yield f"{own} and {to} share floor {mine} and must not include each other ({name})"
        if path.parts[0] == "src" and len(path.parts) > 3 and path.parts[2] in BACKENDS:
            backend = name.split("/")[1:2]
            if name.startswith(path.parts[1] + "/") and backend and backend[0] in BACKENDS and backend[0] != path.parts[2]:
                yield f"{path.parts[1]}/{path.parts[2]}/ includes {name}: what both backends need lies in {path.parts[1]}/"
        is_cuda_place = path.suffix in (".cu", ".cuh") or own == "cuda"
        is_own = not is_system and name.startswith("cuda/")  # the folder of that name
        if CUDA_HEADER.match(name) and not is_own and not is_cuda_place:
            yield f"{name} is a CUDA header; only .cu files and cuda/ include those"
        if name.startswith("hwy/"):
            is_kernel = path.parts[0] == "src" and path.name.endswith(("-inl.hpp", "_kernels.cpp")) and "cpu" in path.parts[1:-1]
            if not is_kernel or (own != "cpu" and self.floors[own] != FEATURES):
                yield f"{name} is Highway's; only *-inl.hpp and *_kernels.cpp in cpu/, a feature's too, include it"
        if path.parts[0] == "include":
            inside = "/".join(path.parts[2:])
            if not is_system and not name.startswith("crinkle/"):
                yield f"a public header includes {name}, which is not installed"
            if is_kernel_side(inside):
                allowed = name in KERNEL_SIDE_SYSTEM if is_system else is_kernel_side(name.removeprefix("crinkle/"))
                if not allowed:
                    yield f"a header for the user's kernels includes {name}; only <cstdint>, <cstddef> and its like"
        if path.parts[0] == "examples" and not is_system and not name.startswith("crinkle/") and "/" in name:
            yield f"an example includes {name}; examples see public headers and their own"


def files_of(root):
    for top in ("include", "src", "tools", "python", "bench", "papers", "examples"):
        for path in sorted((root / top).rglob("*")) if (root / top).is_dir() else []:
            if path.suffix in SUFFIXES:
                yield path.relative_to(root), path.read_text(encoding="utf-8")


def check(files):
    faults = []
    house = House([path for path, _ in files])
    for path, text in files:
        fault = house.fault_of_place(path)
        if fault:
            faults.append(f"{path}:1: {fault}")
            continue
        for number, is_system, name in includes_of(text):
            faults += [f"{path}:{number}: {fault}" for fault in house.faults_of_include(path, is_system, name)]
    return faults


PLANTED = [
    ("src/form/map.cpp", '#include "notation/spec.hpp"'),
    ("src/notation/spec.cpp", '#include "tile/shape.hpp"'),
    ("src/operations/verbs.cpp", '#include "crinkle/notation.hpp"'),
    ("src/plan/order.cpp", '#include "cpu/rows.hpp"'),
    ("src/plan/order.cpp", "  #  include <crinkle/plan.hpp>"),
    ("src/move/cpu/move.cpp", '#include "api/run.hpp"'),
    ("src/move/cpu/move.cpp", "#include <cuda_runtime.h>"),
    ("src/move/cuda/move.cu", "#include <hwy/highway.h>"),
    ("src/plan/order.cpp", "#include <hwy/highway.h>"),
    ("src/move/cpu/move.cpp", "#include <hwy/highway.h>"),
    ("src/fft/cpu/pass.cpp", "#include <hwy/highway.h>"),
    ("src/fft/butterfly_kernels.cpp", "#include <hwy/highway.h>"),
    ("src/fft/lines.cu", ""),
    ("src/fft/cpu/lines.cpp", '#include "fft/cuda/form.hpp"'),
    ("src/fft/cuda/lines.cpp", '#include "fft/cpu/line.hpp"'),
    ("src/plan/order-inl.hpp", "#include <hwy/highway.h>"),
    ("src/elsewhere/order.cpp", ""),
    ("src/idw/cpu.cpp", "#include <vector>"),
    ("include/crinkle/elsewhere.hpp", "#include <vector>"),
    ("src/loose.cpp", ""),
    ("include/crinkle/axis.hpp", '#include "crinkle/rearrangement.hpp"'),
    ("include/crinkle/layout.hpp", '#include "base/checked.hpp"'),
    ("include/crinkle/kindex.hpp", "#include <vector>"),
    ("include/crinkle/detail/hd.hpp", '#include "crinkle/error.hpp"'),
    ("include/crinkle/rearrangement.hpp", '#include "crinkle/operations.hpp"'),
    ("src/fft/cpu/pass.cpp", '#include "stencil/radius.hpp"'),
    ("src/move/cpu/move.cpp", "#include <crinkle/interpolate.hpp>"),
    ("src/stencil/cpu/sweep.cpp", '#include "crinkle/plan.hpp"'),
    ("examples/one.cpp", '#include "form/map.hpp"'),
    ("src/fft/cpu/pass.cpp", '#include "papers/fft/steps.hpp"'),
    ("bench/suites/fft.cpp", '#include "papers/fft/steps.hpp"'),
    ("tools/crinkle/commands/bench.cpp", '#include "papers/suites.hpp"'),
    ("papers/hypercubic/loops.cpp", "#include <hwy/highway.h>"),
    ("papers/hypercubic/loops.cpp", "#include <cuda_runtime.h>"),
]
HARMLESS = [
    ("src/form/map.cpp", '#include "base/checked.hpp"'),
    ("src/fft/cpu/pass.cpp", '#include "move/cpu/move.hpp"'),
    ("src/move/cuda/move.cu", "#include <cub/cub.cuh>"),
    ("src/cpu/rows-inl.hpp", "#include <hwy/highway.h>"),
    ("src/fft/cpu/butterfly_kernels.cpp", "#include <hwy/highway.h>"),
    ("src/interpolate/cpu/weights-inl.hpp", "#include <hwy/highway.h>"),
    ("include/crinkle/fft.hpp", '#include "crinkle/executor.hpp"'),
    ("include/crinkle/fft.hpp", '#include "crinkle/rearrangement.hpp"'),
    ("include/crinkle/detail/elsewhere.hpp", '#include "crinkle/detail/hd.hpp"'),
    ("src/move/cpu/move.cpp", '#include "plan/order.hpp"'),
    ("tools/crinkle/move.cpp", '#include "formats/npy.hpp"'),
    ("include/crinkle/kindex.hpp", "#include <cstdint>"),
    ("examples/one.cpp", '#include "crinkle/plan.hpp"'),
    ("papers/fft/walk.cpp", '#include "papers/fft/steps.hpp"'),
    ("papers/fft/walk.cpp", '#include "tile/banks.hpp"'),
    ("papers/main.cpp", '#include "running/bench_run.hpp"'),
    ("papers/hypercubic/versions.cu", "#include <cuda_runtime.h>"),
]
A_NEW_FEATURE = [
    ("src/wavelet/cpu.cpp", '#include "move/cpu/move.hpp"\n#include "crinkle/wavelet.hpp"'),
    ("include/crinkle/wavelet.hpp", '#include "crinkle/executor.hpp"'),
]


def self_test():
    wrong = []
    for name, text in PLANTED:
        if not check([(pathlib.PurePosixPath(name), text)]):
            wrong.append(f"not found: {name} with {text}")
    for name, text in HARMLESS:
        wrong += [f"false alarm: {fault}" for fault in check([(pathlib.PurePosixPath(name), text)])]
    wrong += [f"false alarm: {fault}" for fault in check([(pathlib.PurePosixPath(name), text) for name, text in A_NEW_FEATURE])]
    upwards = (pathlib.PurePosixPath("src/move/cpu/move.cpp"), '#include "wavelet/cpu.hpp"')
    if not check([upwards] + [(pathlib.PurePosixPath(name), text) for name, text in A_NEW_FEATURE]):
        wrong.append("not found: a move that includes a new feature")
    return wrong


def main(arguments):
    if arguments == ["--self-test"]:
        faults = self_test()
        print("\n".join(faults) or f"all {len(PLANTED)} planted violations found, {len(HARMLESS)} harmless includes passed")
        return 1 if faults else 0
    is_listing = arguments == ["--kernel-side"]
    root = pathlib.Path(arguments[0] if arguments and not is_listing else pathlib.Path(__file__).parent.parent)
    files = list(files_of(root))
    if is_listing:
        print("\n".join(str(path) for path, _ in files if path.parts[0] == "include" and is_kernel_side("/".join(path.parts[2:]))))
        return 0
    faults = check(files)
    print("\n".join(faults) or f"floors hold in {len(files)} files")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
