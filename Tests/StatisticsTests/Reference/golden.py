#!/usr/bin/env python3
"""Writes golden.json and the tables in this folder from the reference.

    golden.py            writes all files
    golden.py --check    writes nothing, and fails if a file would change
"""

import json
import math
import os
import sys

sys.dont_write_bytecode = True

import content  # noqa: E402
import elimination  # noqa: E402
import places  # noqa: E402
import reference  # noqa: E402
import strategies  # noqa: E402
from datasets import Dataset  # noqa: E402

INF = math.inf
NAN = math.nan
SHARES = {
    "all wins x8": [1.0] * 8,
    "all wins x7": [1.0] * 7,
    "8 wins of 10": [1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0],
    "fractions": [0.8, 0.7, 1.0, 0.6, 0.9, 0.5, 0.8, 0.7, 0.9, 1.0, 0.6, 0.8],
    "all losses x7": [0.0] * 7,
    "ties": [0.5] * 20,
    "rise and fall": [1.0] * 9 + [0.2] * 40,
    "thousand": [((37 * i) % 101) / 100 for i in range(1000)],
}
COLUMNS = [
    "rounds", "pairs", "medianDifference", "meanDifference", "lower", "upper", "confidence",
    "logEFaster", "logESlower", "probabilityFaster", "baselineFailures", "candidateFailures",
    "verdict", "reason",
]  # fmt: skip

# Candidates as (times, pairs) of repeated rounds.
FASTER = [8.0, 9.0, 7.5, 8.25, 30.0, -4.0, 8.5, 9.5, 6.0, 7.0]
SLOWER = [-d for d in FASTER]
NEAR = [0.5, -0.5, 1.0, -1.5, 0.25, 2.0, -2.0, 0.75, -1.0, -1.25]
SCENARIOS = {
    "faster": dict(margin=5.0, candidates=[[(9, FASTER)]]),
    "slower": dict(margin=5.0, candidates=[[(9, SLOWER)]]),
    "slower at no margin": dict(margin=0.0, candidates=[[(9, SLOWER)]]),
    "about the same": dict(margin=5.0, candidates=[[(9, NEAR)]]),
    "equal at no margin": dict(margin=0.0, candidates=[[(40, NEAR)]]),
    "too few rounds": dict(margin=5.0, candidates=[[(6, [20.0] * 10)]]),
    "seven rounds": dict(margin=5.0, candidates=[[(7, [20.0] * 10)]]),
    "ties with the margin": dict(margin=5.0, candidates=[[(30, [5.0] * 10)]]),
    "silent baseline": dict(margin=5.0, candidates=[[(7, [INF] * 10)]]),
    "mostly silent baseline": dict(margin=5.0, candidates=[[(12, [INF] * 7 + [9.0] * 3)]]),
    "silent candidate": dict(margin=5.0, candidates=[[(7, [-INF] * 10)]]),
    "both silent": dict(margin=5.0, candidates=[[(30, [NAN] * 10)]]),
    "both fail some": dict(margin=5.0, candidates=[[(9, [*FASTER[:8], NAN, NAN])]]),
    "one loss in ninety": dict(margin=5.0, candidates=[[(8, FASTER), (1, [*FASTER[:9], -INF])]]),
    "two losses in ninety": dict(margin=5.0, candidates=[[(7, FASTER), (2, [*FASTER[:9], -INF])]]),
    "losses that both have": dict(
        margin=5.0, candidates=[[(7, FASTER), (2, [*FASTER[:8], -INF, INF])]]
    ),
    "a tenth lost, not established": dict(margin=5.0, candidates=[[(6, [*FASTER[:9], -INF])]]),
    "a tenth lost, established": dict(margin=5.0, candidates=[[(15, [*FASTER[:9], -INF])]]),
    "five in a hundred lost": dict(
        margin=5.0, candidates=[[(1, [*FASTER[:9], -INF]), (1, FASTER)] * 9]
    ),
    "losses on either side": dict(
        margin=5.0, candidates=[[(1, [*FASTER[:9], -INF]), (1, [*FASTER[:9], INF])] * 9]
    ),
    "lost after the verdict": dict(
        margin=5.0, candidates=[[(9, FASTER), (15, [*FASTER[:9], -INF])]]
    ),
    "heavy tail": dict(margin=5.0, candidates=[[(20, [*FASTER[:9], -900.0])]]),
    "heavy tail, too few rounds": dict(margin=5.0, candidates=[[(9, [*FASTER[:9], -900.0])]]),
    "tampering": dict(margin=5.0, candidates=[[(9, FASTER)]], tampering=[0]),
    "tampering and slower": dict(margin=5.0, candidates=[[(9, SLOWER)]], tampering=[0]),
    "interrupted": dict(margin=5.0, candidates=[[(3, FASTER)]], interrupted=True),
    "interrupted after the verdict": dict(
        margin=5.0, candidates=[[(9, FASTER)]], interrupted=True
    ),
    "a verdict goes with its evidence": dict(margin=5.0, candidates=[[(9, FASTER), (60, NEAR)]]),
    "faster, then slower": dict(
        margin=5.0, candidates=[[(9, FASTER), (60, SLOWER)]]
    ),
    "faster, then slower for longer": dict(margin=5.0, candidates=[[(20, FASTER), (50, SLOWER)]]),
    "faster to its end": dict(margin=5.0, candidates=[[(60, FASTER)]]),
    "rounds without a pair": dict(margin=5.0, candidates=[[(4, FASTER), (3, []), (5, FASTER)]]),
    "rounds of different sizes": dict(
        margin=5.0, candidates=[[(4, FASTER), (3, FASTER[:4]), (5, FASTER[:1])]]
    ),
    "three at once": dict(
        margin=5.0, candidates=[[(9, [20.0] * 10)], [(9, [1.0] * 10)], [(9, NEAR)]]
    ),
    "seven rounds are too few for two": dict(
        margin=5.0, candidates=[[(7, [20.0] * 10)], [(7, [5.0] * 10)]]
    ),
    "the second gains by the first": dict(
        margin=5.0, candidates=[[(9, [20.0] * 10)], [(2, [5.0] * 10), (7, [20.0] * 10)]]
    ),
    "nobody": dict(margin=5.0, candidates=[[(0, [])]]),
}  # fmt: skip


def written(pair):
    """Returns the value for JSON. Words replace infinity and NaN, which JSON does not have."""
    if pair != pair:
        return "both"
    return {INF: "baseline", -INF: "candidate"}.get(pair, pair)


def scenario(name, margin, candidates, tampering=(), interrupted=False):
    rounds = [[list(p) for times, p in runs for _ in range(times)] for runs in candidates]
    results = reference.compare(rounds, margin, 0.05, tampering, interrupted)
    return {
        "name": name,
        "margin": margin,
        "tampering": list(tampering),
        "interrupted": interrupted,
        "candidates": [
            [{"times": times, "pairs": [written(d) for d in p]} for times, p in runs]
            for runs in candidates
        ],
        "results": results,
    }


def history(hours, rounds, names=5):
    """Returns the rounds of each hour. A formula gives the differences. Each hour has its level."""
    return [
        [[(7 * r + 3 * d + h) % 13 - 4.0 + 5 * h for d in range(names)] for r in range(of_hour)]
        for h, of_hour in zip(range(hours), rounds)
    ]


def plan():
    """Returns the data of the forecasts. Hours 0 and 1 have six rounds, and hour 2 has five.
    Crossings use the rounds 5 t mod 12 for t from 0. Forecasts use 36 rounds in six hours."""
    hours = history(3, [6, 6, 5])
    rounds = reference.centred(hours)
    longer = history(6, [6] * 6)
    cases = [(2, 0, 1), (1, 0, 1), (8, 5, 1), (8, 5, 12), (3, 5, 1), (0, 5, 5)]

    def crossing(difference, margin, candidates):
        shares = [
            reference.share([d + difference for d in rounds[5 * t % len(rounds)]], margin)
            for t in range(3000)
        ]
        side = 1 if difference > margin else -1
        return reference.crossing(shares, math.log(2 * candidates / 0.05), side)

    return {
        "hours": hours,
        "centred": rounds,
        "crossings": [
            {
                "difference": difference,
                "margin": margin,
                "candidates": candidates,
                "round": crossing(difference, margin, candidates),
            }
            for difference, margin, candidates in cases
        ],
        "longer": longer,
        "forecasts": [
            {
                "difference": difference,
                "margin": margin,
                "candidates": candidates,
                "rounds": reference.planned(
                    reference.centred(longer), difference, margin, candidates
                ),
            }
            for difference, margin, candidates in cases
        ],
    }


def planned_rows():
    """Yields one line per data set: the count of its centred rounds, the sum of their finite
    differences, and the crossings above and below the margin. The data is that of the first
    candidate, in hours of seven rounds."""
    yield "\t".join(["seed", "rounds", "sum", "above", "below"])
    for seed in range(1000):
        data = Dataset(seed)
        pairs = [reference.paired(a, b) for a, b in zip(*data.outcomes[:2])]
        pairs = [one for one in pairs if one]
        rounds = reference.centred([pairs[i : i + 7] for i in range(0, len(pairs), 7)])
        crossings = []
        for side in (1, -1):
            difference = data.margin + 4.0 * side
            shares = [
                reference.share([d + difference for d in one], data.margin) for one in rounds
            ]
            sequence = [shares[5 * t % len(shares)] for t in range(100)] if shares else []
            crossings.append(reference.crossing(sequence, math.log(2 / 0.05), side))
        finite = [d for one in rounds for d in one if math.isfinite(d)]
        yield "\t".join(number(v) for v in (seed, len(rounds), math.fsum(finite), *crossings))


def golden():
    rates = [(0, 200), (36, 50), (0, 100), (0, 300), (1, 200), (300, 300), (1, 1), (77, 4000)]
    sizes = [5, 6, 20, 35, 36, 50, 71, 72, 100, 200, 367, 368, 500, 1000]
    log_p = [[-3.7], [-3.6], [-5.0, -3.0], [-3.8, -9.0, -4.1], [0.0, -4.0, -4.5, -20.0]]
    return {
        "shares": [
            {
                "name": name,
                "U": shares,
                "logEplus": reference.log_e(shares, 1),
                "logEminus": reference.log_e(shares, -1),
            }
            for name, shares in SHARES.items()
        ],
        "proportions": [
            {
                "successes": k,
                "count": n,
                "alpha": alpha,
                "wilson": reference.wilson(k, n, alpha),
                "anytime": reference.anytime(k, n, alpha),
            }
            for k, n in rates
            for alpha in (0.05, 0.01)
        ],
        "ranks": [
            {"count": n, "quantile": float(p), "ranks": reference.quantile_ranks(n, p, "0.05")}
            for p in ("0.5", "0.9", "0.95", "0.99")
            for n in sizes
        ],
        "holm": [
            {"logPValues": values, "rejected": reference.holm(values, 0.05)} for values in log_p
        ],
        "autocorrelation": [
            {"values": values, "coefficient": reference.autocorrelation(values)}
            for values in (SHARES["rise and fall"], SHARES["fractions"], SHARES["thousand"])
        ],
        "plan": plan(),
        "comparisons": [scenario(name, **case) for name, case in SCENARIOS.items()],
    }


def number(value):
    return "-" if value is None else str(value) if isinstance(value, int | str) else f"{value:.10g}"


def random_rows():
    """Yields one line per candidate of a data set, then one line with its resolvers' ranks."""
    yield "\t".join(["seed", *COLUMNS])
    for seed in range(1000):
        data = Dataset(seed)
        baseline, *others = data.outcomes
        candidates = [
            [reference.paired(a, b) for a, b in zip(baseline, other)] for other in others
        ]
        results = reference.compare(
            candidates, data.margin, 0.05, data.tampering, data.interrupted
        )
        for result in results:
            yield "\t".join([str(seed), *(number(result[column]) for column in COLUMNS)])
        ranks = reference.ranking(data.outcomes)
        intervals = " ".join(f"{low}-{high}" for low, high in ranks or [])
        yield "\t".join([str(seed), "ranks", intervals or "-"])


def main(arguments):
    folder = os.path.dirname(os.path.abspath(__file__))
    files = {
        "golden.json": json.dumps(golden(), indent=None, separators=(",", ":"))
        .replace('},{"', '},\n{"')
        .replace("]}],", "]}],\n")
        + "\n",
        "random.tsv": "\n".join(random_rows()) + "\n",
        "browser.tsv": content.browser_rows(),
        "content.tsv": content.rows(),
        "elimination.tsv": elimination.rows(),
        "places.tsv": places.rows(),
        "plan.tsv": "\n".join(planned_rows()) + "\n",
        "strategies.tsv": strategies.rows(),
    }
    for name, text in files.items():
        path = os.path.join(folder, name)
        if arguments == ["--check"]:
            with open(path) as file:
                if file.read() != text:
                    sys.exit(f"golden.py: {name} differs from the reference; run golden.py to update it")
        else:
            with open(path, "w") as file:
                file.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
