"""How long it takes until the answer is sure, at the pace that public resolvers are asked at."""

import json
import math
import random
import statistics
import tempfile

from benchmarks import clients, servers
from benchmarks.processes import run
from benchmarks.table import table

# The experiment of 2009: a hundred rounds, half a minute from start to start, then the means.
LOOP_ROUNDS = 100
LOOP_INTERVAL = 30
NAMES = [f"{letter}.example.com" for letter in "abcdefghij"]
# So many candidates, with so many runs; where it would take hours, asking all to the end is left out.
FIELDS = [(1, 3, True), (4, 3, True), (11, 2, True), (63, 2, False)]
CURRENT = 20


def race():
    """Prints seconds to the recommendation, warm-up and the way there included."""
    print("From the command to its answer, 10 names, 5 queries/s to one resolver and 15 in all:\n")
    header = ["resolvers", "rounds", "seconds", "most", "queries", "of the best", "--keep-all", "loop"]
    table(header, [_row(*field) for field in FIELDS])
    print(
        "\nThe median of several fields of resolvers, whose delays in ms are log-normal around 27 "
        f"(σ .55); the current one has {CURRENT}. 'of the best': how often the one to use was within "
        "1 ms or 5 % of the fastest. '--keep-all' asks all of them until each has its verdict. The "
        f"loop of 2009 took {LOOP_ROUNDS} rounds, {LOOP_INTERVAL} s apart, whatever they showed: "
        f"{LOOP_ROUNDS * LOOP_INTERVAL // 60} minutes."
    )


def _row(candidates, repeats, keeps_all):
    drawn = random.Random(candidates)
    fields = [
        [CURRENT] + [max(2, round(27 * math.exp(drawn.gauss(0, 0.55)))) for _ in range(candidates)]
        for _ in range(repeats)
    ]
    results = [_compare(delays, []) for delays in fields]
    whole = [_compare(delays, ["--keep-all"]) for delays in fields if keeps_all]
    seconds = [result["seconds"] for result in results]
    loop = LOOP_ROUNDS * LOOP_INTERVAL
    return [
        str(candidates + 1),
        f"{statistics.median(result['rounds'] for result in results):.0f}",
        f"{statistics.median(seconds):.0f}",
        f"{max(seconds):.0f}",
        f"{statistics.median(result['queries'] for result in results):.0f}",
        f"{sum(result['is_best'] for result in results)} of {repeats}",
        f"{statistics.median(one['seconds'] for one in whole):.0f} s" if whole else "",
        f"1/{loop / statistics.median(seconds):.0f}",
    ]


def _compare(delays, options):
    """Rounds and queries that were taken, the seconds from start to exit, and whether the best of
    `delays`, of which the first is that in use, was named."""
    with servers.delaying_each(delays) as ports:
        endpoints = [f"r{number}=127.0.0.1:{port}" for number, port in enumerate(ports)]
        command = [clients.DNSTEMPO, "compare", *endpoints, "--rate", "5", "--total-rate", "15"]
        command += [option for name in NAMES for option in ("-d", name)]
        command += ["--baseline", "r0", "--format", "json", "--no-store", *options]
        with tempfile.TemporaryDirectory() as home:
            finished = run(command, limit=1800, home=home)
    if finished.status != 0:
        raise SystemExit(f"bench: compare ended with {finished.status}: {finished.errors}")
    report = json.loads(finished.output)
    switches = {one["candidate"] for one in report["comparisons"] if one["verdict"] == "switch"}
    # The first in the order of the table.
    named = next((one["name"] for one in report["resolvers"] if one["name"] in switches), "r0")
    chosen = delays[int(named[1:])]
    # A difference below the margin is none that is asked for.
    fastest = min(delays) if min(delays) < CURRENT - 5 else CURRENT
    return {
        "rounds": max(one["rounds"] for one in report["comparisons"]),
        "queries": sum(one["sent"] for one in report["resolvers"]),
        "seconds": finished.wall,
        "is_best": chosen - fastest <= max(1, 0.05 * fastest),
    }
