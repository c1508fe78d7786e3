"""Decides the tables of docs/measurements.md that are of records: conversions on every machine, and beside other ways on a CPU.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .committed import EPYC_25, H200, XEON, XEON_16
from .markdown import paragraph, table

MANY = (*range(2, 10), 12, 16)
MEBIBYTE = 1 << 20


def _lines(machine, suite):
    """What, there and back, of bench/cases/records.txt."""
    found = machine.labelled(suite)

    def listed(name, numbers_of_fields):
        return found.fractions(name.format(n) for n in numbers_of_fields)

    lines = [["AoS to SoA, 2 to 9, 12 and 16 fields of 4 bytes", listed("aos_to_soa_{}", MANY), listed("soa_to_aos_{}", MANY)],
             ["2 to 9 arrays that lie apart, to records", listed("interlace_apart_{}", range(2, 10)), listed("interlace_apart_{}_back", range(2, 10))]]
    return lines + [[name.replace("_", " "), found.fraction(name), found.fraction(name + "_back")]
                    for name in found if name + "_back" in found and not name.startswith("interlace")]


def conversions(machine):
    """On a CPU of two threads and of one; a GPU has no threads."""
    if machine is H200:
        return table(["layouts", "there", "back"], _lines(machine, "records"))
    one = {what: fractions for what, *fractions in _lines(machine, "records_1_thread")}
    return table(["layouts", "two threads: there", "back", "one thread: there", "back"], [[*line, *one[line[0]]] for line in _lines(machine, "records")])


def sentence_of_gpu():
    """Of conversions between one array of structures and one structure of arrays."""
    found = H200.labelled("records")
    fractions = [found[f"{way}_{n}"].fraction for way in ("aos_to_soa", "soa_to_aos") for n in MANY]
    return paragraph(f"Records of {min(MANY)} to {max(MANY)} four-byte fields go between an array of structures and a structure of arrays at "
                     f"{numbers.fraction(min(fractions))} to {numbers.fraction(max(fractions))} of an H200's copy.")


def means():
    def mean(machine, suite):
        return numbers.fraction(numbers.mean_and_least(machine.rows(suite))[0])

    told = [f"{machine.name} {mean(machine, 'records')} and {mean(machine, 'records_1_thread')}" for machine in (EPYC_25, XEON_16, XEON)]
    return paragraph(f"Geometric means of the {len(EPYC_25.rows('records'))} conversions, on two threads and on one: " + "; ".join(told) + ".")


def _sizes(machine):
    return sorted({row.given["asked_bytes"] for row in machine.rows("records_rivals")}, reverse=True)


def _size(n_bytes):
    return f"{n_bytes / MEBIBYTE:g} MiB"


def times_faster():
    """Of one thread, in the geometric mean, by size."""
    columns = [(machine, size) for machine in (EPYC_25, XEON) for size in _sizes(machine)]
    found, names = [], {}
    for machine, size in columns:
        rows = [row for row in machine.rows("records_rivals") if row.given["asked_bytes"] == size]
        means = {rival: mean for ours, rival, mean, _, _ in numbers.times_faster(rows) if "1 thread" in ours}
        found.append({rival.split(",")[0].rstrip(" .0123456789"): numbers.times(mean) for rival, mean in means.items()})
        names |= dict.fromkeys(found[-1])
    heads = [f"{machine.name}, {_size(size)}" for machine, size in columns]
    return table(["times as fast as", *heads], [[name, *(column.get(name, numbers.NONE) for column in found)] for name in names])


def beside_others(machine):
    """Fractions of memcpy of as many bytes, large and small."""
    ways = {"crinkle, one thread": "crinkle_1", "a plain loop": "loop_1", "NumPy": "numpy", "OpenCV": "opencv", "crinkle, all threads": "crinkle_all",
            "a plain loop, all": "loop_all"}
    cases, sizes = {}, _sizes(machine)
    for row in machine.rows("records_rivals"):
        cases.setdefault(row.given["case"], {})[row.given["asked_bytes"]] = row.given

    def told(by_size, way):
        return ", ".join(numbers.fraction(by_size.get(size, {}).get(way + "_fraction_of_memcpy")) for size in sizes)

    return table(["records", *ways], [[case, *(told(by_size, way) for way in ways.values())] for case, by_size in cases.items()])


TABLES = {"records-means": means, "records": conversions, "records-h200-sentence": sentence_of_gpu, "records-times-faster": times_faster,
          "records-beside": beside_others}
