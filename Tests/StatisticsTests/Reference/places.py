"""What is said over places: hours that each won, which are named, and how many it is true of.

One row a made-up fleet: number, by place the hours won and lost for "faster" and "not faster", the sum
of ln E for "faster", which places are named, how many it is true of at least, the same of every second
place, and the share with none and with one that lies, in places.
"""

from math import cos, exp, inf, isfinite, log, log1p, pi

from datasets import Generator

STAKES = [cos(pi * (2 * j - 1) / 128) for j in range(1, 33)]
BLUR = 0.01


def signs(hours, margin):
    """Won and lost for "faster by the margin", won and lost for "not faster"."""
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
    """ln E that most hours are won."""
    sums = [won * log1p(s) + lost * log1p(-s) for s in STAKES]
    top = max(sums)
    return top + log(sum(exp(value - top) for value in sums) / len(sums))


def named(evidence, alpha=0.05):
    """The places with the most evidence, as many as keep the expected share of false ones below α."""
    order = sorted(range(len(evidence)), key=lambda place: -evidence[place])
    count = 0
    for k in range(1, len(order) + 1):
        if exp(min(evidence[order[k - 1]], 600)) >= len(order) / (k * alpha):
            count = k
    return set(order[:count])


def least(evidence, alpha=0.05, group=None):
    """Of so many of a group it is true: the group without its largest part whose mean E, with the
    smallest of all others, is below 1/α. By trying out every size."""
    places = range(len(evidence))
    group = set(places) if group is None else group
    value = [min(exp(min(evidence[place], 60)), 1e26) - 1 / alpha for place in places]
    others = sum(min(0.0, value[place]) for place in places if place not in group)
    inside = sorted(value[place] for place in group)
    sizes = [k for k in range(len(inside) + 1) if k == 0 or sum(inside[:k]) + others < 0]
    return len(inside) - max(sizes)


def share(faster, not_faster, alpha=0.05, liars=0):
    """The interval of the number of places at which it is faster."""
    count = len(faster)
    low = max(0, least(faster, alpha / 2) - liars)
    return low, max(low, min(count, count - (least(not_faster, alpha / 2) - liars)))


def fleet(number):
    """Medians of baseline and candidate by place and hour, and the margin; a fifth of a second is
    beyond the timeout."""
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
    ]
    return "\t".join(map(str, columns))


def rows():
    return "\n".join(row(number) for number in range(1000)) + "\n"
