"""The kinds of arrays there are besides NumPy's.

A kind of array is a row of functions: where its bytes lie, how one is made, which type of element it has. Nothing here copies: a GPU's
array stays on its GPU, and no library is imported that the caller has not imported.

SPDX-License-Identifier: BSD-3-Clause
"""
import contextlib
import functools
import sys

from ._beyond import refuse
from ._jax import Jax, Part
from ._memory import host, refuse_mask, strides_of, view_of_numpy


def _type_named(library, name):
    found = getattr(library, str(name), None)
    if found is None:
        raise TypeError(f"{library.__name__} has no type {name!r}")
    return found


class Torch:
    """torch.Tensor: dense, strided, without pending conjugation; gradients do not go through a move."""

    @staticmethod
    def view(x):
        torch = sys.modules["torch"]
        if hasattr(type(x), "get_mask"):
            refuse_mask(x)
        if x.is_nested:
            raise TypeError("a nested tensor, which has no one shape: give its parts (unbind()), or call to_padded_tensor()")
        if x.layout is not torch.strided:
            raise TypeError(f"a tensor of layout {x.layout}: crinkle moves strided ones; call to_dense() first")
        if x.is_quantized:
            raise TypeError(f"a quantized tensor ({x.dtype}), whose bytes are no numbers: give its int_repr(), or call dequantize()")
        if x.is_conj() or x.is_neg():
            raise TypeError("a tensor that is still to be conjugated or negated: call resolve_conj().resolve_neg() first")
        if (x.requires_grad and torch.is_grad_enabled()) or Torch._has_tangent(x):
            raise ValueError("a tensor that requires gradients, which do not go through a move: detach() it, or use torch.no_grad()")
        if x.device.type not in ("cpu", "cuda"):
            raise ValueError(f"a tensor on {x.device}: crinkle moves on CPUs and CUDA devices")
        e = x.element_size()
        if x.data_ptr() == 0 and x.numel() > 0:
            raise ValueError(f"a tensor of shape {tuple(x.shape)} without memory ({type(x).__name__}): there is nothing to read; give one that has some")
        device, stream = host, 0
        if x.device.type == "cuda":
            device = x.device.index
            stream = torch._C._cuda_getCurrentRawStream(device)  # current_stream() makes an object, in 3 µs
        return x.data_ptr(), tuple(x.shape), tuple(s * e for s in x.stride()), e, True, device, stream

    @staticmethod
    def _has_tangent(x):
        """Of forward differentiation; looked for where it is going on."""
        forward = sys.modules.get("torch.autograd.forward_ad")
        return forward is not None and forward._current_level >= 0 and forward.unpack_dual(x).tangent is not None

    @staticmethod
    def new(x, shape, name=None):
        torch = sys.modules["torch"]
        return torch.empty(shape, dtype=x.dtype if name is None else _type_named(torch, name), device=x.device)

    @staticmethod
    def as_type(x, name):
        return x.to(_type_named(sys.modules["torch"], name))

    @staticmethod
    def result_type(arrays):
        return str(functools.reduce(sys.modules["torch"].promote_types, (x.dtype for x in arrays))).rpartition(".")[2]

    finished = None


class Cuda:
    """What has __cuda_array_interface__: CuPy, Numba. The stream is the one that it names, or CuPy's current one."""

    @staticmethod
    def view(x):
        facts = x.__cuda_array_interface__
        typestr = facts["typestr"]
        e = getattr(getattr(x, "dtype", None), "itemsize", None) or int(typestr[2:]) * (4 if typestr[1] == "U" else 1)
        if facts.get("mask") is not None:
            refuse_mask(x)
        address, is_read_only = facts["data"]
        shape = tuple(facts["shape"])
        stream = facts.get("stream")
        if stream == 0:
            raise ValueError(f"{type(x).__qualname__}: stream 0 of an array interface may be two streams; it is 1 (the legacy one) or 2 (the thread's)")
        stream = stream or 0
        device = 0
        if "cupy" in sys.modules and hasattr(x, "device"):
            device = x.device.id
            stream = sys.modules["cupy"].cuda.get_current_stream(device).ptr
        return address, shape, tuple(facts.get("strides") or strides_of(shape, e)), e, not is_read_only, device, stream

    @staticmethod
    def new(x, shape, name=None):
        module = sys.modules[type(x).__module__.partition(".")[0]]
        if not hasattr(module, "empty"):
            raise TypeError(f"{type(x).__qualname__} has no library that makes arrays: give out=")
        with Cuda.on_device_of(x):
            return module.empty(shape, dtype=x.dtype if name is None else name)

    @staticmethod
    def as_type(x, name):
        if not hasattr(x, "astype"):
            raise TypeError(f"{type(x).__qualname__} of {x.dtype}: it has no library that makes {name} of it; give it so")
        with Cuda.on_device_of(x):
            return x.astype(name)

    @staticmethod
    def on_device_of(x):
        """CuPy makes arrays on its current device, whichever the others lie on."""
        device = getattr(x, "device", None)
        return device if hasattr(device, "__enter__") else contextlib.nullcontext()

    @staticmethod
    def result_type(arrays):
        module = sys.modules[type(arrays[0]).__module__.partition(".")[0]]
        if not hasattr(module, "result_type"):
            raise TypeError(f"{type(arrays[0]).__qualname__} has no library that says")
        return str(module.result_type(*(x.dtype for x in arrays)))

    finished = None


class Exchanged:
    """What has __dlpack__. Results are of the library that it names (__array_namespace__), or NumPy's."""

    @staticmethod
    def _capsule(x):
        device_type, _ = x.__dlpack_device__()
        if device_type not in (1, 3):  # the host, and its pinned memory
            raise ValueError(f"an array on the DLPack device {device_type}: crinkle reads other devices through __cuda_array_interface__")
        import numpy

        try:
            return numpy.from_dlpack(x)
        except (BufferError, RuntimeError, ValueError) as e:
            raise ValueError(f"{type(x).__qualname__} does not give its memory away through DLPack: {e}") from e

    @staticmethod
    def view(x):
        return view_of_numpy(Exchanged._capsule(x))

    @staticmethod
    def new(x, shape, name=None):
        if not hasattr(x, "__array_namespace__"):
            import numpy

            return numpy.empty(shape, Exchanged._capsule(x).dtype if name is None else name)
        xp = x.__array_namespace__()
        return xp.empty(shape, dtype=x.dtype if name is None else _type_named(xp, name), device=x.device)

    @staticmethod
    def as_type(x, name):
        if not hasattr(x, "__array_namespace__"):
            return Exchanged._capsule(x).astype(name)
        xp = x.__array_namespace__()
        return xp.astype(x, _type_named(xp, name))

    @staticmethod
    def result_type(arrays):
        if not hasattr(arrays[0], "__array_namespace__"):
            import numpy

            return str(numpy.result_type(*(Exchanged._capsule(x).dtype for x in arrays)))
        return str(arrays[0].__array_namespace__().result_type(*(x.dtype for x in arrays))).rpartition(".")[2]

    finished = None


class Interface:
    """What has __array_interface__ or the buffer protocol: results are NumPy's."""

    @staticmethod
    def _array(x):
        import numpy

        facts = getattr(x, "__array_interface__", None)
        if facts is not None and facts.get("mask") is not None:
            refuse_mask(x)
        array = numpy.asarray(x if facts is not None else memoryview(x))
        if array.dtype.hasobject:
            raise TypeError(f"crinkle moves bytes, not Python objects: {type(x).__qualname__} has elements of type object")
        return array

    @staticmethod
    def view(x):
        return view_of_numpy(Interface._array(x))

    @staticmethod
    def new(x, shape, name=None):
        import numpy

        return numpy.empty(shape, Interface._array(x).dtype if name is None else name)

    finished = None


class Arrayed:
    """What has __array__ alone: pandas, xarray, h5py, polars. Results are NumPy's."""

    @staticmethod
    def array(x):
        import numpy

        types = dict.fromkeys(map(str, getattr(x, "dtypes", ()))) if len(getattr(x, "shape", ())) == 2 else ()
        if len(types) > 1:  # a table, of whose columns NumPy would convert some
            raise TypeError(f"{type(x).__qualname__} with columns of {', '.join(types)}: give columns of one type, or convert it first (astype)")
        array = numpy.asarray(x)
        if getattr(getattr(x, "dtype", None), "numpy_dtype", array.dtype) != array.dtype:  # pandas' types with missing values
            raise TypeError(f"{type(x).__qualname__} of {x.dtype} has missing values: crinkle does not look at masks; give numbers in their place (fillna)")
        if array.dtype.hasobject:
            raise TypeError(f"crinkle moves bytes, not Python objects: NumPy makes those of this {type(x).__qualname__}, of {getattr(x, 'dtype', None) or ', '.join(types)}")
        return array

    @staticmethod
    def view(x):
        return view_of_numpy(Arrayed.array(x))

    @staticmethod
    def new(x, shape, name=None):
        import numpy

        return numpy.empty(shape, Arrayed.array(x).dtype if name is None else name)

    finished = None


_kinds: dict = {}  # type of array -> its row, where the type alone says so; few types live as long as the program


def kind_of(x):
    t = type(x)
    kind = _kinds.get(t)
    if kind is None:
        kind, is_of_the_type = _kind_of(x, t)
        if is_of_the_type:
            _kinds[t] = kind
    return kind


def _kind_of(x, t):
    """The row of x, and whether it is that of all of its type."""
    library = t.__module__.partition(".")[0]
    if t is Part:
        return Part, True
    refuse(x)
    if library == "torch" or ("torch" in sys.modules and isinstance(x, sys.modules["torch"].Tensor)):
        return Torch, True
    if library in ("jax", "jaxlib"):
        if "Tracer" in t.__name__:
            raise TypeError("a traced array has no bytes yet: crinkle moves outside jit")
        if not hasattr(x, "unsafe_buffer_pointer"):
            raise TypeError(f"{t.__module__}.{t.__qualname__} is no array: it has no memory")
        return Jax, True
    if hasattr(x, "__cuda_array_interface__"):
        return Cuda, library == "cupy"
    if hasattr(x, "__array_interface__"):
        return Interface, False
    if _is_buffer(x):
        return Interface, library in ("builtins", "array")
    if hasattr(x, "__dlpack__"):
        return Exchanged, False
    if hasattr(x, "__array__"):
        return Arrayed, False
    raise TypeError(f"{t.__module__}.{t.__qualname__} is no array: it has no __dlpack__, array interface, buffer or __array__")


def _is_buffer(x):
    try:
        memoryview(x)
    except TypeError:
        return False
    return True
