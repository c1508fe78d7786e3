"""Requests: calls of crinkle's functions that are not made yet, and arrays without their elements.

SPDX-License-Identifier: BSD-3-Clause
"""
import importlib

from . import _arrays, _core
from ._beyond import each as _each, flat as _flat, refuse


class Array:
    """What an array is like, without its elements: for plan(), and what a plan keeps of the arrays that it was made for."""

    def __init__(self, shape, dtype="float32", strides=None):
        self.shape = tuple(_arrays.size(n, "an extent") for n in ([shape] if hasattr(shape, "__index__") else shape))
        if any(n < 0 for n in self.shape):
            raise ValueError(f"an array of shape {self.shape}")
        self.dtype = _arrays.numpy_dtype(dtype)
        n_bytes = _arrays.n_elements(self.shape) * self.dtype.itemsize
        if n_bytes >= 1 << 63:
            raise ValueError(f"an array of shape {self.shape} and {self.dtype} has {n_bytes} bytes; there are at most 2^63 - 1")
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


def _is_array(x):
    return hasattr(x, "shape") and hasattr(x, "dtype") and not isinstance(x, Array)


def _lowest(x):
    """The address of an array's first byte."""
    address, shape, strides, *_ = _arrays.view(x)
    return address + sum(s * (n - 1) for s, n in zip(strides, shape) if s < 0 and n > 0)


def _made(x):
    return _each(x, lambda one: one.made() if isinstance(one, Array) else one)


_plannable = frozenset(("crinkle._moves", "crinkle._names", "crinkle._features", "crinkle._pairs", "crinkle._joins", "crinkle._orders", "crinkle.fft", "crinkle._cosines",
                        "crinkle.einops"))


class Request:
    """A call of one of crinkle's functions that is not made yet: ``ck.Request(ck.fft.fft, ck.Array((4, 8), 'complex64'), axis=0)``.

    Its text is that call, and it pickles."""

    def __init__(self, function, /, *arguments, **words):
        if not callable(function) or getattr(function, "__module__", "") not in _plannable or function.__name__ == "plan":
            raise TypeError(f"a request is a function of crinkle that moves or computes arrays, and its arguments, not {function!r}")
        if words.get("out") is not None:
            raise TypeError("a request has no out: give it to run()")
        for x in _flat((arguments, words)):
            refuse(x)
        self.function, self.arguments, self.words = function, arguments, words

    def __repr__(self):
        items = [repr(a) for a in self.arguments] + [f"{k}={v!r}" for k, v in self.words.items()]
        return f"crinkle.Request(crinkle.{self._name()}, {', '.join(items)})"

    def __reduce__(self):
        return _request, (self.function.__module__, self.function.__qualname__, self.arguments, self.words)

    def _name(self):
        of = self.function.__module__.rpartition(".")[2]
        return self.function.__name__ if of.startswith("_") else f"{of}.{self.function.__name__}"

    def planned(self):
        """What Planned keeps: the operation, this request without the elements of the arrays that it reads, …"""
        facts = self._facts()
        copies = []  # of arrays whose elements are part of the request
        arguments = _each(self.arguments, lambda x: self._like(x, facts, copies))
        words = _each(self.words, lambda x: self._like(x, facts, copies))
        request = Request(self.function, *arguments, **words)
        return request, (request._facts() if copies else facts)

    def _like(self, x, facts, copies):
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
            copies.append(x.copy())
            return copies[-1]
        return x

    def _facts(self, for_device=-2):
        """As planned where the arrays lie, or for a device: −1, the CPU, or a GPU's number."""
        arguments, words = _made(self.arguments), _made(self.words)
        requests, result, owners = _core.planned(lambda: self.function(*arguments, **words), for_device)
        return _Facts(self, arguments, words, requests, result, owners)


class Nothing(ValueError):
    """A call that has nothing to do: its result, which has no elements."""

    def __init__(self, text, result):
        super().__init__(text)
        self.result = result


class _Facts:
    """What a function asked for when it was called for planning: one request, from its arguments to its result, or it is refused."""

    def __init__(self, request, arguments, words, requests, result, owners):
        name = request._name()
        if len(requests) != 1:
            kind = Nothing if not requests and _is_array(result) and 0 in result.shape else ValueError
            raise kind(f"plan: {name} asks for {len(requests)} moves or computations of these arguments, and a plan is of one: plan them one by one", *([result] if kind is Nothing else []))
        self.operation, self.addresses, (output,) = requests[0]
        self.owners = owners  # of data that the operation looks at: inputs are not among them
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


def _text(port):
    return f"{port['type'] or str(port['element_bytes']) + ' bytes'} of shape {port['shape']} and strides {port['strides']}"


def _request(module, name, arguments, words):
    return Request(getattr(importlib.import_module(module), name), *arguments, **words)
