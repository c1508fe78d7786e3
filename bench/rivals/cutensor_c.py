"""cuTENSOR's permutation through ctypes: of the Python package (pip install cutensor-cu13), else where the loader finds it.

SPDX-License-Identifier: BSD-3-Clause
"""
import ctypes
import ctypes.util
import importlib.util
import pathlib

REAL_32, REAL_64 = 0, 1  # cudaDataType_t
IDENTITY, DEFAULT_ALGORITHM, NO_JIT, ALIGNMENT = 1, -1, 0, 256


def library_path():
    found = importlib.util.find_spec("cutensor")
    for folder in found.submodule_search_locations or [] if found else []:
        for path in sorted((pathlib.Path(folder) / "lib").glob("libcutensor.so*")):
            return str(path)
    return ctypes.util.find_library("cutensor")


class CuTensor:
    """Raises ImportError where there is no library, or none that works with this GPU."""

    def __init__(self):
        path = library_path()
        if path is None:
            raise ImportError("no libcutensor.so; pip install cutensor-cu13")
        try:
            self.lib = ctypes.CDLL(path)
        except OSError as error:
            raise ImportError(str(error)) from error
        self.lib.cutensorGetVersion.restype = ctypes.c_size_t
        version = self.lib.cutensorGetVersion()
        self.__version__ = f"{version // 10000}.{version // 100 % 100}.{version % 100}"
        self.lib.cutensorGetErrorString.restype = ctypes.c_char_p
        self.handle = ctypes.c_void_p()
        status = self.lib.cutensorCreate(ctypes.byref(self.handle))
        if status != 0:
            raise ImportError(f"cutensorCreate: {self.lib.cutensorGetErrorString(status).decode()}")

    def made(self, name, *arguments):
        """What a cutensorCreate… makes; None where it says that it cannot."""
        it = ctypes.c_void_p()
        return it if getattr(self.lib, "cutensorCreate" + name)(self.handle, ctypes.byref(it), *arguments) == 0 else None

    def tensor(self, extents, kind):
        rank, strides = len(extents), [1]
        for extent in reversed(extents[1:]):
            strides.insert(0, strides[0] * extent)
        return self.made("TensorDescriptor", ctypes.c_uint32(rank), (ctypes.c_int64 * rank)(*extents), (ctypes.c_int64 * rank)(*strides),
                         ctypes.c_int(kind), ctypes.c_uint32(ALIGNMENT))

    def move(self, source, destination, shape, order, flipped, _):
        """A function that brings axis order[k] of the source to axis k; None where it does not do such a move: it reverses nothing, and knows
        real numbers of 4 and 8 bytes."""
        if any(flipped) or source.dtype.char not in "fd":
            return None
        kind = REAL_32 if source.dtype.char == "f" else REAL_64
        modes = (ctypes.c_int32 * len(shape))(*range(len(shape))), (ctypes.c_int32 * len(shape))(*order)
        from_, to = self.tensor(shape, kind), self.tensor([shape[a] for a in order], kind)
        compute = ctypes.c_void_p.in_dll(self.lib, f"CUTENSOR_COMPUTE_DESC_{32 if kind == REAL_32 else 64}F")
        preference = self.made("PlanPreference", ctypes.c_int(DEFAULT_ALGORITHM), ctypes.c_int(NO_JIT))
        permutation = from_ and to and preference and self.made("Permutation", from_, modes[0], ctypes.c_int(IDENTITY), to, modes[1], compute)
        plan = permutation and self.made("Plan", permutation, preference, ctypes.c_uint64(0))
        if not plan:
            return None
        one = (ctypes.c_float if kind == REAL_32 else ctypes.c_double)(1)
        arguments = (self.handle, plan, ctypes.byref(one), ctypes.c_void_p(source.data.ptr), ctypes.c_void_p(destination.data.ptr), None)

        def permute():
            status = self.lib.cutensorPermute(*arguments)
            if status != 0:
                raise RuntimeError(f"cutensorPermute: {self.lib.cutensorGetErrorString(status).decode()}")

        return permute
