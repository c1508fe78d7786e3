"""What all kinds of arrays share: where bytes lie, and that masks are refused.

SPDX-License-Identifier: BSD-3-Clause
"""
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
