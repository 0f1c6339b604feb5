"""Writes poisson.tsv next to this file: SciPy's values for truncated exponential gaps.

    critical  count  p  the Kolmogorov-Smirnov statistic that `count` gaps exceed with probability p
    share     x  the share of gaps of at most x s, with the mean 0.2 s before truncation to 2 s
    statistic D  x…  the statistic D of the gaps x…

RFC 8912 §6.3.2: "A random value greater than Trunc is set equal to Trunc instead."
"""

import pathlib

import numpy
from scipy import stats

MEAN, LIMIT = 0.2, 2.0


def share(x):
    return numpy.where(numpy.asarray(x) < LIMIT, stats.expon.cdf(x, scale=MEAN), 1.0)


def main():
    rows = [["critical", n, p, stats.kstwo.isf(p, n)] for n in (200, 10_000) for p in (0.01, 0.001)]
    rows += [["share", x, float(share(x))] for x in (0.0, 1e-4, 0.05, 0.2, 0.5, 1.0, 1.9999, 2.0)]
    drawn = [round(float(x), 6) for x in stats.expon.rvs(scale=MEAN, size=40, random_state=8912)]
    # One of the gaps is truncated. The greatest distance is below the limit.
    gaps = sorted(min(x, LIMIT) for x in [*drawn, 2.5])
    rows.append(["statistic", float(stats.kstest(gaps, share).statistic), *gaps])
    lines = ["\t".join(str(cell) for cell in row) for row in rows]
    pathlib.Path(__file__).with_suffix(".tsv").write_text("\n".join(lines) + "\n")


main()
