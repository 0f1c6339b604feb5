"""Time and size of reports of many resolvers and of many places, compared with a tenth of them."""

import json
import os
import statistics
import tempfile

from benchmarks import clients
from benchmarks.store import RUNS, finish
from benchmarks.table import table

ROUNDS = 12
FEW, MANY = 100, 1_000
REPORTS = {
    "page": ["-o", "report.html"],
    "page, with a baseline": ["--baseline", "r0", "-o", "report.html"],
    "Markdown, by hour": ["--by", "hour", "-o", "report.md"],
    "JSON, with a baseline": ["--baseline", "r0", "-o", "report.json"],
}
FEW_PLACES, MANY_PLACES = 900, 9_000
REPORTS_OF_PLACES = {
    "page": ["-o", "report.html"],
    "page, by place": ["--by", "vantage", "-o", "report.html"],
    "page, with a baseline": ["--baseline", "system", "-o", "report.html"],
}
# A response with one address for www.example.net, in base64.
ANSWER = "AAeBgAABAAEAAAAAA3d3dwdleGFtcGxlA25ldAAAAQABwAwAAQABAAABLAAEwAACAQ=="


def pages():
    """Prints the time of reports of 100 and 1,000 resolvers, and of 900 and 9,000 places."""
    with tempfile.TemporaryDirectory() as folder:
        for count in (FEW, MANY):
            write(f"{folder}/{count}.csv", count)
        for count in (FEW_PLACES, MANY_PLACES):
            write_places(f"{folder}/{count}.json", count)
        rows = [
            row(name, options, folder, f"{FEW}.csv", f"{MANY}.csv")
            for name, options in REPORTS.items()
        ]
        rows_of_places = [
            row(name, options, folder, f"{FEW_PLACES}.json", f"{MANY_PLACES}.json")
            for name, options in REPORTS_OF_PLACES.items()
        ]
    print(f"Reports of samples files with {FEW} and {MANY:,} resolvers, {ROUNDS} rounds of one name.")
    print("The time is from start to exit. The runs of the two files alternate. Times and ratios are")
    print(f"medians of {RUNS} runs.\n")
    table(["", f"{FEW}, ms", f"{MANY:,}, ms", "ratio", f"KB of {MANY:,}"], rows)
    print("\nReports of RIPE Atlas results. Each probe has two resolvers of its own.\n")
    header = ["", f"{FEW_PLACES}, ms", f"{MANY_PLACES:,}, ms", "ratio", f"KB of {MANY_PLACES:,}"]
    table(header, rows_of_places)


def row(name, options, folder, few_file, many_file):
    """Returns the times of a report of each file, their ratio, and the size of the larger report."""
    words = [f"{folder}/{word}" if word.startswith("report.") else word for word in options]
    pairs = [
        [
            finish([clients.DNSTEMPO, "report", f"{folder}/{file}", *words], home=folder).wall
            for file in (few_file, many_file)
        ]
        for _ in range(RUNS)
    ]
    few, many = (statistics.median(times) for times in zip(*pairs))
    ratio = statistics.median(large / small for small, large in pairs)
    size = os.path.getsize(words[-1]) / 1000
    return [name, f"{few * 1000:,.0f}", f"{many * 1000:,.0f}", f"{ratio:.1f}", f"{size:,.0f}"]


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


def write_places(path, count):
    """Writes results of probes that each query two resolvers of their own. At every eighth probe, the
    second resolver does not answer."""
    with open(path, "w") as file:
        for probe in range(1, count + 1):
            second = 1_767_225_600 + 2 * probe
            times = [5 + probe % 9, 15 + probe % 9]
            addresses = [
                f"192.168.{probe % 250}.{1 + probe // 250}",
                f"10.0.{probe % 250}.{1 + probe // 250}",
            ]
            answers = [
                {"dst_addr": address, "time": second, "subid": number, "submax": 2}
                | (
                    {"error": {"timeout": 5000}}
                    if number == 2 and probe % 8 == 0
                    else {"result": {"rt": time, "size": 49, "abuf": ANSWER}}
                )
                for number, (address, time) in enumerate(zip(addresses, times), 1)
            ]
            result = {"fw": 5080, "type": "dns", "msm_id": 1, "prb_id": probe}
            file.write(json.dumps(result | {"timestamp": second, "resultset": answers}) + "\n")
