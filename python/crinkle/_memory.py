"""What all kinds of arrays share: where bytes lie, and that masks are refused.

SPDX-License-Identifier: BSD-3-Clause
"""
import sys

host = -1  # in place of the number of a GPU


def strides_of(shape, element_bytes):
    strides, n = [], element_bytes
    for extent in reversed(shape):
        strides.append(n)
        n *= max(int(extent), 1)
    return tuple(reversed(strides))


def view_of_numpy(array):
    """The last: what keeps the memory there."""
    address, is_read_only = array.__array_interface__["data"]
    return address, array.shape, array.strides, array.itemsize, not is_read_only, host, 0, array


def unmasked(x):
    """x, which is of a subclass of NumPy's array, and not masked as numpy.ma's and astropy's are. A field of its own may be called mask."""
    return refuse_mask(x) if hasattr(type(x), "mask") else x


def refuse_mask(x):
    raise TypeError(f"{type(x).__qualname__} is a masked array, and crinkle does not look at masks: give its data and its mask one by one, "
                    "or numbers in place of what is masked, as filled() puts them")


def are_plain(arrays):
    """Whether all are NumPy's own arrays, of one type. Small calls ask this first."""
    numpy = sys.modules.get("numpy")
    if numpy is None or type(arrays[0]) is not numpy.ndarray:
        return False
    dtype = arrays[0].dtype
    for x in arrays:
        if type(x) is not numpy.ndarray or x.dtype is not dtype and x.dtype != dtype:
            return False
    return True


def is_numpy(x):
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(x, numpy.ndarray)


def unreserved(n_bytes):
    """Bytes that take no memory until they are written, though there may be more than the machine has."""
    import mmap

    import numpy

    if n_bytes == 0:
        return numpy.empty(0, numpy.uint8)
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0x4000 if sys.platform == "linux" else 0)
    try:
        return numpy.frombuffer(mmap.mmap(-1, n_bytes, flags), numpy.uint8)
    except (OSError, OverflowError) as e:
        raise MemoryError(f"an array of {n_bytes} bytes has no place in this process, not even untouched ({e})") from None
