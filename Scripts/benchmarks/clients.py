"""The programs that are compared, each asked for the round trips that it reports."""

import csv
import datetime
import os
import re
import tempfile
import time
from dataclasses import dataclass

from benchmarks.processes import run

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DNSTEMPO = os.path.join(ROOT, ".build", "release", "dnstempo")
NAME = "www.example.com"


class Unavailable(Exception):
    """Why a program could not be measured."""


@dataclass
class Report:
    """A round trip as a program reports it: nanoseconds, and what it says about itself."""

    time: int
    id: int | None = None
    sent: int | None = None
    clock: str | None = None


def compare(endpoints, rounds, rate, total_rate, names=(NAME,), samples=None, limit=300, more=()):
    """Runs `dnstempo compare`, with `more` arguments, and gives the finished process."""
    command = [DNSTEMPO, "compare", *endpoints, "--rounds", str(rounds), "--warmup", "0"]
    for name in names:
        command += ["-d", name]
    command += ["--rate", str(rate), "--total-rate", str(total_rate), "-q", "--no-store", *more]
    if samples:
        command += ["--samples", samples]
    with tempfile.TemporaryDirectory() as home:
        finished = run(command, limit=limit, home=home)
    if finished.status != 0:
        reason = (finished.errors.strip() or f"it ended with {finished.status}").splitlines()[-1]
        raise Unavailable(f"dnstempo compare failed: {reason}")
    return finished


def dnstempo(port, count, rate):
    """The answered samples of one `dnstempo compare` over UDP."""
    return _samples(f"127.0.0.1:{port}", count, rate, ())


def dnstempo_encrypted(transport, port, certificate, count, rate):
    """The same over one encrypted connection."""
    more = ["--ca", certificate, "--connections", "reuse"]
    return _samples(f"{transport}://127.0.0.1:{port}#bench.test", count, rate, more)


def _samples(endpoint, count, rate, more):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/samples.csv"
        # A round is one query: rounds begin evenly, where the queries of one would be scattered.
        more = [*more, "--interval", f"{round(1000 / rate)}ms"]
        compare([endpoint], count, 10 * rate, 10 * rate, samples=path, more=more)
        if not os.path.exists(path):
            raise Unavailable("dnstempo compare wrote no samples")
        with open(path, newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["outcome"] == "answered"]
    return [
        Report(
            round(float(row["rtt_ms"]) * 1e6),
            sent=nanoseconds(row["sent"]),
            clock=row["clock"],
        )
        for row in rows
    ]


def nanoseconds(text):
    """Reads an ISO 8601 time in UTC, with however many decimals, as nanoseconds since 1970."""
    whole, _, fraction = text.rstrip("Z").partition(".")
    seconds = datetime.datetime.fromisoformat(whole + "+00:00").timestamp()
    return int(seconds) * 10**9 + int((fraction + "0" * 9)[:9])


def paced(count, rate, once):
    """Calls `once` `count` times, `rate` a second at most."""
    due = time.monotonic()
    for _ in range(count):
        time.sleep(max(0, due - time.monotonic()))
        due += 1 / rate
        yield once()


def dig(port, count, rate):
    """A dig process a query, in microseconds."""
    command = ["dig", "-u", "@127.0.0.1", "-p", str(port), "+tries=1", NAME]
    return _processes(command, r"Query time: (\d+) usec", 1e3, count, rate)


def kdig(port, count, rate):
    """A kdig process a query, in tenths of a millisecond."""
    command = ["kdig", "@127.0.0.1", "-p", str(port), "+retry=0", NAME]
    return _processes(command, r"in ([\d.]+) ms", 1e6, count, rate)


def kdig_encrypted(transport, port, certificate, count, rate):
    """A kdig process and a connection a query, which kdig does not count."""
    command = ["kdig", "@127.0.0.1", "-p", str(port), f"+{transport}", f"+tls-ca={certificate}"]
    command += ["+tls-hostname=bench.test", "+retry=0", NAME]
    return _processes(command, r"in ([\d.]+) ms", 1e6, count, rate, shows_id=False)


# It has no option for whom to trust.
DNSPING = """
import os
import sys

certificate = os.environ["SSL_CERT_FILE"] = sys.argv.pop(1)
import certifi

certifi.where = lambda: certificate
import dnsping

dnsping.main()
"""


def dnsping_encrypted(option, port, certificate, count, rate):
    """One dnsping, with a connection a query, which it counts; in the order of the answers."""
    python = os.path.join(ROOT, ".build", "python", "bin", "python")
    command = [python, "-B", "-c", DNSPING, certificate, option, "-s", "127.0.0.1", "-p", str(port)]
    command += ["-c", str(count), "-i", str(1 / rate), NAME]
    output = run(command).output
    times = re.findall(r"time=([\d.]+) +ms", output)
    if not times:
        raise Unavailable("dnsping had no answers")
    return [Report(round(float(text) * 1e6)) for text in times]


def _processes(command, pattern, unit, count, rate, shows_id=True):
    """Runs a process a query; where IDs are encrypted too, reports are in the order of answers."""
    reports = []
    for finished in paced(count, rate, lambda: run(command, limit=30)):
        time_text = re.search(pattern, finished.output)
        id_text = re.search(r"id: (\d+)", finished.output)
        if time_text and id_text:
            id = int(id_text[1]) if shows_id else None
            reports.append(Report(round(float(time_text[1]) * unit), id=id))
    return reports


def dnsperf_command(port, folder, *arguments):
    """dnsperf with one client on one thread and our one name."""
    path = f"{folder}/queries"
    with open(path, "w") as file:
        file.write(f"{NAME} A\n")
    return ["dnsperf", "-s", "127.0.0.1", "-p", str(port), "-d", path, "-c", "1", "-T", "1",
            *arguments]  # fmt: skip


def dnsperf(port, count, rate):
    """One dnsperf, in microseconds, in the order of the answers."""
    with tempfile.TemporaryDirectory() as folder:
        command = dnsperf_command(port, folder, "-v", "-n", str(count), "-Q", str(rate))
        output = run(command).output
    return [
        Report(round(float(text) * 1e9)) for text in re.findall(r"^> NOERROR .* ([\d.]+)$", output, re.M)
    ]
