"""Writes found.tsv: the cache results of a thousand generated lists of names, in plain Python.

One row per list: its number, the latest hit in ms, whether TTLs count down, the state of each
answer (h, m or ?), both ends of the share and of its interval, and the mean difference of blocks
with its ends.
"""

import math
import pathlib
from statistics import NormalDist

ROUND = {1, 2, 5, 10, 15, 20, 30, 40, 45}


class Numbers:
    """A linear congruential generator with the same numbers in every programming language."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return (self.state >> 8) % bound


def usual(ttl):
    return ttl in ROUND or (ttl > 0 and ttl % 60 == 0)


def latest_hit(again):
    times = sorted(again)
    median = times[(len(times) - 1) // 2]
    most = times[math.ceil(0.9 * len(times)) - 1]
    return most + max(2, 2 * (most - median))


def state(ttl, largest, time, latest, counts):
    if not counts or ttl == 0:
        return "m" if time > latest else "?"
    if not usual(ttl):
        return "h"
    if time > latest:
        return "m"
    return "h" if ttl < largest else "?"


def wilson(k, n, alpha):
    z = NormalDist().inv_cdf(1 - alpha / 2)
    centre = (k / n + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(k / n * (1 - k / n) / n + z * z / (4 * n * n))
    return (0 if k == 0 else centre - half), (1 if k == n else centre + half)


def t_quantile(p, freedom):
    z = NormalDist().inv_cdf(p)
    terms = [
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    ]
    return z + sum(term / freedom ** (i + 1) for i, term in enumerate(terms))


def row(number):
    random = Numbers(number)
    again = [10 + random.below(1000) / 100 for _ in range(20 + number % 20)]
    latest = latest_hit(again)
    names = 20 + random.below(100)
    ages = random.below(3)
    answers = []
    for _ in range(names):
        largest = 60 * (1 + random.below(60))
        ttl = largest
        if ages and random.below(2):
            ttl = max(1, largest - random.below(largest) // (1 if ages == 1 else 60))
        elif random.below(10) == 0:
            ttl = 60
        answers.append((ttl, largest, 10 + random.below(6000) / 100))
    counts = sum(not usual(ttl) for ttl, _, _ in answers) * 10 >= names
    states = "".join(state(ttl, largest, time, latest, counts) for ttl, largest, time in answers)
    hits, unknown = states.count("h"), states.count("?")
    lower, upper = wilson(hits, names, 0.05)[0], wilson(hits + unknown, names, 0.05)[1]
    blocks = [(random.below(20001) - 10000) / 100 for _ in range(20 + number % 60)]
    mean = sum(blocks) / len(blocks)
    deviation = math.sqrt(sum((b - mean) ** 2 for b in blocks) / (len(blocks) - 1))
    half = t_quantile(1 - 0.05 / (1 + number % 5) / 2, len(blocks) - 1) * deviation / math.sqrt(len(blocks))
    figures = [latest, hits / names, (hits + unknown) / names, lower, upper, mean, mean - half, mean + half]
    return "\t".join([str(number), "yes" if counts else "no", states] + [f"{f:.12g}" for f in figures])


if __name__ == "__main__":
    table = pathlib.Path(__file__).with_name("found.tsv")
    table.write_text("".join(row(number) + "\n" for number in range(1, 1001)))
