"""crinkle in place of SciPy's own transforms: ``with scipy.fft.set_backend(crinkle.fft): scipy.fft.fft(x)``.

SPDX-License-Identifier: BSD-3-Clause
"""
import inspect

_not_ours = ("overwrite_x", "workers", "plan")  # the library has threads of its own


def __ua_function__(method, arguments, words):
    """What scipy.fft asks of a backend. NotImplemented, after which SciPy does it, of what crinkle has not."""
    from . import fft

    ours = getattr(fft, method.__name__, None)
    if ours is None:
        return NotImplemented
    given = dict(inspect.signature(method).bind(*arguments, **words).arguments)
    if given.get("plan") is not None:
        return NotImplemented
    given = {word: value for word, value in given.items() if word not in _not_ours}
    first = given.pop(next(iter(given)))
    try:
        return ours(first, **given)
    except (TypeError, NotImplementedError):  # SciPy's words, or SciPy's result
        return NotImplemented
