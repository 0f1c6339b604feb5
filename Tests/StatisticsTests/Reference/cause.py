"""Writes cause.tsv: the causes of a thousand generated changes, in plain Python.

One row per change: its number, the cause, the part of the change that the cause explains, the
evidence, and the interquartile means of the parts of line, path, cache, connection and resolver,
in ms.
"""

import math
import pathlib

BETS = [2 * math.cos(math.pi * (2 * j - 1) / 128) for j in range(1, 33)]
CAUSES = ["line", "path", "cache", "connection", "resolver"]
HOURS, AFTER = 15 * 24, 14 * 24


def median(values):
    values = sorted(v for v in values if v is not None)
    if not values:
        return None
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def mean(values):
    values = [v for v in values if v is not None]
    return sum(values) / len(values) if values else None


def middle_mean(values):
    values = sorted(v for v in values if v is not None)
    n = len(values)
    return mean(values[n // 4 : n - n // 4])


def residual(values, usable):
    """Returns each value minus the median of its hour of the day. The median is of the time
    before the change."""
    usual = []
    for hour in range(24):
        before = [values[h] for h in range(usable) if h % 24 == hour and values[h] is not None]
        usual.append(median(before) if len(before) >= 3 else None)
    return [
        None if v is None or usual[h % 24] is None else v - usual[h % 24] for h, v in enumerate(values)
    ]


def evidence(shares):
    logs = [sum(math.log1p(bet * (u - 0.5)) for u in shares) for bet in BETS]
    most = max(logs)
    return most + math.log(sum(math.exp(v - most) for v in logs) / len(logs))


def contributions(case):
    others = case["other_floor"] or case["others"]
    line = [median(row) for row in zip(*[residual(v, AFTER) for v in others])]
    per_name = [residual(v, AFTER) for v in case["name"]]
    shift = [mean(row) for row in zip(*per_name)]
    floor = residual(case["floor"], AFTER) if case["floor"] else None
    way = floor or line
    k, connection, opened = 0, [0.0] * HOURS, [0.0] * HOURS
    if case["opening"]:
        opened = residual(case["opening"], AFTER)
        k = 2
        if floor:
            ratio = median(case["opening"][:AFTER]) / max(1e-9, median(case["floor"][:AFTER]))
            k = min(4, max(1, round(ratio)))
        connection = [o - k * w for o, w in zip(opened, floor or line)]
    cache = [0.0] * HOURS
    if case["miss"]:
        cache = [v * case["gap"] for v in residual(case["miss"], AFTER)]
    total = [s + o + c for s, o, c in zip(shift, opened, cache)]
    parts = {
        "line": [v * (1 + k) for v in line],
        "path": [(w - v) * (1 + k) for w, v in zip(way, line)],
        "cache": cache,
        "connection": connection,
        "resolver": [s - w for s, w in zip(shift, way)],
    }
    names = [[v - w for v, w in zip(values, way)] for values in per_name]
    return total, parts, names


def attribute(case):
    total, parts, names = contributions(case)
    after = range(AFTER, HOURS)
    whole = [total[h] for h in after]
    t = middle_mean(whole)
    sign = (t > 0) - (t < 0)
    known = {c: [v[h] for h in after] for c, v in parts.items()}
    means = [middle_mean(known[c]) for c in CAUSES]
    both = [p + r for p, r in zip(known["path"], known["resolver"])]
    rest = {c: known[c] for c in ("cache", "connection")}
    if case["moved"]:
        known = {"line": known["line"], "site": both, **rest}
    elif not case["floor"]:
        known = {"line": known["line"], "way": both, **rest}
    best = ("mixed", None, 0.0)
    for cause, values in known.items():
        e = evidence([1.0 if sign * v > sign * w / 2 else 0.0 for v, w in zip(values, whole)])
        part = middle_mean(values) / t if t else None
        if part is None or e < math.log(len(known) / 0.05) or not 0.7 <= part <= 1.3:
            continue
        if best[1] is None or e > best[2]:
            best = (cause, part, e)
    word = best[0]
    if word in ("resolver", "way") and len(names) >= 4:
        moves = [middle_mean([v[h] for h in after]) * sign for v in names]
        usual = mean(moves)
        still, moved = [v < usual / 3 for v in moves], [v > usual / 2 for v in moves]
        if usual > 0 and sum(still) / len(moves) >= 0.2:
            clear = sum(a or b for a, b in zip(still, moved)) / len(moves) >= 0.9
            word = "names" if clear and any(moved) else "unknown"
    if word != "mixed" and case["seen"] is not None and abs(t) < abs(case["seen"]) / 2:
        word = "unknown"
    if word == "line" and not case["second_network"]:
        word = "unknown"
    return (word, best[1], best[2], means)


def noise(h, k, number):
    return ((h * k * (1 + number % 5) + number) % 7 - 3) * 0.1


def case(number):
    """Returns a change of 4 to 12 ms, due to one part or to equal shares of two parts."""
    add = {c: 0.0 for c in ["line", "path", "resolver", "names", "cache", "connection"]}
    kinds = list(add)
    size = 4 + number % 9
    first, second = kinds[number % 6], kinds[number // 6 % 6]
    shared = number % 4 == 0 and first != second
    add[first] += size / 2 if shared else size
    if shared:
        add[second] += size / 2
    on = [h >= AFTER for h in range(HOURS)]
    base = [20 + (number % 4) * ((h % 24) - 12) / 6 for h in range(HOURS)]
    way = [(add["line"] + add["path"]) * o for o in on]
    count = 3 + number % 4
    name = [
        [
            base[h] + way[h] + on[h] * (add["resolver"] + (add["names"] * count / 2 if d < 2 else 0))
            + noise(h, d + 2, number) + d
            for h in range(HOURS)
        ]
        for d in range(count)
    ]
    floor = [base[h] - 5 + way[h] + noise(h, 3, number) for h in range(HOURS)]
    others = [
        [base[h] + j + on[h] * add["line"] + noise(h, j + 4, number) for h in range(HOURS)] for j in range(3)
    ]
    other_floor = [
        [base[h] - 4 + j + on[h] * add["line"] + noise(h, j + 5, number) for h in range(HOURS)]
        for j in range(3)
    ]
    miss = [0.05 + on[h] * add["cache"] / 100 + ((h * 5) % 3 - 1) * 0.005 for h in range(HOURS)]
    opening = [
        2 * (base[h] - 5 + way[h]) + on[h] * add["connection"] + noise(h, 6, number) for h in range(HOURS)
    ]
    has_opening = number % 3 == 1 or add["connection"] > 0
    return {
        "name": name,
        "floor": None if number % 7 == 3 else floor,
        "others": others,
        "other_floor": None if number % 5 == 2 else other_floor,
        "miss": miss if number % 2 or add["cache"] else None,
        "gap": 100.0,
        "opening": opening if has_opening else None,
        "moved": number % 11 == 4,
        "second_network": number % 13 != 5,
        "seen": None if number % 3 else size * (1.0 if number % 2 else 4.0),
    }


def row(number):
    word, part, e, means = attribute(case(number))
    figures = [float("nan") if part is None else part, e, *means]
    return "\t".join([str(number), word] + [f"{f:.12g}" for f in figures])


if __name__ == "__main__":
    table = pathlib.Path(__file__).with_name("cause.tsv")
    table.write_text("".join(row(number) + "\n" for number in range(1, 1001)))
