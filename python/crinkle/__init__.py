"""crinkle: any array layout to any other, in one pass.

``import crinkle as ck; ck.move(x, 'z y x -> x z y', flip='z')``. See move(), plan(), and the modules einops and fft.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import _beyond, _features, _files, _joins, _moves, _names, _orders, _packed, _pairs, _records, einops, fft

_beyond.open_doors(_moves, _names, _features, _files, _joins, _orders, _packed, _pairs, _records, einops, fft)

from ._core import NotationError, Plan, clear_cache, cuda_kernels, has_cuda, set_threads, threads
from ._arrays import AxisError
from ._devices import DevicesPlan, explain_links
from ._distribute import Redistribution, distribute
from ._explain import Explained, explain
from ._features import Score, cross_validate, grid, interpolate, resample, stencil
from ._files import load, move_file, save
from ._headers import Header
from ._joins import broadcast_arrays, broadcast_to, concat, stack, unstack
from ._moves import move, plan
from ._orders import bit_planes, checkerboard, from_bit_planes, morton
from ._pairs import cdist, collisions, pdist, squareform, triplet_energy, triangle
from ._open import open  # noqa: A004
from ._plans import Planned
from ._run_file import run_file
from ._names import expand_dims, flip, matrix_transpose, moveaxis, pad, permute_dims, repeat, reshape, roll, squeeze, take, tile
from ._packed import move_packed, pack_bits, unpack_bits
from ._records import Candidate, advise, records
from ._requests import Array, Request
from ._spread import Distributed

__version__ = "0.1.0"
__all__ = [
    "Array", "AxisError", "Candidate", "DevicesPlan", "Distributed", "Explained", "Header", "NotationError", "Plan", "Planned", "Redistribution", "Request", "Score", "advise", "bit_planes",
    "broadcast_arrays", "broadcast_to", "cdist", "checkerboard", "clear_cache", "collisions", "concat", "cross_validate", "cuda_kernels", "distribute", "einops", "expand_dims", "explain",
    "explain_links", "fft", "flip",
    "from_bit_planes", "grid", "has_cuda", "interpolate", "load", "matrix_transpose", "morton", "move", "move_file", "move_packed", "moveaxis", "open", "pack_bits", "pad", "pdist",
    "permute_dims", "plan", "records", "repeat", "resample", "reshape", "roll", "run_file", "save", "set_threads", "squareform", "squeeze", "stack", "stencil", "take",
    "threads", "tile", "triangle", "triplet_energy", "unpack_bits", "unstack",
]
