"""Frequency of wrong verdicts and number of rounds to a verdict, on simulated paths."""

import os

from benchmarks import clients
from benchmarks.processes import run
from benchmarks.table import table

# Median and 90th percentile of the rounds in a reference simulation, by margin, shift and path. The 90th
# percentile is None if it was not recorded.
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
    """Runs the simulations, and returns the fields of each line of their output."""
    build = ["swift", "build", "-c", "release", "--product", "VerdictBench"]
    built = run([*build, "--package-path", clients.ROOT], limit=900)
    if built.status != 0:
        raise SystemExit(f"bench: the build of VerdictBench failed:\n{built.output}{built.errors}")
    program = os.path.join(clients.ROOT, ".build", "release", "VerdictBench")
    finished = run([program, *arguments], limit=3_000)
    if finished.status != 0:
        raise SystemExit(f"bench: VerdictBench failed with status {finished.status}: {finished.errors}")
    return [line.split("|") for line in finished.output.splitlines()]


def fail(missed):
    if missed:
        raise SystemExit("bench: a result missed its target:\n" + "\n".join(missed))


def verdict():
    """Prints false decisions and rounds to a verdict. Fails if a result misses its target."""
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
    """Prints the false decisions between equal resolvers, and returns missed targets."""
    print("False decisions between equal resolvers. The evidence is examined after each of 300 rounds of")
    print("10 names. Target: at most 5 %.\n")
    rows = [
        [name, repetitions, *(percent(share) for share in shares)]
        for name, repetitions, *shares in lines
    ]
    table(["case", "runs", "direction established", "more failures, or best excluded"], rows)
    print()
    return [
        f"{name}: {share} is above {ALPHA}"
        for name, _, *shares in lines
        for share in shares
        if float(share) > ALPHA
    ] or ([] if len(lines) == 7 else [f"expected 7 cases of equal resolvers, found {len(lines)}"])


def rounds_to_verdict(lines):
    """Prints the rounds until a difference is established, and until the verdict. Returns missed targets."""
    print("Rounds of 10 names until the difference is established, and until the verdict. The checks of")
    print("failures and of the mean may delay the verdict. Median / 90th percentile of 1,000 runs:\n")
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
            missed.append(f"{name}: median of {median} rounds, expected {expected[0]} within 10 %")
        if int(wrong) > ALPHA * 1000:
            missed.append(f"{name}: {wrong} of 1,000 runs established the wrong direction")
    header = ["path", "established", "reference", "wrong", "verdict", "switch", "keep", "undecided"]
    table(header, rows)
    print()
    compared = sum(len(paths) for paths in REFERENCE.values())
    if len(rows) < compared:
        missed.append(f"expected at least {compared} cases of rounds, found {len(rows)}")
    return missed


def lossy_candidates(lines):
    """Prints the results of a candidate that is faster but loses queries. Returns missed targets."""
    print("100 rounds of 10 names. The candidate is 10 ms faster and loses queries. The baseline loses")
    print("none:\n")
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
    return missed + ([] if len(lines) == 3 else [f"expected 3 cases of losses, found {len(lines)}"])


def rank_errors(lines):
    """Prints how often rank intervals exclude the true rank. Returns missed targets."""
    print("Rank intervals after 100 rounds of 10 names, of the middle resolver and of any resolver. Target:")
    print("at most 5 % wrong for the middle resolver.\n")
    rows = [[name, runs, percent(one), percent(any), width] for name, runs, one, any, width in lines]
    table(["resolvers", "runs", "middle one wrong", "any wrong", "mean width"], rows)
    print()
    missed = [
        f"{name}: the ranks of the middle resolver are wrong in {percent(one)} of the runs"
        for name, _, one, _, _ in lines
        if float(one) > ALPHA
    ]
    return missed + ([] if len(lines) == 9 else [f"expected 9 cases of ranks, found {len(lines)}"])


def elimination_errors(lines):
    """Prints the results of runs that eliminate candidates. Returns missed targets."""
    print("Runs that eliminate candidates, at 15 queries/s for at most five minutes. Targets: at most 5 %")
    print("false switches, and the best resolver in at least 95 %.\n")
    rows = [
        [name, runs, *(percent(share) for share in shares), f"{float(half):.0f} / {float(most):.0f}"]
        for name, runs, *shares, half, most in lines
    ]
    table(["candidates", "runs", "false switch", "best found", "undecided", "seconds, median / 90 %"], rows)
    print()
    missed = [
        f"{name}: {percent(wrong)} false switches" for name, _, wrong, *_ in lines if float(wrong) > ALPHA
    ]
    missed += [
        f"{name}: the best resolver found in {percent(best)}"
        for name, _, _, best, *_ in lines
        if name.startswith("a field") and float(best) < 1 - ALPHA
    ]
    return missed + ([] if len(lines) == 14 else [f"expected 14 cases of elimination, found {len(lines)}"])


def causes():
    """Prints the causes that reports give for simulated changes. Fails if a result misses its target.

    A history has 22 days with a round every five minutes, from samples to the report. It has a change by 6
    to 20 ms. The change has one cause, or two causes with half of the change each.
    """
    lines = [line[1:] for line in simulated("causes")]
    print("Causes of changes. Targets for detected changes: at least 95 % correct, at most 1 % wrong.\n")
    header = ["cause", "histories", "correct", "mixed or unknown", "wrong", "change not detected"]
    table(header, lines)
    histories, right, _, wrong, missing = (
        sum(int(line[column]) for line in lines) for column in range(1, 6)
    )
    found = histories - missing
    fail(
        [f"{right} of {found} detected changes have the correct cause"] * (right < 0.95 * found)
        + [f"{wrong} of {found} detected changes have a wrong cause"] * (wrong > 0.01 * found)
    )


def volley_pairing(lines):
    """Prints the rounds until a small difference is established. Returns missed targets."""
    print("Median rounds of 10 names until a difference of 1 ms is established. All resolvers share the")
    print("jitter of the line:\n")
    table(["jitter changes every", "runs", "without volleys", "with volleys"], lines)
    print()
    return [
        f"jitter of {length}: {with_them} rounds with volleys, {without} without"
        for length, _, without, with_them in lines
        if int(with_them) > int(without)
    ] or ([] if len(lines) == 2 else [f"expected 2 cases of jitter, found {len(lines)}"])


def tail_errors(lines):
    """Prints the detection of changes of the slow answers. Returns missed targets.

    A history has four weeks and ten names. Three of the names are 15 ms slower in the third week. The return
    to the earlier times is the end of the incident, or a change back.
    """
    print("Three of ten names are slower for a week. Targets: at most 5 % false, at least 95 % found.\n")
    delays = ["after h, median", "90 %"]
    causes = ["attributed to the names", "mixed or unknown", "wrong"]
    table(["change", "histories", "found", *delays, *causes], lines)
    print()
    found = {line[0]: int(line[2]) / int(line[1]) for line in lines}
    missed = [
        f"changes of the slow answers, {name}: {percent(share)}"
        for name, share in found.items()
        if (share < 0.95 if name in ("slower", "return") else share > 0.05)
    ]
    return missed + ([] if len(lines) == 4 else [f"expected 4 cases of slow answers, found {len(lines)}"])


def cache_errors(lines):
    """Prints the detection of changes of a cache. Returns missed targets.

    A history has four weeks, and ten names every five minutes. The share of names in the cache changes
    after two weeks.
    """
    print("Changes of the share of names in a cache. Targets: at most 5 % false, at least 95 % found. The")
    print("restless users have no target: their queries vary from day to day, and change the share.\n")
    delays = ["after h, median", "90 %"]
    table(["change", "names in the cache", "histories", "found", *delays, "other changes"], lines)
    print()
    found = {(line[0], line[1]): int(line[3]) / int(line[2]) for line in lines}
    missed = [
        f"changes of a cache, {name}, {shares}: {percent(share)}"
        for (name, shares), share in found.items()
        if name != "restless users" and (share < 0.95 if name.endswith("cached") else share > 0.05)
    ]
    return missed + ([] if len(lines) == 12 else [f"expected 12 cases of a cache, found {len(lines)}"])


def fleet_errors(lines):
    """Prints the detection of changes of a fleet. Returns missed targets.

    A fleet has three resolvers at fifty places over four weeks. One resolver becomes slower after three
    weeks.
    """
    print("A resolver becomes slower at a part of 50 places. Targets: at most 5 % of the named places are")
    print("wrong, and at least 95 % of the changes are found.\n")
    delays = ["after h, median", "90 %"]
    table(["change", "fleets", "found", *delays, "slow places named", "named wrongly", "others"], lines)
    print()
    missed = []
    for name, fleets, found, *_, wrong, _others in lines:
        share = int(found) / int(fleets)
        if share > 0.05 if name == "none" else share < 0.95 and name[0].isdigit() and "hours" not in name:
            missed.append(f"changes of a fleet, {name}: {percent(share)}")
        if wrong != "-" and float(wrong) > ALPHA:
            missed.append(f"changes of a fleet, {name}: {percent(wrong)} of the named places are wrong")
    return missed + ([] if len(lines) == 7 else [f"expected 7 cases of a fleet, found {len(lines)}"])


def interval_cost(lines):
    """Prints the time to compute the interval of the median difference. Returns missed targets."""
    rows = [
        [f"{rounds} rounds × {names} names", f"{milliseconds} ms"]
        for rounds, names, milliseconds, _ in lines
    ]
    table(["interval of the median difference", "time"], rows)
    slow = [line for line in lines if line[:2] == ["300", "10"] and float(line[2]) >= 1]
    missed = ["the interval of 300 rounds × 10 names takes 1 ms or more"] if slow else []
    if len(lines) != 2 or any(line[3] != "true" for line in lines):
        missed.append("an interval is missing, or excludes the true difference")
    return missed
