"""Time of the dashboard's pages over ten million samples."""

import contextlib
import datetime
import http.client
import os
import signal
import statistics
import subprocess
import tempfile
import time

from benchmarks import clients, samples
from benchmarks.processes import ENVIRONMENT
from benchmarks.store import RUNS, YEAR_NAMES, YEAR_ROUNDS, finish
from benchmarks.table import table

PAGES = {
    "overview": "/",
    "overview, year": "/?window=365d",
    "a resolver, day": "/resolver?label=system&window=24h",
    "a resolver, week": "/resolver?label=system",
    "a resolver, year": "/resolver?label=system&window=365d",
    "two resolvers, week": "/compare?baseline=system&candidate=meadow",
    "two resolvers, year": "/compare?baseline=system&candidate=meadow&window=365d",
    "overview as JSON": "/api/overview",
    "a resolver, year, as JSON": "/api/resolver?label=system&window=365d",
    "metrics": "/metrics",
}


def serve():
    """Prints the time of the first request for each page, and of later requests."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/year.sqlite"
        count = store(path, folder)
        times = {name: measure(path, folder, address) for name, address in PAGES.items()}
    begun = [seconds for _, _, _, _, times in times.values() for seconds in times]
    print(f"{count:,} samples over the year until now. A server prints its address")
    print(f"{statistics.median(begun) * 1000:,.0f} ms after its start. Each page is then requested at once,")
    print(f"and {RUNS} more times. Medians of {RUNS} servers.\n")
    table(
        ["page", "first, ms", "max, ms", "again, ms", "KiB", "peak MiB"],
        [
            [
                name,
                f"{statistics.median(made) * 1000:,.0f}",
                f"{max(made) * 1000:,.0f}",
                f"{statistics.median(again) * 1000:,.1f}",
                f"{size / 1024:,.0f}",
                f"{peak / 1024:,.0f}",
            ]
            for name, (made, again, size, peak, _) in times.items()
        ],
    )


def store(path, folder):
    """Creates a store with samples of the year until now. Returns the number of samples."""
    now = datetime.datetime.now(datetime.timezone.utc).replace(second=0, microsecond=0)
    first, samples.START = samples.START, now - YEAR_ROUNDS * samples.EVERY
    try:
        months = samples.Months(YEAR_ROUNDS, YEAR_NAMES)
        months.write(f"{folder}/year.csv")
    finally:
        samples.START = first
    command = [clients.DNSTEMPO, "store", "import", f"{folder}/year.csv", "--store", path]
    finish(command, home=folder)
    os.remove(f"{folder}/year.csv")
    return months.samples


def measure(path, folder, address):
    """Returns the results of several servers for a page.

    - seconds of the first request per server
    - seconds of the later requests
    - size of the page in bytes
    - peak memory of the servers in KiB
    - seconds to start, per server
    """
    made, again, size, peak, begun = [], [], 0, 0, []
    for _ in range(RUNS):
        start = time.perf_counter()
        with serving(path, folder) as (place, process):
            begun.append(time.perf_counter() - start)
            made.append(ask(place, address)[0])
            for _ in range(RUNS):
                seconds, size = ask(place, address)
                again.append(seconds)
            with open(f"/proc/{process.pid}/status") as status:
                lines = [line.split() for line in status]
            peak = max(peak, *(int(line[1]) for line in lines if line[0] == "VmHWM:"))
    return made, again, size, peak, begun


@contextlib.contextmanager
def serving(path, folder):
    """Runs a server on a free port for the scope. Yields its address and its process."""
    command = [clients.DNSTEMPO, "serve", "--store", path, "--origin", "all", "--port", "0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**ENVIRONMENT, "HOME": folder}
    )
    try:
        line = process.stdout.readline()
        if "http://" not in line:
            raise SystemExit("bench: dnstempo serve did not start")
        yield line.split("http://")[1].strip().rstrip("/"), process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


def ask(place, address):
    """Requests a page. Returns the seconds until the response is complete, and its size in bytes."""
    connection = http.client.HTTPConnection(place, timeout=60)
    start = time.perf_counter()
    connection.request("GET", address)
    response = connection.getresponse()
    body = response.read()
    seconds = time.perf_counter() - start
    connection.close()
    if response.status != 200:
        raise SystemExit(f"bench: {address} returned status {response.status}, not 200")
    return seconds, len(body)
