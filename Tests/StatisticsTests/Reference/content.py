"""The reference of the time to content: a round, from its look-ups and the connections after them,
and the wait of a browser before it connects.

Times are in milliseconds. A time is None if a resolver was not queried or a name has no
address, and inf without an answer.
"""

from datasets import Generator
from math import inf, isnan

CAP = 250.0


def middle(values):
    values = sorted(values)
    low, high = values[(len(values) - 1) // 2], values[len(values) // 2]
    return low if low == high else (low + high) / 2


def content_round(lookups, others, connections, other_connections):
    """Returns the difference of baseline and candidate, or None without a pair of look-ups."""
    differences = [
        0.0 if a == b == inf else a - b
        for a, b in zip(lookups, others)
        if a is not None and b is not None
    ]
    if not differences:
        return None
    pairs = [
        min(a, CAP) - min(b, CAP)
        for a, b in zip(connections, other_connections)
        if a is not None and b is not None
    ]
    return middle(differences) + (sum(pairs) / len(pairs) if pairs else 0.0)


def random_round(seed):
    source = Generator(seed)
    names = 1 + source.below(10)
    losses = (0, 20, 300)[source.below(3)]

    def lookups():
        times = []
        for _ in range(names):
            time = (5_000 + source.below(40_000)) / 1000
            fate = source.below(1000)
            times.append(inf if fate < losses else None if fate >= 980 else time)
        return times

    def connections():
        times = []
        for _ in range(names):
            time = (1_000 + source.below(300_000)) / 1000
            times.append(None if source.below(1000) >= 900 else time)
        return times

    return lookups(), lookups(), connections(), connections()


def rows():
    lines = ["seed\tdifference"]
    for seed in range(1000):
        found = content_round(*random_round(seed))
        text = "-" if found is None else "nan" if isnan(found) else f"{found:.10g}"
        lines.append(f"{seed}\t{text}")
    return "\n".join(lines) + "\n"


def browser_wait(a, aaaa, https, delay=50.0):
    """Returns the wait of a browser. Each argument is (time, has an address). The time is inf
    without a response. AAAA is None if it was not queried."""
    addresses = [one for one in (a, aaaa) if one is not None]
    positive = min((time for time, has_address in addresses if has_address), default=inf)
    if positive == inf:
        return inf
    first = min([https[0]] + [time for time, _ in addresses])
    preferred = (a if aaaa is None else aaaa)[0]
    return min(max(positive, preferred, https[0]), max(positive, first + delay))


def random_responses(seed):
    source = Generator(seed)

    def response():
        time = (2_000 + source.below(120_000)) / 1000
        fate = source.below(10)
        return (inf, False) if fate == 0 else (time, fate < 7)

    has_route = source.below(3) > 0
    a, aaaa, https = response(), response(), response()
    return a, aaaa if has_route else None, https


def browser_rows():
    lines = ["seed\twait"]
    lines += [f"{seed}\t{browser_wait(*random_responses(seed)):.10g}" for seed in range(1000)]
    return "\n".join(lines) + "\n"
