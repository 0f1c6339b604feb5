"""Memory and time of reports that read millions of samples one by one."""

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
# Upper bound of the peak memory of a report, in MiB.
MOST = 300
# The reports by the number of days of samples.
REPORTS = {
    110: {
        "with a baseline": ["--baseline", "system"],
        "page, with a baseline": ["--baseline", "system", "-o", "report.html"],
        "exact": ["--exact"],
        "page, exact": ["--exact", "-o", "report.html"],
    },
    366: {
        "from hourly sums": [],
        "page, from hourly sums": ["-o", "report.html"],
        "exact": ["--exact"],
        "page, exact": ["--exact", "-o", "report.html"],
    },
}


def large():
    """Prints memory and time of reports over 3 and 10 million samples."""
    rows = [row for days, reports in REPORTS.items() for row in measure(days, reports)]
    print("Reports over samples of five resolvers in a store. Maximum peak memory and median time of")
    print(f"{RUNS} runs.\n")
    table(["samples", "report", "peak MiB", "s", "processor s"], rows)
    over = [row for row in rows if float(row[2]) > MOST]
    if over:
        raise SystemExit(f"bench: a report of {over[0][0]} samples takes more than {MOST} MiB")


def measure(days, reports):
    """Yields a row of the table per report over `days` days."""
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
    """Writes a samples file in which every day repeats the first. Returns the number of samples."""
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
    """Returns the start of a day in UTC. Numbers of days begin at 0."""
    return START + datetime.timedelta(days=day)
