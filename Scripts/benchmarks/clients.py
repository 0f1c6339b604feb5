"""Runs the compared programs, and reads the times that they report."""

import csv
import datetime
import os
import re
import tempfile
import time
from dataclasses import dataclass

from benchmarks.hosts import CERTIFIED
from benchmarks.processes import run

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DNSTEMPO = os.path.join(ROOT, ".build", "release", "dnstempo")
NAME = "www.example.com"


class Unavailable(Exception):
    """The reason why a program could not be measured."""


@dataclass
class Report:
    """A query as a program reports it. Times are in nanoseconds.

    `clock` and `connection` are columns of dnstempo's samples.
    """

    time: int
    id: int | None = None
    sent: int | None = None
    clock: str | None = None
    connect: int | None = None
    handshake: int | None = None
    connection: str | None = None


def comparison(endpoints, rounds, rate, total_rate, names=(NAME,), samples=None, more=()):
    """Returns the command line of `dnstempo compare`, with the additional arguments `more`."""
    command = [DNSTEMPO, "compare", *endpoints, "--rounds", str(rounds), "--warmup", "0"]
    for name in names:
        command += ["-d", name]
    command += ["--rate", str(rate), "--total-rate", str(total_rate), "--i-run-these-resolvers"]
    command += ["-q", "--no-store", *more]
    if samples:
        command += ["--samples", samples]
    return command


def compare(*arguments, limit=300, **options):
    """Runs `comparison`, and returns the finished process."""
    command = comparison(*arguments, **options)
    with tempfile.TemporaryDirectory() as home:
        finished = run(command, limit=limit, home=home)
    if finished.status != 0:
        reason = (finished.errors.strip() or f"exit status {finished.status}").splitlines()[-1]
        raise Unavailable(f"dnstempo compare failed: {reason}")
    return finished


def dnstempo(service, count, rate, connections="reuse"):
    """Returns the answered samples of one `dnstempo compare`."""
    # Each round has one query. Rounds begin at even intervals; queries within a round do not.
    more = ["--interval", f"{1000 / rate:g}ms"]
    if service.authority:
        more += ["--ca", service.authority, "--connections", connections]
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/samples.csv"
        compare([service.endpoint], count, 10 * rate, 10 * rate, samples=path, more=more)
        if not os.path.exists(path):
            raise Unavailable("dnstempo compare wrote no samples")
        answered = rows(path)
    return [
        Report(
            from_milliseconds(row["rtt_ms"]),
            sent=nanoseconds(row["sent"]),
            clock=row["clock"],
            connect=from_milliseconds(row["connect_ms"]),
            handshake=from_milliseconds(row["handshake_ms"]),
            connection=row["connection"],
        )
        for row in answered
    ]


def rows(path):
    """Returns the answered samples of a file, as dictionaries of their columns."""
    return [row for row in all_rows(path) if row["outcome"] == "answered"]


def all_rows(path):
    """Returns the samples of a file, as dictionaries of their columns."""
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def from_milliseconds(text):
    """Converts milliseconds to nanoseconds. Returns None for an empty text."""
    return round(float(text) * 1e6) if text else None


def nanoseconds(text):
    """Converts an ISO 8601 time in UTC, with any number of decimals, to nanoseconds since 1970."""
    whole, _, fraction = text.rstrip("Z").partition(".")
    seconds = datetime.datetime.fromisoformat(whole + "+00:00").timestamp()
    return int(seconds) * 10**9 + int((fraction + "0" * 9)[:9])


def paced(count, rate, once):
    """Calls `once` `count` times, on average at most `rate` times per second. Yields the results."""
    due = time.monotonic()
    for _ in range(count):
        time.sleep(max(0, due - time.monotonic()))
        due += 1 / rate
        yield once()


def dig_command(service, *options):
    """Returns the command line of dig with one query over UDP."""
    return ["dig", *options, f"@{service.address}", "-p", str(service.port), "+tries=1", NAME]


def dig(service, count, rate):
    """Runs a dig process per query. dig reports microseconds."""
    return _processes(dig_command(service, "-u"), r"Query time: (\d+) usec", 1e3, count, rate)


KDIG_TIME = r"in ([\d.]+) ms"


def kdig_command(service, *names):
    """Returns the command line of kdig with a query per name in `names`, in sequence."""
    command = ["kdig", f"@{service.address}", "-p", str(service.port), "+retry=0", "+keepopen"]
    if service.transport != "udp":
        command += [f"+{service.transport}"]
    if service.authority:
        command += [f"+tls-ca={service.authority}", f"+tls-hostname={CERTIFIED}"]
    return [*command, *names]


def kdig(service, count, rate):
    """Runs a kdig process per query, with a connection of its own.

    kdig reports tenths of a millisecond, without the time to connect.
    """
    shows_id = service.transport == "udp"
    return _processes(kdig_command(service, NAME), KDIG_TIME, 1e6, count, rate, shows_id)


# dnsping has no option for a trusted certificate, so this program sets the certificate.
DNSPING = """
import os
import sys

certificate = sys.argv.pop(1)
if certificate:
    os.environ["SSL_CERT_FILE"] = certificate
    import certifi

    certifi.where = lambda: certificate
import dnsping

dnsping.main()
"""
DNSPING_OPTIONS = {"udp": [], "tcp": ["--tcp"], "tls": ["--tls"], "https": ["--doh"],
                   "quic": ["--quic"], "h3": ["--http3"]}  # fmt: skip


def dnsping(service, count, rate):
    """Runs one dnsping, with a connection per query. Its time includes the connection.

    The reports are in the order of the answers.
    """
    python = os.path.join(ROOT, ".build", "python", "bin", "python")
    command = [python, "-B", "-c", DNSPING, service.authority or ""]
    command += [*DNSPING_OPTIONS[service.transport], "-s", service.address, "-p", str(service.port)]
    output = run([*command, "-c", str(count), "-i", str(1 / rate), NAME]).output
    times = re.findall(r"time=([\d.]+) +ms", output)
    if not times:
        raise Unavailable("dnsping got no answers")
    return [Report(from_milliseconds(text)) for text in times]


def _processes(command, pattern, unit, count, rate, shows_id=True):
    """Runs a process per query. With `shows_id`, reports have the ID that the capture shows.

    Encrypted transports hide the ID. Their reports are only in the order of the answers.
    """
    reports = []
    for finished in paced(count, rate, lambda: run(command, limit=30)):
        time_text = re.search(pattern, finished.output)
        id_text = re.search(r"id: (\d+)", finished.output)
        if time_text and id_text:
            id = int(id_text[1]) if shows_id else None
            reports.append(Report(round(float(time_text[1]) * unit), id=id))
    return reports


def dnsperf_command(service, folder, *arguments):
    """Returns the command line of dnsperf with one client, one thread and the name NAME."""
    path = f"{folder}/queries"
    with open(path, "w") as file:
        file.write(f"{NAME} A\n")
    return ["dnsperf", "-s", service.address, "-p", str(service.port), "-d", path,
            "-c", "1", "-T", "1", *arguments]  # fmt: skip


def dnsperf(service, count, rate):
    """Runs one dnsperf, which reports microseconds. The reports are in the order of the answers."""
    with tempfile.TemporaryDirectory() as folder:
        command = dnsperf_command(service, folder, "-v", "-n", str(count), "-Q", str(rate))
        output = run(command).output
    times = re.findall(r"^> NOERROR .* ([\d.]+)$", output, re.M)
    return [Report(round(float(text) * 1e9)) for text in times]
