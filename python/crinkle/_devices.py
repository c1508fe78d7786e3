"""Arrays over several devices of this process: lists of arrays, one a device, with a layout. What is stored where is the library's
(_core.PlanOverDevices); here arrays are looked at and results made.

SPDX-License-Identifier: BSD-3-Clause
"""
import re

from . import _arrays, _core, _moves, _requests

_item = re.compile(r"(@\d+|[^\s:()]+):(block|cyclic|cuts)\(([^)]*)\)")


def _layouts(layout):
    """'a -> b', ('a', 'b'), or 'a' for both."""
    both = layout.split("->") if isinstance(layout, str) else list(layout) if isinstance(layout, (tuple, list)) else [layout]
    if len(both) not in (1, 2) or not all(isinstance(text, str) for text in both):
        raise TypeError(f"layout is a text such as 'y:block(2)', or 'y:block(2) -> x:block(2)' where the result is divided otherwise, not {layout!r}")
    return both[0].strip(), both[-1].strip()


def _names(spec):
    """The names of a specification's left side, None for what is no axis by itself."""
    left = spec.partition("->")[0]
    return [token.partition(":")[0] if token[0] not in "(" else None for token in re.findall(r"\([^)]*\)(?::\S+)?|\S+", left)]


def _axis_of(name, names, rank):
    if name.startswith("@"):
        return int(name[1:])
    if name not in names:
        return -1  # the library says so, with a caret
    at = names.index(name)
    return at if "..." not in names[:at] else rank - (len(names) - at)


def _n_parts(kind, numbers):
    cuts, _, owners = numbers.partition(";")
    cuts = [int(n) for n in cuts.split(",") if n.strip().isdigit()]
    if kind != "cuts":
        return cuts[0] if cuts else 1
    owners = [int(n) for n in owners.split(",") if n.strip().isdigit()]
    return max(owners) + 1 if owners else max(1, len(cuts) - 1)


def _whole(shapes, layout, names):
    """The shape of the array whose parts have these."""
    rank = len(shapes[0])
    if any(len(shape) != rank for shape in shapes):
        raise ValueError(f"parts of one array have as many axes as each other, not the shapes {shapes}")
    parts = [1] * rank
    for name, kind, numbers in _item.findall(layout):
        axis = _axis_of(name, names, rank)
        if 0 <= axis < rank:
            parts[axis] = _n_parts(kind, numbers)
    whole = []
    for axis in range(rank):
        n, left = divmod(sum(shape[axis] for shape in shapes) * parts[axis], len(shapes))
        if left:
            raise ValueError(f"parts of shapes {shapes} are no array divided as {layout!r}: along axis {axis} they do not add up")
        whole.append(n)
    return tuple(whole)


class _Asked:
    """A function of an array that is over devices: what the library is to plan, and the type of the result."""

    def __init__(self, function, x, arguments, words, layout, gpus):
        source, destination = _layouts(layout)
        self.dtype = None
        self.title = function.__name__
        if not isinstance(x, _requests.Array):
            raise TypeError(f"{self.title}: crinkle.Array(shape, dtype) says what the whole array is, not {type(x).__name__}")
        if function.__name__ == "move" and function.__module__ == "crinkle._moves":
            spec, *more = arguments or (None,)
            if more or not isinstance(spec, str):
                raise TypeError(f"move: one specification, as in ck.move(parts, 'y x -> x y', layout='y:block(2)'), not {arguments!r}")
            if "byte_order" in words:
                raise ValueError("byte_order: parts over devices keep their type; swap them one by one")
            words = dict(words)
            options = _moves.options_of(words, x.made() if "pad" in words else None, _moves._sizes(words))
            self.wish = _core.DevicesWish(list(x.shape), x.dtype.itemsize, spec, options, source, destination)
            return
        if not x.dtype.isnative:
            raise ValueError(f"{self.title} over devices: parts of {x.dtype} are in the other byte order than this machine's: bring each to its own, x.astype({x.dtype.newbyteorder('=').name!r})")
        self._facts = [_requests.Request(function, x, *arguments, **words)._facts(k) for k in dict.fromkeys(gpus or [-1])]
        operation = self._facts[0].operation
        if len(operation.inputs) != 1 or len(operation.outputs) != 1:
            raise ValueError(f"{self.title} over devices: it has {len(operation.inputs)} inputs and {len(operation.outputs)} outputs; there is one layout, of one input and one result")
        if operation.inputs[0]["shape"] != x.shape or operation.outputs[0]["shape"] != self._facts[0].result_shape:
            raise ValueError(f"{self.title} over devices: it works on an array of shape {operation.inputs[0]['shape']}, not {x.shape}: give parts of that one")
        self.dtype = operation.outputs[0]["type"] or None
        self.wish = _core.DevicesWish([facts.operation for facts in self._facts], source, destination)


class DevicesPlan:
    """A function of an array that is spread over several devices, planned once and run many times.

    p = ck.DevicesPlan(ck.stencil, ck.Array((512, 512), 'float32'), 'gaussian:1', layout='@0:block(2)', devices=[0, 1]); p.run([a0, a1])

    `layout` says which device holds what (docs/distributed.md), of the result, too, or 'y:block(2) -> x:block(2)'. `devices` are numbers of
    GPUs, or how many logical devices of the CPU there are; with logical=True one GPU may stand for several. Devices store into each other's
    memory where they can; staged=True has them copy packed pieces. They send slabs of slab_bytes or more while they
    compute the next one: of 16 MiB where it is left out, and no slabs of logical devices.
    """

    def __init__(self, function, x, /, *arguments, layout, devices, logical=False, staged=False, slab_bytes=None, **words):
        gpus = [] if hasattr(devices, "__index__") else [_arrays.size(k, "devices: a GPU's number") for k in devices]
        n = _arrays.size(devices, "devices") if hasattr(devices, "__index__") else len(gpus)
        if n < 1 or any(k < 0 for k in gpus):
            raise ValueError(f"devices is a list of GPUs' numbers, or how many logical devices of the CPU there are, not {devices!r}")
        asked = _Asked(function, x, arguments, words, layout, gpus)
        self._asked, self._n = asked, n
        self._plan = _core.PlanOverDevices(asked.wish, gpus, n, _arrays.flag(logical, "logical"), _arrays.flag(staged, "staged"),
                                           None if slab_bytes is None else min(_arrays.size(slab_bytes, "slab_bytes"), 2**62))
        self.source_shapes = [self._plan.source(k) for k in range(n)]
        self.shapes = [self._plan.destination(k) for k in range(n)]

    sent_bytes = property(lambda self: self._plan.sent_bytes(), doc="By all devices together, in a run.")

    def describe(self):
        """Devices, what they exchange and compute, and memory."""
        return self._plan.describe()

    def run(self, parts, out=None):
        """The result's parts, one a device, for these; in `out`, a list of as many arrays, where that is given."""
        if not isinstance(parts, (list, tuple)) or len(parts) != self._n:
            raise TypeError(f"run: a list of {self._n} arrays, one a device, not {type(parts).__name__}{f' of {len(parts)}' if isinstance(parts, (list, tuple)) else ''}")
        parts = [_contiguous(_arrays.of(x)) for x in parts]
        if out is None:
            made = [_arrays.of_type(x, shape, self._asked.dtype) for x, shape in zip(parts, self.shapes)]
        elif isinstance(out, (list, tuple)) and len(out) == self._n:
            made = [_arrays.output(x, shape, "run") for x, shape in zip(out, self.shapes)]
        else:
            raise TypeError(f"run: out is a list of {self._n} arrays, one a device")
        self._check(parts, made)
        self._plan.run(parts, made)
        return out if out is not None else [_arrays.finished(x, result) for x, result in zip(parts, made)]

    def _check(self, parts, made):
        for x in parts:
            if not _arrays.same_type(parts[0], x):
                raise TypeError(f"parts of one array have one type of element, not {_arrays.name_of(parts[0])} and {_arrays.name_of(x)}")
        if self._asked.dtype is None:
            for x in made:
                if not _arrays.same_type(parts[0], x):
                    raise TypeError(f"out has elements of {_arrays.name_of(x)}, the parts of {_arrays.name_of(parts[0])}")
            return
        port = self._asked._facts[0].operation.inputs[0]["type"]
        for x, name in [(x, port) for x in parts] + [(x, self._asked.dtype) for x in made]:
            if name and _arrays.name_of(x) != name.removeprefix(">"):
                raise TypeError(f"planned with elements of {name}; this one has {_arrays.name_of(x)}")


def _contiguous(x):
    _, shape, strides, element_bytes, *_ = _arrays.view(x)
    return x if tuple(strides) == _arrays.strides_of(shape, element_bytes) else _core.move(x, "... -> ...", None, ())


def _place(x):
    """The number of the GPU that an array lies on, −1 for the host."""
    return _arrays.view(x)[6] if _arrays.is_on_gpu(x) else -1


def _dtype_of(x):
    """NumPy's type of x's elements; of a type that NumPy lacks one of as many bytes."""
    dtype = _arrays.dtype_of(x)
    try:
        return dtype if _arrays.is_numpy(x) else _arrays.numpy_dtype(_arrays.name_of(x))
    except TypeError:
        return f"V{_arrays.element_bytes(dtype)}"


def call(function, arguments, words):
    """ck.move(parts, spec, layout=…) and the like: planned for these parts, run, and let go."""
    words = dict(words)
    layout, out, logical = words.pop("layout"), words.pop("out", None), words.pop("logical", False)
    parts, *arguments = arguments or (None,)
    name = function.__name__
    if not isinstance(parts, (list, tuple)) or not parts:
        raise TypeError(f"{name}: with layout= a list of arrays, one a device, not {type(parts).__name__ if not isinstance(parts, (list, tuple)) else 'an empty list'}")
    if _core.is_planning():
        raise ValueError(f"{name}: lists over devices are planned by ck.DevicesPlan")
    parts = [_arrays.of(x) for x in parts]
    places = [_place(x) for x in parts]
    if any(k < 0 for k in places) and any(k >= 0 for k in places):
        raise ValueError(f"{name}: some parts lie on the host and some on GPUs: {places} (-1 is the host); put all on GPUs, or all on the host")
    if places[0] >= 0 and not logical and len(set(places)) < len(places):
        raise ValueError(f"{name}: a GPU is named twice, parts lie on {places}; with logical=True one GPU stands for several devices")
    is_move = name == "move" and function.__module__ == "crinkle._moves"
    names = _names(arguments[0]) if is_move and arguments and isinstance(arguments[0], str) else []
    shape = _whole([tuple(x.shape) for x in parts], _layouts(layout)[0], names)
    plan = DevicesPlan(function, _requests.Array(shape, _dtype_of(parts[0])), *arguments, layout=layout, devices=len(parts) if places[0] < 0 else places, logical=logical,
                       **words)
    return plan.run(parts, out)


def explain_links(function, x, /, *arguments, layout, links="nvlink4", **words):
    """What devices that one need not own would send each other, link by link, and the time predicted from the links' rate: a text.

    print(ck.explain_links(ck.move, ck.Array((65536, 65536)), 'y x -> x y', layout='y:block(8) -> x:block(8)'))

    `links` is 'nvlink4' (450 GB/s a direction, as its maker states it) or 'pcie5'.
    """
    return _Asked(function, x, arguments, words, layout, []).wish.links(_arrays.word(links, "links"))
