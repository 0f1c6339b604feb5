"""Incidents of simulated months and of labelled traces: what is found, what is missed, what is false."""

import math
import statistics

from benchmarks import histories, traces
from benchmarks.histories import LOSSES, Place, hours
from benchmarks.table import quantile, table
from benchmarks.verdict import percent, simulated

# Words of the kinds of changes.
SLOWER, LOSSY = "slower", "less-reliable"
# The largest accepted number of false incidents in so many months of a resolver.
MOST_FALSE, MONTHS = 1, 60
# The smallest accepted share of histories in which an incident has its kind and its scope.
LEAST_NAMED = 0.9
# Milliseconds of processor time for a year of hours of one measure.
MOST_COST = 15
DAY = 24
# The first day of an incident. It varies by history, so that the hour of the day does.
FIRST = 25 * DAY


def incidents(part=None):
    """Prints all tables, or those of one part. Fails if a result misses its target."""
    parts = {
        "false": false_incidents,
        "loss": losses,
        "shapes": shapes,
        "traces": traces.traces,
        "patterns": patterns,
        "cost": cost,
    }
    if part is not None and part not in parts:
        raise SystemExit(f"bench: unknown part '{part}': use one of {', '.join(parts)}")
    missed = [
        reason for name, print_part in parts.items() if part in (None, name) for reason in print_part()
    ]
    if missed:
        raise SystemExit("bench: a result missed its target:\n" + "\n".join(missed))


def in_batches(places, at_once=20):
    """Yields each place with its incidents and its changes. A store holds some of the places."""
    for first in range(0, len(places), at_once):
        some = places[first : first + at_once]
        report, _ = histories.report(some)
        for place in some:
            yield (
                place,
                *(
                    [one for one in report[key] if one["vantage"] == place.name]
                    for key in ("incidents", "changes")
                ),
            )


def poisson_interval(count, level=0.95):
    """Returns the exact interval of the mean of a Poisson number (Garwood 1936)."""

    def at_most(number, mean):
        term = total = math.exp(-mean)
        for index in range(1, number + 1):
            term *= mean / index
            total += term
        return total

    def solve(number, share):
        low, high = 0.0, 10.0 + 3 * count
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if at_most(number, middle) > share else (low, middle)
        return low

    tail = (1 - level) / 2
    return (solve(count - 1, 1 - tail) if count else 0.0), solve(count, tail)


def false_incidents():
    """Prints the incidents of histories without a change, and returns missed targets."""
    settings = [
        ("wired, 432 queries per day", "wired", 432, 60),
        ("Wi-Fi, 432 queries per day", "wifi", 432, 60),
        ("wired, 864 queries per day", "wired", 864, 20),
        ("wired, 216 queries per day", "wired", 216, 20),
    ]
    print(
        "Histories of 60 days without a change. Five resolvers per place have a course of the day, slow"
    )
    print(
        "weekends, a level that drifts, slow hours, losses of 0.5 % and a cache with a course of the day."
    )
    print(f"Target: at most {MOST_FALSE} false incident in {MONTHS} months of a resolver.\n")
    rows, kinds = [], {}
    total, months = 0, 0
    for number, (name, path, queries, count) in enumerate(settings):
        places = [Place(10_000 * (number + 1) + index, 60, queries, path) for index in range(count)]
        found = [one for _, own, _ in in_batches(places) for one in own]
        for one in found:
            kinds[one["change"] or one["kind"]] = kinds.get(one["change"] or one["kind"], 0) + 1
        rows.append(_false_row(name, len(found), count * 5 * 2))
        total, months = total + len(found), months + count * 5 * 2
    rows.append(_false_row("all", total, months))
    table(["histories", "months of a resolver", "false", "per 60 months", "95 % interval"], rows)
    words = [f"{count} {kind}" for kind, count in sorted(kinds.items())]
    print("\nFalse incidents: " + (", ".join(words) or "none") + "\n")
    low, _ = poisson_interval(total)
    if low * MONTHS / months > MOST_FALSE:
        return [f"{total} false incidents in {months} months are more than {MOST_FALSE} per {MONTHS}"]
    return []


def _false_row(name, count, months):
    low, high = (bound * MONTHS / months for bound in poisson_interval(count))
    return [name, str(months), str(count), f"{count * MONTHS / months:.2f}", f"{low:.2f} to {high:.2f}"]


def losses():
    """Prints how soon higher losses of eleven days are found, and returns missed targets."""
    print("Losses that rise from 0.5 % for eleven days, after 35 days. Each history has one resolver:\n")
    rows, missed = [], []
    for number, (queries, share) in enumerate([(216, 0.03), (864, 0.02)]):
        count = 60
        starts = [35 * DAY + index * 7 % DAY for index in range(count)]
        places = [
            Place(
                50_000 + 1_000 * number + index,
                60,
                queries,
                resolvers=1,
                loss=lambda _, hour, start=start: share if start <= hour < start + 11 * DAY else LOSSES,
            )
            for index, start in enumerate(starts)
        ]
        delays, others, covered = [], 0, 0
        for (_, own, changes), start in zip(in_batches(places), starts):
            found = [one for one in own if _is_during(one, LOSSY, start, 11 * DAY)]
            returns = [one for one in own if one["change"] == "more-reliable"]
            others += len(own) - min(1, len(found)) - min(1, len(returns))
            if not found:
                continue
            delays.append(hours(found[0]["established"]) - start)
            change = next(one for one in changes if one["change"] == LOSSY)
            covered += change["ci_rate"][0] <= share - LOSSES <= change["ci_rate"][1]
        name = f"0.5 to {100 * share:.0f} %, {queries} queries per day"
        rows.append(
            [
                name,
                f"{len(delays)} of {count}",
                f"{statistics.median(delays):.0f} / {quantile(delays, 0.9):.0f}",
                f"{covered} of {len(delays)}",
                str(others),
            ]
        )
        if len(delays) < LEAST_NAMED * count:
            missed.append(f"{name}: found in {len(delays)} of {count}")
    table(
        ["losses", "found", "after h, median / 90 %", "true size in its interval", "other incidents"],
        rows,
    )
    print()
    return missed


def _is_during(incident, change, start, length):
    """Returns whether an incident is the change that begins at `start`."""
    return (
        incident["change"] == change
        and incident["kind"] != "outage"
        and abs(hours(incident["start"]) - start) <= 72
        and hours(incident["established"]) <= start + length
    )


def shapes():
    """Prints the rows of a drift, a slow week of all resolvers, a step and an outage."""
    cases = [
        ("drift of 9 ms in 26 days", "wired", 1, 40, _drift, "drift", "one", 9),
        ("drift of 9 ms in 26 days", "wifi", 1, 40, _drift, "drift", "one", 9),
        ("slow week of all five, 4 ms", "wired", 5, 40, _week, "episode", "line", 4),
        ("slow week of all five, 4 ms", "wifi", 5, 40, _week, "episode", "line", 4),
        ("step of 5 ms", "wired", 1, 40, _step, "step", "one", 5),
        ("step of 5 ms", "wifi", 1, 40, _step, "step", "one", 5),
        ("episode of 5 ms, 12 hours", "wired", 1, 40, _episode, "episode", "one", 5),
        ("no answer for 3.5 hours", "wired", 5, 40, None, "outage", "one", None),
    ]
    print("Histories of 45 days (60 with a drift) with one incident, at 432 queries per day. *One row*: the")
    print("list has this incident once, and no other incident:\n")
    rows, missed = [], []
    for number, case in enumerate(cases):
        row, named = _shape(number, *case)
        rows.append(row)
        if named < LEAST_NAMED:
            missed.append(f"{row[0]}: named in {row[2]}")
    header = ["incident", "one row", "as named", "after h, median / 90 %", "true size in its interval"]
    table([*header, "start off by h, 90 %", "end off by h, 90 %"], rows)
    print()
    return missed


def _drift(start, hour):
    return 9 * min(max(hour - start, 0), 26 * DAY) / (26 * DAY)


def _week(start, hour):
    return 4.0 if start <= hour < start + 7 * DAY else 0.0


def _step(start, hour):
    return 5.0 if hour >= start else 0.0


def _episode(start, hour):
    return 5.0 if start <= hour < start + 12 else 0.0


LENGTHS = {_drift: 26 * DAY, _week: 7 * DAY, _step: None, _episode: 12, None: 3.5}


# Each parameter is a column of the table of cases.
def _shape(number, name, path, resolvers, count, shift, kind, scope, size):
    """Returns the row of one case, and the share of histories in which the incident has its name."""
    ones, named, delays, covered, sized, begins, ends = 0, 0, [], 0, 0, [], []
    places = []
    starts = [FIRST + index * 7 % DAY + (0.25 if shift is None else 0) for index in range(count)]
    for index, start in enumerate(starts):
        seed = 100_000 + 1_000 * number + index
        place = Place(seed, 60 if shift is _drift else 45, 432, path, resolvers)
        if shift is None:
            place.loss = lambda r, hour, start=start: (
                1.0 if r == 1 and start <= hour < start + 3.5 else LOSSES
            )
        else:
            place.shift = lambda _, hour, start=start: shift(start, hour)
        places.append(place)
    for (_, own, changes), start in zip(in_batches(places), starts):
        near = [one for one in own if hours(one["start"]) <= start + 10 * DAY]
        found = [one for one in near if one["kind"] == kind and one["scope"] == scope]
        ones += len(own) == 1
        named += len(found) == 1
        if not found:
            continue
        delays.append(max(0, hours(found[0]["established"]) - start))
        begins.append(abs(hours(found[0]["start"]) - start))
        if found[0]["end"] and LENGTHS[shift]:
            ends.append(abs(hours(found[0]["end"]) - start - LENGTHS[shift]))
        members = [one for one in changes if one["form"] == kind and one["change"] == SLOWER]
        sized += len(members)
        covered += sum(one["ci_ms"][0] <= size <= one["ci_ms"][1] for one in members if size)
    row = [
        f"{name}, {'Wi-Fi' if path == 'wifi' else path}",
        f"{ones} of {count}",
        f"{named} of {count}",
        f"{statistics.median(delays):.0f} / {quantile(delays, 0.9):.0f}" if delays else "–",
        f"{covered} of {sized}" if size else "–",
        f"{quantile(begins, 0.9):.1f}" if begins else "–",
        f"{quantile(ends, 0.9):.1f}" if ends else "–",
    ]
    return row, named / count


def patterns():
    """Prints how often the test of patterns reports a course of the day. Returns missed targets."""
    lines = [line[1:] for line in simulated("patterns") if line[0] == "pattern"]
    print("Reported patterns of the hour of the day, in series with correlated hours:\n")
    table(
        ["series", "days", "series tested", "pattern reported"],
        [[*line[:3], percent(line[3])] for line in lines],
    )
    print()
    return [
        f"{name}, {days} days: {percent(share)} false patterns"
        for name, days, _, share in lines
        if name.startswith("no pattern") and float(share) > 0.05
    ]


def cost():
    """Prints the processor time of reading a year of hours. Returns missed targets."""
    lines = [line[1:] for line in simulated("scan") if line[0] == "scan"]
    print(
        f"Reading a year of one resolver (8,760 hours), in ms. Target: at most {MOST_COST} per measure:\n"
    )
    table(["measures", "ms", "ms per measure"], lines)
    print()
    return [f"{name}: {each} ms per measure" for name, _, each in lines if float(each) > MOST_COST]
