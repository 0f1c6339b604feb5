"""The statistics of a verdict, written for comparison with the papers and not for speed.

A round of one candidate is a list of pairs: baseline - candidate in milliseconds. A pair is +inf
if only the baseline failed, -inf if only the candidate failed, and nan if both failed. Only
`math` is needed.
"""

import math
from fractions import Fraction

from datasets import RandomSequence

INF = math.inf

# The 32 positive of 64 Chebyshev nodes: Gauss quadrature of the Jeffreys prior on P(win).
NODES = [2 * math.cos(math.pi * (2 * j - 1) / 128) for j in range(1, 33)]


def log_mean_exp(values):
    top = max(values)
    return top + math.log(math.fsum(math.exp(value - top) for value in values)) - math.log(len(values))


def log_e(shares, side):
    """Returns ln E of the shares U: the mixture of prod (1 + lambda side (U - 1/2))."""
    return log_mean_exp(
        [math.fsum(math.log1p(node * side * (u - 0.5)) for u in shares) for node in NODES]
    )


def share(pairs, margin):
    """Returns U, the share of wins. D > margin counts as a win. D = margin counts as half a win,
    and so does a pair in which both failed."""
    wins = sum(1.0 if d > margin else 0.0 if d < margin else 0.5 for d in pairs)
    return wins / len(pairs)


def failure_excess(pairs):
    """Returns F: the share that only the candidate failed, minus the share that only the
    baseline failed."""
    return (pairs.count(-INF) - pairs.count(INF)) / len(pairs)


def difference_interval(rounds, alpha):
    """Returns the ends L and R of the time-uniform interval of the median difference. An open end
    is None."""
    rounds = [pairs for pairs in rounds if pairs]
    finite = sorted(d for pairs in rounds for d in pairs if math.isfinite(d))
    threshold = math.log(2 / alpha)

    def wins(x, strict):
        return [
            sum(0.5 if d != d else float(d > x if strict else d >= x) for d in pairs) / len(pairs)
            for pairs in rounds
        ]

    # Between two differences E+ and E- do not change. The end is the next difference, so that an
    # interval and a decision at a margin cannot contradict each other.
    lower = upper = None
    if finite and log_e(wins(-INF, True), 1) >= threshold:
        low, high = -1, len(finite) - 1
        while low < high:  # the largest index with E+ at the threshold
            middle = (low + high + 1) // 2
            if log_e(wins(finite[middle], True), 1) >= threshold:
                low = middle
            else:
                high = middle - 1
        lower = finite[min(low + 1, len(finite) - 1)]
    if finite and log_e(wins(INF, False), -1) >= threshold:
        first, last = 0, len(finite)
        while first < last:  # the smallest index with E- at the threshold
            middle = (first + last) // 2
            if log_e(wins(finite[middle], False), -1) >= threshold:
                last = middle
            else:
                first = middle + 1
        upper = finite[max(first - 1, 0)]
    return lower, upper


def ascending(values):
    """Returns the order of the values. Values that differ only by the order of a sum count as
    equal."""
    return sorted(range(len(values)), key=lambda index: (round(values[index], 9), index))


def holm(log_p, alpha):
    """Returns for each hypothesis whether Holm's step-down procedure rejects it."""
    rejected = [False] * len(log_p)
    for position, index in enumerate(ascending(log_p)):
        if log_p[index] > math.log(alpha / (len(log_p) - position)):
            break
        rejected[index] = True
    return rejected


def middle(values):
    """Returns the median, or None without values or if the median is not a number."""
    ordered = sorted(values)
    if not ordered:
        return None
    half = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[half]
    mean = (ordered[half - 1] + ordered[half]) / 2
    return None if mean != mean else mean


def exceeds(candidate_failures, baseline_failures, queries):
    """Returns whether the candidate has more failures, by more than half a percentage point and by
    more than one query. The computation is exact."""
    excess = candidate_failures - baseline_failures
    return queries > 0 and Fraction(excess, queries) > Fraction(1, 200) and excess > 1


def log_p(shares, sides):
    """Returns ln of p = min(1, 2/E), with E the larger of `sides`. It is valid at any round
    at which the run stops."""
    return min([0.0, *(math.log(2) - log_e(shares, side) for side in sides if shares)])


def compare(candidates, margin, alpha=0.05, tampering=(), interrupted=False):
    """Compares each of `candidates`, all with the same number of rounds, with the baseline."""
    # Rounds without a pair are excluded, but the other candidates' rounds still count.
    candidates = [[pairs for pairs in rounds if pairs] for rounds in candidates]
    shares = [[share(pairs, margin) for pairs in rounds] for rounds in candidates]
    excesses = [[failure_excess(pairs) for pairs in rounds] for rounds in candidates]
    # Rounds with equally many failures are excluded.
    losses = [[float(excess > 0) for excess in excesses_of if excess] for excesses_of in excesses]
    speeds = [log_p(values, (1, -1)) for values in shares]
    certain = holm(speeds, alpha)
    failing = holm([log_p(values, (1,)) for values in losses], alpha)
    # Equal values share one level: the level of the first of them.
    equal = [round(1e9 * speed) for speed in speeds]
    return [
        comparison(
            rounds,
            shares[index],
            margin,
            alpha
            / (
                len(candidates)
                - (
                    sum(other < equal[index] for other in equal)
                    if certain[index]
                    else sum(certain)
                )
            ),
            certain[index] and len(rounds) >= 7,
            failing[index] and len(rounds) >= 7,
            index in tampering,
            interrupted,
        )
        for index, rounds in enumerate(candidates)
    ]


def comparison(rounds, shares, margin, level, certain, failing, tampering, interrupted):
    """Returns the figures of one candidate and its verdict."""
    pairs = [d for pairs in rounds for d in pairs]
    both = [d for d in pairs if math.isfinite(d)]
    failed_both = sum(d != d for d in pairs)
    candidate_failures = pairs.count(-INF) + failed_both
    baseline_failures = pairs.count(INF) + failed_both
    median = middle([d for d in pairs if d == d])
    mean = math.fsum(both) / len(both) if both else None
    low, high = difference_interval(rounds, level)
    up, down = (log_e(shares, 1), log_e(shares, -1)) if shares else (0.0, 0.0)
    obstacle = None
    if exceeds(candidate_failures, baseline_failures, len(pairs)):
        obstacle = "reliability"
    elif mean is not None and mean < 0:
        obstacle = "tail"
    if failing:
        verdict = "keep", "reliability"
    elif certain and down >= up:
        near = margin > 0 and median is not None and median >= -margin
        verdict = "keep", "within-margin" if near else "slower"
    elif certain and tampering:
        verdict = "keep", "tampering"
    elif certain and obstacle:
        verdict = "undecided", obstacle
    elif certain:
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
        "confidence": 1 - level,
        "logEFaster": up,
        "logESlower": down,
        "probabilityFaster": math.fsum(share(p, 0) for p in rounds) / len(rounds) if rounds else None,
        "baselineFailures": baseline_failures,
        "candidateFailures": candidate_failures,
        "verdict": verdict[0],
        "reason": verdict[1],
    }


def ranking(resolvers, alpha=0.05):
    """Returns the possible ranks of each resolver. Each interval is wrong with probability alpha.
    The result is None if the rounds are too few to distinguish any two resolvers. A resolver is a
    list of rounds of outcomes, each in milliseconds, inf for a failure and None if missing."""
    count = len(resolvers)
    threshold = math.log(2 * max(1, count - 1) / alpha)
    if count > 1 and log_e([1.0] * len(resolvers[0]), 1) < threshold:
        return None
    better = [[False] * count for _ in range(count)]
    for a in range(count):
        for b in range(count):
            rounds = [paired(x, y) for x, y in zip(resolvers[b], resolvers[a])]
            shares = [share(pairs, 0) for pairs in rounds if pairs]
            better[a][b] = bool(shares) and a != b and log_e(shares, 1) >= threshold
    return [(1 + sum(row[i] for row in better), count - sum(better[i])) for i in range(count)]


def paired(baseline, candidate):
    """Returns the pairs of a round from the outcomes of both. A missing outcome has no pair."""
    pairs = []
    for a, b in zip(baseline, candidate):
        if a is not None and b is not None:
            pairs.append(a - b if a != INF or b != INF else math.nan)
    return pairs


def normal_deviate(alpha):
    """Returns z with P(|Z| > z) = alpha, by bisection."""
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
    """Returns the rates that the Jeffreys mixture does not reject, by bisection (Robbins 1970)."""
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
    """Returns l = max{l: P(Bin(n,p) <= l-1) <= alpha/2} and u = min{u: P(Bin(n,p) >= u) <=
    alpha/2}, in integers; p and alpha are fractions."""
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


def lower_median(values):
    return sorted(values)[(len(values) - 1) // 2]


def centred(hours):
    """Returns the rounds with each difference minus the lower median of its hour. It excludes
    hours with fewer than six rounds, or without a finite median."""
    rounds = []
    for hour in hours:
        answered = [d for pairs in hour for d in pairs if d == d]
        if len(hour) < 6 or not answered or math.isinf(lower_median(answered)):
            continue
        rounds += [[d - lower_median(answered) for d in pairs] for pairs in hour]
    return rounds


def crossing(shares, threshold, side, floor=7):
    """Returns the first round, from `floor` on, by which E of the shares has reached the
    threshold; None if E never reaches it."""
    sums, top = [0.0] * len(NODES), -INF
    for number, u in enumerate(shares, 1):
        sums = [total + math.log1p(side * node * (u - 0.5)) for total, node in zip(sums, NODES)]
        top = max(top, log_mean_exp(sums))
        if number >= floor and top >= threshold:
            return number
    return None


def planned(rounds, difference, margin, candidates, alpha=0.05, draws=400, most=2000, power=0.9):
    """Returns the number of rounds after which the share `power` of the runs has a verdict; None
    if it exceeds `most`. The runs are drawn from centred rounds."""
    side = 1 if difference > margin else -1
    shares = [share([d + difference for d in pairs], margin) for pairs in rounds]
    threshold = math.log(2 * candidates / alpha)
    ends = []
    for draw in range(draws):
        source = RandomSequence(1, draw)
        drawn = (shares[source.below(len(shares))] for _ in range(most))
        ends.append(crossing(drawn, threshold, side) or INF)
    end = sorted(ends)[math.ceil(Fraction(str(power)) * draws) - 1]
    return None if end == INF else end
