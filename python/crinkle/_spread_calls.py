"""Calls of crinkle's functions on arrays over ranks: planned once, kept by the communicator, and run on all ranks.

What ranks ask for is compared, coefficients included; where they differ, or one rank fails, all raise the same error.

SPDX-License-Identifier: BSD-3-Clause
"""
import hashlib

from . import _arrays, _beyond, _core, _lazy_plans, _requests
from ._exchange import Exchange, agree
from ._spread import like, raw, renamed, spread


def call(function, arguments, words):
    """A function some of whose arguments are arrays over ranks."""
    given = _beyond.flat((arguments, words))
    first = next(x for x in given if _beyond.is_spread(x))
    group, name = first._group, function.__name__
    words = dict(words)
    layout = words.pop("layout", None)

    of = name if function.__module__.rpartition(".")[2].startswith("_") else f"{function.__module__.rpartition('.')[2]}.{name}"

    def said():
        if function.__module__ not in _requests._plannable:
            raise TypeError(f"{name} takes no Distributed arrays: x.part is this rank's part, x.to('').part on rank 0 all of it")
        if words.get("out") is not None:
            raise ValueError(f"{name}: out: the result of Distributed arrays is a new one; leave out away")
        for x in given:
            if _beyond.is_spread(x) and x._group is not group:
                raise ValueError(f"{name}: Distributed arrays of two communicators: one brings its ranks to the other's order, or takes part in one of both")
            if not _beyond.is_spread(x):
                _beyond.refuse(x)
        if layout is not None:
            _arrays.word(layout, f"{name}: layout")
        numbers = []
        given_words = [f"{word}={_said(x, numbers)}" for word, x in words.items() if word != "out"]
        result = [] if layout is None else [f"layout={layout!r}"]
        return f"{of}({', '.join([*(_said(x, numbers) for x in arguments), *given_words, *result])})", numbers

    key, numbers = agree(group.comm, said, lambda both: " ".join((both[0], *(f"{n} of its arrays" for n in both[1]))))
    words.pop("out", None)
    inputs = group.inputs.get(key, ())
    of_request = [n for k, n in enumerate(numbers) if k not in inputs]
    plan = group.kept(key + " ".join(of_request), lambda: _Plan(function, arguments, words, layout, group))
    if len(group.inputs) > 1000:
        group.inputs.clear()
    group.inputs[key] = plan.plain_inputs
    return plan.run(group, given, first)


def _said(x, numbers):
    """What an argument is, without the elements of arrays; a number of those that all ranks have goes into `numbers`."""
    import numpy

    if _beyond.is_spread(x):
        return f"<{like(x)}>"
    if isinstance(x, (list, tuple)):
        return ("[{}]" if isinstance(x, list) else "({},)").format(", ".join(_said(one, numbers) for one in x))
    if isinstance(x, dict):
        return f"{{{', '.join(f'{key!r}: {_said(one, numbers)}' for key, one in x.items())}}}"
    if hasattr(x, "shape") and hasattr(x, "dtype"):
        array = numpy.asarray(_arrays.plain(x), order="C")
        numbers.append(hashlib.blake2b(array.tobytes(), digest_size=8).hexdigest())
        return f"<{array.shape} of {array.dtype}>"
    return repr(x)


class _Plan:
    """A call over ranks, made ready: what this rank fetches, and the parts that it computes."""

    def __init__(self, function, arguments, words, layout, group):
        import numpy

        from ._plans import Planned
        from ._requests import Array, Nothing, Request

        given = [x for x in _beyond.flat((arguments, words)) if hasattr(x, "shape") and hasattr(x, "dtype")]
        all_spread = [x for x in given if _beyond.is_spread(x)]
        name, refusal, tried = function.__name__, None, set()
        for dtype, converted in _lazy_plans._tries(all_spread, [x for x in given if _beyond.is_spread(x) or isinstance(x, numpy.ndarray)]):
            if dtype is not None and (dtype, len(converted)) in tried:
                continue
            tried.add((dtype, len(converted)))

            def stand_in(x, dtype=dtype, converted=converted):
                is_one = any(x is one for one in converted)
                if _beyond.is_spread(x):
                    return Array(x.shape, dtype if is_one else x.dtype)
                return numpy.asarray(x, dtype) if is_one else x

            try:
                planned = Planned(Request(function, *_beyond.each(arguments, stand_in), **_beyond.each(words, stand_in)))
                break
            except Nothing:
                raise ValueError(f"{name}: the result has no elements, so there is nothing to do on ranks") from None
            except (ValueError, TypeError) as e:
                if dtype is None and not str(e).startswith("plan: "):
                    raise
                refusal = refusal or e
        else:
            raise ValueError(f"{name} of Distributed arrays: {str(refusal).removeprefix('plan: ').replace('in place of ck.Array', 'itself, whole on all ranks')}; x.to('').part has all of x on rank 0") from None
        if len(planned.outputs) != 1 or planned.outputs[0].is_updated or planned.outputs[0].is_counted:
            raise ValueError(f"{name}: over ranks a result is one array of a size that is known before; x.to('').part has all of x on rank 0")
        facts = planned._facts
        self._inputs = [facts._all.index(address) for address in facts.addresses]  # among the arrays given
        plain = [x for x in _beyond.flat((arguments, words)) if hasattr(x, "shape") and hasattr(x, "dtype") and not _beyond.is_spread(x)]
        self.plain_inputs = {k for k, x in enumerate(plain) if any(x is given[i] for i in self._inputs)}
        self._types, layouts = [], []
        for k, port in zip(self._inputs, planned.inputs):
            x = given[k]
            is_one = any(x is one for one in converted)
            self._types.append(dtype if is_one and dtype is not None else x.dtype)
            shape, names, text = (x.shape, x.axes, x.layout) if _beyond.is_spread(x) else (x.shape, None, f"copies({group.size})")
            layouts.append(_in_shape(shape, names, text, port.shape, name)[:2])
        out, shape = planned.outputs[0], facts.result_shape
        self._shape, first = shape, all_spread[0]
        self._axes = _axes_of_result(function, arguments, first, len(shape))
        self._layout = _layout_of_result(shape, self._axes, first.layout, group) if layout is None else layout
        names, text, self._kept = _in_shape(shape, self._axes, self._layout, out.shape, name)
        self._element = out.element_bytes
        self._dtype = _type_of(out, self._types, numpy)
        self._parts = [x.part.shape if _beyond.is_spread(x) else x.shape for x in (given[k] for k in self._inputs)]
        self._side = _core.RankOperation(planned._operation, layouts, (names, text), group.rank, group.size, 8 << 20)
        self._steps = [self._prepared(group, s) for s in range(self._side.n_steps())]
        self._last = [Exchange(group.mpi, group.comm, one) for one in self._side.last()]

    def _prepared(self, group, s):
        """Of a step: how many inner parts, exchanges and arrays of what is fetched (none: that of what it makes), and the array that it makes."""
        import numpy

        n_inner, fetched, made, element, place, is_fetched_into = self._side.step(s)
        exchanges, tag = [], 0
        for sides in fetched:
            some = []
            for one in sides:
                room = None if one is None or is_fetched_into else numpy.empty(tuple(one.destination()), f"V{one.element_bytes()}")
                some.append((None, None) if one is None else (Exchange(group.mpi, group.comm, one, tag), room))
                tag += 1
            exchanges.append(some)
        return n_inner, exchanges, place, numpy.empty(tuple(made), f"V{element}") if place == s else None

    def text(self):
        return self._side.text()

    def run(self, group, given, first):
        import numpy

        arrays = [x for x in given if hasattr(x, "shape") and hasattr(x, "dtype")]

        def ready():
            parts = [arrays[k].part if _beyond.is_spread(arrays[k]) else arrays[k] for k in self._inputs]
            for part, shape in zip(parts, self._parts):
                if part.shape != shape:
                    raise ValueError(f"the part of this rank had shape {shape} and has {part.shape} now")
            return [raw(numpy.asarray(part, dtype, order="C")) for part, dtype in zip(parts, self._types)], numpy.empty(tuple(self._side.shape()), f"V{self._element}")

        now, result = agree(group.comm, ready)
        for s, (n_inner, exchanges, place, _) in enumerate(self._steps):
            out = result if place < 0 else self._steps[place][3]
            self._step(group, s, n_inner, exchanges, now, out)
            now = [out]
        for move in self._last:
            move.begin(now[0], result)
            move.finish()
        part = result.view(self._dtype).reshape([result.shape[a] for a in self._kept])
        return spread(first, part, self._layout, self._shape, self._axes)

    def _step(self, group, s, n_inner, exchanges, now, out):
        failed = None  # told when nothing is under way any more

        def compute(run, k, arrays):
            nonlocal failed
            try:
                if failed is None:
                    run(s, k, arrays, out)
            except Exception as error:  # noqa: BLE001: others wait
                failed = error

        under_way = [(exchange, room, x) for some in exchanges for (exchange, room), x in zip(some, now) if exchange is not None]
        for exchange, room, x in under_way:
            exchange.begin(x, out if room is None else room)
        for k in range(n_inner):
            compute(self._side.run_inner, k, now)
            for exchange, _, _ in under_way:
                exchange.advance()
        for k, some in enumerate(exchanges):
            needed = []
            for (exchange, room), x in zip(some, now):
                if exchange is not None:
                    exchange.finish()
                needed.append(x if exchange is None else out if room is None else room)
            compute(self._side.run_fetched, k, needed)

        def tell():
            if failed is not None:
                raise failed

        agree(group.comm, tell)


def _type_of(port, types, numpy):
    """Of the result's elements."""
    if port.dtype is None or port.dtype.startswith("2 "):
        if not types or types[0].itemsize != port.element_bytes:
            raise TypeError(f"the {port.name} has elements of {port.element_bytes} bytes, the array others")
        return types[0]
    return numpy.dtype(port.dtype[1:]).newbyteorder(">") if port.dtype.startswith(">") else numpy.dtype(port.dtype)


def _axes_of_result(function, arguments, first, n):
    """Names of its axes: of a move those of its specification, else those of the first array where there are as many."""
    if function.__name__ == "move" and len(arguments) > 1 and isinstance(arguments[1], str):
        from ._axes import items

        names = items(arguments[1].rpartition("->")[2])
        return tuple(names) if len(names) == n and all(isinstance(name, str) and name.isidentifier() for name in names) else None
    return first.axes if first.axes is not None and len(first.axes) == n else None


def _layout_of_result(shape, axes, layout, group):
    """The first array's, or, where the result has no such axes, even parts of its first one."""
    try:
        _core.local_shape(shape, list(axes or ()), layout, group.rank, group.size)
        return layout
    except ValueError:
        name = axes[0] if axes else "@0"
        return f"{name}:block({group.size})" if shape else f"copies({group.size})"


def _in_shape(shape, axes, layout, port, what):
    """(names, layout's text, axes that are the array's) of an array as a plan has it: in its shape, or with axes of one index more."""
    if tuple(shape) == tuple(port):
        return list(axes or ()), layout, list(range(len(port)))
    names, kept, k = [], [], 0
    own = axes or tuple(f"a{a}" for a in range(len(shape)))
    for a, n in enumerate(port):
        if k < len(shape) and shape[k] == n:
            names.append(own[k])
            kept.append(a)
            k += 1
        elif n == 1:
            names.append(f"one{a}")
        else:
            break
    if k < len(shape) or len(names) < len(port):
        raise ValueError(f"{what}: an array of shape {tuple(shape)} is planned as one of shape {tuple(port)}, along whose axes ranks have no parts of it: "
                         "give it in that shape, or x.to('').part on rank 0")
    return names, layout if axes else renamed(layout), kept
