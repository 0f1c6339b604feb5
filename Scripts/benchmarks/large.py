"""Reports that read millions of samples one by one: their memory, and their time."""

import datetime
import os
import statistics
import tempfile

from benchmarks import clients
from benchmarks.samples import START, Months
from benchmarks.store import finish
from benchmarks.table import table

ROUNDS_A_DAY, NAMES = 288, 19
RUNS = 3
# What no report may exceed, in MiB.
MOST = 300
# Days of samples, and what is reported of them.
REPORTS = {
    110: {
        "beside a baseline": ["--baseline", "system"],
        "page, beside a baseline": ["--baseline", "system", "-o", "report.html"],
        "exactly": ["--exact"],
        "page, exactly": ["--exact", "-o", "report.html"],
    },
    366: {
        "from hourly sums": [],
        "page, from hourly sums": ["-o", "report.html"],
        "exactly": ["--exact"],
        "page, exactly": ["--exact", "-o", "report.html"],
    },
}


def large():
    """Prints memory and time of reports over 3 and over 10 million samples."""
    rows = [row for days, reports in REPORTS.items() for row in measure(days, reports)]
    print("Reports over samples of five resolvers in a store; the greatest memory and the median time")
    print(f"of {RUNS} runs.\n")
    table(["samples", "report", "peak MiB", "s", "processor s"], rows)
    over = [row for row in rows if float(row[2]) > MOST]
    if over:
        raise SystemExit(f"bench: a report of {over[0][0]} samples takes more than {MOST} MiB")


def measure(days, reports):
    """A row for each of the reports over so many days."""
    with tempfile.TemporaryDirectory() as folder:
        file, path = f"{folder}/days.csv", f"{folder}/days.sqlite"
        samples = write(file, days)
        finish([clients.DNSTEMPO, "store", "import", file, "--store", path], home=folder)
        os.remove(file)
        window = ["--since", f"{START:%Y-%m-%d}", "--until", f"{moment(days):%Y-%m-%d}"]
        command = [clients.DNSTEMPO, "report", path, "--origin", "import", *window]
        for name, options in reports.items():
            words = [f"{folder}/{word}" if word.startswith("report.") else word for word in options]
            runs = [finish(command + words, home=folder) for _ in range(RUNS)]
            yield [
                f"{samples:,}",
                name,
                f"{max(run.peak for run in runs) / 2**20:.0f}",
                f"{statistics.median(run.wall for run in runs):.1f}",
                f"{statistics.median(run.cpu for run in runs):.1f}",
            ]


def write(path, days):
    """Writes a samples file in which every day is as the first; returns how many samples it has."""
    day = Months(ROUNDS_A_DAY, NAMES)
    day.write(path)
    with open(path) as file:
        header, first = file.readline(), file.read()
    with open(path, "w") as file:
        file.write(header)
        for number in range(days):
            date = moment(number)
            text = first.replace(f"{START:%Y-%m-%dT}", f"{date:%Y-%m-%dT}")
            file.write(text.replace(f"{START:%Y%m%dT}", f"{date:%Y%m%dT}"))
    return day.samples * days


def moment(day):
    """When a day begins, in UTC; days count from 0."""
    return START + datetime.timedelta(days=day)
