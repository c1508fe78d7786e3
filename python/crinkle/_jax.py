"""JAX's arrays.

SPDX-License-Identifier: BSD-3-Clause
"""
import math
import sys
import threading

from ._memory import strides_of, view_of_numpy


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
        devices = x.devices()
        if len(devices) != 1:
            raise ValueError(f"an array over {len(devices)} devices: crinkle moves within one memory")
        device = next(iter(devices))
        if device.platform == "cpu":
            return view_of_numpy(Jax.host_array(x))
        x.block_until_ready()
        e, address = x.dtype.itemsize, x.unsafe_buffer_pointer()
        return address, x.shape, Jax._strides(x, e), e, address in Jax._fresh(), device.local_hardware_id, 0

    @staticmethod
    def host_array(x):
        """As NumPy's: without a copy, in the order in which it lies, but for elements below a byte, which get one each."""
        if getattr(x.dtype, "kind", "O") not in "biufcV":
            raise TypeError(f"an array of {x.dtype}, which are no numbers; of random keys give jax.random.key_data()")
        return sys.modules["numpy"].asarray(x)

    @staticmethod
    def _strides(x, e):
        """Bytes along every axis, as the array's format has them."""
        told = getattr(x, "format", None) or getattr(x, "layout", None)
        layout = getattr(told, "layout", None) or getattr(told, "device_local_layout", None)
        if layout is None:
            return strides_of(x.shape, e)
        order = tuple(layout.major_to_minor)
        if getattr(layout, "tiling", None) or x.on_device_size_in_bytes() < e * math.prod(x.shape):
            raise TypeError(f"an array of {x.dtype} in tiles or in elements below a byte ({layout}): convert it first, as x.astype('int8') does")
        strides = dict(zip(order, strides_of([x.shape[a] for a in order], e)))
        return tuple(strides[a] for a in range(len(order)))

    @staticmethod
    def from_host(x, result):
        """NumPy's result on the device of x."""
        made = sys.modules["jax"].device_put(result, next(iter(x.devices())))
        Jax._check_type(made, result.dtype)
        return made

    @staticmethod
    def _check_type(made, dtype):
        if str(made.dtype) != str(dtype):
            raise ValueError(f"JAX makes {made.dtype} of {dtype}: it has 64 bits with jax.config.update('jax_enable_x64', True)")

    @staticmethod
    def new(x, shape, name=None, is_zero=False):
        dtype = x.dtype if name is None else name
        device = next(iter(x.devices()))
        if device.platform == "cpu":
            return (sys.modules["numpy"].zeros if is_zero else sys.modules["numpy"].empty)(shape, dtype)
        jax = sys.modules["jax"]
        made = (jax.numpy.zeros if is_zero else jax.numpy.empty)(shape, dtype, device=device).block_until_ready()
        Jax._check_type(made, dtype)
        Jax._fresh()[made.unsafe_buffer_pointer()] = made
        return made

    @staticmethod
    def as_type(x, name):
        made = x.astype(name)
        Jax._check_type(made, name)
        return made

    @staticmethod
    def result_type(arrays):
        return str(sys.modules["jax"].numpy.result_type(*arrays))

    @staticmethod
    def finished(x, result):
        device = next(iter(x.devices()))
        if device.platform == "cpu":
            return Jax.from_host(x, result)
        from . import _core

        _core.synchronize(device.local_hardware_id)  # of the result, too
        Jax._fresh().clear()
        return result


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
