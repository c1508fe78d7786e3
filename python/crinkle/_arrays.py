"""Other people's arrays: what the extension asks of those that are not NumPy's.

A kind of array is a row of functions: where its bytes lie, how one is made, which type of element it has. Nothing here copies: a GPU's
array stays on its GPU, and no library is imported that the caller has not imported.

SPDX-License-Identifier: BSD-3-Clause
"""
import math
import sys

_host = -1


def _strides_of(shape, element_bytes):
    strides, n = [], element_bytes
    for extent in reversed(shape):
        strides.append(n)
        n *= max(int(extent), 1)
    return tuple(reversed(strides))


def _view_of_numpy(array):
    address, is_read_only = array.__array_interface__["data"]
    return address, array.shape, array.strides, array.itemsize, not is_read_only, _host, 0


class _Torch:
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
            stream = torch.cuda.current_stream(x.device).cuda_stream
        return x.data_ptr(), tuple(x.shape), tuple(s * e for s in x.stride()), e, True, device, stream

    @staticmethod
    def new(x, shape):
        return sys.modules["torch"].empty(shape, dtype=x.dtype, device=x.device)

    finished = None


class _Jax:
    """jax.Array: never changed, so a result is made in NumPy's memory (CPU) or in a fresh array of JAX's (GPU)."""

    @staticmethod
    def view(x):
        if len(x.devices()) != 1:
            raise ValueError(f"an array over {len(x.devices())} devices: crinkle moves within one memory")
        x.block_until_ready()
        e = x.dtype.itemsize
        platform = next(iter(x.devices())).platform
        if platform == "cpu":
            return x.unsafe_buffer_pointer(), x.shape, _strides_of(x.shape, e), e, False, _host, 0
        facts = x.__cuda_array_interface__
        return facts["data"][0], x.shape, facts.get("strides") or _strides_of(x.shape, e), e, False, next(iter(x.devices())).local_hardware_id, 0

    @staticmethod
    def new(x, shape):
        device = next(iter(x.devices()))
        if device.platform == "cpu":
            return sys.modules["numpy"].empty(shape, x.dtype)
        raise NotImplementedError("results in JAX's GPU memory: give out=, an array of CuPy or torch")

    @staticmethod
    def finished(x, result):
        return sys.modules["jax"].numpy.asarray(result)


class _Cuda:
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
        stream = facts.get("stream") or 0
        device = 0
        if "cupy" in sys.modules and hasattr(x, "device"):
            device = x.device.id
            stream = sys.modules["cupy"].cuda.get_current_stream().ptr
        return address, shape, tuple(facts.get("strides") or _strides_of(shape, e)), e, not is_read_only, device, stream

    @staticmethod
    def new(x, shape):
        module = sys.modules[type(x).__module__.partition(".")[0]]
        if not hasattr(module, "empty"):
            raise TypeError(f"{type(x).__qualname__} has no library that makes arrays: give out=")
        return module.empty(shape, dtype=x.dtype)

    finished = None


class _Exchanged:
    """What has __dlpack__, and names its library (__array_namespace__)."""

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
        return _view_of_numpy(_Exchanged._capsule(x))

    @staticmethod
    def new(x, shape):
        return x.__array_namespace__().empty(shape, dtype=x.dtype, device=x.device)

    finished = None


class _Interface:
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
        return _view_of_numpy(_Interface._array(x))

    @staticmethod
    def new(x, shape):
        import numpy

        return numpy.empty(shape, _Interface._array(x).dtype)

    finished = None


_kinds = {}  # type of array -> its row; few types live as long as the program


def kind_of(x):
    t = type(x)
    kind = _kinds.get(t)
    if kind is None:
        library = t.__module__.partition(".")[0]
        if library == "torch" or ("torch" in sys.modules and isinstance(x, sys.modules["torch"].Tensor)):
            kind = _Torch
        elif library in ("jax", "jaxlib"):
            if "Tracer" in t.__name__:
                raise TypeError("a traced array has no bytes yet: crinkle moves outside jit")
            kind = _Jax
        elif hasattr(x, "__cuda_array_interface__"):
            kind = _Cuda
        elif hasattr(x, "__array_interface__") or _is_buffer(x):
            kind = _Interface
        elif hasattr(x, "__dlpack__"):
            kind = _Exchanged
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


def view(x):
    return kind_of(x).view(x)


def new(x, shape):
    return kind_of(x).new(x, shape)


def finished(x, result):
    finish = kind_of(x).finished
    return result if finish is None else finish(x, result)


def same_type(a, b):
    """Whether the elements of two arrays, perhaps of two libraries, have one type."""
    return str(dtype_of(a)).rpartition(".")[2] == str(dtype_of(b)).rpartition(".")[2]


def dtype_of(x):
    dtype = getattr(x, "dtype", None)
    return _Interface._array(x).dtype if dtype is None else dtype


def is_numpy(x):
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(x, numpy.ndarray)


def element_bytes(dtype):
    """Of any library's type."""
    size = getattr(dtype, "itemsize", None)
    if isinstance(size, int):
        return size
    import numpy

    return numpy.dtype(dtype).itemsize


def on_numpy(x, what):
    """(`x` as NumPy's without a copy, the function that gives a result back to x's library). For what is computed on CPUs alone."""
    if is_numpy(x):
        return x, _same
    import numpy

    if isinstance(x, (list, tuple, int, float, complex)):
        return numpy.asarray(x), _same
    kind = kind_of(x)
    if kind is _Torch:
        if x.device.type != "cpu":
            raise NotImplementedError(f"{what} of a tensor on {x.device}: on CPUs only so far; crinkle does not copy it there for you")
        view(x)  # refuses what has no plain bytes
        return x.numpy(), sys.modules["torch"].from_numpy
    if kind is _Jax:
        if next(iter(x.devices())).platform != "cpu":
            raise NotImplementedError(f"{what} of an array on a GPU: on CPUs only so far; crinkle does not copy it there for you")
        return numpy.asarray(x), sys.modules["jax"].numpy.asarray
    if kind is _Cuda:
        raise NotImplementedError(f"{what} of an array on a GPU: on CPUs only so far; crinkle does not copy it there for you")
    if kind is _Exchanged:
        return _Exchanged._capsule(x), x.__array_namespace__().from_dlpack
    return _Interface._array(x), _same


def _same(x):
    return x


def n_elements(shape):
    return math.prod(shape)
