"""Decides what a page says of textures: table 4 of paper 3, and access(k) and weights of paper 0, sections 7.2 and 7.3.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .page import table

TABLE_4 = {"global memory": 51.07, "1D texture": 54.34, "hybrid 1D texture": 52.88, "2D texture": 47.22, "hybrid 2D texture": 53.91}  # GB/s, order I, 4096²
ORDERS = ("I", "II", "III", "IV")
ACCESS = {"neighbour": "the next cell of each axis", "blur": "a blur"}
MEMORIES = ("global memory", "1D texture", "2D texture", "3D texture")
WEIGHTS = ("parameters", "constant memory", "global memory")


def _rows(found, experiment):
    return {row.name: row for file in found.get(experiment, ()) for row in file.rows}


def table_4(found, star, copy_in_paper):
    """A sentence and tables; star: the library's own sum, where no variant was run."""
    rows = _rows(found, "table4")
    best = max(TABLE_4, key=TABLE_4.get)
    if not rows:
        told = [[name, f"{rate:.2f}", numbers.percent(rate / copy_in_paper), numbers.NONE, numbers.NONE] for name, rate in TABLE_4.items()]
        told.append(["this library's sum", numbers.NONE, numbers.NONE, numbers.gb_per_s(star.gb_per_s), numbers.percent(star.fraction)])
        yield f"In the paper {best} is the best; there are no textures on this device.", table(_HEAD, told)
        return
    here = {name: rows[f"table4_order1_n4096, {name}"] for name in TABLE_4}
    ours = rows["table4_order1_n4096, crinkle"]
    first = min(here, key=lambda name: here[name].seconds)
    words = (f"In the paper {best} is the best, {numbers.fraction(TABLE_4[best] / TABLE_4['global memory'])} times as fast as global memory; here {first} is, "
             f"{numbers.fraction(here['global memory'].seconds / here[first].seconds)} times. This library's sum, which reads without textures, is "
             f"{numbers.fraction(here[first].seconds / ours.seconds)} times as fast as that.")
    told = [[name, f"{rate:.2f}", numbers.percent(rate / copy_in_paper), numbers.gb_per_s(here[name].gb_per_s), numbers.percent(here[name].fraction)] for name, rate in TABLE_4.items()]
    told.append(["this library's sum", numbers.NONE, numbers.NONE, numbers.gb_per_s(ours.gb_per_s), numbers.percent(ours.fraction)])
    every = [[f"{n}², order {roman}", *(numbers.gb_per_s(rows[f"table4_order{order}_n{n}, {name}"].gb_per_s) for name in (*TABLE_4, "crinkle"))]
             for n in (4096, 8192) for order, roman in enumerate(ORDERS, 1)]
    yield words, table(_HEAD, told), table(["here, GB/s", *TABLE_4, "this library's sum"], every)


_HEAD = ["variant, order I, 4096²", "paper (Tesla C1060), GB/s", "of copy", "here, GB/s", "of copy"]


def of_access(found):
    """Titles, sentences and tables; none where they were not run."""
    rows = _rows(found, "access")
    if not rows:
        return
    told, gains = [], []
    for rank in (2, 3):
        for what, words in ACCESS.items():
            those = [rows[f"access_{what}_{rank}d, {memory}"] for memory in MEMORIES]
            gains += [(those[0].seconds / row.seconds, f"{words} in {rank} dimensions by a {memory}") for memory, row in zip(MEMORIES[1:], those[1:])]
            told.append([f"{words}, {rank}-D", *(numbers.gb_per_s(row.gb_per_s) for row in those), numbers.fraction(max(gain for gain, _ in gains[-3:]))])
    most, where = max(gains)
    yield ("Section 7.3: access(k)", f"The paper: best by textures. Here a texture is at best {numbers.fraction(most)} times as fast as global memory: {where}.",
           table(["here, GB/s", *MEMORIES, "best texture: times as fast"], told))
    told = [[f"a blur, {rank}-D", *(numbers.gb_per_s(rows[f"weights_{rank}d, {where}"].gb_per_s) for where in WEIGHTS)] for rank in (2, 3)]
    gain = rows["weights_2d, global memory"].seconds / rows["weights_2d, constant memory"].seconds
    beside = rows["weights_2d, parameters"].seconds / rows["weights_2d, constant memory"].seconds
    yield ("Section 7.2: weights in constant memory", f"In two dimensions constant memory is {numbers.fraction(gain)} times as fast as global memory, and "
           f"{numbers.fraction(beside)} times as fast as parameters, which need no copy.", table(["here, GB/s, weights in", *WEIGHTS], told))
