"""Decides what stands in the tables, of the page and of Markdown alike: a head and lines of texts.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import dots, numbers


def rate_of(row):
    """Of what a row counts where it is not bytes: "196 flips", 10⁹ a second."""
    counted = {} if row.bytes else {key.removesuffix("_per_s"): value for key, value in row.given.items() if key.endswith("_per_s") and isinstance(value, (int, float))}
    return ", ".join(f"{numbers.significant(1e-9 * value)} {unit}" for unit, value in counted.items()) or numbers.NONE


def of_rows(rows, with_details):
    """Rows with times of their own; a column is left out where no row has it."""
    columns = [("name", lambda row: row.label), ("time", lambda row: numbers.seconds(row.seconds)),
               ("GB/s", lambda row: numbers.gb_per_s(row.gb_per_s)), ("percent of copy", lambda row: numbers.percent(row.fraction)), ("10⁹ a second", rate_of),
               ("cold", lambda row: numbers.percent(row.cold_fraction))]
    if with_details:
        columns += [("iqr", lambda row: numbers.percent(None if row.iqr is None else row.iqr / row.seconds)),
                    ("checked", lambda row: row.checked or numbers.NONE), ("samples", lambda row: numbers.whole(row.samples))]
    else:
        del columns[1]
        if not any(row.gb_per_s for row in rows):
            columns.insert(1, ("time", lambda row: numbers.seconds(row.seconds)))
    written = [(head, [told(row) for row in rows]) for head, told in columns]
    written = [(head, texts) for head, texts in written if any(text != numbers.NONE for text in texts)]
    return [head for head, _ in written], [list(line) for line in zip(*(texts for _, texts in written))]


def of_contenders(rows):
    names, measure = dots.names_of(rows), dots.Measure(rows)
    lines = []
    for row in rows:
        values = {one.name: measure.of(one) for one in row.contenders}
        lines.append([row.label] + [measure.told(values[name]).removesuffix(" GB/s") if name in values else numbers.NONE for name in names])
    return [f"name ({measure.words})"] + names, lines


def of_times_faster(rows):
    head = ["crinkle", "beside", "times as fast (geometric mean)", "rows", "slower in"]
    return head, [[ours, rival, numbers.significant(mean), str(n), ": ".join([str(len(slower)), *filter(None, [", ".join(slower[:3] + ["…"] * (len(slower) > 3))])])]
                  for ours, rival, mean, n, slower in numbers.times_faster(rows)]


def of_curves(curves):
    """x by series, the copy and the paper's numbers in columns of their own."""
    columns = [(name, {x: value for x, value, *_ in points}) for name, points in [*curves.lines.items(), *curves.copies.items()]]
    for name in dict.fromkeys(series for _, _, series, _ in curves.papers):
        columns.append((f"paper, {name}", {x: value for _, x, series, value in curves.papers if series == name}))
    xs = sorted({x for _, found in columns for x in found})
    told = [[curves.told(found[x]) if x in found else numbers.NONE for _, found in columns] for x in xs]
    return [curves.x_label] + [name for name, _ in columns], [[numbers.whole(x)] + line for x, line in zip(xs, told)]


def of_counts(rows):
    """Predicted and measured, as 'predicted → measured' where they differ."""
    names = list(dict.fromkeys(name for row in rows for name in row.counts))

    def told(pair):
        return numbers.NONE if pair is None else f"{pair[0]:.0f}" if pair[0] == pair[1] else f"{pair[0]:.0f} → {pair[1]:.0f}"

    return ["name (predicted → measured)"] + names, [[row.label] + [told(row.counts.get(name)) for name in names] for row in rows]


def summary(rows):
    """One sentence: our rows, geometric mean, least."""
    found = numbers.mean_and_least(rows)
    if not found:
        return f"{len(rows)} row{'s' if len(rows) != 1 else ''}"
    mean, least, n = found
    n_by_hand = sum(not row.is_ours for row in rows)
    n_rows = len(rows) - n_by_hand
    of = f" of {n_rows}" if n < n_rows else ""
    beside = f", {n_by_hand} written by hand left out" if n_by_hand else ""
    return (f"{n}{of} row{'s' if n_rows != 1 else ''}{' with a copy' if of else ''}{beside}: geometric mean {numbers.percent(mean)} of copy, "
            f"least {numbers.percent(least.fraction)} ({least.label})")


def head_of(file):
    """What is known of how a file was measured, as 'key value' pairs."""
    words = {"seed": "seed", "threads": "threads", "plan": "plans by", "commit": "commit", "suite": "suite"}
    return [(words.get(key, key), str(value)) for key, value in file.head.items()]
