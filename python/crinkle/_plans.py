"""Plans of anything that crinkle does: what it reads and writes, how it can be cut, and running it.

SPDX-License-Identifier: BSD-3-Clause
"""
import importlib

from . import _arrays, _core


class Array:
    """What an array is like, without its elements: for plan(), and what a plan keeps of the arrays that it was made for."""

    def __init__(self, shape, dtype="float32", strides=None):
        self.shape = tuple(_arrays.size(n, "an extent") for n in ([shape] if hasattr(shape, "__index__") else shape))
        if any(n < 0 for n in self.shape):
            raise ValueError(f"an array of shape {self.shape}")
        self.dtype = _numpy_dtype(dtype)
        self.strides = _arrays.strides_of(self.shape, self.dtype.itemsize) if strides is None else tuple(int(s) for s in strides)
        if len(self.strides) != len(self.shape):
            raise ValueError(f"{len(self.strides)} strides of an array of shape {self.shape}")

    def __repr__(self):
        dtype = repr(self.dtype.descr) if self.dtype.names else repr(self.dtype.str)
        strides = "" if self.strides == _arrays.strides_of(self.shape, self.dtype.itemsize) else f", {self.strides}"
        return f"crinkle.Array({self.shape}, {dtype}{strides})"

    def __eq__(self, other):
        return isinstance(other, Array) and (self.shape, self.dtype, self.strides) == (other.shape, other.dtype, other.strides)

    def __hash__(self):
        return hash((self.shape, self.dtype, self.strides))

    @classmethod
    def of(cls, x):
        """What an array of the host is like."""
        _, shape, strides, *_ = _arrays.view(x)
        return cls(tuple(shape), _arrays.dtype_of(x), tuple(strides))

    def made(self):
        """An array like it, whose memory nobody has touched."""
        import numpy

        if any(n == 0 for n in self.shape):
            return numpy.empty(self.shape, self.dtype)
        below = -sum(s * (n - 1) for s, n in zip(self.strides, self.shape) if s < 0)
        above = sum(s * (n - 1) for s, n in zip(self.strides, self.shape) if s > 0) + self.dtype.itemsize
        return numpy.ndarray(self.shape, self.dtype, _arrays.unreserved(below + above), below, self.strides)


def _numpy_dtype(dtype):
    """NumPy's type of any library's."""
    import numpy

    try:
        return numpy.dtype(dtype)
    except TypeError:
        return numpy.dtype(str(dtype).rpartition(".")[2])


def _is_array(x):
    return hasattr(x, "shape") and hasattr(x, "dtype") and not isinstance(x, Array)


def _lowest(x):
    """The address of an array's first byte."""
    address, shape, strides, *_ = _arrays.view(x)
    return address + sum(s * (n - 1) for s, n in zip(strides, shape) if s < 0 and n > 0)


def _each(x, f):
    """Lists, tuples and dicts of arguments, f of every one in them."""
    if isinstance(x, dict):
        return {key: _each(value, f) for key, value in x.items()}
    if isinstance(x, (list, tuple)) and type(x) in (list, tuple):
        return type(x)(_each(one, f) for one in x)
    return f(x)


def _made(x):
    return _each(x, lambda one: one.made() if isinstance(one, Array) else one)


_plannable = frozenset(("crinkle._moves", "crinkle._names", "crinkle._features", "crinkle._joins", "crinkle.fft", "crinkle.einops"))


class Request:
    """A call of one of crinkle's functions that is not made yet: ``ck.Request(ck.fft.fft, ck.Array((4, 8), 'complex64'), axis=0)``.

    Its text is that call, and it pickles."""

    def __init__(self, function, /, *arguments, **words):
        if not callable(function) or getattr(function, "__module__", "") not in _plannable or function.__name__ == "plan":
            raise TypeError(f"a request is a function of crinkle that moves or computes arrays, and its arguments, not {function!r}")
        if words.get("out") is not None:
            raise TypeError("a request has no out: give it to run()")
        self.function, self.arguments, self.words = function, arguments, words

    def __repr__(self):
        of = self.function.__module__.removeprefix("crinkle").lstrip("._")
        name = self.function.__name__ if self.function.__module__.split(".")[-1].startswith("_") else f"{of}.{self.function.__name__}"
        items = [repr(a) for a in self.arguments] + [f"{k}={v!r}" for k, v in self.words.items()]
        return f"crinkle.Request(crinkle.{name}, {', '.join(items)})"

    def __reduce__(self):
        return _request, (self.function.__module__, self.function.__qualname__, self.arguments, self.words)

    def _name(self):
        return f"{self.function.__module__.rpartition('.')[2].lstrip('_')}.{self.function.__name__}"

    def planned(self):
        """What Planned keeps: the operation, this request without the elements of the arrays that it reads, …"""
        kept = []  # arrays whose elements are part of the request
        first = self._tried(lambda x: x)
        arguments = _each(self.arguments, lambda x: self._like(x, first, kept))
        words = _each(self.words, lambda x: self._like(x, first, kept))
        request = Request(self.function, *arguments, **words)
        return request, (request._tried(lambda x: x) if kept else first)

    def _like(self, x, facts, kept):
        """An argument as what it is like where it is an input; a copy where its elements are part of the request."""
        if not _is_array(x):
            return x
        is_numpy = _arrays.is_numpy(x)
        if not is_numpy and _arrays.is_on_gpu(x):
            return x
        if facts.n_of(_lowest(x)) == 1 and _lowest(x) in facts.addresses:
            try:
                return Array.of(x)
            except TypeError:  # a type that NumPy lacks
                return x
        if is_numpy:
            kept.append(x)
            return x.copy()
        return x

    def _tried(self, _):
        arguments, words = _made(self.arguments), _made(self.words)
        requests, result, owners = _core.planned(lambda: self.function(*arguments, **words))
        return _Facts(self, arguments, words, requests, result, owners)


class _Facts:
    """What a function asked for when it was called for planning: one request, from its arguments to its result, or it is refused."""

    def __init__(self, request, arguments, words, requests, result, owners):
        name = request._name()
        if len(requests) != 1:
            raise ValueError(f"plan: {name} asks for {len(requests)} moves or computations of these arguments, and a plan is of one: plan them one by one")
        self.operation, self.addresses, (output,) = requests[0]
        self.owners = [owners, arguments, words]
        given = []
        for x, asked in zip(_flat((arguments, words)), _flat((request.arguments, request.words))):
            if _is_array(x):
                given.append((_lowest(x), x, isinstance(asked, Array)))
        self._all = [address for address, _, _ in given]
        self.inputs = []
        for address, port in zip(self.addresses, self.operation.inputs):
            found = [x for its, x, _ in given if its == address and _arrays.view(x)[3] * _arrays.n_elements(x.shape) == port["element_bytes"] * _arrays.n_elements(port["shape"])]
            if not found and _arrays.n_elements(port["shape"]) > 0:
                raise ValueError(f"plan: {name} does not read the {port['name']} as it is given: it is converted or copied first, to {_text(port)}: plan it for such an array")
            self.inputs.append((tuple(found[0].shape), _arrays.name_of(found[0]), _arrays.element_name(found[0])) if found else None)
        for address, x, is_described in given:
            if is_described and address not in self.addresses and _arrays.n_elements(x.shape) > 0:
                raise ValueError(f"plan: {name} looks at the elements of an array of shape {tuple(x.shape)}, which are part of the request: give the array in place of ck.Array")
        if not _is_array(result) or _arrays.n_elements(result.shape) != _arrays.n_elements(self.operation.outputs[0]["shape"]) or \
                (_arrays.n_elements(result.shape) > 0 and not _is_jax(result) and _lowest(result) != output):
            raise ValueError(f"plan: {name} does more than one move or computation of these arguments: its result is not what that writes")
        self.result_shape = tuple(result.shape)

    def n_of(self, address):
        return self._all.count(address)


def _is_jax(x):
    return not _arrays.is_numpy(x) and type(x).__module__.split(".")[0] in ("jax", "jaxlib")


def _flat(x):
    if isinstance(x, dict):
        x = list(x.values())
    return [one for each in x for one in _flat(each)] if type(x) in (list, tuple) else [x]


def _text(port):
    return f"{port['type'] or str(port['element_bytes']) + ' bytes'} of shape {port['shape']} and strides {port['strides']}"


def _request(module, name, arguments, words):
    return Request(getattr(importlib.import_module(module), name), *arguments, **words)


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
            operation = self._facts.operation
            for step, of in self._path:
                operation = operation.part(of) if step == "part" else operation.stages()[of]
        self.request, self._operation = request, operation

    name = property(lambda self: self._operation.name, doc='"transform"')
    inputs = property(lambda self: tuple(Port(p) for p in self._operation.inputs))
    outputs = property(lambda self: tuple(Port(p) for p in self._operation.outputs))
    workspace_bytes = property(lambda self: self._operation.workspace_bytes)
    can_run_in_place = property(lambda self: self._operation.can_run_in_place, doc="Whether an output may be the input of its number.")
    bytes_moved = property(lambda self: self._operation.bytes_moved, doc="Read and written.")
    cuts = property(lambda self: tuple(self._operation.cuts), doc="(name, extent) of every axis along which it can be cut.")

    def run(self, *inputs, out=None):
        """The outputs for these inputs, one array or a tuple; in `out`, an array or as many, where that is given."""
        ports, whole = self.outputs, not self._path
        if len(inputs) != len(self.inputs):
            raise TypeError(f"run: {len(inputs)} given of {len(self.inputs)} inputs: {', '.join(port.name for port in self.inputs) or 'none'}")
        inputs = [_arrays.of(x) for x in inputs]
        for k, (x, port) in enumerate(zip(inputs, self.inputs)):
            port.check(x, self._facts.inputs[k] if whole else None)
        if out is None:
            outputs = [self._new(inputs, port) for port in ports]
        else:
            outputs = list(out) if isinstance(out, (list, tuple)) else [out]
            if len(outputs) != len(ports):
                raise TypeError(f"run: {len(outputs)} given of {len(ports)} outputs")
            for x, port in zip(outputs, ports):
                port.check(x, (self._facts.result_shape, "", _arrays.element_name(x)) if whole else None)
        self._operation.run(inputs, outputs)
        if out is not None:
            return outputs[0] if len(outputs) == 1 else tuple(outputs)
        outputs = [_arrays.finished(inputs[0], x) if inputs else x for x in outputs]
        if whole and len(outputs) == 1 and tuple(outputs[0].shape) != self._facts.result_shape:
            return _arrays.reshaped(outputs[0], self._facts.result_shape)
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    __call__ = run

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
        return Planned(self.request, (*self._path, ("part", part)), self._operation.part(part), self._facts)

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
        return [Planned(self.request, (*self._path, ("stage", k)), stage, self._facts) for k, stage in enumerate(stages)]

    def parts(self, n_bytes):
        """Parts that make up the whole, whose arrays have together at most so many bytes, where that can be; the whole where it cannot be cut."""
        n_bytes = _arrays.size(n_bytes, "the bytes of a part")
        return self._operation.parts(n_bytes) if self.cuts else [()]

    def describe(self):
        return self._operation.describe()

    def __repr__(self):
        return f"<crinkle plan of {self.request!r}{''.join(f', {step} {of}' for step, of in self._path)}>"

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
