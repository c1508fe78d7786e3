"""crinkle: any array layout to any other, in one pass, at the speed of a copy.

``import crinkle as ck; ck.move(x, 'z y x -> x z y', flip='z')``. See move(), plan(), and the modules einops and fft.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import einops, fft
from ._core import NotationError, Plan, clear_cache, has_cuda, set_threads, threads
from ._features import cdist, grid, interpolate, pdist, resample, squareform, stencil, triangle
from ._files import load, move_file, save
from ._joins import broadcast_arrays, broadcast_to, concat, stack, unstack
from ._moves import move, plan
from ._plans import Planned
from ._names import expand_dims, flip, matrix_transpose, moveaxis, pad, permute_dims, repeat, reshape, roll, squeeze, take, tile
from ._packed import move_packed, pack_bits, unpack_bits
from ._records import Candidate, advise, records
from ._requests import Array, Request

__version__ = "0.1.0"
__all__ = [
    "Array", "Candidate", "NotationError", "Plan", "Planned", "Request", "advise", "broadcast_arrays", "broadcast_to", "cdist", "clear_cache", "concat", "einops", "expand_dims", "fft", "flip",
    "grid", "has_cuda", "interpolate", "load", "matrix_transpose", "move", "move_file", "move_packed", "moveaxis", "pack_bits", "pad", "pdist", "permute_dims", "plan", "records",
    "repeat", "resample", "reshape", "roll", "save", "set_threads", "squareform", "squeeze", "stack", "stencil", "take", "threads", "tile", "triangle",
    "unpack_bits", "unstack",
]
