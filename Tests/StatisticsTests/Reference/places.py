"""The reference of conclusions over places: hours that each place won, the named places, and the
number of places for which a statement is true.

One row per generated fleet:

- its number;
- per place, the hours won and lost for "faster" and "not faster";
- the sum of ln E for "faster", and the named places;
- the minimum number of places for which it is true, of all places and of every second place;
- the share in places, without an unreliable place and with one;
- for the figures of further places, the median and the p80 with the ends of their intervals, the
  interval of the median with a twentieth of the weight unreliable, and the effective number of
  places;
- the alarms of a watched share, each with the first hour of its evidence;
- the sum of ln E of places that are slow in some hours, and the named places among them.
"""

from math import cos, exp, inf, isfinite, log, log1p, pi

import strategies
from datasets import Generator

STAKES = [cos(pi * (2 * j - 1) / 128) for j in range(1, 33)]
BLUR = 0.01


def signs(hours, margin):
    """Returns the hours won and lost for "faster by the margin", and for "not faster"."""
    tally = [0, 0, 0, 0]
    for baseline, candidate in hours:
        if not (isfinite(baseline) or isfinite(candidate)):
            continue
        gain = baseline - candidate
        blur = BLUR * (baseline + candidate) if isfinite(gain) else 0.0
        tally[0 if gain - blur > margin else 1] += 1
        tally[2 if gain + blur < margin else 3] += 1
    return tally


def log_e(won, lost):
    """Returns the evidence ln E that most hours are won."""
    sums = [won * log1p(s) + lost * log1p(-s) for s in STAKES]
    top = max(sums)
    return top + log(sum(exp(value - top) for value in sums) / len(sums))


def named(evidence, alpha=0.05):
    """Returns the places with the most evidence. The expected share of false places among them is
    at most α."""
    order = sorted(range(len(evidence)), key=lambda place: -evidence[place])
    count = 0
    for k in range(1, len(order) + 1):
        if exp(min(evidence[order[k - 1]], 600)) >= len(order) / (k * alpha):
            count = k
    return set(order[:count])


def least(evidence, alpha=0.05, group=None):
    """Returns the minimum number of places in a group for which the statement is true.

    It is the size of the group minus the size of its largest possible false subset. A subset is
    possible if its mean E, together with the small E of places outside the group, is below 1/α.
    The function tests every size."""
    places = range(len(evidence))
    group = set(places) if group is None else group
    value = [min(exp(min(evidence[place], 60)), 1e26) - 1 / alpha for place in places]
    others = sum(min(0.0, value[place]) for place in places if place not in group)
    inside = sorted(value[place] for place in group)
    sizes = [k for k in range(len(inside) + 1) if k == 0 or sum(inside[:k]) + others < 0]
    return len(inside) - max(sizes)


def share(faster, not_faster, alpha=0.05, liars=0):
    """Returns the interval of the number of places at which the candidate is faster."""
    count = len(faster)
    low = max(0, least(faster, alpha / 2) - liars)
    return low, max(low, min(count, count - (least(not_faster, alpha / 2) - liars)))


def weighted(values, weights, p):
    """Returns the smallest value at which the cumulative weight reaches the share p."""
    below = 0
    for value, weight in sorted(zip(values, weights)):
        below += weight
        if below >= (p - 1e-12) * sum(weights):
            return value
    return max(values)


def quantile(values, weights, networks, p, liars=0.0):
    """Returns a quantile over places like these, both ends of its interval, and the effective
    number of places. This number uses Kish's n of the weights, and networks as clusters."""
    whole = sum(weights)
    middle = weighted(values, weights, p)
    share = sum(weight for value, weight in zip(values, weights) if value <= middle) / whole
    excess = {}
    for value, weight, network in zip(values, weights, networks):
        excess[network] = excess.get(network, 0) + weight / whole * ((value <= middle) - share)
    count = len(excess)
    squares = sum(value * value for _, value in sorted(excess.items()))
    variance = count / (count - 1) * squares if count > 1 else inf
    of_networks = share * (1 - share) / variance if variance > 0 and 0 < share < 1 else len(values)
    of_weights = whole * whole / sum(weight * weight for weight in weights)
    effective = int(min(of_weights, of_networks) / (1 + 2.42 / max(1, count - 1)))
    if effective < 6:
        return middle, None, None, effective
    low, high = strategies.ranks(effective, p)
    start, end = low / effective - liars, high / effective + liars
    return (
        middle,
        weighted(values, weights, start) if low >= 1 and start > 0 else None,
        weighted(values, weights, end) if high <= effective and end < 1 else None,
        effective,
    )


def figures(number):
    """Returns a figure, a weight and a network for each of up to eighty places."""
    source = Generator(1_000_000 + number)
    places, most, networks = 1 + source.below(80), 1 + source.below(4), 1 + source.below(40)
    return [
        (5 + source.below(41), 1 + source.below(most), source.below(networks)) for _ in range(places)
    ]


def quantiles(number):
    values, weights, networks = zip(*figures(number))
    found = [
        quantile(values, weights, networks, 0.5), quantile(values, weights, networks, 0.8),
        quantile(values, weights, networks, 0.5, liars=0.05)[1:3],
    ]  # fmt: skip
    return " ".join(
        ",".join("-" if value is None else str(value) for value in one) for one in found
    )


BETS = (0.1, 0.2, 0.4, 0.8, 0.95)


def alarms(shares, mean, threshold):
    """Returns the hours of alarms for a share above its permitted mean. Each has the first hour
    of its evidence."""
    wealth, began, found = [1.0] * len(BETS), [0] * len(BETS), []
    for hour, share in enumerate(shares):
        if share is None:
            continue
        for index, bet in enumerate(BETS):
            if wealth[index] <= 1:
                wealth[index], began[index] = 1.0, hour
            wealth[index] *= 1 + bet / mean * (share - mean)
        if sum(wealth) / len(BETS) >= threshold:
            found.append((hour, began[wealth.index(max(wealth))]))
            wealth, began = [1.0] * len(BETS), [hour + 1] * len(BETS)
    return found


def slow_evidence(slow, mean):
    """Returns the evidence ln E that a place is slow more often than the mean. It averages over
    all first hours and bets."""
    total = 0.0
    for bet in BETS:
        log_wealth = 0.0
        for value in reversed(slow):
            log_wealth += 0.0 if value is None else log1p(bet / mean * (value - mean))
            total += exp(min(log_wealth, 600))
    return log(total / len(BETS) / len(slow))


def watched(number):
    """Returns hourly shares, their permitted mean, the threshold, and the slow hours of places.
    The shares rise at one hour. Some hours are missing."""
    source = Generator(2_000_000 + number)
    count, noise = 20 + source.below(100), 1 + source.below(100)
    rise, level = source.below(count), source.below(1000)
    mean, threshold = (0.1, 0.15, 0.3)[source.below(3)], (1e3, 5e3, 42e4)[source.below(3)]
    shares = []
    for hour in range(count):
        share = min(1000, source.below(noise) + (level if hour >= rise else 0)) / 1000
        shares.append(None if source.below(20) == 0 else share)
    places = []
    for _ in range(1 + source.below(12)):
        often = source.below(1000)
        hours = [1 if source.below(1000) < often else 0 for _ in range(48)]
        places.append([None if source.below(10) == 0 else hour for hour in hours])
    return shares, mean, threshold, places


def watching(number):
    shares, mean, threshold, places = watched(number)
    found = " ".join(f"{hour}-{began}" for hour, began in alarms(shares, mean, threshold))
    evidence = [slow_evidence(hours, mean) for hours in places]
    names = "".join("1" if place in named(evidence) else "0" for place in range(len(evidence)))
    return f"{found}\t{sum(evidence):.10g}\t{names}"


def fleet(number):
    """Returns the medians of baseline and candidate per place and hour, and the margin. At
    most 12 % of the medians are beyond the timeout."""
    source = Generator(number)
    margin = (0.0, 1.0, 5.0)[source.below(3)]
    places = 1 + source.below(12)
    medians = []
    for _ in range(places):
        gap, hours = source.below(16_000) - 6_000, source.below(60)
        spread, slow = 1 + source.below(12_000), source.below(120)
        of_place = []
        for _ in range(hours):
            pair = []
            for middle in (20_000, 20_000 - gap):
                time = middle + source.below(spread) - spread // 2
                pair.append(inf if source.below(1_000) < slow else max(100, time) / 1000)
            of_place.append(pair)
        medians.append(of_place)
    return medians, margin


def row(number):
    medians, margin = fleet(number)
    tallies = [signs(hours, margin) for hours in medians]
    faster = [log_e(tally[0], tally[1]) for tally in tallies]
    not_faster = [log_e(tally[2], tally[3]) for tally in tallies]
    names = named(faster)
    columns = [
        number,
        " ".join(",".join(map(str, tally)) for tally in tallies),
        f"{sum(faster):.10g}",
        "".join("1" if place in names else "0" for place in range(len(faster))),
        least(faster),
        least(faster, group=set(range(0, len(faster), 2))),
        "-".join(map(str, share(faster, not_faster))),
        "-".join(map(str, share(faster, not_faster, liars=1))),
        quantiles(number),
        watching(number),
    ]
    return "\t".join(map(str, columns))


def rows():
    return "\n".join(row(number) for number in range(1000)) + "\n"
