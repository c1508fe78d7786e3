"""The kinds of arrays there are besides NumPy's.

A kind of array is a row of functions: where its bytes lie, how one is made, which type of element it has. Nothing here copies: a GPU's
array stays on its GPU, and no library is imported that the caller has not imported.

SPDX-License-Identifier: BSD-3-Clause
"""
import functools
import sys
import threading

_host = -1


def strides_of(shape, element_bytes):
    strides, n = [], element_bytes
    for extent in reversed(shape):
        strides.append(n)
        n *= max(int(extent), 1)
    return tuple(reversed(strides))


def _view_of_numpy(array):
    address, is_read_only = array.__array_interface__["data"]
    return address, array.shape, array.strides, array.itemsize, not is_read_only, _host, 0


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
        if x.layout is not torch.strided:
            raise TypeError(f"a tensor of layout {x.layout}: crinkle moves strided ones; call to_dense() first")
        if x.is_conj() or x.is_neg():
            raise TypeError("a tensor that is still to be conjugated or negated: call resolve_conj().resolve_neg() first")
        if x.requires_grad and torch.is_grad_enabled():
            raise ValueError("a tensor that requires gradients, which do not go through a move: detach() it, or use torch.no_grad()")
        if x.device.type not in ("cpu", "cuda"):
            raise ValueError(f"a tensor on {x.device}: crinkle moves on CPUs and CUDA devices")
        e = x.element_size()
        device, stream = _host, 0
        if x.device.type == "cuda":
            device = x.device.index
            stream = torch._C._cuda_getCurrentRawStream(device)  # current_stream() makes an object, in 3 µs
        return x.data_ptr(), tuple(x.shape), tuple(s * e for s in x.stride()), e, True, device, stream

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


class Jax:
    """jax.Array: never changed once it is the caller's. Results on a CPU are made in NumPy's memory; on a GPU in fresh arrays of JAX's, which
    nobody else has until they are filled, and which are waited for."""

    _own = threading.local()  # .fresh: address -> array

    @staticmethod
    def _fresh():
        if not hasattr(Jax._own, "fresh"):
            Jax._own.fresh = {}
        return Jax._own.fresh

    @staticmethod
    def view(x):
        if len(x.devices()) != 1:
            raise ValueError(f"an array over {len(x.devices())} devices: crinkle moves within one memory")
        x.block_until_ready()
        e = x.dtype.itemsize
        device = next(iter(x.devices()))
        address = x.unsafe_buffer_pointer()
        number = _host if device.platform == "cpu" else device.local_hardware_id
        return address, x.shape, strides_of(x.shape, e), e, address in Jax._fresh(), number, 0

    @staticmethod
    def new(x, shape, name=None, is_zero=False):
        dtype = x.dtype if name is None else name
        device = next(iter(x.devices()))
        if device.platform == "cpu":
            return (sys.modules["numpy"].zeros if is_zero else sys.modules["numpy"].empty)(shape, dtype)
        jax = sys.modules["jax"]
        made = (jax.numpy.zeros if is_zero else jax.numpy.empty)(shape, dtype, device=device).block_until_ready()
        if str(made.dtype) != str(dtype):
            raise ValueError(f"JAX makes {made.dtype} of {dtype}: it has 64 bits with jax.config.update('jax_enable_x64', True)")
        Jax._fresh()[made.unsafe_buffer_pointer()] = made
        return made

    @staticmethod
    def as_type(x, name):
        return x.astype(name)

    @staticmethod
    def result_type(arrays):
        return str(sys.modules["jax"].numpy.result_type(*arrays))

    @staticmethod
    def finished(x, result):
        if next(iter(x.devices())).platform == "cpu":
            return sys.modules["jax"].numpy.asarray(result)
        from . import _core

        _core.synchronize(Jax.view(result)[5])
        Jax._fresh().clear()
        return result


class Cuda:
    """What has __cuda_array_interface__: CuPy, Numba. The stream is the one that it names, or CuPy's current one."""

    @staticmethod
    def view(x):
        facts = x.__cuda_array_interface__
        typestr = facts["typestr"]
        e = getattr(getattr(x, "dtype", None), "itemsize", None) or int(typestr[2:]) * (4 if typestr[1] == "U" else 1)
        if facts.get("mask") is not None:
            raise TypeError("a masked array: move its data and its mask one by one")
        address, is_read_only = facts["data"]
        shape = tuple(facts["shape"])
        stream = facts.get("stream")
        if stream == 0:
            raise ValueError(f"{type(x).__qualname__}: stream 0 of an array interface may be two streams; it is 1 (the legacy one) or 2 (the thread's)")
        stream = stream or 0
        device = 0
        if "cupy" in sys.modules and hasattr(x, "device"):
            device = x.device.id
            stream = sys.modules["cupy"].cuda.get_current_stream().ptr
        return address, shape, tuple(facts.get("strides") or strides_of(shape, e)), e, not is_read_only, device, stream

    @staticmethod
    def new(x, shape, name=None):
        module = sys.modules[type(x).__module__.partition(".")[0]]
        if not hasattr(module, "empty"):
            raise TypeError(f"{type(x).__qualname__} has no library that makes arrays: give out=")
        return module.empty(shape, dtype=x.dtype if name is None else name)

    @staticmethod
    def as_type(x, name):
        if not hasattr(x, "astype"):
            raise TypeError(f"{type(x).__qualname__} of {x.dtype}: it has no library that makes {name} of it; give it so")
        return x.astype(name)

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
        return _view_of_numpy(Exchanged._capsule(x))

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

        array = numpy.asarray(x if hasattr(x, "__array_interface__") else memoryview(x))
        if array.dtype.hasobject:
            raise TypeError(f"crinkle moves bytes, not Python objects: {type(x).__qualname__} has elements of type object")
        return array

    @staticmethod
    def view(x):
        return _view_of_numpy(Interface._array(x))

    @staticmethod
    def new(x, shape, name=None):
        import numpy

        return numpy.empty(shape, Interface._array(x).dtype if name is None else name)

    finished = None


class Part:
    """Where a part of a fresh array of JAX's lies, whose slices are copies."""

    finished = None

    def __init__(self, whole, axis, begin, end):
        address, shape, self.strides, self.element_bytes, _, self.device, _ = Jax.view(whole)
        self.address = address + begin * self.strides[axis]
        self.shape = (*shape[:axis], end - begin, *shape[axis + 1:])
        self.dtype = whole.dtype

    @staticmethod
    def view(x):
        return x.address, x.shape, x.strides, x.element_bytes, True, x.device, 0


_kinds: dict = {}  # type of array -> its row; few types live as long as the program


def kind_of(x):
    t = type(x)
    kind = _kinds.get(t)
    if kind is None:
        library = t.__module__.partition(".")[0]
        if t is Part:
            kind = Part
        elif library == "torch" or ("torch" in sys.modules and isinstance(x, sys.modules["torch"].Tensor)):
            kind = Torch
        elif library in ("jax", "jaxlib"):
            if "Tracer" in t.__name__:
                raise TypeError("a traced array has no bytes yet: crinkle moves outside jit")
            kind = Jax
        elif hasattr(x, "__cuda_array_interface__"):
            kind = Cuda
        elif hasattr(x, "__array_interface__") or _is_buffer(x):
            kind = Interface
        elif hasattr(x, "__dlpack__"):
            kind = Exchanged
        else:
            raise TypeError(f"{t.__module__}.{t.__qualname__} is no array: it has no __dlpack__, array interface or buffer")
        _kinds[t] = kind
    return kind


def _is_buffer(x):
    try:
        memoryview(x)
    except TypeError:
        return False
    return True
