"""One side of a pattern of einops', and what is wrong with it: the classes that einops.parsing has, for programs that look at patterns.

SPDX-License-Identifier: BSD-3-Clause
"""
_ellipsis = "\u2026"


class EinopsError(ValueError, RuntimeError):
    """A pattern that is wrong, or does not fit the array; the text points at the place."""


def error(text, pattern, place=None):
    caret = ""
    if place is not None and place in pattern:
        caret = f"\n  {pattern}\n  {' ' * pattern.index(place)}{'^' * max(len(place), 1)}"
    return EinopsError(text + caret)


class AnonymousAxis:
    """An axis given by its extent; every one is another axis."""

    def __init__(self, value):
        self.value = int(value)
        if self.value < 1:
            raise EinopsError(f"an axis of extent {self.value}: give 1 or more")

    def __repr__(self):
        return f"{self.value}-axis"


class ParsedExpression:
    """composition: [axes of every item]; the ellipsis outside parentheses is itself an item. Extents of 1 are items without axes."""

    def __init__(self, expression, pattern=None):
        self.composition, self.identifiers = [], set()
        self.has_ellipsis = self.has_ellipsis_parenthesized = self.has_non_unitary_anonymous_axes = False
        pattern, group = expression if pattern is None else pattern, None
        for item in expression.replace("...", _ellipsis).replace("(", " ( ").replace(")", " ) ").split():
            if item == "(":
                if group is not None:
                    raise error("parentheses inside parentheses", pattern, "(")
                group = []
            elif item == ")":
                if group is None:
                    raise error("a parenthesis is closed that was not opened", pattern, ")")
                self.composition.append(group)
                group = None
            elif item == _ellipsis:
                if self.has_ellipsis:
                    raise error("an expression has at most one ellipsis", pattern, "...")
                self.has_ellipsis, self.has_ellipsis_parenthesized = True, group is not None
                self.identifiers.add(item)
                (self.composition if group is None else group).append(item)
            else:
                axes = self._axes_of(item, pattern)
                self.identifiers.update(axes)
                if group is None:
                    self.composition.append(axes)
                else:
                    group += axes
        if group is not None:
            raise error("a parenthesis is not closed", pattern, "(")

    def _axes_of(self, item, pattern):
        if item == "1":
            return []
        if item.isdecimal():
            self.has_non_unitary_anonymous_axes = True
            return [AnonymousAxis(item)]
        if "." in item or _ellipsis in item:
            raise error(f"'{item.replace(_ellipsis, '...')}': an ellipsis is exactly three dots, on its own", pattern, item.replace(_ellipsis, "..."))
        if not item.isidentifier():
            raise error(f"not a valid axis name: '{item}'", pattern, item)
        if not self.check_axis_name(item):
            raise error(f"'{item}': names of axes neither begin nor end with an underscore", pattern, item)
        if item in self.identifiers:
            raise error(f"'{item}' is named twice on one side", pattern, item)
        return [item]

    @staticmethod
    def check_axis_name(name):
        return name.isidentifier() and not name.startswith("_") and not name.endswith("_")

    def names(self):
        return {i for i in self.identifiers if isinstance(i, str) and i != _ellipsis}

    def extents(self):
        """Of the axes given by numbers, without those of 1."""
        return [str(axis.value) for axes in self.composition for axis in axes if isinstance(axis, AnonymousAxis)]
