"""Plans of anything that crinkle does: what it reads and writes, how it can be cut, and running it.

SPDX-License-Identifier: BSD-3-Clause
"""
import importlib

from . import _arrays, _core


class Array:
    """What an array is like, without its elements: for plan(), and what a plan keeps of the arrays that it was made for."""

    def __init__(self, shape, dtype="float32", strides=None):
        import numpy

        self.shape = tuple(_arrays.size(n, "an extent") for n in shape)
        self.dtype = numpy.dtype(dtype)
        self.strides = _arrays.strides_of(self.shape, self.dtype.itemsize) if strides is None else tuple(int(s) for s in strides)
        if len(self.strides) != len(self.shape):
            raise ValueError(f"{len(self.strides)} strides of an array of shape {self.shape}")

    def __repr__(self):
        return f"crinkle.Array({self.shape}, {self.dtype.str!r}, {self.strides})"

    @classmethod
    def of(cls, x):
        """What this array of NumPy's is like."""
        return cls(x.shape, x.dtype, x.strides)

    def made(self):
        """An array like it, whose memory nobody has touched."""
        import numpy

        if any(n == 0 for n in self.shape):
            return numpy.empty(self.shape, self.dtype)
        below = -sum(s * (n - 1) for s, n in zip(self.strides, self.shape) if s < 0)
        above = sum(s * (n - 1) for s, n in zip(self.strides, self.shape) if s > 0) + self.dtype.itemsize
        return numpy.ndarray(self.shape, self.dtype, _arrays.unreserved(below + above), below, self.strides)


def _lowest(x):
    """The address of an array's first byte."""
    return x.__array_interface__["data"][0] + sum(s * (n - 1) for s, n in zip(x.strides, x.shape) if s < 0)


def _made(x):
    if isinstance(x, Array):
        return x.made()
    if isinstance(x, dict):
        return {key: _made(value) for key, value in x.items()}
    if isinstance(x, (list, tuple)):
        return type(x)(_made(one) for one in x)
    return x


class Request:
    """A call of one of crinkle's functions that is not made yet: ``ck.Request(ck.fft.fft, ck.Array((4, 8), 'complex64'), axis=0)``.

    Its text is that call, and it pickles."""

    def __init__(self, function, /, *arguments, **words):
        if not callable(function) or not str(getattr(function, "__module__", "")).startswith("crinkle"):
            raise TypeError(f"a request is a function of crinkle and its arguments, not {function!r}")
        self.function, self.arguments, self.words = function, arguments, words

    def __repr__(self):
        of = self.function.__module__.removeprefix("crinkle").lstrip("._")
        name = self.function.__name__ if self.function.__module__.split(".")[-1].startswith("_") else f"{of}.{self.function.__name__}"
        items = [repr(a) for a in self.arguments] + [f"{k}={v!r}" for k, v in self.words.items()]
        return f"crinkle.Request(crinkle.{name}, {', '.join(items)})"

    def __reduce__(self):
        return _request, (self.function.__module__, self.function.__qualname__, self.arguments, self.words)

    def planned(self):
        """The plan, and this request without the elements of the arrays that it reads: these are given to run()."""
        arguments, words = _made(self.arguments), _made(self.words)
        operation, addresses, owners = _core.planned(lambda: self.function(*arguments, **words))

        def like(x):
            if isinstance(x, (list, tuple)):
                return type(x)(like(one) for one in x)
            return Array.of(x) if _arrays.is_numpy(x) and _lowest(x) in addresses else x

        arguments = [a if isinstance(a, Array) else like(a) for a in self.arguments]
        words = {k: v if isinstance(v, Array) else like(v) for k, v in self.words.items()}
        return operation, Request(self.function, *arguments, **words), owners


def _request(module, name, arguments, words):
    return Request(getattr(importlib.import_module(module), name), *arguments, **words)


class Port:
    """What one array of a plan has to be: name, shape, strides, element_bytes, dtype (None: any of so many bytes), axes."""

    def __init__(self, facts):
        self.name, self.shape, self.strides = facts["name"], facts["shape"], facts["strides"]
        self.element_bytes, self.dtype, self.axes = facts["element_bytes"], facts["type"] or None, facts["axes"]
        self.is_updated, self.is_counted = facts["is_updated"], facts["is_counted"]

    def check(self, x):
        """That x has numbers of this type."""
        if self.dtype is None or self.dtype.startswith("2 "):
            return
        name, is_swapped = self.dtype.removeprefix(">"), self.dtype.startswith(">")
        if _arrays.name_of(x) != name or (x.dtype.itemsize > 1 and getattr(x.dtype, "isnative", True) == is_swapped):
            raise TypeError(f"the {self.name} is planned with elements of {self.dtype}; this one has {x.dtype}")

    def __repr__(self):
        return f"<{self.name}: {self.dtype or f'{self.element_bytes} bytes'}, shape {self.shape}>"


class Planned:
    """What plan() makes of a request: run() it, describe() it, or take it apart: parts of it have the bits of the whole.

    ``for part in p.parts(1 << 26): needed = p.needs(part); p.part(part).run(x[…])``"""

    def __init__(self, request, path=(), _operation=None, _owners=()):
        self._path, operation, self._owners = tuple(path), _operation, _owners
        if operation is None:
            operation, request, self._owners = request.planned()
            for step, of in self._path:
                operation = operation.part(of) if step == "part" else operation.stages()[of]
        self.request, self._operation = request, operation

    name = property(lambda self: self._operation.name, doc='"fft"')
    inputs = property(lambda self: tuple(Port(p) for p in self._operation.inputs))
    outputs = property(lambda self: tuple(Port(p) for p in self._operation.outputs))
    workspace_bytes = property(lambda self: self._operation.workspace_bytes)
    can_run_in_place = property(lambda self: self._operation.can_run_in_place, doc="Whether an output may be the input of its number.")
    bytes_moved = property(lambda self: self._operation.bytes_moved, doc="Read and written.")
    cuts = property(lambda self: tuple(self._operation.cuts), doc="(name, extent) of every axis along which it can be cut.")

    def run(self, *inputs, out=None):
        """The outputs for these inputs, one array or a tuple; in `out`, an array or as many, where that is given."""
        ports = self.outputs
        if out is None:
            if not inputs:
                raise TypeError(f"run: the {self.name} has {len(self.inputs)} inputs; give them, or out")
            outputs = [self._new(inputs[0], port) for port in ports]
        else:
            outputs = list(out) if isinstance(out, (list, tuple)) else [out]
        inputs = [_arrays.of(x) for x in inputs]
        for x, port in (*zip(inputs, self.inputs), *zip(outputs, ports)):
            port.check(x)
        self._operation.run(inputs, outputs)
        outputs = outputs if out is not None else [_arrays.finished(inputs[0], x) for x in outputs]
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    __call__ = run

    def _new(self, like, port):
        like = _arrays.of(like)
        dtype = port.dtype
        if dtype is not None and dtype.startswith(">"):
            import numpy

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
        return self._operation.needs([list(r) for r in part])

    def gives(self, part):
        """(first, n) of every axis of every output that a part writes."""
        return self._operation.gives([list(r) for r in part])

    def part(self, part):
        """The plan from dense arrays of what the part needs to dense ones of what it gives."""
        part = tuple(tuple(r) for r in part)
        return Planned(self.request, (*self._path, ("part", part)), self._operation.part([list(r) for r in part]), self._owners)

    def stages(self):
        """Plans one after another that do the same, each from the output of the one before: of a transform its axes."""
        stages = self._operation.stages()
        if len(stages) == 1:
            return [self]
        return [Planned(self.request, (*self._path, ("stage", k)), stage, self._owners) for k, stage in enumerate(stages)]

    def parts(self, n_bytes):
        """Parts that make up the whole, whose arrays have together at most so many bytes, where that can be."""
        return self._operation.parts(n_bytes) if self.cuts else []

    def describe(self):
        return self._operation.describe()

    def __repr__(self):
        return f"<crinkle plan of {self.request!r}{''.join(f', {step} {of}' for step, of in self._path)}>"

    def __reduce__(self):
        return Planned, (self.request, self._path)


def _again(function, arguments, words):
    return function(*arguments, **words)


def _of_move(name):
    return lambda self, *arguments: getattr(Planned(self.request), name)(*arguments)


# A plan of a move is the extension's, for its speed; what it has in common with others comes from its request.
for _name in ("needs", "gives", "part", "stages", "parts"):
    setattr(_core.Plan, _name, _of_move(_name))
for _name in ("cuts", "inputs", "outputs"):
    setattr(_core.Plan, _name, property(lambda self, name=_name: getattr(Planned(self.request), name)))
_core.Plan.__reduce__ = lambda self: (_again, self.made_by)
