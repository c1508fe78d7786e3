"""crinkle: any array layout to any other, in one pass, at the speed of a copy.

``import crinkle as ck; ck.move(x, 'z y x -> x z y', flip='z')``. See move(), plan(), and the modules einops and fft.

SPDX-License-Identifier: BSD-3-Clause
"""
from ._core import NotationError, Plan, clear_cache, has_cuda, set_threads, threads
from ._moves import move, plan

__version__ = "0.1.0"
