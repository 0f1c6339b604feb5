"""Reports of many resolvers: what ten times as many cost."""

import statistics
import tempfile

from benchmarks import clients
from benchmarks.store import RUNS, finish
from benchmarks.table import table

ROUNDS = 12
FEW, MANY = 100, 1_000
REPORTS = {
    "page": ["-o", "report.html"],
    "page, beside a baseline": ["--baseline", "r0", "-o", "report.html"],
    "Markdown, by the hour": ["--by", "hour", "-o", "report.md"],
    "JSON, beside a baseline": ["--baseline", "r0", "-o", "report.json"],
}


def pages():
    """Prints the time of reports of 100 and of 1,000 resolvers, asked in turn."""
    with tempfile.TemporaryDirectory() as folder:
        for count in (FEW, MANY):
            write(f"{folder}/{count}.csv", count)
        rows = [row(name, options, folder) for name, options in REPORTS.items()]
    print(f"Samples files of {FEW} and of {MANY:,} resolvers, {ROUNDS} rounds of one name: from start")
    print(f"to exit, in turn; medians of {RUNS} runs each, and of their {RUNS} ratios.\n")
    table(["", f"{FEW}, ms", f"{MANY:,}, ms", "ratio"], rows)


def row(name, options, folder):
    pairs = []
    for _ in range(RUNS):
        pairs.append(
            [
                finish(
                    [clients.DNSTEMPO, "report", f"{folder}/{count}.csv"]
                    + [f"{folder}/{word}" if word.startswith("report.") else word for word in options],
                    home=folder,
                ).wall
                for count in (FEW, MANY)
            ]
        )
    few, many = (statistics.median(times) for times in zip(*pairs))
    ratio = statistics.median(large / small for small, large in pairs)
    return [name, f"{few * 1000:,.0f}", f"{many * 1000:,.0f}", f"{ratio:.1f}"]


def write(path, count):
    """Writes a samples file whose resolvers answer in 5 to 45 ms."""
    with open(path, "w") as file:
        file.write("run,round,sent,vantage,resolver,endpoint,name,outcome,rtt_ms\n")
        for number in range(1, ROUNDS + 1):
            for resolver in range(count):
                time = 5 + (resolver * 7 + number * 13) % 40 + resolver % 10 / 10
                file.write(
                    f"r,{number},2026-10-01T00:{number:02}:{resolver // 20 % 60:02}.{resolver:06}Z,home,"
                    f"r{resolver},10.{resolver // 250}.{resolver % 250}.1:53,example.com,answered,{time}\n"
                )
