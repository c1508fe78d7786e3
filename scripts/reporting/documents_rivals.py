"""Decides how other libraries are shown: a table of cases, the means of it, and the README's sentence.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import dots, numbers
from .committed import H200
from .documents_moves import times, words
from .markdown import paragraph, table

CASES = {"deinterlace_2": "two arrays taken apart", "crinkle_fast_2": "every other column", "roll_flip_transpose": "a roll, flip and transpose in one"}  # as a sentence says them
MOST_NAMED = 4
ONE = 0.995  # as it is printed
COMPILED = " compiled"
COUNTS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def _quotients(machine, suite="rivals"):
    """{library: [(times as fast, case)]}"""
    return {rival: found for (_, rival), found in numbers.quotients(machine.rows(suite)).items()}


def cases(machine, suite="rivals"):
    rows = machine.rows(suite)
    libraries = dots.names_of(rows)[1:]
    return table(["case", "of the copy", *libraries],
                 [[words(row.name), numbers.fraction(row.fraction), *(numbers.fraction(times(row, library)) for library in libraries)] for row in rows])


def _mean_and_least(found):
    least, case = min(found)
    return numbers.fraction(numbers.geometric_mean([quotient for quotient, _ in found])), f"least {numbers.fraction(least)} ({words(case)})"


def means(machine):
    def told(library, found):
        mean, least = _mean_and_least(found)
        return f"{library}: {mean} ({len(found)} case{'s' if len(found) != 1 else ''}), {least}{cold(library)}"

    def cold(library):
        found = [(row.given["rivals"][library]["cold"]["seconds"] / row.given["cold"]["seconds"], row.label) for row in machine.rows("rivals")
                 if "cold" in (row.given.get("rivals", {}).get(library) or {})]
        return ", cold " + ", ".join(_mean_and_least(found)) if found else ""

    return paragraph("In the geometric mean: " + "; ".join(told(*one) for one in _quotients(machine).items()) + ".")


def permutations(machine):
    def told(library, found):
        mean = numbers.geometric_mean([quotient for quotient, _ in found])
        slower = [f"{case} {numbers.fraction(quotient)}" for quotient, case in sorted(found) if quotient < ONE]
        ending = f"slower in {len(slower)}: {', '.join(slower)}" if slower else f"least {numbers.fraction(min(found)[0])}"
        return f"{library}: {numbers.fraction(mean)} ({len(found)} cases), {ending}"

    return paragraph("In the geometric mean: " + "; ".join(told(*one) for one in _quotients(machine, "rivals_permutations").items()) + ".")


def permutations_sentence(machine):
    told = []
    for library, found in _quotients(machine, "rivals_permutations").items():
        least, case = min(found)
        told.append(f"{numbers.fraction(numbers.geometric_mean([quotient for quotient, _ in found]))} times as fast as {_without_version(library)}, "
                    f"at least {numbers.fraction(least)} ({case})")
    n = max(map(len, _quotients(machine, "rivals_permutations").values()))
    return paragraph(f"The {n} permutations of bench/cases/permutations.txt that are of 4 and 8 bytes: {'; '.join(told)}.")


def _without_version(library):
    name = " ".join(word for word in library.removesuffix(COMPILED).split() if not word[0].isdigit())
    return f"compiled {name}" if library.endswith(COMPILED) else name


def _listed(texts):
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))


def sentence(machine):
    found = _quotients(machine)
    means = {library: numbers.significant(numbers.geometric_mean([quotient for quotient, _ in one]), 2) for library, one in found.items()}
    told = []
    for library, mean in means.items():
        if library.removesuffix(COMPILED) in means and library.endswith(COMPILED):
            continue  # told with the library itself
        compiled = f" (compiled {means[library + COMPILED]} times)" if library + COMPILED in means else ""
        told.append(f"{mean} times as {'fast as ' if not told else ''}{_without_version(library)}{compiled}")
    n = sum(map(len, found.values()))
    lost = sorted((quotient, case, _without_version(library)) for library, one in found.items() for quotient, case in one if quotient < 1)
    named = [f"{CASES.get(case, words(case))} by {library} ({numbers.fraction(quotient)})" for quotient, case, library in lost[:MOST_NAMED]]
    count = COUNTS[len(lost)] if len(lost) < len(COUNTS) else str(len(lost))
    least = " the farthest" if len(lost) > MOST_NAMED else ""
    ending = f"of these {n} comparisons {count} {'is' if len(lost) < 2 else 'are'} lost" + (f",{least} {_listed(named)}" if named else "")
    rows = machine.rows("rivals")
    side = max(row.bytes for row in rows) / 2 / (1 << 20)
    device = " --device cuda" if machine is H200 else ""
    return paragraph(f"Beside other libraries (`bench/rivals/drive.py build/libcrinkle_c.so{device}`), {side:.0f} MiB a side on {machine.words}, in the geometric mean of all that each can do of {len(rows)} cases: "
                     f"{', '.join(told)}; {ending}.")


TABLES = {"rivals": cases, "rivals-means": means, "rivals-sentence": sentence, "rivals-permutations": permutations,
          "rivals-permutations-sentence": permutations_sentence}
