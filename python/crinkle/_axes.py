"""Which axis of a result comes from which of an array, and where its elements come from along it, for every move whatever function asks for it.

SPDX-License-Identifier: BSD-3-Clause
"""
import re

from ._beyond import each

most_indices = 1 << 20  # of an axis whose elements are followed one by one


def items(side):
    """The items of one side of a specification: a name, or a list of names in parentheses; sizes after a colon are left out."""
    found, group = [], None
    for word in re.findall(r"\(|\)|[^\s()]+", side):
        if word == "(":
            group = []
        elif word == ")":
            found.append(group)
            group = None
        else:
            name = word.partition(":")[0]
            (found if group is None else group).append(name)
    return found


def again(request, f):
    """A request of other arrays, f of each."""
    from ._requests import Array, Request

    arguments, words = (each(x, lambda one: f(one) if isinstance(one, Array) else one) for x in (request.arguments, request.words))
    return Request(request.function, *arguments, **words)


def order_of(planned, found):
    """The order of axes where a move does nothing but permute them, else None. `found`: of every cut its axis and the input's axes that it shortens."""
    import numpy

    from ._plans import Planned
    from ._requests import Array

    shape = planned.inputs[0].shape
    port = planned.outputs[0].shape
    if planned.name != "move" or planned._path or len(port) != len(shape):
        return None
    order = [None] * len(port)
    for axis, (shorter,) in found:
        if axis is None or len(shorter) > 1:
            return None
        if shorter:
            order[axis] = shorter[0]
    ones = iter([i for i in range(len(shape)) if i not in order])
    for a, i in enumerate(order):
        order[a] = next(ones, None) if i is None else i
        if order[a] is None or port[a] != shape[order[a]]:
            return None
    if sorted(order) != list(range(len(shape))) or max(shape, default=0) > most_indices:
        return None
    probe = Planned(again(planned.request, lambda x: Array(x.shape, "float64")))
    whole = [(0, 1)] * len(probe.cuts)
    for c, (axis, _) in enumerate(found):
        n = port[axis]
        part = [*whole[:c], (0, n), *whole[c + 1:]]
        needs = probe.needs(part)[0]
        its = order[axis]
        if needs[its] != (0, n):
            return None
        index = numpy.arange(n, dtype="float64").reshape([n if i == its else 1 for i in range(len(shape))])
        if tuple(n for _, n in needs) != index.shape:
            return None
        if not numpy.array_equal(probe.part(part).run(index).ravel(), index.ravel()):
            return None
    return tuple(order)
