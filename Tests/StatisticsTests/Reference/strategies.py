"""The reference of strategies: the predicted times if several resolvers are asked, and the savings.

Times are in milliseconds per round, name and resolver; inf without an answer.
"""

from collections import Counter
from math import ceil, cos, exp, floor, inf, lgamma, log, log1p, pi

ALPHA = 0.05
SLOW = 100.0
STAKES = [cos(pi * (2 * j - 1) / 128) for j in range(1, 33)]


def log_e(shares, mean, side):
    """Returns the evidence ln E that shares are above a mean, or below it."""
    scale = 1 / mean if side > 0 else -1 / (1 - mean)
    seen = [(scale * (share - mean), count) for share, count in Counter(shares).items()]
    sums = [sum(count * log1p(s * excess) for excess, count in seen) for s in STAKES]
    top = max(sums)
    return top + log(sum(exp(value - top) for value in sums) / len(sums))


def mean_interval(shares, alpha):
    """Returns the means that neither side rejects."""
    mean = sum(shares) / len(shares)

    def edge(end, side):
        impossible, possible = end, mean
        for _ in range(60):
            middle = (impossible + possible) / 2
            if log_e(shares, middle, side) < log(2 / alpha):
                possible = middle
            else:
                impossible = middle
        return possible

    return (0.0 if mean <= 0 else edge(0.0, 1), 1.0 if mean >= 1 else edge(1.0, -1))


def holm(log_p):
    """Returns the rejections, and the level of each. Equal values share a level."""
    rejected, levels = [False] * len(log_p), [ALPHA] * len(log_p)
    tests, last, level = len(log_p), None, ALPHA
    for index in sorted(range(len(log_p)), key=lambda i: (round(log_p[i] * 1e9), i)):
        value = round(log_p[index] * 1e9)
        if value != last:
            last, level = value, ALPHA / tests
        levels[index] = level
        if log_p[index] <= log(levels[index]):
            rejected[index] = True
            tests -= 1
    return rejected, levels


def ranks(n, p):
    """Returns the order statistics around a quantile, at 95 %. 0 and n + 1 are open ends."""
    below, low, high = 0.0, 0, n + 1
    for k in range(n + 1):
        term = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log1p(-p)
        if below + exp(term) <= 0.025:
            low = k + 1
        if 1 - below <= 0.025:
            high = k
            break
        below += exp(term)
    return low, high


def quantile(clusters, p):
    """Returns the quantile and its interval; an open end is None."""
    times = sorted(time for cluster in clusters for time in cluster)
    n, many = len(times), len(clusters)
    value = times[max(1, ceil(n * p - 1e-9)) - 1]
    # If the value is inf, all times are at most the value. Then the share of answers is used.
    is_below = (lambda time: time <= value) if value < inf else (lambda time: time < inf)
    share = sum(map(is_below, times)) / n
    squares = sum(
        (sum(map(is_below, cluster)) - share * len(cluster)) ** 2 for cluster in clusters
    )
    variance = many / (many - 1) * squares / n**2
    effect = max(1.0, variance * n / (share * (1 - share))) if 0 < share < 1 else 1.0
    effective = int(n / (effect * (1 + 2.42 / (many - 1))))
    if effective < 1:
        return value, None, None, effect, effective
    low, high = ranks(effective, p)
    lower = times[max(1, floor(low * n / effective)) - 1] if low >= 1 else None
    upper = times[min(n, ceil(high * n / effective)) - 1] if high <= effective else None
    return value, lower, upper, effect, effective


def bound(rows, hits, p):
    """Returns the quantile of the slowest possible race. It assumes that cache hits are slow
    together. Cache misses are as observed."""
    resolvers = range(len(rows[0]))
    hit = [sorted(row[k] for row, h in zip(rows, hits) if h[k]) for k in resolvers]

    def above(values, time):
        return sum(value > time for value in values) / len(values) if values else 1.0

    patterns = {}
    for row, h in zip(rows, hits):
        patterns.setdefault(tuple(h), []).append(row)
    for time in sorted({time for row in rows for time in row if time < inf}):
        total = 0.0
        for pattern, members in patterns.items():
            together = min((above(hit[k], time) for k in resolvers if pattern[k]), default=1.0)
            missed = [k for k in resolvers if not pattern[k]]
            if missed:
                together *= above([min(row[k] for k in missed) for row in members], time)
            total += len(members) / len(rows) * together
        if total <= 1 - p + 1e-12:
            return time
    return inf


class Strategy:
    def __init__(self, kind, members, wait=0.0):
        self.kind, self.members, self.wait = kind, members, wait

    def times(self, row):
        if self.kind == "race":
            return [min(row[k] for k in self.members)]
        if self.kind in ("alone", "shares"):
            return [row[k] for k in self.members]
        first, second = (row[k] for k in self.members)
        if first <= self.wait:
            return [first]
        later = self.wait + second
        return [min(first, later) if self.kind == "hedged" else later]

    def queries(self, row):
        if self.kind == "race":
            return len(self.members)
        return 2 if self.kind in ("hedged", "deaf") and row[self.members[0]] > self.wait else 1

    def holds(self, baseline):
        """Returns whether the strategy takes at most the time of the baseline in every row."""
        if self.kind == "race":
            return baseline in self.members
        return self.kind == "hedged" and self.members[0] == baseline


def test(strategy, rounds, margin, counts):
    """Returns the share of each round, the mean for comparison, and the function from a share to
    a saving."""
    saved = []
    for rows in rounds:
        differences = []
        for row in rows:
            times = strategy.times(row)
            differences.append(counts(row[0]) - sum(map(counts, times)) / len(times))
        saved.append(sum(differences) / len(differences))
    if strategy.holds(0):
        return saved, margin, lambda mean: mean
    return [(1 + d) / 2 for d in saved], (1 + margin) / 2, lambda mean: 2 * mean - 1


def compare(strategies, rounds, margin, counts):
    """Yields the saved share with its interval, ln E of both sides, and the verdict for each
    strategy. Holm's procedure includes all strategies."""
    tests = [test(strategy, rounds, margin, counts) for strategy in strategies]
    evidence = [(log_e(shares, m, 1), log_e(shares, m, -1)) for shares, m, _ in tests]
    rejected, levels = holm([min(0.0, log(2) - max(pair)) for pair in evidence])
    for (shares, _, change), (above, below), sure, level in zip(tests, evidence, rejected, levels):
        low, high = mean_interval(shares, level)
        verdict = "undecided"
        if sure and len(shares) >= 7:
            verdict = "better" if above > below else "not-better"
        yield change(sum(shares) / len(shares)), change(low), change(high), above, below, verdict


class Example:
    """Times from a formula, with noise, cache misses, rounds with a slow line, and missing
    answers."""

    def __init__(self, number):
        self.number = number
        self.resolvers = 2 + number % 3
        self.rounds = [
            [[self.time(k, r, d) for k in range(self.resolvers)] for d in range(1 + number % 6)]
            for r in range(5 + number % 37)
        ]

    def time(self, k, r, d):
        n = self.number
        if (r + 10 * d + 13 * k + n) % (40 + n % 50) == 0:
            return inf
        noise = (37 * r + 101 * d + 17 * k + r * k * n) % 23
        miss = 0.0 if self.is_hit(k, r, d) else 60.0 + 10.0 * ((r + d + n) % 9)
        slow = 150.0 if (r * (1 + n % 5)) % (6 + n % 9) == 1 else 0.0
        far = 90.0 if k == 1 and n % 4 == 3 else 0.0
        return 8.0 + (n * 31 + k * k * 17) % 29 + 0.5 * noise + far + miss + slow

    def is_hit(self, k, r, d):
        return (7 * r + 3 * d + 5 * k + self.number) % (8 + self.number % 13) != 0

    @property
    def strategies(self):
        everybody = list(range(self.resolvers))
        return [
            Strategy("alone", [1]),
            Strategy("race", [0, 1]),
            Strategy("race", everybody),
            Strategy("hedged", [0, 1], 20.0 + self.number % 60),
            Strategy("deaf", [0, 1], 200.0),
            Strategy("shares", everybody),
        ]


def number(value):
    return "-" if value is None else value if isinstance(value, str) else f"{value:.10g}"


def row(example):
    rounds, strategies = example.rounds, example.strategies
    rows = [row for rows in rounds for row in rows]
    picked = strategies[example.number % len(strategies)]
    clusters = [[time for row in rows for time in picked.times(row)] for rows in rounds]
    every = [time for cluster in clusters for time in cluster]
    figures = [
        *quantile(clusters, 0.5),
        *quantile(clusters, 0.95),
        sum(time > SLOW for time in every) / len(every),
        sum(time == inf for time in every) / len(every),
        sum(picked.queries(row) for row in rows) / len(rows),
    ]
    for margin, counts in ((0.01, lambda time: time > SLOW), (0.005, lambda time: time == inf)):
        figures += list(compare(strategies, rounds, margin, counts))[
            example.number % len(strategies)
        ]
    hits = [
        [example.is_hit(k, r, d) for k in range(example.resolvers)]
        for r, names in enumerate(rounds)
        for d in range(len(names))
    ]
    figures += [bound(rows, hits, p) for p in (0.5, 0.9, 0.95)]
    return "\t".join([str(example.number), *map(number, figures)])


def rows():
    return "\n".join(row(Example(number)) for number in range(1000)) + "\n"
