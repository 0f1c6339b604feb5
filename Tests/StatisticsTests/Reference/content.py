"""The reference of time to content: of a round, from its look-ups and the connections after them.

Times in milliseconds; None where a resolver was not asked or a name led nowhere, inf where there was
no answer."""

from datasets import Generator
from math import inf, isnan

CAP = 250.0


def middle(values):
    values = sorted(values)
    low, high = values[(len(values) - 1) // 2], values[len(values) // 2]
    return low if low == high else (low + high) / 2


def content_round(lookups, others, connections, other_connections):
    """Baseline less candidate; None without a pair of look-ups."""
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
