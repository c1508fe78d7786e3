#!/usr/bin/env python3
"""Floors only point down: a file includes its own folder and lower floors, nothing else.

    7 doors      tools/ python/ bench/
    6 api        api/                            crinkle/{plan,transfer,crinkle}.hpp
    5 computed   stencil/ fft/ interpolate/ simplex/ advise/    never each other; fft may use move
    4 moves      move/ records/
    3 planning   plan/ cpu/ cuda/                never each other; crinkle/executor.hpp
    2 meaning    notation/ operations/ tile/     never each other; crinkle/{notation,operations,kindex}.hpp
    1 form       form/                           crinkle/rearrangement.hpp
    0 base       base/                           the other public headers

Besides: only *.cu files and cuda/ include CUDA or CCCL headers; only *-inl.hpp in cpu/ and the cpu.cpp files include Highway, a .cu never does;
headers for the user's kernels include <cstdint>, <cstddef> and each other; public headers include public headers only; examples see public
headers only. `--self-test` plants a violation of every rule and expects it to be found.

SPDX-License-Identifier: BSD-3-Clause
"""
import pathlib
import re
import sys

FLOOR_OF_FOLDER = {
    "base": 0,
    "form": 1,
    "notation": 2, "operations": 2, "tile": 2, "kindex": 2,
    "plan": 3, "cpu": 3, "cuda": 3,
    "move": 4, "records": 4,
    "stencil": 5, "fft": 5, "interpolate": 5, "simplex": 5, "advise": 5,
    "api": 6,
    "tools": 7, "python": 7, "bench": 7,
}
FOLDER_OF_HEADER = {
    "rearrangement.hpp": "form", "notation.hpp": "notation", "operations.hpp": "operations", "kindex.hpp": "kindex",
    "executor.hpp": "cpu", "cuda.hpp": "cuda", "plan.hpp": "api", "transfer.hpp": "api", "crinkle.hpp": "api", "crinkle.h": "api",
    "records.hpp": "records", "record_layout.hpp": "records", "stencil.hpp": "stencil", "fft.hpp": "fft", "interpolate.hpp": "interpolate",
    "simplex_loops.hpp": "simplex", "simplex_loops.cuh": "simplex", "pairs.hpp": "simplex", "triangle.hpp": "simplex", "advise.hpp": "advise",
}
SAME_FLOOR_ALLOWED = {("fft", "move")}
KERNEL_SIDE = {"kindex.hpp", "records.hpp", "simplex.hpp", "detail/hd.hpp", "detail/kindex_base.hpp", "detail/power_of_two_index.hpp",
               "detail/any_index.hpp", "detail/placement.hpp", "detail/record_type.hpp", "detail/record_form.hpp", "detail/record_place.hpp",
               "detail/record_words.hpp", "detail/run_time_view.hpp", "detail/triangle_lines.hpp", "detail/simplex_cells.hpp",
               "detail/simplex_roots.hpp", "detail/simplex_digits.hpp", "detail/simplex_triangles.hpp", "detail/simplex_pieces.hpp",
               "detail/simplex_tetrahedra.hpp", "detail/simplex_blocks.hpp"}
KERNEL_SIDE_SYSTEM = {"cstdint", "cstddef"}
CUDA_HEADER = re.compile(r"^(cuda|cub/|thrust/|nv/|cooperative_groups|device_launch|nccl|cufft|cublas|curand|nvtx|vector_types)")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SUFFIXES = {".cpp", ".hpp", ".cu", ".cuh", ".h"}


def includes_of(text):
    for number, line in enumerate(text.splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(1) == "<", found.group(2)


def folder_of(path):
    """The folder that a file of the tree speaks for, or None where no floor applies (tests, fuzzers, examples)."""
    parts = path.parts
    if parts[0] == "include":
        return FOLDER_OF_HEADER.get(path.name, "base") if parts[2] != "detail" else "base"
    if parts[0] == "src":
        return parts[1]
    return parts[0] if parts[0] in ("tools", "python", "bench") else None


def target_of(name, path):
    """The folder that an include leads to, or None for a file of the includer's own folder or of no floor."""
    parts = pathlib.PurePosixPath(name).parts
    if parts[0] == "crinkle" and len(parts) > 1:
        return "base" if parts[1] == "detail" else FOLDER_OF_HEADER.get(parts[1], "base")
    if len(parts) > 1 and parts[0] in FLOOR_OF_FOLDER and FLOOR_OF_FOLDER[parts[0]] < 7:
        return parts[0]
    return None


def faults_of_include(path, is_system, name):
    own, to = folder_of(path), target_of(name, path)
    if own is not None and own not in FLOOR_OF_FOLDER:
        yield f"the folder {own}/ has no floor"
        return
    if own and to and own != to:
        mine, its = FLOOR_OF_FOLDER[own], FLOOR_OF_FOLDER[to]
        if its > mine:
            yield f"floor {mine} ({own}) includes {name} of floor {its} ({to})"
        elif its == mine and (own, to) not in SAME_FLOOR_ALLOWED:
            yield f"{own} and {to} share floor {mine} and must not include each other ({name})"
    is_cuda_place = path.suffix in (".cu", ".cuh") or own == "cuda"
    is_own = not is_system and name.startswith("cuda/")  # the folder of that name
    if CUDA_HEADER.match(name) and not is_own and not is_cuda_place:
        yield f"{name} is a CUDA header; only .cu files and cuda/ include those"
    if name.startswith("hwy/"):
        is_highway_place = (own == "cpu" and path.name.endswith("-inl.hpp")) or path.name == "cpu.cpp"
        if not is_highway_place:
            yield f"{name} is Highway's; only cpu/*-inl.hpp and cpu.cpp include it"
    if path.parts[0] == "include":
        inside = pathlib.PurePosixPath(*path.parts[2:]).as_posix()
        if not is_system and not name.startswith("crinkle/"):
            yield f"a public header includes {name}, which is not installed"
        if inside in KERNEL_SIDE:
            allowed = name in KERNEL_SIDE_SYSTEM if is_system else name.removeprefix("crinkle/") in KERNEL_SIDE
            if not allowed:
                yield f"a header for the user's kernels includes {name}; only <cstdint>, <cstddef> and its like"
    if path.parts[0] == "examples" and not is_system and not name.startswith("crinkle/"):
        yield f"an example includes {name}; examples see public headers only"


def files_of(root):
    for top in ("include", "src", "tools", "python", "bench", "examples"):
        for path in sorted((root / top).rglob("*")) if (root / top).is_dir() else []:
            if path.suffix in SUFFIXES:
                yield path.relative_to(root), path.read_text(encoding="utf-8")


def check(files):
    faults = []
    for path, text in files:
        if path.parts[0] == "src" and len(path.parts) < 3:
            faults.append(f"{path}:1: lies in no folder of src/")
            continue
        for number, is_system, name in includes_of(text):
            faults += [f"{path}:{number}: {fault}" for fault in faults_of_include(path, is_system, name)]
    return faults


PLANTED = [
    ("src/form/map.cpp", '#include "notation/spec.hpp"'),
    ("src/notation/spec.cpp", '#include "tile/shape.hpp"'),
    ("src/operations/verbs.cpp", '#include "crinkle/notation.hpp"'),
    ("src/plan/order.cpp", '#include "cpu/rows.hpp"'),
    ("src/plan/order.cpp", "  #  include <crinkle/plan.hpp>"),
    ("src/move/cpu.cpp", '#include "api/run.hpp"'),
    ("src/move/cpu.cpp", "#include <cuda_runtime.h>"),
    ("src/move/cuda.cu", "#include <hwy/highway.h>"),
    ("src/plan/order.cpp", "#include <hwy/highway.h>"),
    ("src/elsewhere/order.cpp", '#include "base/checked.hpp"'),
    ("src/loose.cpp", ""),
    ("include/crinkle/axis.hpp", '#include "crinkle/rearrangement.hpp"'),
    ("include/crinkle/layout.hpp", '#include "base/checked.hpp"'),
    ("include/crinkle/kindex.hpp", "#include <vector>"),
    ("include/crinkle/detail/hd.hpp", '#include "crinkle/error.hpp"'),
    ("include/crinkle/rearrangement.hpp", '#include "crinkle/operations.hpp"'),
    ("src/fft/cpu.cpp", '#include "stencil/radius.hpp"'),
    ("examples/one.cpp", '#include "form/map.hpp"'),
]
HARMLESS = [
    ("src/form/map.cpp", '#include "base/checked.hpp"'),
    ("src/fft/cpu.cpp", '#include "move/cpu.hpp"'),
    ("src/move/cuda.cu", "#include <cub/cub.cuh>"),
    ("src/cpu/rows-inl.hpp", "#include <hwy/highway.h>"),
    ("src/move/cpu.cpp", '#include "plan/order.hpp"'),
    ("tools/crinkle/move.cpp", '#include "formats/npy.hpp"'),
    ("include/crinkle/kindex.hpp", "#include <cstdint>"),
    ("examples/one.cpp", '#include "crinkle/plan.hpp"'),
]


def self_test():
    wrong = []
    for name, text in PLANTED:
        if not check([(pathlib.PurePosixPath(name), text)]):
            wrong.append(f"not found: {name} with {text}")
    for name, text in HARMLESS:
        wrong += [f"false alarm: {fault}" for fault in check([(pathlib.PurePosixPath(name), text)])]
    return wrong


def main(arguments):
    if arguments == ["--self-test"]:
        faults = self_test()
        print("\n".join(faults) or f"all {len(PLANTED)} planted violations found, {len(HARMLESS)} harmless includes passed")
        return 1 if faults else 0
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent)
    files = list(files_of(root))
    faults = check(files)
    print("\n".join(faults) or f"floors hold in {len(files)} files")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
