"""A plugin of pytest: einops' own tests call crinkle.einops. Tests of what crinkle does not have (reductions, layers, einsum, compiled
torch) are left out.

SPDX-License-Identifier: BSD-3-Clause
"""
import importlib

import einops
import einops.packing
import einops.parsing

import crinkle._patterns as patterns
import crinkle.einops as ours

for name in ("einops", "packing", "parsing"):
    module = importlib.import_module(f"einops.{name}")
    for function in ours.__all__:
        if hasattr(module, function):
            setattr(module, function, getattr(ours, function))
for function in ours.__all__:
    setattr(einops, function, getattr(ours, function))

wanted = ("rearrange", "repeat", "pack", "parse", "ellipsis", "underscore", "anonymous", "tiling", "list_inputs", "concatenations", "failures", "examples",
          "numpy_trivial", "repeating", "test_anonymous_axes", "elementary", "invalid_expressions")
refused = ("reduc", "symbolic", "torch", "layer", "doctest", "gradient", "array_api", "optimize", "installed")


def pytest_collection_modifyitems(config, items):
    kept = [i for i in items if any(w in i.name for w in wanted) and not any(w in i.name for w in refused)]
    config.hook.pytest_deselected(items=[i for i in items if i not in kept])
    items[:] = kept
    for module in {i.module for i in items if i.module.__name__.endswith("test_parsing")}:
        for name in ("ParsedExpression", "AnonymousAxis", "_ellipsis"):  # not in einops.parsing itself, whose other functions use its own
            setattr(module, name, getattr(patterns, name))
