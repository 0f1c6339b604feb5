"""Markdown tables and order statistics."""

import math
import statistics


def quantile(values, part):
    """Returns the nearest-rank quantile: the smallest value with a share `part` of the values up to it."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)]


def midmean(values):
    """Returns the mean of the middle half.

    Outliers do not change it. Rounding of the values changes it less than a median.
    """
    ordered = sorted(values)
    quarter = len(ordered) // 4
    return statistics.fmean(ordered[quarter : len(ordered) - quarter])


def table(header, rows):
    """Prints a Markdown table with aligned columns. The first column is text, the others are numbers."""
    rows = [list(header), *(list(row) for row in rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(header))]

    def line(row):
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        return "| " + " | ".join(cells) + " |"

    print(line(rows[0]))
    print("|" + "|".join(["-" * (widths[0] + 2)] + ["-" * (w + 1) + ":" for w in widths[1:]]) + "|")
    for row in rows[1:]:
        print(line(row))
