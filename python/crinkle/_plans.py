"""Plans of anything that crinkle does: what it reads and writes, how it can be cut, and running it.

SPDX-License-Identifier: BSD-3-Clause
"""
import functools

from . import _arrays, _core
from ._requests import Request


class Port:
    """What one array of a plan has to be: name, shape, strides, element_bytes, dtype (None: any of so many bytes), axes."""

    def __init__(self, facts):
        self.name, self.shape, self.strides = facts["name"], facts["shape"], facts["strides"]
        self.element_bytes, self.dtype, self.axes = facts["element_bytes"], facts["type"] or None, facts["axes"]
        self.is_updated, self.is_counted = facts["is_updated"], facts["is_counted"]

    def check(self, x, given=None):
        """That x is what the port was planned for: `given`, the shape and type of the array that the function got, or this shape."""
        shape = tuple(x.shape)
        if shape != self.shape and (given is None or shape != given[0]):
            raise ValueError(f"the {self.name} is planned with shape {self.shape if given is None else given[0]}; this one has {shape}")
        if self.dtype is None or self.dtype.startswith("2 "):
            if given is not None and _arrays.element_name(x) != given[2]:
                raise TypeError(f"the {self.name} is planned with elements of {given[1]}; this one has {x.dtype}")
            return
        name, is_swapped = self.dtype.removeprefix(">"), self.dtype.startswith(">")
        if _arrays.name_of(x) != name or (_arrays.is_numpy(x) and x.dtype.itemsize > 1 and x.dtype.isnative == is_swapped):
            raise TypeError(f"the {self.name} is planned with elements of {self.dtype}; this one has {x.dtype}")

    def __repr__(self):
        return f"<{self.name}: {self.dtype or f'{self.element_bytes} bytes'}, shape {self.shape}>"


class Planned:
    """What plan() makes of a request: run() it, describe() it, or take it apart: parts of it have the bits of the whole.

    ``for part in p.parts(1 << 26): needed = p.needs(part); p.part(part).run(x[…])``"""

    def __init__(self, request, path=(), _operation=None, _facts=None):
        self._path, self._facts, operation = tuple(path), _facts, _operation
        if _facts is None:
            request, self._facts = request.planned()
        if operation is None:
            operation = self._facts.operation
            for step, of in self._path:
                operation = operation.stages()[of[0]] if step == "stage" else getattr(operation, step)(*of)
        self.request, self._operation = request, operation
        self._known = set()  # kinds, shapes and types of arrays that were checked

    name = property(lambda self: self._operation.name, doc='"transform"')
    inputs = functools.cached_property(lambda self: tuple(Port(p) for p in self._operation.inputs))
    outputs = functools.cached_property(lambda self: tuple(Port(p) for p in self._operation.outputs))
    workspace_bytes = property(lambda self: self._operation.workspace_bytes)
    can_run_in_place = property(lambda self: self._operation.can_run_in_place, doc="Whether an output may be the input of its number.")
    bytes_moved = property(lambda self: self._operation.bytes_moved, doc="Read and written.")
    cuts = property(lambda self: tuple(self._operation.cuts), doc="(name, extent) of every axis along which it can be cut.")

    def run(self, *inputs, out=None):
        """The outputs for these inputs, one array or a tuple; in `out`, an array or as many, where that is given."""
        whole = not self._path
        inputs = [_arrays.of(x) for x in inputs]
        outputs = [] if out is None else list(out) if isinstance(out, (list, tuple)) else [out]
        key = (out is None, *[(type(x), getattr(x, "shape", None), getattr(x, "dtype", None)) for x in (*inputs, *outputs)])
        if key not in self._known:
            self._check(inputs, outputs, out is None)
            if len(self._known) < 16:
                self._known.add(key)
        if out is None:
            outputs = [self._new(inputs, port) for port in self.outputs]
        self._operation.run(inputs, outputs)
        if out is not None:
            return outputs[0] if len(outputs) == 1 else tuple(outputs)
        outputs = [_arrays.finished(inputs[0], x) if inputs else x for x in outputs]
        if whole and len(outputs) == 1 and tuple(outputs[0].shape) != self._facts.result_shape:
            return _arrays.reshaped(outputs[0], self._facts.result_shape)
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    __call__ = run

    def _check(self, inputs, outputs, are_made):
        whole = not self._path
        if len(inputs) != len(self.inputs):
            raise TypeError(f"run: {len(inputs)} given of {len(self.inputs)} inputs: {', '.join(port.name for port in self.inputs) or 'none'}")
        for k, (x, port) in enumerate(zip(inputs, self.inputs)):
            port.check(x, self._facts.inputs[k] if whole else None)
        if not are_made and len(outputs) != len(self.outputs):
            raise TypeError(f"run: {len(outputs)} given of {len(self.outputs)} outputs")
        for x, port in zip(outputs, self.outputs):
            port.check(x, (self._facts.result_shape, "", _arrays.element_name(x)) if whole else None)

    def _new(self, inputs, port):
        import numpy

        like, dtype = inputs[0] if inputs else numpy.empty(0), port.dtype
        if dtype is not None and dtype.startswith(">"):
            dtype = numpy.dtype(dtype[1:]).newbyteorder(">")
        if dtype is None and _arrays.element_bytes(_arrays.dtype_of(like)) != port.element_bytes:
            raise TypeError(f"run: the {port.name} has elements of {port.element_bytes} bytes, the input others: give out")
        strides = _arrays.strides_of(port.shape, port.element_bytes)
        if any(n > 1 and s != t for n, s, t in zip(port.shape, port.strides, strides)):
            raise ValueError(f"run: the {port.name} has strides {port.strides}: give out")
        if port.is_updated:  # places that it leaves as they are
            return _arrays.as_type(_arrays.zeros(like, port.shape), dtype or _arrays.name_of(like))
        return _arrays.of_type(like, port.shape, dtype)

    def needs(self, part):
        """(first, n) of every axis of every input that a part, (first, n) of every cut, reads; round the end of an axis where first + n is beyond it."""
        part = self._ranges(part)
        return self._operation.needs(part) if self.cuts else [tuple((0, n) for n in port.shape) for port in self.inputs]

    def gives(self, part):
        """(first, n) of every axis of every output that a part writes."""
        part = self._ranges(part)
        return self._operation.gives(part) if self.cuts else [tuple((0, n) for n in port.shape) for port in self.outputs]

    def part(self, part):
        """The plan from dense arrays of what the part needs to dense ones of what it gives."""
        part = self._ranges(part)
        if not self.cuts:
            raise ValueError(f"part: this {self.name} cannot be cut; stages() may be")
        return self._then("part", self._operation.part(part), part)

    def inverse(self):
        """The plan that brings outputs back: of transforms, with the factor that undoes theirs, of moves that are bijections, and of triangles where
        nothing is lost. RuntimeError of all others."""
        return self._then("inverse", self._operation.inverse())

    def on(self, device):
        """The same of arrays on the GPU of this number, or on the CPU, -1, wherever those lay that it was planned for."""
        number = _arrays.size(device, "the number of a GPU")
        if number < -1:
            raise ValueError(f"there is no device {number}: GPUs are 0, 1, and so on; the CPU is -1")
        return Planned(self.request, self._path, None, self.request._facts(number))

    def _then(self, step, operation, *of):
        return Planned(self.request, (*self._path, (step, of)), operation, self._facts)

    def _ranges(self, part):
        """A part as lists of two integers, one a cut."""
        cuts = self.cuts
        if not isinstance(part, (list, tuple)) or len(part) != len(cuts) or not all(isinstance(r, (list, tuple)) and len(r) == 2 for r in part):
            raise ValueError(f"a part of this {self.name} is (first, n) of each of {len(cuts)} cuts, {', '.join(f'{name} of {n}' for name, n in cuts) or 'none'}: not {part!r}")
        return [[_arrays.size(n, "a part's first or n") for n in r] for r in part]

    def stages(self):
        """Plans one after another that do the same, each from the output of the one before: of a transform its axes."""
        stages = self._operation.stages()
        if len(stages) == 1:
            return [self]
        return [self._then("stage", stage, k) for k, stage in enumerate(stages)]

    def parts(self, n_bytes):
        """Parts that make up the whole, whose arrays have together at most so many bytes, where that can be; the whole where it cannot be cut."""
        n_bytes = _arrays.size(n_bytes, "the bytes of a part")
        return self._operation.parts(n_bytes) if self.cuts else [()]

    def describe(self):
        return self._operation.describe()

    def __repr__(self):
        steps = "".join(", " + " ".join((step, *map(str, of))) for step, of in self._path)
        return f"<crinkle plan of {self.request!r}{steps}>"

    def __reduce__(self):
        return Planned, (self.request, self._path)


def _again(function, arguments, words):
    return function(*arguments, **words)


def _planned(plan):
    request = getattr(plan, "request", None)
    if request is None:
        raise ValueError("a plan of a move backwards, or for a GPU's shape: make a plan of that move to cut it")
    return Planned(request)


def _of_move(name):
    return lambda self, *arguments: getattr(_planned(self), name)(*arguments)


# A plan of a move is the extension's, for its speed; what it has in common with others comes from its request.
for _name in ("needs", "gives", "part", "stages", "parts"):
    setattr(_core.Plan, _name, _of_move(_name))
for _name in ("cuts", "inputs", "outputs"):
    setattr(_core.Plan, _name, property(lambda self, name=_name: getattr(_planned(self), name)))


def _reduce(self):
    if not hasattr(self, "made_by"):
        raise TypeError("a plan of a move backwards does not pickle: pickle the plan, and take its inverse")
    return _again, self.made_by


_core.Plan.__reduce__ = _reduce
