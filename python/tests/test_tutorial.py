"""The notebooks do what they show: every cell runs, and its picture or its text is the one that is kept.

SPDX-License-Identifier: BSD-3-Clause
"""
import ast
import contextlib
import io
import json
import pathlib

import pytest

docs = pathlib.Path(__file__).parents[2] / "docs"
tutorial = docs / "tutorial.ipynb"


def run_cell(text, space):
    """(what is printed, the value of the last line or None)"""
    tree = ast.parse(text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, str(tutorial), "exec"), space)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), str(tutorial), "eval"), space)
    return printed.getvalue(), value


def without_speed(text):
    """What is predicted depends on the machine."""
    return [line for line in text.splitlines() if not line.strip().startswith(("predicted", "swept"))]


def test_the_tutorial():
    space, n_pictures = {}, 0
    for cell in json.loads(tutorial.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        printed, value = run_cell("".join(cell["source"]), space)
        kept = {o["output_type"]: o for o in cell["outputs"]}
        assert without_speed(printed) == without_speed("".join(kept.get("stream", {"text": []})["text"]))
        assert (value is not None) == ("execute_result" in kept)
        if value is not None:
            assert value._repr_svg_() == "".join(kept["execute_result"]["data"]["image/svg+xml"])
            n_pictures += 1
    assert n_pictures == 5


def test_from_maps_to_series(tmp_path, monkeypatch):
    for library in ("dask.array", "xarray", "zarr"):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    space = {}
    for cell in json.loads((docs / "maps_to_series.ipynb").read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert run_cell("".join(cell["source"]), space)[0] == "".join(cell["outputs"][0]["text"])
