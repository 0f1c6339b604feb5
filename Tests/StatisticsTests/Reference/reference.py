"""The statistics of a verdict, written to be read beside the papers and not to be fast.

A round of one candidate is a list of pairs: baseline - candidate in milliseconds, +inf where only
the baseline failed, -inf where only the candidate did, nan where both did. Only `math` is needed.
"""

import math
from fractions import Fraction

INF = math.inf

# The 32 positive of 64 Chebyshev nodes: Gauss quadrature of the Jeffreys prior on P(win).
NODES = [2 * math.cos(math.pi * (2 * j - 1) / 128) for j in range(1, 33)]


def log_mean_exp(values):
    top = max(values)
    return top + math.log(math.fsum(math.exp(value - top) for value in values)) - math.log(len(values))


def log_e(shares, side):
    """ln E of the shares U: the mixture of prod (1 + lambda side (U - 1/2))."""
    return log_mean_exp(
        [math.fsum(math.log1p(node * side * (u - 0.5)) for u in shares) for node in NODES]
    )


def log_e_path(shares, side):
    """ln E after every round."""
    sums = [0.0] * len(NODES)
    path = []
    for u in shares:
        sums = [s + math.log1p(node * side * (u - 0.5)) for s, node in zip(sums, NODES)]
        path.append(log_mean_exp(sums))
    return path


def largest(path):
    """The maximum over rounds; E is 1 before the first."""
    return max([0.0, *path])


def share(pairs, margin):
    """U: a win where D > margin, half of one where D = margin and where both failed."""
    wins = sum(1.0 if d > margin else 0.0 if d < margin else 0.5 for d in pairs)
    return wins / len(pairs)


def failure_excess(pairs):
    """F: the fraction that only the candidate failed less that which only the baseline did."""
    return (pairs.count(-INF) - pairs.count(INF)) / len(pairs)


def difference_interval(rounds, alpha):
    """The ends L and R of the time-uniform interval of the median difference, None where open."""
    rounds = [pairs for pairs in rounds if pairs]
    finite = sorted(d for pairs in rounds for d in pairs if math.isfinite(d))
    threshold = math.log(2 / alpha)

    def wins(x, strict):
        return [
            sum(0.5 if d != d else float(d > x if strict else d >= x) for d in pairs) / len(pairs)
            for pairs in rounds
        ]

    low, high = -1, len(finite) - 1
    while low < high:  # the largest index with E+ at the threshold
        middle = (low + high + 1) // 2
        if log_e(wins(finite[middle], True), 1) >= threshold:
            low = middle
        else:
            high = middle - 1
    first, last = 0, len(finite)
    while first < last:  # the smallest index with E- at the threshold
        middle = (first + last) // 2
        if log_e(wins(finite[middle], False), -1) >= threshold:
            last = middle
        else:
            first = middle + 1
    return finite[low] if low >= 0 else None, finite[first] if first < len(finite) else None


def holm(log_p, alpha):
    """Which hypotheses Holm's step-down procedure rejects."""
    order = sorted(range(len(log_p)), key=lambda i: log_p[i])
    rejected = [False] * len(log_p)
    for position, index in enumerate(order):
        if log_p[index] > math.log(alpha / (len(log_p) - position)):
            break
        rejected[index] = True
    return rejected


def middle(values):
    """The median, None without values and where it is no number."""
    ordered = sorted(values)
    if not ordered:
        return None
    half = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[half]
    mean = (ordered[half - 1] + ordered[half]) / 2
    return None if mean != mean else mean


def exceeds(candidate_failures, baseline_failures, queries):
    """More failures by over half a point and over one query, exactly."""
    excess = candidate_failures - baseline_failures
    return queries > 0 and Fraction(excess, queries) > Fraction(1, 200) and excess > 1


def established(paths, alpha):
    """For each candidate the first round that Holm's test rejects at, as (round, side), or None.

    `paths` has the path of ln E+ and of ln E- of each; a path may be empty of the second.
    """
    found = [None] * len(paths)
    for t in range(max((len(up) for up, _ in paths), default=0)):
        tops = [(largest(up[: t + 1]), largest(down[: t + 1])) for up, down in paths]
        log_p = [min(0.0, math.log(2) - max(top)) for top in tops]
        for index, rejected in enumerate(holm(log_p, alpha)):
            if rejected and found[index] is None and t + 1 >= 7:
                found[index] = (t + 1, 1 if tops[index][0] > tops[index][1] else -1)
    return found


def compare(candidates, margin, alpha=0.05, tampering=(), interrupted=False):
    """Compares each of `candidates`, all with the same number of rounds, with the baseline."""
    shares = [[share(pairs, margin) for pairs in rounds if pairs] for rounds in candidates]
    losses = [[0.5 + failure_excess(p) / 2 for p in rounds if p] for rounds in candidates]
    # A round without a pair is none; the rounds of the others come on all the same.
    speed = established([padded(u, rounds) for u, rounds in zip(shares, candidates)], alpha)
    failing = established(
        [(padded(u, rounds)[0], []) for u, rounds in zip(losses, candidates)], alpha
    )
    return [
        comparison(
            [pairs for pairs in rounds if pairs],
            shares[index],
            margin,
            alpha / len(candidates),
            speed[index] and speed[index][1],
            failing[index] is not None,
            index in tampering,
            interrupted,
        )
        for index, rounds in enumerate(candidates)
    ]


def padded(shares, rounds):
    """ln E+ and ln E- after every round, standing still where the round has no pair."""
    paths = []
    for side in (1, -1):
        left = iter(log_e_path(shares, side))
        path = [0.0]
        for pairs in rounds:
            path.append(next(left) if pairs else path[-1])
        paths.append(path[1:])
    return paths


def comparison(rounds, shares, margin, alpha, side, failing, tampering, interrupted):
    """The figures of one candidate and its verdict; `side` is +1 or -1 once speed is certain."""
    pairs = [d for pairs in rounds for d in pairs]
    both = [d for d in pairs if math.isfinite(d)]
    failed_both = sum(d != d for d in pairs)
    candidate_failures = pairs.count(-INF) + failed_both
    baseline_failures = pairs.count(INF) + failed_both
    median = middle([d for d in pairs if d == d])
    mean = math.fsum(both) / len(both) if both else None
    low, high = difference_interval(rounds, alpha)
    obstacle = None
    if exceeds(candidate_failures, baseline_failures, len(pairs)):
        obstacle = "reliability"
    elif mean is not None and mean < 0:
        obstacle = "tail"
    if failing:
        verdict = "keep", "reliability"
    elif side == -1:
        near = margin > 0 and median is not None and median >= -margin
        verdict = "keep", "within-margin" if near else "slower"
    elif side == 1 and tampering:
        verdict = "keep", "tampering"
    elif side == 1 and obstacle:
        verdict = "undecided", obstacle
    elif side == 1:
        verdict = "switch", "baseline-silent" if median == INF else "faster"
    elif interrupted:
        verdict = "undecided", "interrupted"
    elif len(rounds) >= 7 and low is not None and high is not None and low <= margin <= high:
        verdict = "too-close", "budget"
    else:
        verdict = "undecided", "budget"
    return {
        "rounds": len(rounds),
        "pairs": len(pairs),
        "medianDifference": median if median is not None and math.isfinite(median) else None,
        "meanDifference": mean,
        "lower": low,
        "upper": high,
        "logEFaster": log_e(shares, 1) if shares else 0.0,
        "logESlower": log_e(shares, -1) if shares else 0.0,
        "probabilityFaster": math.fsum(share(p, 0) for p in rounds) / len(rounds) if rounds else None,
        "baselineFailures": baseline_failures,
        "candidateFailures": candidate_failures,
        "verdict": verdict[0],
        "reason": verdict[1],
    }


def ranking(resolvers, alpha=0.05):
    """Rank intervals and the surviving best set; a resolver is a list of rounds of outcomes, each
    milliseconds, inf where it failed and None where it is missing."""
    count = len(resolvers)
    couples, log_p, better = [], [], [[False] * count for _ in range(count)]
    beaten = [False] * count
    limit = math.log(max(1, count - 1) / alpha)
    for a in range(count):
        for b in range(a + 1, count):
            rounds = [paired(x, y) for x, y in zip(resolvers[a], resolvers[b])]
            shares = [share(pairs, 0) for pairs in rounds if pairs]
            up, down = largest(log_e_path(shares, 1)), largest(log_e_path(shares, -1))
            couples.append((b, a) if up > down else (a, b))
            log_p.append(min(0.0, math.log(2) - max(up, down)))
            beaten[a] |= up >= limit
            beaten[b] |= down >= limit
    for (winner, loser), rejected in zip(couples, holm(log_p, alpha)):
        better[winner][loser] = rejected
    ranks = [
        (1 + sum(row[i] for row in better), count - sum(better[i])) for i in range(count)
    ]
    return ranks, [i for i in range(count) if not beaten[i]]


def paired(baseline, candidate):
    """The pairs of a round from the outcomes of both; a missing one leaves none."""
    pairs = []
    for a, b in zip(baseline, candidate):
        if a is not None and b is not None:
            pairs.append(a - b if a != INF or b != INF else math.nan)
    return pairs


def normal_deviate(alpha):
    """z with P(|Z| > z) = alpha, by halving."""
    low, high = 0.0, 40.0
    for _ in range(200):
        z = (low + high) / 2
        if math.erfc(z / math.sqrt(2)) > alpha:
            low = z
        else:
            high = z
    return low


def wilson(successes, count, alpha):
    z, p = normal_deviate(alpha), successes / count
    centre = (p + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(p * (1 - p) / count + z * z / (4 * count * count))
    return centre - half, centre + half


def anytime(successes, count, alpha):
    """The rates that the Jeffreys mixture does not speak against, by halving (Robbins 1970)."""
    k, n = successes, count
    mixture = math.lgamma(k + 0.5) + math.lgamma(n - k + 0.5) - math.lgamma(n + 1) - math.log(math.pi)

    def against(p):
        hits = k * math.log(p) if k else 0.0
        misses = (n - k) * math.log1p(-p) if n - k else 0.0
        return mixture - hits - misses >= math.log(1 / alpha)

    def end(outside):
        inside = k / n
        for _ in range(2000):
            p = (outside + inside) / 2
            if p in (outside, inside):
                break
            if against(p):
                outside = p
            else:
                inside = p
        return inside

    return (end(0.0) if k else 0.0), (end(1.0) if k < n else 1.0)


def quantile_ranks(n, p, alpha):
    """l = max{l: P(Bin(n,p) <= l-1) <= alpha/2} and u = min{u: P(Bin(n,p) >= u) <= alpha/2}, in
    whole numbers; p and alpha are fractions."""
    p, alpha = Fraction(p), Fraction(alpha)
    a, b = p.numerator, p.denominator
    weights = [math.comb(n, k) * a**k * (b - a) ** (n - k) for k in range(n + 1)]
    limit = alpha / 2 * b**n
    lower, below = 0, 0
    while below + weights[lower] <= limit:
        below += weights[lower]
        lower += 1
    upper, above = n + 1, 0
    while above + weights[upper - 1] <= limit:
        above += weights[upper - 1]
        upper -= 1
    return lower, upper


def autocorrelation(values):
    mean = math.fsum(values) / len(values)
    products = math.fsum((x - mean) * (y - mean) for x, y in zip(values, values[1:]))
    return products / math.fsum((x - mean) ** 2 for x in values)
