"""The store: import, size and reports, compared with Python's sqlite3 and the sqlite3 shell."""

import json
import math
import os
import random
import sqlite3
import statistics
import sys
import tempfile
import time

from benchmarks import clients
from benchmarks.processes import run
from benchmarks.samples import RESOLVERS, Months, moment
from benchmarks.servers import delaying
from benchmarks.table import table

IMPORT_ROUNDS, IMPORT_NAMES = 50_000, 8
YEAR_ROUNDS, YEAR_NAMES = 105_120, 19
RUNS = 5
# A week in the middle of the year.
WEEK = (61 * 288, 68 * 288)
PARTS = {"median_ms": 0.5, "p90_ms": 0.9, "p95_ms": 0.95, "p99_ms": 0.99}


def finish(arguments, limit=1_800, home=None):
    """Runs a program to its end. Its failure ends the benchmark."""
    finished = run(arguments, limit=limit, home=home)
    if finished.status != 0:
        reason = (finished.errors.strip() or f"exit status {finished.status}").splitlines()[-1]
        raise SystemExit(f"bench: {' '.join(arguments[:3])} failed: {reason}")
    return finished


# Streams the file into one table without an index, as a script would.
PYTHON_IMPORT = """
import csv, sqlite3, sys
database = sqlite3.connect(sys.argv[2])
with open(sys.argv[1], newline="") as file:
    rows = csv.reader(file)
    header = next(rows)
    database.execute(f"CREATE TABLE sample ({', '.join(header)})")
    marks = ", ".join("?" * len(header))
    database.executemany(f"INSERT INTO sample VALUES ({marks})", rows)
database.commit()
"""


def store():
    """Prints the time to import samples and their size in the store."""
    with tempfile.TemporaryDirectory() as folder:
        file, samples = f"{folder}/samples.csv", Months(IMPORT_ROUNDS, IMPORT_NAMES)
        samples.write(file)
        count = samples.samples
        commands = {
            "dnstempo store import": lambda path: [
                clients.DNSTEMPO, "store", "import", file, "--store", path
            ],
            "Python's sqlite3": lambda path: [sys.executable, "-c", PYTHON_IMPORT, file, path],
            "the sqlite3 shell": lambda path: [
                "sqlite3", path, ".mode csv", f".import {file} sample"
            ],
        }  # fmt: skip
        times = {name: [] for name in commands}
        sizes, peaks = {}, {}
        for _ in range(3):
            for name, command in commands.items():
                path = f"{folder}/{len(name)}.sqlite"
                finished = finish(command(path), home=folder)
                times[name].append(finished.wall)
                sizes[name], peaks[name] = size(path), finished.peak
                remove(path)
    base = times["Python's sqlite3"]
    print(f"{count:,} samples in {IMPORT_ROUNDS:,} rounds from one CSV file. Medians of 3 alternating runs.")
    print("dnstempo writes every index and the hourly sums. The others write one table without indexes.\n")
    table(
        ["", "s", "× Python's", "bytes per sample", "peak MiB"],
        [
            [
                name,
                f"{statistics.median(values):.1f}",
                f"{statistics.median(a / b for a, b in zip(values, base)):.2f}",
                f"{sizes[name] / count:.1f}",
                f"{peaks[name] / 2**20:.0f}",
            ]
            for name, values in times.items()
        ],
    )


def size(path):
    """Returns the size of a store in bytes, including its log."""
    return sum(os.path.getsize(path + end) for end in ("", "-wal") if os.path.exists(path + end))


def remove(path):
    """Removes a store with its other files."""
    for end in ("", "-wal", "-shm", ".lock"):
        if os.path.exists(path + end):
            os.remove(path + end)


def year():
    """Prints the time of reports over a year of samples, and the errors of their quantiles."""
    with tempfile.TemporaryDirectory() as folder:
        file, path, plain = f"{folder}/year.csv", f"{folder}/year.sqlite", f"{folder}/plain.sqlite"
        samples = Months(YEAR_ROUNDS, YEAR_NAMES)
        samples.write(file)
        finish([clients.DNSTEMPO, "store", "import", file, "--store", path], home=folder)
        finish([sys.executable, "-c", PYTHON_IMPORT, file, plain])
        os.remove(file)
        begin, end = (f"{moment(number):%Y-%m-%dT%H:%M:%SZ}" for number in (0, YEAR_ROUNDS))
        since, until = (f"{moment(number):%Y-%m-%dT%H:%M:%SZ}" for number in WEEK)
        ours = [clients.DNSTEMPO, "report", path, "--origin", "import", "--format", "json"]
        scan = "SELECT resolver, count(*), avg(rtt_ms) FROM sample{} GROUP BY resolver"
        where = f" WHERE sent >= '{since}' AND sent < '{until}'"
        commands = {
            "year, hourly sums": [*ours, "--since", begin, "--until", end],
            "year, sqlite3 shell, means": ["sqlite3", plain, scan.format("")],
            "week, samples": [*ours, "--since", since, "--until", until, "--exact"],
            "week, sqlite3 shell, means": ["sqlite3", plain, scan.format(where)],
        }
        results = {name: [] for name in commands}
        for _ in range(RUNS):
            for name, command in commands.items():
                if "shell" not in name or not results[name]:
                    results[name].append(finish(command, home=folder))
    print(f"{samples.samples:,} samples of {YEAR_ROUNDS:,} rounds. Medians of {RUNS} alternating runs. The")
    print("shell reads one table without indexes, and runs once.\n")
    table(
        ["", "ms", "max ms", "processor ms", "peak MiB"],
        [
            [
                name,
                f"{statistics.median(one.wall for one in runs) * 1000:,.0f}",
                f"{max(one.wall for one in runs) * 1000:,.0f}",
                f"{statistics.median(one.cpu for one in runs) * 1000:,.0f}",
                f"{max(one.peak for one in runs) / 2**20:.0f}",
            ]
            for name, runs in results.items()
        ],
    )
    print()
    errors(samples, json.loads(results["year, hourly sums"][0].output))


def errors(samples, report):
    """Prints the errors of a report's quantiles, relative to the exact quantiles."""
    rows, worst = [], 0
    for row in report["rows"]:
        name = row["name"]
        cells = []
        for key, part in PARTS.items():
            exact = samples.exact(name, part)
            if row[key] is None or math.isinf(exact):
                if row[key] is not None or not math.isinf(exact):
                    raise SystemExit(f"bench: {key} of {name} is {row[key]}, expected {exact}")
                cells.append("> 5 s")
                continue
            error = abs(row[key] / exact - 1)
            worst = max(worst, error)
            cells.append(f"{error * 100:.2f} %")
        rows.append([name, *cells])
    if len(rows) != len(RESOLVERS):
        raise SystemExit(f"bench: the report has {len(rows)} resolvers, expected {len(RESOLVERS)}")
    print("Errors of the year's quantiles, relative to the exact quantiles:\n")
    table(["", *(key.removesuffix("_ms") for key in PARTS)], rows)
    print(f"\nThe largest error is {worst * 100:.2f} %.")


def sample():
    """Prints the processor time of `sample`: one round of 40 queries into the store."""
    resolvers, names = 4, [f"n{number}.example.com" for number in range(10)]
    with delaying(5) as port, tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/rounds.sqlite"
        command = [clients.DNSTEMPO, "sample", "--store", path, "--warmup", "0", "--rate", "50"]
        command += ["--total-rate", "200"]
        command += [f"r{number}=127.0.0.1:{port}" for number in range(resolvers)]
        for name in names:
            command += ["-d", name]
        # Runs alternate with a start of dig, so that other load of the machine affects both equally.
        runs = [(finish(command, home=folder), finish(["dig", "-v"])) for _ in range(21)][1:]
        info = finish([clients.DNSTEMPO, "store", "info", "--store", path, "--format", "json"])
        stored = json.loads(info.output)
    if stored["samples"] != 21 * 40:
        raise SystemExit(f"bench: the store has {stored['samples']} samples, expected {21 * 40}")
    cpu = sorted(ours.cpu * 1000 for ours, _ in runs)
    ratio = statistics.median(ours.cpu / dig.cpu for ours, dig in runs)
    print("20 runs of `dnstempo sample` with 40 queries each, to a resolver with a delay of 5 ms. The store")
    print(f"is durable. Processor time: median {statistics.median(cpu):.1f} ms, at most {cpu[-1]:.1f} ms,")
    print(f"{ratio:.1f} times that of `dig -v`. Time from start to exit, at 200 queries/s:")
    print(f"{statistics.median(ours.wall for ours, _ in runs) * 1000:.0f} ms.")


def tables():
    """Prints a usual comparison of databases on a store's tables: batches, keys and joins."""
    with tempfile.TemporaryDirectory() as folder:
        file, path = f"{folder}/samples.csv", f"{folder}/store.sqlite"
        Months(2_500, 8).write(file)
        finish([clients.DNSTEMPO, "store", "import", file, "--store", path], home=folder)
        database = sqlite3.connect(path, isolation_level=None)
        rows = batches(database, f"{folder}/batches.sqlite") + fetches(database) + joins(database)
        database.close()
    print("10,000 durable inserts into a store's table, with one transaction per batch. Then on 100,000")
    print("samples: a fetch by key or by a column without an index, and a count and mean grouped by a column")
    print("that is 0 to 4 joins away. Python's sqlite3; ratios are to the first row of each group.\n")
    table(["", "ms", "ratio"], rows)


def batches(source, path):
    """Inserts samples into a copy of the store's table, in batches of each size."""
    rows = source.execute("SELECT * FROM sample LIMIT 10000").fetchall()
    definitions = [
        sql
        for (sql,) in source.execute("SELECT sql FROM sqlite_master WHERE name = 'sample'")
    ]
    marks = ", ".join("?" * len(rows[0]))
    times = []
    for batch in (10_000, 1_000, 100, 10, 1):
        remove(path)
        database = sqlite3.connect(path, isolation_level=None)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        for sql in definitions:
            database.execute(sql)
        start = time.perf_counter()
        for first in range(0, len(rows), batch):
            database.execute("BEGIN IMMEDIATE")
            database.executemany(f"INSERT INTO sample VALUES ({marks})", rows[first : first + batch])
            database.execute("COMMIT")
        times.append((f"insert, batches of {batch:,}", time.perf_counter() - start))
        database.close()
    return ratios(times)


def fetches(database):
    """Fetches samples by key, and by their round trip, which has no index."""
    rows = database.execute("SELECT round, position, round_trip FROM sample").fetchall()
    chosen = random.Random(2009).sample([row for row in rows if row[2] is not None], 50)
    by_key = "SELECT * FROM sample WHERE round = ? AND position = ?"
    by_attribute = "SELECT * FROM sample WHERE round_trip = ?"
    times = []
    for name, sql, keys in (
        ("fetch by key", by_key, [row[:2] for row in chosen]),
        ("fetch by a column without an index", by_attribute, [row[2:] for row in chosen]),
    ):
        start = time.perf_counter()
        for key in keys:
            if not database.execute(sql, key).fetchall():
                raise SystemExit("bench: an existing sample was not found")
        times.append((name, (time.perf_counter() - start) / len(keys)))
    return ratios(times)


def joins(database):
    """Runs the same count and mean over 1 to 5 tables."""
    steps = [
        ("probe", ""),
        ("probe.target", " JOIN probe ON probe.id = sample.probe"),
        ("target.endpoint", " JOIN target ON target.id = probe.target"),
        ("endpoint.address", " JOIN endpoint ON endpoint.id = target.endpoint"),
        ("question.name", " JOIN question ON question.id = probe.question"),
    ]
    times, joined = [], ""
    for count, (column, join) in enumerate(steps):
        joined += join
        sql = f"SELECT {column}, count(*), avg(round_trip) FROM sample{joined} GROUP BY 1"
        runs = []
        for _ in range(RUNS):
            start = time.perf_counter()
            database.execute(sql).fetchall()
            runs.append(time.perf_counter() - start)
        times.append((f"count and mean, {count} joins", statistics.median(runs)))
    return ratios(times)


def ratios(times):
    """Returns rows of a table, with milliseconds and the ratio to the first row."""
    first = times[0][1]
    return [
        [name, f"{seconds * 1000:,.3f}", f"{seconds / first:,.1f}"] for name, seconds in times
    ]
