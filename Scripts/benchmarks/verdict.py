"""How often a verdict is wrong, and how many rounds it takes, on simulated paths."""

import os

from benchmarks import clients
from benchmarks.processes import run
from benchmarks.table import table

# Median and 90 % of the rounds that a reference simulation took, by margin, shift and path; the
# second is None where it was not recorded.
REFERENCE = {
    (0, 1): {"wired": (15, 18), "wifi": (75, 146), "noisy": (410, None)},
    (0, 5): {"wired": (8, 9), "wifi": (14, 18), "noisy": (30, 49)},
    (0, 17): {"wired": (8, 9), "wifi": (8, 9), "noisy": (12, 15)},
    (5, -5): {"wired": (8, None), "wifi": (10, None), "noisy": (17, None)},
    (5, 0): {"wired": (8, None), "wifi": (14, None), "noisy": (32, None)},
    (5, 1): {"wired": (8, None), "wifi": (16, None), "noisy": (36, None)},
    (5, 3): {"wired": (10, 11), "wifi": (32, 46), "noisy": (92, 197)},
    (5, 8): {"wired": (9, 10), "wifi": (22, 28), "noisy": (54, 103)},
    (5, 17): {"wired": (8, 8), "wifi": (9, 10), "noisy": (15, 19)},
}
ALPHA = 0.05


def simulated(*arguments):
    """The lines that the simulations print, each as its fields."""
    build = ["swift", "build", "-c", "release", "--product", "VerdictBench"]
    built = run([*build, "--package-path", clients.ROOT], limit=900)
    if built.status != 0:
        raise SystemExit(f"bench: VerdictBench could not be built:\n{built.output}{built.errors}")
    program = os.path.join(clients.ROOT, ".build", "release", "VerdictBench")
    finished = run([program, *arguments], limit=3_000)
    if finished.status != 0:
        raise SystemExit(f"bench: VerdictBench ended with {finished.status}: {finished.errors}")
    return [line.split("|") for line in finished.output.splitlines()]


def fail(missed):
    if missed:
        raise SystemExit("bench: a figure was not met:\n" + "\n".join(missed))


def verdict():
    """Prints false decisions and rounds to a verdict, and fails where a figure is not met."""
    lines = simulated()
    missed = [
        *false_decisions([line[1:] for line in lines if line[0] == "null"]),
        *rounds_to_verdict([line[1:] for line in lines if line[0] == "rounds"]),
        *lossy_candidates([line[1:] for line in lines if line[0] == "losses"]),
        *rank_errors([line[1:] for line in lines if line[0] == "ranks"]),
        *elimination_errors([line[1:] for line in lines if line[0] == "elimination"]),
        *volley_pairing([line[1:] for line in lines if line[0] == "volleys"]),

        *tail_errors([line[1:] for line in lines if line[0] == "tail"]),
        *cache_errors([line[1:] for line in lines if line[0] == "cache"]),
        *fleet_errors([line[1:] for line in lines if line[0] == "fleet"]),
        *interval_cost([line[1:] for line in lines if line[0] == "interval"]),
    ]
    fail(missed)


def percent(share):
    return f"{100 * float(share):.1f} %"


def false_decisions(lines):
    """Nothing is there; a look after each of 300 rounds of 10 names."""
    print("False decisions, at most 5 % wanted, with a look after each of 300 rounds of 10 names:\n")
    rows = [
        [name, repetitions, *(percent(share) for share in shares)]
        for name, repetitions, *shares in lines
    ]
    table(["null", "runs", "a direction", "more failures, or best dropped"], rows)
    print()
    return [
        f"{name}: {share} is above {ALPHA}"
        for name, _, *shares in lines
        for share in shares
        if float(share) > ALPHA
    ] or ([] if len(lines) == 7 else ["not every null was simulated"])


def rounds_to_verdict(lines):
    """Rounds until the direction is established, and until the verdict with its guards."""
    print("Rounds of 10 names until the difference is established, median / 90 % of 1,000 runs, the")
    print("reference's beside it; then until the verdict, which failures and the mean may delay:\n")
    rows, missed = [], []
    for margin, shift, path, median, most, wrong, *figures in lines:
        expected = REFERENCE.get((int(margin), int(shift)), {}).get(path)
        rows.append(
            [
                f"margin {margin} ms, shift {shift} ms, {path}",
                f"{median} / {most}",
                f"{expected[0]} / {expected[1] or '–'}" if expected else "–",
                wrong,
                f"{figures[0]} / {figures[1]}",
                *(percent(share) for share in figures[2:]),
            ]
        )
        name = rows[-1][0]
        if expected and (median == "-" or abs(int(median) / expected[0] - 1) > 0.1):
            missed.append(f"{name}: a median of {median} rounds, not {expected[0]} within 10 %")
        if int(wrong) > ALPHA * 1000:
            missed.append(f"{name}: {wrong} of 1,000 established the wrong direction")
    header = ["path", "established", "reference", "wrong", "verdict", "switch", "keep", "open"]
    table(header, rows)
    print()
    compared = sum(len(paths) for paths in REFERENCE.values())
    if len(rows) < compared:
        missed.append(f"only {len(rows)} cases were simulated, not {compared}")
    return missed


def lossy_candidates(lines):
    """A candidate 10 ms faster that loses more than the baseline, which loses nothing."""
    print("100 rounds of 10 names with a candidate that is 10 ms faster and loses queries:\n")
    rows = [
        [percent(losses), runs, percent(share), rounds, percent(switches)]
        for losses, runs, rounds, share, switches in lines
    ]
    table(["losses", "runs", "more losses established", "after rounds", "switch"], rows)
    print()
    missed = [
        f"{percent(losses)} lost: {percent(switches)} of the runs end with switch"
        for losses, _, _, _, switches in lines
        if float(losses) > 0 and float(switches) > ALPHA
    ]
    return missed + ([] if len(lines) == 3 else ["not every loss was simulated"])


def rank_errors(lines):
    """How often ranks leave out the true one, of the resolver in the middle and of any."""
    print("Ranks after 100 rounds of 10 names; of each resolver at most 5 % wanted:\n")
    rows = [[name, runs, percent(one), percent(any), width] for name, runs, one, any, width in lines]
    table(["resolvers", "runs", "one is wrong", "any is wrong", "mean width"], rows)
    print()
    missed = [
        f"{name}: the ranks of one resolver are wrong in {percent(one)}"
        for name, _, one, _, _ in lines
        if float(one) > ALPHA
    ]
    return missed + ([] if len(lines) == 9 else ["not every number of resolvers was simulated"])


def elimination_errors(lines):
    """Runs that ask their candidates only while it matters, for five minutes at most."""
    print("Runs of several candidates at 15 queries/s, at most 5 % false and 95 % best wanted:\n")
    rows = [
        [name, runs, *(percent(share) for share in shares), f"{float(half):.0f} / {float(most):.0f}"]
        for name, runs, *shares, half, most in lines
    ]
    table(["candidates", "runs", "false switch", "the best", "open", "seconds, median / 90 %"], rows)
    print()
    missed = [f"{name}: {percent(wrong)} false" for name, _, wrong, *_ in lines if float(wrong) > ALPHA]
    missed += [
        f"{name}: the best in {percent(best)}"
        for name, _, _, best, *_ in lines
        if name.startswith("a field") and float(best) < 1 - ALPHA
    ]
    return missed + ([] if len(lines) == 14 else ["not every field was simulated"])


def causes():
    """Histories of 22 days, a round every five minutes, from samples to the report: changes by 6 to
    20 ms of each cause, or half of each of two."""
    lines = [line[1:] for line in simulated("causes")]
    print("Causes of changes; of those found at least 95 % right wanted, and nearly none wrong:\n")
    header = ["cause", "histories", "right", "mixed or unknown", "wrong", "change not found"]
    table(header, lines)
    histories, right, _, wrong, missing = (
        sum(int(line[column]) for line in lines) for column in range(1, 6)
    )
    found = histories - missing
    fail(
        [f"{right} of {found} right"] * (right < 0.95 * found)
        + [f"{wrong} of {found} wrong"] * (wrong > 0.01 * found)
    )


def volley_pairing(lines):
    """Rounds until a gap of 1 ms is established, at the median."""
    print("Rounds of 10 names until 1 ms is established under a jitter of the line that all share:\n")
    table(["jitter that changes every", "runs", "without volleys", "with"], lines)
    print()
    return [
        f"jitter of {length}: volleys take {with_them} rounds"
        for length, _, without, with_them in lines
        if int(with_them) > int(without)
    ] or ([] if len(lines) == 2 else ["not every jitter was simulated"])


def tail_errors(lines):
    """Four weeks of ten names, of which three are 15 ms slower in the third week."""
    print("Changes of the slow answers, none of them false and at least 95 % found wanted:\n")
    delays = ["after h, median", "90 %"]
    causes = ["laid to the names", "mixed or unknown", "wrong"]
    table(["change", "histories", "found", *delays, *causes], lines)
    print()
    found = {line[0]: int(line[2]) / int(line[1]) for line in lines}
    missed = [
        f"changes of the slow answers, {name}: {percent(share)}"
        for name, share in found.items()
        if (share < 0.95 if name.endswith("tail") else share > 0.05)
    ]
    return missed + ([] if len(lines) == 4 else ["not every change of the slow answers was simulated"])


def cache_errors(lines):
    """Four weeks of ten names asked for every five minutes, whose share in the cache changes at half."""
    print("Changes of the share of names in a cache, at most 5 % of them false and at least 95 % found")
    print("wanted; users who change what they ask for from day to day move it themselves:\n")
    delays = ["after h, median", "90 %"]
    table(["change", "names in the cache", "histories", "found", *delays, "others"], lines)
    print()
    found = {(line[0], line[1]): int(line[3]) / int(line[2]) for line in lines}
    missed = [
        f"changes of a cache, {name}, {shares}: {percent(share)}"
        for (name, shares), share in found.items()
        if name != "restless users" and (share < 0.95 if name.endswith("cached") else share > 0.05)
    ]
    return missed + ([] if len(lines) == 12 else ["not every change of a cache was simulated"])


def fleet_errors(lines):
    """Four weeks of three resolvers at fifty places, of which one becomes slower after three."""
    print("A resolver that becomes slower at a part of 50 places, at most 5 % of the places named falsely")
    print("and at least 95 % of the changes found wanted:\n")
    delays = ["after h, median", "90 %"]
    table(["change", "fleets", "found", *delays, "of them named", "falsely", "others"], lines)
    print()
    missed = []
    for name, fleets, found, *_, wrong, _others in lines:
        share = int(found) / int(fleets)
        if share > 0.05 if name == "none" else share < 0.95 and name[0].isdigit() and "hours" not in name:
            missed.append(f"changes of a fleet, {name}: {percent(share)}")
        if wrong != "-" and float(wrong) > ALPHA:
            missed.append(f"changes of a fleet, {name}: {percent(wrong)} of the names are wrong")
    return missed + ([] if len(lines) == 7 else ["not every change of a fleet was simulated"])


def interval_cost(lines):
    """The time that the interval of the median difference takes."""
    rows = [
        [f"{rounds} rounds × {names} names", f"{milliseconds} ms"]
        for rounds, names, milliseconds, _ in lines
    ]
    table(["interval of the median difference", "takes"], rows)
    slow = [line for line in lines if line[:2] == ["300", "10"] and float(line[2]) >= 1]
    missed = ["the interval of 300 × 10 takes 1 ms or more"] if slow else []
    if len(lines) != 2 or any(line[3] != "true" for line in lines):
        missed.append("an interval did not hold the true difference")
    return missed
