"""How long it takes until the answer is sure, at the pace that public resolvers are asked at."""

import contextlib
import json
import statistics
import tempfile

from benchmarks import clients, servers
from benchmarks.processes import run
from benchmarks.table import table

# The experiment of 2009: a hundred rounds, half a minute from start to start, then the means.
LOOP_ROUNDS = 100
LOOP_INTERVAL = 30
REPEATS = 5
NAMES = [f"{letter}.example.com" for letter in "abcdefghij"]


def race():
    """Prints seconds to the last verdict, warm-up and the way there included."""
    rows = [_row(delays) for delays in ([20, 5], [20, 5, 12, 40], [20, 12])]
    print("From the command to its answer, 10 names, 5 queries/s to one resolver and 15 in all:\n")
    header = ["delays in ms, the first in use", "rounds", "seconds", "most", "part of the loop"]
    table(header, rows)
    print(
        f"\nThe loop took {LOOP_ROUNDS} rounds, {LOOP_INTERVAL} s apart, whatever they showed: "
        f"{LOOP_ROUNDS * LOOP_INTERVAL // 60} minutes."
    )


def _row(delays):
    with contextlib.ExitStack() as stack:
        ports = [stack.enter_context(servers.delaying(delay)) for delay in delays]
        runs = [_compare(ports) for _ in range(REPEATS)]
    seconds = [wall for _, wall in runs]
    median = statistics.median(seconds)
    loop = LOOP_ROUNDS * LOOP_INTERVAL
    return [
        ", ".join(map(str, delays)),
        f"{statistics.median(rounds for rounds, _ in runs):.0f}",
        f"{median:.1f}",
        f"{max(seconds):.1f}",
        f"1/{loop / median:.0f}",
    ]


def _compare(ports):
    """The rounds that were taken, and the seconds from start to exit."""
    endpoints = [f"r{number}=127.0.0.1:{port}" for number, port in enumerate(ports)]
    command = [clients.DNSTEMPO, "compare", *endpoints, "--rate", "5", "--total-rate", "15"]
    command += [option for name in NAMES for option in ("-d", name)]
    command += ["--format", "json", "--no-store"]
    with tempfile.TemporaryDirectory() as home:
        finished = run(command, limit=600, home=home)
    if finished.status != 0:
        raise SystemExit(f"bench: compare ended with {finished.status}: {finished.errors}")
    comparisons = json.loads(finished.output)["comparisons"]
    undecided = [one for one in comparisons if one["verdict"] in ("undecided", "too-close")]
    if undecided:
        raise SystemExit(f"bench: not decided: {undecided}")
    return max(one["rounds"] for one in comparisons), finished.wall
